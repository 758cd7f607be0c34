// SPDX-License-Identifier: GPL-3.0-or-later
//! A review as a page: the course of each game as a graph, and boards at its mistakes.

use std::fmt::Write as _;

use super::drawing::{graph, picture};
use super::judgement::{Account, Class, Reviewed};
use super::listing::{headline, moves, notes, sides};
use super::wording::turning;
use crate::report::html::{escape, table};
use crate::report::page::{document, section, section_with_id};
use halfply_engine::base::figures::quantity;
use halfply_engine::evaluation::network::Inputs;
use halfply_engine::game::{Notation, Side};

/// The most boards of a game: of one that stands alone, and of one of several.
const MOST_BOARDS: [usize; 2] = [40, 8];

/// What the arrows mean.
const ARROWS: &str = "<p class=\"note\">Red is the move that was played, green the better one. The percentages are the score that \
                      the player could expect before the move, and after it.</p>\n";

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
    let mut sections = Vec::new();
    let title = match games {
        [only] => {
            sections.extend(parts(only, 1).into_iter().map(|(title, body)| section(&title, &body)));
            only.played.title()
        }
        several => {
            sections.push(section("All games", &table(&sides(several))));
            for (number, reviewed) in (1..).zip(several) {
                let parts = parts(reviewed, number).into_iter();
                let body: String = parts.map(|(title, body)| format!("<h3>{}</h3>\n{body}", escape(&title))).collect();
                let title = format!("{number}. {}", reviewed.played.title());
                sections.push(section_with_id(&format!("game-{number}"), &title, &(opening(reviewed) + &body)));
            }
            format!("{} games of {}", several.len(), G::NAME)
        }
    };
    let notes: String = notes::<G>().iter().map(|note| format!("<p class=\"note\">{}</p>\n", escape(note))).collect();
    let how = format!("<p>{}</p>\n{notes}<pre>{}</pre>", escape(about.how), escape(about.command));
    sections.push(section("How it was judged", &how));
    let mut header = format!("<p class=\"over\">Game review · {}</p>\n<h1>{}</h1>\n", G::NAME, escape(&title));
    match games {
        [only] => header += &opening(only),
        several => {
            header.push_str("<nav>");
            for (number, reviewed) in (1..).zip(several) {
                // Writing to a string does not fail.
                let _ = write!(header, "<a href=\"#game-{number}\">{}</a>", escape(&reviewed.played.title()));
            }
            header.push_str("</nav>\n");
        }
    }
    document(&title, &header, &sections)
}

/// What came of a game: its result, and the accuracy of both sides.
fn opening<G: Inputs + Notation>(reviewed: &Reviewed<'_, G>) -> String {
    let played = reviewed.played;
    let of_file = |name: &str| played.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
    let facts = ["Event", "Site", "Date"]
        .into_iter()
        .filter_map(of_file)
        .filter(|value| !value.starts_with('?') && !value.is_empty());
    let moves = quantity(played.plies().div_ceil(2) as u64, "move");
    let facts: Vec<&str> =
        [played.result.as_str(), &moves].into_iter().filter(|fact| *fact != "*").chain(facts).collect();
    let side = |side: Side| {
        let Account { accuracy, mean_loss, mistakes, .. } = reviewed.accounts[side.index()];
        let figure = |figure: Option<f64>| figure.map_or_else(|| "–".to_owned(), |figure| format!("{figure:.1}"));
        let counts: Vec<String> = Class::MISTAKES
            .into_iter()
            .zip(mistakes)
            .map(|(class, count)| {
                let colour = if count > 0 { class.name() } else { "" };
                format!(
                    "<span class=\"{colour}\"><b>{}</span>",
                    quantity(count as u64, class.name()).replacen(' ', "</b> ", 1)
                )
            })
            .collect();
        format!(
            "<li><i class=\"{}\"></i><div><h3>{}</h3><p><b>{}</b> accuracy · {} % lost a move</p><p class=\"counts\">{}</p></div></li>\n",
            colour::<G>(side),
            escape(played.name(side)),
            figure(accuracy),
            figure(mean_loss.map(|loss| 100.0 * loss)),
            counts.join(" ")
        )
    };
    let sides: String = [Side::White, Side::Black].map(side).concat();
    format!("<p class=\"over\">{}</p>\n<ul class=\"players\">\n{sides}</ul>\n", escape(&facts.join(" · ")))
}

/// The colour of a side's pieces.
fn colour<G: Notation>(side: Side) -> &'static str {
    let [first, _] = G::SIDE_NAMES;
    if (first == "white") == (side == Side::White) { "white" } else { "black" }
}

/// The parts of a game's review, each with its title.
fn parts<G: Inputs + Notation>(reviewed: &Reviewed<'_, G>, number: usize) -> Vec<(String, String)> {
    let most = MOST_BOARDS[usize::from(number > 1)];
    let mut worst: Vec<_> = reviewed.mistakes().collect();
    worst.sort_by(|a, b| b.loss.total_cmp(&a.loss));
    let left_out = worst.len().saturating_sub(most);
    worst.truncate(most);
    worst.sort_by_key(|judged| judged.ply);
    let boards: Vec<usize> = worst.iter().map(|judged| judged.ply).collect();
    let mut parts = vec![("The course of the game".to_owned(), graph(reviewed, number, &boards))];
    if let Some((sentence, place)) = turning(reviewed).zip(reviewed.turning) {
        let board = picture(reviewed, &reviewed.moves[place], None);
        parts.push((
            "Turning point".to_owned(),
            format!("<p>{}.</p>\n<div class=\"turning\">{board}</div>\n", escape(&sentence)),
        ));
    }
    let pictures: String = worst.iter().map(|judged| picture(reviewed, judged, Some(number))).collect();
    let rest = if left_out > 0 {
        format!("<p class=\"note\">{left_out} smaller ones are in the table.</p>\n")
    } else {
        String::new()
    };
    let body = if worst.is_empty() {
        "<p>None: no move lost 5 % of the score that could be expected.</p>\n".to_owned()
    } else {
        format!("{ARROWS}<div class=\"boards\">\n{pictures}</div>\n{rest}")
    };
    parts.push(("Mistakes".to_owned(), body));
    let listing = moves(reviewed);
    let shown =
        format!("<details><summary>All moves, with values and better lines</summary>\n{}</details>", table(&listing));
    parts.push(("Move by move".to_owned(), shown));
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
