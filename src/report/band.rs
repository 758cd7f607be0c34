// SPDX-License-Identifier: GPL-3.0-or-later
//! A figure with its interval, over a number of observations: a line with a band around it.

use std::fmt::Write;

use super::html::escape;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 270.0;
/// Room for the figures of the vertical axis, in the large letters that small screens get.
const LEFT: f64 = 74.0;
const RIGHT: f64 = 26.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 38.0;

/// How many round numbers an axis has, about.
const TICKS: f64 = 5.0;

/// What the first observations say is not what the vertical axis is for: this share of them may leave it.
const EARLY: f64 = 0.2;

/// A figure after a number of observations. Without an interval both ends equal the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    /// How many observations.
    pub(crate) after: f64,
    /// The lower end of the interval.
    pub(crate) low: f64,
    /// The figure.
    pub(crate) figure: f64,
    /// The upper end of the interval.
    pub(crate) high: f64,
}

impl Point {
    /// A figure without an interval.
    pub(crate) fn exact(after: f64, figure: f64) -> Self {
        Self { after, low: figure, figure, high: figure }
    }
}

/// What is drawn besides the points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plot<'a> {
    /// What the vertical axis shows, above the drawing.
    pub(crate) title: &'a str,
    /// What the horizontal axis counts.
    pub(crate) unit: &'a str,
    /// Values that are drawn as lines, each with its name.
    pub(crate) levels: &'a [(f64, &'a str)],
}

impl Plot<'_> {
    /// The plot of these points, which are in order, as a figure with its title.
    pub(crate) fn figure(&self, points: &[Point]) -> String {
        let title = escape(self.title);
        let points: Vec<Point> = points.iter().copied().filter(|point| point.figure.is_finite()).collect();
        if points.is_empty() {
            return format!("<p class=\"note\">{title}: nothing to draw yet.</p>\n");
        }
        format!("<figure class=\"plot\"><figcaption>{title}</figcaption>\n{}</figure>\n", self.svg(&points))
    }

    fn svg(&self, points: &[Point]) -> String {
        let last = points.last().map_or(1.0, |point| point.after).max(1.0);
        let (low, high) = self.range(points, last);
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let x = |after: f64| LEFT + after / last * (right - LEFT);
        let y = |value: f64| TOP + (high - value.clamp(low, high)) / (high - low) * (bottom - TOP);
        let label =
            escape(&format!("{}; {} after {last} {}", self.title, figure(points[points.len() - 1].figure), self.unit));
        let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">\n");
        // Writing to a string does not fail.
        for tick in ticks(low, high) {
            let (class, y) = (if tick == 0.0 { "zero" } else { "grid" }, y(tick));
            let _ = writeln!(
                svg,
                "<line class=\"{class}\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\"/>\
                 <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                y + 5.0,
                figure(tick)
            );
        }
        for tick in ticks(0.0, last) {
            // The unit stands at the right end.
            if x(tick) < right - 150.0 {
                let (x, y, tick) = (x(tick), HEIGHT - 12.0, figure(tick));
                let _ =
                    writeln!(svg, "<text class=\"tick\" x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{tick}</text>");
            }
        }
        let (end, unit) = (figure(last), escape(self.unit));
        let _ = writeln!(
            svg,
            "<text class=\"tick\" x=\"{right}\" y=\"{}\" text-anchor=\"end\">{end} {unit}</text>",
            HEIGHT - 12.0
        );
        for &(value, name) in self.levels {
            let (line, name) = (y(value), escape(name));
            // The name stands on the side where there is room.
            let beside = if line < TOP + 24.0 { line + 18.0 } else { line - 7.0 };
            let _ = writeln!(
                svg,
                "<line class=\"level\" x1=\"{LEFT}\" y1=\"{line:.1}\" x2=\"{right}\" y2=\"{line:.1}\"/>\
                 <text class=\"tick\" x=\"{:.1}\" y=\"{beside:.1}\">{name}</text>",
                LEFT + 8.0
            );
        }
        let path = |end: fn(&Point) -> f64| points.iter().map(move |point| (x(point.after), y(end(point))));
        let joined = |points: &mut dyn Iterator<Item = (f64, f64)>| {
            points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
        };
        if points.iter().any(|point| point.low < point.high) {
            let mut around = path(|point| point.low).chain(path(|point| point.high).rev());
            let _ = writeln!(svg, "<polygon class=\"band\" points=\"{}\"/>", joined(&mut around));
        }
        let _ = writeln!(svg, "<polyline class=\"middle\" points=\"{}\"/>", joined(&mut path(|point| point.figure)));
        let end = points[points.len() - 1];
        let (x, y, text) = (x(end.after), y(end.figure), figure(end.figure));
        let _ =
            writeln!(svg, "<circle class=\"end\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{text}</title></circle>");
        svg + "</svg>"
    }

    /// The ends of the vertical axis: all levels, zero, and all points but the earliest, whose intervals are wide.
    fn range(&self, points: &[Point], last: f64) -> (f64, f64) {
        let late = |point: &&Point| point.after >= EARLY * last;
        let ends = points.iter().filter(late).flat_map(|point| [point.low, point.figure, point.high]);
        let all = ends.chain(self.levels.iter().map(|&(value, _)| value)).chain([0.0]).filter(|end| end.is_finite());
        let (low, high) = all.fold((0.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)));
        match high - low {
            spread if spread > 0.0 => (low - 0.06 * spread, high + 0.06 * spread),
            _ => (-1.0, 1.0),
        }
    }
}

/// Round numbers from `low` to `high`: multiples of 1, 2 or 5 times a power of ten.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / TICKS;
    let power = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|&step| step >= rough);
    let step = step.unwrap_or(rough);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    // Multiples and not sums, so that zero is zero.
    (first..=last).map(|number| number as f64 * step).collect()
}

/// A number without zeros at its end, with a minus sign as people write it.
fn figure(number: f64) -> String {
    let text = if number.abs() >= 20.0 { format!("{number:.0}") } else { format!("{number:.2}") };
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLOT: Plot<'_> = Plot { title: "Elo of a < b", unit: "games", levels: &[(2.94, "passed")] };

    fn point(after: f64, figure: f64, margin: f64) -> Point {
        Point { after, low: figure - margin, figure, high: figure + margin }
    }

    #[test]
    fn axes_have_round_numbers() {
        assert_eq!(ticks(-30.0, 71.0), [0.0, 50.0]);
        assert_eq!(ticks(-20.0, 71.0), [-20.0, 0.0, 20.0, 40.0, 60.0]);
        assert_eq!(ticks(0.0, 1000.0), [0.0, 200.0, 400.0, 600.0, 800.0, 1000.0]);
        assert_eq!(ticks(-3.1, 3.1).len(), 3);
        assert_eq!([0.0, -20.0, 2.5, 1200.0, 0.05].map(figure), ["0", "−20", "2.5", "1200", "0.05"]);
    }

    #[test]
    fn the_line_runs_within_its_band_and_the_earliest_points_do_not_set_the_scale() {
        let points: Vec<Point> =
            (1..=100).map(|games| point(f64::from(games), 20.0, 400.0 / f64::from(games))).collect();
        let svg = PLOT.figure(&points);
        let line = |class: &str| {
            let rest = svg.split(&format!("class=\"{class}\" points=\"")).nth(1).unwrap();
            let pairs: Vec<f64> =
                rest.split('"').next().unwrap().split([' ', ',']).map(|number| number.parse().unwrap()).collect();
            pairs.chunks(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>()
        };
        let (middle, band) = (line("middle"), line("band"));
        assert_eq!((middle.len(), band.len()), (100, 200));
        assert!(
            middle.iter().all(|&(x, y)| (LEFT..=WIDTH - RIGHT).contains(&x) && (TOP..=HEIGHT - BOTTOM).contains(&y))
        );
        // Lower ends first, then the upper ones from the end.
        assert!(band[99].1 > middle[99].1 && band[100].1 < middle[99].1);
        // The band of the last game is ±4, which would be a tenth of a pixel beside ±400.
        assert!(band[99].1 - band[100].1 > 10.0, "{}", band[99].1 - band[100].1);
        assert!(svg.contains("Elo of a &lt; b") && svg.contains(">passed</text>") && svg.contains(">100 games</text>"));
    }

    #[test]
    fn whatever_the_figures_are_all_numbers_are_finite() {
        let infinite = Point { after: 2.0, low: f64::NEG_INFINITY, figure: 3.0, high: f64::INFINITY };
        for points in [vec![], vec![point(0.0, 0.0, 0.0)], vec![infinite], vec![point(1.0, f64::INFINITY, 1.0)]] {
            let svg = Plot { levels: &[], ..PLOT }.figure(&points);
            assert!(!svg.contains("inf") && !svg.contains("NaN"), "{svg}");
        }
    }
}
