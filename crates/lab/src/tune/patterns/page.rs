// SPDX-License-Identifier: GPL-3.0-or-later
//! The comparison of ways to choose patterns as a page: the paper's tables and figures, of our own positions.

use super::arms::Efficiency;
use super::select::Picked;
use crate::report::chart::{Series, lines};
use crate::report::html::{escape, table};
use crate::report::page::{page, section};
use crate::report::{Cell, Column, Listing};
use halfply_engine::base::figures::thousands;
use halfply_engine::evaluation::patterns::stage::Stage;
use halfply_engine::patterns::View;

/// How many points a line has at most.
const POINTS: usize = 60;

/// What the paper's Tables 2 and 3 say of a threshold: letter, discs, threshold, patterns and error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// Its letter.
    pub letter: char,
    /// Discs on the board.
    pub discs: u32,
    /// The threshold.
    pub threshold: f64,
    /// Patterns.
    pub patterns: u64,
    /// The error; not given for all.
    pub error: Option<f64>,
}

const fn published(letter: char, discs: u32, threshold: f64, patterns: u64) -> Published {
    Published { letter, discs, threshold, patterns, error: None }
}

impl Published {
    const fn with_error(self, error: f64) -> Self {
        Self { error: Some(error), ..self }
    }
}

/// Tables 2 and 3.
pub const PUBLISHED: [Published; 13] = [
    published('a', 60, 5e-6, 481_552),
    published('b', 60, 2.5e-5, 326_157),
    published('c', 60, 1.25e-4, 125_734).with_error(6.07),
    published('d', 60, 5e-4, 46_739).with_error(6.31),
    published('e', 60, 1.25e-3, 23_069).with_error(6.58),
    published('f', 60, 2.5e-3, 13_239),
    published('g', 60, 5e-3, 7_531).with_error(7.39),
    published('h', 60, 0.01, 4_147).with_error(7.81),
    published('i', 55, 5e-6, 878_602),
    published('j', 55, 1.25e-4, 206_918).with_error(8.38),
    published('k', 55, 5e-4, 69_101).with_error(8.54),
    published('l', 55, 5e-3, 9_885).with_error(9.65),
    published('m', 55, 0.01, 5_139).with_error(10.18),
];

/// What the paper says of a threshold for positions with so many discs.
#[must_use]
pub fn published_for(stage: Stage, threshold: f64) -> Option<Published> {
    let is_it = |row: &&Published| {
        stage.least == row.discs && stage.most == row.discs && (row.threshold / threshold - 1.0).abs() < 1e-6
    };
    PUBLISHED.iter().find(is_it).copied()
}

/// How many patterns have which frequency, of one source.
#[derive(Clone, Debug)]
pub struct Frequencies {
    /// The source.
    pub name: &'static str,
    /// By power of two: `counts[n]` for frequencies from `2^-(n+1)` to below `2^-n`.
    pub counts: Vec<u64>,
}

/// What is drawn of the patterns of rules in one stage and view.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The stage.
    pub stage: Stage,
    /// The view.
    pub view: View,
    /// Figure 10.
    pub frequencies: Vec<Frequencies>,
    /// Figure 11: the selection with the lowest threshold, in order.
    pub picked: Vec<Picked>,
    /// Figure 14: by threshold, from the highest to the lowest, the errors in training and in the test.
    pub errors: Vec<(f64, [f64; 2])>,
    /// Figure 15: by threshold, how many patterns there are, and how many positions a second they match.
    pub speeds: Vec<(u64, f64)>,
}

/// Everything on the page.
#[derive(Clone, Debug)]
pub struct Contents<'a> {
    /// The game.
    pub game: &'a str,
    /// What errors are, in words.
    pub errors: &'a str,
    /// All ways to choose patterns.
    pub arms: &'a Listing,
    /// By stage and view.
    pub drawn: &'a [Drawn],
    /// By size: without and with cubes.
    pub efficiency: &'a [[Efficiency; 2]],
    /// The command that repeats it.
    pub command: &'a str,
}

/// The page.
#[must_use]
pub fn render(contents: &Contents<'_>) -> String {
    let mut sections = vec![section("Patterns and errors (Tables 2 to 4)", &table(contents.arms))];
    for drawn in contents.drawn {
        let of = format!("{} pieces, view {}", drawn.stage, drawn.view);
        sections.push(section(&format!("Frequencies: {of} (Figure 10)"), &frequencies(drawn)));
        if !drawn.picked.is_empty() {
            sections.push(section(&format!("Error while patterns are selected: {of} (Figure 11)"), &selection(drawn)));
        }
        sections.push(section(&format!("Error by threshold: {of} (Figure 14)"), &errors(drawn)));
        sections.push(section(&format!("Speed by threshold: {of} (Figure 15)"), &speeds(drawn)));
    }
    if !contents.efficiency.is_empty() {
        sections
            .push(section("Edges and speed with and without cubes (Figures 16 and 17)", &cubes(contents.efficiency)));
    }
    sections.push(section("The command that repeats it", &format!("<pre>{}</pre>", escape(contents.command))));
    let summary = format!(
        "Ways to choose patterns for an evaluation, after T. Kaneko, K. Yamaguchi and S. Kawai, 2003. All errors are {}, on \
         positions of games that nothing was learned from. The paper's positions are others: compare rows with each other.",
        contents.errors
    );
    page(&format!("{}: evaluations made of patterns", contents.game), &summary, &sections)
}

/// A drawing with a sentence below.
fn drawing(svg: &str, caption: &str) -> String {
    format!("{svg}\n<p class=\"note\">{}</p>", escape(caption))
}

fn frequencies(drawn: &Drawn) -> String {
    let log = |&count: &u64| if count > 0 { (count as f64).log10() } else { f64::NAN };
    let class = |place: usize| if place == 0 { "held-out" } else { "training" };
    let series: Vec<Series<'_>> = drawn
        .frequencies
        .iter()
        .enumerate()
        .map(|(place, of)| Series { name: of.name, class: class(place), figures: of.counts.iter().map(log).collect() })
        .collect();
    let svg = lines("patterns (log10)", "frequency below 1/2, 1/4, 1/8 …", 1, &series);
    let names: Vec<&str> = drawn.frequencies.iter().map(|of| of.name).collect();
    let caption = format!(
        "Patterns (up) whose frequency is below 1/2, 1/4, 1/8 and so on (1, 2, 3 …). Solid: {}. Dashed: {}. The last \
         number has all that are less frequent.",
        names.first().unwrap_or(&""),
        names.get(1..).unwrap_or_default().join(", ")
    );
    drawing(&svg, &caption)
}

fn selection(drawn: &Drawn) -> String {
    let step = drawn.picked.len().div_ceil(POINTS).max(1);
    let errors = drawn.picked.iter().step_by(step).map(|picked| picked.error).collect();
    let series = [Series { name: "error", class: "held-out", figures: errors }];
    let svg = lines("error", "selected classes", 0, &series);
    let caption = format!(
        "The root mean square of the residuals of selection, in points, after each {} classes of patterns.",
        thousands(step as u64)
    );
    drawing(&svg, &caption)
}

fn errors(drawn: &Drawn) -> String {
    let of = |which: usize| drawn.errors.iter().map(|(_, errors)| errors[which]).collect();
    let series = [
        Series { name: "test", class: "held-out", figures: of(1) },
        Series { name: "training", class: "training", figures: of(0) },
    ];
    let svg = lines("error", "threshold", 1, &series);
    let thresholds: Vec<String> = drawn.errors.iter().map(|(threshold, _)| threshold.to_string()).collect();
    drawing(&svg, &format!("Solid: test. Dashed: training. Thresholds from left to right: {}.", thresholds.join(", ")))
}

fn speeds(drawn: &Drawn) -> String {
    let figures = drawn.speeds.iter().map(|(_, speed)| speed.log10()).collect();
    let series = [Series { name: "positions a second", class: "held-out", figures }];
    let svg = lines("positions a second (log10)", "threshold", 1, &series);
    let patterns: Vec<String> = drawn.speeds.iter().map(|(patterns, _)| thousands(*patterns)).collect();
    let caption = format!(
        "How many positions a second are matched, in the order in which a search visits them. Patterns from left to right: \
         {}.",
        patterns.join("; ")
    );
    drawing(&svg, &caption)
}

fn cubes(efficiency: &[[Efficiency; 2]]) -> String {
    let series = |figure: &dyn Fn(&Efficiency) -> f64| {
        let of = |which: usize| efficiency.iter().map(|pair| figure(&pair[which])).collect();
        [
            Series { name: "with cubes", class: "held-out", figures: of(1) },
            Series { name: "without", class: "training", figures: of(0) },
        ]
    };
    let edges = lines("thousands of edges", "row of the table", 1, &series(&|one| one.edges as f64 / 1e3));
    let speed = lines("positions a second (log10)", "row of the table", 1, &series(&|one| one.speed.log10()));
    format!(
        "{}\n{}\n{}",
        table(&efficiency_listing(efficiency)),
        drawing(&edges, "Edges, by row of the table. Solid: with cubes. Dashed: without."),
        drawing(&speed, "Positions a second. Solid: with cubes. Dashed: without.")
    )
}

/// Edges and speed as a table.
#[must_use]
pub fn efficiency_listing(efficiency: &[[Efficiency; 2]]) -> Listing {
    let names = ["patterns", "edges", "with cubes", "positions/s", "with cubes/s", "ratio"];
    let mut listing = Listing::new(names.map(Column::figures));
    for [without, with] in efficiency {
        listing.push([
            Cell::count(without.patterns as u64),
            Cell::count(without.edges as u64),
            Cell::count(with.edges as u64),
            Cell::count(without.speed as u64),
            Cell::count(with.speed as u64),
            Cell::decimal(with.speed / without.speed, 2),
        ]);
    }
    listing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_rows_are_found_by_discs_and_threshold() {
        let stage = |pieces| Stage { least: pieces, most: pieces };
        assert_eq!(published_for(stage(60), 0.005).unwrap().letter, 'g');
        assert_eq!(published_for(stage(55), 0.005).unwrap().letter, 'l');
        assert_eq!(published_for(stage(55), 0.0025), None);
        assert_eq!(published_for(Stage { least: 53, most: 60 }, 0.005), None);
    }

    #[test]
    fn a_page_has_all_figures() {
        let picked =
            |place: usize| Picked { class: place, weight: 1.0, priority: 0.1, error: 9.0 - place as f64 / 100.0 };
        let drawn = Drawn {
            stage: Stage { least: 60, most: 60 },
            view: View::Players,
            frequencies: vec![
                Frequencies { name: "rules", counts: vec![0, 10, 100] },
                Frequencies { name: "shapes", counts: vec![5, 1, 0] },
            ],
            picked: (0..300).map(picked).collect(),
            errors: vec![(0.01, [8.0, 9.0]), (0.001, [5.0, 8.0])],
            speeds: vec![(100, 2e6), (1200, 1e5)],
        };
        let one = |edges, speed| Efficiency { patterns: 1000, edges, speed };
        let contents = Contents {
            errors: "root mean squares in points",
            game: "othello",
            arms: &Listing::new([Column::words("arm")]),
            drawn: &[drawn],
            efficiency: &[[one(5000, 1e4), one(2500, 3e4)]],
            command: "halfply <now>",
        };
        let html = render(&contents);
        for text in [
            "Figure 10",
            "Figure 11",
            "Figure 14",
            "Figure 15",
            "1,200",
            "Figures 16 and 17",
            "halfply &lt;now&gt;",
            "3.00",
            "0.001",
        ] {
            assert!(html.contains(text), "{text}");
        }
        assert_eq!(html.matches("<figure class=\"plot\"").count(), 6);
        assert!(!html.contains("NaN"), "a count of 0 is not drawn");
    }
}
