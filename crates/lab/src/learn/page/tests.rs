// SPDX-License-Identifier: GPL-3.0-or-later
//! The page holds what it should, is well formed, and needs no network.

use super::*;
use crate::learn::judged::Parents;
use crate::learn::outcome::LearnOutcome;
use crate::learn::worth::Worth;
use crate::suite::Suite;
use halfply_engine::base::Depth;
use halfply_engine::features::{AtomSet, ExtensionTable};
use halfply_engine::game::{Game, Notation};
use halfply_engine::games::{Breakthrough, RegisteredGame};
use halfply_engine::search::explain::explain;

const VOCABULARY: Vocabulary = Breakthrough::VOCABULARY;

fn judged(name: &str, solved: &[usize], parents: Option<(&str, &str)>, verdict: Verdict) -> Judged {
    let feature = |name: &str| VOCABULARY.parse(name).unwrap_or(AtomSet::EMPTY);
    let worth = Worth::made(solved.len() as i64, 3, solved);
    let parents =
        parents.map(|(first, second)| Parents { first: feature(first), first_value: 2, second: feature(second) });
    let table = ExtensionTable::single(feature(name), Depth::hundredths(50));
    Judged { table, tables_tried: 1, worth, parents, verdict }
}

/// On three positions, whose names are not those of the suite that the boards are from.
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
    let suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE).unwrap();
    let diagrams = Diagrams::of_findings(&suite, &findings, &ExtensionTable::default());
    Page {
        title: "A \"test\"",
        settings: &settings,
        command: "halfply learn --suite '<x>'",
        vocabulary: &VOCABULARY,
        acceptance: &Acceptance::default(),
        findings: &findings,
        diagrams: &diagrams,
        links: &[Link::new("features.csv", "all <figures>")],
    }
    .render()
}

#[test]
fn everything_is_there() {
    let page = page();
    for expected in [
        "<title>A &quot;test&quot;</title>",
        "<h1>Ud-RdTt solves 3 of 3 positions; the search without extensions solves 1</h1>",
        "A move with both <b>Ud</b> (“the piece is not attacked on its destination”) and <b>RdTt</b> \
         (“moves to rows 7 or 8”) costs 0.5 plies instead of 1, so the search looks deeper behind it.",
        "5 features evaluated on 3 positions, 3 in the output",
        "<a href=\"features.csv\">all &lt;figures&gt;</a>",
        "<a href=\"#gained\">Positions gained and lost</a>",
        "<h3>Only with Ud-RdTt: 2 gained</h3>",
        "Neutral, no extensions: 1</li>",
        "<b class=\"kept\">Ud-RdTt</b> 3 <span class=\"why\">Ud 2 + RdTt: kept, at least 2 + 3</span>",
        "<b class=\"pruned\">PP</b> 1 <span class=\"why\">dropped, below delta = 2 (threshold pruning)</span>",
        "<span>Ud-RdTt</span><span class=\"lost\">−0</span>",
        "<th>nodes</th><td>5 &amp; more</td>",
        "<pre>halfply learn --suite '&lt;x&gt;'</pre>",
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
        diagrams: &Diagrams::default(),
        links: &[],
    };
    assert!(page.render().contains("0 features evaluated on 0 positions, 0 in the output, stopped"));
}

#[test]
fn boards_show_moves_that_have_the_feature() {
    let suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE).unwrap();
    let features: Vec<_> = ["Ud", "C", "Ud-Rdt"].map(|name| VOCABULARY.parse(name).unwrap()).into();
    let diagrams = Diagrams::of(&suite, &features, &ExtensionTable::default());
    for feature in features {
        let diagram =
            diagrams.example(feature).unwrap_or_else(|| panic!("{} has no board", VOCABULARY.format(feature)));
        let position = Breakthrough::parse_position(&diagram.fen).unwrap();
        let mv = Breakthrough::parse_move(&position, &diagram.moves).unwrap();
        let explained = explain::<Breakthrough>(&position, None, &ExtensionTable::default());
        let atoms = explained.iter().find(|explained| explained.mv == mv).unwrap().atoms;
        assert!(atoms.contains(feature), "{} has {}", diagram.moves, VOCABULARY.format(atoms));
    }
}

/// `Rc` is of a move that captures the piece that moved last: the board shows the last move too.
#[test]
fn boards_show_the_last_move_where_it_matters() {
    let suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE).unwrap();
    let recaptures = VOCABULARY.parse("Rc").unwrap();
    let diagrams = Diagrams::of(&suite, &[recaptures], &ExtensionTable::default());
    let diagram = diagrams.example(recaptures).unwrap();
    assert!(diagram.last.to.is_some() && diagram.last.to == diagram.next.to, "{diagram:?}");
    assert!(diagram.board().into_string().contains("class=\"last\""));
}
