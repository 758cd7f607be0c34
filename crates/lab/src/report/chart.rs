// SPDX-License-Identifier: GPL-3.0-or-later
//! Figures over steps, as lines: generations, epochs, games.

use maud::Markup;

use super::plot::{Axis, Plot};

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

/// A chart of series over steps, numbered from `first`. The vertical axis need not begin at 0. A legend is drawn if there are
/// several series.
pub fn lines(figure: &str, step: &str, first: usize, series: &[Series<'_>]) -> Markup {
    let all = || series.iter().flat_map(|series| series.figures.iter().copied()).filter(|figure| figure.is_finite());
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let steps = series.iter().map(|series| series.figures.len()).max().unwrap_or(0);
    let last = first + steps.saturating_sub(1);
    let (x, y) = (Axis::steps(step, first as f64, last as f64), Axis::numbers(figure, low, high));
    let mut plot = Plot::new(&format!("{figure} by {step}"), x, y);
    for Series { name, class, figures } in series {
        let points = || figures.iter().enumerate().map(|(place, &figure)| ((first + place) as f64, figure));
        plot.line(class, points());
        if steps == 1 {
            // A line through one point cannot be seen.
            points().filter(|(_, figure)| figure.is_finite()).for_each(|(x, y)| plot.point(class, x, y, name));
        }
        if series.len() > 1 {
            plot.explain_line(class, name);
        }
    }
    plot.render()
}

#[cfg(test)]
mod tests {
    use super::super::plot::HEIGHT;
    use super::*;

    #[test]
    fn the_least_is_at_the_bottom_and_the_greatest_at_the_top() {
        let series = [Series { name: "best", class: "held-out", figures: vec![10.0, 30.0, 20.0] }];
        let svg = lines("nodes", "round", 1, &series).into_string();
        let points = svg.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        let points: Vec<Vec<f64>> =
            points.split(' ').map(|point| point.split(',').map(|number| number.parse().unwrap()).collect()).collect();
        let ys: Vec<f64> = points.iter().map(|point| point[1]).collect();
        assert_eq!(ys, [HEIGHT, 0.0, HEIGHT / 2.0]);
        assert!(points.is_sorted_by(|left, right| left[0] < right[0]));
        assert!(svg.contains(">10</text>") && svg.contains(">30</text>") && !svg.contains("legend"), "{svg}");
    }

    #[test]
    fn several_series_have_a_legend() {
        let series = ["best", "mean"].map(|name| Series { name, class: "held-out", figures: vec![1.0, 2.0] });
        let svg = lines("nodes", "round", 1, &series).into_string();
        assert!(svg.contains("best</li>") && svg.contains("mean</li>"), "{svg}");
    }

    #[test]
    fn what_has_no_spread_or_no_figures_is_drawn_too() {
        for figures in [vec![], vec![7.0], vec![7.0, 7.0], vec![f64::NAN, f64::INFINITY, 3.0]] {
            let svg = lines("x", "y", 1, &[Series { name: "a", class: "held-out", figures }]).into_string();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
