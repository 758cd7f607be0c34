// SPDX-License-Identifier: GPL-3.0-or-later
//! Results as people and programs read them.
//!
//! A result is a [`Listing`]: columns, rows of typed cells, and notes. One listing is rendered as a table for a terminal, as
//! Markdown, HTML, CSV and JSON.

pub mod band;
pub mod board;
mod cell;
pub mod chart;
pub mod coloured;
pub mod data;
pub mod html;
mod listing;
pub mod page;
pub mod plot;
pub mod terminal;

pub use cell::Cell;
pub use listing::{Column, Listing};
