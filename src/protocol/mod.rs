// SPDX-License-Identifier: GPL-3.0-or-later
//! How other programs talk to the engine.

pub mod gtp;
pub mod uci;
