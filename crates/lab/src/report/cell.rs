// SPDX-License-Identifier: GPL-3.0-or-later
//! A figure with its text, for people, and its value, for programs.

use std::fmt;

use serde_json::{Value, json};

use halfply_engine::base::figures::{percent, thousands};

/// One cell of a listing.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    text: String,
    value: Value,
}

impl Cell {
    /// A blank cell.
    pub fn blank() -> Self {
        Self { text: String::new(), value: Value::Null }
    }

    /// A text, which is also the value.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { value: Value::from(text.as_str()), text }
    }

    /// A count: `1,234`.
    pub fn count(count: u64) -> Self {
        Self { text: thousands(count), value: json!(count) }
    }

    /// An integer without commas, such as a value that may be negative.
    pub fn number(number: i64) -> Self {
        Self { text: number.to_string(), value: json!(number) }
    }

    /// A difference of counts, with its sign: `+70`.
    pub fn difference(difference: i64) -> Self {
        Self { text: format!("{difference:+}"), value: json!(difference) }
    }

    /// A number with a number of decimals.
    pub fn decimal(number: f64, places: usize) -> Self {
        Self { text: format!("{number:.places$}"), value: json!(number) }
    }

    /// A p-value: `0.031`, `<0.001`.
    pub fn p_value(p: f64) -> Self {
        let cell = Self::decimal(p, 3);
        if p < 0.0005 { cell.shown("<0.001") } else { cell }
    }

    /// A share of one as a percentage: `0.1561` is `15.61%`.
    pub fn share(share: f64) -> Self {
        Self { text: percent(share), value: json!(share) }
    }

    /// The same value with another text.
    pub fn shown(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    /// The text, for people.
    pub fn as_text(&self) -> &str {
        &self.text
    }

    /// The value, for programs.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or_else(Self::blank, Into::into)
    }
}
