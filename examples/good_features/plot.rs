// SPDX-License-Identifier: GPL-3.0-or-later
//! The plot: score in games over what is known of features without them.

use std::fmt::Write as _;

const PANEL_WIDTH: f64 = 300.0;
const PANEL_HEIGHT: f64 = 280.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 60.0;
const GAP: f64 = 70.0;

/// About how wide and high a name is. Of two points that are nearer to each other, only the first has its name beside it.
const NAME_WIDTH: f64 = 100.0;
const NAME_HEIGHT: f64 = 11.0;

/// The scores that the vertical axis shows, in percent.
const SCORES: (i32, i32) = (15, 75);

/// Steps between the ticks of a horizontal axis, in percent.
const STEPS: [f64; 9] = [0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];
/// The most ticks of a horizontal axis.
const MOST_TICKS: f64 = 8.0;

/// A feature in games, and a figure of it.
pub struct Point {
    /// The feature and its cost.
    pub name: String,
    /// Games against the search without extensions.
    pub games: u64,
    /// Points a game, 0 to 1.
    pub score: f64,
    /// Half the width of the score's 95 % interval.
    pub margin: f64,
    /// The figure, a share.
    pub figure: f64,
}

/// The points of one figure.
pub struct Figure {
    /// What the figure is called.
    pub name: String,
    /// The features.
    pub points: Vec<Point>,
}

/// Panels below each other, with a heading.
pub struct Column {
    /// The heading.
    pub title: String,
    /// A panel for each.
    pub figures: Vec<Figure>,
}

/// The horizontal axis in percent.
#[derive(Clone, Copy)]
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// One that shows zero and all these shares, and a step to either side of zero.
    fn of(shares: impl Iterator<Item = f64> + Clone) -> Self {
        let ends = |step: f64| {
            shares.clone().fold((-1.0f64, 1.0f64), |(low, high), share| {
                let steps = share * 100.0 / step;
                (low.min(steps.floor()), high.max(steps.ceil()))
            })
        };
        let widest = STEPS[STEPS.len() - 1];
        let fits = |step: &f64| {
            let (low, high) = ends(*step);
            high - low <= MOST_TICKS
        };
        let step = STEPS.into_iter().find(fits).unwrap_or(widest);
        let (low, high) = ends(step);
        Self { low: low * step, high: high * step, step }
    }

    fn ticks(self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as u32;
        (0..=count).map(move |tick| self.low + f64::from(tick) * self.step)
    }

    /// A tick's label.
    fn label(self, tick: f64) -> String {
        let digits = if self.step < 0.1 { 2 } else { usize::from(self.step < 1.0) };
        // No "-0".
        format!("{:.digits$} %", if tick.abs() < self.step / 2.0 { 0.0 } else { tick })
    }
}

/// One panel and its place.
struct Panel<'a> {
    left: f64,
    top: f64,
    name: &'a str,
    axis: Axis,
}

impl Panel<'_> {
    fn x(&self, share: f64) -> f64 {
        let Axis { low, high, .. } = self.axis;
        self.left + (share * 100.0 - low) / (high - low) * PANEL_WIDTH
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
        for percent in self.axis.ticks() {
            let (x, y, label) = (self.x(percent / 100.0), bottom + 16.0, self.axis.label(percent));
            let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{label}</text>");
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
    fn point(&self, point: &Point, is_named: bool) -> String {
        let Point { name, games, score, margin, figure } = point;
        let (x, y, high, low) = (self.x(*figure), self.y(*score), self.y(score + margin), self.y(score - margin));
        let mut text = format!(
            "<g><title>{name}: {:.2} % in {games} games, {} {:.2} %</title>\
             <path d=\"M{x:.1} {high:.1}V{low:.1}\" stroke=\"#0072b2\"/>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#0072b2\"/></g>\n",
            score * 100.0,
            self.name,
            figure * 100.0,
        );
        if is_named {
            // Names stay inside the frame.
            let on_the_left = x > self.left + PANEL_WIDTH * 0.7;
            let (x, anchor) = if on_the_left { (x - 6.0, "end") } else { (x + 6.0, "start") };
            let _ = writeln!(
                text,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" font-size=\"10\">{name}</text>",
                y + 3.0
            );
        }
        text
    }
}

/// The plot as SVG.
pub fn render(columns: &[Column]) -> String {
    let rows = columns.iter().map(|column| column.figures.len()).max().unwrap_or_default();
    let width = LEFT + (PANEL_WIDTH + GAP) * columns.len() as f64;
    let height = TOP + (PANEL_HEIGHT + GAP) * rows as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\">Score in games against no extensions, with 95 % intervals</text>\n"
    );
    for (place, column) in columns.iter().enumerate() {
        let left = LEFT + (PANEL_WIDTH + GAP) * place as f64;
        let (title, y) = (&column.title, TOP - 10.0);
        let _ = writeln!(text, "<text x=\"{left}\" y=\"{y}\" font-weight=\"bold\">{title}</text>");
        for (row, Figure { name, points }) in column.figures.iter().enumerate() {
            let top = TOP + (PANEL_HEIGHT + GAP) * row as f64;
            let panel = Panel { left, top, name, axis: Axis::of(points.iter().map(|point| point.figure)) };
            text += &panel.frame();
            let mut points: Vec<&Point> = points.iter().collect();
            points.sort_by(|one, other| one.score.total_cmp(&other.score));
            let mut named: Vec<(f64, f64)> = Vec::new();
            for (place, point) in points.iter().enumerate() {
                // Names of all points would lie on each other.
                let (x, y) = (panel.x(point.figure), panel.y(point.score));
                let is_named = (place < 2 || place + 2 >= points.len())
                    && named.iter().all(|(left, top)| (x - left).abs() > NAME_WIDTH || (y - top).abs() > NAME_HEIGHT);
                if is_named {
                    named.push((x, y));
                }
                text += &panel.point(point, is_named);
            }
        }
    }
    text + "</svg>\n"
}
