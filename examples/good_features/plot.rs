// SPDX-License-Identifier: GPL-3.0-or-later
//! The plot: score in games over what a suite says, a column of panels for each search and suite.

use std::fmt::Write as _;

use crate::Figure;
use crate::data::{Group, Measurement};

const PANEL_WIDTH: f64 = 300.0;
const PANEL_HEIGHT: f64 = 280.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 60.0;
const GAP: f64 = 70.0;

/// The scores that the vertical axis shows, in percent.
const SCORES: (i32, i32) = (15, 75);

/// One panel: a group and one figure.
struct Panel<'a> {
    left: f64,
    top: f64,
    name: &'a str,
    figure: fn(&Measurement) -> f64,
    /// What the horizontal axis shows, in percent.
    range: (i32, i32),
}

/// The tens of percent between which all these shares lie.
fn range(shares: impl Iterator<Item = f64>) -> (i32, i32) {
    shares.fold((-10, 10), |(low, high), share| {
        let tens = share * 10.0;
        (low.min(tens.floor() as i32 * 10), high.max(tens.ceil() as i32 * 10))
    })
}

impl Panel<'_> {
    fn x(&self, share: f64) -> f64 {
        let (low, high) = self.range;
        self.left + (share * 100.0 - f64::from(low)) / f64::from(high - low) * PANEL_WIDTH
    }

    fn y(&self, score: f64) -> f64 {
        let (low, high) = SCORES;
        self.top + (f64::from(high) - score * 100.0) / f64::from(high - low) * PANEL_HEIGHT
    }

    /// The frame with its axes; broken lines where nothing is gained.
    fn frame(&self) -> String {
        let Self { left, top, name, .. } = self;
        let (right, bottom) = (left + PANEL_WIDTH, top + PANEL_HEIGHT);
        let mut text = format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{PANEL_WIDTH}\" height=\"{PANEL_HEIGHT}\" fill=\"none\" \
             stroke=\"#888\"/>\n<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>\n",
            left + PANEL_WIDTH / 2.0,
            bottom + 34.0,
        );
        for percent in (self.range.0..=self.range.1).step_by(10) {
            let (x, y) = (self.x(f64::from(percent) / 100.0), bottom + 16.0);
            let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{percent} %</text>");
        }
        for percent in (20..=70).step_by(10) {
            let (x, y) = (left - 6.0, self.y(f64::from(percent) / 100.0) + 4.0);
            let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{percent} %</text>");
        }
        let (x, y) = (self.x(0.0), self.y(0.5));
        let _ = writeln!(
            text,
            "<path d=\"M{left} {y:.1}H{right}M{x:.1} {top}V{bottom}\" stroke=\"#888\" stroke-dasharray=\"4 4\"/>"
        );
        text
    }

    /// A feature with the interval of its score. Its name is shown where the pointer rests, and beside it if `is_named`.
    fn point(&self, measurement: &Measurement, is_named: bool) -> String {
        let Measurement { score, margin, feature, ply, games, .. } = measurement;
        let share = (self.figure)(measurement);
        let (x, y, high, low) = (self.x(share), self.y(*score), self.y(score + margin), self.y(score - margin));
        let mut text = format!(
            "<g><title>{feature} at {ply}: {:.2} % in {games} games, {} {:.1} %</title>\
             <path d=\"M{x:.1} {high:.1}V{low:.1}\" stroke=\"#0072b2\"/>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#0072b2\"/></g>\n",
            score * 100.0,
            self.name,
            share * 100.0,
        );
        if is_named {
            // Names stay inside the frame.
            let on_the_left = x > self.left + PANEL_WIDTH * 0.7;
            let (x, anchor) = if on_the_left { (x - 6.0, "end") } else { (x + 6.0, "start") };
            let _ = writeln!(
                text,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" font-size=\"10\">{feature}@{ply}</text>",
                y + 3.0
            );
        }
        text
    }
}

/// The plot of these figures as SVG: a row for each figure, a column for each group.
pub fn render(groups: &[Group<'_>], figures: &[Figure]) -> String {
    let width = LEFT + (PANEL_WIDTH + GAP) * groups.len() as f64;
    let height = TOP + (PANEL_HEIGHT + GAP) * figures.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\">Score in games against no extensions, with 95 % intervals</text>\n"
    );
    for (column, group) in groups.iter().enumerate() {
        let left = LEFT + (PANEL_WIDTH + GAP) * column as f64;
        let (search, suite, y) = (group.search(), &group.suite, TOP - 10.0);
        let _ = writeln!(text, "<text x=\"{left}\" y=\"{y}\" font-weight=\"bold\">{search}; {suite}</text>");
        let mut points = group.measurements.clone();
        points.sort_by(|one, other| one.score.total_cmp(&other.score));
        for (row, &(name, figure)) in figures.iter().enumerate() {
            let top = TOP + (PANEL_HEIGHT + GAP) * row as f64;
            let panel = Panel { left, top, name, figure, range: range(points.iter().map(|point| figure(point))) };
            text += &panel.frame();
            for (place, point) in points.iter().enumerate() {
                // Names of all points would lie on each other.
                text += &panel.point(point, place < 2 || place + 2 >= points.len());
            }
        }
    }
    text + "</svg>\n"
}
