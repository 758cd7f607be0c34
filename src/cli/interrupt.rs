// SPDX-License-Identifier: GPL-3.0-or-later
//! Ctrl-C: the first one asks the work to stop, the second one ends the program.

use halfply_lab::run::Stop;

/// The exit status that shells use for a program ended by Ctrl-C.
pub const STATUS: u8 = 130;

/// A flag that Ctrl-C raises. If the handler cannot be installed, Ctrl-C ends the program at once, which loses no
/// finished work either.
pub fn stop_on_ctrl_c() -> Stop {
    let stop = Stop::default();
    let raised = stop.clone();
    let handler = move || {
        if raised.is_raised() {
            std::process::exit(STATUS.into());
        }
        raised.raise();
    };
    // Not if the signal is ignored already, as under `nohup`.
    if let Err(error) = ctrlc::try_set_handler(handler) {
        log::info!("signals are left as they are: {error}");
    }
    stop
}
