// SPDX-License-Identifier: GPL-3.0-or-later
//! Which positions each group of similar features solves: features that look alike here are one idea.

use std::fmt::Write;

use super::Page;

/// How many groups are shown.
const SHOWN: usize = 24;

pub(super) fn rows(page: &Page<'_>) -> String {
    let mut groups = page.kinds();
    groups.truncate(SHOWN);
    let positions = page.findings.positions.len();
    if groups.is_empty() || positions == 0 {
        return String::new();
    }
    // What many solve to the left, so that what only a few solve stands out.
    let mut order: Vec<usize> = (0..positions).collect();
    let solvers = |place: &usize| groups.iter().filter(|judged| judged.worth.solved.contains(place)).count();
    order.sort_by_key(|place| std::cmp::Reverse(solvers(place)));
    order.retain(|place| solvers(place) > 0);
    let columns = order.len().max(1);
    let mut rows = String::new();
    for judged in groups {
        let (name, solved) = (page.name(judged), judged.worth.solved.len());
        let mut path = String::new();
        for (column, _) in order.iter().enumerate().filter(|(_, position)| judged.worth.solved.contains(position)) {
            let _ = write!(path, "M{column} 0h1v1h-1z");
        }
        let _ = writeln!(
            rows,
            "<span>{name} <b>{solved}</b></span><svg viewBox=\"0 0 {columns} 1\" preserveAspectRatio=\"none\" role=\"img\" \
             aria-label=\"{name} solves {solved}\"><path d=\"{path}\"/></svg>"
        );
    }
    format!(
        "<p>A column is one of the {} positions that these features solve; none solves the other {}. Those that more \
         features solve are further to the left. Of features that solve nearly the same positions only the best is \
         shown.</p>\n<div class=\"rows\">\n{rows}</div>",
        order.len(),
        positions - order.len()
    )
}
