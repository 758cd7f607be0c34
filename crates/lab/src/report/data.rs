// SPDX-License-Identifier: GPL-3.0-or-later
//! Listings as data: the values of the cells, and not their texts.

use serde_json::{Map, Value};

use super::{Cell, Listing};

/// A list with an object for each row; the keys are the names of the columns.
pub fn json(listing: &Listing) -> Value {
    let object = |row: &Vec<Cell>| -> Value {
        let pairs = listing.columns.iter().zip(row);
        let pairs = pairs.map(|(column, cell)| (column.name.to_string(), cell.value().clone()));
        Value::Object(pairs.collect::<Map<_, _>>())
    };
    listing.rows.iter().map(object).collect()
}

/// A header, and a line for each row.
///
/// # Panics
/// If there is not enough memory.
pub fn csv(listing: &Listing) -> String {
    let in_memory = "memory can be written to";
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(listing.columns.iter().map(|column| column.name.as_ref())).expect(in_memory);
    for row in &listing.rows {
        let text = |cell: &Cell| match cell.value() {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        writer.write_record(row.iter().map(text)).expect(in_memory);
    }
    String::from_utf8_lossy(&writer.into_inner().expect(in_memory)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::Column;
    use super::*;

    #[test]
    fn programs_get_values_and_people_texts() {
        let mut listing = Listing::new([Column::words("name"), Column::figures("solved"), Column::figures("share")]);
        listing.push([Cell::text("a, \"b\""), Cell::count(1234).shown("≤ 1,234"), Cell::share(0.25)]);
        listing.push([Cell::blank()]);
        assert_eq!(csv(&listing), "name,solved,share\n\"a, \"\"b\"\"\",1234,0.25\n,,\n");
        let expected = serde_json::json!([
            { "name": "a, \"b\"", "solved": 1234, "share": 0.25 },
            { "name": null, "solved": null, "share": null },
        ]);
        assert_eq!(json(&listing), expected);
    }
}
