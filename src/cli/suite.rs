// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite`: run, generate and filter test positions.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::{Args, Subcommand};
use serde_json::json;

use super::gather::{Wanted, gather};
use super::output::{OutFile, percent, print, print_json, table, tell, thousands};
use super::progress::Progress;
use super::{EvaluationArg, GameArg, ThreadsArg, Verdict, load_suite, load_table, plain};
use crate::data_file;
use crate::experiment::Runner;
use crate::games::Furnished;
use crate::search::Limits;
use crate::suite::epd::line;
use crate::suite::generate::{Quarry, Recipe, problem};
use crate::suite::run::{Summary, trials};
use crate::suite::{Distinct, Suite, filter};
use crate::with_game;

/// Test positions: run them, make them, choose among them
#[derive(Debug, Subcommand)]
pub enum Command {
    Run(Run),
    Generate(Generate),
    Filter(Filter),
}

/// Search every position of a suite and count what is solved
#[derive(Debug, Args)]
pub struct Run {
    /// The suite, an EPD file [default: the one bundled for the game]
    file: Option<PathBuf>,
    /// Nodes a position
    #[arg(long, value_name = "N", default_value_t = 500_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The extension table [default: none]
    #[arg(long, value_name = "FILE")]
    extensions: Option<PathBuf>,
    /// Decides the order of moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Exit with status 1 if fewer positions are solved
    #[arg(long, value_name = "N")]
    min_solved: Option<usize>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// List every position
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    game: GameArg,
}

/// Make problems with exactly one winning move from games between programs
#[derive(Debug, Args)]
pub struct Generate {
    /// Problems to make
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    count: u32,
    /// The win takes this many plies
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = odd)]
    plies: u32,
    /// Nodes a move in the games
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// All games follow from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Positions that the solver looks at for one game before it gives the game up
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    budget: u64,
    /// Where to write the suite [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    game: GameArg,
}

/// Keep the problems that the search without extensions does not solve
#[derive(Debug, Args)]
pub struct Filter {
    /// The suite to choose from, an EPD file
    file: PathBuf,
    /// Nodes a position
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seeds under each of which a problem must stay unsolved; learning must not use them
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "101,102,103")]
    seeds: Vec<u64>,
    /// Keep the first so many of the hard ones [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// Where to write the suite [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    game: GameArg,
}

fn odd(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(plies) if plies % 2 == 1 && plies <= 31 => Ok(plies),
        _ => Err("the winner moves first and last, so the plies are an odd number up to 31".to_owned()),
    }
}

pub fn run(command: &Command) -> Result<Verdict> {
    match command {
        Command::Run(command) => with_game!(command.game.game, G => run_suite::<G>(command)),
        Command::Generate(command) => with_game!(command.game.game, G => generate::<G>(command)),
        Command::Filter(command) => with_game!(command.game.game, G => filter_suite::<G>(command)),
    }
}

fn run_suite<G: Furnished>(command: &Run) -> Result<Verdict> {
    let suite = load_suite::<G>(command.file.as_ref())?;
    let extensions = load_table::<G>(command.extensions.as_ref())?;
    let summary_of_table = extensions.summary(&G::VOCABULARY);
    let evaluation = command.evaluation.name::<G>()?;
    let engine = plain::<G>(evaluation, extensions, command.seed)?;
    let units = trials(&suite.problems, engine.as_ref(), Limits::nodes(command.nodes), "");

    let progress = Progress::new(units.len() as u64);
    progress.message(suite.name.clone());
    let start = Instant::now();
    let threads = command.threads.count();
    let results = Runner::new(threads).run(&units, |_, _, _| progress.step())?;
    let time = start.elapsed();
    progress.finish();

    let summary = Summary::of(&results);
    let per_second = summary.nodes_per_second(time);
    if command.json {
        let entries = suite.problems.iter().zip(&results).map(|(problem, result)| {
            let mut entry = json!(result);
            entry["id"] = json!(problem.id);
            entry
        });
        let mut object = json!(summary);
        object["nodes_per_second"] = json!(per_second);
        object["suite"] = json!(suite.name);
        object["extensions"] = json!(summary_of_table);
        object["evaluation"] = json!(evaluation);
        object["node_limit"] = json!(command.nodes);
        object["seed"] = json!(command.seed);
        object["results"] = json!(entries.collect::<Vec<_>>());
        print_json(&object)?;
    } else {
        if command.verbose {
            let mut list = table(&["position", "solved", "move", "depth", "height", "nodes to solution"], 3);
            for (problem, result) in suite.problems.iter().zip(&results) {
                let solved = if result.solved { "yes" } else { "no" };
                let to_solution = result.nodes_to_solution.map_or_else(|| "-".to_owned(), thousands);
                let (depth, height) = (result.depth.to_string(), result.height.to_string());
                list.add_row([&problem.id, solved, &result.mv, &depth, &height, &to_solution]);
            }
            print(list)?;
        }
        let mut list = table(&[&suite.name, ""], 1);
        list.add_row(["extensions", &summary_of_table]);
        list.add_row(["solved".to_owned(), format!("{} of {}", summary.solved, summary.positions)]);
        list.add_row(["mean iteration depth".to_owned(), format!("{:.2}", summary.mean_depth)]);
        list.add_row(["mean height".to_owned(), format!("{:.2}", summary.mean_height)]);
        list.add_row(["frequency of extended moves", &percent(summary.frequency)]);
        list.add_row(["nodes", &thousands(summary.nodes)]);
        list.add_row(["nodes to solution", &thousands(summary.nodes_to_solution)]);
        print(list)?;
        tell(&format!("{} nodes per second on {threads} threads", thousands(per_second as u64)));
    }
    Ok(match command.min_solved {
        Some(least) if summary.solved < least => {
            tell(&format!("halfply: {} solved, fewer than --min-solved {least}", summary.solved));
            Verdict::Short
        }
        _ => Verdict::Good,
    })
}

fn generate<G: Furnished>(command: &Generate) -> Result<Verdict> {
    let recipe = Recipe { seed: command.seed, nodes: command.nodes, plies: command.plies, budget: command.budget };
    let out = OutFile::begin(command.out.as_deref())?;
    let mut distinct = Distinct::<G>::default();
    let wanted = Wanted {
        count: command.count,
        most: 1_000_000,
        noun: "problems",
        remedy: "wins of so many plies are too rare; try fewer --plies",
    };
    let lines = gather(
        command.threads.count(),
        &wanted,
        |index| Quarry::<G>::new(&recipe, index),
        |index, find| {
            let Some(find) = find else { return Ok(None) };
            // A number of four digits sorts well in any suite one would want.
            let problem = problem::<G>(&find, format!("{}ply.{index:04}", recipe.plies))?;
            let is_new = distinct.insert(&problem.position);
            Ok(is_new.then(|| line(&problem, &[("c0", format!("\"{}\"", find.origin))])))
        },
    )?;
    let comment = format!(
        "# halfply suite generate --game {} --seed {} --nodes {} --plies {} --budget {} --count {}",
        G::NAME,
        recipe.seed,
        recipe.nodes,
        recipe.plies,
        recipe.budget,
        command.count
    );
    write_suite(out, &[comment], &lines)
}

fn filter_suite<G: Furnished>(command: &Filter) -> Result<Verdict> {
    let path = &command.file;
    let text = data_file::read(path, "an EPD file")?;
    let suite = Suite::<G>::parse(&text, &path.display().to_string())?;
    let evaluation = command.evaluation.name::<G>()?;
    let out = OutFile::begin(command.out.as_deref())?;
    let progress = Progress::new((suite.problems.len() * command.seeds.len()) as u64);
    progress.message("searches");
    let mut runner = Runner::new(command.threads.count());
    let hard = filter::hard(&mut runner, &suite.problems, evaluation, command.nodes, &command.seeds, || {
        progress.step();
    })?;
    progress.finish();

    // What is kept is kept as it stands in the file, its comments included.
    let lines: Vec<&str> = text.lines().collect();
    let mut comments: Vec<String> =
        lines.iter().filter(|line| line.trim_start().starts_with('#')).map(|&line| line.to_owned()).collect();
    let kept: Vec<String> = suite
        .problems
        .iter()
        .zip(&hard)
        .filter(|(_, hard)| **hard)
        .map(|(problem, _)| lines[problem.line - 1].to_owned())
        .take(command.count.map_or(usize::MAX, |count| count as usize))
        .collect();
    let seeds: Vec<String> = command.seeds.iter().map(u64::to_string).collect();
    let total = hard.iter().filter(|hard| **hard).count();
    let count = command.count.map(|count| format!(" --count {count}")).unwrap_or_default();
    comments.push(format!(
        "# halfply suite filter --game {} --evaluation {evaluation} --nodes {} --seeds {}{count}: {total} of {} are hard",
        G::NAME,
        command.nodes,
        seeds.join(","),
        hard.len()
    ));
    if let Some(count) = command.count {
        ensure!(kept.len() == count as usize, "only {} of {} problems are hard; generate more", kept.len(), hard.len());
    }
    write_suite(out, &comments, &kept)
}

fn write_suite(out: OutFile, comments: &[String], lines: &[String]) -> Result<Verdict> {
    out.finish(&[comments, lines].concat().join("\n"), &format!("{} positions", lines.len()))?;
    Ok(Verdict::Good)
}
