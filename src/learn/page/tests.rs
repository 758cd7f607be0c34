// SPDX-License-Identifier: GPL-3.0-or-later
//! The page holds what it should, is well formed, and needs no network.

use super::*;
use crate::base::Depth;
use crate::features::{AtomSet, ExtensionTable};
use crate::game::Game;
use crate::games::Breakthrough;
use crate::learn::judged::Parents;
use crate::learn::outcome::LearnOutcome;
use crate::learn::worth::Worth;

const VOCABULARY: Vocabulary = Breakthrough::VOCABULARY;

fn judged(name: &str, solved: &[usize], parents: Option<(&str, &str)>, verdict: Verdict) -> Judged {
    let feature = |name: &str| VOCABULARY.parse(name).unwrap_or(AtomSet::EMPTY);
    let worth = Worth::made(solved.len() as i64, 3, solved);
    let parents =
        parents.map(|(first, second)| Parents { first: feature(first), first_value: 2, second: feature(second) });
    let table = ExtensionTable::single(feature(name), Depth::hundredths(50));
    Judged { table, tables_tried: 1, worth, parents, verdict }
}

fn page() -> String {
    let outcome = LearnOutcome {
        judged: vec![
            judged("Neutral", &[0], None, Verdict::Neutral),
            judged("Ud", &[0, 1], None, Verdict::Base),
            judged("PP", &[2], None, Verdict::BelowThreshold { delta: 2 }),
            judged("Ud-RdTt", &[0, 1, 2], Some(("Ud", "RdTt")), Verdict::Kept),
            judged("Ud-Rdb", &[0], Some(("Ud", "Rdb")), Verdict::Pruned { banned: Vec::new(), by_chance: None }),
        ],
        ..LearnOutcome::default()
    };
    let positions = ["a<b>", "b", "c"].map(str::to_owned).to_vec();
    let findings = Findings { outcome, positions, held_out: None };
    let settings = [("nodes".to_owned(), "5 & more".to_owned())];
    Page {
        title: "A \"test\"",
        settings: &settings,
        command: "halfply learn --suite '<x>'",
        vocabulary: &VOCABULARY,
        acceptance: &Acceptance::default(),
        findings: &findings,
    }
    .render()
}

#[test]
fn everything_is_there() {
    let page = page();
    for expected in [
        "<title>A &quot;test&quot;</title>",
        "5 features evaluated on 3 positions, 3 in the output",
        "<b class=\"kept\">Ud-RdTt</b> 3 <span class=\"why\">Ud 2 + RdTt: kept, at least 2 + 3</span>",
        "<b class=\"pruned\">PP</b> 1 <span class=\"why\">dropped, below delta = 2 (threshold pruning)</span>",
        "<title>Ud-RdTt: a&lt;b&gt;</title>",
        "<th>nodes</th><td>5 &amp; more</td>",
        "<pre>halfply learn --suite &#39;&lt;x&gt;&#39;</pre>",
        "prefers-color-scheme: dark",
    ] {
        assert!(page.contains(expected), "{expected}\n{page}");
    }
}

#[test]
fn it_asks_nothing_of_a_network() {
    let page = page();
    for asked in ["http", "<script", "<link", "<img", "url(", "@import", "javascript:"] {
        assert!(!page.contains(asked), "{asked}");
    }
}

#[test]
fn every_element_is_closed_in_its_turn() {
    let page = page();
    let mut open: Vec<&str> = Vec::new();
    for tag in page.split('<').skip(1) {
        let tag = tag.split_once('>').expect("a tag ends").0;
        let name = tag.trim_start_matches('/').split(|symbol: char| symbol.is_whitespace() || symbol == '/').next();
        let name = name.expect("a tag has a name");
        if tag.starts_with('!') || tag.ends_with('/') || name == "meta" {
            continue;
        }
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn a_run_that_found_nothing_has_a_page_too() {
    let outcome = LearnOutcome { capped: true, ..LearnOutcome::default() };
    let findings = Findings { outcome, positions: Vec::new(), held_out: None };
    let page = Page {
        title: "empty",
        settings: &[],
        command: "",
        vocabulary: &VOCABULARY,
        acceptance: &Acceptance::default(),
        findings: &findings,
    };
    assert!(page.render().contains("0 features evaluated on 0 positions, 0 in the output, stopped"));
}
