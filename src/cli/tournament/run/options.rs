// SPDX-License-Identifier: GPL-3.0-or-later
//! The arguments of `halfply tournament run`, and the definition that they make: that of a file, or A against B.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;

use crate::cli::adjudication::AdjudicationArgs;
use crate::cli::count::count;
use crate::cli::setup::SetupArgs;
use crate::cli::study::StudyArgs;
use crate::cli::tournament::stats;
use crate::cli::{EvaluationArg, assignments, run_file};
use halfply_engine::games::GameName;
use halfply_lab::tournament::allowance::TimeControl;
use halfply_lab::tournament::definition::{Definition, Refusal, SprtDefinition};
use halfply_lab::tournament::fault::Policy;
use halfply_lab::tournament::player_definition::PlayerDefinition;
use halfply_lab::tournament::schedule::Schedule;
use halfply_lab::tournament::statistics::Model;

/// The default nodes a move.
const NODES: u64 = 100_000;

/// Play games between two extension tables or programs, or between the players of a file
#[derive(Debug, Args)]
#[command(
    after_help = "Every opening is played twice with colours swapped. After Ctrl-C or a kill, run the same command again \
    to continue. A greater --games extends a run."
)]
pub struct Command {
    /// The definition of a tournament, a TOML file; other options override it. Without it, A plays B
    #[arg(value_parser = run_file::definition)]
    file: Option<PathBuf>,
    /// The extension table of player A, a file [default: none]
    #[arg(long, value_name = "FILE", value_parser = run_file::table, conflicts_with_all = ["file", "engine_a"])]
    a: Option<PathBuf>,
    /// The extension table of player B, a file [default: none]
    #[arg(long, value_name = "FILE", value_parser = run_file::table, conflicts_with_all = ["file", "engine_b"])]
    b: Option<PathBuf>,
    /// Player A is a UCI program with this command line
    #[arg(long, value_name = "COMMAND", conflicts_with = "file")]
    engine_a: Option<String>,
    /// Player B is a UCI program with this command line
    #[arg(long, value_name = "COMMAND", conflicts_with = "file")]
    engine_b: Option<String>,
    /// The name of player A [default: what its program reports, or its table]
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    name_a: Option<String>,
    /// The name of player B
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    name_b: Option<String>,
    /// Set a UCI option of player A's program; can be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "engine_a")]
    option_a: Vec<String>,
    /// Set a UCI option of player B's program; can be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "engine_b")]
    option_b: Vec<String>,
    /// The game [default: breakthrough]
    #[arg(long, value_enum, conflicts_with = "file")]
    game: Option<GameName>,
    /// Use only these players of the file, in the order of the file; repeat the option for names that contain commas
    #[arg(long, value_name = "NAME,...", requires = "file")]
    players: Vec<String>,
    /// Games of each pairing, an even number [default: 400]
    #[arg(long, value_name = "N", value_parser = count::<u64>(2..=1_000_000))]
    games: Option<u64>,
    /// Pairs of games of each pairing, instead of --games
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = count::<u64>(1..=5_000_000))]
    pairs: Option<u64>,
    /// Nodes a move [default: 100000, without another limit]
    #[arg(long, value_name = "N", value_parser = count::<u64>(1..))]
    nodes: Option<u64>,
    /// Iterations a move
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..))]
    depth: Option<u32>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", value_parser = count::<u64>(1..=86_400_000))]
    movetime: Option<u64>,
    /// A clock, in seconds: 10+0.1, or 40/60+0.6 for 60 seconds every 40 moves
    #[arg(long, value_name = "TIME", value_parser = clock)]
    clock: Option<String>,
    /// The openings, EPD or lines of moves [default: those of the definition, else the bundled ones]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Openings of the shuffled book to skip
    #[arg(long, value_name = "N", value_parser = count::<u64>(0..))]
    start: Option<u64>,
    /// The seed of the order of openings, and of moves in the plain search [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Stop when a sequential probability ratio test of A against B decides between these Elo differences
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = stats::hypotheses)]
    sprt: Option<(f64, f64)>,
    /// The Elo model of the test [default: normalized]
    #[arg(long, value_enum)]
    model: Option<Model>,
    /// The probability of a wrong decision, for each hypothesis [default: 0.05]
    #[arg(long, value_name = "SHARE")]
    error: Option<f64>,
    /// What happens after a fault [default: restart]
    #[arg(long, value_enum)]
    on_fault: Option<Policy>,
    /// Who meets whom [default: round-robin]
    #[arg(long, value_enum, requires = "file")]
    kind: Option<Schedule>,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
    /// Seconds of silence after which a program without a clock counts as hanging [default: 60]
    #[arg(long, value_name = "S", value_parser = count::<u32>(1..))]
    patience: Option<u32>,
    /// Milliseconds by which a move may be late without losing the game [default: 50]
    #[arg(long, value_name = "MS")]
    margin: Option<u32>,
    /// Do not record score, depth, nodes and time of each move, for smaller journals
    #[arg(long)]
    no_comments: bool,
    /// Games at a time [default: one for each core]
    #[arg(long, visible_alias = "threads", value_name = "N", value_parser = count::<u16>(1..=1024))]
    concurrency: Option<u16>,
    /// Print events as JSON, one object a line, instead of tables
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    evaluation: EvaluationArg,
    /// The static evaluation of player B [default: that of A]
    #[arg(long, value_name = "NAME|FILE", value_parser = run_file::evaluation)]
    #[arg(conflicts_with_all = ["file", "engine_b"])]
    evaluation_b: Option<String>,
    #[command(flatten)]
    pub(super) study: StudyArgs,
}

/// Checks a clock.
pub fn clock(text: &str) -> Result<String, String> {
    text.parse::<TimeControl>().map(|_| text.to_owned())
}

impl Command {
    /// The definition of the file, or of A against B, changed by the other arguments.
    pub(super) fn definition(&self) -> Result<Definition> {
        let mut definition = match &self.file {
            Some(path) => {
                self.setup.ensure_unset(
                    &self.evaluation,
                    "for A and B; in a file, set them for each player, or under [defaults]",
                )?;
                Definition::load(path)?
            }
            None => self.match_of_two()?,
        };
        self.choose_players(&mut definition)?;
        let limited = self.nodes.is_some() || self.depth.is_some() || self.movetime.is_some() || self.clock.is_some();
        if limited {
            for player in definition.players.iter_mut().chain([&mut definition.defaults]) {
                (player.nodes, player.depth, player.movetime) = (self.nodes, self.depth, self.movetime);
                player.clock.clone_from(&self.clock);
            }
        }
        if self.games.is_some() || self.pairs.is_some() {
            (definition.games, definition.pairs) = (self.games, self.pairs);
        }
        definition.seed = self.seed.unwrap_or(definition.seed);
        definition.openings.start = self.start.unwrap_or(definition.openings.start);
        if let Some(path) = &self.openings {
            // Relative to the working folder, not to the definition's folder.
            definition.openings.file = Some(std::path::absolute(path)?);
        }
        if let Some((elo0, elo1)) = self.sprt {
            let default = SprtDefinition { elo0, elo1, alpha: 0.05, beta: 0.05, model: Model::default() };
            definition.sprt = Some(SprtDefinition { elo0, elo1, ..definition.sprt.unwrap_or(default) });
        }
        if let Some(sprt) = &mut definition.sprt {
            sprt.model = self.model.unwrap_or(sprt.model);
            sprt.alpha = self.error.unwrap_or(sprt.alpha);
            sprt.beta = self.error.unwrap_or(sprt.beta);
        } else {
            ensure!(
                self.model.is_none() && self.error.is_none(),
                "--model and --error are for a sequential test: add --sprt"
            );
        }
        definition.kind = self.kind.unwrap_or(definition.kind);
        self.adjudication.set(&mut definition.adjudication);
        definition.patience = self.patience.unwrap_or(definition.patience);
        definition.on_fault = self.on_fault.unwrap_or(definition.on_fault);
        definition.margin = self.margin.unwrap_or(definition.margin);
        definition.comments &= !self.no_comments;
        definition.concurrency = self.concurrency.or(definition.concurrency);
        // The file has been checked, so a wrong value is from the command line.
        definition.check().map_err(|Refusal { path, reason }| {
            let option = path.last().unwrap_or(&"").replace('_', "-");
            anyhow!("--{option}: {reason}")
        })?;
        Ok(definition)
    }

    fn choose_players(&self, definition: &mut Definition) -> Result<()> {
        if self.players.is_empty() {
            return Ok(());
        }
        let known: Vec<&str> = definition.players.iter().filter_map(|player| player.name.as_deref()).collect();
        let mut chosen = Vec::new();
        for given in &self.players {
            let names = if known.contains(&given.as_str()) { vec![given.as_str()] } else { given.split(',').collect() };
            if let Some(stranger) = names.iter().find(|name| !known.contains(name)) {
                let known: Vec<String> = known.iter().map(|name| format!("{name:?}")).collect();
                bail!("--players {stranger}: the file has no such player; it has {}", known.join(", "));
            }
            chosen.extend(names.into_iter().map(str::to_owned));
        }
        definition.players.retain(|player| player.name.as_ref().is_some_and(|name| chosen.contains(name)));
        Ok(())
    }

    /// A against B.
    fn match_of_two(&self) -> Result<Definition> {
        let mut definition = Definition::of(self.game.unwrap_or_default());
        definition.defaults.nodes = Some(NODES);
        if self.engine_a.is_some() && self.engine_b.is_some() {
            self.setup.ensure_unset(
                &self.evaluation,
                "for searches of this program, and both players are other programs: set their options with --option-a \
                 and --option-b",
            )?;
        }
        let setup = self.setup.player()?;
        let ours = |table: &Option<PathBuf>, evaluation: Option<&String>| PlayerDefinition {
            extensions: table.clone(),
            evaluation: evaluation.cloned(),
            ..setup.clone()
        };
        let evaluation = self.evaluation.evaluation.as_ref();
        let a = match &self.engine_a {
            None => ours(&self.a, evaluation),
            Some(engine) => program(engine, "option-a", &self.option_a)?,
        };
        let b = match &self.engine_b {
            None => ours(&self.b, self.evaluation_b.as_ref().or(evaluation)),
            Some(engine) => program(engine, "option-b", &self.option_b)?,
        };
        let named = |index, name: &Option<String>, player| PlayerDefinition { name: name.clone(), index, ..player };
        definition.players = vec![named(0, &self.name_a, a), named(1, &self.name_b, b)];
        Ok(definition)
    }

    /// How to make two equal players different.
    pub(super) fn remedy_for_twins(&self) -> &'static str {
        if self.file.is_some() {
            "change one of them, or leave one out"
        } else {
            "give A or B an extension table (--a FILE, --b FILE) or a program (--engine-a COMMAND, --engine-b COMMAND), or \
             B another evaluation (--evaluation-b NAME|FILE), or name a file that defines a tournament"
        }
    }
}

/// A player that is another program; `flag` sets its options.
pub fn program(command: &str, flag: &str, options: &[String]) -> Result<PlayerDefinition> {
    let options =
        assignments(flag, options)?.into_iter().map(|(name, value)| (name, toml::Value::String(value))).collect();
    Ok(PlayerDefinition { command: Some(command.to_owned()), options, ..PlayerDefinition::default() })
}
