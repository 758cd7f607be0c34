// SPDX-License-Identifier: GPL-3.0-or-later
//! All figures of one player against another.

use serde::Serialize;

use super::{Decision, Elo, Estimate, Model, Pentanomial, Sprt, Tally};

/// The figures of results, from the player's side.
///
/// If pairs are known, then score, margin, Elo differences and likelihood of superiority are computed from complete pairs.
/// Other games count in `games` and in the tally only.
///
/// Infinite figures are null in JSON: `low`, `difference` and `high` of an Elo difference, whose sign follows from the
/// score, and `pairs_ratio` if no pair was lost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Games played.
    pub games: u64,
    /// Games won, drawn and lost; none if only pairs are known.
    #[serde(flatten)]
    pub tally: Option<Tally>,
    /// Points a game, 0 to 1.
    pub score: f64,
    /// Half the width of the score's 95 % interval.
    pub margin: f64,
    /// The logistic Elo difference with its 95 % interval.
    pub elo: Elo,
    /// The normalized one; none if there are no games.
    pub normalized_elo: Option<Elo>,
    /// The likelihood of superiority, 0 to 1.
    pub los: f64,
    /// Pairs with 0, ½, 1, 1½ and 2 points for the player, if pairs are known.
    pub pentanomial: Option<[u64; 5]>,
    /// Pairs won to pairs lost, 0 to infinity.
    pub pairs_ratio: Option<f64>,
    /// The share of drawn games, 0 to 1, if it is known. (With pairs, fastchess gives the share of pairs with one point.)
    pub draw_ratio: Option<f64>,
    /// The sequential test, if there is one and pairs are known.
    pub sprt: Option<SprtFigures>,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtFigures {
    /// The logarithm of the likelihood ratio of `elo1` to `elo0`.
    pub llr: f64,
    /// At this ratio or below, `elo0` is accepted.
    pub lower: f64,
    /// At this ratio or above, `elo1` is accepted.
    pub upper: f64,
    /// The accepted hypothesis; none if the test has not decided.
    pub decision: Option<Decision>,
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative hypothesis.
    pub elo1: f64,
    /// The probability of accepting the alternative hypothesis wrongly.
    pub alpha: f64,
    /// The probability of accepting the null hypothesis wrongly.
    pub beta: f64,
    /// The Elo model.
    pub model: Model,
}

impl Figures {
    /// The figures of games, of their pairs if known, and of a test, which needs pairs.
    pub fn of(tally: Tally, pairs: Option<&Pentanomial>, sprt: Option<&Sprt>) -> Self {
        let (score, margin, elo, normalized_elo, los) = match pairs {
            Some(pairs) => (pairs.score(), pairs.margin(), pairs.elo(), pairs.normalized_elo(), pairs.los()),
            None => (tally.score(), tally.margin(), tally.elo(), tally.normalized_elo(), tally.los()),
        };
        Self {
            games: tally.games(),
            tally: Some(tally),
            score,
            margin,
            elo,
            normalized_elo: (pairs.map_or(tally.games(), |pairs| pairs.games()) > 0).then_some(normalized_elo),
            los,
            pentanomial: pairs.map(|pairs| pairs.0),
            pairs_ratio: pairs.map(|pairs| pairs.ratio()),
            draw_ratio: Some(tally.draws as f64 / tally.games().max(1) as f64),
            sprt: sprt.zip(pairs).map(|(sprt, pairs)| SprtFigures::of(sprt, pairs)),
        }
    }

    /// The figures of pairs whose games are not known.
    pub fn of_pairs(pairs: &Pentanomial, sprt: Option<&Sprt>) -> Self {
        Self { games: pairs.games(), tally: None, draw_ratio: None, ..Self::of(Tally::default(), Some(pairs), sprt) }
    }
}

impl SprtFigures {
    /// The state of the test after these pairs.
    pub fn of(test: &Sprt, pairs: &Pentanomial) -> Self {
        let (lower, upper) = test.bounds();
        let Sprt { elo0, elo1, alpha, beta, model } = *test;
        Self { llr: test.llr(pairs), lower, upper, decision: test.decision(pairs), elo0, elo1, alpha, beta, model }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const TALLY: Tally = Tally { wins: 7, draws: 2, losses: 3 };

    #[test]
    fn figures_are_of_pairs_if_these_are_known() {
        let pairs = Pentanomial([0, 1, 2, 1, 2]);
        assert_eq!(pairs.score(), TALLY.score());
        let figures = Figures::of(TALLY, Some(&pairs), None);
        assert_eq!((figures.margin, figures.elo, figures.los), (pairs.margin(), pairs.elo(), pairs.los()));
        assert_eq!((figures.pentanomial, figures.pairs_ratio), (Some(pairs.0), Some(3.0)));
        let figures = Figures::of(TALLY, None, None);
        assert_eq!((figures.margin, figures.elo, figures.los), (TALLY.margin(), TALLY.elo(), TALLY.los()));
        assert_eq!((figures.pentanomial, figures.pairs_ratio), (None, None));
        assert_eq!((figures.games, figures.draw_ratio), (12, Some(1.0 / 6.0)));
    }

    #[test]
    fn a_game_without_its_second_is_in_no_interval() {
        // A pair that was even, and a game that was won.
        let figures = Figures::of(Tally { wins: 2, draws: 0, losses: 1 }, Some(&Pentanomial([0, 0, 1, 0, 0])), None);
        assert_eq!((figures.games, figures.score, figures.elo.difference), (3, 0.5, 0.0));
    }

    #[test]
    fn a_test_needs_pairs() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.1, Model::Logistic).unwrap();
        assert_eq!(Figures::of(TALLY, None, Some(&sprt)).sprt, None);
        let figures = Figures::of(TALLY, Some(&Pentanomial([0, 1, 2, 1, 2])), Some(&sprt));
        let json = json!(figures);
        assert_eq!(json["sprt"]["model"], "logistic");
        assert_eq!(json["sprt"]["decision"], Value::Null);
        assert_eq!(json["sprt"]["elo1"], 10.0);
        assert_eq!(json["sprt"]["beta"], 0.1);
        assert!(json["sprt"]["llr"].as_f64().unwrap() > 0.0);
    }

    #[test]
    fn infinite_is_null_in_json() {
        let sweep = Figures::of(Tally { wins: 4, draws: 0, losses: 0 }, Some(&Pentanomial([0, 0, 0, 0, 2])), None);
        let text = serde_json::to_string(&sweep).unwrap();
        let json: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["elo"]["difference"], Value::Null);
        assert_eq!(json["pairs_ratio"], Value::Null);
        assert!(json["elo"]["low"].is_f64() && json["normalized_elo"]["difference"].is_f64());
        assert_eq!(json["pentanomial"], json!([0, 0, 0, 0, 2]));
    }

    #[test]
    fn no_games_at_all() {
        let none = Figures::of(Tally::default(), Some(&Pentanomial::default()), None);
        assert_eq!((none.games, none.score, none.margin, none.los, none.draw_ratio), (0, 0.5, 0.5, 0.5, Some(0.0)));
        assert_eq!(none.normalized_elo, None);
    }
}
