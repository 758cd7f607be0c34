// SPDX-License-Identifier: GPL-3.0-or-later
//! Which positions each group of similar features solves: features that look alike here are one idea.

use maud::{Markup, html};

use super::Page;

/// How many groups are shown.
const SHOWN: usize = 24;

pub(super) fn rows(page: &Page<'_>) -> Markup {
    let mut groups = page.kinds();
    groups.truncate(SHOWN);
    let positions = page.findings.positions.len();
    if groups.is_empty() || positions == 0 {
        return html! {};
    }
    // What many solve to the left, so that what only a few solve stands out.
    let mut order: Vec<usize> = (0..positions).collect();
    let solvers = |place: &usize| groups.iter().filter(|judged| judged.worth.solved.contains(place)).count();
    order.sort_by_key(|place| std::cmp::Reverse(solvers(place)));
    order.retain(|place| solvers(place) > 0);
    let columns = order.len().max(1);
    let path = |solved: &[usize]| -> String {
        let columns = order.iter().enumerate().filter(|(_, position)| solved.contains(position));
        columns.map(|(column, _)| format!("M{column} 0h1v1h-1z")).collect()
    };
    html! {
        p {
            "A column is one of the " (order.len()) " positions that these features solve; none solves the other "
            (positions - order.len()) ". Those that more features solve are further to the left. Of features that solve nearly \
             the same positions only the best is shown."
        }
        div.rows {
            @for judged in &groups {
                @let (name, solved) = (page.name(judged), &judged.worth.solved);
                span { (name) " " b { (solved.len()) } }
                svg viewBox=(format_args!("0 0 {columns} 1")) preserveAspectRatio="none" role="img"
                    aria-label=(format_args!("{name} solves {}", solved.len())) { path d=(path(solved)) {} }
            }
        }
    }
}
