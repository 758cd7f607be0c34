// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply atoms`: what features are made of.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::count::count;
use super::output::{WidthArg, command_line, print};
use super::own_file::OutFile;
use super::{GameArg, TheoryArg, Verdict};
use halfply_engine::base::data_file::DataFileError;
use halfply_engine::base::figures::{percent, thousands};
use halfply_engine::features::Vocabulary;
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::patterns::{self, MoveAtoms, Theory};
use halfply_engine::search::Profile;
use halfply_engine::with_game;
use halfply_lab::learn::derived::{Games, Selection, select};
use halfply_lab::report::{Column, Listing};

/// The most atoms that are derived.
pub const MOST: u32 = u64::BITS;
/// The games whose moves derived atoms are measured on, unless others are asked for.
pub const GAMES: Games = Games { count: 60, nodes: 300, seed: 1 };

/// List a game's atoms, of which features are made, or derive atoms from rules
#[derive(Debug, Args)]
#[command(
    long_about = "List a game's atoms, of which features are made: their names, meanings and groups\n\nWith --theory: atoms \
                  that a file defines, or those that follow from its rules."
)]
pub struct Command {
    #[command(flatten)]
    theory: TheoryArg,
    /// Write the derived atoms to a file that --theory reads
    #[arg(long, value_name = "FILE", requires = "theory")]
    out: Option<PathBuf>,
    /// Derive at most this many
    #[arg(long, value_name = "N", default_value_t = MOST, value_parser = count::<u32>(1..=MOST.into()), requires = "theory")]
    most: u32,
    /// The games whose moves the derived atoms are measured on
    #[arg(long, value_name = "N", default_value_t = GAMES.count, value_parser = count::<u64>(1..=10_000), requires = "theory")]
    games: u64,
    /// The seed of these games
    #[arg(long, value_name = "N", default_value_t = GAMES.seed, requires = "theory", value_parser = count::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    width: WidthArg,
    #[command(flatten)]
    game: GameArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

fn run_game<G: RegisteredGame>(command: &Command) -> Result<Verdict> {
    let given = command.theory.theory.as_deref().map(|path| Ok::<_, DataFileError>((path, Theory::read(path)?)));
    match given.transpose()? {
        Some((path, rules)) if !MoveAtoms::are_in(&rules) => {
            let out = OutFile::begin(command.out.as_deref(), &[MARK], &[path])?;
            let games = Games { count: command.games, seed: command.seed, ..GAMES };
            let selection = derived::<G>(&rules, &path.display().to_string(), command.most, games)?;
            print(listing(&selection, command.width))?;
            if command.out.is_some() {
                let head = format!("% halfply atoms: {}", command_line());
                out.finish(&format!("{head}\n{}", selection.text.trim_end()), &summary(&selection))?;
            }
        }
        Some(_) | None => {
            ensure!(command.out.is_none(), "--out: this theory has atoms already, and none are derived");
            let vocabulary = command.theory.table::<G>()?.vocabulary(&G::VOCABULARY);
            print(text(&vocabulary, command.width))?;
        }
    }
    Ok(Verdict::Good)
}

/// A file of this command begins with a comment that has the whole command.
const MARK: &str = "halfply atoms: halfply atoms ";

/// The atoms that follow from the rules in a text.
pub fn derived<G: RegisteredGame>(text: &str, name: &str, most: u32, games: Games) -> Result<Selection> {
    for &game in GameName::all() {
        let is_its = with_game!(game, O => <O as RegisteredGame>::THEORY).is_some_and(|theory| theory.text == text);
        ensure!(!is_its || game == G::GAME, "{name}: these are the rules of {0}: add --game {0}", game.name());
    }
    let derived = patterns::derive(G::THEORY.map(|file| file.text), text, name)?;
    Ok(select(&derived, most as usize, games, &G::default_evaluation(Profile::Plain))?)
}

fn summary(selection: &Selection) -> String {
    let Selection { derived, too_large, constant, equal, similar, kept, .. } = selection;
    format!(
        "{} of {derived} derived atoms; {too_large} unfold to too much, {constant} say next to nothing of a move, {equal} say the same as a simpler one, \
         {similar} nearly the same",
        kept.len()
    )
}

fn listing(selection: &Selection, width: WidthArg) -> String {
    let mut listing = Listing::new([Column::words("atom"), Column::prose("meaning"), Column::figures("moves")]);
    for kept in &selection.kept {
        listing.push([kept.name.clone(), kept.meaning.clone(), percent(kept.frequency)]);
    }
    let Selection { moves, excluded, implied, .. } = selection;
    format!(
        "{}\n{}\nof {} moves: {} pairs exclude each other ({} by the rules), of {} pairs one implies\nthe other ({} by the rules)",
        width.fit(&listing),
        summary(selection),
        thousands(*moves as u64),
        excluded.all,
        excluded.proved,
        implied.all,
        implied.proved,
    )
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
    let mut state = Listing::new([Column::words("atom"), Column::prose("meaning")]);
    for atom in vocabulary.state() {
        state.push([&*atom.name, &*atom.description]);
    }
    lines.push(format!(
        "\nAtoms of the search's state, for the full search; `halfply learn` uses them only\nwhere --atoms names them:\n{}",
        width.fit(&state)
    ));
    lines.join("\n")
}
