// SPDX-License-Identifier: GPL-3.0-or-later
//! Text that is safe in a page.

/// The text with everything replaced that a page would take for markup.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for symbol in text.chars() {
        match symbol {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            _ => safe.push(symbol),
        }
    }
    safe
}
