// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply tournament book`: what moves of the opening scored in games.

use std::path::PathBuf;

use anyhow::{Result, anyhow, ensure};
use clap::Args;

use crate::cli::Verdict;
use crate::cli::count::count;
use crate::cli::output::{WidthArg, command_line, print};
use crate::cli::own_file::OwnFile;
use crate::cli::recorded::RecordedArgs;
use halfply_engine::base::figures::{quantity, thousands};
use halfply_engine::book::{self, BookDraft, OpeningBook};
use halfply_engine::game::Game;
use halfply_engine::games::RegisteredGame;
use halfply_engine::with_game;
use halfply_lab::report::{Cell, Column, Listing};
use halfply_lab::review::recorded::Recorded;

/// How the text about a book that may be replaced begins.
const COMMAND: &str = "halfply tournament book ";

/// Make an opening book of games: which moves were played, how often, and what they scored
///
/// The format is Polyglot's, for the UCI option Book. Games without a result are left out.
#[derive(Debug, Args)]
pub struct Command {
    #[command(flatten)]
    games: RecordedArgs,
    /// Plies of each game
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = count::<usize>(1..=1000))]
    plies: usize,
    /// Keep the moves that were played so often
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = count::<u64>(1..))]
    least: u64,
    /// Where to write the book
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    width: WidthArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let recorded = command.games.load()?;
    with_game!(recorded.game, G => run_game::<G>(command, &recorded))
}

fn run_game<G: RegisteredGame>(command: &Command, recorded: &Recorded) -> Result<Verdict> {
    let is_own = |contents: &[u8]| book::about(contents).lines().any(|line| line.starts_with(COMMAND));
    let out = OwnFile::begin(&command.out, is_own)?;
    let mut draft = BookDraft::default();
    let mut games = 0_u64;
    for game in &recorded.games {
        let played = game.played::<G>()?;
        let Some(half_points) = played.half_points() else { continue };
        let players = &command.games.players;
        let counts = played.players.each_ref().map(|player| players.is_empty() || players.contains(player));
        let history = &played.history;
        for (position, &mv) in history.positions().iter().zip(history.moves()).take(command.plies) {
            let side = G::to_move(position).index();
            if counts[side] {
                draft.add::<G>(position, mv, half_points[side]);
            }
        }
        games += 1;
    }
    // Programs that know this header call chess normal.
    let variant = G::record_variant(false).unwrap_or("normal");
    let (bytes, positions) = draft.finish(command.least, &format!("1\n{variant}\n{}", command_line()));
    ensure!(positions > 0, "no move was played {} times in {} games with a result", command.least, thousands(games));
    out.finish(&bytes)?;
    let book = OpeningBook::new(bytes).map_err(|reason| anyhow!(reason))?;
    let first = first_moves::<G>(&book);
    if !first.rows.is_empty() {
        print(command.width.fit(&first))?;
    }
    let (games, positions) = (quantity(games, "game"), quantity(positions as u64, "position"));
    print(format_args!("{}: {positions} of {games}", command.out.display()))?;
    Ok(Verdict::Good)
}

/// What the book has of the start of the game.
fn first_moves<G: RegisteredGame>(book: &OpeningBook) -> Listing {
    let start = <G as Game>::start();
    let mut moves = book.moves::<G>(&start);
    moves.sort_by_key(|entry| std::cmp::Reverse(entry.games));
    let rows = moves.iter().map(|entry| {
        let score = entry.score().map(Cell::share).into();
        vec![G::record_move(&start, entry.mv).into(), Cell::count(entry.games), score]
    });
    let columns = vec![Column::words("move"), Column::figures("games"), Column::figures("score")];
    Listing { columns, rows: rows.collect(), ..Listing::default() }
}
