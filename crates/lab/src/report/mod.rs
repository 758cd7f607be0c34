// SPDX-License-Identifier: GPL-3.0-or-later
//! Results as people and programs read them.
//!
//! A result is a [`Listing`]: columns, rows of typed cells, and notes. One listing is rendered as a table for a terminal, as
//! Markdown, HTML, CSV and JSON.
//!
//! | file | idea |
//! |---|---|
//! | `listing` | columns, rows and notes |
//! | `cell` | a figure with its text and its value |
//! | [`terminal`] | Markdown, and tables that fit a width |
//! | [`html`] | tables for pages, and text that is safe there |
//! | [`mod@page`] | pages of sections |
//! | [`board`] | positions as pictures, with moves |
//! | `plot` | axes with round ticks, marks and names, for any width |
//! | `chart` | figures over steps, as lines |
//! | `band` | a figure with its interval over a number of observations |
//! | [`coloured`] | positions in a terminal with colours |
//! | [`data`] | CSV and JSON |

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
