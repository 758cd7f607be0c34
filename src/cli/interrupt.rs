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
    let ignored = ignored();
    for &(signal, name) in SIGNALS {
        if ignored.split_ascii_whitespace().any(|ignored| ignored == name) {
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

/// The names of the signals that the program was started with ignored. Programs that it starts inherit that, and a shell cannot
/// trap such a signal. The system's own answer is on Linux only, or takes unsafe code.
#[cfg(unix)]
fn ignored() -> String {
    use std::process::{Command, Stdio};
    let names: Vec<&str> = SIGNALS.iter().map(|&(_, name)| name).collect();
    let names = names.join(" ");
    let tries = format!(
        "trap trapped=1 {names}; for name in {names}; do trapped=0; kill -$name $$; [ $trapped = 1 ] || echo $name; done"
    );
    let shell = Command::new("sh").args(["-c", &tries]).stdin(Stdio::null()).stderr(Stdio::null()).output();
    // If there is no shell, nobody has asked one to ignore signals.
    shell.map(|shell| String::from_utf8_lossy(&shell.stdout).into_owned()).unwrap_or_default()
}

#[cfg(not(unix))]
fn ignored() -> String {
    String::new()
}
