// SPDX-License-Identifier: GPL-3.0-or-later
//! Lines of events, and the page made of them.

use super::*;
use crate::learn::searches::TestBed;
use crate::learn::{Recipe, run};
use crate::players::SearchSpec;
use crate::suite::Suite;
use halfply_engine::games::{Breakthrough, RegisteredGame};

fn told(feature: &str, value: i64, parent: Option<&str>, verdict: VerdictWord) -> LearnLine {
    let (feature, parent) = (feature.to_owned(), parent.map(str::to_owned));
    LearnLine::Judged(JudgedLine { feature, value, is_bound: false, parent, verdict, why: "<why>".to_owned() })
}

fn growing(lines: Vec<LearnLine>) -> Growing {
    let mut growing = Growing::default();
    lines.into_iter().for_each(|line| growing.enter(line));
    growing
}

#[test]
fn the_tree_grows_line_by_line() {
    let mut growing = growing(vec![
        LearnLine::Run { name: "a".to_owned(), positions: 200 },
        LearnLine::Level { atoms: 1, features: 3 },
        told("Neutral", 26, None, VerdictWord::Neutral),
    ]);
    assert_eq!(growing.headline(), "Without extensions 26 of 200 positions.");
    growing.enter(told("Ud", 60, None, VerdictWord::Base));
    growing.enter(told("PP", 30, None, VerdictWord::Base));
    growing.enter(told("PP", 30, None, VerdictWord::Pruned));
    growing.enter(LearnLine::Level { atoms: 2, features: 5 });
    growing.enter(told("Ud-Rdt", 103, Some("Ud"), VerdictWord::Kept));
    assert_eq!(
        growing.headline(),
        "Best of 3 features so far: Ud-Rdt, worth 103 of 200 positions; without extensions 26."
    );
    let parts = growing.parts(false);
    let body = |title: &str| &parts.iter().find(|part| part.title == title).unwrap().body[..];
    assert_eq!(body("Now"), "<p>combinations of 2 atoms: 1 of at most 5 evaluated</p>");
    assert!(body("The best so far").contains("Neutral: without extensions"));
    let tree = body("How the features grow");
    assert!(tree.contains("<b class=\"pruned\">PP</b> 30") && !tree.contains("base\">PP"), "{tree}");
    assert!(tree.contains("&lt;why&gt;") && tree.find("Ud</b>").unwrap() < tree.find("Ud-Rdt</b>").unwrap());
    assert_eq!(tree.matches("<ul").count(), tree.matches("</ul>").count());
    // Another run of an experiment.
    growing.enter(LearnLine::Run { name: "b".to_owned(), positions: 200 });
    growing.enter(told("Neutral", 26, None, VerdictWord::Neutral));
    assert_eq!(growing.headline(), "b: Without extensions 26 of 200 positions.");
    assert_eq!(growing.parts(false)[0].title, "The runs so far");
}

#[test]
fn of_very_many_features_the_pruned_ones_are_counted() {
    let mut lines = vec![told("Neutral", 1, None, VerdictWord::Neutral), told("A", 5, None, VerdictWord::Base)];
    lines.extend((0..2000).map(|number| told(&format!("A-{number}"), 2, Some("A"), VerdictWord::Pruned)));
    let parts = growing(lines).parts(true);
    let tree = &parts.last().unwrap().body;
    assert!(tree.contains("2,000 more are not shown") && !tree.contains("A-17"), "{tree}");
}

#[test]
fn whatever_the_names_are_the_tree_ends_and_is_small() {
    let neutral = || told("Neutral", 1, None, VerdictWord::Neutral);
    let base = |feature: &str, parent: Option<&str>| told(feature, 5, parent, VerdictWord::Base);
    let chain = (0..60_000).map(|number: u32| {
        let parent = number.checked_sub(1).map(|parent| parent.to_string());
        base(&number.to_string(), parent.as_deref())
    });
    let long = "x".repeat(1 << 20);
    for (lines, most) in [
        (vec![neutral(), base("", None)], 2),
        (vec![neutral(), base("", Some(""))], 2),
        // A circle that nothing leads into, and names of their own parents.
        (vec![neutral(), base("A", Some("B")), base("B", Some("A")), base("C", Some("C"))], 1),
        (vec![neutral(), base("Neutral", None), base("A", Some("Neutral"))], 2),
        (std::iter::once(neutral()).chain(chain).collect(), DEEPEST + 1),
        (std::iter::once(neutral()).chain((0..9000).map(|number| base(&number.to_string(), None))).collect(), 2001),
        (vec![neutral(), base(&long, None), base("A", Some(&long))], 3),
        (vec![base("A", None)], 0),
    ] {
        let growing = growing(lines);
        let parts = growing.parts(false);
        let tree = &parts.last().unwrap().body;
        assert!(tree.matches("<b ").count() <= most && tree.len() < 1 << 20, "{}", &tree[..tree.len().min(2000)]);
        assert_eq!(tree.matches("<ul").count(), tree.matches("</ul>").count());
        assert_eq!(tree.matches("<li").count(), tree.matches("</li>").count());
        assert!(growing.headline().len() < 1000);
    }
    let runs = (0..5000).map(|number: u32| LearnLine::Run { name: number.to_string(), positions: 1 });
    assert_eq!(growing(runs.collect()).runs.len(), MOST_RUNS);
}

#[test]
fn a_run_tells_all_that_it_judges() {
    let mut suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE).unwrap();
    suite.problems.truncate(3);
    let searcher = SearchSpec::default().searcher(1, std::path::Path::to_owned).unwrap();
    let bed = TestBed { suite, searcher, nodes: 50 };
    let recipe = Recipe::default();
    let acceptance = &recipe.method.conjunctions().acceptance;
    let vocabulary = <Breakthrough as halfply_engine::game::Game>::VOCABULARY;
    let mut growing = Growing::default();
    let findings = run(&bed, &recipe, |event| {
        // As in the file.
        let line = LearnLine::of(&event, &vocabulary, acceptance).map(|line| serde_json::to_string(&line).unwrap());
        line.into_iter().for_each(|line| growing.enter(serde_json::from_str(&line).unwrap()));
    })
    .unwrap();
    let run = &growing.runs[0];
    assert_eq!(run.told.len(), findings.outcome.judged.len());
    let outputs = run.told.iter().filter(|told| told.verdict != VerdictWord::Pruned).count();
    assert_eq!(outputs, findings.outcome.output().len());
}
