// SPDX-License-Identifier: GPL-3.0-or-later
//! The UCI options. Each is declared once, in [`declarations`]; the search's parameters are declared with the search.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use toml::Table;

use crate::features::ExtensionTable;
use crate::games::{GameName, RegisteredGame, strength};
use crate::search::parameters::{ParameterKind, Parameters};
use crate::search::{DEFAULT_HASH, Depth, MOST_HASH, Profile, Realization, Setup, Strength};
use crate::with_game;

/// UCI's word for an empty text.
const EMPTY: &str = "<empty>";

/// The name that stands for a variant's default evaluation.
const DEFAULT_EVALUATION: &str = "default";

const MOST_THREADS: i64 = 256;
const MOST_LINES: i64 = 256;
/// In milliseconds, as is the most.
const DEFAULT_OVERHEAD: i64 = 10;
const MOST_OVERHEAD: i64 = 10_000;

/// The variant at the start of a session, for clients without variants.
const DEFAULT_VARIANT: GameName = GameName::Chess;
const PROFILES: [Profile; 2] = [Profile::Full, Profile::Plain];

/// All settings of a session.
#[derive(Clone, Debug)]
pub(super) struct UciSettings {
    /// Which game is played.
    pub variant: GameName,
    /// The search, but for its extension table.
    pub search: Setup,
    /// What a move has to cost more than to be unlikely.
    pub realization_threshold: Depth,
    /// The evaluation's name; none for the variant's default.
    pub evaluation: Option<String>,
    /// The file with an evaluation; it overrides the name.
    pub eval_file: Option<PathBuf>,
    /// The parameters of the full search that the client has set.
    pub parameters: Table,
    /// How many of the best moves are shown.
    pub lines: usize,
    /// Whether the client lets us ponder, and so expects a ponder move.
    pub ponder: bool,
    /// The time lost in the communication with the client.
    pub overhead: Duration,
    /// Whether the client analyses and does not play a game.
    pub analyse: bool,
    /// Whether `elo` limits the strength.
    pub limit_strength: bool,
    /// The Elo to play at if the strength is limited.
    pub elo: u32,
    /// Whether castling is written as in Chess960.
    pub chess960: bool,
    /// The file with the extension table.
    pub extensions: Option<PathBuf>,
    /// Folders with tables of endings.
    pub endings: Option<PathBuf>,
    /// Whether moves may come from the book.
    pub own_book: bool,
    /// The opening book.
    pub book: Option<PathBuf>,
}

impl Default for UciSettings {
    fn default() -> Self {
        Self {
            variant: DEFAULT_VARIANT,
            search: Setup { profile: PROFILES[0], ..Setup::full() },
            realization_threshold: Depth::PLY,
            evaluation: None,
            eval_file: None,
            parameters: Table::new(),
            lines: 1,
            ponder: false,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD as u64),
            analyse: false,
            limit_strength: false,
            elo: *elos().end(),
            chess960: false,
            extensions: None,
            endings: None,
            own_book: false,
            book: None,
        }
    }
}

impl UciSettings {
    /// The search's settings with an extension table. Parameters that the client has not set have those values.
    pub fn setup(&self, table: ExtensionTable, defaults: Parameters) -> Setup {
        // On several threads the same strength would not play the same moves.
        let strength = self.strength();
        let threads = if strength.is_some() { 1 } else { self.search.threads };
        // Each was accepted when it was set.
        let parameters = defaults.clone().with_table(&self.parameters).unwrap_or(defaults);
        let realization = self.search.realization.with_threshold(self.realization_threshold);
        Setup { table, threads, parameters, realization, strength, ..self.search.clone() }
    }

    /// The strength of a limited player.
    pub fn strength(&self) -> Option<Strength> {
        let is_limited = self.limit_strength && !self.analyse;
        with_game!(self.variant, G => strength::of(<G as RegisteredGame>::STRENGTHS, self.elo)).filter(|_| is_limited)
    }
}

/// The kind of an option, and its effect.
enum OptionEffect {
    Check {
        default: bool,
        set: fn(&mut UciSettings, bool),
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: fn(&mut UciSettings, usize),
    },
    /// The first choice is the default. The value is stored in the spelling of the declaration.
    Combo {
        choices: Vec<&'static str>,
        set: fn(&mut UciSettings, &str),
    },
    /// A text; empty by default.
    Text {
        set: fn(&mut UciSettings, Option<&str>),
    },
    /// A parameter of the search, and its default in the default variant.
    Parameter(ParameterKind, String),
    /// A button; the session handles it.
    Button,
}

/// The button that makes the engine forget.
pub(super) const CLEAR_HASH: &str = "Clear Hash";

/// Every option, in the order in which `uci` lists them.
fn declarations() -> Vec<(&'static str, OptionEffect)> {
    let mut all = vec![
        (
            "Hash",
            OptionEffect::Spin {
                default: DEFAULT_HASH as i64,
                min: 1,
                max: MOST_HASH.into(),
                set: |all, to| all.search.hash = to,
            },
        ),
        (CLEAR_HASH, OptionEffect::Button),
        (
            "Threads",
            OptionEffect::Spin { default: 1, min: 1, max: MOST_THREADS, set: |all, to| all.search.threads = to },
        ),
        ("MultiPV", OptionEffect::Spin { default: 1, min: 1, max: MOST_LINES, set: |all, to| all.lines = to }),
        ("Ponder", OptionEffect::Check { default: false, set: |all, to| all.ponder = to }),
        (
            "Move Overhead",
            OptionEffect::Spin {
                default: DEFAULT_OVERHEAD,
                min: 0,
                max: MOST_OVERHEAD,
                set: |all, to| all.overhead = Duration::from_millis(to as u64),
            },
        ),
        ("UCI_LimitStrength", OptionEffect::Check { default: false, set: |all, to| all.limit_strength = to }),
        (
            "UCI_Elo",
            OptionEffect::Spin {
                default: (*elos().end()).into(),
                min: (*elos().start()).into(),
                max: (*elos().end()).into(),
                set: |all, to| all.elo = to as u32,
            },
        ),
        ("UCI_AnalyseMode", OptionEffect::Check { default: false, set: |all, to| all.analyse = to }),
        ("UCI_Chess960", OptionEffect::Check { default: false, set: |all, to| all.chess960 = to }),
        (
            "UCI_Variant",
            OptionEffect::Combo {
                choices: variants().map(variant_name).collect(),
                set: |all, to| {
                    all.variant = variants().find(|&game| variant_name(game) == to).unwrap_or(DEFAULT_VARIANT)
                },
            },
        ),
        ("Extensions", OptionEffect::Text { set: |all, to| all.extensions = to.map(PathBuf::from) }),
        (
            "Profile",
            OptionEffect::Combo {
                choices: PROFILES.map(Profile::name).to_vec(),
                set: |all, to| all.search.profile = named(PROFILES, Profile::name, to),
            },
        ),
        (
            "Realization",
            OptionEffect::Combo {
                choices: Realization::ALL.map(Realization::name).to_vec(),
                set: |all, to| all.search.realization = named(Realization::ALL, Realization::name, to),
            },
        ),
        (
            "RealizationThreshold",
            OptionEffect::Spin {
                default: Depth::PLY.as_hundredths().into(),
                min: Depth::PLY.as_hundredths().into(),
                max: Depth::MAX_COST.as_hundredths().into(),
                set: |all, to| all.realization_threshold = Depth::hundredths(to as i32),
            },
        ),
        (
            "Evaluation",
            OptionEffect::Combo {
                choices: evaluations(),
                set: |all, to| all.evaluation = (to != DEFAULT_EVALUATION).then(|| to.to_owned()),
            },
        ),
        ("EvalFile", OptionEffect::Text { set: |all, to| all.eval_file = to.map(PathBuf::from) }),
        ("SyzygyPath", OptionEffect::Text { set: |all, to| all.endings = to.map(PathBuf::from) }),
        ("OwnBook", OptionEffect::Check { default: false, set: |all, to| all.own_book = to }),
        ("Book", OptionEffect::Text { set: |all, to| all.book = to.map(PathBuf::from) }),
    ];
    let defaults = with_game!(DEFAULT_VARIANT, G => <G as RegisteredGame>::TUNED).values();
    let parameters = Parameters::ALL.iter().zip(defaults);
    all.extend(parameters.map(|(parameter, (name, default))| (name, OptionEffect::Parameter(parameter.kind, default))));
    all
}

/// The variants, the default one first.
fn variants() -> impl Iterator<Item = GameName> {
    let others = GameName::all().iter().copied().filter(|&game| game != DEFAULT_VARIANT);
    std::iter::once(DEFAULT_VARIANT).chain(others)
}

/// A variant's name in the protocol.
pub(super) fn variant_name(game: GameName) -> &'static str {
    with_game!(game, G => <G as RegisteredGame>::UCI_VARIANT)
}

/// The Elo from the weakest level of any game to the strongest.
fn elos() -> RangeInclusive<u32> {
    let levels = || GameName::all().iter().flat_map(|&game| with_game!(game, G => <G as RegisteredGame>::STRENGTHS));
    let elos = || levels().map(|level| level.elo);
    elos().min().unwrap_or_default()..=elos().max().unwrap_or_default()
}

/// The choices of evaluations: games may have one in common.
fn evaluations() -> Vec<&'static str> {
    let mut names = vec![DEFAULT_EVALUATION];
    for name in variants().flat_map(|game| with_game!(game, G => <G as RegisteredGame>::evaluation_names())) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The choice of that name, or the default if there is none, which cannot happen for a declared choice.
fn named<T: Copy, const N: usize>(all: [T; N], name: fn(T) -> &'static str, wanted: &str) -> T {
    all.into_iter().find(|&choice| name(choice) == wanted).unwrap_or(all[0])
}

/// The `option` lines; those of the search's parameters only on request, because they would hide the others in a GUI.
pub(super) fn list(with_parameters: bool) -> String {
    let check = |default: &str| format!("check default {default}");
    let spin = |default: &str, min: i64, max: i64| format!("spin default {default} min {min} max {max}");
    let lines: Vec<_> = declarations()
        .into_iter()
        .filter(|(_, kind)| with_parameters || !matches!(kind, OptionEffect::Parameter(..)))
        .map(|(name, kind)| {
            let kind = match kind {
                OptionEffect::Check { default, .. } => check(&default.to_string()),
                OptionEffect::Parameter(ParameterKind::Switch { .. }, default) => check(&default),
                OptionEffect::Spin { default, min, max, .. } => spin(&default.to_string(), min, max),
                OptionEffect::Parameter(ParameterKind::Number { min, max, .. }, default) => {
                    spin(&default, min.into(), max.into())
                }
                OptionEffect::Combo { choices, .. } => choices
                    .iter()
                    .fold(format!("combo default {}", choices[0]), |text, choice| format!("{text} var {choice}")),
                OptionEffect::Text { .. } => format!("string default {EMPTY}"),
                OptionEffect::Button => "button".to_owned(),
            };
            format!("option name {name} type {kind}")
        })
        .collect();
    lines.join("\n")
}

/// Sets the option of that name, ignoring case, and returns its name. An invalid value changes nothing.
///
/// # Errors
/// Says what is wrong with the name or the value, and what would be right.
pub(super) fn set(settings: &mut UciSettings, name: &str, value: Option<&str>) -> Result<&'static str, String> {
    let Some((name, kind)) = declarations().into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) else {
        return Err(format!("there is no option {name}"));
    };
    let given = value.unwrap_or_default();
    match kind {
        OptionEffect::Check { set, .. } => match given.to_ascii_lowercase().parse() {
            Ok(value) => set(settings, value),
            Err(_) => return Err(format!("{name} is true or false, not {given:?}")),
        },
        OptionEffect::Spin { min, max, set, .. } => {
            let number = given.parse().ok().filter(|number| (min..=max).contains(number));
            match number.and_then(|number| usize::try_from(number).ok()) {
                Some(number) => set(settings, number),
                None => return Err(format!("{name}: expected an integer from {min} to {max}, not {given:?}")),
            }
        }
        OptionEffect::Combo { choices, set } => {
            match choices.iter().find(|choice| choice.eq_ignore_ascii_case(given)) {
                Some(choice) => set(settings, choice),
                None => return Err(format!("{name} is one of {}, not {given:?}", choices.join(", "))),
            }
        }
        OptionEffect::Text { set } => set(settings, Some(given).filter(|text| !text.is_empty() && *text != EMPTY)),
        OptionEffect::Parameter(..) => {
            let (name, value) = Parameters::entry(name, given).map_err(|error| error.to_string())?;
            settings.parameters.insert(name, value);
        }
        OptionEffect::Button => {}
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Chess;

    #[test]
    fn names_are_distinct_and_fit_for_the_protocol() {
        let mut names: Vec<_> = declarations().iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        assert!(names.iter().all(|name| !name.split(' ').any(|word| matches!(word, "" | "value" | "name"))));
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn the_declared_defaults_are_those_in_use() {
        let defaults = UciSettings::default();
        let mut set_all = defaults.clone();
        for line in list(true).lines() {
            let Some((name, kind)) = line.trim_start_matches("option name ").split_once(" type ") else {
                panic!("{line}")
            };
            let default = kind.split_whitespace().nth(2);
            assert_eq!(set(&mut set_all, &name.to_uppercase(), default), Ok(name), "{line}");
        }
        let setup = |settings: &UciSettings| settings.setup(ExtensionTable::default(), Chess::TUNED);
        assert_eq!(setup(&set_all), setup(&defaults));
        set_all.parameters.clear();
        assert_eq!(format!("{set_all:?}"), format!("{defaults:?}"));
    }

    #[test]
    fn what_cannot_be_is_refused_and_changes_nothing() {
        let mut settings = UciSettings::default();
        let before = format!("{settings:?}");
        for (name, value) in [
            ("Hash", Some("0")),
            ("Hash", Some("99999999999999999999")),
            ("Hash", None),
            ("Threads", Some("two")),
            ("MultiPV", Some("-1")),
            ("Ponder", Some("perhaps")),
            ("UCI_Variant", Some("checkers")),
            ("Profile", Some("")),
            ("null_move", Some("7")),
            ("aspiration_window", Some("1e9")),
            ("No Such", Some("1")),
            ("", None),
        ] {
            assert!(set(&mut settings, name, value).is_err(), "{name} {value:?}");
        }
        assert_eq!(format!("{settings:?}"), before);
    }

    #[test]
    fn parameters_are_listed_on_demand_and_always_set() {
        let count = |with_parameters| list(with_parameters).lines().count();
        assert_eq!(count(true) - count(false), Parameters::ALL.len());
        assert!(!list(false).contains("null_move") && list(true).contains("option name null_move type check"));
        let mut settings = UciSettings::default();
        assert_eq!(set(&mut settings, "null_move", Some("false")), Ok("null_move"));
        let setup = settings.setup(ExtensionTable::default(), Parameters::DEFAULT);
        assert_eq!(setup.parameters, Parameters { null_move: false, ..Parameters::DEFAULT });

        // What was set stays what it is in a game whose default is another.
        let tuned = Parameters { late_move_base: 9, reduction_base: 80, ..Parameters::DEFAULT };
        set(&mut settings, "late_move_base", Some("4")).unwrap();
        let setup = settings.setup(ExtensionTable::default(), tuned);
        assert_eq!(setup.parameters, Parameters { null_move: false, reduction_base: 80, ..Parameters::DEFAULT });
    }

    #[test]
    fn strength_is_limited_in_games_only() {
        let mut settings = UciSettings::default();
        let mut set = |name, value| {
            super::set(&mut settings, name, Some(value)).unwrap();
            (
                settings.strength().map(|strength| strength.nodes),
                settings.setup(ExtensionTable::default(), Parameters::DEFAULT).threads,
            )
        };
        assert_eq!(set("Threads", "4"), (None, 4));
        assert_eq!(set("UCI_Elo", "1"), (None, 4));
        assert_eq!(set("UCI_LimitStrength", "true"), (Some(200), 1));
        assert_eq!(set("UCI_AnalyseMode", "true"), (None, 4));
    }

    #[test]
    fn values_arrive() {
        let mut settings = UciSettings::default();
        for (name, value) in [
            ("hash", "64"),
            ("UCI_VARIANT", "Breakthrough"),
            ("profile", "PLAIN"),
            ("realization", "RPS"),
            ("RealizationThreshold", "150"),
            ("evaluation", "piece-count"),
            ("move overhead", "25"),
            ("extensions", "/a b/c.toml"),
            ("book", EMPTY),
            ("NULL_MOVE", "FALSE"),
            ("reduction_base", "-20"),
        ] {
            assert!(set(&mut settings, name, Some(value)).is_ok(), "{name}");
        }
        assert_eq!(
            (settings.search.hash, settings.variant, settings.search.profile),
            (64, GameName::Breakthrough, Profile::Plain)
        );
        let setup = settings.setup(ExtensionTable::default(), Parameters::DEFAULT);
        assert_eq!(setup.realization, Realization::Rps(Depth::hundredths(150)));
        assert_eq!(settings.evaluation.as_deref(), Some("piece-count"));
        assert_eq!(settings.overhead, Duration::from_millis(25));
        assert_eq!((settings.extensions, settings.book), (Some(PathBuf::from("/a b/c.toml")), None));
        assert_eq!(settings.parameters.to_string(), "null_move = false\nreduction_base = -20\n");
    }
}
