// SPDX-License-Identifier: GPL-3.0-or-later
//! How a network was learned, as a page: loss, matches, and what it says of some positions.

use std::fmt::Write;
use std::marker::PhantomData;

use super::generation::Report;
use super::logistic::probability;
use super::recipe::NetworkRecipe;
use crate::base::figures::thousands;
use crate::evaluation::Evaluation;
use crate::evaluation::network::Network;
use crate::games::Furnished;
use crate::report::html::{escape, table};
use crate::report::page::{page, section};
use crate::report::{Listing, board};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 55.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 15.0;
const BOTTOM: f64 = 45.0;

/// A run and the contents of its page.
#[derive(Debug)]
pub struct Page<'a, G> {
    recipe: &'a NetworkRecipe,
    reports: &'a [Report],
    listing: &'a Listing,
    network: &'a Network,
    command: &'a str,
    game: PhantomData<G>,
}

impl<'a, G: Furnished> Page<'a, G> {
    /// The page of a recipe: what came of its generations, of which there is at least one, the same as a table, the last
    /// network, and the command that repeats the run.
    #[must_use]
    pub fn new(
        recipe: &'a NetworkRecipe,
        reports: &'a [Report],
        listing: &'a Listing,
        network: &'a Network,
        command: &'a str,
    ) -> Self {
        Self { recipe, reports, listing, network, command, game: PhantomData }
    }

    /// The page's HTML.
    #[must_use]
    pub fn render(&self) -> String {
        let Self { recipe, reports, .. } = self;
        let games: u64 = reports.iter().flat_map(|report| report.results).sum();
        let positions: u64 = reports.iter().map(|report| report.positions).sum();
        let summary = format!(
            "{} generations, {} games, {} positions; {} units for each side, then layers of {}",
            reports.len(),
            thousands(games),
            thousands(positions),
            recipe.units,
            recipe.layers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
        );
        let mut sections = vec![section("Generations", &table(self.listing))];
        if reports.iter().any(|report| report.match_result.is_some()) {
            sections.push(section("Score against the generation before, with its 95 % interval", &self.matches()));
        }
        sections.push(section("Loss by epoch, in training (faint) and on games held out", &self.losses()));
        sections.push(section("What the network says", &self.positions()));
        sections.push(section("The command that repeats it", &format!("<pre>{}</pre>", escape(self.command))));
        page(&format!("{}: an evaluation learned from its own games", G::NAME), &summary, &sections)
    }

    /// A bar of the interval and a dot for each generation's match.
    fn matches(&self) -> String {
        let count = self.reports.len() as f64;
        let x = |index: usize| LEFT + (index as f64 + 0.5) / count * (WIDTH - LEFT - RIGHT);
        let y = |score: f64| TOP + (1.0 - score) * (HEIGHT - TOP - BOTTOM);
        let mut svg = begin();
        for quarter in 0..=4 {
            let score = f64::from(quarter) / 4.0;
            line(&mut svg, y(score), &format!("{} %", 25 * quarter));
        }
        for (index, report) in self.reports.iter().enumerate() {
            label(&mut svg, x(index), &report.generation.to_string());
            let Some(result) = &report.match_result else { continue };
            let (low, high) = (y((result.score - result.margin).max(0.0)), y((result.score + result.margin).min(1.0)));
            let (x, middle) = (x(index), y(result.score));
            let _ = writeln!(
                svg,
                "<line class=\"interval\" x1=\"{x:.1}\" y1=\"{low:.1}\" x2=\"{x:.1}\" y2=\"{high:.1}\"/>\
                 <circle class=\"kept\" cx=\"{x:.1}\" cy=\"{middle:.1}\" r=\"5\"/>"
            );
        }
        svg + "</svg>"
    }

    /// Two lines a generation.
    fn losses(&self) -> String {
        // The first training loss is not known: it stands for that of the games held out.
        let all = || self.reports.iter().flat_map(|report| report.losses.iter().skip(1).flatten().copied());
        let (low, high) = (all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max));
        let (low, high) = if low < high { (low, high) } else { (low - 0.01, low + 0.01) };
        let epochs: usize = self.reports.iter().map(|report| report.losses.len()).sum();
        let x = |epoch: usize| LEFT + (epoch as f64 + 0.5) / epochs as f64 * (WIDTH - LEFT - RIGHT);
        let y = |loss: f64| TOP + (high - loss) / (high - low) * (HEIGHT - TOP - BOTTOM);
        let mut svg = begin();
        for quarter in 0..=4 {
            let loss = low + (high - low) * f64::from(quarter) / 4.0;
            line(&mut svg, y(loss), &format!("{loss:.3}"));
        }
        let mut epoch = 0;
        for report in self.reports {
            let middle = x(epoch) + (x(epoch + report.losses.len() - 1) - x(epoch)) / 2.0;
            label(&mut svg, middle, &report.generation.to_string());
            for (which, class) in [(0, "training"), (1, "held-out")] {
                let points = report.losses.iter().enumerate().skip(1);
                let points = points.map(|(index, loss)| format!("{:.1},{:.1}", x(epoch + index), y(loss[which])));
                let points = points.collect::<Vec<_>>().join(" ");
                let _ = writeln!(svg, "<polyline class=\"{class}\" points=\"{points}\"/>");
            }
            epoch += report.losses.len();
        }
        svg + "</svg>"
    }

    /// Boards with the network's value.
    fn positions(&self) -> String {
        let picture = |fen: &&str| {
            let position = G::parse_position(fen).ok()?;
            let value = Evaluation::<G>::judge(self.network, &position);
            let mover = G::SIDE_NAMES[G::to_move(&position).index()];
            let chance = probability(f64::from(value) / G::LOGIT);
            Some(format!(
                "<figure>{}<figcaption>{mover} to move: {:+.2}, wins {:.0} %</figcaption></figure>\n",
                board::svg(&G::format_position(&position)),
                f64::from(value) / 100.0,
                100.0 * chance
            ))
        };
        format!("<div class=\"boards\">\n{}</div>", G::BENCH.iter().filter_map(picture).collect::<String>())
    }
}

fn begin() -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" role=\"img\">\n")
}

/// A horizontal line with its value.
fn line(svg: &mut String, y: f64, value: &str) {
    let _ = writeln!(
        svg,
        "<line class=\"axis\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>\
         <text class=\"faint\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
        WIDTH - RIGHT,
        LEFT - 6.0,
        y + 4.0
    );
}

/// A generation's number below the axis.
fn label(svg: &mut String, x: f64, text: &str) {
    let y = HEIGHT - BOTTOM + 22.0;
    let _ = writeln!(svg, "<text class=\"faint\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{text}</text>");
}
