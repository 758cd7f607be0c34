// SPDX-License-Identifier: GPL-3.0-or-later
//! Plots: axes with round ticks, marks, names and a legend.
//!
//! A plot fits any width without a script: its x coordinates are percentages, and its y coordinates and texts are in pixels.
//! So a text has the same size on a phone as on a wide screen. Lines are in an inner drawing that is stretched.

mod axis;

use maud::{Markup, html};

pub use axis::Axis;

/// The height of the area inside the axes, in pixels.
pub const HEIGHT: f64 = 320.0;

/// The width of the inner drawing that holds lines, in its own units.
const STRETCHED: f64 = 1000.0;

/// The least widths of the area in pixels, on a phone and on a wide screen. Names are placed for both. The style sheet shows
/// the ones or the others.
const NARROW: f64 = 210.0;
const WIDE: f64 = 590.0;

/// About the width of a character and the height of a line, in pixels.
const CHARACTER: f64 = 7.5;
const LINE: f64 = 15.0;

/// The radius of a point, in pixels.
const RADIUS: f64 = 4.5;

/// How a mark of the legend is drawn.
#[derive(Clone, Copy, Debug)]
enum Sample {
    Line,
    Point,
}

/// A plot. Marks have a class of the style sheet: `base`, `kept`, `pruned`, `neutral`, `held-out`, `training`.
#[derive(Clone, Debug)]
pub struct Plot {
    label: String,
    x: Axis,
    y: Axis,
    lines: Vec<Markup>,
    marks: Vec<Markup>,
    legend: Vec<(Sample, String, String)>,
    /// Names of points: place, height and text; the most important first.
    names: Vec<(f64, f64, String)>,
}

impl Plot {
    /// A plot without marks. The label says in a few words what it shows, for those who cannot see it.
    pub fn new(label: &str, x: Axis, y: Axis) -> Self {
        let label = label.to_owned();
        Self { label, x, y, lines: Vec::new(), marks: Vec::new(), legend: Vec::new(), names: Vec::new() }
    }

    /// Pixels from the top.
    fn height_of(&self, value: f64) -> f64 {
        (1.0 - self.y.place(value)) * HEIGHT
    }

    /// A line through points. Those that are not finite are left out.
    pub fn line(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        let points = points.into_iter().filter(|(x, y)| x.is_finite() && y.is_finite());
        let points: Vec<String> =
            points.map(|(x, y)| format!("{:.1},{:.1}", self.x.place(x) * STRETCHED, self.height_of(y))).collect();
        self.lines.push(html! { polyline class=(class) points=(points.join(" ")) {} });
    }

    /// The area between two lines: for each `x` the lower and the upper end, which may be infinite.
    pub fn band(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64, f64)>) {
        let (mut around, mut back) = (Vec::new(), Vec::new());
        for (x, low, high) in points {
            let x = self.x.place(x) * STRETCHED;
            around.push(format!("{x:.1},{:.1}", self.height_of(low)));
            back.push(format!("{x:.1},{:.1}", self.height_of(high)));
        }
        around.extend(back.into_iter().rev());
        self.lines.push(html! { polygon class=(class) points=(around.join(" ")) {} });
    }

    /// A point. The title is shown to those who point at it.
    pub fn point(&mut self, class: &str, x: f64, y: f64, title: &str) {
        let circle = self.circle(class, x, y, title);
        self.marks.push(circle);
    }

    /// A point that leads to a place of the same page, by its id.
    pub fn linked_point(&mut self, class: &str, x: f64, y: f64, title: &str, id: &str) {
        let circle = self.circle(class, x, y, title);
        self.marks.push(html! { a href=(format_args!("#{id}")) { (circle) } });
    }

    fn circle(&self, class: &str, x: f64, y: f64, title: &str) -> Markup {
        let (x, y) = (100.0 * self.x.place(x), self.height_of(y));
        html! {
            circle class=(class) cx=(format_args!("{x:.2}%")) cy=(format_args!("{y:.1}")) r=(RADIUS) {
                title { (title) }
            }
        }
    }

    /// An interval at `x`, from `low` to `high`.
    pub fn interval(&mut self, class: &str, x: f64, low: f64, high: f64) {
        let x = format!("{:.2}%", 100.0 * self.x.place(x));
        let [low, high] = [low, high].map(|end| format!("{:.1}", self.height_of(end)));
        self.marks.push(html! { line class=(class) x1=(x) y1=(low) x2=(x) y2=(high) {} });
    }

    /// A dashed horizontal line at `y`, which the legend explains.
    pub fn level(&mut self, y: f64, text: &str) {
        self.level_line(y);
        self.explain_line("level", text);
    }

    /// A dashed horizontal line at `y` with its text at its left end: one of several levels.
    pub fn named_level(&mut self, y: f64, text: &str) {
        self.level_line(y);
        let y = self.height_of(y);
        // On the side of the line that has more room.
        let y = if y < HEIGHT / 2.0 { y + LINE } else { y - LINE / 2.0 };
        self.marks.push(html! { text.name x="8" y=(format_args!("{y:.1}")) { (text) } });
    }

    fn level_line(&mut self, y: f64) {
        let y = format!("{:.1}", self.height_of(y));
        self.marks.push(html! { line.level x1="0" y1=(y) x2="100%" y2=(y) {} });
    }

    /// Names a point. Of names that would cover each other, the one that was given first is shown.
    pub fn name(&mut self, x: f64, y: f64, name: &str) {
        self.names.push((self.x.place(x), self.height_of(y), name.to_owned()));
    }

    /// Explains lines of a class.
    pub fn explain_line(&mut self, class: &str, text: &str) {
        self.legend.push((Sample::Line, class.to_owned(), text.to_owned()));
    }

    /// Explains points of a class.
    pub fn explain_point(&mut self, class: &str, text: &str) {
        self.legend.push((Sample::Point, class.to_owned(), text.to_owned()));
    }

    /// The plot as HTML.
    pub fn render(&self) -> Markup {
        html! {
            figure.plot {
                p.y-title { (self.y.title) }
                svg.area height=(HEIGHT) role="img" aria-label=(self.label) {
                    (self.grid())
                    svg viewBox=(format_args!("0 0 {STRETCHED} {HEIGHT}")) width="100%" height=(HEIGHT) preserveAspectRatio="none" {
                        @for line in &self.lines { (line) }
                    }
                    @for mark in &self.marks { (mark) }
                    (self.texts())
                }
                p.x-title { (self.x.title) }
                (self.legend())
            }
        }
    }

    fn grid(&self) -> Markup {
        // On a phone there is room for every second tick only if their labels are long.
        let longest = self.x.ticks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
        let is_tight = (longest as f64 + 1.5) * CHARACTER * self.x.ticks.len() as f64 > NARROW;
        html! {
            @for (value, label) in &self.y.ticks {
                @let y = self.height_of(*value);
                @let line = format!("{y:.1}");
                line.axis x1="0" y1=(line) x2="100%" y2=(line) {}
                text.tick x="-8" y=(format_args!("{:.1}", y + 4.0)) text-anchor="end" { (label) }
            }
            @for (place, (value, label)) in self.x.ticks.iter().enumerate() {
                @let x = format!("{:.2}%", 100.0 * self.x.place(*value));
                line.axis x1=(x) y1="0" x2=(x) y2=(HEIGHT) {}
                text.tick.wide[is_tight && place % 2 == 1] x=(x) y=(HEIGHT + 18.0) text-anchor="middle" { (label) }
            }
        }
    }

    /// The names of points: those for a wide area, and those for a narrow one.
    fn texts(&self) -> Markup {
        let [wide, narrow] = [WIDE, NARROW].map(|width| self.free_names(width));
        let class = |place| match (wide.contains(&place), narrow.contains(&place)) {
            (true, true) => Some("name"),
            (true, false) => Some("name wide"),
            (false, true) => Some("name narrow"),
            (false, false) => None,
        };
        let shown = self.names.iter().enumerate().filter_map(|(place, name)| Some((class(place)?, name)));
        html! {
            @for (class, (x, y, name)) in shown {
                @let (shift, anchor) = if is_left(*x) { ("-8", "end") } else { ("8", "start") };
                @let (x, y) = (format!("{:.2}%", 100.0 * x), format!("{:.1}", y + 4.0));
                text class=(class) x=(x) dx=(shift) y=(y) text-anchor=(anchor) { (name) }
            }
        }
    }

    /// The names that have room in an area of that width, by their place. They have room in every wider one too: a box
    /// includes its point, and points move apart.
    fn free_names(&self, width: f64) -> Vec<usize> {
        let length = |name: &str| name.chars().count() as f64 * CHARACTER + 8.0;
        let mut taken: Vec<[f64; 4]> = Vec::new();
        let mut free = Vec::new();
        for (place, (x, y, name)) in self.names.iter().enumerate() {
            let (left, right) = match (is_left(*x), x * width, length(name)) {
                (true, x, length) => (x - length, x + RADIUS),
                (false, x, length) => (x - RADIUS, x + length),
            };
            let area = [left, right, y - LINE / 2.0, y + LINE / 2.0];
            let is_apart = |other: &[f64; 4]| {
                area[0] >= other[1] || area[1] <= other[0] || area[2] >= other[3] || area[3] <= other[2]
            };
            if left >= 0.0 && right <= width + 12.0 && taken.iter().all(is_apart) {
                taken.push(area);
                free.push(place);
            }
        }
        free
    }

    fn legend(&self) -> Markup {
        html! {
            @if !self.legend.is_empty() {
                ul.legend {
                    @for (sample, class, text) in &self.legend {
                        li {
                            svg width="26" height="14" aria-hidden="true" {
                                @match sample {
                                    Sample::Line => { polyline class=(class) points="0,7 26,7" {} },
                                    Sample::Point => { circle class=(class) cx="13" cy="7" r=(RADIUS) {} },
                                }
                            }
                            (text)
                        }
                    }
                }
            }
        }
    }
}

/// Whether a name stands to the left of its point: where there is more room.
fn is_left(x: f64) -> bool {
    x > 0.75
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_cover_each_other() {
        let mut plot = Plot::new("", Axis::counts("", 0.0, 100.0), Axis::counts("", 0.0, 100.0));
        plot.level(50.0, "Neutral: 50");
        plot.name(50.0, 80.0, "first");
        plot.name(50.0, 79.0, "below it");
        plot.name(60.0, 80.0, "beside it");
        plot.name(99.0, 90.0, "left");
        let shown = plot.render().into_string();
        let has = |text: &str, class: &str| {
            shown.split("<text").any(|element| {
                element.contains(&format!(">{text}</text>")) && element.contains(&format!("\"{class}\""))
            })
        };
        assert!(has("first", "name") && has("left", "name") && shown.contains("Neutral: 50</li>"), "{shown}");
        assert!(has("beside it", "name wide"), "where there is room for it: {shown}");
        assert!(!shown.contains("below it"), "{shown}");
    }

    #[test]
    fn several_levels_have_their_names_beside_them() {
        let mut plot = Plot::new("", Axis::counts("", 0.0, 10.0), Axis::numbers("", -3.0, 3.0));
        plot.named_level(3.0, "a < b");
        plot.named_level(-3.0, "a > b");
        let shown = plot.render().into_string();
        let text = |y: &str, text: &str| format!("<text class=\"name\" x=\"8\" y=\"{y}\">{text}</text>");
        // Inside the area: below the upper line, and above the lower one.
        assert!(shown.contains(&text("15.0", "a &lt; b")) && shown.contains(&text("312.5", "a &gt; b")), "{shown}");
        assert!(!shown.contains("legend"), "{shown}");
    }

    #[test]
    fn what_is_not_finite_is_left_out() {
        let mut plot = Plot::new("", Axis::counts("", 0.0, 1.0), Axis::counts("", 0.0, 1.0));
        plot.line("kept", [(0.0, f64::NAN), (0.0, 0.0), (1.0, 1.0), (f64::INFINITY, 1.0)]);
        assert!(plot.render().into_string().contains("points=\"0.0,320.0 1000.0,0.0\""));
    }
}
