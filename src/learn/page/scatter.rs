// SPDX-License-Identifier: GPL-3.0-or-later
//! Value against frequency: of two features that solve the same, the rarer one costs less search.

use super::{Page, class};
use crate::learn::judged::Judged;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 45.0;
const RIGHT: f64 = 130.0;
const TOP: f64 = 15.0;
const BOTTOM: f64 = 45.0;

/// Lower frequencies are drawn at this value, because the axis is logarithmic.
const RAREST: f64 = 1e-4;

/// How many of the best features have their names beside them, where there is room.
const NAMED: usize = 25;

/// The width and height of a name.
const NAME: (f64, f64) = (90.0, 13.0);

pub(super) fn svg(page: &Page<'_>) -> String {
    let tried: Vec<&Judged> = page.findings.outcome.judged.iter().filter(|judged| !judged.worth.is_bound).collect();
    let values = tried.iter().map(|judged| judged.worth.value);
    let highest = values.clone().max().unwrap_or(0).max(1) as f64;
    // A penalty can make values negative.
    let lowest = values.min().unwrap_or(0).min(0) as f64;
    let x = |frequency: f64| {
        let share = 1.0 - frequency.clamp(RAREST, 1.0).log10() / RAREST.log10();
        LEFT + share * (WIDTH - LEFT - RIGHT)
    };
    let y = |value: f64| TOP + (highest - value) / (highest - lowest) * (HEIGHT - TOP - BOTTOM);
    let mut parts = Vec::new();
    let bottom = HEIGHT - BOTTOM;
    for (frequency, label) in [(1e-4, "≤ 0.01 %"), (1e-3, "0.1 %"), (1e-2, "1 %"), (1e-1, "10 %"), (1.0, "100 %")] {
        let x = x(frequency);
        parts.push(format!("<line class=\"axis\" x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\"/>"));
        parts.push(format!(
            "<text class=\"faint\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            bottom + 18.0
        ));
    }
    for quarter in 0..=4 {
        let value = lowest + (highest - lowest) * f64::from(quarter) / 4.0;
        let y = y(value);
        parts.push(format!(
            "<line class=\"axis\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>",
            WIDTH - RIGHT
        ));
        parts.push(format!(
            "<text class=\"faint\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value:.0}</text>",
            LEFT - 6.0,
            y + 4.0
        ));
    }
    // The best ones last, so that they are on top.
    let mut ranking: Vec<&Judged> = tried;
    ranking.sort_by_key(|judged| judged.worth.value);
    let place = |judged: &Judged| (x(judged.worth.summary.frequency), y(judged.worth.value as f64));
    for judged in &ranking {
        let (x, y) = place(judged);
        parts.push(format!(
            "<circle class=\"{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{}: {}, {:.2} %</title></circle>",
            class(&judged.verdict),
            page.name(judged),
            judged.worth.value,
            100.0 * judged.worth.summary.frequency
        ));
    }
    // The best ones first: a name that would cover another is only shown as a tooltip.
    let mut named: Vec<(f64, f64)> = Vec::new();
    for judged in ranking.iter().rev().take(NAMED) {
        let (x, y) = place(judged);
        let is_free = named.iter().all(|other| (other.0 - x).abs() > NAME.0 || (other.1 - y).abs() > NAME.1);
        if is_free {
            named.push((x, y));
            parts.push(format!("<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", x + 7.0, y + 4.0, page.name(judged)));
        }
    }
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"value against frequency\">\n{}\n</svg>\n\
         <p class=\"note\">Each feature by the share of moves searched that have it and its value: atoms blue, \
         combinations that were kept green, what was pruned hollow.</p>",
        parts.join("\n")
    )
}
