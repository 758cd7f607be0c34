// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply tournament`: matches, and the openings for them.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::json;

use super::gather::{Wanted, gather};
use super::output::{OutFile, percent, print, print_json, table, tell, thousands};
use super::progress::Progress;
use super::run_folder::RunFolderArgs;
use super::setup::{FullConfig, SetupArgs};
use super::{EvaluationArg, GameArg, ThreadsArg, Verdict, load_table};
use crate::experiment::{Header, Runner};
use crate::features::ExtensionTable;
use crate::games::Furnished;
use crate::search::{Limits, Score};
use crate::suite::Distinct;
use crate::suite::distinct::first_four_fields;
use crate::tournament::openings::{Attempt, Book, Recipe};
use crate::tournament::pair::{Match, Pair, PairResult};
use crate::tournament::statistics::{Elo, Tally};
use crate::{bench, with_game};

/// Matches between players: what a table is worth in games
#[derive(Debug, Args)]
pub struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Run(Run),
    Openings(Openings),
}

/// Play a match between two extension tables, every opening twice with colours swapped
#[derive(Debug, Args)]
pub struct Run {
    /// The extension table of player A
    #[arg(long, value_name = "FILE")]
    a: Option<PathBuf>,
    /// The extension table of player B [default: none]
    #[arg(long, value_name = "FILE")]
    b: Option<PathBuf>,
    /// Games to play, an even number
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    games: u64,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Positions to start from, an EPD file [default: the book bundled for the game]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Decides the order of openings, and of moves in every search
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    evaluation: EvaluationArg,
    /// The static evaluation of player B [default: that of A]
    #[arg(long, value_name = "NAME")]
    evaluation_b: Option<String>,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    folder: RunFolderArgs,
    #[command(flatten)]
    game: GameArg,
}

/// Make openings by random plies, and keep the balanced ones
#[derive(Debug, Args)]
pub struct Openings {
    /// Openings to make
    #[arg(long, value_name = "N", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    count: u32,
    /// Random plies from the start of the game
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=100))]
    plies: u32,
    /// Nodes of the search that judges a position
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The most by which either side may stand better, in units of the evaluation
    #[arg(long, value_name = "N", default_value_t = 2)]
    margin: Score,
    /// All openings follow from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Where to write the book [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    game: GameArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    match &command.action {
        Action::Run(command) => with_game!(command.game.game, G => run_match::<G>(command)),
        Action::Openings(command) => with_game!(command.game.game, G => make_openings::<G>(command)),
    }
}

/// Everything a pair's games depend on besides its number. The number of games is not in it, so that a finished match
/// can be made longer.
#[derive(Serialize)]
struct Config<'a> {
    game: &'a str,
    a: &'a str,
    b: &'a str,
    evaluation: &'a str,
    /// Player B's, if it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation_b: Option<&'a str>,
    nodes: u64,
    openings: &'a str,
    seed: u64,
    /// Nothing for the plain search, which has no settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    full: Option<FullConfig>,
}

fn run_match<G: Furnished>(command: &Run) -> Result<Verdict> {
    ensure!(
        command.games.is_multiple_of(2),
        "--games {}: every opening is played twice, so the number of games is even",
        command.games
    );
    let tables = [load_table::<G>(command.a.as_ref())?, load_table::<G>(command.b.as_ref())?];
    let mut names = tables.each_ref().map(|table| table.summary(&G::VOCABULARY));
    let book = match &command.openings {
        Some(path) => Book::<G>::load(path)?,
        None => Book::bundled(G::OPENINGS)?,
    };
    let evaluation = command.evaluation.name::<G>()?;
    let of_b = match &command.evaluation_b {
        Some(name) => EvaluationArg { evaluation: Some(name.clone()) }.name::<G>()?,
        None => evaluation,
    };
    let evaluation_b = (of_b != evaluation).then_some(of_b);
    if evaluation_b.is_some() {
        for (name, evaluation) in names.iter_mut().zip([evaluation, of_b]) {
            *name += &format!(", {evaluation}");
        }
    }
    let [a, b] = &names;
    let setup = command.setup.setup(ExtensionTable::default(), command.seed)?;
    let (nodes, seed, openings) = (command.nodes, command.seed, book.digest.as_str());
    let header = Header::new(
        "tournament",
        &Config { game: G::NAME, a, b, evaluation, evaluation_b, nodes, openings, seed, full: FullConfig::of(&setup) },
        bench::run::<G>(setup.profile).nodes,
    );
    let (folder, journal) = command.folder.open(G::NAME, &header, &[])?;
    let resumed = !journal.is_empty();
    let mut runner = Runner::with_journal(command.threads.count(), journal);

    let evaluations = [evaluation, of_b];
    let contest = Match { tables: tables.each_ref(), evaluations, setup: &setup, limits: Limits::nodes(nodes) };
    let order = book.order(command.seed);
    let pairs: Vec<Pair<'_, G>> = (0..command.games / 2)
        .map(|number| {
            let opening = &book.positions[order[(number % order.len() as u64) as usize]];
            Pair { of: &contest, number, opening }
        })
        .collect();

    let progress = Progress::new(command.games);
    progress.note(&format!(
        "{} games of A ({a}) against B ({b}), {} nodes a move, seed {}, {} openings of {}; kept in {}",
        command.games,
        thousands(command.nodes),
        command.seed,
        book.positions.len(),
        book.name,
        folder.display()
    ));
    let start = Instant::now();
    let mut so_far = Tally::default();
    let results = runner.run(&pairs, |_, pair: &PairResult, _| {
        so_far = so_far + pair.tally();
        progress.step();
        progress.step();
        progress.message(format!("games, A scores {} ± {}", percent(so_far.score()), percent(so_far.margin())));
    })?;
    progress.finish();

    let standing = Standing::of(&results);
    if command.json {
        let mut object = json!(standing);
        object["a"] = json!(a);
        object["b"] = json!(b);
        object["nodes_per_move"] = json!(command.nodes);
        object["seed"] = json!(command.seed);
        object["profile"] = json!(setup.profile);
        object["full"] = json!(FullConfig::of(&setup));
        object["openings"] = json!(book.name);
        print_json(&object)?;
    } else {
        standing.print(a, b)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let done = if runner.computed() == 0 && resumed {
        "this match was complete already; --fresh repeats it, more --games go on".to_owned()
    } else {
        let games = 2 * runner.computed();
        format!("{games} games played in {seconds:.1} s; kept in {}", folder.display())
    };
    tell(&done);
    Ok(Verdict::Good)
}

/// What a match has come to.
#[derive(Serialize)]
struct Standing {
    games: u64,
    #[serde(flatten)]
    tally: Tally,
    score: f64,
    /// Half the width of the score's 95 % interval.
    margin: f64,
    elo: Elo,
    /// Pairs in which A made 0, half, 1, one and a half, 2 points.
    pentanomial: [u64; 5],
    /// Extended moves among all that A searched.
    frequency: f64,
}

impl Standing {
    fn of(results: &[PairResult]) -> Self {
        let tally: Tally = results.iter().map(PairResult::tally).sum();
        let (nodes, extended) =
            results.iter().map(PairResult::nodes_of_a).fold((0, 0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        Self {
            games: tally.games(),
            tally,
            score: tally.score(),
            margin: tally.margin(),
            elo: tally.elo(),
            pentanomial: Tally::pentanomial(results.iter().map(PairResult::tally)),
            frequency: extended as f64 / nodes.max(1) as f64,
        }
    }

    fn print(&self, a: &str, b: &str) -> Result<()> {
        let Tally { wins, draws, losses } = self.tally;
        let Elo { low, difference, high } = self.elo;
        let pairs: Vec<String> = self.pentanomial.iter().map(u64::to_string).collect();
        let mut list = table(&["A against B", ""], 1);
        list.add_row(["A", a]);
        list.add_row(["B", b]);
        list.add_row(["games".to_owned(), self.games.to_string()]);
        list.add_row(["wins, draws, losses".to_owned(), format!("{wins}, {draws}, {losses}")]);
        list.add_row(["score".to_owned(), format!("{} ± {}", percent(self.score), percent(self.margin))]);
        list.add_row(["Elo".to_owned(), format!("{difference:+.1} [{low:+.1}, {high:+.1}]")]);
        list.add_row(["pairs with 0, ½, 1, 1½, 2 points".to_owned(), pairs.join(", ")]);
        list.add_row(["frequency of A's extended moves", &percent(self.frequency)]);
        print(list)
    }
}

fn make_openings<G: Furnished>(command: &Openings) -> Result<Verdict> {
    let recipe = Recipe {
        seed: command.seed,
        plies: command.plies,
        nodes: command.nodes,
        margin: command.margin,
        evaluation: command.evaluation.name::<G>()?,
    };
    let out = OutFile::begin(command.out.as_deref())?;
    let mut distinct = Distinct::<G>::default();
    let wanted = Wanted {
        count: command.count,
        most: 1000 * u64::from(command.count.max(1000)),
        noun: "openings",
        remedy: "too few are balanced; allow a wider --margin or more --plies",
    };
    let lines = gather(
        command.threads.count(),
        &wanted,
        |index| Attempt::<G>::new(&recipe, index),
        |_, judgement| {
            let Some(judgement) = judgement else { return Ok(None) };
            let is_new = distinct.insert(&G::parse_position(&judgement.fen)?);
            Ok(is_new.then(|| format!("{} ce {};", first_four_fields(&judgement.fen), judgement.score)))
        },
    )?;
    let header = format!(
        "# halfply tournament openings --game {} --seed {} --plies {} --nodes {} --margin {} --evaluation {} --count {}",
        G::NAME,
        recipe.seed,
        recipe.plies,
        recipe.nodes,
        recipe.margin,
        recipe.evaluation,
        command.count
    );
    out.finish(&format!("{header}\n{}", lines.join("\n")), &format!("{} openings", lines.len()))?;
    Ok(Verdict::Good)
}
