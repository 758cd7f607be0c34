// SPDX-License-Identifier: GPL-3.0-or-later
//! Which positions each group of similar features solves: features that look alike here are one idea.

use super::{Page, escape};
use crate::learn::judged::Judged;
use crate::learn::similarity;

/// How many groups are shown.
const SHOWN: usize = 24;
const LEFT: f64 = 130.0;
const WIDTH: f64 = 900.0;
const ROW: f64 = 16.0;

pub(super) fn svg(page: &Page<'_>) -> String {
    let output = page.findings.outcome.output();
    let solved: Vec<&[usize]> = output.iter().map(|judged| &judged.worth.solved[..]).collect();
    let leaders = similarity::leaders(&solved);
    let groups: Vec<&Judged> =
        (0..output.len()).filter(|&place| leaders[place] == place).map(|place| output[place]).take(SHOWN).collect();
    // What many solve to the left, so that what only a few solve stands out.
    let mut order: Vec<usize> = (0..page.findings.positions.len()).collect();
    let solvers = |place: &usize| groups.iter().filter(|judged| judged.worth.solved.contains(place)).count();
    order.sort_by_key(|place| std::cmp::Reverse(solvers(place)));
    let column = (WIDTH - LEFT) / page.findings.positions.len().max(1) as f64;
    let mut parts = Vec::new();
    for (row, judged) in groups.iter().enumerate() {
        let y = row as f64 * ROW;
        let (name, value) = (page.name(judged), judged.worth.value);
        parts.push(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name} {value}</text>",
            LEFT - 8.0,
            y + ROW - 4.0
        ));
        for (place, position) in order.iter().enumerate() {
            if judged.worth.solved.contains(position) {
                let id = page.findings.positions.get(*position).map(|id| escape(id)).unwrap_or_default();
                parts.push(format!(
                    "<rect class=\"cell\" x=\"{:.2}\" y=\"{:.1}\" width=\"{:.2}\" height=\"{}\"><title>{name}: {id}</title></rect>",
                    LEFT + place as f64 * column,
                    y + 1.0,
                    column.max(0.8),
                    ROW - 3.0
                ));
            }
        }
    }
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {:.0}\" role=\"img\" aria-label=\"positions solved by each kind of feature\">\n{}\n</svg>\n\
         <p class=\"note\">A column is a position; those that more kinds solve are further to the left. Of features that solve \
         nearly the same positions only the best is shown.</p>",
        groups.len() as f64 * ROW + 4.0,
        parts.join("\n")
    )
}
