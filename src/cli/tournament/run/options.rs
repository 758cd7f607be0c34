// SPDX-License-Identifier: GPL-3.0-or-later
//! What a tournament is to be: a file's definition, or A against B, and what the command line changes of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;

use crate::cli::count::count;
use crate::cli::output::WidthArg;
use crate::cli::run_folder::RunFolderArgs;
use crate::cli::setup::SetupArgs;
use crate::cli::spool::SpoolArgs;
use crate::cli::tournament::stats;
use crate::cli::{EvaluationArg, assignment, run_file};
use crate::games::GameName;
use crate::tournament::adjudication::{Adjudication, Draw, Resign};
use crate::tournament::allowance::TimeControl;
use crate::tournament::definition::{Definition, Refusal, SprtDefinition};
use crate::tournament::fault::Policy;
use crate::tournament::player_definition::PlayerDefinition;
use crate::tournament::schedule::Schedule;
use crate::tournament::statistics::Model;

/// Nodes a move unless something else is said.
const NODES: u64 = 100_000;

/// Play games between players: two extension tables, or whoever a file names, other programs among them
#[derive(Debug, Args)]
#[command(
    after_help = "Every opening is played twice with colours swapped. A run that is stopped, by Ctrl-C or a kill, \
    goes on when the same command is given again; more --games make it longer."
)]
pub struct Command {
    /// A tournament's definition, a TOML file; other options override it. Without one, A plays B
    #[arg(value_parser = run_file::definition)]
    file: Option<PathBuf>,
    /// The extension table of player A, a file [default: none]
    #[arg(long, value_name = "FILE", value_parser = run_file::table, conflicts_with_all = ["file", "engine_a"])]
    a: Option<PathBuf>,
    /// The extension table of player B, a file [default: none]
    #[arg(long, value_name = "FILE", value_parser = run_file::table, conflicts_with_all = ["file", "engine_b"])]
    b: Option<PathBuf>,
    /// Player A is this UCI program: its command line
    #[arg(long, value_name = "COMMAND", conflicts_with = "file")]
    engine_a: Option<String>,
    /// Player B is this UCI program: its command line
    #[arg(long, value_name = "COMMAND", conflicts_with = "file")]
    engine_b: Option<String>,
    /// Sets a UCI option of player A's program; give it once for each option
    #[arg(long, value_name = "NAME=VALUE", requires = "engine_a")]
    option_a: Vec<String>,
    /// Sets a UCI option of player B's program; give it once for each option
    #[arg(long, value_name = "NAME=VALUE", requires = "engine_b")]
    option_b: Vec<String>,
    /// The game [default: breakthrough]
    #[arg(long, value_enum, conflicts_with = "file")]
    game: Option<GameName>,
    /// Of the file's players, only these; the order stays. For a name with a comma in it, as often as there are players
    #[arg(long, value_name = "NAME,...", requires = "file")]
    players: Vec<String>,
    /// Games of every two players who meet, an even number [default: 400]
    #[arg(long, value_name = "N", value_parser = count::<u64>(2..=10_000_000))]
    games: Option<u64>,
    /// Pairs of games of every two players who meet: another way to say --games
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = count::<u64>(1..=5_000_000))]
    pairs: Option<u64>,
    /// Nodes a move [default: 100000, if nothing else limits the search]
    #[arg(long, value_name = "N", value_parser = count::<u64>(1..))]
    nodes: Option<u64>,
    /// Iterations a move
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..))]
    depth: Option<u32>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", value_parser = count::<u64>(1..=86_400_000))]
    movetime: Option<u64>,
    /// A clock, in seconds: 10+0.1, or 40/60+0.6 for sixty seconds every forty moves
    #[arg(long, value_name = "TIME", value_parser = clock)]
    clock: Option<String>,
    /// Openings, EPD or lines of moves [default: the file's, else the book bundled for the game]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Openings of the shuffled book to pass over
    #[arg(long, value_name = "N", value_parser = count::<u64>(0..))]
    start: Option<u64>,
    /// Decides the order of openings, and of moves in the plain search [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Stop when a sequential probability ratio test of A against B has decided between these Elo differences
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = stats::hypotheses)]
    sprt: Option<(f64, f64)>,
    /// What Elo means in the test
    #[arg(long, value_enum)]
    model: Option<Model>,
    /// How often the test may err, either way [default: 0.05]
    #[arg(long, value_name = "SHARE")]
    error: Option<f64>,
    /// What is done after a fault [default: restart]
    #[arg(long, value_enum)]
    on_fault: Option<Policy>,
    /// Who meets whom [default: round-robin]
    #[arg(long, value_enum, requires = "file")]
    kind: Option<Schedule>,
    /// A side loses that says in so many of its moves in a row, and the other too, that it is so far behind, in hundredths
    /// of a pawn
    #[arg(long, value_name = "SCORE,MOVES", value_parser = numbers::<2>)]
    resign: Option<[u32; 2]>,
    /// A game is drawn in which both sides claim no more than that in so many moves in a row, AFTER so many of each
    #[arg(long, value_name = "SCORE,MOVES,AFTER", value_parser = numbers::<3>)]
    draw: Option<[u32; 3]>,
    /// After so many plies, those of the opening not counted, a game is drawn
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..))]
    max_plies: Option<u32>,
    /// Seconds without an answer after which a program is taken to hang where no clock runs [default: 60]
    #[arg(long, value_name = "S", value_parser = count::<u32>(1..))]
    patience: Option<u32>,
    /// Milliseconds by which a move may come too late [default: 50]
    #[arg(long, value_name = "MS")]
    margin: Option<u32>,
    /// Keep no score, depth, nodes and time of each move: smaller journals
    #[arg(long)]
    no_comments: bool,
    /// Games at a time [default: one a core]
    #[arg(long, visible_alias = "threads", value_name = "N", value_parser = count::<u16>(1..=1024))]
    concurrency: Option<u16>,
    /// Tell what happens as JSON, an object a line, and print no table
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) width: WidthArg,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    evaluation: EvaluationArg,
    /// The static evaluation of player B [default: that of A]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["file", "engine_b"])]
    evaluation_b: Option<String>,
    #[command(flatten)]
    pub(super) spool: SpoolArgs,
    #[command(flatten)]
    pub(super) folder: RunFolderArgs,
}

/// A clock as files have it, checked.
fn clock(text: &str) -> Result<String, String> {
    text.parse::<TimeControl>().map(|_| text.to_owned())
}

/// So many numbers with commas between them.
fn numbers<const N: usize>(text: &str) -> Result<[u32; N], String> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| format!("{N} numbers with commas between them"))
}

impl Command {
    /// The tournament that is asked for: the file's, or A against B, and what the other arguments change of it.
    pub(super) fn definition(&self) -> Result<Definition> {
        let mut definition = match &self.file {
            Some(path) => {
                ensure!(
                    self.setup.options().is_empty() && self.evaluation.evaluation.is_none(),
                    "--profile, --hash, --set, --parameters and --evaluation are of A and B; in a file they stand with \
                     each player, or under [defaults]"
                );
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
            // What is given here is relative to where we are, and not to the file.
            definition.openings.file = Some(std::path::absolute(path)?);
        }
        if let Some((elo0, elo1)) = self.sprt {
            let usual = SprtDefinition { elo0, elo1, alpha: 0.05, beta: 0.05, model: Model::default() };
            definition.sprt = Some(SprtDefinition { elo0, elo1, ..definition.sprt.unwrap_or(usual) });
        }
        if let Some(sprt) = &mut definition.sprt {
            sprt.model = self.model.unwrap_or(sprt.model);
            sprt.alpha = self.error.unwrap_or(sprt.alpha);
            sprt.beta = self.error.unwrap_or(sprt.beta);
        } else {
            ensure!(self.model.is_none() && self.error.is_none(), "--model and --error are of a test: add --sprt");
        }
        definition.kind = self.kind.unwrap_or(definition.kind);
        self.adjudicate(&mut definition.adjudication);
        definition.patience = self.patience.unwrap_or(definition.patience);
        definition.on_fault = self.on_fault.unwrap_or(definition.on_fault);
        definition.margin = self.margin.unwrap_or(definition.margin);
        definition.comments &= !self.no_comments;
        definition.concurrency = self.concurrency.or(definition.concurrency);
        // What the file says is in range, so it is the command line that is not.
        definition.check().map_err(|Refusal { path, reason }| {
            let option = path.last().unwrap_or(&"").replace('_', "-");
            anyhow!("--{option}: {reason}")
        })?;
        Ok(definition)
    }

    fn adjudicate(&self, adjudication: &mut Adjudication) {
        if let Some([score, moves]) = self.resign {
            let two_sided = adjudication.resign.is_none_or(|resign| resign.two_sided);
            adjudication.resign = Some(Resign { score, moves, two_sided });
        }
        if let Some([score, moves, after]) = self.draw {
            adjudication.draw = Some(Draw { score, moves, after });
        }
        adjudication.max_plies = self.max_plies.or(adjudication.max_plies);
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
        let ours_is_set = !self.setup.options().is_empty() || self.evaluation.evaluation.is_some();
        ensure!(
            self.engine_a.is_none() || self.engine_b.is_none() || !ours_is_set,
            "--profile, --hash, --set, --parameters and --evaluation are settings of our searches, and both players are \
             programs: set their options with --option-a and --option-b"
        );
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
        let named = |name: &str, player| PlayerDefinition { name: Some(name.to_owned()), ..player };
        definition.players = vec![named("A", a), named("B", b)];
        Ok(definition)
    }

    /// What makes two equal players different.
    pub(super) fn remedy_for_twins(&self) -> &'static str {
        if self.file.is_some() {
            "change one of them, or leave one out"
        } else {
            "give A or B an extension table (--a FILE, --b FILE) or a program (--engine-a COMMAND, --engine-b COMMAND), B \
             another evaluation (--evaluation-b NAME), or name a file that defines a tournament"
        }
    }
}

/// A player that is another program; `flag` sets its options.
fn program(command: &str, flag: &str, options: &[String]) -> Result<PlayerDefinition> {
    let option = |text: &String| {
        let (name, value) = assignment(flag, text)?;
        Ok((name, toml::Value::String(value)))
    };
    let options = options.iter().map(option).collect::<Result<BTreeMap<_, _>>>()?;
    Ok(PlayerDefinition { command: Some(command.to_owned()), options, ..PlayerDefinition::default() })
}
