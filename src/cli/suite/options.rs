// SPDX-License-Identifier: GPL-3.0-or-later
//! The arguments of `halfply suite run`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::GameOfFileArg;
use crate::cli::count::count;
use crate::cli::output::WidthArg;
use crate::cli::setup::SetupArgs;
use crate::cli::{EvaluationArg, ThreadsArg, assignments, run_file};
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::Limits;
use halfply_lab::players::{Player, ProgramSpec};

/// The default nodes a position.
const NODES: u64 = 500_000;

/// The meaning of the two counts of nodes to solution.
const COUNTS: &str = "\
Nodes to solution are counted twice; where there is none, the limit counts:
  first found     until the right move was first the search's choice. This is
                  the count of David-Tabibi, Koppel and Netanyahu (Optimizing
                  Selective Search in Chess, 2010), read literally: nodes
                  \"before finding the correct move\"
  found and kept  until it was the search's choice for good. This count is
                  ours; `learn --fitness nodes` goes by it";

/// Search every position of a suite and count what is solved
#[derive(Debug, Args)]
#[command(after_help = COUNTS)]
pub struct Command {
    /// The suite, an EPD file [default: the one bundled for the game]
    pub(super) file: Option<PathBuf>,
    /// Nodes a position [default: 500000, or no limit with --movetime]
    #[arg(long, value_name = "N", value_parser = count::<u64>(1..))]
    pub(super) nodes: Option<u64>,
    /// Milliseconds a position; the first limit reached ends a search. Results then depend on the machine
    #[arg(long, value_name = "MS", value_parser = count::<u64>(1..=86_400_000))]
    pub(super) movetime: Option<u64>,
    /// The extension table [default: none]
    #[arg(long, value_name = "FILE", value_parser = run_file::table)]
    pub(super) extensions: Option<PathBuf>,
    /// Run this external UCI engine instead of our search: its command line
    #[arg(long, value_name = "COMMAND", conflicts_with = "extensions")]
    pub(super) engine: Option<String>,
    /// Set a UCI option of the external engine; can be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "engine")]
    pub(super) option: Vec<String>,
    /// For an engine that ignores `go nodes`: it searches without a limit and is stopped when it reports that many
    /// nodes. Its answer is its last best line within the limit. A trial detects such engines without this flag
    #[arg(long, requires = "engine")]
    pub(super) watch_nodes: bool,
    /// The seed of the order of moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u64>(0..))]
    pub(super) seed: u64,
    /// Also count points for moves: each position lists moves and their points (c8 and c9), as in the Strategic Test
    /// Suite
    #[arg(long)]
    pub(super) points: bool,
    /// Exit with status 1 if fewer positions are solved
    #[arg(long, value_name = "N", value_parser = count::<usize>(0..))]
    pub(super) min_solved: Option<usize>,
    /// List the positions gained and lost since this baseline, and exit with status 1 if fewer are solved
    #[arg(long, value_name = "FILE", conflicts_with = "movetime")]
    pub(super) baseline: Option<PathBuf>,
    /// Compare with the baseline even if it was made with other options, and say which
    #[arg(long, requires = "baseline")]
    pub(super) other_options: bool,
    /// How many fewer positions than the baseline may be solved
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count::<u32>(0..), requires = "baseline")]
    pub(super) tolerance: u32,
    /// Write the solved positions as a baseline for later runs
    #[arg(long, value_name = "FILE", conflicts_with = "movetime")]
    pub(super) write_baseline: Option<PathBuf>,
    /// Also write a page with the positions missed, or gained and lost since the baseline
    #[arg(long, value_name = "FILE")]
    pub(super) page: Option<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(super) json: bool,
    /// List every position
    #[arg(long, short)]
    pub(super) verbose: bool,
    #[command(flatten)]
    pub(super) width: WidthArg,
    #[command(flatten)]
    pub(super) evaluation: EvaluationArg,
    #[command(flatten)]
    pub(super) setup: SetupArgs,
    #[command(flatten)]
    pub(super) threads: ThreadsArg,
    #[command(flatten)]
    pub(super) game: GameOfFileArg,
}

impl Command {
    /// Who is to solve the problems: our search, or another program.
    pub(super) fn player<G: RegisteredGame>(&self) -> Result<Player<G>> {
        let Some(engine) = &self.engine else {
            let extensions = self.extensions.as_ref();
            return Ok(Player::Search(self.setup.searcher(&self.evaluation, extensions, self.seed)?));
        };
        self.setup.ensure_unset(&self.evaluation, "of our search; a program has --option")?;
        ensure!(self.limits().nodes.is_some() || !self.watch_nodes, "--watch-nodes: say how many with --nodes");
        let options = assignments("option", &self.option)?;
        let spec = ProgramSpec { command: engine.clone(), directory: None, options };
        Ok(Player::Program(spec.program::<G>(Path::to_owned).context("--engine")?))
    }

    pub(super) fn limits(&self) -> Limits {
        let time = self.movetime.map(Duration::from_millis);
        Limits { nodes: self.nodes.or(time.is_none().then_some(NODES)), time, depth: None }
    }

    pub(super) fn baseline_name(&self) -> String {
        self.baseline.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
    }
}
