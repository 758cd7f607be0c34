// SPDX-License-Identifier: GPL-3.0-or-later
//! Tables for a terminal. They are Markdown too.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Cell, Column, Listing};
use halfply_engine::base::echo::plain;

/// The width of tables if the width of the terminal is unknown.
pub const WIDTH: usize = 80;

/// All of a listing as a Markdown table, without its notes.
pub fn markdown(listing: &Listing) -> String {
    drawn(listing).to_string()
}

/// Columns of prose are wrapped to this width before other columns are left out.
const PROSE: usize = 24;

/// A table at most `width` characters wide, and the names of the columns left out to make it so. Columns of prose are wrapped.
/// It may still be wider if what is left is too wide.
pub fn fitted(listing: &Listing, width: usize) -> (String, Vec<String>) {
    let mut left_out: Vec<usize> = Vec::new();
    loop {
        let shown = listing.without(&left_out);
        let fits = narrowest(&shown) <= width;
        let still_shown = (0..listing.columns.len()).filter(|place| !left_out.contains(place));
        // Of equal ranks the last goes first.
        let next = still_shown
            .filter(|&place| listing.columns[place].rank > 0)
            .max_by_key(|&place| (listing.columns[place].rank, place));
        match next {
            Some(place) if !fits => left_out.push(place),
            _ => {
                left_out.sort_unstable();
                let names = left_out.iter().map(|&place| listing.columns[place].name.to_string()).collect();
                return (wrapped(&shown, width), names);
            }
        }
    }
}

/// The width of a table whose columns of prose are wrapped.
fn narrowest(listing: &Listing) -> usize {
    let column = |(place, column): (usize, &Column)| {
        let cells = listing.rows.iter().filter_map(|row| row.get(place)).map(Cell::as_text);
        let widest = cells.chain([&*column.name]).map(|text| plain(text).width()).max().unwrap_or(0);
        let borders = 3;
        borders + if column.wraps { widest.min(PROSE) } else { widest }
    };
    listing.columns.iter().enumerate().map(column).sum::<usize>() + 1
}

/// A table whose columns of prose share the room that the others leave.
fn wrapped(listing: &Listing, width: usize) -> String {
    let mut table = drawn(listing);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(u16::try_from(width).unwrap_or(u16::MAX));
    for (column, drawn) in listing.columns.iter().zip(table.column_iter_mut()) {
        if !column.wraps {
            drawn.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table.to_string()
}

fn drawn(listing: &Listing) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(listing.columns.iter().map(|column| plain(&column.name)));
    for (column, drawn) in listing.columns.iter().zip(table.column_iter_mut()) {
        if column.is_figures {
            drawn.set_cell_alignment(CellAlignment::Right);
        }
    }
    for row in &listing.rows {
        table.add_row(row.iter().map(|cell| plain(cell.as_text())));
    }
    table
}

/// The beginning of a text that takes at most that many columns. One that is cut ends in an ellipsis.
pub fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut width = 1;
    let fits = |symbol: &char| {
        width += symbol.width().unwrap_or(0);
        width <= columns
    };
    let beginning: String = text.chars().take_while(fits).collect();
    if columns == 0 { beginning } else { beginning + "…" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features() -> Listing {
        let mut listing = Listing::new([
            Column::words("feature"),
            Column::words("like").rank(2),
            Column::figures("solved"),
            Column::figures("frequency").rank(1),
            Column::figures("mean height").rank(2),
        ]);
        listing.push([Cell::text("Ud-Rdt"), "".into(), Cell::count(1103), Cell::share(0.1561), Cell::decimal(8.21, 2)]);
        listing.push([Cell::text("Bv2"), "Ud-Rdt".into(), Cell::count(9)]);
        listing
    }

    #[test]
    fn columns_go_by_rank_until_the_table_fits() {
        let listing = features();
        insta::assert_snapshot!(markdown(&listing), @r"
        | feature | like   | solved | frequency | mean height |
        |---------|--------|--------|-----------|-------------|
        | Ud-Rdt  |        |  1,103 |    15.61% |        8.21 |
        | Bv2     | Ud-Rdt |      9 |           |             |
        ");
        assert_eq!(fitted(&listing, 55), (markdown(&listing), vec![]));
        let (text, left_out) = fitted(&listing, 54);
        assert_eq!(left_out, ["mean height"]);
        assert!(text.lines().all(|line| line.width() <= 54), "{text}");
        let (text, left_out) = fitted(&listing, 40);
        assert_eq!(left_out, ["like", "mean height"]);
        assert!(text.starts_with("| feature | solved | frequency |"), "{text}");
        // Those of rank 0 stay, however narrow it is.
        let (text, left_out) = fitted(&listing, 1);
        assert_eq!((left_out.len(), text.lines().next()), (3, Some("| feature | solved |")));
    }

    #[test]
    fn names_command_no_terminal() {
        let mut listing = Listing::new([Column::words("engine")]);
        listing.push(["\u{1b}]0;title\u{7}"]);
        assert!(!markdown(&listing).contains(['\u{1b}', '\u{7}']));
    }

    #[test]
    fn wide_symbols_count_as_they_are_drawn() {
        let mut listing = Listing::new([Column::words("a"), Column::words("b").rank(1)]);
        listing.push(["将棋", "x"]);
        assert_eq!(fitted(&listing, 12).1, Vec::<String>::new());
        assert_eq!(fitted(&listing, 11).1, ["b"]);
    }

    #[test]
    fn prose_is_wrapped_before_columns_are_left_out() {
        let mut listing =
            Listing::new([Column::words("name"), Column::prose("meaning"), Column::words("also").rank(1)]);
        listing.push(["a long name", "what it means, in some more words", "another"]);
        assert_eq!(fitted(&listing, 61), (markdown(&listing), vec![]));
        insta::assert_snapshot!(fitted(&listing, 52).0, @r"
        | name        | meaning                  | also    |
        |-------------|--------------------------|---------|
        | a long name | what it means, in some   | another |
        |             | more words               |         |
        ");
        assert_eq!(fitted(&listing, 51), (markdown(&listing.without(&[2])), vec!["also".to_owned()]));
        insta::assert_snapshot!(fitted(&listing, 30).0, @r"
        | name        | meaning   |
        |-------------|-----------|
        | a long name | what it   |
        |             | means, in |
        |             | some more |
        |             | words     |
        ");
    }

    #[test]
    fn a_text_that_is_cut_is_as_wide_as_there_is_room() {
        for (text, columns, expected) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("abcd", 1, "…"),
            ("abcd", 0, ""),
            ("漢字漢", 4, "漢…"),
            ("", 0, ""),
        ] {
            assert_eq!(cut(text, columns), expected);
        }
    }
}
