// SPDX-License-Identifier: GPL-3.0-or-later
//! What a tournament has come to, for people and for programs.

use anyhow::Result;
use serde::Serialize;
use serde_json::{Value, json};

use crate::base::figures::{percent, thousands};
use crate::cli::output::{print, table};
use crate::tournament::scoreboard::{Performance, Scoreboard};
use crate::tournament::statistics::{Decision, Elo, Figures, Sprt, SprtFigures, Tally};

/// The newest form of our JSON.
pub const FORMAT: u32 = 1;

/// A player's results as JSON.
#[derive(Serialize)]
struct Entry<'a> {
    #[serde(flatten)]
    performance: &'a Performance,
    frequency: f64,
    #[serde(flatten)]
    figures: Figures,
}

/// Everything about a tournament in one object; `of` is how many games there are to be.
pub fn summary(board: &Scoreboard, of: u64, sprt: Option<&Sprt>) -> Value {
    let sprt = sprt.filter(|_| board.players().len() == 2);
    let entry = |(index, performance): (usize, &Performance)| {
        // A test is of the first against the second.
        let sprt = sprt.filter(|_| index == 0);
        json!(Entry { performance, frequency: performance.frequency(), figures: performance.figures(sprt) })
    };
    let players = board.players();
    let met = |one: usize, other: usize| {
        board.meeting(one, other).map(|(tally, _)| json!([tally.wins, tally.draws, tally.losses]))
    };
    let crosstable: Vec<Vec<Value>> = (0..players.len())
        .map(|one| (0..players.len()).map(|other| json!(met(one, other).filter(|_| one != other))).collect())
        .collect();
    json!({
        "format": FORMAT,
        "games": board.games(),
        "of": of,
        "players": players.iter().enumerate().map(entry).collect::<Vec<_>>(),
        "crosstable": crosstable,
    })
}

/// Everything about a tournament: a line for each player with its description, then tables.
pub fn print_all(board: &Scoreboard, of: u64, sprt: Option<&Sprt>, descriptions: &[String]) -> Result<()> {
    for (player, description) in board.players().iter().zip(descriptions) {
        print(format_args!("{}: {description}", player.name))?;
    }
    print("")?;
    match board.players() {
        [first, second] => print_match(first, second, of, sprt)?,
        _ => {
            print_standings(board, of)?;
            print_crosstable(board)?;
        }
    }
    print_faults(board)
}

/// What one player did against another.
fn print_match(first: &Performance, second: &Performance, of: u64, sprt: Option<&Sprt>) -> Result<()> {
    let figures = first.figures(sprt);
    let mut list = table(&[&format!("{} against {}", first.name, second.name), ""], 1);
    for (name, value) in rows(&figures, of) {
        list.add_row([name, value]);
    }
    for player in [first, second].into_iter().filter(|player| player.extended > 0) {
        list.add_row([format!("frequency of {}'s extended moves", player.name), percent(player.frequency())]);
    }
    print(list)
}

/// Figures in words, a line each.
pub fn rows(figures: &Figures, of: u64) -> Vec<(String, String)> {
    let Figures { games, score, margin, .. } = *figures;
    let played = if of > games { format!("{} of {}", thousands(games), thousands(of)) } else { thousands(games) };
    let mut rows = vec![("games".to_owned(), played)];
    rows.extend(
        figures.tally.map(|Tally { wins, draws, losses }| {
            ("wins, draws, losses".to_owned(), format!("{wins}, {draws}, {losses}"))
        }),
    );
    rows.push(("score".to_owned(), format!("{} ± {}", percent(score), percent(margin))));
    rows.push(("Elo".to_owned(), interval(figures.elo)));
    rows.extend(figures.normalized_elo.map(|elo| ("normalized Elo".to_owned(), interval(elo))));
    rows.push(("likelihood of superiority".to_owned(), percent(figures.los)));
    rows.extend(figures.pentanomial.map(|pairs| {
        let counts: Vec<String> = pairs.iter().map(u64::to_string).collect();
        ("pairs with 0, ½, 1, 1½, 2 points".to_owned(), counts.join(", "))
    }));
    rows.extend(figures.sprt.as_ref().map(|sprt| ("SPRT".to_owned(), test(sprt))));
    rows
}

fn interval(Elo { low, difference, high }: Elo) -> String {
    format!("{difference:+.1} [{low:+.1}, {high:+.1}]")
}

/// A sequential test in a line.
pub fn test(sprt: &SprtFigures) -> String {
    let verdict = match sprt.decision {
        Some(Decision::H1) => ", passed",
        Some(Decision::H0) => ", failed",
        None => ", undecided",
    };
    format!(
        "LLR {:.2} [{:.2}, {:.2}] for {} Elo of {} against {}{verdict}",
        sprt.llr,
        sprt.lower,
        sprt.upper,
        sprt.model.name(),
        sprt.elo1,
        sprt.elo0
    )
}

fn print_standings(board: &Scoreboard, of: u64) -> Result<()> {
    let header = ["player", "games", "+", "=", "−", "score", "Elo", "LOS", "extended"];
    let mut list = table(&header, 1);
    for player in board.ranking().into_iter().map(|player| &board.players()[player]) {
        let Tally { wins, draws, losses } = player.tally;
        let Figures { games, score, margin, elo, los, .. } = player.figures(None);
        list.add_row([
            player.name.clone(),
            thousands(games),
            thousands(wins),
            thousands(draws),
            thousands(losses),
            format!("{} ± {}", percent(score), percent(margin)),
            interval(elo),
            percent(los),
            if player.extended > 0 { percent(player.frequency()) } else { "-".to_owned() },
        ]);
    }
    print(list)?;
    let games = board.games();
    if games < of { print(format_args!("{} of {} games", thousands(games), thousands(of))) } else { Ok(()) }
}

/// Scores of rows against columns.
fn print_crosstable(board: &Scoreboard) -> Result<()> {
    let ranking = board.ranking();
    let numbers: Vec<String> = (1..=ranking.len()).map(|number| number.to_string()).collect();
    let header: Vec<&str> = ["", ""].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let mut list = table(&header, 2);
    for (&one, number) in ranking.iter().zip(&numbers) {
        let against = |&other: &usize| match board.meeting(one, other) {
            _ if one == other => "·".to_owned(),
            Some((tally, pairs)) => {
                let figures = Figures::of(tally, (pairs.pairs() > 0).then_some(&pairs), None);
                format!("{} ± {}", percent(figures.score), percent(figures.margin))
            }
            None => String::new(),
        };
        let scores = ranking.iter().map(against);
        list.add_row([number.clone(), board.players()[one].name.clone()].into_iter().chain(scores));
    }
    print(format_args!("\n{list}"))
}

fn print_faults(board: &Scoreboard) -> Result<()> {
    for player in board.players() {
        for (kind, count) in &player.faults {
            let games = if *count == 1 { "game" } else { "games" };
            print(format_args!("{}: {count} {games} lost by {kind}", player.name))?;
        }
    }
    Ok(())
}
