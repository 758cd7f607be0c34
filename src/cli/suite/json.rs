// SPDX-License-Identifier: GPL-3.0-or-later
//! What `halfply suite run --json` prints. `docs/formats.md` describes it for users.

use std::collections::BTreeMap;

use serde::Serialize;

use super::options::Command;
use super::report::Report;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::{FullSettings, Profile, Realization, SearchRecord};
use halfply_lab::players::Player;
use halfply_lab::suite::run::{NodeLimit, Ready};
use halfply_lab::suite::{BaselineComparison, Score, Summary, TrialResult};

/// A run of a suite.
#[derive(Serialize)]
pub(super) struct RunObject<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    /// Over all threads. It depends on the machine.
    nodes_per_second: f64,
    /// The name of the suite.
    suite: &'a str,
    /// The name of the game.
    game: &'static str,
    #[serde(flatten)]
    who: WhoObject<'a>,
    /// Nodes a position.
    node_limit: Option<u64>,
    /// Milliseconds a position.
    movetime: Option<u64>,
    /// Whether another run has the same results: without a time limit.
    reproducible: bool,
    /// The seed of the order of moves.
    seed: u64,
    /// With `--points`.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<PointsObject>,
    /// With `--baseline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<BaselineObject<'a>>,
    /// The positions in the order of the suite.
    results: Vec<PositionObject<'a>>,
}

/// Who searched.
#[derive(Serialize)]
#[serde(untagged)]
enum WhoObject<'a> {
    /// A search of this program.
    Search {
        /// The extension table in a line.
        extensions: String,
        /// How moves that cost more than one ply are searched.
        #[serde(skip_serializing_if = "Realization::is_off")]
        realization: Realization,
        /// The evaluation's name, or its file.
        evaluation: &'a str,
        /// Which search.
        profile: Profile,
        /// The transposition table in MiB; none in the plain search.
        hash: Option<usize>,
        /// Parameters that are not at their defaults.
        parameters: BTreeMap<String, String>,
    },
    /// Another program.
    Program {
        /// Whether this program, not the other, enforced the node limit.
        watch_nodes: bool,
        /// The name that the program reports.
        engine: &'a str,
        /// Its UCI options.
        options: &'a [(String, String)],
    },
}

/// Points for moves.
#[derive(Serialize)]
struct PointsObject {
    /// Points made.
    total: u64,
    /// Points of the best moves.
    possible: u64,
}

/// The comparison with a baseline.
#[derive(Serialize)]
struct BaselineObject<'a> {
    /// The baseline's file.
    file: String,
    /// Positions that the baseline solves.
    solved: usize,
    /// Ids of positions solved now and not then.
    gained: Vec<&'a str>,
    /// Ids of positions solved then and not now.
    lost: Vec<&'a str>,
    /// The baseline's count of nodes until first found.
    nodes_first_found: Option<u64>,
    /// The baseline's count of nodes until found and kept.
    nodes_found_and_kept: Option<u64>,
    /// `--tolerance`.
    tolerance: u32,
}

/// One position.
#[derive(Serialize)]
struct PositionObject<'a> {
    /// The position's id.
    id: &'a str,
    #[serde(flatten)]
    result: &'a TrialResult,
    /// Points for the move, with `--points`.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u32>,
}

impl<'a> RunObject<'a> {
    /// The object of a run.
    pub fn new<G: RegisteredGame>(report: &'a Report<'_, G>, command: &Command, nodes_per_second: f64) -> Self {
        let problems = &report.ready.suite.problems;
        let position = |(place, result): (usize, &'a TrialResult)| PositionObject {
            id: &problems[place].id,
            result,
            points: report.score.as_ref().map(|score| score.each[place]),
        };
        let ids = |places: &[usize]| places.iter().map(|&place| problems[place].id.as_str()).collect();
        let baseline = |comparison: &BaselineComparison| BaselineObject {
            file: command.baseline_name(),
            solved: comparison.before,
            gained: ids(&comparison.gained),
            lost: ids(&comparison.lost),
            nodes_first_found: comparison.nodes_first_found,
            nodes_found_and_kept: comparison.nodes_found_and_kept,
            tolerance: command.tolerance,
        };
        let points = |&Score { total, possible, .. }: &Score| PointsObject { total, possible };
        Self {
            summary: &report.summary,
            nodes_per_second,
            suite: &report.ready.suite.name,
            game: G::NAME,
            who: WhoObject::of(report.ready),
            node_limit: report.ready.limits.nodes,
            movetime: command.movetime,
            reproducible: report.ready.limits.time.is_none(),
            seed: command.seed,
            points: report.score.as_ref().map(points),
            baseline: report.comparison.as_ref().map(baseline),
            results: report.results.iter().enumerate().map(position).collect(),
        }
    }
}

impl<'a> WhoObject<'a> {
    fn of<G: RegisteredGame>(ready: &'a Ready<'_, G>) -> Self {
        match &ready.player {
            Player::Search(searcher) => {
                let SearchRecord { profile, extensions, realization, full, .. } = searcher.record();
                let (hash, parameters) = full.map(|FullSettings { hash, parameters, .. }| (hash, parameters)).unzip();
                let parameters = parameters.unwrap_or_default();
                let evaluation = searcher.evaluation.name();
                Self::Search { extensions, realization, evaluation, profile, hash, parameters }
            }
            Player::Program(program) => Self::Program {
                watch_nodes: ready.node_limit != NodeLimit::Kept,
                engine: &program.title,
                options: &program.spec.options,
            },
        }
    }
}
