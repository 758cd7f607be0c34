// SPDX-License-Identifier: GPL-3.0-or-later
//! The evaluation of a classical chess program: terms with weights, tapered from middlegame to endgame.

use shakmaty::Position as _;

use super::super::{Chess, Position};
use super::blend::Blend;
use super::king::{danger, shelter};
use super::layout::TEMPO;
use super::pawns::pawns;
use super::pieces::pieces;
use super::sink::{Sink, Sum};
use super::threats::threats;
use super::view::View;
use crate::base::Score;
use crate::evaluation::Evaluation;

/// Material, squares, mobility, pawns, king safety, threats: tuned on games of our own (`research/classical.md`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Classical;

impl Evaluation<Chess> for Classical {
    type State = ();

    fn start(&self) {}

    #[inline]
    fn evaluate(&self, (): &mut (), _ply: usize, position: &Position) -> Score {
        let (mut own, mut their) = (Sum::default(), Sum::default());
        terms(position, &mut own, &mut their).apply(own.less(their))
    }
}

/// Passes all terms of both sides to their sinks, and returns the blend.
#[inline]
pub fn terms<S: Sink>(position: &Position, own_sink: &mut S, their_sink: &mut S) -> Blend {
    let own = View::new(position.board(), position.turn());
    let their = own.other();
    let own_attacks = pieces(&own, own_sink);
    let their_attacks = pieces(&their, their_sink);
    relations(&own, &own_attacks, &their_attacks.turned(), own_sink);
    relations(&their, &their_attacks, &own_attacks.turned(), their_sink);
    own_sink.add(TEMPO.at(0), 1);
    Blend::new(&own)
}

/// The terms of one side for which both sides' attacks must be known.
#[inline]
fn relations<S: Sink>(view: &View, own: &super::view::Attacks, their: &super::view::Attacks, sink: &mut S) {
    pawns(view, own, their, sink);
    shelter(view, sink);
    danger(view, own, their, sink);
    threats(view, own, their, sink);
}
