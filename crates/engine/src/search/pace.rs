// SPDX-License-Identifier: GPL-3.0-or-later
//! How much of a move's time to use: less where iterations agree, more where they do not. It reads no clock.

use std::time::Duration;

use super::clock::Budget;
use super::{Iteration, Score};

/// The share of the usual time, in hundredths, by how many iterations in a row have found the same move.
const BY_STABILITY: [u32; 6] = [220, 180, 150, 130, 115, 100];

/// The greatest fall of the score from one iteration to the next that counts, in hundredths of a pawn. Each hundredth
/// adds a hundredth of the usual time.
const MOST_FALL: Score = 60;

/// The course of a search that has a budget of time.
#[derive(Clone, Debug)]
pub struct Pace<M> {
    budget: Budget,
    /// A pawn in the unit of the scores.
    unit: Score,
    /// The best move and its score in the last iteration.
    last: Option<(M, Score)>,
    /// Iterations in a row that found that move, without the first.
    stable: usize,
}

impl<M: Copy + Eq> Pace<M> {
    /// A search that begins; `unit` is a pawn.
    pub fn new(budget: Budget, unit: Score) -> Self {
        Self { budget, unit: unit.max(1), last: None, stable: 0 }
    }

    /// Whether another iteration may begin after this one, which was completed after so long.
    pub fn allows_iteration(&mut self, iteration: &Iteration<'_, M>, elapsed: Duration) -> bool {
        let now = iteration.line.first().map(|&mv| (mv, iteration.score));
        let same = self.last.zip(now).is_some_and(|((last, _), (now, _))| last == now);
        self.stable = if same { self.stable + 1 } else { 0 };
        let fall = self.last.zip(now).map_or(0, |((_, last), (_, now))| last.saturating_sub(now));
        self.last = now;
        if self.budget.is_exact() {
            return elapsed < self.budget.optimum;
        }
        let fall = (fall.saturating_mul(100) / self.unit).clamp(0, MOST_FALL).unsigned_abs();
        let share = BY_STABILITY[self.stable.min(BY_STABILITY.len() - 1)] + fall;
        elapsed < (self.budget.optimum * share / 100).min(self.budget.maximum)
    }

    /// Whether exactly the budget's time is to be used.
    pub fn is_exact(&self) -> bool {
        self.budget.is_exact()
    }

    /// Whether the search must stop after this time.
    pub fn is_used_up(&self, elapsed: Duration) -> bool {
        elapsed >= self.budget.maximum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::clock::exactly;

    const BUDGET: Budget =
        Budget { optimum: Duration::from_millis(100), maximum: Duration::from_millis(300), hurry: false };

    /// The longest time after which another iteration may begin when these moves and scores were found.
    fn longest(budget: Budget, found: &[(u8, Score)]) -> u128 {
        let allows = |elapsed| {
            let mut pace = Pace::new(budget, 50);
            let found = found.iter().zip(1..).map(|((mv, score), depth)| {
                let line = [*mv];
                let iteration =
                    Iteration { depth, height: depth, rank: 1, score: *score, nodes: 0, hash_full: None, line: &line };
                pace.allows_iteration(&iteration, elapsed)
            });
            found.last().unwrap_or(true)
        };
        let longest = (0..400).map(Duration::from_millis).filter(|&elapsed| allows(elapsed)).max();
        longest.unwrap_or_default().as_millis()
    }

    #[test]
    fn agreement_saves_time_and_bad_news_takes_more() {
        assert_eq!(longest(BUDGET, &[(1, 0)]), 219);
        assert_eq!(longest(BUDGET, &[(1, 0), (1, 0)]), 179);
        assert_eq!(longest(BUDGET, &[(1, 0); 20]), 99);
        assert_eq!(longest(BUDGET, &[(1, 0), (1, 0), (2, 0)]), 219);
        // A fall by 20 of 50 is two fifths of a pawn; a rise is no reason to think.
        assert_eq!(longest(BUDGET, &[(1, 0), (1, -20)]), 219);
        assert_eq!(longest(BUDGET, &[(1, 0), (1, 20)]), 179);
        assert_eq!(longest(BUDGET, &[(1, 0), (2, -30_000)]), 279);
        let short = Budget { maximum: Duration::from_millis(120), ..BUDGET };
        assert_eq!(longest(short, &[(1, 0)]), 119, "never more than the most");
        assert_eq!(longest(exactly(Duration::from_millis(50)), &[(1, 0); 20]), 49);
    }
}
