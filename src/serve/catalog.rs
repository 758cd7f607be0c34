// SPDX-License-Identifier: GPL-3.0-or-later
//! What the page can choose from: games, searches, evaluations, tables.

use axum::body::Bytes;
use serde::Serialize;

use halfply_engine::base::bundled;
use halfply_engine::features::{ExtensionTable, file};
use halfply_engine::game::{Game, Notation, Pieces};
use halfply_engine::games::{GameName, Level, RegisteredGame, strength};
use halfply_engine::search::Profile;
use halfply_engine::with_game;
use halfply_lab::suite::Suite;

/// A game.
#[derive(Clone, Debug, Serialize)]
pub struct GameEntry {
    /// Its name.
    pub name: &'static str,
    /// Its rules in three sentences.
    pub rules: &'static str,
    /// The names of the first and the second player.
    pub sides: [&'static str; 2],
    /// The kinds of its pieces.
    pub kinds: &'static [&'static str],
    /// Its searches, each with its default evaluation.
    pub searches: Vec<SearchEntry>,
    /// Its evaluations.
    pub evaluations: Vec<&'static str>,
    /// Whether it has an opening book.
    pub book: bool,
    /// The levels below full strength, from the weakest to the strongest.
    pub levels: Vec<LevelEntry>,
    /// Its atoms.
    pub atoms: Vec<AtomEntry>,
    /// Test positions (FEN) in which a table can show what it is worth.
    pub problems: Vec<String>,
    /// Extension tables to begin with.
    pub tables: Vec<TableEntry>,
}

/// A search.
#[derive(Clone, Debug, Serialize)]
pub struct SearchEntry {
    /// Its name.
    pub profile: Profile,
    /// The name of its default evaluation.
    pub evaluation: String,
}

/// A level.
#[derive(Clone, Debug, Serialize)]
pub struct LevelEntry {
    /// Its Elo.
    pub elo: u32,
    /// What people call a player of that Elo.
    pub title: &'static str,
}

/// An atom.
#[derive(Clone, Debug, Serialize)]
pub struct AtomEntry {
    /// Its name.
    pub name: String,
    /// What it means.
    pub description: String,
}

/// An extension table with a name.
#[derive(Clone, Debug, Serialize)]
pub struct TableEntry {
    /// What the page calls it.
    pub name: String,
    /// The table in one line.
    pub line: String,
}

/// How many test positions the page is offered.
const PROBLEMS: usize = 40;

/// A table of the command line: the game that it is for, its name and itself.
pub type GivenTable = (GameName, String, ExtensionTable);

/// All games as the page gets them.
pub fn json(given: &[GivenTable]) -> Bytes {
    serde_json::to_vec(&games(given)).unwrap_or_default().into()
}

/// All games, with the tables of the command line and the bundled ones.
pub fn games(given: &[GivenTable]) -> Vec<GameEntry> {
    GameName::all().iter().map(|&game| with_game!(game, G => entry::<G>(given))).collect()
}

fn entry<G: RegisteredGame>(given: &[GivenTable]) -> GameEntry {
    let vocabulary = G::VOCABULARY;
    let named = |(_, name, table): &GivenTable| TableEntry { name: name.clone(), line: table.summary(&vocabulary) };
    let mut tables: Vec<TableEntry> = given.iter().filter(|(game, ..)| *game == G::GAME).map(named).collect();
    tables.extend(bundled::ALL.iter().filter_map(|bundled| {
        let name = bundled.name.strip_prefix("tables/")?;
        let table = file::parse(bundled.text, name, &vocabulary).ok()?;
        Some(TableEntry { name: name.trim_end_matches(".toml").to_owned(), line: table.summary(&vocabulary) })
    }));
    let searches = Profile::ALL
        .map(|profile| SearchEntry { profile, evaluation: G::default_evaluation(profile).name().to_owned() })
        .to_vec();
    let level = |level: &Level| LevelEntry { elo: level.elo, title: strength::title(level.elo) };
    GameEntry {
        name: <G as Game>::NAME,
        rules: G::RULES,
        book: G::BOOK.is_some(),
        sides: <G as Notation>::SIDE_NAMES,
        kinds: <G as Pieces>::KINDS,
        searches,
        evaluations: G::evaluation_names(),
        levels: G::STRENGTHS.iter().map(level).collect(),
        atoms: vocabulary
            .atoms
            .iter()
            .map(|atom| AtomEntry { name: atom.name.to_string(), description: atom.description.to_string() })
            .collect(),
        problems: problems::<G>(),
        tables,
    }
}

/// Positions of the game's suite, spread over all of it.
fn problems<G: RegisteredGame>() -> Vec<String> {
    // A test reads every bundled suite.
    let problems = Suite::<G>::bundled(G::SUITE).map(|suite| suite.problems).unwrap_or_default();
    let step = problems.len().div_ceil(PROBLEMS).max(1);
    problems.iter().step_by(step).map(|problem| G::format_position(&problem.position)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_there_with_its_tables() {
        let table = ExtensionTable::default();
        let games = games(&[(GameName::Chess, "mine.toml".to_owned(), table)]);
        assert_eq!(games.len(), GameName::all().len());
        for game in &games {
            assert!(!game.atoms.is_empty() && !game.evaluations.is_empty() && !game.problems.is_empty());
            for search in &game.searches {
                assert!(game.evaluations.contains(&&search.evaluation[..]), "{search:?}");
            }
            let has_mine = game.tables.iter().any(|table| table.name == "mine.toml");
            assert_eq!(has_mine, game.name == "chess");
        }
        let chess = games.iter().find(|game| game.name == "chess").unwrap();
        assert!(chess.tables.iter().any(|table| table.name == "chess-checks" && table.line == "AcK@0"));
    }
}
