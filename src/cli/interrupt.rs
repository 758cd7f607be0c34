// SPDX-License-Identifier: GPL-3.0-or-later
//! Ctrl-C and the other signals that end a program: the first one asks the work to stop, the second one ends the program.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use halfply_lab::run::Stop;

/// The exit status that shells use for a program ended by Ctrl-C.
pub const STATUS: u8 = 130;

/// The signals, each with its name.
const SIGNALS: &[(i32, &str)] = &[
    (SIGINT, "INT"),
    (SIGTERM, "TERM"),
    #[cfg(unix)]
    (signal_hook::consts::SIGHUP, "HUP"),
];

/// A flag that Ctrl-C raises. A signal that is ignored already stays ignored, and the others are handled: `nohup` ignores
/// one of them, and `&` in a script another one.
pub fn stop_on_ctrl_c() -> Stop {
    let stop = Stop::default();
    for &(signal, name) in SIGNALS {
        if is_ignored(name) {
            log::info!("the signal {name} stays ignored");
            continue;
        }
        // In this order: the first signal finds the flag down.
        let handled = flag::register_conditional_shutdown(signal, STATUS.into(), stop.flag())
            .and_then(|_| flag::register(signal, stop.flag()));
        // Without a handler, the signal ends the program at once, which loses no finished work either.
        if let Err(error) = handled {
            log::warn!("the signal {name} cannot be handled: {error}");
        }
    }
    stop
}

/// Whether the program was started with this signal ignored. Programs that it starts inherit that, so a shell shows it by
/// surviving the signal. The system's own answer is on Linux only, or takes unsafe code.
#[cfg(unix)]
fn is_ignored(name: &str) -> bool {
    use std::process::{Command, Stdio};
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("kill -{name} $$")]);
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // If there is no shell, nobody has asked one to ignore signals.
    shell.status().is_ok_and(|status| status.success())
}

#[cfg(not(unix))]
fn is_ignored(_name: &str) -> bool {
    false
}
