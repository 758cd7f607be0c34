// SPDX-License-Identifier: GPL-3.0-or-later
//! Realization-probability search: unlikely moves are searched less deep at first, and again if they surprise (Tsuruoka,
//! Yokoyama and Chikayama 2002; Skowronski 2009, Algorithm 2).
//!
//! A move is *unlikely* if it costs more than the threshold (`fp_threshold` there). It is searched by a null window to the
//! depth that its cost leaves. If it is better than the best move so far, it is searched again as if it cost the threshold.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Depth, Score};
use crate::base::depth::DepthError;

/// The least reduction by which the enhanced search has an intermediate depth.
const LARGE: Depth = Depth::hundredths(50);

/// How moves that cost more than a threshold are searched: `off`, `rps` or `erps`, and with another threshold than one ply
/// `rps@1.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Realization {
    /// Less deep, once: plain fractional plies.
    #[default]
    Off,
    /// Realization-probability search: less deep by a null window, and again with a cost of the threshold if they surprise.
    Rps(Depth),
    /// Enhanced realization-probability search (our reading of Skowronski 2009, section 2.2.5): as `Rps`, but moves that
    /// cost half a ply more than the threshold have a depth half way between. Moves that surprise must do so there too, and
    /// moves that fail low by less than a pawn are searched again there.
    Erps(Depth),
}

/// A text that names no way to search unlikely moves.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RealizationError {
    /// Another word.
    #[error("{0:?} is none of off, rps and erps; rps@1.5 has a threshold of 1.5 plies")]
    Unknown(String),
    /// A threshold that is no cost.
    #[error("the threshold in {0:?}: {1}")]
    Threshold(String, DepthError),
    /// A threshold below what a move without a row costs.
    #[error("the threshold in {0:?} is below one ply, which a move that no row matches costs")]
    Low(String),
}

impl Realization {
    /// The ways, the default first; the threshold is what an ordinary move costs.
    pub const ALL: [Self; 3] = [Self::Off, Self::Rps(Depth::PLY), Self::Erps(Depth::PLY)];

    /// The name of the way in commands and files, without its threshold.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Rps(_) => "rps",
            Self::Erps(_) => "erps",
        }
    }

    /// Whether it is off. Records leave it out then.
    pub fn is_off(&self) -> bool {
        *self == Self::Off
    }

    /// The same way with another threshold, at least a ply.
    pub const fn with_threshold(self, threshold: Depth) -> Self {
        match self {
            Self::Off => Self::Off,
            Self::Rps(_) => Self::Rps(threshold),
            Self::Erps(_) => Self::Erps(threshold),
        }
    }

    /// The greatest cost of a move that is not unlikely, and the cost with which surprising moves are searched again.
    #[inline]
    pub(crate) const fn threshold(self) -> Depth {
        match self {
            // Nothing costs more.
            Self::Off => Depth::MAX_COST,
            Self::Rps(threshold) | Self::Erps(threshold) => threshold,
        }
    }

    /// How much more an unlikely move costs at first than when it is searched again; zero for other moves, and if this is
    /// off.
    #[inline]
    pub(crate) fn excess(self, cost: Depth) -> Depth {
        if cost <= self.threshold() { Depth::ZERO } else { cost - self.threshold() }
    }

    /// The excess that is left at the intermediate depth; none if there is no such depth.
    #[inline]
    pub(crate) fn intermediate(self, excess: Depth) -> Option<Depth> {
        (matches!(self, Self::Erps(_)) && excess >= LARGE).then(|| Depth::hundredths(excess.as_hundredths() / 2))
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
        let threshold = self.threshold();
        let mut score = search(cost, alpha, alpha + 1);
        if let Some(excess) = self.intermediate(self.excess(cost))
            && Self::is_near(score, alpha, unit)
        {
            score = search(threshold + excess, alpha, alpha + 1);
        }
        if score > alpha { search(threshold, alpha, beta) } else { score }
    }
}

impl fmt::Display for Realization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rps(threshold) | Self::Erps(threshold) if threshold != Depth::PLY => {
                write!(f, "{}@{threshold}", self.name())
            }
            _ => f.write_str(self.name()),
        }
    }
}

impl FromStr for Realization {
    type Err = RealizationError;

    fn from_str(text: &str) -> Result<Self, RealizationError> {
        let (name, threshold) = text.split_once('@').map_or((text, None), |(name, plies)| (name, Some(plies)));
        let named = Self::ALL.into_iter().find(|way| way.name() == name && !(way.is_off() && threshold.is_some()));
        let way = named.ok_or_else(|| RealizationError::Unknown(text.to_owned()))?;
        let Some(plies) = threshold else { return Ok(way) };
        let threshold = plies.parse().map_err(|error| RealizationError::Threshold(text.to_owned(), error))?;
        if threshold < Depth::PLY {
            return Err(RealizationError::Low(text.to_owned()));
        }
        Ok(way.with_threshold(threshold))
    }
}

impl TryFrom<String> for Realization {
    type Error = RealizationError;

    fn try_from(text: String) -> Result<Self, RealizationError> {
        text.parse()
    }
}

impl From<Realization> for String {
    fn from(realization: Realization) -> Self {
        realization.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RPS: Realization = Realization::Rps(Depth::PLY);
    const ERPS: Realization = Realization::Erps(Depth::PLY);

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
        for realization in [RPS, ERPS] {
            assert_eq!(searches(realization, 125, &[0]), (0, vec![(125, 0, 1)]));
            assert_eq!(searches(realization, 125, &[1, 70]), (70, vec![(125, 0, 1), (100, 0, 500)]));
            assert_eq!(searches(realization, 125, &[1, -70]), (-70, vec![(125, 0, 1), (100, 0, 500)]));
        }
        assert_eq!(searches(RPS, 300, &[0]), (0, vec![(300, 0, 1)]));
        assert_eq!(searches(RPS, 300, &[1, 70]), (70, vec![(300, 0, 1), (100, 0, 500)]));
    }

    #[test]
    fn the_enhanced_search_has_a_depth_half_way() {
        let (first, second, third) = ((300, 0, 1), (200, 0, 1), (100, 0, 500));
        let enhanced = |values: &[Score]| searches(ERPS, 300, values);
        // Far below the window: as in the other search.
        assert_eq!(enhanced(&[-100]), (-100, vec![first]));
        // Nearly in it, or a surprise: both have to be better half way.
        assert_eq!(enhanced(&[-99, 0]), (0, vec![first, second]));
        assert_eq!(enhanced(&[-99, 1, 70]), (70, vec![first, second, third]));
        assert_eq!(enhanced(&[1, 0]), (0, vec![first, second]));
        assert_eq!(enhanced(&[1, 1, 70]), (70, vec![first, second, third]));
    }

    #[test]
    fn another_threshold_is_what_surprising_moves_are_searched_again_with() {
        let [rps, erps] = [RPS, ERPS].map(|way| way.with_threshold(Depth::hundredths(150)));
        assert_eq!(searches(rps, 175, &[1, 70]), (70, vec![(175, 0, 1), (150, 0, 500)]));
        assert_eq!(searches(erps, 199, &[1, 70]), (70, vec![(199, 0, 1), (150, 0, 500)]));
        assert_eq!(searches(erps, 300, &[1, 1, 70]), (70, vec![(300, 0, 1), (225, 0, 1), (150, 0, 500)]));
        let excess = |hundredths| rps.excess(Depth::hundredths(hundredths)).as_hundredths();
        assert_eq!([100, 150, 151].map(excess), [0, 0, 1]);
    }

    #[test]
    fn a_way_is_written_as_it_is_read() {
        for text in ["off", "rps", "erps", "rps@1.5", "erps@10"] {
            assert_eq!(text.parse::<Realization>().unwrap().to_string(), text);
        }
        assert_eq!("rps@1".parse(), Ok(RPS));
        for (text, expected) in [
            ("often", "\"often\" is none of off, rps and erps"),
            ("RPS", "is none of"),
            ("off@2", "is none of"),
            ("rps@", "the threshold in \"rps@\": a move's cost is a number"),
            ("rps@11", "from 0 to 10, not 11"),
            ("erps@0.5", "below one ply"),
        ] {
            let error = text.parse::<Realization>().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
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
