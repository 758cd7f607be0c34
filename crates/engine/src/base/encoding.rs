// SPDX-License-Identifier: GPL-3.0-or-later
//! Text of files that others have made, in the encodings that records of games have.

use std::borrow::Cow;

/// A part of a text in UTF-8, or else in ISO 8859-1, which is PGN's own (Edwards 1994, section 4.1).
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().copied().map(char::from).collect(), Cow::Borrowed)
}

/// A file without its byte order mark, in UTF-8 if that says UTF-16.
pub fn without_mark(bytes: &[u8]) -> Cow<'_, [u8]> {
    let wide = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = rest.as_chunks().0.iter().map(|&pair| unit(pair)).collect();
        Cow::Owned(String::from_utf16_lossy(&units).into_bytes())
    };
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => Cow::Borrowed(rest),
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => Cow::Borrowed(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_encodings_are_read() {
        assert_eq!(decoded("Réti".as_bytes()), "Réti");
        assert_eq!(decoded(b"R\xE9ti"), "Réti");
        for bytes in [&b"\xEF\xBB\xBFR\xC3\xA9"[..], b"\xFF\xFER\0\xE9\0", b"\xFE\xFF\0R\0\xE9", b"R\xC3\xA9"] {
            assert_eq!(&*without_mark(bytes), "Ré".as_bytes());
        }
        // Cut within a character.
        assert_eq!(&*without_mark(b"\xFF\xFER\0\xE9"), b"R");
    }
}
