// SPDX-License-Identifier: GPL-3.0-or-later
//! Ctrl-C: the first asks the work to stop, the second does not ask.

use crate::run::Stop;

/// The exit status of a program that Ctrl-C ended, as shells have it.
pub const STATUS: u8 = 130;

/// A flag that Ctrl-C raises. Where the system refuses to tell us of it, Ctrl-C ends the program as it always did, which
/// loses no finished work either.
pub fn stop_on_ctrl_c() -> Stop {
    let stop = Stop::default();
    let raised = stop.clone();
    let handler = move || {
        if raised.is_raised() {
            std::process::exit(STATUS.into());
        }
        raised.raise();
    };
    // Not where somebody has arranged otherwise: `nohup` has signals ignored, and means it.
    if let Err(error) = ctrlc::try_set_handler(handler) {
        log::info!("signals are left as they are: {error}");
    }
    stop
}
