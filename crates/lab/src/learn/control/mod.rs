// SPDX-License-Identifier: GPL-3.0-or-later
//! Search control from the search's own trees: which late moves raise alpha, and how likely that is by what is known of them
//! before they are searched.

pub mod fit;
pub mod page;
pub mod regression;
pub mod run;
pub mod samples;
pub mod sampling;
