// SPDX-License-Identifier: GPL-3.0-or-later
//! A figure with its interval, over a number of observations: a line with a band around it.

use maud::Markup;

use super::html;
use super::plot::{Axis, Plot};

/// What the first observations say is not what the vertical axis is for: this share of them may leave it.
const EARLY: f64 = 0.2;

/// The most points that are drawn. More would show nothing else: a drawing has fewer pixels.
const MOST_POINTS: usize = 1000;

/// A figure after a number of observations. Without an interval both ends equal the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// How many observations.
    pub after: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The figure.
    pub figure: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Point {
    /// A figure without an interval.
    pub fn exact(after: f64, figure: f64) -> Self {
        Self { after, low: figure, figure, high: figure }
    }
}

/// What is drawn besides the points.
#[derive(Clone, Copy, Debug)]
pub struct Band<'a> {
    /// What the vertical axis shows.
    pub title: &'a str,
    /// What the horizontal axis counts.
    pub unit: &'a str,
    /// Values that are drawn as lines, each with its name.
    pub levels: &'a [(f64, &'a str)],
}

impl Band<'_> {
    /// The plot of these points, which are in order.
    pub fn figure(&self, points: &[Point]) -> Markup {
        let step = points.len().div_ceil(MOST_POINTS).max(1);
        // The last one is among them.
        let drawn = points.iter().rev().step_by(step).rev().copied();
        let if_none = if points.is_empty() { "nothing to draw yet" } else { "without bound so far" };
        let points: Vec<Point> = drawn.filter(|point| point.figure.is_finite()).collect();
        let Some(&end) = points.last() else {
            return html::note(&format!("{}: {if_none}.", self.title));
        };
        let last = end.after.max(1.0);
        let (low, high) = self.range(&points, last);
        let label = format!("{}; {:.2} after {last} {}", self.title, end.figure, self.unit);
        let mut plot = Plot::new(&label, Axis::steps(self.unit, 0.0, last), Axis::numbers(self.title, low, high));
        if points.iter().any(|point| point.low < point.high) {
            plot.band("band", points.iter().map(|point| (point.after, point.low, point.high)));
        }
        plot.line("middle", points.iter().map(|point| (point.after, point.figure)));
        plot.point("end", end.after, end.figure, &format!("{:.2}", end.figure));
        match self.levels {
            [(value, name)] => plot.level(*value, name),
            several => several.iter().for_each(|(value, name)| plot.named_level(*value, name)),
        }
        plot.render()
    }

    /// The ends of the vertical axis: all levels, zero, and all points but the earliest, whose intervals are wide.
    fn range(&self, points: &[Point], last: f64) -> (f64, f64) {
        let late = |point: &&Point| point.after >= EARLY * last;
        let ends = points.iter().filter(late).flat_map(|point| [point.low, point.figure, point.high]);
        let all = ends.chain(self.levels.iter().map(|&(value, _)| value)).filter(|end| end.is_finite());
        all.fold((0.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAND: Band<'_> = Band { title: "Elo of a < b", unit: "games", levels: &[(2.94, "passed")] };

    fn point(after: f64, figure: f64, margin: f64) -> Point {
        Point { after, low: figure - margin, figure, high: figure + margin }
    }

    #[test]
    fn the_line_runs_within_its_band_and_the_earliest_points_do_not_set_the_scale() {
        let points: Vec<Point> =
            (1..=100).map(|games| point(f64::from(games), 20.0, 400.0 / f64::from(games))).collect();
        let html = BAND.figure(&points).into_string();
        let line = |class: &str| {
            let rest = html.split(&format!("class=\"{class}\" points=\"")).nth(1).unwrap();
            let pairs: Vec<f64> =
                rest.split('"').next().unwrap().split([' ', ',']).map(|number| number.parse().unwrap()).collect();
            pairs.chunks(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>()
        };
        let (middle, band) = (line("middle"), line("band"));
        assert_eq!((middle.len(), band.len()), (100, 200));
        // Lower ends first, then the upper ones from the end.
        assert!(band[99].1 > middle[99].1 && band[100].1 < middle[99].1);
        // The band of the last game is ±4, which would be two pixels beside ±400.
        assert!(band[99].1 - band[100].1 > 20.0, "{}", band[99].1 - band[100].1);
        assert!(html.contains("Elo of a &lt; b") && html.contains("passed") && html.contains(">100</text>"), "{html}");
    }

    #[test]
    fn of_very_many_points_some_are_drawn_and_the_last_one_is() {
        let points: Vec<Point> = (1..=100_001).map(|games| point(f64::from(games), 1.0, 0.0)).collect();
        let html = BAND.figure(&points).into_string();
        assert!(html.len() < 100_000 && html.contains("after 100001 games"), "{}", html.len());
    }

    #[test]
    fn whatever_the_figures_are_all_numbers_are_finite() {
        let infinite = Point { after: 2.0, low: f64::NEG_INFINITY, figure: 3.0, high: f64::INFINITY };
        for points in [vec![], vec![point(0.0, 0.0, 0.0)], vec![infinite], vec![point(1.0, f64::INFINITY, 1.0)]] {
            let html = Band { levels: &[], ..BAND }.figure(&points).into_string();
            assert!(!html.contains("inf") && !html.contains("NaN"), "{html}");
            let is_infinite = points.first().is_some_and(|point| point.figure.is_infinite());
            assert_eq!(html.contains("without bound so far"), is_infinite, "{html}");
        }
    }
}
