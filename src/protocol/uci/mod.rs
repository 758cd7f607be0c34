// SPDX-License-Identifier: GPL-3.0-or-later
//! The Universal Chess Interface (Huber and Meyer-Kahlen 2006), which carries other games as well.

pub mod command;
