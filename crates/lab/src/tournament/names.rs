// SPDX-License-Identifier: GPL-3.0-or-later
//! Names of players that were given none: a program is called what it reports, a search by its table.

use super::entrant::Entrant;
use crate::players::{Player, PlayerRecord};
use halfply_engine::base::figures::quantity;
use halfply_engine::games::RegisteredGame;

/// The longest table that is a name, in characters.
const LONGEST_TABLE: usize = 40;

/// How much of a player its name says. Each next one says more; the last is different for any two players that are not
/// the same.
const DETAILS: [Detail; 3] = [Detail::Title, Detail::Evaluation, Detail::Everything];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Title,
    Evaluation,
    Everything,
}

/// Names the players that have an empty name, with as little detail as tells all players apart. Programs must have been
/// started: they report their names then.
pub(super) fn give<G: RegisteredGame>(entrants: &mut [Entrant<G>]) {
    let names = |detail| -> Vec<String> {
        let meets_program = entrants.iter().any(|entrant| matches!(entrant.player, Player::Program(_)));
        let named = |entrant: &Entrant<G>| {
            if entrant.name.is_empty() { name(entrant, detail, meets_program) } else { entrant.name.clone() }
        };
        entrants.iter().map(named).collect()
    };
    let are_distinct = |names: &[String]| (1..names.len()).all(|index| !names[..index].contains(&names[index]));
    let candidates = DETAILS.map(names);
    let last = candidates.len() - 1;
    let chosen = candidates.iter().position(|names| are_distinct(names)).unwrap_or(last);
    let mut chosen = candidates[chosen].clone();
    for index in 1..chosen.len() {
        // Two programs of the same command may have another file by now: only their place tells them apart.
        if chosen[..index].contains(&chosen[index]) && entrants[index].name.is_empty() {
            chosen[index] = format!("{} ({})", chosen[index], index + 1);
        }
    }
    for (entrant, name) in entrants.iter_mut().zip(chosen) {
        entrant.name = name;
    }
}

fn name<G: RegisteredGame>(entrant: &Entrant<G>, detail: Detail, meets_program: bool) -> String {
    let text = match entrant.player.record() {
        PlayerRecord::Program(program) => match detail {
            Detail::Title if program.title.is_empty() => program.command,
            Detail::Title => program.title,
            Detail::Evaluation => program.description(),
            Detail::Everything => format!("{}, {}", entrant.description(), program.command),
        },
        PlayerRecord::Search(search) => {
            let rows = search.extensions.split(' ').filter(|word| word.contains('@')).count();
            let table = match search.extensions.chars().count() {
                0..=LONGEST_TABLE => search.extensions,
                _ => quantity(rows as u64, "row"),
            };
            match (detail, meets_program, table.as_str()) {
                (Detail::Title, false, _) => table,
                (Detail::Title, true, "none") => "Halfply".to_owned(),
                (Detail::Title, true, table) => format!("Halfply {table}"),
                (Detail::Evaluation, ..) => format!("{table}, {}", search.evaluation),
                (Detail::Everything, ..) => entrant.description(),
            }
        }
    };
    fit(&text)
}

/// A text from outside as a name ([`is_name`](super::entrant::is_name)).
fn fit(text: &str) -> String {
    let plain = text.replace('"', "'").replace(char::is_control, " ");
    let words: Vec<&str> = plain.split_whitespace().filter(|&word| word != "-").collect();
    if words.is_empty() { "unknown".to_owned() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::super::definition::Definition;
    use super::super::entrant::is_name;
    use super::*;
    use halfply_engine::games::Breakthrough;

    /// The names of players, of which each line is one in TOML; programs report the titles.
    fn names(players: &[&str], titles: &[&str]) -> Vec<String> {
        let players: String = players.iter().map(|player| format!("[[player]]\n{player}\n")).collect();
        let text = format!("format = 1\ngame = 'breakthrough'\ndefaults = {{ nodes = 5 }}\n{players}");
        let mut entrants = Entrant::<Breakthrough>::all(&Definition::parse(&text, "test").unwrap()).unwrap();
        let mut titles = titles.iter();
        for entrant in &mut entrants {
            if let Player::Program(program) = &mut entrant.player {
                program.title = titles.next().map(|&title| title.to_owned()).unwrap_or_default();
            }
        }
        give(&mut entrants);
        let names: Vec<String> = entrants.into_iter().map(|entrant| entrant.name).collect();
        assert!(names.iter().all(|name| is_name(name)), "{names:?}");
        names
    }

    #[test]
    fn a_name_says_what_tells_a_player_apart() {
        assert_eq!(names(&["", "extend = 'C@0.5'"], &[]), ["none", "C@0.5"]);
        assert_eq!(names(&["name = 'x'", "extend = 'C@0.5'"], &[]), ["x", "C@0.5"]);
        let evaluated = ["evaluation = 'piece-count'", "evaluation = 'safe-advancement'"];
        assert_eq!(names(&evaluated, &[]), ["none, piece-count", "none, safe-advancement"]);
        assert_eq!(
            names(&["nodes = 3", "nodes = 4"], &[]),
            ["plain search, extensions none, 3 nodes a move", "plain search, extensions none, 4 nodes a move"]
        );
        let program = "command = 'x'";
        assert_eq!(names(&[program, "profile = 'full'"], &["Stockfish 15.1"]), ["Stockfish 15.1", "Halfply"]);
        assert_eq!(names(&[program, "extend = 'C@0.5'"], &[""]), ["x", "Halfply C@0.5"]);
        let options = ["command = 'x'\noptions = { Hash = 1 }", "command = 'x'\noptions = { Hash = 2 }"];
        assert_eq!(names(&options, &["X 1", "X 1"]), ["X 1, Hash=1", "X 1, Hash=2"]);
        assert_eq!(names(&[program, "command = 'y'"], &["X", "X"]), ["X, 5 nodes a move, x", "X, 5 nodes a move, y"]);
        assert_eq!(names(&[program, program], &["X", "X"])[1], "X, 5 nodes a move, x (2)");
        assert_eq!(names(&["name = 'X'", program], &["X"])[1], "X, 5 nodes a move, x");
    }

    #[test]
    fn what_a_program_reports_is_always_a_name() {
        let title = " a - b\t\"c\"\u{1b}[31m -";
        assert_eq!(names(&["command = 'x'", ""], &[title])[0], "a b 'c' [31m");
        assert_eq!(names(&["command = 'x'", ""], &[" - "])[0], "unknown");
    }
}
