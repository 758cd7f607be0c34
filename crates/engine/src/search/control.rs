// SPDX-License-Identifier: GPL-3.0-or-later
//! Learned search control: how likely a move raises alpha if it is searched to full depth, by the state of the search.
//!
//! A [`Control`] is two logistic regressions over [terms](TERMS). The first knows what is known before a move is played, and
//! decides whether the move is skipped; the second also knows what the table and the evaluation say of the position behind
//! the move, and decides by how much the move is reduced. Both follow from the *logit*, ln(P / (1 - P)), in a straight
//! line, so no probability is ever computed.
//!
//! Weights are integers, so that node counts are the same on every machine. The value of a term is in hundredths, a weight
//! in thousandths of a logit for a value of one.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::base::data_file::{self, DataFileError};
use crate::base::digest;
use crate::base::source::Source;
use crate::features::state::State;
use crate::features::{AtomSet, Vocabulary};

/// The newest format of files that this program reads.
pub const FORMAT: u32 = 1;

/// Weights are at most this large, so that no sum overflows.
const LARGEST_WEIGHT: i32 = 20_000;

macro_rules! terms {
    ($( $(#[doc = $meaning:literal])+ $variant:ident $name:literal; )+) => {
        /// A term of the model: what is known about the node, the move, or the position behind it, before it is searched.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Term {
            $( $(#[doc = $meaning])+ $variant, )+
        }

        /// Names and meanings of all terms.
        pub const TERMS: &[(&str, &str)] = &[ $( ($name, concat!($($meaning),+)) ),+ ];
    };
}

terms! {
    /// Always one.
    Constant "constant";
    /// ln of the depth in plies.
    Depth "depth";
    /// The node is on the principal variation.
    Principal "principal";
    /// The node is expected to fail high: every other node of a null-window search.
    Cut "cut";
    /// The static evaluation has not risen since two plies ago.
    Worsening "worsening";
    /// The opponent has just passed (null move).
    Passed "passed";
    /// The side to move is in check.
    Evasion "evasion";
    /// The transposition table has no move for the node.
    Unknown "unknown";
    /// The node's first move is noisy.
    FirstNoisy "first-noisy";
    /// A null move has found a threat of mate.
    Threat "threat";
    /// The position is not calm: a single quiet move may decide the game.
    Sharp "sharp";
    /// How far the static evaluation is above alpha, in pawns, at most five.
    Above "above";
    /// How far the static evaluation is below alpha, in pawns, at most five.
    Below "below";
    /// How far the static evaluation is below alpha for each ply of depth, in pawns.
    BelowPerPly "below-per-ply";

    /// ln of the number of the move.
    Number "number";
    /// The product of the logarithms of depth and number.
    DepthNumber "depth-number";
    /// ln of the number of the move where the node is expected to fail high.
    CutNumber "cut-number";
    /// The quiet move's history, from -1 to 1.
    History "history";
    /// The move is a killer.
    Killer "killer";
    /// The move gives check.
    Check "check";
    /// The move is noisy and loses nothing by static exchange.
    Capture "capture";
    /// The move is noisy and loses material by static exchange.
    Losing "losing";
    /// The move brings the end of the game near.
    Urgent "urgent";

    /// The table knows the position behind the move.
    ChildKnown "child-known";
    /// The table says that the move raises alpha, whatever the depth of its entry.
    ChildAbove "child-above";
    /// The table says that the move raises alpha: the depth of its entry, as a part of the depth that is wanted.
    ChildAboveDepth "child-above-depth";
    /// The table says that the move does not raise alpha, whatever the depth of its entry.
    ChildBelow "child-below";
    /// The table says that the move does not raise alpha: the depth of its entry, as a part of the depth that is wanted.
    ChildBelowDepth "child-below-depth";
    /// How far the static evaluation behind the move is above alpha, in pawns, at most five.
    GainAbove "gain-above";
    /// How far the static evaluation behind the move is below alpha, in pawns, at most five.
    GainBelow "gain-below";
    /// How far the static evaluation behind the move is below alpha for each ply of depth, in pawns.
    GainBelowPerPly "gain-below-per-ply";
    /// The static evaluation behind the move is above alpha.
    Gains "gains";
}

/// The number of terms.
pub const COUNT: usize = TERMS.len();

/// The values of all terms, in hundredths.
pub type Values = [i32; COUNT];

/// One pawn, one ply, one: in hundredths.
pub const ONE: i32 = 100;

/// Margins count up to so many pawns.
pub const MOST_PAWNS: i32 = 5 * ONE;

/// ln 6, for [`State::Dep`].
const LN_6: i32 = 179;
/// ln 5, for [`State::Lat`], a little less because logarithms are rounded down.
const LN_5: i32 = 160;
/// The history from which on a quiet move is [`State::Hgd`]. Few moves have any: most fail to raise alpha.
const GOOD_HISTORY: i32 = 1;
/// The history up to which a quiet move is [`State::Hbd`].
const BAD_HISTORY: i32 = -10;

/// The atoms of the search's state that follow from these values.
pub fn state(values: &Values) -> AtomSet {
    let value = |term: Term| values[term as usize];
    let is = |term| value(term) > 0;
    let holds = |state: State| match state {
        State::Pv => is(Term::Principal),
        State::Cut => is(Term::Cut),
        State::Wor => is(Term::Worsening),
        State::Pas => is(Term::Passed),
        State::Eva => is(Term::Evasion),
        State::Unk => is(Term::Unknown),
        State::Shp => is(Term::Sharp),
        State::Abv => is(Term::Above),
        State::Blw => value(Term::Below) >= ONE,
        State::Dep => value(Term::Depth) >= LN_6,
        State::Lat => value(Term::Number) >= LN_5,
        State::Hgd => value(Term::History) >= GOOD_HISTORY,
        State::Hbd => value(Term::History) <= BAD_HISTORY,
        State::Kil => is(Term::Killer),
        State::Cap => is(Term::Capture),
        State::Los => is(Term::Losing),
        State::Tab => is(Term::ChildAbove),
        State::Tbl => is(Term::ChildBelow),
        State::Gns => is(Term::Gains),
    };
    State::ALL.iter().filter(|&&state| holds(state)).map(|state| state.bit()).collect()
}

/// A model of which moves raise alpha.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// The weights by which moves are reduced, in thousandths of a logit.
    pub reduce: Weights,
    /// The weights by which quiet moves are skipped; those of terms that are not [known before](is_known_before) a quiet move
    /// is played are zero.
    pub skip: Weights,
    /// Features of the move, and what they add to the logit by which it is reduced.
    pub rows: Vec<(AtomSet, i32)>,
    /// The union of the rows' features.
    wanted: AtomSet,
    /// The most that the static evaluation behind a move adds to the sum for reductions.
    most_gain: i32,
    /// The beginning of the file's SHA-256: what results depend on.
    identity: String,
}

/// A weight for each term.
pub type Weights = [i32; COUNT];

/// The logit of these values, in thousandths.
pub fn logit(weights: &Weights, values: &Values) -> i32 {
    sum(weights, values) / ONE
}

fn sum(weights: &Weights, values: &Values) -> i32 {
    weights.iter().zip(values).map(|(weight, value)| weight * value).sum()
}

/// Whether a term, by its place in [`TERMS`], is known before a move is played and can vary among the moves that may be
/// skipped: quiet ones in null-window nodes that are not in check. The search sums up what a node adds before its first move,
/// so it adds nothing for [`Term::FirstNoisy`].
pub fn is_known_before(term: usize) -> bool {
    use Term::{Capture, Check, Evasion, FirstNoisy, Losing, Principal, Urgent};
    let others = [Principal, Evasion, FirstNoisy, Check, Capture, Losing, Urgent];
    term < Term::ChildKnown as usize && others.iter().all(|&other| other as usize != term)
}

/// The file as TOML.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// Checked already; this field only accepts the key.
    #[serde(rename = "format")]
    _format: u32,
    game: String,
    reduce: toml::Table,
    skip: toml::Table,
    #[serde(default)]
    features: toml::Table,
}

impl Control {
    /// A model of these weights.
    pub fn new(reduce: Weights, skip: Weights, rows: Vec<(AtomSet, i32)>) -> Self {
        let wanted = rows.iter().map(|(feature, _)| *feature).collect();
        let most = |term: Term, value: i32| reduce[term as usize].max(0) * value;
        let margins = [Term::GainAbove, Term::GainBelow, Term::GainBelowPerPly];
        let most_gain = most(Term::Gains, ONE) + margins.map(|term| most(term, MOST_PAWNS)).iter().sum::<i32>();
        Self { reduce, skip, rows, wanted, most_gain, identity: String::new() }
    }

    /// The logit by which a move is reduced is at most this, whatever the static evaluation behind it; in thousandths. `values`
    /// are those of its other terms. None if features may add to it.
    pub fn most(&self, values: &Values) -> Option<i32> {
        self.rows.is_empty().then(|| (sum(&self.reduce, values) + self.most_gain) / ONE)
    }

    /// The atoms that some row asks for.
    pub fn wanted(&self) -> AtomSet {
        self.wanted
    }

    /// What results depend on.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// What the features of a move with these atoms add to the logit, in thousandths.
    pub fn of_atoms(&self, atoms: AtomSet) -> i32 {
        self.rows.iter().filter(|(feature, _)| atoms.contains(*feature)).map(|(_, weight)| weight).sum()
    }

    /// Reads a model for `game` from a file.
    ///
    /// # Errors
    /// If it cannot be read, or [`parse`](Self::parse) refuses it.
    pub fn load(path: &Path, game: &str, vocabulary: &Vocabulary) -> Result<Self, DataFileError> {
        let text = data_file::read(path, "a model of search control: a TOML file, docs/formats.md describes it")?;
        Self::parse(&text, &path.display().to_string(), game, vocabulary)
    }

    /// Reads a model for `game` from text; errors call it `name`.
    ///
    /// # Errors
    /// If it is not TOML, for another game, or has unknown terms, unknown features or weights out of range.
    pub fn parse(text: &str, name: &str, game: &str, vocabulary: &Vocabulary) -> Result<Self, DataFileError> {
        let expected =
            "a model of search control has `format = 1`, `game = \"...\"` and the tables [reduce] and [skip]";
        let document: Document = data_file::from_toml(text, name, FORMAT, expected)?;
        let source = Source::new(name, text);
        if document.game != game {
            return Err(source.wrong(&["game"], format!("this is a model for {}, not for {game}", document.game)));
        }
        let weight = |path: &[&str], value: &toml::Value| {
            let weight = value.as_integer().and_then(|weight| i32::try_from(weight).ok());
            let weight = weight.filter(|weight| weight.abs() <= LARGEST_WEIGHT);
            let expected = format!("expected an integer from -{LARGEST_WEIGHT} to {LARGEST_WEIGHT}, not {value}");
            weight.ok_or_else(|| source.wrong(path, expected))
        };
        let weights = |part: &str, table: &toml::Table| {
            let mut weights = [0; COUNT];
            for (term, value) in table {
                let index = TERMS.iter().position(|(name, _)| name == term);
                let index = index.ok_or_else(|| source.wrong(&[part, term], format!("there is no term {term}")))?;
                weights[index] = weight(&[part, term], value)?;
            }
            Ok(weights)
        };
        let mut rows = Vec::new();
        for (feature, value) in &document.features {
            let path = ["features", feature];
            let atoms = vocabulary.parse(feature).map_err(|error| source.wrong(&path, error.to_string()))?;
            rows.push((atoms, weight(&path, value)?));
        }
        let control = Self::new(weights("reduce", &document.reduce)?, weights("skip", &document.skip)?, rows);
        Ok(Self { identity: digest::short(text), ..control })
    }

    /// The text of a file that [`parse`](Self::parse) reads, with comments above it.
    pub fn render(&self, comments: &[String], game: &str, vocabulary: &Vocabulary) -> String {
        let mut text = String::new();
        for comment in comments {
            let _ = writeln!(text, "# {comment}");
        }
        let _ = writeln!(text, "format = {FORMAT}\ngame = \"{game}\"");
        for (part, weights) in [("reduce", &self.reduce), ("skip", &self.skip)] {
            let _ = writeln!(text, "\n[{part}]");
            for ((name, _), weight) in TERMS.iter().zip(weights).filter(|(_, weight)| **weight != 0) {
                let _ = writeln!(text, "{name} = {weight}");
            }
        }
        if !self.rows.is_empty() {
            let _ = writeln!(text, "\n[features]");
            for (feature, weight) in &self.rows {
                let _ = writeln!(text, "{} = {weight}", vocabulary.format(*feature));
            }
        }
        text
    }
}

/// A move that was searched to full depth, and what was known of it before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The terms.
    pub values: Values,
    /// All atoms of the move.
    pub atoms: AtomSet,
    /// The depth of the node, in hundredths of a ply.
    pub depth: i32,
    /// Its number in the order, from 0.
    pub index: usize,
    /// By how much the search would have reduced it, in hundredths of a ply; none if it would have skipped it.
    pub reduction: Option<i32>,
    /// Whether it raised alpha.
    pub raised: bool,
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::*;
    use crate::game::Game;
    use crate::games::{Breakthrough, Chess, GameName, RegisteredGame};
    use crate::with_game;

    fn parse(text: &str) -> Result<Control, DataFileError> {
        Control::parse(text, "c.toml", Breakthrough::NAME, &Breakthrough::VOCABULARY)
    }

    const TEXT: &str = "format = 1\ngame = \"breakthrough\"\n\n[reduce]\nconstant = -442\ncut = 875\n\n[skip]\nkiller = 1700\n\n\
                        [features]\nUd-Rdt = 660\n";

    #[test]
    fn a_model_is_written_as_it_is_read() {
        let control = parse(TEXT).unwrap();
        assert_eq!(control.reduce[Term::Cut as usize], 875);
        assert_eq!(control.skip[Term::Killer as usize], 1700);
        assert_eq!(control.of_atoms(Breakthrough::VOCABULARY.all()), 660);
        assert_eq!(control.of_atoms(AtomSet::EMPTY), 0);
        assert_eq!(control.render(&[], Breakthrough::NAME, &Breakthrough::VOCABULARY), TEXT);
        let other = parse(&TEXT.replace("875", "876")).unwrap();
        assert_ne!(other.identity(), control.identity());
        assert_eq!(control.identity().len(), 16);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (old, new, expected) in [
            ("format = 1", "format = 2", "c.toml:1: "),
            ("\"breakthrough\"", "\"chess\"", "c.toml:2: this is a model for chess, not for breakthrough"),
            ("cut = 875", "cuts = 875", "c.toml:6: there is no term cuts"),
            ("cut = 875", "cut = 8.75", "c.toml:6: expected an integer from -20000 to 20000, not 8.75"),
            ("cut = 875", "cut = 20001", "c.toml:6: expected an integer"),
            ("killer = 1700", "killer = 1e99", "c.toml:9: expected an integer"),
            ("Ud-Rdt", "Ud-Xyz", "c.toml:12: "),
            ("[skip]", "[jump]", "c.toml:8: "),
        ] {
            let error = parse(&TEXT.replace(old, new)).unwrap_err().to_string();
            assert!(error.contains(expected), "{new}: {error}");
        }
    }

    #[test]
    fn atoms_of_the_state_follow_from_the_terms() {
        let with = |values: &[(Term, i32)]| {
            let mut all = [0; COUNT];
            values.iter().for_each(|&(term, value)| all[term as usize] = value);
            Breakthrough::VOCABULARY.format(state(&all))
        };
        assert_eq!(with(&[]), "Neutral");
        assert_eq!(with(&[(Term::Cut, ONE), (Term::Killer, ONE), (Term::Gains, ONE)]), "Cut-Kil-Gns");
        // Six plies, and the fifth move; a little less of each is not enough.
        assert_eq!(with(&[(Term::Depth, 179), (Term::Number, 160)]), "Dep-Lat");
        assert_eq!(with(&[(Term::Depth, 178), (Term::Number, 138)]), "Neutral");
        assert_eq!(with(&[(Term::History, 1), (Term::Below, 99), (Term::ChildAbove, 1)]), "Hgd-Tab");
        assert_eq!(with(&[(Term::History, -10), (Term::Below, 100), (Term::ChildBelow, 1)]), "Blw-Hbd-Tbl");
        assert_eq!(state(&[5 * ONE; COUNT]).len(), State::ALL.len() - 1, "all but Hbd");
    }

    #[test]
    fn the_models_that_are_part_of_the_program_can_be_read() {
        for game in GameName::all() {
            with_game!(*game, G => {
                assert_eq!(<G as RegisteredGame>::CONTROL.is_some(), <G as RegisteredGame>::control().is_some(), "{}", G::NAME);
            });
        }
        assert!(Chess::control().is_some());
    }

    #[test]
    fn no_evaluation_makes_a_move_likelier_than_the_most() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut draw = |most: i32| random.random_range(-most..=most);
        for _ in 0..1_000 {
            let control = Control::new(std::array::from_fn(|_| draw(9_000)), [0; COUNT], Vec::new());
            let mut values: Values = std::array::from_fn(|_| draw(2 * ONE));
            let gains = [Term::Gains, Term::GainAbove, Term::GainBelow, Term::GainBelowPerPly];
            gains.iter().for_each(|&term| values[term as usize] = 0);
            let most = control.most(&values).unwrap();
            for gain in [-MOST_PAWNS, draw(MOST_PAWNS), MOST_PAWNS] {
                let shares = [ONE * i32::from(gain > 0), gain.max(0), (-gain).max(0), (-gain).max(0)];
                gains.iter().zip(shares).for_each(|(&term, share)| values[term as usize] = share);
                assert!(logit(&control.reduce, &values) <= most, "{gain}");
            }
        }
        let with_features = Control::new([0; COUNT], [0; COUNT], vec![(AtomSet::EMPTY, 1)]);
        assert_eq!(with_features.most(&[0; COUNT]), None);
    }

    #[test]
    fn the_largest_weights_overflow_nothing() {
        // The greatest values: five pawns and the squares of logarithms below five.
        let values = [25 * ONE; COUNT];
        assert_eq!(logit(&[LARGEST_WEIGHT; COUNT], &values), 25 * LARGEST_WEIGHT * COUNT as i32);
    }
}
