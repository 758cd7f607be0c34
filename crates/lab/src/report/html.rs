// SPDX-License-Identifier: GPL-3.0-or-later
//! What all pages are made of.

use maud::{Markup, html};

use super::{Column, Listing};

/// A listing as a table with its notes. The table scrolls if it is wider than the page. Cells of figures have the class
/// `number`, cells of sentences the class `prose`.
pub fn table(listing: &Listing) -> Markup {
    let class = |column: &Column| match (column.is_figures, column.wraps) {
        (true, _) => Some("number"),
        (false, true) => Some("prose"),
        (false, false) => None,
    };
    html! {
        div.scroll {
            table {
                tr {
                    @for column in &listing.columns { th class=[class(column)] { (column.name) } }
                }
                @for row in &listing.rows {
                    tr {
                        @for (column, cell) in listing.columns.iter().zip(row) { td class=[class(column)] { (cell.as_text()) } }
                    }
                }
            }
        }
        @for note in &listing.notes { (self::note(note)) }
    }
}

/// A remark below what it is about.
pub fn note(text: &str) -> Markup {
    html! { p.note { (text) } }
}

/// A command, to be copied.
pub fn command(text: &str) -> Markup {
    html! { pre { (text) } }
}

#[cfg(test)]
mod tests {
    use super::super::Cell;
    use super::*;

    #[test]
    fn nothing_in_a_listing_is_taken_for_markup() {
        let mut listing = Listing::new([Column::words("<name>"), Column::figures("p")]);
        listing.push([Cell::text("a<b>&\""), Cell::decimal(0.5, 3)]);
        listing.notes.push("x < y".to_owned());
        assert_eq!(
            table(&listing).into_string(),
            "<div class=\"scroll\"><table><tr><th>&lt;name&gt;</th><th class=\"number\">p</th></tr>\
             <tr><td>a&lt;b&gt;&amp;&quot;</td><td class=\"number\">0.500</td></tr></table></div>\
             <p class=\"note\">x &lt; y</p>"
        );
    }
}
