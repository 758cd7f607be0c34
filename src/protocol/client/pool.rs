// SPDX-License-Identifier: GPL-3.0-or-later
//! Engines that run and wait to be asked again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Client, EngineCommand, Fault};

/// How long an engine may take to introduce itself, and to be ready for a game, unless its caller has more patience.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Engines between two games, by a number that tells players apart. They are not started for each game, for that may take
/// longer than the game; nor are more of them kept than are wanted.
#[derive(Default)]
pub struct EnginePool {
    idle: Mutex<Vec<(usize, Client)>>,
    most: usize,
    patience: Duration,
}

impl EnginePool {
    /// An empty one, which keeps at most so many, each of which has so much `patience` to be ready.
    #[must_use]
    pub fn new(most: usize, patience: Duration) -> Self {
        Self { idle: Mutex::default(), most, patience }
    }

    /// An engine that waits, or else a new one; it has been told of a new game and is ready for it.
    ///
    /// # Errors
    /// As [`Client::start`] and [`Client::new_game`].
    pub fn client(
        &self,
        player: usize,
        command: &EngineCommand,
        required: &[(String, String)],
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Client, Fault> {
        while let Some(mut client) = self.take(player) {
            match client.is_alive().then(|| client.new_game(interrupted)) {
                Some(Ok(())) => return Ok(client),
                // One that has ended while it waited has done nobody harm, even if that shows only now.
                None | Some(Err(Fault::Crashed { .. } | Fault::ClosedPipe)) => {}
                Some(Err(fault)) => return Err(fault),
            }
        }
        let mut client = Client::start(command, required, self.patience, interrupted)?;
        client.new_game(interrupted)?;
        Ok(client)
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
