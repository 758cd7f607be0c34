// SPDX-License-Identifier: GPL-3.0-or-later
//! Columns, rows and notes.

use std::borrow::Cow;

use super::Cell;

/// One column of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading, in a word or two; the key in JSON.
    pub name: Cow<'static, str>,
    /// Whether it holds figures, which are right-aligned, or words.
    pub is_figures: bool,
    /// If the table is too wide, columns are left out in the order of their ranks, the highest first; those of rank 0 never.
    pub rank: u8,
    /// Whether its cells are broken into lines when the table is still too wide.
    pub wraps: bool,
}

impl Column {
    /// A column of words that is never left out.
    pub fn words(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), is_figures: false, rank: 0, wraps: false }
    }

    /// A column of phrases or sentences. It is never left out, but its cells may be broken into lines.
    pub fn prose(name: impl Into<Cow<'static, str>>) -> Self {
        Self::words(name).wrapping()
    }

    /// A column of figures that is never left out.
    pub fn figures(name: impl Into<Cow<'static, str>>) -> Self {
        Self { is_figures: true, ..Self::words(name) }
    }

    /// The same column, whose cells may be broken into lines.
    pub fn wrapping(self) -> Self {
        Self { wraps: true, ..self }
    }

    /// The same column with a rank: it may be left out.
    pub fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }
}

/// A table of cells with notes for the reader.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// What the columns hold.
    pub columns: Vec<Column>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
    /// Explanations for the reader.
    pub notes: Vec<String>,
}

impl Listing {
    /// A listing without rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new(), notes: Vec::new() }
    }

    /// Adds a row. Cells that it lacks are blank, those beyond the last column are dropped.
    pub fn push<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let mut row: Vec<Cell> = cells.into_iter().map(Into::into).collect();
        row.resize_with(self.columns.len(), Cell::blank);
        self.rows.push(row);
    }

    /// The same listing without the columns at these places.
    pub(super) fn without(&self, left_out: &[usize]) -> Self {
        fn kept<T: Clone>(items: &[T], left_out: &[usize]) -> Vec<T> {
            let all = items.iter().enumerate();
            all.filter(|(place, _)| !left_out.contains(place)).map(|(_, item)| item.clone()).collect()
        }
        let rows = self.rows.iter().map(|row| kept(row, left_out)).collect();
        Self { columns: kept(&self.columns, left_out), rows, notes: self.notes.clone() }
    }
}
