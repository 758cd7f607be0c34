// SPDX-License-Identifier: GPL-3.0-or-later
//! Games in clauses only, `examples/knightthrough.rs`: they play by the rules that others have in Rust, and atoms that follow
//! from the clauses are learned with.

use std::sync::LazyLock;

use halfply_engine::features::Vocabulary;
use halfply_engine::game::{Game, Notation, Side, perft};
use halfply_engine::games::breakthrough::Breakthrough;

use crate::connect_four::ConnectFour;
use crate::knightthrough::{
    Clauses, InClauses, Knightthrough, Position, Rules, THEORY, atoms, games, learn, problems, solves,
};
use crate::support::random_game;

/// Breakthrough, from the clauses of its rules, which do not say where the pieces stand at first.
#[derive(Clone, Copy, Debug, Default)]
struct BreakthroughInClauses;

impl Clauses for BreakthroughInClauses {
    const TITLE: &'static str = "breakthrough in clauses";

    fn rules() -> &'static Rules {
        static RULES: LazyLock<Rules> = LazyLock::new(|| {
            let begins = "begins(P, S) :- opponent(P, Opp), last_row(Opp, S).\n\
                          begins(P, S) :- opponent(P, Opp), last_row(Opp, T), ahead(P, D), neighbor(T, D, S).\n";
            Rules::parse(&format!("{}{begins}", include_str!("../../theories/breakthrough.theory"))).unwrap()
        });
        &RULES
    }
}

/// Connect Four, from the clauses of its rules, which do not say what a move changes. It begins with an empty board.
#[derive(Clone, Copy, Debug, Default)]
struct ConnectFourInClauses;

impl Clauses for ConnectFourInClauses {
    const TITLE: &'static str = "connect four in clauses";

    fn rules() -> &'static Rules {
        static RULES: LazyLock<Rules> = LazyLock::new(|| {
            let after = ":- after owns(P, S) if legal_move(S, P).\n";
            Rules::parse(&format!("{}{after}", include_str!("../../examples/connect_four.theory"))).unwrap()
        });
        &RULES
    }
}

/// All positions of random games.
fn positions<C: Clauses>(games: u64, mut look: impl FnMut(&Position)) {
    for game in 0..games {
        let ended = random_game::<InClauses<C>>(game, |history| look(history.position()));
        look(ended.position());
    }
}

#[test]
fn breakthrough_in_clauses_is_breakthrough() {
    type Ours = InClauses<BreakthroughInClauses>;
    for depth in 1..=4 {
        let expected = perft::<Breakthrough>(&Breakthrough::start(), depth);
        assert_eq!(perft::<Ours>(&Ours::start(), depth), expected);
    }
    // Games to their ends, where pieces are taken and reach the last row.
    positions::<BreakthroughInClauses>(20, |position| {
        let [white, black] = Ours::occupied(position);
        let owner = |square: u32| [white, black].iter().position(|set| set >> square & 1 == 1);
        let row = |row: u32| {
            (8 * row..8 * row + 8).map(|square| owner(square).map_or("1", |owner| ["P", "p"][owner])).collect()
        };
        let rows: Vec<String> = (0..8).rev().map(row).collect();
        let side = if Ours::to_move(position) == Side::White { "w" } else { "b" };
        let known = Breakthrough::parse_position(&format!("{} {side} - - 0 1", rows.join("/"))).unwrap();
        let words = |mut words: Vec<String>| {
            words.sort();
            words
        };
        let (decided, expected) = (Ours::decided(position), Breakthrough::decided(&known));
        assert_eq!(decided, expected, "{rows:?}");
        if decided.is_none() {
            let ours = Ours::generate(position);
            let ours = ours.into_iter().map(|mv| Ours::format_move(position, mv)).collect();
            let expected =
                Breakthrough::generate(&known).into_iter().map(|mv| Breakthrough::format_move(&known, mv)).collect();
            assert_eq!(words(ours), words(expected), "{rows:?}");
        }
    });
}

#[test]
fn connect_four_in_clauses_is_connect_four() {
    type Ours = InClauses<ConnectFourInClauses>;
    for depth in 1..=7 {
        let expected = perft::<ConnectFour>(&ConnectFour::start(), depth);
        assert_eq!(perft::<Ours>(&Ours::start(), depth), expected);
    }
}

/// The rules once more, in Rust.
#[test]
fn knights_go_ahead_only() {
    type Knights = InClauses<Knightthrough>;
    let mut ends = [0; 2];
    positions::<Knightthrough>(50, |position| {
        let sets = Knights::occupied(position);
        let us = Knights::to_move(position).index();
        let ahead = [1, -1][us];
        let has = |player: usize, column: i32, row: i32| sets[player] >> (8 * row + column) & 1 == 1;
        let mut expected = Vec::new();
        for (column, row) in (0..8).flat_map(|row| (0..8).map(move |column| (column, row))) {
            for (aside, forward) in [(-2, 1), (-1, 2), (1, 2), (2, 1)] {
                let (to, line) = (column + aside, row + ahead * forward);
                if has(us, column, row) && (0..8).contains(&to) && (0..8).contains(&line) && !has(us, to, line) {
                    expected.push([8 * row + column, 8 * line + to].map(|square| square as u8));
                }
            }
        }
        let mut moves: Vec<[u8; 2]> = Knights::generate(position).into_iter().filter_map(Knights::squares).collect();
        moves.sort_unstable();
        expected.sort_unstable();
        let goals = [0xFF << 56, 0xFF];
        let winner = (0..2).find(|&player| sets[player] & goals[player] != 0);
        assert_eq!(Knights::decided(position).is_some(), winner.is_some());
        match winner {
            Some(winner) => ends[winner] += 1,
            None => assert_eq!(moves, expected, "{}", Knights::draw(position)),
        }
        assert_eq!(Knights::parse_position(&Knights::format_position(position)), Ok(*position));
    });
    assert!(ends.iter().all(|&wins| wins > 5), "{ends:?}");
    for wrong in ["", "x", "a1/a1 w - -", "a1b9/ w - -", "a1/h8 w", "\u{e9}/ w - -"] {
        assert!(Knights::parse_position(wrong).is_err(), "{wrong}");
    }
}

/// From the rules to games, with no word of a person about what is interesting.
#[test]
fn atoms_of_a_game_in_clauses_are_learned_with() {
    let (selection, table) = atoms::<Knightthrough>(THEORY).unwrap();
    let vocabulary = table.vocabulary(&Vocabulary::new("none", &[]));
    let suite = problems::<Knightthrough>(10).unwrap();
    let count = suite.problems.len();
    let findings = learn(suite.clone(), table.clone()).unwrap();
    let best = findings.outcome.output()[0];
    let (name, solved) = (vocabulary.format(best.feature()), best.worth.value);
    println!("{} of {} atoms; {name} solves {solved} of {count}", selection.kept.len(), selection.derived);
    assert!(selection.kept.len() >= 20 && solved >= 2, "{name} solves {solved} of {count}");
    // The same table decides in games what it decided in learning.
    let learned = best.table.clone().with_own(table.own().cloned());
    assert!(best.worth.solved.iter().all(|&place| solves(&learned, &suite.problems[place])), "{name}");
    let [won, lost] = games::<Knightthrough>(&learned, 1);
    assert_eq!(won + lost, 2);
}

#[test]
fn rules_that_are_no_game_are_refused() {
    let without = |word: &str| THEORY.lines().filter(|line| !line.contains(word)).collect::<Vec<_>>().join("\n");
    let twice = format!("{THEORY}begins(white, a8).\n");
    let contradictory = format!("{THEORY}:- after owns(P, S) if legal_move(S, _To, P).\n");
    for (text, expected) in [
        ("", ""),
        (&without("legal_move"), "there is no legal_move"),
        (&without("goal"), "goal"),
        (&twice, "both players begin on one square"),
        (&contradictory, "a move has contradictory effects"),
    ] {
        let error = Rules::parse(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
