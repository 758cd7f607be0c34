// SPDX-License-Identifier: GPL-3.0-or-later
//! What the columns of the table of features mean.

use maud::{Markup, html};

use crate::learn::findings::Findings;
use crate::learn::{listing, similarity};
use crate::report::Listing;

/// The columns of the listing with their meanings, in their order.
pub(super) fn list(listing: &Listing, findings: &Findings) -> Markup {
    html! {
        dl.terms {
            @for name in listing.columns.iter().map(|column| &column.name) {
                @if let Some(meaning) = meaning(name, findings) { dt { (name) } dd { (meaning) } }
            }
        }
    }
}

fn meaning(column: &str, findings: &Findings) -> Option<String> {
    let tried = findings.outcome.judged.len().saturating_sub(1);
    let held_out = findings.held_out.as_ref().map_or(0, |held_out| held_out.positions);
    Some(match column {
        "feature" => "atoms joined by hyphens; Neutral is the search without extensions".to_owned(),
        "like" => format!(
            "a better feature that solves nearly the same positions: of those that either solves, both solve {} % or more",
            100.0 * similarity::ALIKE
        ),
        "parent" => "the better of the two features that it was combined from".to_owned(),
        "ply" => "what a move with the feature costs: the best of the costs tried".to_owned(),
        "value" => "what the fitness counts, in positions".to_owned(),
        "solved" => "positions in which the search's move at the limit is right".to_owned(),
        "seeds" => "the fewest and the most that one seed solves".to_owned(),
        "gain" => "more than the parent; an atom is compared with Neutral".to_owned(),
        "p" => format!(
            "how likely a difference so one-sided is if neither is better (exact McNemar test). A star marks a gain that \
             is significant even as one of {tried} features ({} % for all together, Holm)",
            100.0 * listing::LEVEL
        ),
        "held out" => format!("solved of {held_out} positions that were not learned from"),
        "its p" => "the same test there, against the search without extensions".to_owned(),
        "frequency" => {
            "the share of the moves searched that have the feature. Of two features that solve the same, the \
                        rarer costs less"
                .to_owned()
        }
        "mean depth" => "plies of the last complete iteration. Extended moves take nodes, so it falls".to_owned(),
        "mean height" => "the deepest ply that a line reached, extensions included".to_owned(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::outcome::LearnOutcome;
    use halfply_engine::features::Vocabulary;
    use halfply_engine::game::Game;
    use halfply_engine::games::Breakthrough;

    #[test]
    fn every_column_is_explained() {
        const VOCABULARY: Vocabulary = Breakthrough::VOCABULARY;
        let findings = Findings { outcome: LearnOutcome::default(), positions: Vec::new(), held_out: None };
        let listing = listing::features(&findings, &VOCABULARY);
        for column in &listing.columns {
            assert!(meaning(&column.name, &findings).is_some(), "{}", column.name);
        }
        assert!(list(&listing, &findings).into_string().contains("<dt>mean height</dt>"));
    }
}
