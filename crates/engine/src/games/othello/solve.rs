// SPDX-License-Identifier: GPL-3.0-or-later
//! Endgames as problems of `halfply solve`.

use super::endgame::Solver;
use super::{Othello, Position, board};
use crate::base::{Side, memory};
use crate::game::{Notation, NotationError, Undecided};
use crate::solve::{Limits, MemoryError, Problem, Solution, Value, Watch};

/// Bits of the table's size for so many empty squares: the table is never full then.
const BITS_BESIDES_EMPTY: u32 = 2;

impl Problem for Position {
    fn text(&self) -> String {
        Othello::format_position(self)
    }

    fn to_move(&self) -> Side {
        self.turn
    }

    fn solve(&self, limits: Limits, watch: &mut Watch<'_>) -> Result<Solution, MemoryError> {
        let empty = self.empty().count_ones();
        let most = (limits.memory / Solver::PAIR).max(1).ilog2();
        let bits = most.min(empty + BITS_BESIDES_EMPTY);
        let bytes = Solver::PAIR << bits;
        if memory::affordable(bytes) < bytes {
            return Err(MemoryError(bytes >> 20));
        }
        let mut look = |nodes| watch(nodes, format_args!("{empty} empty squares"));
        let mut solver = Solver::new(bits, limits.nodes.unwrap_or(u64::MAX)).watched(&mut look);
        let discs = solver.discs(self);
        // The value stands even if the work ends before the line is known.
        let line = discs.and_then(|_| solver.line(self)).unwrap_or_default();
        let nodes = solver.nodes();
        Ok(match discs {
            Ok(discs) => Solution {
                value: Some(Value { outcome: board::outcome(discs), margin: Some(discs) }),
                line: line.into_iter().map(|mv| Othello::text_move(self, mv)).collect(),
                nodes,
            },
            Err(Undecided) => Solution { value: None, line: Vec::new(), nodes },
        })
    }
}

/// Reads a position.
pub(super) fn problem(text: &str) -> Result<Box<dyn Problem>, NotationError> {
    Ok(Box::new(Othello::parse_position(text)?))
}
