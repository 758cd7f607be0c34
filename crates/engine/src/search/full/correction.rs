// SPDX-License-Identifier: GPL-3.0-or-later
//! Correction history: by how much searches differed from the static evaluation in positions that share a structure
//! (pawns, for example). The mean error of the evaluation there is then subtracted from it.

use super::super::Score;
use super::super::score::LEAST_WIN;
use super::history::step;
use super::table::Bound;
use super::{Place, Worker};
use crate::base::mix::mix;
use crate::evaluation::Evaluation;
use crate::game::{Side, Tactics};

/// Entries for each structure and side.
const ENTRIES: usize = 1 << 14;

/// The limit of an entry.
const MOST: i32 = 1_024;

/// A search to this depth in hundredths of a ply counts fully.
const FULL_DEPTH: i32 = 800;

/// The errors of the evaluation: for each of the structures that the game names, by side and key.
pub struct Corrections(Box<[i16]>);

impl Corrections {
    /// No errors are known of so many structures of a position.
    pub fn new(structures: usize) -> Self {
        Self(vec![0; structures * 2 * ENTRIES].into_boxed_slice())
    }

    /// The sum of the entries of a position's structures.
    fn of(&self, side: Side, structures: &[u64]) -> i32 {
        let places = structures.iter().enumerate().map(|(kind, &key)| place_of(kind, side, key));
        places.filter_map(|place| self.0.get(place)).map(|&number| i32::from(number)).sum()
    }

    /// Moves the entries of a position's structures towards an error.
    fn learn(&mut self, side: Side, structures: &[u64], bonus: i32) {
        for (kind, &key) in structures.iter().enumerate() {
            if let Some(number) = self.0.get_mut(place_of(kind, side, key)) {
                step(number, bonus, MOST);
            }
        }
    }
}

fn place_of(kind: usize, side: Side, key: u64) -> usize {
    (kind * 2 + side.index()) * ENTRIES + (mix(key) >> 50) as usize
}

impl<G: Tactics, E: Evaluation<G>> Worker<'_, G, E> {
    /// A static evaluation, less the error that is known of such positions.
    #[inline]
    pub(super) fn corrected(&self, position: &G::Position, evaluation: Score) -> Score {
        if !self.parameters.correction_history || evaluation.abs() >= LEAST_WIN {
            return evaluation;
        }
        let sum = self.corrections.of(G::to_move(position), G::structures(position).as_ref());
        let correction = sum * self.margin(self.parameters.correction_weight) / MOST;
        (evaluation + correction).clamp(-LEAST_WIN + 1, LEAST_WIN - 1)
    }

    /// A search has found the value of a node, or a bound of it. Learns from it how wrong the corrected evaluation is, unless
    /// the bound allows that it is right.
    pub(super) fn learn_correction(
        &mut self,
        position: &G::Position,
        place: Place,
        evaluation: Score,
        value: Score,
        bound: Bound,
    ) {
        let may_be_right = match bound {
            Bound::Lower => value <= evaluation,
            Bound::Upper => value >= evaluation,
            Bound::Exact => false,
        };
        if !self.parameters.correction_history || may_be_right || value.abs() >= LEAST_WIN {
            return;
        }
        let error = (value - evaluation) * 100 / self.evaluation.unit();
        let depth = place.depth.as_hundredths().clamp(0, 2 * FULL_DEPTH);
        let bonus = (error * depth / FULL_DEPTH).clamp(-MOST / 4, MOST / 4);
        self.corrections.learn(G::to_move(position), G::structures(position).as_ref(), bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Bound;
    use super::super::tests::{place, with_worker};
    use crate::game::Notation;
    use crate::games::Chess;
    use crate::search::Parameters;

    const PARAMETERS: Parameters =
        Parameters { correction_history: true, correction_weight: 60, ..Parameters::DEFAULT };

    #[test]
    fn what_searches_found_corrects_positions_of_the_same_structure() {
        let read = |fen: &str| Chess::parse_position(fen).unwrap();
        let start = read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let without_queens = read("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
        let other = read("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        let after = |errors: i32, parameters: &Parameters| {
            with_worker(parameters, |worker| {
                for _ in 0..errors {
                    worker.learn_correction(&start, place::<Chess>(&start, 800), 10, 50, Bound::Exact);
                }
                [&start, &without_queens, &other].map(|position| worker.corrected(position, 10) - 10)
            })
        };
        assert_eq!(after(0, &PARAMETERS), [0; 3]);
        let [same, alike, unlike] = after(3, &PARAMETERS);
        // Pawns and light pieces stand alike without queens; heavy pieces do not.
        assert!(same > alike && alike > 0 && unlike == 0, "{same} {alike} {unlike}");
        // All three structures at the end of the scale, and no farther.
        assert!((150..=180).contains(&after(1_000, &PARAMETERS)[0]));
        assert_eq!(after(3, &Parameters { correction_history: false, ..PARAMETERS })[0], 0);
    }

    #[test]
    fn a_bound_that_the_evaluation_keeps_is_no_error() {
        let position = Chess::parse_position("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").unwrap();
        for (bound, value, direction) in [
            (Bound::Lower, 50, 1),
            (Bound::Lower, -50, 0),
            (Bound::Upper, 50, 0),
            (Bound::Upper, -50, -1),
            (Bound::Exact, 50, 1),
            (Bound::Exact, -50, -1),
        ] {
            with_worker(&PARAMETERS, |worker| {
                for _ in 0..9 {
                    worker.learn_correction(&position, place::<Chess>(&position, 800), 0, value, bound);
                }
                assert_eq!(worker.corrected(&position, 0).signum(), direction, "{bound:?} {value}");
            });
        }
    }

    #[test]
    fn wins_are_no_errors() {
        let position = Chess::parse_position("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").unwrap();
        with_worker(&PARAMETERS, |worker| {
            worker.learn_correction(&position, place::<Chess>(&position, 800), 10, 29_990, Bound::Exact);
            assert_eq!(worker.corrected(&position, 10), 10);
        });
    }
}
