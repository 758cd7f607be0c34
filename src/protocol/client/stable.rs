// SPDX-License-Identifier: GPL-3.0-or-later
//! Engines that run and wait to be asked again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Client, EngineCommand, Fault};

/// How long an engine may take to introduce itself, and to be ready for a game.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Engines between two games, by a number that tells players apart. They are not started for each game, for that may take
/// longer than the game; nor are more of them kept than are wanted.
#[derive(Default)]
pub struct Stable {
    idle: Mutex<Vec<(usize, Client)>>,
    most: usize,
}

impl Stable {
    /// An empty one, which keeps at most so many.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { idle: Mutex::default(), most }
    }

    /// An engine that waits, or else a new one.
    ///
    /// # Errors
    /// As [`Client::start`].
    pub fn client(
        &self,
        player: usize,
        command: &EngineCommand,
        required: &[(String, String)],
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Client, Fault> {
        // One that has ended while it waited has done nobody harm.
        while let Some(mut client) = self.take(player) {
            if client.is_alive() {
                return Ok(client);
            }
        }
        Client::start(command, required, PATIENCE, interrupted)
    }

    fn take(&self, player: usize) -> Option<Client> {
        let mut idle = self.lock();
        let place = idle.iter().position(|(of, _)| *of == player)?;
        Some(idle.remove(place).1)
    }

    /// Keeps an engine for later. If there are too many, the one that has waited longest is sent home.
    pub fn put(&self, player: usize, client: Client) {
        let mut idle = self.lock();
        idle.push((player, client));
        let surplus = (idle.len() > self.most).then(|| idle.remove(0).1);
        drop(idle);
        if let Some(client) = surplus {
            client.quit();
        }
    }

    /// Sends all of them home.
    pub fn close(&self) {
        for (_, client) in std::mem::take(&mut *self.lock()) {
            client.quit();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(usize, Client)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
