// SPDX-License-Identifier: GPL-3.0-or-later
//! A reviewed game as PGN: marks (`$4`), evaluations (`[%eval 0.35]`, as Lichess and most programs read them), and better lines
//! as variations. The file's own tags stay; its comments and variations are left out.

use std::collections::BTreeSet;

use super::judgement::{Class, Judged, Reviewed};
use super::played::Played;
use super::wording::{line, number};
use crate::tournament::pgn::{colours, value_of, wrap, write_tag};
use halfply_engine::game::{Game, Side};
use halfply_engine::games::RegisteredGame;

/// The tags that every game has, in their order (Edwards 1994, section 8.1.1).
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Moves of a variation.
const LONGEST: usize = 12;

/// The game, with an empty line after it.
pub fn game<G: RegisteredGame>(reviewed: &Reviewed<'_, G>) -> String {
    let annotator = format!("halfply {}", env!("CARGO_PKG_VERSION"));
    let mut text = tags(reviewed.played, Some(&annotator));
    text.push('\n');
    let mut words = Vec::new();
    let played = reviewed.played;
    let white = colours::<G>()[0].1;
    let mut is_interrupted = true;
    for judged in &reviewed.moves {
        // A number stands before each move of the first player, and behind whatever interrupts the moves.
        if judged.side == Side::White || is_interrupted {
            words.push(number(played, judged.ply));
        }
        words.push(judged.text.clone());
        words.extend(judged.class.nag().map(|nag| format!("${nag}")));
        // A position in which the game is over has no evaluation.
        let is_over = judged.ply + 1 == played.plies() && played.history.outcome().is_some();
        let value =
            if is_over { String::new() } else { format!("[%eval {}]", reviewed.values[judged.ply + 1].in_pgn(white)) };
        let comment = value + &verdict(reviewed, judged);
        if !comment.is_empty() {
            words.extend(format!("{{{}}}", comment.trim_start()).split(' ').map(str::to_owned));
        }
        is_interrupted = true;
        if judged.class != Class::Good && !judged.better.is_empty() {
            let mut variation = line(played, judged.ply, &judged.better[..judged.better.len().min(LONGEST)]);
            if let Some(first) = variation.first_mut() {
                first.insert(0, '(');
            }
            if let Some(last) = variation.last_mut() {
                last.push(')');
            }
            words.extend(variation);
        }
    }
    words.push(played.result.clone());
    text += &wrap(&words);
    text.push('\n');
    text
}

/// The tags of a game: those that every game has, and those of its file.
pub fn tags<G: RegisteredGame>(played: &Played<G>, annotator: Option<&str>) -> String {
    let [white, black] = colours::<G>().map(|(_, side)| played.players[side.index()].as_str());
    let start = &played.history.positions()[0];
    let known = |name: &str| value_of(&played.tags, name).filter(|_| name != "Result").map(str::to_owned);
    let usual = |name: &str| match name {
        "Date" => "????.??.??",
        "White" if !white.is_empty() => white,
        "Black" if !black.is_empty() => black,
        "Result" => &played.result,
        _ => "?",
    };
    let mut all: Vec<(String, String)> =
        ROSTER.iter().map(|&name| (name.to_owned(), known(name).unwrap_or_else(|| usual(name).to_owned()))).collect();
    if let Some(variant) = G::record_variant(G::is_chess960(start)) {
        all.push(("Variant".to_owned(), known("Variant").unwrap_or_else(|| variant.to_owned())));
    }
    if *start != <G as Game>::start() {
        all.push(("SetUp".to_owned(), "1".to_owned()));
        all.push(("FEN".to_owned(), G::format_position(start)));
    }
    all.extend(annotator.map(|name| ("Annotator".to_owned(), name.to_owned())));
    all.extend(played.tags.iter().cloned());
    let mut text = String::new();
    let mut written = BTreeSet::new();
    for (name, value) in &all {
        if written.insert(name) {
            write_tag(&mut text, name, &value.replace(char::is_control, " "));
        }
    }
    text
}

/// What is said of a mistake, after a space.
fn verdict<G: RegisteredGame>(reviewed: &Reviewed<'_, G>, judged: &Judged<G::Move>) -> String {
    let Some(name) = judged.class.nag().map(|_| judged.class.name()) else { return String::new() };
    let is_turning = reviewed.turning == Some(judged.ply);
    let turning = if is_turning { " The turning point." } else { "" };
    let (before, after) = (100.0 * judged.before, 100.0 * judged.after);
    format!(" {}{}: {before:.0}% to {after:.0}% expected.{turning}", name[..1].to_uppercase(), &name[1..])
}
