// SPDX-License-Identifier: GPL-3.0-or-later
//! Numbers as people read them, the same in terminals, files and pages.

/// An integer with commas between thousands.
#[must_use]
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

/// A share as a percentage with two decimals.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_parted() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(super::thousands(number), text);
        }
    }
}
