// SPDX-License-Identifier: GPL-3.0-or-later
//! Games of methods that learn by games: the players of each round depend on the games of the rounds before.

use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::settings::SettingError;
use crate::run::{Header, RunError, Runner, Stop};
use crate::tournament::definition::Definition;
use crate::tournament::description::TournamentDescription;
use crate::tournament::entrant::Entrant;
use crate::tournament::error::TournamentError;
use crate::tournament::game::{ScheduledGame, Tournament};
use crate::tournament::player_definition::PlayerDefinition;
use crate::tournament::record::GameRecord;
use crate::tournament::run::Ready;
use halfply_engine::games::{GameName, RegisteredGame};

/// Why a run that learns by games failed.
#[derive(Debug, Error)]
pub enum RoundsError {
    /// A setting is out of its range, or a table cannot be read.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The players, the book or a program.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// The program cannot be started again.
    #[error("{0}; repair it, and run the same command again to continue")]
    Withdrawn(String),
    /// It was stopped, the journal cannot be written, or other processes have yet to play.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// What all rounds share.
pub struct Rounds<G: RegisteredGame> {
    /// The tournament whose players were tried out.
    pub definition: Definition,
    /// The header of that tournament. The header of the run is made from it.
    pub header: Header,
    /// Games at a time.
    pub concurrency: usize,
    tournament: Tournament<G>,
}

/// A round as workers receive it: they play the same games from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundDescription {
    /// Players who are tried out, and everything of the games but the players.
    pub tournament: TournamentDescription,
    /// The players of the round.
    pub players: Vec<PlayerDefinition>,
    /// Its pairs of games.
    pub pairs: Range<u64>,
}

impl RoundDescription {
    /// The game.
    pub fn game(&self) -> GameName {
        self.tournament.game()
    }
}

impl<G: RegisteredGame> Rounds<G> {
    /// Tries out the players of a tournament, and reads its book.
    ///
    /// # Errors
    /// If a player cannot play, or the book cannot be read.
    pub fn new(definition: Definition, stop: &Stop) -> Result<Self, TournamentError> {
        let ready = Ready::<G>::new(&definition, Entrant::all(&definition)?, stop)?;
        let (header, concurrency) = (ready.header.clone(), ready.concurrency);
        let tournament = ready.into_tournament();
        Ok(Self { definition, header, concurrency, tournament })
    }

    /// The games of a round, for these players.
    ///
    /// # Errors
    /// Names the player and what is wrong with its definition.
    pub fn of_players(&self, players: Vec<PlayerDefinition>) -> Result<Round<G>, TournamentError> {
        let definition = Definition { players, ..self.definition.clone() };
        let entrants = Entrant::all(&definition)?;
        let tournament = self.tournament.with_entrants(&definition, entrants, self.concurrency);
        Ok(Round { definition, tournament })
    }

    /// Plays pairs of a round by that runner. `observe` is called after each game with the time that it took, none if it is
    /// from the journal.
    ///
    /// # Errors
    /// If a player cannot play, the journal cannot be written, the runner was stopped, or other processes have yet to play.
    pub fn play(
        &self,
        players: Vec<PlayerDefinition>,
        pairs: Range<u64>,
        runner: &mut Runner<GameRecord>,
        mut observe: impl FnMut(Option<Duration>),
    ) -> Result<Vec<GameRecord>, RoundsError> {
        let round = self.of_players(players)?;
        runner.describe(|| RoundDescription {
            tournament: TournamentDescription::of(&self.definition),
            players: round.definition.players.clone(),
            pairs: pairs.clone(),
        });
        let records = runner.run(&round.games(pairs.clone()), |_, _, time| observe(time));
        round.tournament.close();
        if let (Err(_), Some((_, reason))) = (&records, round.tournament.withdrawn().first()) {
            return Err(RoundsError::Withdrawn(format!("the program cannot be restarted: {reason}")));
        }
        Ok(records?)
    }
}

/// The games of a round.
pub struct Round<G: RegisteredGame> {
    definition: Definition,
    /// The tournament of its players.
    pub tournament: Tournament<G>,
}

impl<G: RegisteredGame> Round<G> {
    /// The games of these pairs.
    pub fn games(&self, pairs: Range<u64>) -> Vec<ScheduledGame<'_, G>> {
        self.tournament.of_pairs(&self.definition, pairs)
    }
}
