// SPDX-License-Identifier: GPL-3.0-or-later
//! Errors, all in one style: `error:`, what is wrong, where, and what to do.

use std::fmt::Display;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::base::echo::shortened;

/// Characters of an error that are shown.
const LONGEST: usize = 2000;

/// Says on stderr what is wrong. Errors repeat what they were given; this is the one place where that is shortened.
pub fn refuse(reason: impl Display) {
    let reason = format!("{reason:#}");
    // Nothing is lost if nobody hears it.
    let _ = Error::raw(ErrorKind::Io, format!("{}\n", shortened(reason.trim_end(), LONGEST))).print();
}

/// What is to be said of arguments in our own words. None where clap describes it well, which it does at any length.
pub fn of_arguments(error: &Error) -> Option<String> {
    let as_it_is = || {
        let text = error.to_string();
        let is_long = error.use_stderr() && text.len() > LONGEST;
        is_long.then(|| text.strip_prefix("error: ").unwrap_or(&text).to_owned())
    };
    of_value(error).or_else(as_it_is)
}

/// What is wrong with an argument's value, as all errors name it: `--nodes 0: a whole number…`. None for errors of other
/// kinds, which clap describes well.
fn of_value(error: &Error) -> Option<String> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    // `--nodes <N>`; of several values, the one that is wrong.
    let argument = context(ContextKind::InvalidArg)?.split(' ').next()?;
    let value = context(ContextKind::InvalidValue).filter(|value| !value.is_empty())?;
    let reason = match (error.kind(), error.get(ContextKind::ValidValue)) {
        (ErrorKind::ValueValidation, _) => std::error::Error::source(error)?.to_string(),
        (ErrorKind::InvalidValue, Some(ContextValue::Strings(known))) => format!("it is one of {}", known.join(", ")),
        _ => return None,
    };
    Some(format!("{argument} {value}: {reason}"))
}
