// SPDX-License-Identifier: GPL-3.0-or-later
//! Errors, all in one style: `error:`, what is wrong, where, and what to do.

use std::fmt::Display;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use halfply_engine::base::echo::{plain, shortened};

/// Characters of an error that are shown.
const LONGEST: usize = 2000;

/// Reports an error on stderr. Errors quote their input; this is the one place where quotes are shortened.
pub fn refuse(reason: impl Display) {
    let reason = format!("{reason:#}");
    // A failure to write the message is ignored.
    let _ = Error::raw(ErrorKind::Io, format!("{}\n", plain(&shortened(reason.trim_end(), LONGEST)))).print();
}

/// Our own text for an error in the arguments. None if clap describes it well.
pub fn of_arguments(error: &Error) -> Option<String> {
    let as_it_is = || {
        let text = error.to_string();
        let is_long = error.use_stderr() && text.len() > LONGEST;
        is_long.then(|| text.strip_prefix("error: ").unwrap_or(&text).to_owned())
    };
    of_value(error).or_else(as_it_is)
}

/// The error of an argument's value, in the style of all errors: `--nodes 0: expected an integer…`. None for other kinds of
/// errors, which clap describes well.
fn of_value(error: &Error) -> Option<String> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    // `--nodes <N>`; with several values, the wrong one.
    let argument = context(ContextKind::InvalidArg)?.split(' ').next()?;
    let value = context(ContextKind::InvalidValue).filter(|value| !value.is_empty())?;
    let reason = match (error.kind(), error.get(ContextKind::ValidValue)) {
        (ErrorKind::ValueValidation, _) => std::error::Error::source(error)?.to_string(),
        (ErrorKind::InvalidValue, Some(ContextValue::Strings(known))) => format!("it is one of {}", known.join(", ")),
        _ => return None,
    };
    Some(format!("{argument} {value}: {reason}"))
}
