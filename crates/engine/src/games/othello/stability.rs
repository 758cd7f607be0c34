// SPDX-License-Identifier: GPL-3.0-or-later
//! Stable discs: those that can never be turned over again.

use super::board::{FILE_A, FILE_H, TOP_AND_BOTTOM};

/// The corners.
pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The step of each line through a square, and the squares at which it ends because of a file's edge.
const LINES: [(u32, u64); 4] = [(1, FILE_A | FILE_H), (8, 0), (7, FILE_A | FILE_H), (9, FILE_A | FILE_H)];

/// By line: the squares at which it begins or ends.
const ENDS: [u64; 4] =
    [FILE_A | FILE_H, TOP_AND_BOTTOM, FILE_A | FILE_H | TOP_AND_BOTTOM, FILE_A | FILE_H | TOP_AND_BOTTOM];

/// The stable ones among a side's discs that two facts show; there may be more. Along each of its four lines a stable disc
/// is safe for one of these reasons: the line is full, or ends at the disc, or a stable disc of the same side is beside it
/// on the line.
pub(super) fn stable(own: u64, opposing: u64) -> u64 {
    let empty = !(own | opposing);
    // By line: discs that are safe along it whatever their neighbours are.
    let safe: [u64; 4] = std::array::from_fn(|line| ENDS[line] | !along(empty, LINES[line].0, LINES[line].1));
    let mut stable = own & safe[0] & safe[1] & safe[2] & safe[3];
    if stable == 0 {
        return 0;
    }
    loop {
        let beside = |line: usize| {
            let (step, edges) = LINES[line];
            safe[line] | neighbours(stable, step, edges)
        };
        let more = own & beside(0) & beside(1) & beside(2) & beside(3);
        if more == stable {
            return stable;
        }
        stable = more;
    }
}

/// The squares beside those of a set on lines of that step; `edges` are the files that end such lines, or none.
fn neighbours(set: u64, step: u32, edges: u64) -> u64 {
    // A step up leads away from the h-file, unless it is the one of seven squares.
    let (up, down) = if step == 7 { (edges & FILE_A, edges & FILE_H) } else { (edges & FILE_H, edges & FILE_A) };
    (set & !up) << step | (set & !down) >> step
}

/// All squares of the lines of that step which have a square of the set.
fn along(set: u64, step: u32, edges: u64) -> u64 {
    let mut lines = set;
    loop {
        let more = lines | neighbours(lines, step, edges);
        if more == lines {
            return lines;
        }
        lines = more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::othello::Position;
    use crate::games::{Othello, random_game};

    fn squares(names: &[&str]) -> u64 {
        names.iter().map(|name| 1 << ((name.as_bytes()[1] - b'1') * 8 + name.as_bytes()[0] - b'a')).sum()
    }

    fn own_stable(board: &str) -> u64 {
        let position = Othello::parse_position(&format!("{board} X")).unwrap();
        stable(position.own, position.opposing)
    }

    #[test]
    fn discs_grow_stable_from_corners_and_on_full_lines() {
        assert_eq!(own_stable("---------------------------OX------XO---------------------------"), 0);
        // From the corner along the edge; b2 needs both edges beside it.
        let board = "XXX-----XX------X----------OX------XO---------------------------";
        assert_eq!(own_stable(board), squares(&["a1", "b1", "c1", "a2", "b2", "a3"]));
        let board = "XX------XX-----------------OX------XO---------------------------";
        assert_eq!(own_stable(board), squares(&["a1", "b1", "a2"]));
        // A full edge holds discs of either side.
        let board = "OXXOXXOO-------------------OX------XO---------------------------";
        assert_eq!(own_stable(board), squares(&["b1", "c1", "e1", "f1"]));
    }

    #[test]
    fn no_stable_disc_is_ever_turned_over() {
        let mut found = 0;
        for seed in 0..500 {
            let mut known = [0; 2];
            for position in random_game::<Othello>(seed).positions() {
                let discs = position.discs();
                assert_eq!([known[0] & !discs[0], known[1] & !discs[1]], [0, 0], "{}", Othello::draw(position));
                let Position { own, opposing, turn, .. } = *position;
                known[turn.index()] |= stable(own, opposing);
                known[turn.other().index()] |= stable(opposing, own);
            }
            found += known[0].count_ones() + known[1].count_ones();
        }
        assert!(found > 10_000, "{found} stable discs");
    }
}
