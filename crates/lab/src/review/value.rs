// SPDX-License-Identifier: GPL-3.0-or-later
//! What is known of a position, seen by the first player, and the score to be expected from it.

use super::units::Solved;
use crate::tune::probability;
use halfply_engine::base::Outcome;
use halfply_engine::base::score::plies_to_end;
use halfply_engine::evaluation::network::Inputs;
use halfply_engine::game::{Notation, Pieces, Side};
use halfply_engine::history::History;
use halfply_engine::protocol::uci_score::centipawns;
use halfply_engine::search::Score;

/// What a position is worth to the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// What a search expects, in hundredths of a pawn or of the game's commonest piece.
    Estimate(i32),
    /// Somebody wins in so many plies: positive if it is the first player.
    Win(i32),
    /// The result with best play is certain: 1 if the first player wins, 0 for a draw, -1 if the second wins; and by how
    /// much, in games that have a score.
    Exact(i32, Option<i32>),
}

/// 1 for the first player, -1 for the second: what turns a value for the one into a value for the other.
const fn sign(side: Side) -> i32 {
    match side {
        Side::White => 1,
        Side::Black => -1,
    }
}

impl Value {
    /// A search's `score` for `side`, with an evaluation in which a pawn is worth `unit`.
    pub fn searched(score: Score, unit: Score, side: Side) -> Self {
        let score = sign(side) * score;
        plies_to_end(score).map_or_else(|| Self::Estimate(centipawns(score, unit)), Self::Win)
    }

    /// A solver's value for `side`.
    pub fn solved(found: &Solved, side: Side) -> Self {
        Self::Exact(sign(side) * found.sign, found.margin.map(|margin| sign(side) * margin))
    }

    /// The value of a game that is over; none of one that is not.
    pub fn over<G: Notation + Pieces>(history: &History<G>) -> Option<Self> {
        let outcome = match history.outcome()? {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        };
        let outcome = sign(G::to_move(history.position())) * outcome;
        let margin = G::counts(history.position()).map(|[first, second]| {
            // Empty squares count for the winner, as everywhere in Othello.
            let empty = (G::SIZE * G::SIZE).saturating_sub(first + second) as i32;
            first as i32 - second as i32 + outcome * empty
        });
        Some(Self::Exact(outcome, margin))
    }

    /// The score that the first player can expect, 0 to 1: the probability of winning, for which networks are trained, of an
    /// estimate, and otherwise the result itself.
    pub fn expected<G: Inputs>(self) -> f64 {
        match self {
            Self::Estimate(hundredths) => probability(f64::from(hundredths) / G::LOGIT),
            Self::Win(plies) => f64::from(u8::from(plies >= 0)),
            Self::Exact(sign, _) => f64::from(sign + 1) / 2.0,
        }
    }

    /// In a word: `+0.35`, `#-3` for a win of the second player in three of its moves, `+18` for an exact margin, `black` where
    /// only the winner is certain.
    pub fn text<G: Notation>(self) -> String {
        match self {
            Self::Estimate(hundredths) => format!("{:+.2}", f64::from(hundredths) / 100.0),
            Self::Win(plies) if !G::COUNTS_AT_END => format!("#{}", moves(plies)),
            Self::Exact(_, Some(0)) => "0".to_owned(),
            Self::Exact(_, Some(margin)) => format!("{margin:+}"),
            Self::Exact(0, None) => "draw".to_owned(),
            Self::Win(sign) | Self::Exact(sign, None) => G::SIDE_NAMES[usize::from(sign < 0)].to_owned(),
        }
    }

    /// As other programs read it in a comment of PGN (`[%eval 0.35]`, `[%eval #-3]`): seen by the colour White, which is the
    /// second player in some games.
    pub fn in_pgn(self, white: Side) -> String {
        let sign = sign(white);
        match self {
            Self::Estimate(hundredths) => format!("{:.2}", f64::from(sign * hundredths) / 100.0),
            Self::Win(plies) => format!("#{}", sign * moves(plies)),
            Self::Exact(outcome, margin) => format!("{:.2}", f64::from(sign * margin.unwrap_or(100 * outcome))),
        }
    }
}

/// Plies until a win as moves of the winner.
fn moves(plies: i32) -> i32 {
    plies.signum() * ((plies.abs() + 1) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::base::score::WIN;
    use halfply_engine::games::{Breakthrough, Chess, Othello};

    #[test]
    fn values_are_seen_by_the_first_player_and_in_pgn_by_white() {
        for (score, side, text, pgn) in [
            (35, Side::White, "+0.35", "0.35"),
            (35, Side::Black, "-0.35", "-0.35"),
            (WIN - 3, Side::White, "#2", "#2"),
            (WIN - 3, Side::Black, "#-2", "#-2"),
            (4 - WIN, Side::Black, "#2", "#2"),
        ] {
            let value = Value::searched(score, 100, side);
            assert_eq!((value.text::<Chess>(), value.in_pgn(Side::White)), (text.to_owned(), pgn.to_owned()));
        }
        assert_eq!(Value::Exact(1, Some(18)).text::<Othello>(), "+18");
        // The colour White is Othello's second player.
        assert_eq!(Value::Exact(1, Some(18)).in_pgn(Side::Black), "-18.00");
        assert_eq!(
            (Value::Win(-5).text::<Othello>(), Value::Exact(0, Some(0)).text::<Othello>()),
            ("white".into(), "0".into())
        );
        assert_eq!(Value::Exact(-1, None).text::<Breakthrough>(), "black");
        assert_eq!(Value::Estimate(-100).in_pgn(Side::White), "-1.00");
    }

    #[test]
    fn what_is_expected_follows_from_the_scale_of_the_network() {
        let logit = |hundredths: i32| Value::Estimate(hundredths).expected::<Othello>();
        assert_eq!(logit(0), 0.5);
        assert!((logit(1_000) - 0.731).abs() < 1e-3 && (logit(-1_000) - 0.269).abs() < 1e-3);
        assert_eq!((Value::Win(7).expected::<Chess>(), Value::Win(-7).expected::<Chess>()), (1.0, 0.0));
        assert_eq!(
            (Value::Exact(0, None).expected::<Chess>(), Value::Exact(-1, Some(-2)).expected::<Chess>()),
            (0.5, 0.0)
        );
    }
}
