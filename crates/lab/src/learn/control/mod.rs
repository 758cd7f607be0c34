// SPDX-License-Identifier: GPL-3.0-or-later
//! Search control from the search's own trees: which late moves raise alpha, and how likely that is by what is known of them
//! before they are searched.
//!
//! | file | idea |
//! |---|---|
//! | [`sampling`] | games whose searches try some late moves at full depth |
//! | [`samples`] | what came of them, in files |
//! | [`regression`] | logistic regression by Newton's method |
//! | [`fit`] | the model: its terms, the features of moves that earn a place, its quality on games held out |
//! | [`run`] | all of it, in a run |
//! | [`page`] | the result as a page |

pub mod fit;
pub mod page;
pub mod regression;
pub mod run;
pub mod samples;
pub mod sampling;
