// SPDX-License-Identifier: GPL-3.0-or-later
//! The findings as listings, for terminals and for pages.

use super::findings::Findings;
use super::growth::Change;
use super::judged::Judged;
use super::significance::Comparison;
use super::similarity;
use crate::report::{Cell, Column, Listing};
use halfply_engine::features::{ExtensionTable, Vocabulary};

/// The level at which a gain is significant, over all comparisons of a run together.
pub const LEVEL: f64 = 0.05;

/// An optional column.
type Figure<'a, T> = (Column, Box<dyn Fn(usize, &T) -> Cell + 'a>);

/// The features of the output, best first. Columns with the same value in all rows are left out.
pub fn features(findings: &Findings, vocabulary: &Vocabulary) -> Listing {
    let outcome = &findings.outcome;
    let output = outcome.output();
    let solved: Vec<&[usize]> = output.iter().map(|judged| &judged.worth.solved[..]).collect();
    let leaders = similarity::leaders(&solved);
    let compared: Vec<Option<(&Judged, Comparison)>> =
        output.iter().map(|judged| outcome.compared_with(judged)).collect();
    let real = outcome.real_gains(LEVEL);
    let any = |differs: &dyn Fn(&Judged) -> bool| output.iter().any(|&judged| differs(judged));
    let several_plies = any(&|judged| judged.tables_tried > 1);
    let other_value = any(&|judged| judged.worth.value != judged.worth.solved.len() as i64);
    let repeated = any(&|judged| judged.worth.by_seed.len() > 1);

    let mut columns: Vec<Figure<'_, Judged>> = Vec::new();
    columns.push((Column::words("feature"), Box::new(|_, judged| judged.name(vocabulary).into())));
    columns.push((
        Column::words("like").rank(1),
        Box::new(|place, _| {
            let leader = leaders[place];
            (leader != place).then(|| output[leader].name(vocabulary)).into()
        }),
    ));
    columns.push((
        Column::words("parent").rank(2),
        Box::new(|place, judged| {
            let parent = compared[place].filter(|_| judged.parents.is_some());
            parent.map(|(parent, _)| parent.name(vocabulary)).into()
        }),
    ));
    if several_plies {
        columns.push((Column::figures("ply"), Box::new(|_, judged| ply(judged))));
    }
    if other_value {
        columns.push((Column::figures("value"), Box::new(|_, judged| value(judged.worth.value))));
    }
    columns.push((Column::figures("solved"), Box::new(|_, judged| count(judged.worth.solved.len()))));
    if repeated {
        columns.push((Column::figures("seeds").rank(3), Box::new(|_, judged| range(&judged.worth.by_seed).into())));
    }
    columns.push((
        Column::figures("gain"),
        Box::new(|place, judged| {
            let gain = compared[place].map(|(parent, _)| judged.worth.value - parent.worth.value);
            gain.map(Cell::difference).into()
        }),
    ));
    columns.push((
        Column::figures("p"),
        Box::new(|place, judged| {
            let mark = if real.contains(&judged.feature()) { " *" } else { "" };
            let p = compared[place].map(|(_, comparison)| Cell::p_value(comparison.p));
            p.map(|p| {
                let text = format!("{p}{mark}");
                p.shown(text)
            })
            .into()
        }),
    ));
    if findings.held_out.is_some() {
        columns.push((Column::figures("held out"), Box::new(|_, judged| held_out(findings, &judged.table))));
        columns.push((Column::figures("its p"), Box::new(|_, judged| held_out_p(findings, &judged.table))));
    }
    let frequency = Column::figures("frequency").rank(3);
    columns.push((frequency, Box::new(|_, judged| Cell::share(judged.worth.summary.frequency))));
    let depth = Column::figures("mean depth").rank(4);
    columns.push((depth, Box::new(|_, judged| Cell::decimal(judged.worth.summary.mean_depth, 2))));
    let height = Column::figures("mean height").rank(5);
    columns.push((height, Box::new(|_, judged| Cell::decimal(judged.worth.summary.mean_height, 2))));

    let mut listing = Listing::new(columns.iter().map(|(column, _)| column.clone()));
    for (place, &judged) in output.iter().enumerate() {
        listing.push(columns.iter().map(|(_, figure)| figure(place, judged)));
    }
    let notes = &mut listing.notes;
    notes.push("gain: over the parent, or over Neutral without one".to_owned());
    notes.push("p: probability of such a difference if neither is better (exact McNemar test)".to_owned());
    let tried = outcome.judged.len().saturating_sub(1);
    notes.push(format!("*: significant after correction for all {tried} tried (Holm, {} %)", 100.0 * LEVEL));
    notes.push(format!("like: both solve {} % or more of the positions that either solves", 100.0 * similarity::ALIKE));
    if several_plies {
        notes.push("ply: the best of those tried; p is that of one, times their number".to_owned());
    }
    if other_value {
        notes.push(
            "value: what the fitness counts, in positions; gain: of values; p: of positions that count more".to_owned(),
        );
    }
    if repeated {
        notes.push("solved: by most of the seeds; seeds: the fewest and the most that one seed solves".to_owned());
    }
    if let Some(held_out) = &findings.held_out {
        notes.push(format!(
            "held out: solved of {} positions that were not learned from; p there is against none",
            held_out.positions
        ));
    }
    listing
}

/// How disjunctions grew; none if there is none.
pub fn disjunctions(findings: &Findings, vocabulary: &Vocabulary) -> Option<Listing> {
    let mut columns =
        vec![Column::words("row"), Column::figures("value"), Column::figures("gain"), Column::figures("p")];
    if findings.held_out.is_some() {
        columns.extend([Column::figures("held out"), Column::figures("its p")]);
    }
    columns.push(Column::figures("frequency").rank(1));
    let mut listing = Listing::new(columns);
    for growth in &findings.outcome.grown {
        for (place, step) in growth.steps.iter().enumerate() {
            let (sign, row) = match step.change {
                Change::Added(row) => ("+", row),
                Change::Dropped(row) => ("−", row),
            };
            let sign = if place == 0 { " " } else { sign };
            let previous = place.checked_sub(1).map(|place| &growth.steps[place]);
            let gain = previous.map(|previous| step.worth.value - previous.worth.value);
            let added = matches!(step.change, Change::Added(_));
            let p = step.from_previous.filter(|_| added).map(|comparison| Cell::p_value(comparison.p));
            let mut cells: Vec<Cell> = vec![
                format!("{sign} {}@{}", vocabulary.format(row.feature), row.cost).into(),
                value(step.worth.value),
                gain.map(Cell::difference).into(),
                p.into(),
            ];
            if findings.held_out.is_some() {
                cells.push(held_out(findings, &step.table));
                cells.push(held_out_p(findings, &step.table));
            }
            cells.push(Cell::share(step.worth.summary.frequency));
            listing.push(cells);
        }
    }
    listing.notes.push(
        "each table begins with a feature; +: a row that came to it, −: one that went; p: as above, times the rows that were \
         tried"
            .to_owned(),
    );
    (!listing.rows.is_empty()).then_some(listing)
}

/// A fitness: it may be negative, and has no commas.
fn value(value: i64) -> Cell {
    Cell::number(value)
}

fn count(count: usize) -> Cell {
    Cell::number(count as i64)
}

fn held_out(findings: &Findings, table: &ExtensionTable) -> Cell {
    let tried = findings.held_out.as_ref().and_then(|held_out| held_out.of(table));
    tried.map(|evaluation| count(evaluation.solved.len())).into()
}

fn held_out_p(findings: &Findings, table: &ExtensionTable) -> Cell {
    let comparison = findings.held_out.as_ref().and_then(|held_out| held_out.against_none(table));
    comparison.map(|comparison| Cell::p_value(comparison.p)).into()
}

fn ply(judged: &Judged) -> Cell {
    judged.row().map(|row| row.cost.to_string()).into()
}

fn range(figures: &[usize]) -> String {
    match (figures.iter().min(), figures.iter().max()) {
        (Some(least), Some(most)) => format!("{least}-{most}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::growth::{Growth, Step};
    use crate::learn::held_out::HeldOut;
    use crate::learn::judged::Verdict;
    use crate::learn::knowledge::Knowledge;
    use crate::learn::outcome::LearnOutcome;
    use crate::learn::worth::Worth;
    use halfply_engine::base::Depth;
    use halfply_engine::features::file;
    use halfply_engine::game::Game;
    use halfply_engine::games::Breakthrough;

    const VOCABULARY: Vocabulary = Breakthrough::VOCABULARY;

    fn table(text: &str) -> ExtensionTable {
        file::parse_line(text, &Breakthrough::VOCABULARY).unwrap()
    }

    fn solves(positions: usize, solved: std::ops::Range<usize>) -> Worth {
        let solved: Vec<usize> = solved.collect();
        Worth::made(solved.len() as i64, positions, &solved)
    }

    /// Of 20 positions nothing solves 2, Ud 12 and Ud or Rc 19; of 10 held out 1, 8 and 9.
    fn findings() -> Findings {
        let judged = |name: &str, solved: usize, verdict: Verdict| Judged {
            table: ExtensionTable::single(VOCABULARY.parse(name).unwrap_or_default(), Depth::hundredths(50)),
            tables_tried: 1,
            worth: solves(20, 0..solved),
            parents: None,
            verdict,
        };
        let judged = vec![judged("", 2, Verdict::Neutral), judged("Ud", 12, Verdict::Base)];
        let [ud, both] = [table("Ud@0.5"), table("Ud@0.5 Rc@0.5")];
        let step = |table: &ExtensionTable, solved: usize, row: usize, previous: Option<&Worth>| {
            let worth = solves(20, 0..solved);
            let from_previous = previous.map(|previous| Comparison::of_best(&worth, previous, 3));
            Step { change: Change::Added(both.rows()[row]), table: table.clone(), worth, from_previous }
        };
        let steps = vec![step(&ud, 12, 0, None), step(&both, 19, 1, Some(&solves(20, 0..12)))];
        let held_out = HeldOut {
            positions: 10,
            tried: vec![(table("none"), solves(10, 0..1)), (ud, solves(10, 0..8)), (both, solves(10, 0..9))],
        };
        let positions = (0..20).map(|place| place.to_string()).collect();
        let outcome = LearnOutcome { judged, capped: false, grown: vec![Growth { steps }] };
        Findings { outcome, positions, held_out: Some(held_out) }
    }

    fn texts(listing: &Listing, row: usize) -> Vec<&str> {
        listing.rows[row].iter().map(Cell::as_text).collect()
    }

    #[test]
    fn features_are_listed_with_what_is_known_of_them() {
        let listing = features(&findings(), &VOCABULARY);
        let header: Vec<_> = listing.columns.iter().map(|column| &*column.name).collect();
        assert_eq!(header[..8], ["feature", "like", "parent", "solved", "gain", "p", "held out", "its p"]);
        // Ten gained of ten: 2 / 2^10, and of seven 2 / 2^7.
        assert_eq!(texts(&listing, 0)[..8], ["Ud", "", "", "12", "+10", "0.002 *", "8", "0.016"]);
        assert_eq!(texts(&listing, 1)[..8], ["Neutral", "", "", "2", "", "", "1", ""]);
        assert_eq!(listing.rows.len(), 2);
    }

    #[test]
    fn disjunctions_are_listed_row_by_row() {
        let listing = disjunctions(&findings(), &VOCABULARY).unwrap();
        let header: Vec<_> = listing.columns.iter().map(|column| &*column.name).collect();
        assert_eq!(header, ["row", "value", "gain", "p", "held out", "its p", "frequency"]);
        assert_eq!(texts(&listing, 0)[..6], ["  Ud@0.5", "12", "", "", "8", "0.016"]);
        // Seven gained of seven, as the best of three: 6 / 2^7.
        assert_eq!(texts(&listing, 1)[..6], ["+ Rc@0.5", "19", "+7", "0.047", "9", "0.008"]);
        let mut none = findings();
        none.outcome.grown.clear();
        assert!(disjunctions(&none, &VOCABULARY).is_none());
    }

    #[test]
    fn knowledge_begins_with_what_is_worth_most() {
        let page = Knowledge::of_findings(&findings(), Breakthrough::NAME, &VOCABULARY, "made").page();
        let sentence = "With it 19 of the 20 positions that it was learned from are solved, without extensions 2; of 10 others \
                        9, without extensions 1.";
        assert!(page.contains("## 1. Ud, or Rc\n") && page.contains(sentence), "{page}");
        assert!(page.contains("## 2. Ud\n") && !page.contains("## 3."), "{page}");
        // A disjunction that is worth no more than the best feature is none.
        let mut worse = findings();
        worse.outcome.grown[0].steps[1].worth.value = 12;
        assert!(worse.outcome.best_disjunction().is_none());
        let none = Findings { outcome: LearnOutcome::default(), ..findings() };
        let page = Knowledge::of_findings(&none, Breakthrough::NAME, &VOCABULARY, "").page();
        assert!(page.contains("Nothing was found"), "{page}");
    }
}
