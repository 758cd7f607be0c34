// SPDX-License-Identifier: GPL-3.0-or-later
//! Lines of an input that may send anything.

use std::io::{self, BufRead, Read};

/// The next line with its line feed, if it has one; none at the end of the input. Of a line of more than `most` bytes before
/// the line feed the first `most` + 1 are kept, and the rest is skipped.
///
/// # Errors
/// As of the input.
pub fn next_line(input: &mut impl BufRead, most: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if input.by_ref().take(most as u64 + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if is_cut(&line, most) {
        input.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

/// Whether a line that was read with this limit is longer than it.
pub fn is_cut(line: &[u8], most: usize) -> bool {
    line.len() > most && line.last() != Some(&b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_and_the_next_one_is_whole() {
        let mut input = b"abcd\nabcde\n\nabcdefghij\nxyz".as_slice();
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut input, 4).unwrap() {
            lines.push((String::from_utf8(line.clone()).unwrap(), is_cut(&line, 4)));
        }
        let lines: Vec<(&str, bool)> = lines.iter().map(|(line, is_cut)| (line.as_str(), *is_cut)).collect();
        assert_eq!(lines, [("abcd\n", false), ("abcde", true), ("\n", false), ("abcde", true), ("xyz", false)]);
    }
}
