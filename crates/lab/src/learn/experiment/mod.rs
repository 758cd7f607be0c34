// SPDX-License-Identifier: GPL-3.0-or-later
//! Experiments: several runs on the same positions and searches, compared with each other and with published figures.
//!
//! | file | idea |
//! |---|---|
//! | `plan` | an experiment as a file describes it |
//! | [`run`] | the whole: from a plan to what its runs found |
//! | `comparison` | the measures by which runs are compared |
//! | `report` | the comparison as text |
//! | `page` | the comparison as a page |

mod comparison;
mod page;
mod plan;
mod report;
pub mod run;

pub use page::page_name;
pub use plan::{Plan, PlannedRun};
