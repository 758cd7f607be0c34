// SPDX-License-Identifier: GPL-3.0-or-later
//! Ending decided games early, by the scores that the players report or by tables of endings.
//!
//! Only exact scores count. A bound means "at least" or "at most", and adjudication by bounds has ended games that were
//! not decided.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use halfply_engine::game::Side;
use halfply_engine::protocol::UciScore;

/// When games end early.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// A side that reports a lost score loses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// A game that both sides report as even is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Draw>,
    /// The number of plies after which a game is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// Folders with Syzygy's tables, which end a game of chess as soon as it is in them; in a journal, their identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<PathBuf>,
}

/// A side loses if it reports for several of its moves in a row that it is far behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// The least disadvantage, in hundredths of a pawn.
    pub score: u32,
    /// The number of its moves in a row.
    pub moves: u32,
    /// Whether the opponent must report the same advantage for as many moves.
    #[serde(default = "yes")]
    pub two_sided: bool,
}

/// A game is drawn if both sides report for several moves in a row that it is even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// The largest advantage of either side, in hundredths of a pawn.
    pub score: u32,
    /// The number of moves in a row of each side.
    pub moves: u32,
    /// The number of moves of each side before which no game is drawn.
    #[serde(default)]
    pub after: u32,
}

/// A default that is on.
pub(super) const fn yes() -> bool {
    true
}

/// How a game was adjudicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlyEnd {
    /// The winner; none for a draw.
    pub winner: Option<Side>,
    /// The reason, in a few words.
    pub reason: &'static str,
}

/// Follows the scores of one game.
#[derive(Clone, Debug)]
pub struct Arbiter<'a> {
    rules: &'a Adjudication,
    plies: u32,
    /// By side: its latest moves in a row with a lost, a won, an even score.
    lost: [u32; 2],
    won: [u32; 2],
    even: [u32; 2],
}

impl<'a> Arbiter<'a> {
    /// An arbiter at the beginning of a game.
    pub fn new(rules: &'a Adjudication) -> Self {
        Self { rules, plies: 0, lost: [0; 2], won: [0; 2], even: [0; 2] }
    }

    /// Takes a move of `side` and its exact score, if it reported one. Returns the adjudication, if the game ends here.
    pub fn moved(&mut self, side: Side, value: Option<UciScore>) -> Option<EarlyEnd> {
        self.plies += 1;
        let cp = value.map(|value| match value {
            UciScore::Centipawns(cp) => i64::from(cp),
            // A mate is beyond all scores in hundredths of a pawn.
            UciScore::Mate(moves) if moves > 0 => i64::MAX,
            UciScore::Mate(_) => i64::MIN,
        });
        let index = side.index();
        let count = |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        if let Some(resign) = &self.rules.resign {
            let margin = i64::from(resign.score);
            count(&mut self.lost[index], cp.is_some_and(|cp| cp <= -margin));
            count(&mut self.won[index], cp.is_some_and(|cp| cp >= margin));
        }
        if let Some(draw) = &self.rules.draw {
            let margin = u64::from(draw.score);
            count(&mut self.even[index], cp.is_some_and(|cp| cp.unsigned_abs() <= margin));
        }
        self.decision()
    }

    fn decision(&self) -> Option<EarlyEnd> {
        if let Some(resign) = &self.rules.resign {
            for side in Side::BOTH {
                let admits = self.lost[side.index()] >= resign.moves;
                let agreed = !resign.two_sided || self.won[side.other().index()] >= resign.moves;
                if admits && agreed {
                    return Some(EarlyEnd {
                        winner: Some(side.other()),
                        reason: "adjudication: lost by its own score",
                    });
                }
            }
        }
        if let Some(draw) = &self.rules.draw {
            let late_enough = self.plies >= draw.after.saturating_mul(2);
            if late_enough && self.even.iter().all(|&moves| moves >= draw.moves) {
                return Some(EarlyEnd { winner: None, reason: "adjudication: even by both scores" });
            }
        }
        let too_long = self.rules.max_plies.is_some_and(|most| self.plies >= most);
        too_long.then_some(EarlyEnd { winner: None, reason: "adjudication: too many plies" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn cp(centipawns: i32) -> Option<UciScore> {
        Some(UciScore::Centipawns(centipawns))
    }

    /// The decision after moves of White and Black in turn.
    fn after(rules: &Adjudication, values: &[Option<UciScore>]) -> Option<(usize, Option<Side>)> {
        let mut arbiter = Arbiter::new(rules);
        values.iter().enumerate().find_map(|(ply, &value)| {
            let side = if ply % 2 == 0 { Side::White } else { Side::Black };
            arbiter.moved(side, value).map(|decision| (ply, decision.winner))
        })
    }

    #[test]
    fn both_must_agree_that_a_game_is_lost() {
        let resign = Resign { score: 500, moves: 2, two_sided: true };
        let rules = Adjudication { resign: Some(resign), ..Adjudication::default() };
        let agreed = [cp(-500), cp(600), Some(UciScore::Mate(-3)), Some(UciScore::Mate(2))];
        assert_eq!(after(&rules, &agreed), Some((3, Some(Side::Black))));
        assert_eq!(after(&rules, &[cp(-900), cp(400), cp(-900), cp(400), cp(-900)]), None);
        // A move without an exact score resets the count.
        assert_eq!(after(&rules, &[cp(-900), cp(900), None, cp(900), cp(-900), cp(900)]), None);
        let rules = Adjudication { resign: Some(Resign { two_sided: false, ..resign }), ..Adjudication::default() };
        assert_eq!(after(&rules, &[cp(0), cp(-900), cp(0), cp(-900)]), Some((3, Some(Side::White))));
    }

    #[test]
    fn draws_take_both_sides_and_time() {
        let rules = Adjudication { draw: Some(Draw { score: 10, moves: 2, after: 3 }), ..Adjudication::default() };
        assert_eq!(after(&rules, &[cp(0); 8]), Some((5, None)));
        assert_eq!(after(&rules, &[cp(0), cp(11), cp(0), cp(-11), cp(0), cp(11), cp(0), cp(11)]), None);
        assert_eq!(
            after(&rules, &[cp(0), Some(UciScore::Mate(0)), cp(0), None, cp(0), cp(0), cp(0), cp(0)]),
            Some((7, None))
        );
    }

    #[test]
    fn games_end_at_the_last_ply_allowed() {
        let rules = Adjudication { max_plies: Some(3), ..Adjudication::default() };
        assert_eq!(after(&rules, &[None; 5]), Some((2, None)));
        assert_eq!(after(&Adjudication::default(), &[cp(-9999); 50]), None);
    }
}
