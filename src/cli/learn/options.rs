// SPDX-License-Identifier: GPL-3.0-or-later
//! The flags of `halfply learn`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::count::count;
use crate::cli::output::WidthArg;
use crate::cli::run_folder::RunFolderArgs;
use crate::cli::setup::SetupArgs;
use crate::cli::spool::SpoolArgs;
use crate::cli::{EvaluationArg, GameArg, ThreadsArg};
use crate::learn::fitness::Measure;
use crate::learn::{Method, Recipe};

/// Discover search extensions: the moves behind which to search deeper
#[derive(Debug, Args)]
#[command(after_help = "Without options it learns Breakthrough on the bundled suite, in about a minute on two cores. \
                        A run that is stopped goes on when the same command is given again.")]
pub struct Command {
    /// How to learn
    #[arg(value_enum, default_value = "gradual-focus")]
    pub(super) method: Method,
    /// Test positions to learn on, an EPD file [default: the suite bundled for the game]
    #[arg(long, value_name = "FILE")]
    pub(super) suite: Option<PathBuf>,
    /// Nodes a position
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = count::<u64>(1..))]
    pub(super) nodes: u64,
    /// The cost of a move with the feature, in plies; with several values, each feature is tried with each, and the
    /// best counts
    #[arg(long, value_name = "PLY,...", value_delimiter = ',', default_value = "0.5")]
    pub(super) ply: Vec<f64>,
    /// What a search counts
    #[arg(long, value_enum, default_value = "solved")]
    fitness: Measure,
    /// Positions to subtract from a feature's value for each percent of moves that it extends
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    frequency_penalty: f64,
    /// Search each position this many times, with consecutive seeds
    #[arg(long, value_name = "N", default_value_t = 1)]
    repeats: u32,
    /// Also prune combinations whose gain has a higher p-value than this (exact McNemar test)
    #[arg(long, value_name = "P")]
    significance: Option<f64>,
    /// Share of the positions to hold out; at the end, what the output solves of them is reported
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    held_out: f64,
    /// At the end, grow a table of at most this many rows, any of which extends
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u32>(1..=64))]
    rows: u32,
    /// Grow one table from the best feature of each of this many groups of similar features
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u32>(1..))]
    starts: u32,
    /// How many more positions than its first parent a combination must solve to be kept
    #[arg(long, value_name = "N", default_value_t = 3)]
    epsilon: u32,
    /// Atoms to start from [default: those of the game's papers]
    #[arg(long, value_name = "ATOM,...", value_delimiter = ',')]
    atoms: Vec<String>,
    /// Groups of atoms that are never combined [default: the game's first]
    #[arg(long, value_name = "NAME")]
    groups: Option<String>,
    /// Turn off linear tree pruning: do not ban combinations with children of a pruned one's second parent
    #[arg(long)]
    no_linear_tree_pruning: bool,
    /// Turn off threshold pruning: do not drop atoms that solve fewer positions than delta
    #[arg(long)]
    no_threshold_pruning: bool,
    /// The threshold of threshold pruning [default: the positions solved without extensions]
    #[arg(long, value_name = "N", conflicts_with = "no_threshold_pruning")]
    delta: Option<i64>,
    /// Atoms that threshold pruning must not drop
    #[arg(long, value_name = "ATOM,...", value_delimiter = ',', conflicts_with = "no_threshold_pruning")]
    unsafe_to_prune: Vec<String>,
    /// Exclude the atoms marked as unsafe to prune from threshold pruning
    #[arg(long, conflicts_with = "no_threshold_pruning")]
    domain_knowledge: bool,
    /// Features never to try, alone or as part of others; "none" to try everything [default: those that the game's
    /// papers leave out]
    #[arg(long, value_name = "FEATURE,...", value_delimiter = ',')]
    blacklist: Vec<String>,
    /// Also prune combinations that solve exactly epsilon more than their parent
    #[arg(long)]
    strictly_better: bool,
    /// Stop searching for a combination once it can no longer be kept: the output is the same, with less work, but the
    /// values of pruned combinations are only bounds
    #[arg(long)]
    early_rejection: bool,
    /// For brute force: the most atoms of a feature
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = count::<u32>(1..=32))]
    max_atoms: u32,
    /// Stop after this many features
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..))]
    max_evaluations: Option<u32>,
    /// The seed of the order of moves in every search
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) setup: SetupArgs,
    #[command(flatten)]
    pub(super) evaluation: EvaluationArg,
    #[command(flatten)]
    pub(super) threads: ThreadsArg,
    #[command(flatten)]
    pub(super) spool: SpoolArgs,
    #[command(flatten)]
    pub(super) width: WidthArg,
    #[command(flatten)]
    pub(super) folder: RunFolderArgs,
    #[command(flatten)]
    pub(super) game: GameArg,
}

impl Command {
    /// The recipe that the flags describe.
    pub(super) fn recipe(&self) -> Recipe {
        let blacklist = match &self.blacklist[..] {
            [] => None,
            [none] if none.is_empty() || none == "none" => Some(Vec::new()),
            names => Some(names.to_vec()),
        };
        Recipe {
            method: self.method,
            atoms: self.atoms.clone(),
            groups: self.groups.clone(),
            epsilon: self.epsilon,
            strictly_better: self.strictly_better,
            early_rejection: self.early_rejection,
            linear_tree_pruning: !self.no_linear_tree_pruning,
            threshold_pruning: !self.no_threshold_pruning,
            delta: self.delta,
            unsafe_to_prune: self.unsafe_to_prune.clone(),
            domain_knowledge: self.domain_knowledge,
            blacklist,
            max_evaluations: self.max_evaluations,
            max_atoms: self.max_atoms,
            plies: self.ply.clone(),
            fitness: self.fitness,
            frequency_penalty: self.frequency_penalty,
            repeats: self.repeats,
            significance: self.significance,
            held_out: self.held_out,
            rows: self.rows,
            starts: self.starts,
        }
    }
}
