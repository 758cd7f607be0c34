// SPDX-License-Identifier: GPL-3.0-or-later
//! Running engines that wait to be used again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Client, EngineCommand, EngineFault};

/// The default time for an engine to introduce itself, and to be ready for a game.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Engines between two games, by the player's number. They are not started for each game, because that may take longer
/// than the game. Their number is limited.
#[derive(Default)]
pub struct EnginePool {
    idle: Mutex<Vec<(usize, Client)>>,
    most: usize,
    patience: Duration,
}

impl EnginePool {
    /// An empty pool for at most `most` engines. Each has `patience` to get ready.
    pub fn new(most: usize, patience: Duration) -> Self {
        Self { idle: Mutex::default(), most, patience }
    }

    /// A waiting engine, or else a new one, that is ready for a new game.
    ///
    /// # Errors
    /// As [`Client::start`] and [`Client::new_game`].
    pub fn client(
        &self,
        player: usize,
        command: &EngineCommand,
        required: &[(String, String)],
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Client, EngineFault> {
        while let Some(mut client) = self.take(player) {
            match client.is_alive().then(|| client.new_game(interrupted)) {
                Some(Ok(())) => return Ok(client),
                // An engine that ended while it waited has caused no fault, even if that is only detected now.
                None | Some(Err(EngineFault::Crashed { .. } | EngineFault::ClosedPipe)) => {}
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

    /// Keeps an engine for later. If there are too many, the one that has waited longest is ended.
    pub fn put(&self, player: usize, client: Client) {
        let mut idle = self.lock();
        idle.push((player, client));
        let surplus = (idle.len() > self.most).then(|| idle.remove(0).1);
        drop(idle);
        if let Some(client) = surplus {
            client.quit();
        }
    }

    /// Ends all engines.
    pub fn close(&self) {
        for (_, client) in std::mem::take(&mut *self.lock()) {
            client.quit();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(usize, Client)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
