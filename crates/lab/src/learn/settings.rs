// SPDX-License-Identifier: GPL-3.0-or-later
//! Sets of settings. Each is declared once, as arguments of the command line: names, ranges, defaults and help. Defaults
//! and files are read by the same declaration, so a set is the same wherever it is given.

use std::error::Error as _;
use std::fmt::Display;
use std::slice;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command};
use thiserror::Error;
use toml::{Table, Value};

use halfply_engine::base::suggestion::closest;

/// Stands between the values of a list on the command line.
const DELIMITER: &str = ",";

/// A setting that is unknown, or has a value that it cannot have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("--{}", in_words(option, given, reason))]
pub struct SettingError {
    /// The setting, as an option of the command line without its dashes.
    pub option: String,
    /// What was given.
    pub given: String,
    /// What is wrong with it.
    pub reason: String,
}

impl SettingError {
    /// An error of that setting.
    pub fn new(option: &str, given: impl Display, reason: impl Display) -> Self {
        Self { option: option.to_owned(), given: given.to_string(), reason: reason.to_string() }
    }

    /// An error of that setting, unless it is right.
    ///
    /// # Errors
    /// If it is not.
    pub fn unless(is_right: bool, option: &str, given: impl Display, reason: &str) -> Result<(), Self> {
        if is_right { Ok(()) } else { Err(Self::new(option, given, reason)) }
    }

    /// What is wrong, in words for a file.
    pub fn in_file(&self) -> String {
        in_words(&self.key(), &self.given, &self.reason)
    }

    /// Its key in files.
    pub fn key(&self) -> String {
        match self.option.as_str() {
            // One cost after another on the command line, a list in files.
            "ply" => "plies".to_owned(),
            option => option.replace('-', "_"),
        }
    }
}

/// What is wrong with a setting of that name; a switch is given no value.
fn in_words(name: &str, given: &str, reason: &str) -> String {
    let space = if given.is_empty() { "" } else { " " };
    format!("{name}{space}{given}: {reason}")
}

/// The set in which every setting has its default.
///
/// # Panics
/// Never for a declaration whose defaults are in their ranges and that has no required argument.
pub fn defaults<S: Args>() -> S {
    let mut command = S::augment_args(Command::new("defaults").no_binary_name(true));
    let matches = command.try_get_matches_from_mut([""; 0]);
    matches.and_then(|matches| S::from_arg_matches(&matches)).expect("every default is valid")
}

/// The matches of a command, or of its subcommand of that name, for a table of a file: its keys are the names of the
/// arguments, with `_` for `-`. A list has the values of one argument, and a flag is true or false.
///
/// # Errors
/// Names the key that is unknown or has a wrong value.
pub fn matches(command: &Command, subcommand: Option<&str>, table: &Table) -> Result<ArgMatches, SettingError> {
    let declared = subcommand.and_then(|name| command.find_subcommand(name)).unwrap_or(command);
    let parse = |arguments: &[String]| {
        let words = subcommand.into_iter().chain(arguments.iter().map(String::as_str));
        command.clone().no_binary_name(true).try_get_matches_from(words)
    };
    let mut all = Vec::new();
    for (key, value) in table {
        if let Some(argument) = argument(declared, key, value)? {
            // One by one, because an error must name its key.
            let parsed = parse(slice::from_ref(&argument));
            parsed.map_err(|error| SettingError::new(key, value, reason(&error)))?;
            all.push(argument);
        }
    }
    parse(&all).map_err(|error| SettingError::new("recipe", table, reason(&error)))
}

/// The argument for a key and value of a file; none for a flag that is not set.
fn argument(command: &Command, key: &str, value: &Value) -> Result<Option<String>, SettingError> {
    let refuse = |reason: String| Err(SettingError::new(key, value, reason));
    let Some(declared) = command.get_arguments().find(|argument| argument.get_id() == key) else {
        let known = || command.get_arguments().map(|argument| argument.get_id().as_str());
        let hint = match closest(key, known()) {
            Some(name) => format!("did you mean {name}?"),
            None => format!("there are {}", known().collect::<Vec<_>>().join(", ")),
        };
        return refuse(format!("there is no such setting; {hint}"));
    };
    let name = declared.get_long().unwrap_or(key);
    let is_flag_if = match declared.get_action() {
        ArgAction::SetTrue => Some(true),
        ArgAction::SetFalse => Some(false),
        _ => None,
    };
    match (is_flag_if, value) {
        (Some(wanted), Value::Boolean(given)) => Ok((*given == wanted).then(|| format!("--{name}"))),
        (Some(_), _) => refuse("it is true or false".to_owned()),
        (None, Value::Array(list)) if is_list(declared) => {
            let texts: Option<Vec<String>> = list.iter().map(text).collect();
            match texts {
                Some(texts) if texts.iter().any(|text| text.contains(DELIMITER)) => {
                    refuse(format!("no value of a list has a {DELIMITER:?}"))
                }
                Some(texts) => Ok(Some(format!("--{name}={}", texts.join(DELIMITER)))),
                None => refuse(expected(declared)),
            }
        }
        (None, value) => {
            text(value).map_or_else(|| refuse(expected(declared)), |text| Ok(Some(format!("--{name}={text}"))))
        }
    }
}

fn is_list(declared: &Arg) -> bool {
    declared.get_value_delimiter().is_some()
}

fn expected(declared: &Arg) -> String {
    if is_list(declared) { "it is a list".to_owned() } else { "it is one value".to_owned() }
}

/// A single value as an argument has it.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(_) | Value::Float(_) => Some(value.to_string()),
        _ => None,
    }
}

/// What is wrong, without what is said of the command line.
fn reason(error: &clap::Error) -> String {
    match (error.kind(), error.source()) {
        (ErrorKind::ValueValidation, Some(source)) => source.to_string(),
        _ => {
            let text = error.to_string();
            let text = text.trim_start_matches("error: ");
            let text = text.split("\n\n").next().unwrap_or_default();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;
    use halfply_engine::base::figures::count_in;

    #[derive(Debug, PartialEq, Args)]
    struct Example {
        #[arg(long, default_value_t = 3)]
        epsilon: u32,
        #[arg(long = "no-pruning", action = ArgAction::SetFalse)]
        pruning: bool,
        #[arg(long)]
        early: bool,
        #[arg(long, value_delimiter = ',', default_value = "0.5")]
        plies: Vec<f64>,
        #[arg(long, value_parser = count_in::<u32>(1..), conflicts_with = "early")]
        most_rows: Option<u32>,
    }

    fn read(text: &str) -> Result<Example, String> {
        let command = Example::augment_args(Command::new("example"));
        let matches = matches(&command, None, &text.parse().unwrap()).map_err(|error| error.to_string())?;
        Ok(Example::from_arg_matches(&matches).unwrap())
    }

    #[test]
    fn what_a_file_does_not_set_has_its_default() {
        let default = Example { epsilon: 3, pruning: true, early: false, plies: vec![0.5], most_rows: None };
        assert_eq!(defaults::<Example>(), default);
        assert_eq!(read(""), Ok(default));
        let text = "epsilon = 0\npruning = false\nearly = false\nplies = [0.25, 1]\nmost_rows = \"10k\"";
        let set = Example { epsilon: 0, pruning: false, early: false, plies: vec![0.25, 1.0], most_rows: Some(10_000) };
        assert_eq!(read(text), Ok(set));
        assert!(read("early = true\npruning = true").is_ok_and(|set| set.early && set.pruning));
    }

    #[test]
    fn what_a_file_cannot_set_is_refused_by_its_key() {
        for (text, expected) in [
            ("epsilom = 1", "epsilom 1: there is no such setting; did you mean epsilon?"),
            ("x = 1", "x 1: there is no such setting; there are epsilon, pruning, early, plies, most_rows"),
            ("epsilon = -1", "epsilon -1: "),
            ("epsilon = [1, 2]", "epsilon [1, 2]: it is one value"),
            ("plies = [\"0.5,1\"]", "plies [\"0.5,1\"]: no value of a list has a \",\""),
            ("plies = [[1]]", "plies [[1]]: it is a list"),
            ("plies = [0.5, \"x\"]", "invalid float literal"),
            ("pruning = 1", "pruning 1: it is true or false"),
            ("most_rows = 0", "most_rows 0: expected an integer of at least 1"),
            ("most_rows = 2\nearly = true", "cannot be used with"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
