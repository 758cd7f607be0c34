// SPDX-License-Identifier: GPL-3.0-or-later
//! Realization-probability search: unlikely moves are searched less deep at first, and again if they surprise (Tsuruoka,
//! Yokoyama and Chikayama 2002; Skowronski 2009, Algorithm 2).
//!
//! A move is *unlikely* if it costs more than [`THRESHOLD`]. It is searched by a null window to the depth that its cost
//! leaves. If it is better than the best move so far, it is searched again as if it cost the threshold.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::{Depth, Score};

/// The greatest cost of a move that is not unlikely, and the cost with which surprising moves are searched again.
pub(crate) const THRESHOLD: Depth = Depth::PLY;

/// The least reduction by which the enhanced search has an intermediate depth.
const LARGE: Depth = Depth::hundredths(50);

/// How moves that cost more than one ply are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Realization {
    /// Less deep, once: plain fractional plies.
    #[default]
    Off,
    /// Realization-probability search: less deep by a null window, and again with a cost of one ply if they surprise.
    Rps,
    /// Enhanced realization-probability search (our reading of Skowronski 2009, section 2.2.5): as `rps`, but moves that
    /// cost 1.5 plies or more have a depth half way between. Moves that surprise must do so there too, and moves that
    /// fail low by less than a pawn are searched again there.
    Erps,
}

impl Realization {
    /// All, the default first.
    pub const ALL: [Self; 3] = [Self::Off, Self::Rps, Self::Erps];

    /// Its name in commands and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Rps => "rps",
            Self::Erps => "erps",
        }
    }

    /// Whether it is off. Records leave it out then.
    #[must_use]
    pub fn is_off(&self) -> bool {
        *self == Self::Off
    }

    /// How much more an unlikely move costs at first than when it is searched again; zero for other moves, and if this is
    /// off.
    #[inline]
    pub(crate) fn excess(self, cost: Depth) -> Depth {
        if self.is_off() || cost <= THRESHOLD { Depth::ZERO } else { cost - THRESHOLD }
    }

    /// The excess that is left at the intermediate depth; none if there is no such depth.
    #[inline]
    pub(crate) fn intermediate(self, excess: Depth) -> Option<Depth> {
        (self == Self::Erps && excess >= LARGE).then(|| Depth::hundredths(excess.as_hundredths() / 2))
    }

    /// Whether the intermediate search is made, after the first one returned `score`. A pawn is worth `unit`.
    #[inline]
    pub(crate) fn is_near(score: Score, alpha: Score, unit: Score) -> bool {
        score > alpha - unit
    }

    /// The value of an unlikely move for the side that plays it (Algorithm 2, lines 9 to 15). `search` returns the value of
    /// the move at a cost, in a window.
    #[inline]
    pub(crate) fn value(
        self,
        cost: Depth,
        (alpha, beta): (Score, Score),
        unit: Score,
        mut search: impl FnMut(Depth, Score, Score) -> Score,
    ) -> Score {
        let mut score = search(cost, alpha, alpha + 1);
        if let Some(excess) = self.intermediate(self.excess(cost))
            && Self::is_near(score, alpha, unit)
        {
            score = search(THRESHOLD + excess, alpha, alpha + 1);
        }
        if score > alpha { search(THRESHOLD, alpha, beta) } else { score }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The searches of a move that costs so much, if they return these values in turn, in a window from 0 to 500.
    fn searches(realization: Realization, hundredths: i32, values: &[Score]) -> (Score, Vec<(i32, Score, Score)>) {
        let (mut made, mut values) = (Vec::new(), values.iter());
        let value = realization.value(Depth::hundredths(hundredths), (0, 500), 100, |cost, alpha, beta| {
            made.push((cost.as_hundredths(), alpha, beta));
            *values.next().expect("no more searches than values")
        });
        assert_eq!(values.next(), None, "{made:?}");
        (value, made)
    }

    #[test]
    fn an_unlikely_move_is_searched_again_if_it_surprises() {
        for realization in [Realization::Rps, Realization::Erps] {
            assert_eq!(searches(realization, 125, &[0]), (0, vec![(125, 0, 1)]));
            assert_eq!(searches(realization, 125, &[1, 70]), (70, vec![(125, 0, 1), (100, 0, 500)]));
            assert_eq!(searches(realization, 125, &[1, -70]), (-70, vec![(125, 0, 1), (100, 0, 500)]));
        }
        assert_eq!(searches(Realization::Rps, 300, &[0]), (0, vec![(300, 0, 1)]));
        assert_eq!(searches(Realization::Rps, 300, &[1, 70]), (70, vec![(300, 0, 1), (100, 0, 500)]));
    }

    #[test]
    fn the_enhanced_search_has_a_depth_half_way() {
        let (first, second, third) = ((300, 0, 1), (200, 0, 1), (100, 0, 500));
        let enhanced = |values: &[Score]| searches(Realization::Erps, 300, values);
        // Far below the window: as in the other search.
        assert_eq!(enhanced(&[-100]), (-100, vec![first]));
        // Nearly in it, or a surprise: both have to be better half way.
        assert_eq!(enhanced(&[-99, 0]), (0, vec![first, second]));
        assert_eq!(enhanced(&[-99, 1, 70]), (70, vec![first, second, third]));
        assert_eq!(enhanced(&[1, 0]), (0, vec![first, second]));
        assert_eq!(enhanced(&[1, 1, 70]), (70, vec![first, second, third]));
    }

    #[test]
    fn moves_that_cost_a_ply_or_less_are_not_unlikely() {
        for realization in Realization::ALL {
            assert_eq!(realization.excess(Depth::hundredths(100)), Depth::ZERO);
            let excess = if realization.is_off() { 0 } else { 1 };
            assert_eq!(realization.excess(Depth::hundredths(101)).as_hundredths(), excess);
        }
    }
}
