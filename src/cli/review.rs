// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply review`: games gone through, move by move.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use serde_json::json;

use super::count::count;
use super::interrupt::stop_on_ctrl_c;
use super::output::{WidthArg, command_line, json};
use super::run_folder::RunFolderArgs;
use super::study::{self, Document, Plan, StudyArgs};
use super::{EvaluationArg, ThreadsArg, Verdict, recorded, run_file};
use halfply_engine::base::figures::{quantity, thousands};
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::search::{Limits, MOST_HASH, Profile};
use halfply_engine::with_game;
use halfply_lab::players::SearchSpec;
use halfply_lab::report::data::csv;
use halfply_lab::report::{Cell, Column, Listing, terminal};
use halfply_lab::review::judgement::Reviewed;
use halfply_lab::review::listing::{self, mistakes, moves, notes, sides, turning_point};
use halfply_lab::review::page::{About, render, summary};
use halfply_lab::review::pgn;
use halfply_lab::review::played::Played;
use halfply_lab::review::recorded::{Recorded, RecordedGame};
use halfply_lab::review::run::Review;

/// The default nodes a position.
const NODES: u64 = 100_000;

/// The most games at a time.
const MOST_GAMES: usize = 100;

/// The files of results in the run's folder.
const PAGE: &str = "review.html";
const PGN: &str = "review.pgn";
const MOVES: &str = "moves.csv";
const TEXT: &str = "review.md";
const JSON: &str = "review.json";
const RESULTS: [&str; 5] = [PAGE, PGN, MOVES, TEXT, JSON];

/// Go through games: what each move was worth, where they turned, and what would have been better
///
/// Every position is searched alike, and positions near the end are solved where the game has a solver. The results are a
/// table, a page with a graph and boards, and PGN with marks, evaluations and better lines.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "A list of moves may have numbers, comments and variations, as in PGN; Breakthrough's a2-a3 and \
                        a2xb3 are read. Of the score that could be expected, in percent, an inaccuracy loses 5 points, a mistake 10, \
                        a blunder 20. Accuracy is the mean of the moves' accuracies by the formula of Lichess; moves \
                        without a choice do not count."
)]
pub struct Command {
    /// Games in PGN or a list of moves (any name, or - for stdin), for Othello also GGF (.ggf) and WTHOR (.wtb); or the
    /// journal or folder of a tournament
    #[arg(value_name = "GAMES", value_parser = run_file::journal)]
    file: PathBuf,
    /// Review only the game of this number in the file; can be repeated [default: all, 100 at most]
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=u32::MAX.into()))]
    number: Vec<u32>,
    /// Nodes a position [default: 100000, or no limit with --depth or --movetime]
    #[arg(long, value_name = "N", value_parser = count::<u64>(1..))]
    nodes: Option<u64>,
    /// Plies a position; the first limit reached ends a search
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=1000))]
    depth: Option<u32>,
    /// Milliseconds a position. Results then depend on the machine
    #[arg(long, value_name = "MS", value_parser = count::<u64>(1..=86_400_000))]
    movetime: Option<u64>,
    /// Nodes of the solver a position, where the game has one; 0 solves nothing [default: 200k, in Othello 50M]
    #[arg(long, value_name = "N", value_parser = count::<u64>(0..))]
    exact: Option<u64>,
    /// Print every move, not only the mistakes
    #[arg(long, short)]
    verbose: bool,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
    /// The search's transposition table, in MiB [default: 16]
    #[arg(long, value_name = "MIB", value_parser = count::<u32>(1..=MOST_HASH.into()))]
    hash: Option<u32>,
    /// Folders with Syzygy's tables of chess endings, separated as in PATH
    #[arg(long, value_name = "DIR")]
    syzygy: Option<PathBuf>,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    width: WidthArg,
    #[command(flatten)]
    folder: RunFolderArgs,
    /// The game, if the file does not say it
    #[arg(long, value_enum)]
    game: Option<GameName>,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let recorded = recorded::load_any(&command.file, command.game)?;
    if let Some(game) = command.game.filter(|game| *game != recorded.game) {
        bail!("{}: these are games of {}, not of {}", command.file.display(), recorded.game.name(), game.name());
    }
    with_game!(recorded.game, G => run_game::<G>(command, &recorded))
}

fn run_game<G: RegisteredGame>(command: &Command, recorded: &Recorded) -> Result<Verdict> {
    let review = command.review::<G>(recorded)?;
    let stop = stop_on_ctrl_c();
    let header = review.header();
    let games = review.games.len();
    let title = match &review.games[..] {
        [only] => only.title(),
        several => format!("{} games of {}", several.len(), command.file.display()),
    };
    let plan = Plan {
        command: "review",
        kind: None,
        game: G::NAME,
        title,
        header: &header,
        besides: None,
        files: &RESULTS,
        threads: command.threads.count(),
        description: &|_| Ok(().into()),
        watched: ().into(),
        unit: "position",
    };
    let study = StudyArgs::kept_in(command.folder.clone());
    study::run(&study, &plan, &stop, &mut |runner, watch| {
        let (games, positions) = (quantity(games as u64, "game"), quantity(review.positions() as u64, "position"));
        watch.begin(format_args!("reviewing {games} of {}, {positions}", G::NAME));
        let reviewed = review.run(runner, &mut |event| watch.tell(event))?;
        let mut document = Document::new(command.files(&review, &reviewed)?, summary(&reviewed));
        if command.json {
            document.line(json(&object(&reviewed))?);
            return Ok(document);
        }
        document.text = command.tables(&reviewed);
        document.next("report", watch.path(PAGE));
        document.next("for other programs", watch.path(PGN));
        Ok(document)
    })
}

impl Command {
    /// The games, and how they are reviewed.
    fn review<G: RegisteredGame>(&self, recorded: &Recorded) -> Result<Review<G>> {
        let count = recorded.games.len();
        let chosen: Vec<&RecordedGame> = if self.number.is_empty() {
            recorded.games.iter().collect()
        } else {
            let game = |&number: &u32| recorded.games.get(number as usize - 1);
            let none = |number: &u32| anyhow!("--number {number}: the file has {}", quantity(count as u64, "game"));
            self.number.iter().map(|number| game(number).ok_or_else(|| none(number))).collect::<Result<_>>()?
        };
        ensure!(
            chosen.len() <= MOST_GAMES,
            "{}: there are {} games, and at most {MOST_GAMES} are reviewed at a time: choose some with --number",
            self.file.display(),
            thousands(chosen.len() as u64)
        );
        let games: Vec<Played<G>> = chosen.into_iter().map(RecordedGame::played).collect::<Result<_, _>>()?;
        ensure!(!games.is_empty(), "{}: it has no game", self.file.display());
        ensure!(games.iter().any(|game| game.plies() > 0), "{}: no game has a move", self.file.display());
        let evaluation = self.evaluation.located::<G>();
        let (profile, hash, syzygy) = (Profile::Full, self.hash, self.syzygy.clone());
        let search = SearchSpec { profile, evaluation, hash, syzygy, ..SearchSpec::default() };
        let searcher = search.searcher(1, Path::to_owned)?;
        let is_limited = self.depth.is_some() || self.movetime.is_some();
        let limits = Limits {
            nodes: self.nodes.or((!is_limited).then_some(NODES)),
            depth: self.depth,
            time: self.movetime.map(Duration::from_millis),
        };
        Ok(Review { games, searcher, limits, exact: self.exact.unwrap_or_else(Review::<G>::usual_exact) })
    }

    /// How positions were judged, in a sentence.
    fn how<G: RegisteredGame>(review: &Review<G>) -> String {
        let Limits { nodes, depth, time } = review.limits;
        let limits = [
            nodes.map(|nodes| format!("{} nodes", thousands(nodes))),
            depth.map(|depth| format!("{depth} plies")),
            time.map(|time| format!("{} ms", time.as_millis())),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let search = review.searcher.record().description(
            |profile| G::default_evaluation(profile).identity().to_owned(),
            |evaluation| G::parameters(evaluation),
        );
        format!("Each position: {search}; {}.", limits.join(", "))
    }

    fn files<G: RegisteredGame>(
        &self,
        review: &Review<G>,
        reviewed: &[Reviewed<'_, G>],
    ) -> Result<Vec<(String, Vec<u8>)>> {
        let about = About { how: &Self::how(review), command: &command_line() };
        let pgn: String = reviewed.iter().map(pgn::game).collect();
        let files = [
            (PAGE, render(reviewed, about)),
            (PGN, pgn),
            (MOVES, csv(&all_moves(reviewed))),
            (TEXT, text(reviewed)),
            (JSON, json(&object(reviewed))? + "\n"),
        ];
        Ok(files.map(|(name, text)| (name.to_owned(), text.into_bytes())).into())
    }

    /// What is printed.
    fn tables<G: RegisteredGame>(&self, reviewed: &[Reviewed<'_, G>]) -> Vec<String> {
        let mut lines = vec![self.width.fit(&sides(reviewed))];
        for (number, game) in (1..).zip(reviewed) {
            let listing = if self.verbose { moves(game) } else { mistakes(game) };
            lines.push(String::new());
            if reviewed.len() > 1 {
                lines.push(format!("{number}. {}", game.played.title()));
            }
            if listing.rows.is_empty() {
                lines.push("no inaccuracy, mistake or blunder".to_owned());
            } else {
                lines.push(self.width.fit(&listing));
            }
            lines.extend(turning_point(game));
        }
        lines.push(String::new());
        lines.extend(notes::<G>());
        lines
    }
}

/// The moves of all games in one table.
fn all_moves<G: RegisteredGame>(reviewed: &[Reviewed<'_, G>]) -> Listing {
    let mut all = Listing::default();
    for (number, game) in (1..).zip(reviewed) {
        let listing = moves(game);
        all.columns = [Column::figures("game")].into_iter().chain(listing.columns).collect();
        all.rows.extend(listing.rows.into_iter().map(|row| [Cell::count(number)].into_iter().chain(row).collect()));
    }
    all
}

/// All tables as Markdown.
fn text<G: RegisteredGame>(reviewed: &[Reviewed<'_, G>]) -> String {
    let mut text = terminal::markdown(&sides(reviewed)) + "\n";
    for (number, game) in (1..).zip(reviewed) {
        text += &format!("\n## {number}. {}\n\n{}\n", game.played.title(), terminal::markdown(&moves(game)));
        text.extend(turning_point(game).map(|line| format!("\n{line}\n")));
    }
    text.extend(notes::<G>().iter().map(|note| format!("\n{note}\n")));
    text
}

fn object<G: RegisteredGame>(reviewed: &[Reviewed<'_, G>]) -> serde_json::Value {
    json!({ "game": G::NAME, "games": reviewed.iter().map(listing::json).collect::<Vec<_>>() })
}
