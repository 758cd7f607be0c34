// SPDX-License-Identifier: GPL-3.0-or-later
//! Counts on the command line.

pub use halfply_engine::base::figures::count_in as count;
