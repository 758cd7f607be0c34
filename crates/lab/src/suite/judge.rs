// SPDX-License-Identifier: GPL-3.0-or-later
//! Judged positions: what each good move of a position is worth, by a deep search of several lines. A shallower search that
//! chooses another move than the best one loses the difference, its *regret*.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::epd::{Problem, line};
use crate::run::{Stop, Unit};
use halfply_engine::evaluation::network::Inputs;
use halfply_engine::game::Notation;
use halfply_engine::search::{Engine, Iteration, Limits, Root, Score, Watcher};

/// A win for certain, in points: the points of a move are thousandths of the probability of winning.
pub const CERTAIN: u32 = 1000;

/// The search that judges.
pub struct Judge<'a, G: Notation> {
    /// The search; it must support several lines.
    pub engine: &'a dyn Engine<G>,
    /// How long it searches a position.
    pub limits: Limits,
    /// How many of the best moves are judged.
    pub moves: usize,
    /// What a pawn is worth in the units of its evaluation.
    pub unit: Score,
}

/// A position that is to be judged.
pub struct Judging<'a, G: Notation> {
    /// Who judges.
    pub judge: &'a Judge<'a, G>,
    /// The position.
    pub position: &'a G::Position,
    /// The position as text: its key.
    pub fen: &'a str,
}

/// The judgement of a position: its best moves and their points, the best first. It may be empty if the limit is so low
/// that no iteration was completed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Moves and their points.
    pub moves: Vec<(String, u32)>,
}

/// The lines of the last iteration that has all of them.
struct WholeLines<'a, M> {
    whole: Vec<(M, Score)>,
    current: Vec<(M, Score)>,
    wanted: usize,
    stop: &'a Stop,
}

impl<M: Copy> Watcher<M> for WholeLines<'_, M> {
    fn iteration(&mut self, iteration: &Iteration<'_, M>) -> ControlFlow<()> {
        if iteration.rank == 1 {
            self.current.clear();
        }
        self.current.extend(iteration.line.first().map(|&mv| (mv, iteration.score)));
        if self.current.len() == self.wanted {
            self.whole.clone_from(&self.current);
        }
        ControlFlow::Continue(())
    }

    fn look(&mut self, _nodes: u64) -> ControlFlow<()> {
        if self.stop.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<G: Notation + Inputs> Unit for Judging<'_, G> {
    type Output = Judgement;

    fn key(&self) -> String {
        self.fen.to_owned()
    }

    fn run(&self, stop: &Stop) -> Option<Judgement> {
        let Judge { engine, limits, moves, unit } = *self.judge;
        let wanted = moves.min(G::generate(self.position).len());
        let mut lines = WholeLines { whole: Vec::new(), current: Vec::new(), wanted, stop };
        let root = Root { lines: wanted, ..Root::bare(self.position) };
        engine.thinker().search(root, limits, &mut lines);
        let judged = |(mv, score): (G::Move, Score)| (G::format_move(self.position, mv), points::<G>(score, unit));
        (!stop.is_raised()).then(|| Judgement { moves: lines.whole.into_iter().map(judged).collect() })
    }
}

/// The points of a score, if a pawn is worth `unit`. The scale is that of the game's networks.
fn points<G: Inputs>(score: Score, unit: Score) -> u32 {
    let logit = f64::from(score) * 100.0 / f64::from(unit) / G::LOGIT;
    (f64::from(CERTAIN) / (1.0 + libm::exp(-logit))).round() as u32
}

/// A judged position as a line of a suite: the best moves, and the points of all that were judged.
///
/// # Errors
/// If a move of the judgement is none of the position.
pub fn judged_line<G: Notation>(
    position: &G::Position,
    judgement: &Judgement,
    id: String,
) -> Result<String, halfply_engine::game::NotationError> {
    let most = judgement.moves.iter().map(|&(_, points)| points).max();
    let best = judgement.moves.iter().filter(|&&(_, points)| Some(points) == most);
    let best = best.map(|(mv, _)| G::parse_move(position, mv)).collect::<Result<Vec<_>, _>>()?;
    let (moves, points): (Vec<&str>, Vec<String>) =
        judgement.moves.iter().map(|(mv, points)| (mv.as_str(), points.to_string())).unzip();
    let further = [("c8", format!("\"{}\"", points.join(" "))), ("c9", format!("\"{}\"", moves.join(" ")))];
    let position = position.clone();
    let points = Err("they are in the line".to_owned());
    Ok(line(&Problem::<G> { line: 0, id, position, best, avoid: Vec::new(), points }, &further))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Suite;
    use halfply_engine::features::ExtensionTable;
    use halfply_engine::games::{Breakthrough, Furnished};
    use halfply_engine::search::{Profile, Setup};

    #[test]
    fn a_position_is_judged_and_read_back() {
        // a7a8 and a7b8 win at once; every other move lets Black win.
        let fen = "8/P7/8/8/8/8/1p5P/8 w - - 0 1";
        let position = Breakthrough::parse_position(fen).unwrap();
        let evaluation = Breakthrough::default_evaluation(Profile::Full);
        let setup = Setup { table: ExtensionTable::default(), hash: 1, ..Setup::full() };
        let engine = evaluation.engine(&setup);
        let judge = Judge { engine: engine.as_ref(), limits: Limits::nodes(5000), moves: 3, unit: evaluation.unit() };
        let judging = Judging { judge: &judge, position: &position, fen };
        let judgement = judging.run(&Stop::default()).unwrap();
        let points: Vec<u32> = judgement.moves.iter().map(|&(_, points)| points).collect();
        assert_eq!(points, [CERTAIN, CERTAIN, 0], "{judgement:?}");
        let text = judged_line::<Breakthrough>(&position, &judgement, "one".to_owned()).unwrap();
        let suite = Suite::<Breakthrough>::parse(&text, "judged").unwrap();
        let problem = &suite.problems[0];
        assert_eq!((problem.best.len(), problem.points.as_ref().unwrap().len()), (2, 3), "{text}");
    }

    #[test]
    fn a_score_is_a_probability_on_the_scale_of_the_networks() {
        // 100 hundredths of a piece are a logit of one in Breakthrough.
        assert_eq!(points::<Breakthrough>(0, 100), 500);
        assert_eq!(points::<Breakthrough>(100, 100), 731);
        assert_eq!(points::<Breakthrough>(-20, 20), 269);
        assert_eq!(points::<Breakthrough>(halfply_engine::search::score::WIN, 100), CERTAIN);
    }
}
