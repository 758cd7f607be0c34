// SPDX-License-Identifier: GPL-3.0-or-later
//! Tables for pages, and text that is safe there.

use super::{Cell, Listing};

/// The text with its markup escaped.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for symbol in text.chars() {
        match symbol {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            // HTML allows none of these.
            symbol if symbol.is_control() && !symbol.is_whitespace() => safe.push('\u{fffd}'),
            _ => safe.push(symbol),
        }
    }
    safe
}

/// A listing as a table with its notes. The table scrolls if it is wider than the page. Cells of figures have the class
/// `number`, cells of sentences the class `prose`.
pub fn table(listing: &Listing) -> String {
    let cells = |tag: &str, texts: &[&str]| -> String {
        let cell = |(column, text): (&super::Column, &&str)| {
            let class = match (column.is_figures, column.wraps) {
                (true, _) => " class=\"number\"",
                (false, true) => " class=\"prose\"",
                (false, false) => "",
            };
            format!("<{tag}{class}>{}</{tag}>", escape(text))
        };
        listing.columns.iter().zip(texts).map(cell).collect()
    };
    let header: Vec<&str> = listing.columns.iter().map(|column| column.name.as_ref()).collect();
    let row = |row: &Vec<Cell>| {
        let texts: Vec<&str> = row.iter().map(Cell::as_text).collect();
        format!("<tr>{}</tr>\n", cells("td", &texts))
    };
    let rows: String = listing.rows.iter().map(row).collect();
    let notes: String = listing.notes.iter().map(|note| format!("<p class=\"note\">{}</p>\n", escape(note))).collect();
    format!("<div class=\"scroll\"><table>\n<tr>{}</tr>\n{rows}</table></div>\n{notes}", cells("th", &header))
}

#[cfg(test)]
mod tests {
    use super::super::Column;
    use super::*;

    #[test]
    fn nothing_in_a_listing_is_taken_for_markup() {
        let mut listing = Listing::new([Column::words("<name>"), Column::figures("p")]);
        listing.push([Cell::text("a<b>&\"'"), Cell::decimal(0.5, 3)]);
        listing.notes.push("x < y".to_owned());
        assert_eq!(
            table(&listing),
            "<div class=\"scroll\"><table>\n<tr><th>&lt;name&gt;</th><th class=\"number\">p</th></tr>\n\
             <tr><td>a&lt;b&gt;&amp;&quot;&#39;</td><td class=\"number\">0.500</td></tr>\n</table></div>\n\
             <p class=\"note\">x &lt; y</p>\n"
        );
    }
}
