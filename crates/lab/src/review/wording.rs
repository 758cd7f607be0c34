// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves with their numbers, lines of them, and verdicts in words.

use super::judgement::{Judged, Reviewed};
use super::played::Played;
use halfply_engine::evaluation::network::Inputs;
use halfply_engine::game::{Game, Notation, Side};

/// The number of a move, as it stands before the move of its side: `12.` or `12...`. A side that passes has a move.
pub(super) fn number<G: Notation>(played: &Played<G>, ply: usize) -> String {
    let sides = played.history.positions().iter().take(ply).filter(|position| G::to_move(position) == Side::Black);
    let number = u64::from(played.first_number) + sides.count() as u64;
    let is_first = played.history.positions().get(ply).is_some_and(|position| G::to_move(position) == Side::White);
    format!("{number}{}", if is_first { "." } else { "..." })
}

/// A line that might have been played after so many moves, as words: numbers and moves.
pub(super) fn line<G: Notation>(played: &Played<G>, ply: usize, moves: &[G::Move]) -> Vec<String> {
    let Some(position) = played.history.positions().get(ply) else { return Vec::new() };
    let mut position = position.clone();
    let mut words = vec![number(played, ply)];
    let mut move_number: u64 = words[0].trim_end_matches('.').parse().unwrap_or_default();
    for (place, &mv) in moves.iter().enumerate() {
        let side = G::to_move(&position);
        if side == Side::White && place > 0 {
            words.push(format!("{move_number}."));
        }
        words.push(G::record_move(&position, mv));
        move_number += u64::from(side == Side::Black);
        <G as Game>::play(&mut position, mv);
    }
    words
}

/// The first moves of what would have been better, as a text; empty if nothing would.
pub(super) fn better<G: Notation>(played: &Played<G>, judged: &Judged<G::Move>, most: usize) -> String {
    if judged.better.is_empty() {
        return String::new();
    }
    let words = line(played, judged.ply, &judged.better[..judged.better.len().min(most)]);
    // The first move stands in the row of the one that was played, which has the same number.
    words[1..].join(" ")
}

/// `64 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// A move with its number and sign: `12... Qd7??`.
pub(super) fn named<G: Inputs + Notation>(reviewed: &Reviewed<'_, G>, judged: &Judged<G::Move>) -> String {
    format!("{} {}{}", number(reviewed.played, judged.ply), judged.text, judged.class.sign())
}

/// What was decisive, in a sentence.
pub(super) fn turning<G: Inputs + Notation>(reviewed: &Reviewed<'_, G>) -> Option<String> {
    let judged = &reviewed.moves[reviewed.turning?];
    let name = reviewed.played.name(judged.side);
    let (before, after) = (percent(judged.before), percent(judged.after));
    Some(format!("{}: {name} could expect {before}, and {after} afterwards", named(reviewed, judged)))
}
