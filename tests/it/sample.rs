// SPDX-License-Identifier: GPL-3.0-or-later
//! The sample of a game, `examples/connect_four.rs`: played, searched, and learned on, with its own atoms and with those that
//! follow from its rules as clauses.

use std::sync::{Arc, LazyLock};

use halfply_engine::features::{AtomSet, ExtensionTable};
use halfply_engine::game::{Game, MoveContext, Notation, after, perft};
use halfply_engine::patterns::{self, MoveAtoms};
use halfply_engine::search::{Limits, Profile, Root, Setup, extend, score};
use halfply_lab::learn::Findings;
use halfply_lab::learn::derived::{Games, select};
use halfply_lab::suite::Suite;

use crate::connect_four::{ConnectFour, evaluation, learn, problems};
use crate::support::random_game;

/// The rules of the game as clauses.
const THEORY: &str = include_str!("../../examples/connect_four.theory");

/// What features are learned on.
static SUITE: LazyLock<Suite<ConnectFour>> = LazyLock::new(|| problems(120).unwrap());

/// All moves of random games, each with the one before it.
fn moves(games: u64, mut look: impl FnMut(MoveContext<'_, ConnectFour>)) {
    for game in 0..games {
        random_game::<ConnectFour>(game, |history| {
            let before = history.position();
            for &mv in history.legal_moves().iter() {
                look(MoveContext::new(before, &after::<ConnectFour>(before, mv), mv, history.moves().last().copied()));
            }
        });
    }
}

/// Atoms in clauses, as an empty table that defines them.
fn table(clauses: &str) -> ExtensionTable {
    let vocabulary = ConnectFour::VOCABULARY;
    let atoms = MoveAtoms::parse(None, clauses, "the sample", &vocabulary.names(vocabulary.all())).unwrap();
    ExtensionTable::default().with_own(Some(Arc::new(atoms)))
}

/// The best feature and the positions that it solves.
fn best(findings: &Findings) -> (AtomSet, i64) {
    let best = findings.outcome.output()[0];
    (best.feature(), best.worth.value)
}

/// The known counts. At first all columns are open: the eighth power of seven falls short where a column is full or a game
/// has ended.
#[test]
fn the_sample_plays_by_the_rules() {
    for (depth, expected) in (1..).zip([7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]) {
        assert_eq!(perft::<ConnectFour>(&ConnectFour::start(), depth), expected);
    }
    moves(20, |MoveContext { before, mv, .. }| {
        assert_eq!(ConnectFour::parse_position(&ConnectFour::format_position(before)), Ok(*before));
        assert_eq!(ConnectFour::parse_move(before, &ConnectFour::format_move(before, mv)), Ok(mv));
    });
    for wrong in ["", "x", "......./......./......./......./x....../....... b - -", ".......x w - -", "\u{e9}/x w - -"]
    {
        assert!(ConnectFour::parse_position(wrong).is_err(), "{wrong}");
    }
}

/// Two discs on the floor, with room on both sides: a third one makes two threats.
#[test]
fn both_searches_find_a_win_in_the_sample() {
    let open = ConnectFour::parse_position("......./......./......./......./..oo.../..xx... w - -").unwrap();
    for profile in Profile::ALL {
        let mut thinker = evaluation().engine(&Setup { profile, ..Setup::full() }).thinker();
        let report = thinker.search(Root::bare(&open), Limits::depth(6), &mut ());
        assert_eq!(score::plies_to_end(report.score), Some(3), "{profile:?}");
    }
}

#[test]
fn a_feature_of_the_sample_solves_what_the_plain_search_does_not() {
    assert!(SUITE.problems.len() >= 8, "{}", SUITE.problems.len());
    let (feature, solved) = best(&learn(SUITE.clone(), ExtensionTable::default()).unwrap());
    let name = ConnectFour::VOCABULARY.format(feature);
    assert!(solved >= 4, "{name} solves {solved}");
}

/// What is written in Rust and in clauses is the same game.
#[test]
fn the_clauses_of_the_sample_are_its_rules() {
    let written = ":- atom Legal if before legal_move(To, Us).\n\
                   :- atom Four if goal(Us).\n\
                   :- atom Threat if wins(Us), before not wins(Us).\n\
                   :- atom Block if before completes(To, Them).\n";
    let table = table(&format!("{THEORY}{written}"));
    let vocabulary = table.vocabulary(&ConnectFour::VOCABULARY);
    let [legal, four, threat, block, thr, blk] =
        ["Legal", "Four", "Threat", "Block", "Thr", "Blk"].map(|name| vocabulary.parse(name).unwrap());
    let mut seen = AtomSet::EMPTY;
    moves(50, |context| {
        let atoms = extend::atoms(&table, &context, vocabulary.all());
        assert!(atoms.contains(legal));
        assert_eq!(atoms.contains(four), ConnectFour::decided(context.after).is_some(), "{context:?}");
        assert_eq!(atoms.contains(threat), atoms.contains(thr), "{context:?}");
        assert_eq!(atoms.contains(block), atoms.contains(blk), "{context:?}");
        seen |= atoms;
    });
    assert!(seen.contains(four | threat | block));
}

/// Nothing of the game is known to the derivation: its rules are written down in these clauses alone.
#[test]
fn atoms_that_follow_from_the_rules_of_the_sample_are_learned_with() {
    let derived = patterns::derive(None, THEORY, "the sample").unwrap();
    let selection = select(&derived, 20, Games { count: 30, nodes: 100, seed: 1 }, &evaluation()).unwrap();
    let table = table(&selection.text);
    let vocabulary = table.vocabulary(&ConnectFour::VOCABULARY);
    let (feature, solved) = best(&learn(SUITE.clone(), table.clone()).unwrap());
    let name = vocabulary.format(feature);
    println!("{} of {} derived atoms; {name} solves {solved}", selection.kept.len(), selection.derived);
    assert!(solved >= 4 && !feature.meets(ConnectFour::VOCABULARY.all()), "{name} solves {solved}");
}
