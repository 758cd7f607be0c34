// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply atoms`: what features are made of.

use anyhow::Result;
use clap::Args;
use comfy_table::ContentArrangement;

use super::output::{print, table};
use super::{GameArg, Verdict};
use crate::features::Vocabulary;
use crate::game::Game;
use crate::with_game;

/// List a game's atoms, of which features are made: their names, meanings and groups
#[derive(Debug, Args)]
pub struct Command {
    #[command(flatten)]
    game: GameArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    print(with_game!(command.game.game, G => text(&G::VOCABULARY)))?;
    Ok(Verdict::Good)
}

fn text(vocabulary: &Vocabulary) -> String {
    let mut list = table(&["atom", "meaning", "also"], 3);
    list.set_content_arrangement(ContentArrangement::Dynamic).set_width(80);
    for atom in vocabulary.atoms {
        list.add_row([atom.name, atom.description, atom.parent.unwrap_or_default()]);
    }
    let mut lines = vec![list.to_string()];
    lines.push(
        "\nA move that has an atom also has the one in the last column. A feature is atoms\njoined by hyphens, of each of these groups at most one:".to_owned(),
    );
    for group in vocabulary.groupings.first().into_iter().flat_map(|grouping| grouping.groups) {
        lines.push(format!("  {}", group.join(" ")));
    }
    let named: Vec<_> = vocabulary.atoms.iter().filter(|atom| atom.only_if_named).map(|atom| atom.name).collect();
    if !named.is_empty() {
        lines.push(format!("`halfply learn` uses these only where --atoms names them: {}", named.join(" ")));
    }
    lines.join("\n")
}
