// SPDX-License-Identifier: GPL-3.0-or-later
//! Input quoted in messages: shortened, and harmless to a terminal.

use std::borrow::Cow;

/// The text if it has at most that many characters, otherwise its beginning, its end, and the number of characters left
/// out.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= most {
        return Cow::Borrowed(text);
    }
    let (head, tail) = (most - most / 3, most / 3);
    let byte = |place: usize| text.char_indices().nth(place).map_or(text.len(), |(byte, _)| byte);
    let left_out = count - head - tail;
    Cow::Owned(format!("{} ...({left_out} characters)... {}", &text[..byte(head)], &text[byte(count - tail)..]))
}

/// The text as a terminal may show it: without control characters, and those that reverse what follows, of which names from
/// outside may have some. A terminal would obey them.
pub fn plain(text: &str) -> Cow<'_, str> {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_bad = |c: char| turns(c) || c.is_control() && !matches!(c, '\n' | '\t');
    if text.contains(is_bad) { Cow::Owned(text.replace(is_bad, "\u{fffd}")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_commands_the_terminal() {
        assert_eq!(plain("a\u{1b}[2J\u{9b}1m\u{7}\r\nb\tc"), "a\u{fffd}[2J\u{fffd}1m\u{fffd}\u{fffd}\nb\tc");
        assert_eq!(plain("äöü"), "äöü");
        assert_eq!(plain("a\u{202e}b"), "a\u{fffd}b");
    }

    #[test]
    fn beginning_and_end_are_kept() {
        assert_eq!(shortened("äöü", 3), "äöü");
        let long = format!("file:1: \"{}\" is wrong", "ß".repeat(1_000_000));
        let short = shortened(&long, 30);
        assert!(short.starts_with("file:1: \"ßß") && short.ends_with("is wrong"), "{short}");
        assert!(short.contains("...(999989 characters)..."), "{short}");
        assert_eq!(shortened("", 0), "");
    }
}
