// SPDX-License-Identifier: GPL-3.0-or-later
//! Regret: what a search gives away by the move that it chooses, by the points of a judged position.

use super::measure::WHOLE;
use crate::suite::Problem;
use crate::suite::trial::TrialResult;
use halfply_engine::game::Notation;

/// The greatest regret that counts, in points (thousandths of the probability of winning). A few blunders would otherwise
/// outweigh all other positions: in a first try, ten of 851 positions carried most of the variance.
const MOST: u32 = 200;

/// The credit of a chosen move: all without regret, none with the greatest regret that counts. A move that was not judged
/// has the points of the worst that was.
pub fn credit<G: Notation>(problem: &Problem<G>, result: &TrialResult) -> u64 {
    let Ok(points) = &problem.points else { return 0 };
    let (Some(most), Some(least)) = (points.iter().map(of).max(), points.iter().map(of).min()) else { return 0 };
    let chosen = G::parse_move(&problem.position, &result.mv).ok();
    let of_chosen = points.iter().find(|(mv, _)| Some(*mv) == chosen).map_or(least, of);
    let regret = (most - of_chosen).min(MOST);
    WHOLE * u64::from(MOST - regret) / u64::from(MOST)
}

fn of<M>(&(_, points): &(M, u32)) -> u32 {
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Suite;
    use halfply_engine::games::Breakthrough;

    #[test]
    fn the_credit_falls_with_what_is_given_away() {
        let text = "8/7p/8/8/8/8/PP6/8 w - - bm a2a3; c8 \"700 650 460\"; c9 \"a2a3 a2b3 b2b3\"; id \"a\";";
        let suite = Suite::<Breakthrough>::parse(text, "judged").unwrap();
        let credit = |mv: &str| {
            let result = TrialResult { mv: mv.to_owned(), ..TrialResult::default() };
            credit(&suite.problems[0], &result)
        };
        assert_eq!((credit("a2a3"), credit("a2b3")), (WHOLE, WHOLE / 4 * 3));
        // More than what counts; not judged; no move.
        assert_eq!([credit("b2b3"), credit("b2c3"), credit("")], [0; 3]);
    }
}
