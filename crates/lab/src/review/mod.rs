// SPDX-License-Identifier: GPL-3.0-or-later
//! Games gone through: what each move was worth, and what would have been better.

mod drawing;
pub mod judgement;
pub mod listing;
pub mod page;
pub mod pgn;
pub mod played;
pub mod recorded;
pub mod run;
pub mod units;
pub mod value;
mod wording;
