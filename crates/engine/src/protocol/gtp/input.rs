// SPDX-License-Identifier: GPL-3.0-or-later
//! Input: a thread that reads ahead, so that a search is stopped when the session ends.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crate::base::line::next_line;

/// The most bytes of a line. Longer lines are answered with an error.
pub(super) const LONGEST_LINE: usize = 1 << 16;

/// The number of lines read ahead.
const AHEAD: usize = 1024;

/// The time that a search still has once the end of the session has been read. Scripts write commands and `quit` into a
/// pipe at once, and expect real moves.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// The end of a session, as soon as it has been read: `quit`, or the end of the input.
#[derive(Clone, Debug, Default)]
pub(super) struct Ending(Arc<OnceLock<Instant>>);

impl Ending {
    fn is_read(&self) {
        self.0.get_or_init(Instant::now);
    }

    /// Whether a search that began at `start` must end.
    pub fn is_due(&self, start: Instant) -> bool {
        self.0.get().is_some_and(|&read| read.max(start).elapsed() >= QUIT_TIMEOUT)
    }
}

/// Reads lines on a thread of their own until `quit` or the end of the input. The thread is not waited for: it may hang
/// in a read for ever.
///
/// # Errors
/// If no thread can be created.
pub(super) fn read_lines(input: impl Read + Send + 'static) -> io::Result<(Receiver<io::Result<String>>, Ending)> {
    let (sender, lines) = sync_channel(AHEAD);
    let ending = Ending::default();
    let told = ending.clone();
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        read_all(BufReader::new(input), &sender, &told);
        told.is_read();
    })?;
    Ok((lines, ending))
}

fn read_all(mut input: impl BufRead, lines: &SyncSender<io::Result<String>>, ending: &Ending) {
    while let Some(line) = read_line(&mut input).transpose() {
        let is_last = match &line {
            Ok(line) => split_id(line).is_some_and(|(_, command)| command == "quit"),
            Err(_) => true,
        };
        if is_last {
            ending.is_read();
        }
        if lines.send(line).is_err() || is_last {
            return;
        }
    }
}

/// The next line, preprocessed as in GTP: without comments and control characters, with spaces for tabs. None at the
/// end of the input. A line that is too long is cut to a little more than the limit.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let Some(bytes) = next_line(input, LONGEST_LINE + 1)? else { return Ok(None) };
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let text = text.split('#').next().unwrap_or_default();
    Ok(Some(text.replace('\t', " ").chars().filter(|symbol| !symbol.is_control()).collect()))
}

/// The optional number before a command, and the command, which is empty after a lone number. None for an empty line.
pub(super) fn split_id(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let digits = line.len() - line.trim_start_matches(|symbol: char| symbol.is_ascii_digit()).len();
    let (id, rest) = line.split_at(digits);
    // "2nd" is a word, not a number.
    let (id, rest) = if rest.starts_with(' ') || rest.is_empty() { (id, rest.trim_start()) } else { ("", line) };
    (!line.is_empty()).then_some((id, rest))
}
