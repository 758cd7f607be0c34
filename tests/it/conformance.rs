// SPDX-License-Identifier: GPL-3.0-or-later
//! What every game must keep, tried on random games. A new game is one line at the end of this file.

use std::collections::HashSet;

use halfply_engine::features::{AtomSet, ExtensionTable};
use halfply_engine::game::{MoveContext, after, legal_moves, outcome};
use halfply_engine::games::{Breakthrough, Chess, GameName, Othello, RegisteredGame};
use halfply_engine::search::{Limits, Root, Setup, score::LONGEST_WIN};
use halfply_engine::with_game;

use crate::support::random_game;

const GAMES: u64 = 100;

/// Fifty moves without progress draw a game of chess, so even random ones end.
const LONGEST_GAME: usize = 6_000;

fn conforms<G: RegisteredGame>() {
    for game in 0..GAMES {
        random_game::<G>(game, |history| {
            let root = history.root();
            check_position::<G>(root.position, root.previous, game == 0);
            assert!(history.moves().len() + 1 < LONGEST_GAME, "a game must end");
        });
    }
}

fn check_position<G: RegisteredGame>(position: &G::Position, previous: Option<G::Move>, thorough: bool) {
    let fen = G::format_position(position);
    let read = G::parse_position(&fen).expect("what is written can be read");
    assert_eq!(&read, position, "{fen}");
    let key = G::key(position);
    assert_eq!(G::key(&read), key, "{fen}");

    let moves = legal_moves::<G>(position);
    let mut texts = HashSet::new();
    for &mv in moves.iter() {
        let text = G::format_move(position, mv);
        assert_eq!(G::parse_move(position, &text), Ok(mv), "{text} in {fen}");
        assert!(G::has_move_shape(&text), "{text}");
        let next = after::<G>(position, mv);
        assert_ne!(G::key(&next), key);
        assert_eq!(G::key_after(position, key, mv, &next), G::key(&next), "{text} in {fen}");
        assert_eq!(G::checks(position)(mv), G::in_check(&next), "{text} in {fen}");
        assert_eq!(G::to_move(&next), G::to_move(position).other());
        check_atoms::<G>(&MoveContext::new(position, &next, mv, previous));
        assert!(texts.insert(text), "two moves are written alike in {fen}");
    }
    for image in G::images(position) {
        assert_eq!(legal_moves::<G>(&image).len(), moves.len(), "{fen}");
    }
    if thorough {
        for evaluation in G::evaluation_names() {
            let engine = G::built_in(evaluation).unwrap().engine(&Setup::plain(ExtensionTable::default(), 1));
            let report = engine.thinker().search(Root { previous, ..Root::bare(position) }, Limits::nodes(50), &mut ());
            assert!(report.best.is_some_and(|mv| moves.contains(&mv)));
            let quiet = engine.thinker().search(Root { previous, ..Root::bare(position) }, Limits::depth(1), &mut ());
            // Quiescence may see a mate; else only a move that ends the game is worth more than any evaluation.
            let ends = moves.iter().any(|&mv| outcome::<G>(&after::<G>(position, mv)).is_some());
            assert!(quiet.score.abs() < LONGEST_WIN || ends || G::QUIESCENCE, "{evaluation} in {fen}: {}", quiet.score);
        }
    }
}

/// Asking for some atoms gives those that asking for all gives.
fn check_atoms<G: RegisteredGame>(context: &MoveContext<'_, G>) {
    let all = G::atoms(context, G::VOCABULARY.all());
    for index in 0..G::VOCABULARY.atoms.len() {
        let wanted = AtomSet::single(index);
        assert_eq!(G::atoms(context, wanted), AtomSet(all.0 & wanted.0), "{}", G::VOCABULARY.atoms[index].name);
    }
    // A child is a special case of its parent.
    for child in all.indices() {
        if let Some(parent) = G::VOCABULARY.atoms[child].parent.and_then(|name| G::VOCABULARY.index(name)) {
            assert!(all.contains(AtomSet::single(parent)));
        }
    }
}

fn only_moves_have_their_shape<G: RegisteredGame>() {
    for text in ["", "(none)", "banana", "Nf3", "e2e44", "\u{e9}\u{e9}", "--"] {
        assert!(!G::has_move_shape(text), "{}: {text}", G::NAME);
    }
}

#[test]
fn no_other_answer_has_the_shape_of_a_move() {
    for &game in GameName::all() {
        with_game!(game, G => only_moves_have_their_shape::<G>());
    }
}

#[test]
fn breakthrough_conforms() {
    conforms::<Breakthrough>();
}

#[test]
fn chess_conforms() {
    conforms::<Chess>();
}

#[test]
fn othello_conforms() {
    conforms::<Othello>();
}
