// SPDX-License-Identifier: GPL-3.0-or-later
//! A review as a page: the course of each game as a graph, and boards at its mistakes.

use maud::{Markup, html};

use super::drawing::{graph, picture};
use super::judgement::{Account, Class, Reviewed};
use super::listing::{headline, moves, notes, sides};
use super::wording::turning;
use crate::report::html::{command, note, table};
use crate::report::page::{Part, document};
use crate::tournament::pgn::value_of;
use halfply_engine::base::figures::quantity;
use halfply_engine::evaluation::network::Inputs;
use halfply_engine::game::{Notation, Side};

/// The most boards of a game that stands alone.
const MOST_BOARDS: usize = 40;

/// The most boards of each of several games.
const MOST_OF_SEVERAL: usize = 8;

/// What the arrows mean.
const ARROWS: &str = "Red is the move that was played, green the better one. The percentages are the score that the player could \
                      expect before the move, and after it.";

/// What is said once.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// How positions were judged, in a sentence.
    pub how: &'a str,
    /// The command that repeats it.
    pub command: &'a str,
}

/// The page of some games.
pub fn render<G: Inputs + Notation>(games: &[Reviewed<'_, G>], about: About<'_>) -> String {
    let (title, mut all) = match games {
        [only] => (only.played.title(), parts(only, 1, MOST_BOARDS)),
        several => {
            let mut all = vec![Part::new("All games", table(&sides(several)))];
            for (number, reviewed) in (1..).zip(several) {
                let body = html! {
                    (opening(reviewed))
                    @for part in parts(reviewed, number, MOST_OF_SEVERAL) { h3 { (part.title) } (part.body) }
                };
                let title = format!("{number}. {}", reviewed.played.title());
                all.push(Part::new(title, body).with_id(id(number)));
            }
            (format!("{} games of {}", several.len(), G::NAME), all)
        }
    };
    let how = html! {
        p { (about.how) }
        @for text in notes::<G>() { (note(&text)) }
        (command(about.command))
    };
    all.push(Part::new("How it was judged", how));
    let header = html! {
        p.over { "Game review · " (G::NAME) }
        h1 { (title) }
        @if let [only] = games {
            (opening(only))
        } @else {
            nav { @for (number, reviewed) in (1..).zip(games) { a href=(format_args!("#{}", id(number))) { (reviewed.played.title()) } } }
        }
    };
    document(&title, &header, &all)
}

/// The id of a game's section, by its number from 1.
fn id(number: usize) -> String {
    format!("game-{number}")
}

/// What came of a game: its result, and the accuracy of both sides.
fn opening<G: Inputs + Notation>(reviewed: &Reviewed<'_, G>) -> Markup {
    let played = reviewed.played;
    let facts = ["Event", "Site", "Date"]
        .into_iter()
        .filter_map(|name| value_of(&played.tags, name))
        .filter(|value| !value.starts_with('?') && !value.is_empty());
    let moves = quantity(played.plies().div_ceil(2) as u64, "move");
    let facts: Vec<&str> =
        [played.result.as_str(), &moves].into_iter().filter(|fact| *fact != "*").chain(facts).collect();
    let figure = |figure: Option<f64>| figure.map_or_else(|| "–".to_owned(), |figure| format!("{figure:.1}"));
    html! {
        p.over { (facts.join(" · ")) }
        ul.players {
            @for side in Side::BOTH {
                @let Account { accuracy, mean_loss, mistakes, .. } = reviewed.accounts[side.index()];
                li {
                    i class=(colour::<G>(side)) {}
                    div {
                        h3 { (played.name(side)) }
                        p { b { (figure(accuracy)) } " accuracy · " (figure(mean_loss.map(|loss| 100.0 * loss))) " % lost a move" }
                        p.counts {
                            @for (class, count) in Class::MISTAKES.into_iter().zip(mistakes) {
                                @let (name, counted) = (class.name(), quantity(count as u64, class.name()));
                                @let (figure, word) = counted.split_once(' ').unwrap_or((&counted, ""));
                                span class=(if count > 0 { name } else { "" }) { b { (figure) } " " (word) }
                                " "
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The colour of a side's pieces.
fn colour<G: Notation>(side: Side) -> &'static str {
    let [first, _] = G::SIDE_NAMES;
    if (first == "white") == (side == Side::White) { "white" } else { "black" }
}

/// The parts of a game's review, with so many boards at most.
fn parts<G: Inputs + Notation>(reviewed: &Reviewed<'_, G>, number: usize, most: usize) -> Vec<Part> {
    let mut worst: Vec<_> = reviewed.mistakes().collect();
    worst.sort_by(|a, b| b.loss.total_cmp(&a.loss));
    let left_out = worst.len().saturating_sub(most);
    worst.truncate(most);
    worst.sort_by_key(|judged| judged.ply);
    let boards: Vec<usize> = worst.iter().map(|judged| judged.ply).collect();
    let mut parts = vec![Part::new("The course of the game", graph(reviewed, number, &boards))];
    if let Some((sentence, place)) = turning(reviewed).zip(reviewed.turning) {
        let body = html! {
            p { (sentence) "." }
            div.turning { (picture(reviewed, &reviewed.moves[place], None)) }
        };
        parts.push(Part::new("Turning point", body));
    }
    let body = html! {
        @if worst.is_empty() {
            p { "None: no move lost 5 % of the score that could be expected." }
        } @else {
            (note(ARROWS))
            div.boards { @for judged in worst { (picture(reviewed, judged, Some(number))) } }
        }
        @if left_out > 0 { (note(&format!("{left_out} smaller ones are in the table."))) }
    };
    parts.push(Part::new("Mistakes", body));
    let shown = html! {
        details {
            summary { "All moves, with values and better lines" }
            (table(&moves(reviewed)))
        }
    };
    parts.push(Part::new("Move by move", shown));
    parts
}

/// What came of some games, in a sentence.
pub fn summary<G: Inputs + Notation>(games: &[Reviewed<'_, G>]) -> String {
    match games {
        [only] => headline(only),
        several => {
            let mistakes: usize = several.iter().map(|reviewed| reviewed.mistakes().count()).sum();
            format!("{} games with {mistakes} inaccuracies, mistakes and blunders", several.len())
        }
    }
}
