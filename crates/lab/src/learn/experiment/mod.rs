// SPDX-License-Identifier: GPL-3.0-or-later
//! Experiments: several runs on the same positions and searches, compared with each other and with published figures.

mod comparison;
mod page;
mod plan;
mod report;
pub mod run;

pub use page::page_name;
pub use plan::{Plan, PlannedRun};
