// SPDX-License-Identifier: GPL-3.0-or-later
//! Suggestions for a name that does not exist.

/// Below this similarity (0 to 1) names are unrelated.
const ALIKE: f64 = 0.8;

/// The known name most similar to the given one, if any is similar. Case, `_`, `-` and spaces are ignored.
pub fn closest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |name: &str| name.to_lowercase().replace(['_', '-', ' '], "");
    let given = plain(given);
    let likeness = |name: &'a str| (strsim::jaro_winkler(&given, &plain(name)), name);
    let best = known.into_iter().map(likeness).max_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|(likeness, _)| *likeness >= ALIKE).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn the_nearest_name_is_found_and_a_far_one_is_not() {
        let known = ["null_move", "null_move_depth", "killers", "suites/ecm.epd"];
        for (given, expected) in [
            ("nullmove", Some("null_move")),
            ("Null-Move", Some("null_move")),
            ("nullmovedepht", Some("null_move_depth")),
            ("killer", Some("killers")),
            ("suite/ecm.epd", Some("suites/ecm.epd")),
            ("aspiration", None),
            ("", None),
        ] {
            assert_eq!(closest(given, known), expected, "{given}");
        }
    }
}
