// SPDX-License-Identifier: GPL-3.0-or-later
//! The `halfply` command: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    halfply::cli::main()
}
