// SPDX-License-Identifier: GPL-3.0-or-later
//! Tournaments that test what was found, as the text of their definitions.

use toml::Value;
use toml::ser::Error;

use super::candidate::Candidate;
use super::fitness::Conditions;
use crate::players::search_spec::{SearchSpec, located_folders};
use crate::tournament::definition::{Definition, SprtDefinition};
use crate::tournament::player_definition::PlayerDefinition;
use crate::tournament::schedule::Schedule;
use crate::tournament::statistics::Model;
use halfply_engine::base::files;
use halfply_engine::features::AtomSet;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::{Parameters, Profile, Setup};

/// The number of games for each two of the players.
pub const GAMES: u64 = 1000;
/// The most games of a sequential test, which ends before.
const MOST_GAMES: u64 = 40_000;

/// A tournament of candidates with names and the files of their tables, if these are beside this one, in the search that learned from positions with this evaluation. `origin` says what
/// made it.
///
/// # Errors
/// Never: everything in it can be written.
pub fn of_candidates<G: RegisteredGame>(
    players: &[(&str, Option<&str>, &Candidate)],
    conditions: &Conditions,
    evaluation: &str,
    origin: &str,
) -> Result<String, Error> {
    let Conditions { nodes, setup, .. } = conditions;
    let is_full = setup.profile == Profile::Full;
    let defaults = PlayerDefinition {
        profile: Some(setup.profile),
        // The file is in a folder of its own.
        evaluation: Some(G::located_evaluation(evaluation)),
        nodes: Some(*nodes),
        realization: (!setup.realization.is_off()).then_some(setup.realization),
        hash: u32::try_from(setup.hash).ok().filter(|_| is_full),
        syzygy: setup.endings.as_ref().map(|endings| located_folders(endings.folders(), files::located)),
        parameters: is_full.then(|| parameters(&setup.parameters, setup)),
        ..PlayerDefinition::default()
    };
    // A line defines no atoms.
    let defines = |candidate: &Candidate| {
        let own = candidate.table.own().or(setup.table.own());
        own.is_some_and(|own| candidate.table.wanted().meets(AtomSet(own.bits())))
    };
    let player = |(name, file, candidate): &(&str, Option<&str>, &Candidate)| PlayerDefinition {
        name: Some((*name).to_owned()),
        extensions: file.filter(|_| defines(candidate)).map(Into::into),
        extend: (file.is_none() || !defines(candidate)).then(|| candidate.table.summary(&G::VOCABULARY)),
        parameters: (is_full && candidate.parameters != setup.parameters)
            .then(|| parameters(&candidate.parameters, setup)),
        ..PlayerDefinition::default()
    };
    let definition = Definition {
        games: Some(GAMES),
        comments: false,
        defaults,
        players: players.iter().map(player).collect(),
        ..Definition::of(G::GAME)
    };
    text("is what is best on positions best in games?", origin, &definition)
}

/// A match of a search by a learned model, in a file beside this, against the same search by its hand-crafted control. `setup`
/// has the parameters of the search, and `set` are those that go with the model.
///
/// # Errors
/// Never: everything in it can be written.
pub fn of_control<G: RegisteredGame>(
    search: &SearchSpec,
    setup: &Setup,
    model: &str,
    set: &[(&str, i32)],
    nodes: u64,
) -> Result<String, Error> {
    let SearchSpec { profile, evaluation, hash, syzygy, realization, .. } = search.clone().located();
    let given = setup.parameters.table(&setup.defaults);
    let switches =
        |on: bool| ["learned_reductions", "learned_pruning"].map(|name| (name.to_owned(), Value::Boolean(on)));
    let numbers = set.iter().map(|&(name, value)| (name.to_owned(), Value::Integer(value.into())));
    let learned = PlayerDefinition {
        name: Some("learned".to_owned()),
        control: Some(model.into()),
        parameters: Some(Value::Table(given.clone().into_iter().chain(switches(true)).chain(numbers).collect())),
        ..PlayerDefinition::default()
    };
    let by_hand = PlayerDefinition {
        name: Some("by hand".to_owned()),
        parameters: Some(Value::Table(given.into_iter().chain(switches(false)).collect())),
        ..PlayerDefinition::default()
    };
    let defaults = PlayerDefinition {
        profile: Some(profile),
        evaluation,
        hash,
        syzygy,
        realization: (!realization.is_off()).then_some(realization),
        nodes: Some(nodes),
        ..PlayerDefinition::default()
    };
    let definition = Definition {
        games: Some(GAMES),
        comments: false,
        defaults,
        players: vec![learned, by_hand],
        ..Definition::of(G::GAME)
    };
    text("is learned control better than hand-crafted control?", "", &definition)
}

/// A sequential test of the first of two players against the second, in games as those that learned but with other openings,
/// for a gain of 0 against `gain` normalized Elo. `question` is what it answers.
///
/// # Errors
/// Never for players that have played.
pub fn sequential(
    learned: &Definition,
    players: [PlayerDefinition; 2],
    gain: f64,
    question: &str,
) -> Result<String, Error> {
    let sprt = SprtDefinition { elo0: 0.0, elo1: gain, alpha: 0.05, beta: 0.05, model: Model::default() };
    let definition = Definition {
        kind: Schedule::default(),
        players: players.into(),
        games: Some(MOST_GAMES),
        sprt: Some(sprt),
        // The openings are in another order, and the searches have other seeds.
        seed: learned.seed.wrapping_add(1),
        // Whoever plays it has other cores.
        concurrency: None,
        comments: false,
        ..learned.clone()
    };
    text(question, "", &definition)
}

fn text(question: &str, origin: &str, definition: &Definition) -> Result<String, Error> {
    let origin: String = origin.lines().map(|line| format!("# {line}\n")).collect();
    Ok(format!("# halfply tournament run THIS-FILE: {question}\n{origin}{}", toml::to_string(definition)?))
}

/// What must be set for these parameters.
fn parameters(parameters: &Parameters, setup: &Setup) -> Value {
    Value::Table(parameters.table(&setup.defaults))
}
