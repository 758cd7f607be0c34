// SPDX-License-Identifier: GPL-3.0-or-later
//! Evaluations behind a pointer.

use std::sync::Arc;

use super::Evaluation;
use crate::base::Score;
use crate::game::Game;

/// What a search asks: for a position at that ply, its value.
type Judge<G> = Box<dyn FnMut(usize, &<G as Game>::Position) -> Score + Send>;

/// Any evaluation, behind a pointer. The searches of a game are compiled once for all evaluations in boxes, and a call costs
/// a little more. For evaluations that are for comparison, or so slow that it does not matter.
pub struct Boxed<G: Game> {
    unit: Score,
    start: Arc<dyn Fn() -> Judge<G> + Send + Sync>,
}

impl<G: Game> Boxed<G> {
    /// A box with that evaluation.
    pub fn new<E: Evaluation<G>>(evaluation: E) -> Self {
        let unit = evaluation.unit();
        let start = move || {
            let (evaluation, mut state) = (evaluation.clone(), evaluation.start());
            let judge: Judge<G> = Box::new(move |ply, position| evaluation.evaluate(&mut state, ply, position));
            judge
        };
        Self { unit, start: Arc::new(start) }
    }
}

// Derived, it would require the same of games.
impl<G: Game> Clone for Boxed<G> {
    fn clone(&self) -> Self {
        Self { unit: self.unit, start: Arc::clone(&self.start) }
    }
}

impl<G: Game> Evaluation<G> for Boxed<G> {
    type State = Judge<G>;

    fn unit(&self) -> Score {
        self.unit
    }

    fn start(&self) -> Judge<G> {
        (self.start)()
    }

    fn evaluate(&self, judge: &mut Judge<G>, ply: usize, position: &G::Position) -> Score {
        judge(ply, position)
    }
}
