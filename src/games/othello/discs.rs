// SPDX-License-Identifier: GPL-3.0-or-later
//! What a network sees of Othello: an own disc or one of the opponent on each square.

use super::Othello;
use super::board::squares;
use crate::evaluation::network::{Active, Changes, Inputs, MOST_CHANGED};
use crate::game::Side;

/// Squares of the board; the opponent's discs follow behind as many.
const SQUARES: u32 = super::board::SQUARES;

/// The board as a side sees it: its own discs and the opponent's. Neither side has an end of its own.
const fn seen([first, second]: [u64; 2], side: Side) -> [u64; 2] {
    if matches!(side, Side::White) { [first, second] } else { [second, first] }
}

impl Inputs for Othello {
    const INPUTS: usize = 2 * SQUARES as usize;

    const MIRRORED: bool = true;

    /// About ten discs: ours.
    const LOGIT: f64 = 1_000.0;

    fn mirrored(input: u32) -> u32 {
        input ^ 7
    }

    fn active(boards: &[u64; 2], side: Side) -> Active {
        let [own, other] = seen(*boards, side);
        squares(own).chain(squares(other & !own).map(|square| square + SQUARES)).collect()
    }

    fn changes(from: &[u64; 2], to: &[u64; 2], side: Side) -> Option<Changes> {
        let (from, to) = (seen(*from, side), seen(*to, side));
        let mut changes = Changes::default();
        for (place, (from, to)) in from.into_iter().zip(to).enumerate() {
            let first = place as u32 * SQUARES;
            for (list, set) in [(&mut changes.off, from & !to), (&mut changes.on, to & !from)] {
                if list.len() + set.count_ones() as usize > MOST_CHANGED {
                    return None;
                }
                list.extend(squares(set).map(|square| first + square));
            }
        }
        Some(changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Pieces, Symmetry, after, legal_moves};

    fn sorted(inputs: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut inputs: Vec<u32> = inputs.into_iter().collect();
        inputs.sort_unstable();
        inputs
    }

    #[test]
    fn a_side_sees_its_own_discs_first() {
        let boards = Othello::boards(&Othello::start());
        assert_eq!(sorted(Othello::active(&boards, Side::White)), [28, 35, 64 + 27, 64 + 36]);
        assert_eq!(sorted(Othello::active(&boards, Side::Black)), [27, 36, 64 + 28, 64 + 35]);
    }

    #[test]
    fn changes_and_mirror_images_are_those_of_the_positions() {
        let mut position = Othello::start();
        while !legal_moves::<Othello>(&position).is_empty() {
            let moves = legal_moves::<Othello>(&position);
            let next = after::<Othello>(&position, moves[moves.len() / 2]);
            let (from, to) = (Othello::boards(&position), Othello::boards(&next));
            for side in [Side::White, Side::Black] {
                let changes = Othello::changes(&from, &to, side).expect("a move changes few discs");
                let mut kept = Othello::active(&from, side).to_vec();
                kept.retain(|input| !changes.off.contains(input));
                kept.extend(changes.on);
                assert_eq!(sorted(kept), sorted(Othello::active(&to, side)));
                let mirror = Othello::boards(&Othello::images(&next)[1]);
                let mirrored = Othello::active(&to, side).into_iter().map(Othello::mirrored);
                assert_eq!(sorted(mirrored), sorted(Othello::active(&mirror, side)));
            }
            position = next;
        }
    }
}
