// SPDX-License-Identifier: GPL-3.0-or-later
//! The points that a search makes in a suite.

use super::trial::TrialResult;
use super::{Problem, Suite};
use halfply_engine::base::data_file::DataFileError;
use halfply_engine::game::Notation;

/// The points of the moves that were played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The points of each position, in the order of the suite.
    pub each: Vec<u32>,
    /// Their sum.
    pub total: u64,
    /// The sum for the best moves.
    pub possible: u64,
}

impl Score {
    /// Checks that every position has points.
    ///
    /// # Errors
    /// Names the first line without points, and what is missing or wrong there.
    pub fn demand<G: Notation>(suite: &Suite<G>) -> Result<(), DataFileError> {
        let without = |problem: &Problem<G>| Some((problem.line, problem.points.as_ref().err()?.clone()));
        suite
            .problems
            .iter()
            .find_map(without)
            .map_or(Ok(()), |(line, reason)| Err(DataFileError::Line { name: suite.name.clone(), line, reason }))
    }

    /// Counts the points of the moves in the results. A position without points counts nothing.
    pub fn of<G: Notation>(suite: &Suite<G>, results: &[TrialResult]) -> Self {
        let worth = |(problem, result): (&Problem<G>, &TrialResult)| {
            let played = G::parse_move(&problem.position, &result.mv).ok()?;
            let points = problem.points.as_ref().ok()?;
            points.iter().find(|(mv, _)| *mv == played).map(|&(_, worth)| worth)
        };
        let most = |problem: &Problem<G>| {
            let points = problem.points.as_ref().ok()?;
            points.iter().map(|&(_, worth)| u64::from(worth)).max()
        };
        let each: Vec<u32> = suite.problems.iter().zip(results).map(|pair| worth(pair).unwrap_or(0)).collect();
        let total = each.iter().map(|&worth| u64::from(worth)).sum();
        Self { each, total, possible: suite.problems.iter().filter_map(most).sum() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::STS;
    use halfply_engine::games::Chess;

    #[test]
    fn the_moves_played_are_scored() {
        let line = |operations: &str| format!("{STS} {operations}\n");
        let text = line("c8 \"10 2 3\"; c9 \"f4f5 d4e5 d4f2\"; id \"a\";") + &line("c0 \"f5=100, Be5+=46\"; id \"b\";");
        let suite = Suite::<Chess>::parse(&text, "sts.epd").unwrap();
        let played = |moves: [&str; 2]| {
            let results = moves.map(|mv| TrialResult { mv: mv.to_owned(), ..TrialResult::default() });
            Score::of(&suite, &results)
        };
        let score = |each: [u32; 2], total| Score { each: each.to_vec(), total, possible: 110 };
        assert_eq!(played(["f4f5", "f4f5"]), score([10, 100], 110));
        assert_eq!(played(["d4f2", "d4f2"]), score([3, 0], 3));
        assert_eq!(played(["", "no move"]), score([0, 0], 0));
        assert!(Score::demand(&suite).is_ok());
        let text = text.replace("c0", "c1");
        let error = Score::demand(&Suite::<Chess>::parse(&text, "sts.epd").unwrap()).unwrap_err().to_string();
        assert_eq!(error, "sts.epd:2: points (c8) and their moves (c9, or c7) are missing");
    }
}
