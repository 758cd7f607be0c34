// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply explain`: the cost of each move of a position under a table, and the reason.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use super::output::{WidthArg, print};
use super::{GameArg, Verdict, load_table, run_file};
use crate::base::Depth;
use crate::features::{AtomSet, ExtensionTable};
use crate::game::{Game, MoveContext, Notation, after, legal_moves};
use crate::report::{Column, Listing};
use crate::with_game;

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
    width: WidthArg,
    #[command(flatten)]
    game: GameArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

fn run_game<G: Notation>(command: &Command) -> Result<Verdict> {
    let extensions = load_table::<G>(command.extensions.as_ref())?;
    let mut position = match &command.fen {
        Some(fen) => G::parse_position(fen).with_context(|| format!("--fen {fen:?}"))?,
        None => <G as Game>::start(),
    };
    let mut previous = None;
    for text in &command.moves {
        let mv = G::parse_move(&position, text).with_context(|| format!("--moves {text}"))?;
        G::play(&mut position, mv);
        previous = Some(mv);
    }
    print(format_args!("{}\n{}\n", G::draw(&position), G::format_position(&position)))?;
    print(command.width.fit(&explain::<G>(&position, previous, &extensions)))?;
    Ok(Verdict::Good)
}

fn explain<G: Notation>(position: &G::Position, previous: Option<G::Move>, extensions: &ExtensionTable) -> Listing {
    let vocabulary = G::VOCABULARY;
    let moves = legal_moves::<G>(position);
    let only_move = moves.len() == 1;
    let mut lines: Vec<[String; 4]> = moves
        .iter()
        .map(|&mv| {
            let next = after::<G>(position, mv);
            let context = MoveContext { only_move, ..MoveContext::new(position, &next, mv, previous) };
            let atoms = G::atoms(&context, vocabulary.all());
            let row = extensions.deciding_row(atoms);
            [
                G::format_move(position, mv),
                if atoms == AtomSet::EMPTY { String::new() } else { vocabulary.format(atoms).replace('-', " ") },
                row.map(|row| vocabulary.format(row.feature)).unwrap_or_default(),
                row.map_or(Depth::PLY, |row| row.cost).to_string(),
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
