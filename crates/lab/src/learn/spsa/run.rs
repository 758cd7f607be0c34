// SPDX-License-Identifier: GPL-3.0-or-later
//! A run of SPSA as a library call: it reports its progress to an observer and prints nothing.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::Serialize;
use serde_json::json;

use super::target::Target;
use super::{Gains, Parameter, Spsa, Step, Trail};
use crate::learn::rounds::{Rounds, RoundsError};
use crate::run::{Event, Header, Runner, Stop};
use crate::tournament::definition::Definition;
use crate::tournament::player_definition::PlayerDefinition;
use crate::tournament::record::GameRecord;
use halfply_engine::base::mix::derive;
use halfply_engine::games::RegisteredGame;

/// The names of the two sides of an iteration.
const SIDES: [&str; 2] = ["plus", "minus"];

/// A run whose players can play.
pub struct Ready<'a, G: RegisteredGame> {
    /// How it tunes.
    pub settings: &'a Spsa,
    /// Who is tuned.
    pub target: &'a Target,
    /// The header of its journal.
    pub header: Header,
    /// The first players have the least and the greatest values.
    rounds: Rounds<G>,
    gains: Gains,
}

/// What identifies a run with these settings of the method: also the tournament of the least values against the greatest.
pub fn header<G: RegisteredGame>(rounds: &Rounds<G>, settings: &impl Serialize) -> Header {
    let config = json!({ "games": rounds.header.config, "spsa": settings });
    Header::new("spsa", &config, rounds.header.signature)
}

impl<'a, G: RegisteredGame> Ready<'a, G> {
    /// Checks settings and players. `definition` has everything of the games but the players.
    ///
    /// # Errors
    /// If a setting is out of its range, or a player cannot play with the least or with the greatest values.
    pub fn new(
        settings: &'a Spsa,
        target: &'a Target,
        definition: &Definition,
        stop: &Stop,
    ) -> Result<Self, RoundsError> {
        let gains = settings.gains()?;
        let bounds = [|parameter: &Parameter| parameter.min, |parameter: &Parameter| parameter.max];
        let values = bounds.map(|bound| settings.parameters.iter().map(bound).collect());
        let players = sides(target, &settings.parameters, &values);
        let rounds = Rounds::new(Definition { players, ..definition.clone() }, stop)?;
        let header = header(&rounds, settings);
        Ok(Self { settings, target, header, rounds, gains })
    }

    /// Games at a time.
    pub fn concurrency(&self) -> usize {
        self.rounds.concurrency
    }

    /// Everything of the games but the players.
    pub fn definition(&self) -> &Definition {
        &self.rounds.definition
    }

    /// How many iterations there are.
    pub fn iterations(&self) -> u32 {
        self.gains.iterations
    }

    /// Tunes by games of that runner.
    ///
    /// # Errors
    /// If the journal cannot be written, the runner was stopped, or a program cannot be started again.
    pub fn learn(
        &self,
        runner: &mut Runner<GameRecord>,
        observe: &mut dyn FnMut(Event<'_, Trail>),
    ) -> Result<Trail, RoundsError> {
        let Spsa { parameters, pairs, .. } = self.settings;
        let mut values: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        let mut trail = Trail { parameters: parameters.clone(), games: 2 * pairs, steps: Vec::new() };
        for iteration in 1..=self.gains.iterations {
            let signs = self.signs(iteration);
            let side = |sign: f64| -> Vec<f64> {
                let distances = parameters.iter().map(|parameter| self.gains.distance(parameter, iteration));
                values.iter().zip(&signs).zip(distances).map(|((value, up), by)| value + sign * up * by).collect()
            };
            let (difference, faults) = self.play(iteration, &[side(1.0), side(-1.0)], runner, observe)?;
            for ((value, parameter), up) in values.iter_mut().zip(parameters).zip(&signs) {
                // A win is two half points, and counts one.
                let points = difference as f64 / 2.0;
                let moved = *value + self.gains.movement(parameter, iteration) * up * points;
                *value = moved.clamp(parameter.min, parameter.max);
            }
            let step = Step { values: values.clone(), difference, faults };
            observe(Event::Doing(format!("iteration {iteration}: {}", step.in_words(parameters))));
            let figures = step.figures(parameters);
            trail.steps.push(step);
            observe(Event::Step { figures, so_far: &trail });
        }
        Ok(trail)
    }

    /// Up or down for each parameter, at random.
    fn signs(&self, iteration: u32) -> Vec<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(derive(self.rounds.definition.seed, iteration.into()));
        let sign = |_| if random.random_bool(0.5) { 1.0 } else { -1.0 };
        self.settings.parameters.iter().map(sign).collect()
    }

    /// Plays an iteration: the half points that the first side scored more, and the games that ended by a fault.
    fn play(
        &self,
        iteration: u32,
        sides: &[Vec<f64>; 2],
        runner: &mut Runner<GameRecord>,
        observe: &mut dyn FnMut(Event<'_, Trail>),
    ) -> Result<(i64, usize), RoundsError> {
        let players = self::sides(self.target, &self.settings.parameters, sides);
        let pairs = u64::from(self.settings.pairs);
        let first = u64::from(iteration - 1) * pairs;
        let game = |time| observe(Event::unit(time));
        let records = self.rounds.play(players, first..first + pairs, runner, game)?;
        let difference = |record: &GameRecord| {
            let [white, black] = record.half_points().map(|points| points as i64);
            if record.players[0] == SIDES[0] { white - black } else { black - white }
        };
        let faults = records.iter().filter(|record| record.fault.is_some()).count();
        Ok((records.iter().map(difference).sum(), faults))
    }
}

/// The two sides with these values.
fn sides(target: &Target, parameters: &[Parameter], values: &[Vec<f64>; 2]) -> Vec<PlayerDefinition> {
    let sides = SIDES.iter().zip(values).enumerate();
    let player = |(index, (name, values)): (usize, (&&str, &Vec<f64>))| PlayerDefinition {
        index,
        ..target.with(name, parameters, values)
    };
    sides.map(player).collect()
}
