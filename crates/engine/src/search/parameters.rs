// SPDX-License-Identifier: GPL-3.0-or-later
//! The parameters of the full search. Each is declared once, below: from that come the field, the UCI option, the TOML
//! key, the range that a tuner may search, and the documentation.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::base::suggestion::closest;

/// What is declared about a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name: that of the field, of the UCI option and of the TOML key.
    pub name: &'static str,
    /// Its meaning and unit.
    pub meaning: &'static str,
    /// Its kind and range.
    pub kind: ParameterKind,
}

/// The kind and range of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A technique that is used or not.
    Switch {
        /// The default.
        default: bool,
    },
    /// A number from `min` to `max`.
    Number {
        /// The default.
        default: i32,
        /// The least.
        min: i32,
        /// The greatest.
        max: i32,
    },
}

/// A value that a parameter cannot have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParameterError {
    /// No parameter has that name.
    #[error("there is no search parameter {name}; {}", remedy(*.closest))]
    Unknown {
        /// What was given.
        name: String,
        /// The parameter that may have been meant.
        closest: Option<&'static str>,
    },
    /// A switch is on or off.
    #[error("{name} is a switch: true or false, not {value}")]
    NotASwitch {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
    },
    /// Not a number, or not in range.
    #[error("{name}: expected an integer from {min} to {max}, not {value}")]
    Range {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// The least.
        min: i32,
        /// The greatest.
        max: i32,
    },
    /// Not of the form `name=value`.
    #[error("a search parameter is set by name=value, not by {0}")]
    NoValue(String),
}

impl ParameterError {
    /// The name that was given.
    pub fn subject(&self) -> &str {
        match self {
            Self::Unknown { name, .. } | Self::NoValue(name) => name,
            Self::NotASwitch { name, .. } | Self::Range { name, .. } => name,
        }
    }
}

/// The name and the value in a text of the form `name=value`.
fn split(text: &str) -> Result<(&str, &str), ParameterError> {
    let (name, value) = text.split_once('=').ok_or_else(|| ParameterError::NoValue(text.to_owned()))?;
    Ok((name.trim(), value.trim()))
}

/// A parameter's value as in TOML.
fn toml_value(text: &str) -> toml::Value {
    match text.parse() {
        Ok(number) => toml::Value::Integer(number),
        Err(_) => toml::Value::Boolean(text == "true"),
    }
}

/// The remedy for an unknown name.
fn remedy(closest: Option<&str>) -> String {
    closest.map_or_else(|| "`halfply parameters` lists them".to_owned(), |name| format!("did you mean {name}?"))
}

/// How a field's type is declared, read and written.
trait ParameterValue: Sized {
    fn read(parameter: &Parameter, text: &str) -> Result<Self, ParameterError>;

    /// Only switches can be.
    fn switch_off(&mut self) {}
}

impl ParameterValue for bool {
    fn read(parameter: &Parameter, text: &str) -> Result<Self, ParameterError> {
        text.to_ascii_lowercase()
            .parse()
            .map_err(|_| ParameterError::NotASwitch { name: parameter.name, value: text.to_owned() })
    }

    fn switch_off(&mut self) {
        *self = false;
    }
}

impl ParameterValue for i32 {
    fn read(parameter: &Parameter, text: &str) -> Result<Self, ParameterError> {
        let ParameterKind::Number { min, max, .. } = parameter.kind else {
            unreachable!("numbers are declared with a range")
        };
        text.parse().ok().filter(|number| (min..=max).contains(number)).ok_or_else(|| ParameterError::Range {
            name: parameter.name,
            value: text.to_owned(),
            min,
            max,
        })
    }
}

macro_rules! parameters {
    (@type switch) => { bool };
    (@type number) => { i32 };
    (@kind switch $default:literal) => { ParameterKind::Switch { default: $default } };
    (@kind number $default:literal $min:literal $max:literal) => {
        ParameterKind::Number { default: $default, min: $min, max: $max }
    };
    ($( $(#[doc = $meaning:literal])+ $name:ident: $kind:ident = $default:literal $(in $min:literal to $max:literal)?; )+) => {
        /// How the full search searches.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $( $(#[doc = $meaning])+ pub $name: parameters!(@type $kind), )+
        }

        impl Default for Parameters {
            fn default() -> Self {
                Self::DEFAULT
            }
        }

        impl Parameters {
            /// The defaults of all games. With a network a game may have others: `RegisteredGame::TUNED`.
            pub const DEFAULT: Self = Self { $( $name: $default, )+ };

            /// Principal-variation search and nothing else: every switch off.
            pub fn bare() -> Self {
                let mut bare = Self::default();
                $( bare.$name.switch_off(); )+
                bare
            }

            /// All parameters, in the order of their declaration.
            pub const ALL: &'static [Parameter] = &[$(
                Parameter {
                    name: stringify!($name),
                    meaning: concat!($($meaning),+),
                    kind: parameters!(@kind $kind $default $($min $max)?),
                },
            )+];

            /// Sets the parameter of that name (in any case) to the value in the text.
            ///
            /// # Errors
            /// If there is no such parameter, or the value is none it can have.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParameterError> {
                let mut all = Self::ALL.iter();
                $(
                    if let Some(parameter) = all.next() && parameter.name.eq_ignore_ascii_case(name) {
                        self.$name = ParameterValue::read(parameter, value)?;
                        return Ok(());
                    }
                )+
                let closest = closest(name, Self::ALL.iter().map(|parameter| parameter.name));
                Err(ParameterError::Unknown { name: name.to_owned(), closest })
            }

            /// The values by name, as [`set`](Self::set) would read them.
            pub fn values(&self) -> Vec<(&'static str, String)> {
                vec![$( (stringify!($name), self.$name.to_string()), )+]
            }
        }
    };
}

parameters! {
    /// Remember positions in the transposition table.
    transposition_table: switch = true;
    /// Use the transposition table in quiescence as well.
    quiescence_table: switch = true;

    /// Use forced ends that the game reads off the board, and search only the moves that they leave.
    exact_rules: switch = true;
    /// Neither skip nor reduce moves that bring the end of the game near.
    spare_urgent: switch = true;

    /// Search an iteration with a narrow window around the last one's value.
    aspiration: switch = true;
    /// Half the width of the first window, in hundredths of a pawn.
    aspiration_window: number = 20 in 1 to 500;
    /// The first iteration that has a window, in plies.
    aspiration_depth: number = 5 in 2 to 20;

    /// Try two quiet moves a ply that failed high in a sibling node before other quiet moves.
    killers: switch = true;
    /// Order quiet moves by how often they failed high elsewhere.
    history: switch = true;
    /// Weight of their history behind the opponent's last move, in percent.
    counter_move_history: number = 0 in 0 to 400;
    /// Weight of their history behind the own last move, in percent.
    follow_up_history: number = 0 in 0 to 400;
    /// What is added to a quiet move's history for each hundredth of a pawn that leaves the attack of cheaper pieces.
    danger_history: number = 0 in 0 to 100;
    /// Correct the static evaluation by what searches found where the pawns, light or heavy pieces stood alike.
    correction_history: switch = false;
    /// The greatest correction for each of them, in hundredths of a pawn.
    correction_weight: number = 60 in 0 to 300;
    /// Put captures that lose material by static exchange behind quiet moves.
    exchange_ordering: switch = true;

    /// Let the opponent move twice; a position that still fails high is not searched.
    null_move: switch = true;
    /// Least depth for a null move, in hundredths of a ply.
    null_move_depth: number = 200 in 100 to 1000;
    /// Reduction of depth after a null move, in hundredths of a ply.
    null_move_reduction: number = 300 in 100 to 800;
    /// Further reduction for each ply of depth, in hundredths of a ply.
    null_move_slope: number = 25 in 0 to 60;
    /// Reduce by one ply less near the leaves, but never by less than one ply (Heinz 1999).
    null_move_adaptive: switch = false;
    /// Greatest depth for that, in hundredths of a ply; two plies more where a side has few pieces.
    null_move_adaptive_depth: number = 600 in 0 to 700;

    /// Fail high where the static evaluation is far above the window and little depth is left.
    reverse_futility: switch = true;
    /// Greatest depth for it, in hundredths of a ply.
    reverse_futility_depth: number = 700 in 100 to 1200;
    /// How far above the window for each ply of depth, in hundredths of a pawn.
    reverse_futility_margin: number = 80 in 10 to 300;


    /// Leave nodes whose static evaluation is far below the window to quiescence where little depth is left.
    razoring: switch = false;
    /// Greatest depth for it, in hundredths of a ply.
    razoring_depth: number = 300 in 0 to 1200;
    /// How far below the window for each ply of depth, in hundredths of a pawn.
    razoring_margin: number = 200 in 50 to 600;

    /// Search the transposition table's move deeper if a shallower search of the others stays below its score.
    singular_extensions: switch = false;
    /// Least depth for it, in hundredths of a ply.
    singular_depth: number = 700 in 300 to 1600;
    /// How far below its score for a hundred plies of depth, in hundredths of a pawn.
    singular_margin: number = 200 in 0 to 1000;
    /// How much less a singular move costs, in hundredths of a ply.
    singular_extension: number = 100 in 0 to 200;
    /// How much farther below the others must be for twice that, in hundredths of a pawn.
    singular_double: number = 20 in 0 to 500;
    /// How much more the move costs where others are as good and it is expected to fail high, in hundredths of a ply.
    singular_reduction: number = 100 in 0 to 300;

    /// Skip quiet moves where the static evaluation is far below the window and little depth is left.
    futility: switch = true;
    /// Greatest depth for it, in hundredths of a ply; 0 for never.
    futility_depth: number = 600 in 0 to 1200;
    /// How far below the window at least, in hundredths of a pawn.
    futility_base: number = 80 in 0 to 500;
    /// How much farther for each ply of depth, in hundredths of a pawn.
    futility_margin: number = 100 in 10 to 300;
    /// Use the next three margins instead of these two, and none beyond three plies (Heinz 1998).
    futility_by_depth: switch = false;
    /// How far below the window with up to one ply left, in hundredths of a pawn.
    futility_margin_1: number = 300 in 0 to 1023;
    /// How far below the window with up to two plies left, in hundredths of a pawn.
    futility_margin_2: number = 500 in 0 to 1023;
    /// How far below the window with up to three plies left, in hundredths of a pawn.
    futility_margin_3: number = 900 in 0 to 1023;

    /// Fail high where several moves fail high in shallow searches, if the transposition table says that the node
    /// failed high before (Björnsson and Marsland 1998).
    multi_cut: switch = false;
    /// Least depth for it, in hundredths of a ply.
    multi_cut_depth: number = 400 in 0 to 700;
    /// How much less deep these searches are, in hundredths of a ply; with 0 they are as deep as the node's own.
    multi_cut_reduction: number = 200 in 0 to 700;
    /// How many moves are searched; 0 turns multi-cut off.
    multi_cut_moves: number = 10 in 0 to 31;
    /// How many of them must fail high; 0 turns multi-cut off.
    multi_cut_cuts: number = 3 in 0 to 7;

    /// Skip late quiet moves where little depth is left.
    late_move_pruning: switch = true;
    /// Greatest depth for it, in hundredths of a ply.
    late_move_depth: number = 600 in 100 to 1200;
    /// Moves that are searched at any depth; half as many if the evaluation has not risen.
    late_move_base: number = 4 in 1 to 20;

    /// Skip quiet moves that mostly failed elsewhere where little depth is left.
    history_pruning: switch = false;
    /// Greatest depth for it, in hundredths of a ply.
    history_pruning_depth: number = 400 in 100 to 1200;
    /// Skip those whose history is below this for each ply of depth; 16,384 is the end of the scale.
    history_pruning_margin: number = 4_000 in 0 to 20_000;

    /// Skip moves that lose material by static exchange where little depth is left.
    exchange_pruning: switch = true;
    /// Greatest depth for it, in hundredths of a ply.
    exchange_depth: number = 600 in 100 to 1200;
    /// Loss by which a noisy move is skipped for each ply of depth, in hundredths of a pawn.
    exchange_noisy: number = 100 in 10 to 400;
    /// Loss by which a quiet move is skipped for each ply of depth, in hundredths of a pawn.
    exchange_quiet: number = 60 in 10 to 400;

    /// Search late moves that are quiet or lose material less deep, and again at full depth if one fails high.
    late_move_reductions: switch = true;
    /// Least depth for a reduction, in hundredths of a ply.
    reduction_depth: number = 250 in 100 to 600;
    /// Moves of a node that are not reduced.
    reduction_moves: number = 3 in 1 to 20;
    /// Constant part of every reduction, in hundredths of a ply.
    reduction_base: number = 50 in -100 to 200;
    /// Weight of ln(depth in plies) times ln(number of the move), in hundredths of a ply.
    reduction_slope: number = 45 in 10 to 200;
    /// Less reduction on the principal variation, in hundredths of a ply.
    reduction_principal: number = 80 in 0 to 300;
    /// More reduction if the evaluation has not risen since two plies ago, in hundredths of a ply.
    reduction_worsening: number = 50 in 0 to 300;
    /// Greatest change of the reduction by history: less for a good one, more for a bad one, in hundredths of a ply.
    reduction_history: number = 120 in 0 to 400;
    /// Less reduction for killers and moves that give check, in hundredths of a ply.
    reduction_special: number = 100 in 0 to 300;
    /// More reduction where the node is expected to fail high, in hundredths of a ply.
    reduction_cut: number = 0 in 0 to 300;
    /// Neither skip nor reduce moves that the extension table makes cheaper.
    spare_extended: switch = true;

    /// Reduce by a learned model of which moves raise alpha, instead of by depth and number.
    learned_reductions: switch = false;
    /// Constant part of a learned reduction, in hundredths of a ply.
    learned_base: number = -20 in -400 to 400;
    /// Its part for each unit of ln((1 - P) / P), in hundredths of a ply.
    learned_slope: number = 60 in 10 to 200;
    /// With learned reductions: skip late quiet moves by the model, instead of by their number and by futility.
    learned_pruning: switch = false;
    /// Skip those with ln((1 - P) / P) above this, in hundredths.
    learned_skip: number = 420 in 0 to 2000;
    /// How much higher that is for each ply of depth, in hundredths.
    learned_skip_slope: number = 40 in 0 to 400;

    /// Search nodes less deep if the transposition table has no move for them.
    internal_reduction: switch = true;
    /// Search nodes of the principal variation two plies less deep first if the transposition table has no move for them
    /// (internal iterative deepening).
    internal_deepening: switch = false;
    /// Least depth for either, in hundredths of a ply.
    internal_depth: number = 400 in 200 to 1200;

    /// Search noisy moves before a leaf is evaluated.
    quiescence: switch = true;
    /// Search every answer to a check in quiescence.
    check_evasions: switch = true;
    /// Skip captures in quiescence that lose material by static exchange.
    quiescence_exchange: switch = true;
    /// Skip captures in quiescence that cannot bring the evaluation back into the window.
    delta_pruning: switch = true;
    /// What a capture may gain besides the piece, in hundredths of a pawn.
    delta_margin: number = 150 in 0 to 1000;
}

impl Parameters {
    /// Sets a parameter by a text of the form `name=value`.
    ///
    /// # Errors
    /// If it is not of that form, and as [`set`](Self::set).
    pub fn assign(&mut self, text: &str) -> Result<(), ParameterError> {
        let (name, value) = split(text)?;
        self.set(name, value)
    }

    /// An entry for [`with_table`](Self::with_table), under the declared name, from a text of the form `name=value`.
    ///
    /// # Errors
    /// As [`assign`](Self::assign).
    pub fn assignment(text: &str) -> Result<(String, toml::Value), ParameterError> {
        let (name, value) = split(text)?;
        Self::entry(name, value)
    }

    /// An entry for [`with_table`](Self::with_table), under the declared name, from a name in any case and a value.
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub fn entry(name: &str, value: &str) -> Result<(String, toml::Value), ParameterError> {
        let mut parameters = Self::DEFAULT;
        parameters.set(name, value)?;
        let entry = parameters.values().into_iter().find(|(declared, _)| declared.eq_ignore_ascii_case(name));
        let Some((name, value)) = entry else { unreachable!("what can be set is declared") };
        Ok((name.to_owned(), toml_value(&value)))
    }

    /// The parameters that are not at the defaults of all games, by name.
    pub fn non_default(&self) -> BTreeMap<String, String> {
        self.changes_from(&Self::default())
    }

    /// The parameters whose values differ from the others', by name.
    pub fn changes_from(&self, others: &Self) -> BTreeMap<String, String> {
        let changed = self.values().into_iter().zip(others.values()).filter(|(now, other)| now != other);
        changed.map(|((name, value), _)| (name.to_owned(), value)).collect()
    }

    /// The value of the parameter of that name.
    pub fn get(&self, name: &str) -> Option<String> {
        self.values().into_iter().find_map(|(other, value)| (other == name).then_some(value))
    }

    /// The same parameters with all techniques on that are off by default.
    pub fn with_further_techniques(&self) -> Self {
        let mut with = self.clone();
        for parameter in Self::ALL {
            if parameter.kind == (ParameterKind::Switch { default: false }) && with.set(parameter.name, "true").is_err()
            {
                unreachable!("a switch can be on");
            }
        }
        with
    }

    /// Those parameters, but with the techniques on that are off by default and on here.
    pub fn further_techniques(&self, defaults: &Self) -> Self {
        let mut further = defaults.clone();
        for (name, value) in self.non_default() {
            if value == "true" && further.set(&name, &value).is_err() {
                unreachable!("a parameter's own value can be set");
            }
        }
        further
    }

    /// What must be set to get these parameters where those defaults are: for [`with_table`](Self::with_table).
    pub fn table(&self, defaults: &Self) -> toml::Table {
        self.changes_from(defaults).into_iter().map(|(name, text)| (name, toml_value(&text))).collect()
    }

    /// These parameters, but for those that a TOML table sets.
    ///
    /// # Errors
    /// As [`set`](Self::set). Values that are not booleans or numbers are refused, too.
    pub fn with_table(mut self, table: &toml::Table) -> Result<Self, ParameterError> {
        for (name, value) in table {
            self.set(name, &value.to_string())?;
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_written_as_it_is_read() {
        let mut parameters = Parameters::default();
        assert!(parameters.table(&Parameters::DEFAULT).is_empty());
        for text in ["null_move=false", "reduction_base=-20"] {
            parameters.assign(text).unwrap();
        }
        let table = parameters.table(&Parameters::DEFAULT);
        assert_eq!(table.to_string(), "null_move = false\nreduction_base = -20\n");
        assert_eq!(Parameters::DEFAULT.with_table(&table), Ok(parameters.clone()));

        // A value is written where it is not the default, whatever other defaults say.
        let tuned = Parameters { reduction_base: -20, late_move_base: 9, ..Parameters::DEFAULT };
        let table = parameters.table(&tuned);
        assert_eq!(table.to_string(), "late_move_base = 4\nnull_move = false\n");
        assert_eq!(tuned.with_table(&table), Ok(parameters));
    }

    #[test]
    fn every_default_is_one_that_can_be_set() {
        let defaults = Parameters::default();
        let mut read = Parameters::default();
        for (name, value) in defaults.values() {
            read.set(name, &value).unwrap();
        }
        assert_eq!(read, defaults);
        assert_eq!(defaults.values().len(), Parameters::ALL.len());
    }

    #[test]
    fn a_parameter_is_set_by_name_alone() {
        for parameter in Parameters::ALL {
            let mut changed = Parameters::default();
            let value = match parameter.kind {
                ParameterKind::Switch { default } => (!default).to_string(),
                ParameterKind::Number { default, min, max } => (if default == max { min } else { max }).to_string(),
            };
            changed.set(&parameter.name.to_uppercase(), &value).unwrap();
            let differing: Vec<_> = changed
                .values()
                .into_iter()
                .zip(Parameters::default().values())
                .filter_map(|(changed, default)| (changed != default).then_some(changed))
                .collect();
            assert_eq!(differing, [(parameter.name, value)]);
            assert!(!parameter.meaning.trim().is_empty());
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let mut parameters = Parameters::default();
        for text in ["no_such=1", "null_move=2", "aspiration_window=0", "aspiration_window=1e3", "null_move"] {
            assert!(parameters.assign(text).is_err(), "{text}");
        }
        assert_eq!(parameters, Parameters::default());
        let refusal = |text: &str| Parameters::default().assign(text).unwrap_err().to_string();
        assert_eq!(refusal("nullmove=1"), "there is no search parameter nullmove; did you mean null_move?");
        assert_eq!(refusal("x=1"), "there is no search parameter x; `halfply parameters` lists them");
        let table: toml::Table = "null_move = false\nreduction_base = -20".parse().unwrap();
        let read = Parameters::DEFAULT.with_table(&table).unwrap();
        assert!(!read.null_move);
        assert_eq!(read.reduction_base, -20);
    }
}
