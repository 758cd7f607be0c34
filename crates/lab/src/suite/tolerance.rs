// SPDX-License-Identifier: GPL-3.0-or-later
//! Deviations from the EPD standard that are accepted, and how they are reported.
//!
//! Suites have been copied and retyped for decades. Most of their errors are spelling errors with a clear meaning. Such
//! lines are accepted, and each kind of error is reported once a file.

use std::collections::BTreeMap;
use std::fmt;

/// A deviation from the EPD standard whose meaning is clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Oddity {
    /// `bm Nd5, a4;`
    Comma,
    /// `bm Qd1;` or `bm Qd1 +;` where it is `Qd1+`, or a sign where there is no check.
    CheckSign,
    /// `bm e8N;` instead of `e8=N`.
    Promotion,
    /// `bm 0-0;` instead of `O-O`.
    Castling,
    /// `bm ef6;` instead of `exf6`, or an `x` where nothing is captured.
    Capture,
    /// A `-` that belongs to no field and no operation.
    Dash,
    /// `bm Qd1+ id "1";`: an operation that does not end in a semicolon.
    Semicolon,
}

impl Oddity {
    /// Its name in a report.
    const fn name(self) -> &'static str {
        match self {
            Self::Comma => "commas between moves",
            Self::CheckSign => "check signs missing or wrong",
            Self::Promotion => "promotions without \"=\"",
            Self::Castling => "castlings with zeros",
            Self::Capture => "capture signs missing or wrong",
            Self::Dash => "dashes too many",
            Self::Semicolon => "semicolons missing",
        }
    }
}

/// All deviations accepted in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tolerated(BTreeMap<Oddity, Occurrences>);

/// How often something occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Occurrences {
    count: usize,
    /// The first line, from 1.
    first: usize,
}

impl Tolerated {
    /// Counts an oddity. Lines are expected in their order.
    pub fn note(&mut self, oddity: Oddity, line: usize) {
        self.0.entry(oddity).or_insert(Occurrences { count: 0, first: line }).count += 1;
    }

    /// Whether the file followed the standard.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Tolerated {
    /// Each kind with its number and its first line: `commas between moves (2, first in line 11)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (oddity, Occurrences { count, first })) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            let number = if *count == 1 { String::new() } else { format!("{count}, first in ") };
            write!(f, "{separator}{} ({number}line {first})", oddity.name())?;
        }
        Ok(())
    }
}
