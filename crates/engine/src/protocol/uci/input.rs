// SPDX-License-Identifier: GPL-3.0-or-later
//! Input: a thread that reads lines, so that the session receives `stop` while it searches.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Instant;

use crate::base::line::{is_cut, next_line};

/// The most bytes of a line: enough for a game of a hundred thousand moves. Longer lines are skipped.
const LONGEST_LINE: usize = 1 << 20;

/// An event for the session.
#[derive(Debug)]
pub(super) enum InputEvent {
    /// A line has arrived.
    Line {
        /// Its text; invalid UTF-8 has been replaced.
        text: String,
        /// When it arrived. Clocks run from here, even if the line has to wait.
        arrival: Instant,
    },
    /// A line has arrived that was too long and has been skipped.
    TooLong,
    /// The end of the input.
    End,
    /// The output was closed.
    Closed,
}

/// Reads lines on a separate thread until the input ends or they are no longer needed. The thread is never joined,
/// because it may block in a read for ever.
///
/// # Errors
/// If no thread can be created.
pub(super) fn read_lines(input: impl Read + Send + 'static, events: Sender<InputEvent>) -> io::Result<()> {
    let read = move || {
        let mut input = BufReader::new(input);
        // An input that cannot be read has ended, whatever the reason.
        while let Ok(Some(event)) = next(&mut input) {
            if events.send(event).is_err() {
                return;
            }
        }
        let _ = events.send(InputEvent::End);
    };
    thread::Builder::new().name("input".to_owned()).spawn(read).map(drop)
}

/// The next line; none at the end.
fn next(input: &mut impl BufRead) -> io::Result<Option<InputEvent>> {
    let Some(bytes) = next_line(input, LONGEST_LINE)? else { return Ok(None) };
    let arrival = Instant::now();
    if is_cut(&bytes, LONGEST_LINE) {
        return Ok(Some(InputEvent::TooLong));
    }
    Ok(Some(InputEvent::Line { text: String::from_utf8_lossy(&bytes).into_owned(), arrival }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_by_one_and_long_ones_are_left_out() {
        let mut bytes = b"uci\r\n\xff\n".to_vec();
        bytes.extend(std::iter::repeat_n(b'x', LONGEST_LINE + 1));
        bytes.extend(b"\nquit");
        let mut input = bytes.as_slice();
        let mut seen = Vec::new();
        while let Some(event) = next(&mut input).unwrap() {
            seen.push(match event {
                InputEvent::Line { text, .. } => text,
                other => format!("{other:?}"),
            });
        }
        assert_eq!(seen, ["uci\r\n", "\u{fffd}\n", "TooLong", "quit"]);
    }
}
