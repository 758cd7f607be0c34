// SPDX-License-Identifier: GPL-3.0-or-later
//! The program `halfply`: a command line and a page in the browser over the [engine](halfply_engine) and the
//! [laboratory](halfply_lab).
//!
//! | module | what it holds |
//! |---|---|
//! | [`serve`] | the page in the browser |
//! | [`cli`] | the command line |

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read files that they have written"))]

pub mod cli;
pub mod serve;
