// SPDX-License-Identifier: GPL-3.0-or-later
//! What SPSA found, as tables, as a page and as files.

use super::run::Ready;
use super::{Parameter, Trail};
use crate::learn::match_file;
use crate::report::chart::{Series, lines};
use crate::report::html::table;
use crate::report::page::{self, Part, repeated_by, settings};
use crate::report::{Cell, Column, Listing, data};
use halfply_engine::base::figures::{percent, thousands};
use halfply_engine::features::file;
use halfply_engine::games::RegisteredGame;

/// The values after each iteration.
pub const TRAIL: &str = "spsa.csv";
/// A page for people.
pub const PAGE: &str = "report.html";
/// The parameters with their new values, for another run.
pub const PARAMETERS: &str = "parameters.txt";
/// A tournament of the new values against the old ones.
pub const MATCH: &str = "match.toml";
/// The extension table of a search.
pub const EXTENSIONS: &str = "extensions.toml";
/// The parameters of a search.
pub const SETTINGS: &str = "parameters.toml";

/// All names.
pub const ALL: [&str; 6] = [TRAIL, PAGE, PARAMETERS, MATCH, EXTENSIONS, SETTINGS];

/// The values before and after.
pub fn values(trail: &Trail) -> Listing {
    let columns = [Column::words("parameter"), Column::figures("start"), Column::figures("end")];
    let mut listing =
        Listing::new(columns.into_iter().chain([Column::figures("change"), Column::words("range").rank(1)]));
    for (parameter, end) in trail.parameters.iter().zip(trail.end()) {
        let show = |value: f64| shown(parameter, value);
        let change = end - parameter.start;
        let sign = if change > 0.0 { "+" } else { "" };
        listing.push([
            Cell::text(parameter.name.clone()),
            Cell::text(show(parameter.start)),
            Cell::text(show(end)),
            Cell::text(format!("{sign}{}", show(change))),
            Cell::text(format!("{} to {}", show(parameter.min), show(parameter.max))),
        ]);
    }
    listing
}

/// How much was played.
pub fn summary(trail: &Trail) -> String {
    let games = trail.steps.len() as u64 * u64::from(trail.games);
    let faults: usize = trail.steps.iter().map(|step| step.faults).sum();
    let faults = match faults {
        0 => String::new(),
        faults => format!("; {faults} of them ended by a fault ({})", percent(faults as f64 / games.max(1) as f64)),
    };
    format!("{} games in {} iterations{faults}", thousands(games), thousands(trail.steps.len() as u64))
}

/// The parameters with their new values, one a line, as they are given.
pub fn parameters(trail: &Trail) -> String {
    let line = |(parameter, start): (&Parameter, f64)| {
        let start = if parameter.is_whole { start } else { (start * 1e4).round() / 1e4 };
        Parameter { start: parameter.played(start), ..parameter.clone() }.to_string() + "\n"
    };
    trail.parameters.iter().zip(trail.end()).map(line).collect()
}

/// A value with its decimals.
fn shown(parameter: &Parameter, value: f64) -> String {
    if parameter.is_whole { format!("{value:.0}") } else { format!("{value:.4}") }
}

/// The result files with their names. `settings_of_run` is everything that the run was set, by name, and `command` the one
/// that repeats it. Of another program there are no tables and parameters of ours.
///
/// # Errors
/// Never for values that were played.
pub fn files<G: RegisteredGame>(
    ready: &Ready<'_, G>,
    trail: &Trail,
    settings_of_run: &[(String, String)],
    command: &str,
) -> Result<Vec<(&'static str, String)>, toml::ser::Error> {
    let mut files = vec![
        (TRAIL, data::csv(&steps(trail))),
        (PAGE, page::<G>(trail, settings_of_run, command)),
        (PARAMETERS, parameters(trail)),
    ];
    // Nobody plays against himself.
    if trail.has_changed() {
        files.push((MATCH, match_toml(ready, trail)?));
    }
    if let Some((table, settings)) = ready.target.files(&trail.end()) {
        let comment = format!("tuned by SPSA, {}", summary(trail));
        files.push((EXTENSIONS, file::render(&table, std::slice::from_ref(&comment), &G::VOCABULARY)));
        files.push((SETTINGS, format!("# {comment}\n{settings}")));
    }
    Ok(files)
}

/// The values after each iteration.
fn steps(trail: &Trail) -> Listing {
    let names = trail.parameters.iter().map(|parameter| Column::figures(parameter.name.clone()));
    let figures = ["iteration", "games", "points", "faults"].map(Column::figures);
    let mut listing = Listing::new(figures.into_iter().chain(names));
    for (number, step) in (1_u64..).zip(&trail.steps) {
        let figures = [
            Cell::number(number as i64),
            Cell::number((number * u64::from(trail.games)) as i64),
            Cell::decimal(step.difference as f64 / 2.0, 1),
            Cell::number(step.faults as i64),
        ];
        let values = step.values.iter().map(|&value| Cell::decimal(value, 4));
        listing.push(figures.into_iter().chain(values));
    }
    listing
}

/// The page of what was found, at the end or so far, with a line of each parameter over the games.
pub fn page<G: RegisteredGame>(trail: &Trail, settings_of_run: &[(String, String)], command: &str) -> String {
    let mut parts = vec![Part::new("The values", table(&values(trail)))];
    for (place, parameter) in trail.parameters.iter().enumerate() {
        let values = trail.steps.iter().map(|step| step.values[place]);
        let figures: Vec<f64> = std::iter::once(parameter.start).chain(values).collect();
        let name = &parameter.name;
        let series = [Series { name, class: "held-out", figures }];
        let chart = lines(name, "iteration", 0, &series);
        parts.push(Part::new(format!("{name} over the iterations of {} games", trail.games), chart));
    }
    parts.push(Part::new("Settings of the run", settings(settings_of_run)));
    parts.push(repeated_by(command));
    page::page(&format!("{}: SPSA", G::NAME), &summary(trail), &parts)
}

/// A sequential test of the new values against the old ones, as a definition.
fn match_toml<G: RegisteredGame>(ready: &Ready<'_, G>, trail: &Trail) -> Result<String, toml::ser::Error> {
    let start: Vec<f64> = trail.parameters.iter().map(|parameter| parameter.start).collect();
    let sides = [("new", trail.end()), ("old", start)];
    let players = sides.map(|(name, values)| ready.target.with(name, &trail.parameters, &values));
    match_file::sequential(
        ready.definition(),
        players,
        5.0,
        "are the new values better in games that did not tune them?",
    )
}

#[cfg(test)]
mod tests {
    use super::super::Step;
    use super::*;
    use halfply_engine::games::Breakthrough;

    fn trail() -> Trail {
        let lines = ["Razor Margin,int,120,50,300,20,0.002", "Ud,float,0.75,0.1,1.5,0.1,0.002"];
        let step = |values: [f64; 2], difference, faults| Step { values: values.to_vec(), difference, faults };
        Trail {
            parameters: lines.iter().map(|line| line.parse().unwrap()).collect(),
            games: 8,
            steps: vec![step([118.0, 0.8], 3, 0), step([131.6, 0.654_321], -5, 1)],
        }
    }

    #[test]
    fn the_end_can_be_given_to_another_run() {
        assert_eq!(trail().end(), [132.0, 0.654_321]);
        let text = parameters(&trail());
        assert_eq!(text, "Razor Margin,int,132,50,300,20,0.002\nUd,float,0.6543,0.1,1.5,0.1,0.002\n");
        assert!(text.lines().all(|line| line.parse::<Parameter>().is_ok()));
        assert_eq!(summary(&trail()), "16 games in 2 iterations; 1 of them ended by a fault (6.25%)");
        let csv = data::csv(&steps(&trail()));
        assert_eq!(csv.lines().nth(2), Some("2,16,-2.5,1,131.6,0.654321"));
    }

    #[test]
    fn every_parameter_has_its_line_on_the_page() {
        let page = page::<Breakthrough>(&trail(), &[], "halfply");
        assert_eq!(page.matches("<polyline").count(), 2);
        // The start, and two iterations: the highest value of the first parameter comes last.
        let points = page.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        let heights: Vec<f64> =
            points.split(' ').map(|point| point.split_once(',').unwrap().1.parse().unwrap()).collect();
        assert!(heights.len() == 3 && heights[2] < heights[0] && heights[0] < heights[1], "{points}");
    }
}
