// SPDX-License-Identifier: GPL-3.0-or-later
//! The course of a game as a graph, and its mistakes as boards.

use maud::{Markup, html};

use super::judgement::{Class, Judged, Reviewed};
use super::wording::{better, named, percent};
use crate::report::board::{Arrow, Squares, with_moves};
use crate::report::plot::{Axis, Plot};
use halfply_engine::evaluation::network::Inputs;
use halfply_engine::game::{Notation, Side};

/// Moves of a better line below a board.
const SHOWN: usize = 6;

/// The id of a move's board.
fn id(game: usize, ply: usize) -> String {
    format!("game-{game}-ply-{ply}")
}

/// The score that the first player can expect, move by move. Mistakes are points that lead to their boards.
pub(super) fn graph<G: Inputs + Notation>(reviewed: &Reviewed<'_, G>, game: usize, boards: &[usize]) -> Markup {
    let name = reviewed.played.name(Side::White);
    // Each side's move takes half a step; after the last one stands the end.
    let begins_late = G::to_move(&reviewed.played.history.positions()[0]) == Side::Black;
    let first = f64::from(reviewed.played.first_number) + if begins_late { 0.5 } else { 0.0 };
    let x = |ply: usize| first + ply as f64 / 2.0;
    let (title, label) = (format!("score that {name} can expect"), format!("The score that {name} can expect by move"));
    let last = x(reviewed.values.len().saturating_sub(1));
    let mut plot = Plot::new(&label, Axis::steps("move", first, last.max(first + 1.0)), Axis::shares(&title, 0.0, 1.0));
    let expected: Vec<f64> = reviewed.expected().collect();
    plot.band("share", expected.iter().enumerate().map(|(ply, &share)| (x(ply), 0.0, share)));
    plot.line("middle", expected.iter().enumerate().map(|(ply, &share)| (x(ply), share)));
    plot.level(0.5, "even");
    if let Some(judged) = reviewed.turning.map(|place| &reviewed.moves[place]) {
        plot.name(x(judged.ply + 1), expected[judged.ply + 1], &named(reviewed, judged));
    }
    for judged in reviewed.mistakes() {
        let (at, share) = (x(judged.ply + 1), expected[judged.ply + 1]);
        let title = format!("{}: {} to {}", named(reviewed, judged), percent(judged.before), percent(judged.after));
        if boards.contains(&judged.ply) {
            plot.linked_point(judged.class.name(), at, share, &title, &id(game, judged.ply));
        } else {
            plot.point(judged.class.name(), at, share, &title);
        }
    }
    for class in Class::MISTAKES {
        if reviewed.moves.iter().any(|judged| judged.class == class) {
            plot.explain_point(class.name(), class.name());
        }
    }
    html! { div.course { (plot.render()) } }
}

/// The board before a move, with arrows for it and for the better one. Links of a game's graph lead to it.
pub(super) fn picture<G: Inputs + Notation>(
    reviewed: &Reviewed<'_, G>,
    judged: &Judged<G::Move>,
    game: Option<usize>,
) -> Markup {
    let (history, ply) = (&reviewed.played.history, judged.ply);
    let position = &history.positions()[ply];
    let squares = |mv| Squares::of_move(&G::format_move(position, mv));
    let last = ply.checked_sub(1).map(|before| G::format_move(&history.positions()[before], history.moves()[before]));
    let last = last.map(|text| Squares::of_move(&text)).unwrap_or_default();
    let mut arrows = vec![Arrow { squares: squares(history.moves()[ply]), class: "bad" }];
    arrows.extend(judged.better.first().map(|&mv| Arrow { squares: squares(mv), class: "good" }));
    let line = better(reviewed.played, judged, SHOWN);
    html! {
        figure id=[game.map(|game| id(game, ply))] {
            (with_moves(&G::format_position(position), &last, &arrows))
            figcaption {
                b class=(judged.class.name()) { (named(reviewed, judged)) }
                " "
                span { (format_args!("{:.0} → {}", 100.0 * judged.before, percent(judged.after))) }
                @if !line.is_empty() { br; "better: " b.line { (line) } }
            }
        }
    }
}
