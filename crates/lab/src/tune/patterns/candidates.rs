// SPDX-License-Identifier: GPL-3.0-or-later
//! The patterns that are selected from, one for each class of images.
//!
//! Those of rules are the paper's. The others need no rules: conjunctions of facts as in GLEM (M. Buro, "From Simple
//! Features to Sophisticated Evaluation Functions", 1998), and the fixed shapes of the same author.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::columns::Columns;
use halfply_engine::patterns::board::Board;
use halfply_engine::patterns::generate::{GenerateSettings, Generated, generate};
use halfply_engine::patterns::{Content, Frame, Pattern, Theory};

/// The least length of a diagonal that is a shape.
const SHORTEST: u8 = 4;

/// Columns and rows of a shape in a corner.
const CORNER: u8 = 3;

/// The patterns of a theory's features, sorted.
pub fn of_rules(
    theory: &Theory,
    frame: &Frame,
    settings: &GenerateSettings,
    observe: &mut dyn FnMut(&Generated),
) -> Vec<Pattern> {
    let generated = generate(theory, settings, observe);
    let all: BTreeSet<Pattern> = generated.patterns.iter().map(|&pattern| frame.representative(pattern)).collect();
    all.into_iter().collect()
}

/// All conjunctions of up to `longest` facts that match in at least `least` positions with all their images (GLEM), found
/// as Agrawal and Srikant's Apriori finds sets: a conjunction is rare if one of its parts is.
pub fn of_facts(board: Board, frame: &Frame, columns: &Columns, longest: u32, least: u64) -> Vec<Pattern> {
    let facts = || Content::ALL.into_iter().flat_map(|content| board.squares().map(move |square| (content, square)));
    let mut level = BTreeSet::from([Pattern::default()]);
    let mut found: Vec<Pattern> = Vec::new();
    for _ in 0..longest {
        let longer = level.iter().flat_map(|&pattern| {
            let more = facts().filter_map(move |(content, square)| pattern.with(content, square));
            more.filter(move |longer| longer.length() > pattern.length())
        });
        let longer: BTreeSet<Pattern> = longer.map(|pattern| frame.representative(pattern)).collect();
        level = longer.into_iter().filter(|&pattern| columns.count(pattern) >= least).collect();
        found.extend(&level);
    }
    found.sort_unstable();
    found
}

/// The squares of Buro's shapes: rows, columns, diagonals of four squares or more, and the corners of 3x3 squares. On 8x8
/// these are 38, as many as match a position in the paper's Table 4.
pub fn shapes(board: Board) -> Vec<u64> {
    let of = |is_in: &dyn Fn(i8, i8) -> bool| -> u64 {
        let squares = board.squares().filter(|square| is_in((square % 8) as i8, (square / 8) as i8));
        squares.map(|square| 1 << square).sum()
    };
    let (columns, rows) = (board.columns as i8, board.rows as i8);
    let mut shapes: Vec<u64> = Vec::new();
    shapes.extend((0..rows).map(|row| of(&|_, y| y == row)));
    shapes.extend((0..columns).map(|column| of(&|x, _| x == column)));
    shapes.extend((0..columns + rows).map(|sum| of(&|x, y| x + y == sum)));
    shapes.extend((-rows..columns).map(|difference| of(&|x, y| x - y == difference)));
    shapes.retain(|shape| shape.count_ones() >= SHORTEST.into());
    let corner = CORNER as i8;
    for east in [false, true] {
        for last in [false, true] {
            shapes.push(of(&|x, y| {
                (if east { x >= columns - corner } else { x < corner })
                    && (if last { y >= rows - corner } else { y < corner })
            }));
        }
    }
    shapes
}

/// What stands on all squares of a shape, for each shape of each position, if it occurs at least `least` times. Images
/// count as one.
pub fn of_shapes(board: Board, frame: &Frame, positions: &[Pattern], least: u64) -> Vec<Pattern> {
    let shapes = shapes(board);
    let mut seen: HashMap<Pattern, u64> = HashMap::new();
    for position in positions {
        for &shape in &shapes {
            *seen.entry(position.on(shape)).or_default() += 1;
        }
    }
    let mut classes: HashMap<Pattern, u64> = HashMap::new();
    for (pattern, count) in seen {
        *classes.entry(frame.representative(pattern)).or_default() += count;
    }
    let common: HashSet<Pattern> =
        classes.into_iter().filter(|&(_, count)| count >= least).map(|(pattern, _)| pattern).collect();
    let mut found: Vec<Pattern> = common.into_iter().collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::patterns::tests::{board, frame, positions};
    use halfply_engine::patterns::View;

    #[test]
    fn there_are_38_shapes_and_each_matches_once() {
        let shapes = shapes(board());
        assert_eq!(shapes.len(), 38);
        let (frame, positions) = (frame(View::Mover), positions(20));
        let found = of_shapes(board(), &frame, &positions, 1);
        let images: Vec<Pattern> =
            found.iter().flat_map(|&pattern| frame.images(pattern).unwrap()).map(|(image, _)| image).collect();
        for &position in &positions {
            assert_eq!(images.iter().filter(|image| image.is_part_of(position)).count(), 38);
        }
        assert!(of_shapes(board(), &frame, &positions, 2).len() < found.len());
    }

    #[test]
    fn conjunctions_of_facts_are_all_that_are_common() {
        let (frame, positions) = (frame(View::Players), positions(40));
        let columns = Columns::new(&frame, &positions);
        let least = 90;
        let found = of_facts(board(), &frame, &columns, 2, least);
        assert!(found.iter().all(|&pattern| columns.count(pattern) >= least));
        let facts: Vec<_> =
            Content::ALL.into_iter().flat_map(|content| (0..64).map(move |square| (content, square))).collect();
        let all = facts.iter().flat_map(|&(content, square)| {
            let first = Pattern::default().with(content, square).unwrap();
            facts.iter().filter_map(move |&(content, square)| first.with(content, square))
        });
        let common = all.filter(|&pattern| columns.count(pattern) >= least).map(|p| frame.representative(p));
        let common: BTreeSet<Pattern> = common.collect();
        assert_eq!(found, common.into_iter().collect::<Vec<_>>());
        assert!(found.iter().any(|pattern| pattern.length() == 2));
    }
}
