// SPDX-License-Identifier: GPL-3.0-or-later
//! What one search counts.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::suite::trial::TrialResult;

/// The credit of a position that is solved at once. Credits are integers, so their sum does not depend on the order in
/// which searches end.
pub const WHOLE: u64 = 1_000_000;

/// What counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// One for a position that is solved, as in the thesis
    #[default]
    Solved,
    /// The share of the nodes that was left when the solution was found and kept, so that more is better
    Nodes,
}

impl Measure {
    /// What a search of a problem with that limit counts, from 0 to `WHOLE`.
    pub fn credit(self, result: &TrialResult, nodes: u64) -> u64 {
        match (self, result.nodes_found_and_kept) {
            (Self::Solved, _) => WHOLE * u64::from(result.solved),
            (Self::Nodes, None) => 0,
            (Self::Nodes, Some(needed)) => {
                let left = u128::from(nodes.saturating_sub(needed)) * u128::from(WHOLE) / u128::from(nodes.max(1));
                left as u64
            }
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Solved => "positions solved",
            Self::Nodes => "nodes left when found and kept",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_sooner_counts_more() {
        let found = |nodes| TrialResult { solved: true, nodes_found_and_kept: Some(nodes), ..TrialResult::default() };
        let credits = |measure: Measure| [0, 250, 1000].map(|nodes| measure.credit(&found(nodes), 1000));
        assert_eq!(credits(Measure::Solved), [WHOLE; 3]);
        assert_eq!(credits(Measure::Nodes), [WHOLE, WHOLE / 4 * 3, 0]);
        for measure in [Measure::Solved, Measure::Nodes] {
            assert_eq!(measure.credit(&TrialResult::default(), 1000), 0);
            let given_up = TrialResult { nodes_first_found: Some(1), ..TrialResult::default() };
            assert_eq!(measure.credit(&given_up, 1000), 0);
        }
        assert_eq!(Measure::Nodes.credit(&found(1), u64::MAX), WHOLE - 1, "no overflow");
    }
}
