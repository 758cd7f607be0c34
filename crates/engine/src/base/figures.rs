// SPDX-License-Identifier: GPL-3.0-or-later
//! Numbers as people read and write them, the same in terminals, files and pages.

use std::fmt;
use std::ops::{Bound, RangeBounds};

use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// An integer with commas between thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many of something, whose name is in the singular: `1 game`, `2,400 games`, `3 plies`.
pub fn quantity(number: u64, noun: &str) -> String {
    let (stem, ending) = match noun.strip_suffix('y') {
        _ if number == 1 => (noun, ""),
        Some(stem) => (stem, "ies"),
        None if noun.ends_with("ch") => (noun, "es"),
        None => (noun, "s"),
    };
    format!("{} {stem}{ending}", thousands(number))
}

/// A share as a percentage with two decimals.
pub fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

/// Reads a count as people type it: `500`, `10k`, `1_000`, `1e5`, `2.5M`. The suffixes are k (thousand), M (million) and G
/// (billion), in either case. None if the text is not an integer, or one above `u64::MAX`.
pub fn count(text: &str) -> Option<u64> {
    let (text, thousandfold) = match text.char_indices().last()? {
        (end, 'k' | 'K') => (&text[..end], 3),
        (end, 'm' | 'M') => (&text[..end], 6),
        (end, 'g' | 'G') => (&text[..end], 9),
        _ => (text, 0),
    };
    let (text, tenfold) = match text.split_once(['e', 'E']) {
        Some((text, power)) => (text, digits(power.strip_prefix('+').unwrap_or(power))?.parse::<usize>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (digits(whole)?, digits(fraction)?),
        None => (digits(text)?, String::new()),
    };
    // Trailing zeros change nothing; the other decimals must vanish when the point moves.
    let fraction = fraction.trim_end_matches('0');
    let zeros = tenfold.checked_add(thousandfold)?.checked_sub(fraction.len())?;
    let number: u64 = format!("{whole}{fraction}").parse().ok()?;
    let factor = if number == 0 { 1 } else { 10_u64.checked_pow(u32::try_from(zeros).ok()?)? };
    number.checked_mul(factor)
}

/// A parser of arguments that are counts in a range, as people type them: `10k`, `1_000`, `1e5`, `1M`.
pub fn count_in<T: TryFrom<u64>>(
    range: impl RangeBounds<u64> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = count(text).filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| refusal(&range))
    }
}

fn refusal(range: &impl RangeBounds<u64>) -> String {
    let least = match range.start_bound() {
        Bound::Included(&least) | Bound::Excluded(&least) => least,
        Bound::Unbounded => 0,
    };
    let bounds = match range.end_bound() {
        Bound::Included(most) => format!(" from {least} to {most}"),
        _ if least > 0 => format!(" of at least {least}"),
        _ => String::new(),
    };
    format!("expected an integer{bounds}; 10k, 1_000, 1e5 and 1M are read, too")
}

/// The digits of a number, with single underscores between them.
fn digits(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split('_').collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.iter().all(is_number).then(|| parts.concat())
}

/// Reads a count from a file: an integer, a float that is one (`1e5`), or a [count] in quotes (`"10k"`). For serde's
/// `deserialize_with`.
///
/// # Errors
/// Says what was expected.
pub fn deserialize_count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    deserializer.deserialize_any(CountVisitor)
}

/// The same where the count may be missing; its field is `default`.
///
/// # Errors
/// Says what was expected.
pub fn deserialize_optional_count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    deserialize_count(deserializer).map(Some)
}

struct CountVisitor;

impl Visitor<'_> for CountVisitor {
    type Value = u64;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a count, such as 500, 10_000, 1e5 or \"10k\"")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u64, E> {
        Ok(number)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<u64, E> {
        u64::try_from(number).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<u64, E> {
        // Written out in full, so that nothing is rounded.
        count(&number.to_string()).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<u64, E> {
        count(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_agree_with_their_numbers() {
        let found = [(1, "game"), (0, "game"), (2400, "game"), (1, "ply"), (3, "ply"), (2, "search")];
        let found = found.map(|(number, noun)| quantity(number, noun));
        assert_eq!(found, ["1 game", "0 games", "2,400 games", "1 ply", "3 plies", "2 searches"]);
    }

    #[test]
    fn thousands_are_parted() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(number), text);
        }
    }

    #[test]
    fn counts_are_read_as_people_type_them() {
        for (text, number) in [
            ("0", 0),
            ("007", 7),
            ("10k", 10_000),
            ("1K", 1000),
            ("1_000", 1000),
            ("1_000k", 1_000_000),
            ("1e5", 100_000),
            ("1E+5", 100_000),
            ("1M", 1_000_000),
            ("2.5m", 2_500_000),
            ("1.50k", 1500),
            ("1.0", 1),
            ("1.25e2", 125),
            ("1e3k", 1_000_000),
            ("3G", 3_000_000_000),
            ("0e99", 0),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(count(text), Some(number), "{text}");
        }
        let words = "k e5 1e 1e-5 -1 +1 1.5 1.2345k .5k 5.k 1__0 _1 1_ 1,000 10kk 0x10 1e20 1e99999999999999999999 \
            18446744073709551616 18446744073709551615k ten ١ 1é";
        for text in words.split(' ').chain(["", "1 000"]) {
            assert_eq!(count(text), None, "{text}");
        }
    }

    #[test]
    fn counts_are_read_from_toml() {
        #[derive(Debug, serde::Deserialize)]
        struct File {
            #[serde(deserialize_with = "deserialize_count")]
            nodes: u64,
            #[serde(default, deserialize_with = "deserialize_optional_count")]
            games: Option<u64>,
        }
        let read = |text: &str| toml::from_str::<File>(text).map(|file| (file.nodes, file.games));
        assert_eq!(read("nodes = 1_000"), Ok((1000, None)));
        assert_eq!(read("nodes = 1e5\ngames = \"2k\""), Ok((100_000, Some(2000))));
        for text in ["nodes = -1", "nodes = 1.5", "nodes = \"lots\"", "nodes = true", "nodes = nan", "nodes = inf"] {
            let error = read(text).unwrap_err();
            assert!(error.message().contains("expected a count, such as 500"), "{error}");
            assert!(error.span().is_some_and(|span| span.start >= 8), "{error:?}");
        }
    }
}
