// SPDX-License-Identifier: GPL-3.0-or-later
//! Singular extensions (Anantharaman, Campbell and Hsu 1990), as engines have them today: if a shallower search of all
//! other moves stays clearly below the score of the known move, that move is searched deeper. If it does not, several
//! moves are good, and the node fails high at once or the known move is searched less deep.

use super::super::score::LEAST_WIN;
use super::super::{Depth, Score};
use super::table::{Bound, Entry};
use super::{Place, Worker};
use crate::evaluation::Evaluation;
use crate::game::Tactics;

/// How far below its depth a node's entry may be to name a singular move.
const OLDEST: Depth = Depth::hundredths(300);

/// The result of a singular search.
pub(super) enum Singular {
    /// The known move costs so much less than usual, or more if that is negative.
    Extended(Depth),
    /// Other moves fail high as well: the node does, with this score.
    FailsHigh(Score),
}

impl<G: Tactics, E: Evaluation<G>> Worker<'_, G, E> {
    /// Searches all moves of a node but the known one. None if that is not worth it here.
    pub(super) fn singular<const PRINCIPAL: bool>(
        &mut self,
        position: &G::Position,
        previous: Option<G::Move>,
        place: Place,
        entry: Option<Entry>,
        beta: Score,
    ) -> Option<Singular> {
        let parameters = self.parameters;
        let depth = place.depth.as_hundredths();
        if !parameters.singular_extensions
            || depth < parameters.singular_depth
            || place.ply >= 2 * self.iteration as usize
            || self.frames[place.ply].excluded.is_some()
        {
            return None;
        }
        let entry = entry.filter(|entry| {
            entry.mv.is_some()
                && entry.bound != Bound::Upper
                && entry.depth + OLDEST >= place.depth
                && entry.score.abs() < LEAST_WIN
        })?;
        let margin = self.margin(parameters.singular_margin * depth / 10_000).max(1);
        let expected = entry.score - margin;
        let half = Place { depth: Depth::hundredths((depth - 100) / 2), ..place };
        self.frames[place.ply].excluded = entry.mv;
        let score = self.expand::<false>(position, previous, half, Some(entry), expected - 1, expected);
        self.frames[place.ply].excluded = None;
        if self.stopped {
            return None;
        }
        let extension = |hundredths: i32| Some(Singular::Extended(Depth::hundredths(hundredths)));
        if score < expected {
            let twice = !PRINCIPAL && score < expected - self.margin(parameters.singular_double);
            extension(if twice { 2 * parameters.singular_extension } else { parameters.singular_extension })
        } else if !PRINCIPAL && expected >= beta {
            Some(Singular::FailsHigh(expected))
        } else if entry.score >= beta || (!PRINCIPAL && place.cut) {
            extension(-parameters.singular_reduction)
        } else {
            extension(0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{place, with_worker};
    use super::*;
    use crate::game::Notation;
    use crate::games::Chess;
    use crate::search::Parameters;

    const PARAMETERS: Parameters = Parameters {
        singular_extensions: true,
        singular_depth: 300,
        singular_double: 500,
        singular_reduction: 70,
        ..Parameters::DEFAULT
    };

    /// What a singular search at depth 4 says of a move that has that score, in hundredths of a ply or as a score.
    fn said(parameters: &Parameters, fen: &str, mv: &str, score: Score, beta: Score) -> Option<i32> {
        let position = Chess::parse_position(fen).unwrap();
        let mv = Chess::pack(Chess::parse_move(&position, mv).unwrap());
        let depth = Depth::plies(4);
        let entry = Entry { mv: Some(mv), score, bound: Bound::Lower, depth, evaluation: None };
        with_worker(parameters, |worker| {
            worker.iteration = 9;
            let place = Place { ply: 2, ..place::<Chess>(&position, 400) };
            let singular = worker.singular::<false>(&position, None, place, Some(entry), beta);
            assert_eq!(worker.frames[2].excluded, None);
            singular.map(|singular| match singular {
                Singular::Extended(by) => by.as_hundredths(),
                Singular::FailsHigh(score) => score,
            })
        })
    }

    #[test]
    fn the_only_good_move_is_extended() {
        // A recapture: every other move leaves Black a rook ahead.
        let recapture = "4k3/8/8/8/8/8/4r3/4K2R w - - 0 1";
        assert_eq!(said(&PARAMETERS, recapture, "e1e2", 500, 600), Some(100));
        let twice = Parameters { singular_double: 0, ..PARAMETERS };
        assert_eq!(said(&twice, recapture, "e1e2", 500, 600), Some(200));
        assert_eq!(said(&Parameters { singular_depth: 500, ..PARAMETERS }, recapture, "e1e2", 500, 600), None);
        assert_eq!(said(&Parameters { singular_extensions: false, ..PARAMETERS }, recapture, "e1e2", 500, 600), None);
    }

    #[test]
    fn where_other_moves_are_as_good_the_node_fails_high_or_the_move_is_reduced() {
        // White is a queen ahead whatever it plays.
        let ahead = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
        assert!(said(&PARAMETERS, ahead, "a1a2", 300, 200).is_some_and(|score| (200..300).contains(&score)));
        assert_eq!(said(&PARAMETERS, ahead, "a1a2", 300, 300), Some(-70));
        assert_eq!(said(&PARAMETERS, ahead, "a1a2", 300, 310), Some(0));
    }
}
