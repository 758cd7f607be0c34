// SPDX-License-Identifier: GPL-3.0-or-later
//! Drawings of figures over steps: generations, epochs, games.

use std::fmt::Write;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 65.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 15.0;
const BOTTOM: f64 = 45.0;

/// How many steps have their number below the axis, at most.
const LABELS: usize = 20;

/// Figures over steps, drawn as one line.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// Its name, in the legend.
    pub name: &'a str,
    /// Its class in the style sheet: `held-out` is a solid line, `training` a faint dashed one.
    pub class: &'a str,
    /// A figure for each step.
    pub figures: Vec<f64>,
}

/// A chart of series over steps, numbered from `first`. `figure` writes a value of the vertical axis, which need not begin
/// at 0.
#[must_use]
pub fn lines(label: &str, first: usize, series: &[Series<'_>], figure: impl Fn(f64) -> String) -> String {
    let all = || series.iter().flat_map(|series| series.figures.iter().copied()).filter(|figure| figure.is_finite());
    let (low, high) = (all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max));
    let (low, high) = match high - low {
        spread if spread > 0.0 => (low, high),
        _ if low < f64::MAX => (low - 1.0, low + 1.0),
        _ => (0.0, 1.0),
    };
    let steps = series.iter().map(|series| series.figures.len()).max().unwrap_or(0);
    let x = |step: usize| LEFT + (step as f64 + 0.5) / steps.max(1) as f64 * (WIDTH - LEFT - RIGHT);
    let y = |figure: f64| TOP + (high - figure) / (high - low) * (HEIGHT - TOP - BOTTOM);
    let mut svg =
        format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" role=\"img\" aria-label=\"{label}\">\n");
    for quarter in 0..=4 {
        let value = low + (high - low) * f64::from(quarter) / 4.0;
        let (right, beside, y) = (WIDTH - RIGHT, LEFT - 6.0, y(value));
        let _ = writeln!(
            svg,
            "<line class=\"axis\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"faint\" x=\"{beside:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            y + 4.0,
            figure(value)
        );
    }
    for step in (0..steps).step_by(steps.div_ceil(LABELS).max(1)) {
        let (x, y, number) = (x(step), HEIGHT - BOTTOM + 22.0, first + step);
        let _ = writeln!(svg, "<text class=\"faint\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{number}</text>");
    }
    for Series { name, class, figures } in series {
        let points = figures.iter().enumerate().filter(|(_, figure)| figure.is_finite());
        let points: Vec<String> = points.map(|(step, &figure)| format!("{:.1},{:.1}", x(step), y(figure))).collect();
        let _ = writeln!(
            svg,
            "<polyline class=\"{class}\" points=\"{}\"><title>{name}</title></polyline>",
            points.join(" ")
        );
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_is_at_the_bottom_and_the_greatest_at_the_top() {
        let series = [Series { name: "best", class: "held-out", figures: vec![10.0, 30.0, 20.0] }];
        let svg = lines("nodes", 1, &series, |value| format!("{value:.0}"));
        let points = svg.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        let points: Vec<Vec<f64>> =
            points.split(' ').map(|point| point.split(',').map(|number| number.parse().unwrap()).collect()).collect();
        let ys: Vec<f64> = points.iter().map(|point| point[1]).collect();
        assert_eq!(ys, [HEIGHT - BOTTOM, TOP, (HEIGHT - BOTTOM + TOP) / 2.0]);
        assert!(points.is_sorted_by(|left, right| left[0] < right[0]));
        assert!(
            svg.contains(">10</text>") && svg.contains(">30</text>") && svg.contains("<title>best</title>"),
            "{svg}"
        );
    }

    #[test]
    fn what_has_no_spread_or_no_figures_is_drawn_too() {
        for figures in [vec![], vec![7.0], vec![7.0, 7.0], vec![f64::NAN, f64::INFINITY, 3.0]] {
            let svg = lines("x", 1, &[Series { name: "a", class: "held-out", figures }], |value| value.to_string());
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
