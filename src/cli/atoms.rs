// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply atoms`: what features are made of.

use anyhow::Result;
use clap::Args;

use super::output::{WidthArg, print};
use super::{GameArg, TheoryArg, Verdict};
use halfply_engine::features::Vocabulary;
use halfply_engine::game::Game;
use halfply_engine::with_game;
use halfply_lab::report::{Column, Listing};

/// List a game's atoms, of which features are made: their names, meanings and groups
#[derive(Debug, Args)]
pub struct Command {
    #[command(flatten)]
    theory: TheoryArg,
    #[command(flatten)]
    width: WidthArg,
    #[command(flatten)]
    game: GameArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.game.game, G => {
        let vocabulary = command.theory.table::<G>()?.vocabulary(&G::VOCABULARY);
        print(text(&vocabulary, command.width))?;
    });
    Ok(Verdict::Good)
}

fn text(vocabulary: &Vocabulary, width: WidthArg) -> String {
    let mut listing = Listing::new([Column::words("atom"), Column::prose("meaning"), Column::words("also")]);
    for atom in vocabulary.atoms.iter() {
        listing.push([&*atom.name, &*atom.description, atom.parent.unwrap_or_default()]);
    }
    let mut lines = vec![width.fit(&listing)];
    lines.push(
        "\nA move that has an atom also has the one in the last column. A feature is atoms\njoined by hyphens, of each of these groups at most one:".to_owned(),
    );
    for group in vocabulary.groupings.first().into_iter().flat_map(|grouping| grouping.groups) {
        lines.push(format!("  {}", group.join(" ")));
    }
    let named: Vec<_> = vocabulary.atoms.iter().filter(|atom| atom.only_if_named).map(|atom| &*atom.name).collect();
    if !named.is_empty() {
        lines.push(format!("`halfply learn` uses these only where --atoms names them: {}", named.join(" ")));
    }
    lines.join("\n")
}
