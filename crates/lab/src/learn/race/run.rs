// SPDX-License-Identifier: GPL-3.0-or-later
//! A race as a library call: it reports its progress to an observer and prints nothing.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Finish, Race, Racer, after_lap, figures, is_over, lap};
use crate::learn::rounds::{Rounds, RoundsError};
use crate::learn::settings::SettingError;
use crate::players::Player;
use crate::run::{Event, Header, Runner, Stop};
use crate::tournament::definition::Definition;
use crate::tournament::player_definition::PlayerDefinition;
use crate::tournament::record::GameRecord;
use crate::tournament::schedule::Schedule;
use crate::tournament::statistics::{Decision, Pentanomial, Sprt};
use halfply_engine::bench;
use halfply_engine::features::file;
use halfply_engine::games::RegisteredGame;

/// The name of the search without a table.
const NONE: &str = "none";

/// A race whose players can play.
pub struct Ready<'a, G: RegisteredGame> {
    /// Its settings.
    pub settings: &'a Race,
    /// The header of its journal. Races with other tables share it.
    pub header: Header,
    tables: Vec<Racer>,
    /// The first player is the search without a table.
    rounds: Rounds<G>,
    test: Sprt,
}

impl<'a, G: RegisteredGame> Ready<'a, G> {
    /// Checks settings and tables. `definition` has everything of the games but the players, and `player` is the search
    /// without a table.
    ///
    /// # Errors
    /// If a setting is out of its range, a table cannot be read, changes no cost or is a duplicate, or the book cannot be
    /// read.
    pub fn new(
        settings: &'a Race,
        player: &PlayerDefinition,
        definition: &Definition,
        stop: &Stop,
    ) -> Result<Self, RoundsError> {
        let test = settings.test()?;
        let mut tables: Vec<Racer> = Vec::new();
        for text in &settings.tables {
            let wrong = |reason: String| SettingError::new("table", text, reason);
            let table = file::parse_line(text, &G::VOCABULARY).map_err(wrong)?;
            let name = table.summary(&G::VOCABULARY);
            let reason = "it changes no cost: it is the search without a table";
            SettingError::unless(!table.trimmed().is_empty(), "table", text, reason)?;
            SettingError::unless(tables.iter().all(|other| other.name != name), "table", text, "duplicate table")?;
            tables.push(Racer { table, name, pairs: Pentanomial::default(), exit: None });
        }
        let definition =
            Definition { kind: Schedule::Gauntlet, players: vec![named(player, NONE)], ..definition.clone() };
        let rounds = Rounds::new(with_players(&definition, tables.iter()), stop)?;
        let header = header(&rounds);
        Ok(Self { settings, header, tables, rounds, test })
    }

    /// Games at a time.
    #[must_use]
    pub fn concurrency(&self) -> usize {
        self.rounds.concurrency
    }

    /// The search without a table, and everything of the games.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        &self.rounds.definition
    }

    /// The sequential test of a table against none.
    #[must_use]
    pub fn test(&self) -> &Sprt {
        &self.test
    }

    /// Runs the race by games of that runner.
    ///
    /// # Errors
    /// If the journal cannot be written, or the runner was stopped.
    pub fn learn(
        &self,
        runner: &mut Runner<GameRecord>,
        observe: &mut dyn FnMut(Event),
    ) -> Result<Finish, RoundsError> {
        let mut racers = self.tables.clone();
        let mut laps = 0;
        while laps < self.settings.laps && !is_over(&racers, &self.test) {
            laps += 1;
            self.lap(laps, &mut racers, runner, observe)?;
            after_lap(&mut racers, laps, &self.test);
            observe(Event::Step(figures(&racers)));
            observe(Event::Note(lap(laps, &racers)));
        }
        // Who is in the race is before who is not, who left late before who left early.
        let left_after = |racer: &Racer| racer.exit.map_or(u32::MAX, |(_, lap)| lap);
        racers.sort_by(|a, b| {
            left_after(b).cmp(&left_after(a)).then_with(|| b.pairs.score().total_cmp(&a.pairs.score()))
        });
        let best = racers.first().filter(|racer| racer.runs());
        let is_shown = best.is_some_and(|best| self.test.decision(&best.pairs) == Some(Decision::H1));
        Ok(Finish { racers, laps, is_shown })
    }

    /// Plays a lap, and adds its pairs to the results.
    fn lap(
        &self,
        number: u32,
        racers: &mut [Racer],
        runner: &mut Runner<GameRecord>,
        observe: &mut dyn FnMut(Event),
    ) -> Result<(), RoundsError> {
        let players = with_players(self.definition(), racers.iter().filter(|racer| racer.runs())).players;
        let pairs = u64::from(self.settings.pairs);
        let first = u64::from(number - 1) * pairs;
        observe(Event::Stage { name: format!("lap {number}"), units: 2 * pairs * (players.len() as u64 - 1) });
        let game = |time| observe(Event::unit(time));
        let records = self.rounds.play(players, first..first + pairs, runner, game)?;
        // By table and pair, the half points of the table in both games.
        let mut half_points: BTreeMap<(&str, u64), u64> = BTreeMap::new();
        for record in &records {
            let side = usize::from(record.players[0] == NONE);
            *half_points.entry((&record.players[side], record.pair)).or_default() += record.half_points()[side];
        }
        for ((name, _), points) in half_points {
            let racer = racers.iter_mut().find(|racer| racer.name == name);
            if let Some(count) = racer.and_then(|racer| racer.pairs.0.get_mut(points as usize)) {
                *count += 1;
            }
        }
        Ok(())
    }
}

/// The player with that name.
fn named(player: &PlayerDefinition, name: &str) -> PlayerDefinition {
    PlayerDefinition { name: Some(name.to_owned()), ..player.clone() }
}

/// The games of the first player against these tables.
pub(super) fn with_players<'r>(definition: &Definition, racers: impl Iterator<Item = &'r Racer>) -> Definition {
    let none = &definition.players[0];
    let tables = racers.map(|racer| PlayerDefinition { extend: Some(racer.name.clone()), ..named(none, &racer.name) });
    let players = std::iter::once(none.clone()).chain(tables).enumerate();
    let players = players.map(|(index, player)| PlayerDefinition { index, ..player }).collect();
    Definition { players, ..definition.clone() }
}

/// What all games of a race depend on, whatever its tables are.
pub fn header<G: RegisteredGame>(rounds: &Rounds<G>) -> Header {
    let mut config = rounds.header.config.clone();
    if let Some(Value::Array(players)) = config.get_mut("players") {
        players.truncate(1);
    }
    let signature = rounds.entrants().iter().find_map(|entrant| match &entrant.player {
        Player::Search(searcher) => Some(bench::signature(&searcher.setup, &searcher.evaluation, G::VOCABULARY.all())),
        Player::Program(_) => None,
    });
    Header::new("race", &config, signature.unwrap_or_default())
}
