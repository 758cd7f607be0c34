// SPDX-License-Identifier: GPL-3.0-or-later
//! Basic types and functions. They use no other module.
//!
//! | file | idea |
//! |---|---|
//! | `depth` | depth in hundredths of a ply |
//! | `outcome` | the two players, and how a game ended for one of them |
//! | [`score`] | what a position is worth, and proved wins among the scores |
//! | [`mix`] | seeds made of seeds |
//! | [`bits`] | the members of sets of up to 64 |
//! | [`figures`] | numbers as people read and type them |
//! | `difference` | what differs between two configurations |
//! | [`endings`] | tables with the exact values of endings |
//! | `echo` | texts from outside, shortened and without control characters |
//! | `suggestion` | suggestions for a name that does not exist |
//! | [`bundled`] | the data files that are part of the binary |
//! | `files` | the one bounded way to read a file |
//! | `replace` | the one way to write a file that may exist already |
//! | [`data_file`] | text files that people write, and what is wrong with them |
//! | `memory` | how much memory there is |
//! | [`process`] | processes of this machine |
//! | [`processor`] | whether the processor has the instructions that this was built with |
//! | `source` | the line of a file that sets a key |

pub mod bits;
pub mod bundled;
pub mod data_file;
pub mod depth;
pub mod difference;
pub mod echo;
pub mod encoding;
pub mod endings;
pub mod figures;
pub mod files;
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
