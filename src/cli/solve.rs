// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply solve`: exact values of positions.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::count::count;
use super::interrupt::stop_on_ctrl_c;
use super::output::{WidthArg, print, print_json, tell};
use super::progress::Progress;
use super::{Verdict, suggest_game};
use halfply_engine::base::data_file::{self, DataFileError};
use halfply_engine::base::figures::{quantity, thousands};
use halfply_engine::base::{Outcome, Side};
use halfply_engine::game::{Game, Notation};
use halfply_engine::games::breakthrough::Rectangle;
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::solve::{Limits, Problem, Solution, Solver, Value};
use halfply_engine::with_game;
use halfply_lab::report::{Cell, Column, Listing, data};
use halfply_lab::run::Stop;
use halfply_lab::suite::epd;

/// Find out who wins a position if both sides play perfectly
///
/// The answer is exact, or it is "unknown" because a limit ended the work.
#[derive(Debug, Args)]
#[command(after_help = "The line has one winning move of each of the winner's positions, as far as the table still \
                        knows them; other moves may win too, and faster. The exit status is 1 if a position is unknown.")]
pub struct Command {
    /// Positions to solve, an EPD file
    #[arg(group = "positions")]
    file: Option<PathBuf>,
    /// The position to solve
    #[arg(long, value_name = "FEN", group = "positions", allow_hyphen_values = true)]
    fen: Option<String>,
    /// Solve the start of Breakthrough on this board, columns by rows: from 2x4 to 8x8
    #[arg(long, value_name = "COLUMNSxROWS", group = "positions")]
    board: Option<Rectangle>,
    /// Rows of pieces that each side starts with on that board
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = count::<u32>(1..=2), requires = "board")]
    start_rows: u32,
    /// Nodes a position [default: no limit]
    #[arg(long, value_name = "N", value_parser = count::<u64>(1..))]
    nodes: Option<u64>,
    /// Memory for what is known of positions, in MiB. If it is too little, positions are searched again
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = count::<u64>(1..=1 << 24))]
    memory: u64,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    width: WidthArg,
    /// The game [default: that of the first position]
    #[arg(long, value_enum)]
    game: Option<GameName>,
}

/// A position with its name, if the file has one.
struct Task {
    id: Option<String>,
    problem: Box<dyn Problem>,
}

/// What was found out about a position.
struct Solved<'a> {
    task: &'a Task,
    solution: Solution,
    time: Duration,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let (game, tasks) = tasks(command)?;
    let stop = stop_on_ctrl_c();
    let progress = Progress::new(tasks.len() as u64);
    let mut solved = Vec::new();
    for task in &tasks {
        if stop.is_raised() {
            break;
        }
        let limits = Limits { nodes: command.nodes, memory: command.memory << 20 };
        let start = Instant::now();
        let solution = solve(task.problem.as_ref(), limits, &progress, &stop).context("--memory")?;
        solved.push(Solved { task, solution, time: start.elapsed() });
        progress.step();
    }
    progress.finish();

    let listing = listing(game, &solved);
    if command.json {
        print_json(&serde_json::json!({ "game": game.name(), "positions": data::json(&listing) }))?;
    } else if let [only] = &listing.rows[..]
        && command.file.is_none()
    {
        print(of_one(&listing, only, command.width))?;
    } else {
        print(command.width.fit(&listing))?;
    }
    let all = quantity(tasks.len() as u64, "position");
    let unknown = solved.iter().filter(|solved| solved.solution.value.is_none()).count();
    if stop.is_raised() {
        tell(&format!("stopped: solved {} of {all}", solved.len() - unknown));
        return Ok(Verdict::Interrupted);
    }
    if unknown > 0 {
        tell(&format!("unknown: {unknown} of {all}; more --nodes may solve them"));
        return Ok(Verdict::Short);
    }
    Ok(Verdict::Good)
}

fn solve(problem: &dyn Problem, limits: Limits, progress: &Progress, stop: &Stop) -> Result<Solution> {
    let solution = problem.solve(limits, &mut |nodes, state| {
        progress.message(format!("{} nodes, {state}", thousands(nodes)));
        if stop.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(solution)
}

/// The game, and the positions that the arguments name.
fn tasks(command: &Command) -> Result<(GameName, Vec<Task>)> {
    if let Some(path) = &command.file {
        return tasks_of_file(path, command.game);
    }
    let (what, fen) = match (&command.fen, command.board, command.game) {
        (Some(fen), _, _) => (format!("--fen {fen:?}"), fen.clone()),
        (_, Some(board), _) => (format!("--board {board}"), board.start(command.start_rows)),
        (_, _, Some(game)) => (format!("--game {}", game.name()), start(game)),
        _ => bail!("nothing to solve: name a file, --fen, --board, or --game for its first position"),
    };
    let game = command.game.map_or_else(|| GameName::of_position(&fen), Ok).with_context(|| what.clone())?;
    let problem = solver(game)?(&fen).with_context(|| what)?;
    Ok((game, vec![Task { id: None, problem }]))
}

fn tasks_of_file(path: &Path, game: Option<GameName>) -> Result<(GameName, Vec<Task>)> {
    let (name, text) = (path.display().to_string(), data_file::read(path, "an EPD file")?);
    let at = |line, reason| DataFileError::Line { name: name.clone(), line, reason };
    let mut game = game;
    let mut tasks = Vec::new();
    for record in epd::records(&text) {
        let record = record.map_err(|(line, reason)| at(line, reason))?;
        let wrong = |reason: String| at(record.line, reason);
        let of_file = match game {
            Some(game) => game,
            None => GameName::of_position(&record.position).map_err(|error| wrong(error.to_string()))?,
        };
        game = Some(of_file);
        let problem = solver(of_file)?(&record.position).map_err(|error| {
            let error = wrong(error.to_string()).into();
            with_game!(of_file, G => suggest_game::<G>(&record.position, error))
        })?;
        tasks.push(Task { id: record.operands("id").map(|id| id.trim_matches('"').to_owned()), problem });
    }
    match game {
        Some(game) if !tasks.is_empty() => Ok((game, tasks)),
        _ => Err(DataFileError::Empty { name, example: "its fields as in a FEN" }.into()),
    }
}

/// The first position of a game.
fn start(game: GameName) -> String {
    with_game!(game, G => G::format_position(&<G as Game>::start()))
}

fn solver(game: GameName) -> Result<Solver> {
    let solver = |game: GameName| with_game!(game, G => <G as RegisteredGame>::SOLVER);
    let Some(found) = solver(game) else {
        let others: Vec<_> = GameName::all().iter().filter(|&&game| solver(game).is_some()).map(|g| g.name()).collect();
        bail!("{} cannot be solved; only {} can", game.name(), others.join(", "));
    };
    Ok(found)
}

fn listing(game: GameName, solved: &[Solved<'_>]) -> Listing {
    let names = with_game!(game, G => <G as Notation>::SIDE_NAMES);
    let has_ids = solved.iter().any(|solved| solved.task.id.is_some());
    let has_margins = solved.iter().any(|solved| solved.solution.value.is_some_and(|value| value.margin.is_some()));
    let mut columns = vec![Column::prose("position"), Column::words("winner")];
    columns.extend(has_margins.then(|| Column::figures("margin")));
    columns.extend([Column::prose("line"), Column::figures("nodes"), Column::figures("seconds")]);
    if has_ids {
        columns.insert(0, Column::words("id"));
        columns[1].rank = 1;
    }
    let mut listing = Listing::new(columns);
    for Solved { task, solution, time } in solved {
        let mut cells = Vec::new();
        if has_ids {
            cells.push(Cell::from(task.id.clone()));
        }
        cells.push(Cell::text(task.problem.text()));
        cells.push(winner(solution.value, task.problem.to_move(), names));
        if has_margins {
            let margin = solution.value.and_then(|value| value.margin);
            cells.push(margin.map_or_else(Cell::blank, |margin| Cell::difference(margin.into())));
        }
        cells.push(Cell::text(solution.line.join(" ")));
        cells.push(Cell::count(solution.nodes));
        cells.push(Cell::decimal(time.as_secs_f64(), 2));
        listing.push(cells);
    }
    listing
}

/// A listing of one position: this first, whole, and then the others of its columns.
fn of_one(listing: &Listing, row: &[Cell], width: WidthArg) -> String {
    let [position, found @ ..] = row else { return String::new() };
    let mut others = Listing::new(listing.columns.iter().skip(1).cloned());
    others.push(found.iter().cloned());
    format!("{}\n\n{}", position.as_text(), width.fit(&others))
}

/// The side that wins; null in JSON if it is unknown.
fn winner(value: Option<Value>, to_move: Side, names: [&str; 2]) -> Cell {
    let text = match value.map(|value| value.outcome) {
        None => return Cell::blank().shown("unknown"),
        Some(Outcome::Draw) => "draw".to_owned(),
        Some(Outcome::Win) => names[to_move.index()].to_owned(),
        Some(Outcome::Loss) => names[to_move.other().index()].to_owned(),
    };
    Cell::text(text)
}
