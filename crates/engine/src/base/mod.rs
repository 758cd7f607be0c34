// SPDX-License-Identifier: GPL-3.0-or-later
//! Basic types and functions. They use no other module.

pub mod bits;
pub mod bundled;
pub mod data_file;
pub mod depth;
pub mod difference;
pub mod digest;
pub mod echo;
pub mod encoding;
pub mod endings;
pub mod figures;
pub mod files;
pub mod line;
pub mod memory;
pub mod mix;
pub mod outcome;
pub mod process;
pub mod processor;
pub mod replace;
pub mod score;
pub mod source;
pub mod suggestion;

pub use depth::Depth;
pub use outcome::{Outcome, Side};
pub use score::Score;
