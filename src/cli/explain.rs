// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply explain`: the cost of each move of a position under a table, and the reason.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use super::output::{WidthArg, print};
use super::{GameArg, TheoryArg, Verdict, position_of, run_file};
use halfply_engine::features::{ExtensionTable, file};
use halfply_engine::game::{Notation, legal_moves};
use halfply_engine::games::RegisteredGame;
use halfply_engine::search;
use halfply_engine::with_game;
use halfply_lab::report::{Column, Listing};

/// Show each legal move's atoms, the row of the table that decides, and the cost
#[derive(Debug, Args)]
pub struct Command {
    /// The position [default: the start of the game]
    #[arg(long, value_name = "FEN", allow_hyphen_values = true)]
    fen: Option<String>,
    /// Moves to play from there first; some atoms depend on the opponent's last move
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,
    /// The extension table [default: none]
    #[arg(long, value_name = "FILE", value_parser = run_file::table)]
    extensions: Option<PathBuf>,
    #[command(flatten)]
    theory: TheoryArg,
    #[command(flatten)]
    width: WidthArg,
    #[command(flatten)]
    game: GameArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

fn run_game<G: RegisteredGame>(command: &Command) -> Result<Verdict> {
    let known = command.theory.table::<G>()?;
    let extensions = match &command.extensions {
        Some(path) => file::load(path, &known.vocabulary(&G::VOCABULARY))?,
        None => known,
    };
    let mut position = position_of::<G>(command.fen.as_ref())?;
    let mut previous = None;
    for text in &command.moves {
        let mv = G::parse_move(&position, text).with_context(|| format!("--moves {text}"))?;
        G::play(&mut position, mv);
        previous = Some(mv);
    }
    print(format_args!("{}\n{}\n", G::draw(&position), G::format_position(&position)))?;
    if legal_moves::<G>(&position).is_empty() {
        print(format_args!("The game is over ({}): there are no moves to explain.", G::ending(&position)))?;
    } else {
        print(command.width.fit(&explain::<G>(&position, previous, &extensions)))?;
    }
    Ok(Verdict::Good)
}

/// The costs of the legal moves as a table.
pub fn explain<G: Notation>(position: &G::Position, previous: Option<G::Move>, extensions: &ExtensionTable) -> Listing {
    let vocabulary = extensions.vocabulary(&G::VOCABULARY);
    let mut lines: Vec<[String; 4]> = search::explain::explain::<G>(position, previous, extensions)
        .iter()
        .map(|explained| {
            let in_search: Vec<_> = explained.in_search(extensions).collect();
            let rows = explained.row.iter().chain(in_search.iter().copied());
            let features: Vec<_> = rows.map(|row| vocabulary.format(row.feature)).collect();
            let costs = [explained.cost()].into_iter().chain(in_search.iter().map(|row| row.cost));
            let costs: Vec<_> = costs.map(|cost| cost.to_string()).collect();
            [
                G::format_move(position, explained.mv),
                vocabulary.names(explained.atoms).join(" "),
                features.join(" or "),
                costs.join(" or "),
            ]
        })
        .collect();
    lines.sort();
    let mut listing =
        Listing::new([Column::words("move"), Column::prose("atoms"), Column::words("row"), Column::figures("plies")]);
    for line in lines {
        listing.push(line);
    }
    listing
}
