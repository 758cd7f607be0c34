// SPDX-License-Identifier: GPL-3.0-or-later
//! What makes a good feature? How well a suite predicts the games of an extension feature.
//!
//! ```text
//! cargo run --example good_features -- research/good-features.csv [--plot research/good-features.svg]
//! cargo run --example good_features -- --fitness research/fitness.csv [--plot research/fitness.svg]
//! ```
//!
//! The data are described in research/good-features.md. For each search, node limit and suite this prints the rank
//! correlation of the score in games with what the suite says of a feature, and a least-squares fit. With `--fitness` it
//! prints the rank correlation of the score in games by the clock with each of several kinds of fitness.

mod data;
mod fitness;
mod plot;
mod statistics;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use halfply_lab::report::{Cell, Column, Listing, terminal};

use data::{Group, Measurement};
use statistics::{Fit, RankCorrelation};

/// With fewer features than this a correlation says nothing.
const FEWEST: usize = 6;

/// What a suite says of a feature.
type Figure = (&'static str, fn(&Measurement) -> f64);

/// What is correlated with the score in games.
const FIGURES: [Figure; 4] = [
    ("gain", Measurement::gain),
    ("frequency", |measurement| measurement.frequency),
    ("depth", Measurement::deeper),
    ("nodes saved", Measurement::saved),
];

/// Relates what features score in games to what a suite says of them
#[derive(Parser)]
struct Command {
    /// Features with their games and suite figures, a CSV file
    data: PathBuf,
    /// The file has rows of tables with their fitness, by several measures
    #[arg(long)]
    fitness: bool,
    /// Write the plot to this file (SVG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Command::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command) -> anyhow::Result<()> {
    let plot = if command.fitness {
        let rows = fitness::load(&command.data)?;
        println!("{}", terminal::markdown(&fitness::correlations(&rows)));
        fitness::plotted(&rows)
    } else {
        let measurements = data::load(&command.data)?;
        let groups = groups(&measurements);
        println!("{}\n\n{}", terminal::markdown(&correlations(&groups)), terminal::markdown(&fits(&groups)));
        plotted(&groups)
    };
    if let Some(path) = &command.plot {
        fs::write(path, plot)?;
    }
    Ok(())
}

/// The groups that are large enough.
fn groups(measurements: &[Measurement]) -> Vec<Group<'_>> {
    data::groups(measurements).into_iter().filter(|group| group.measurements.len() >= FEWEST).collect()
}

/// The plot of the figures that count positions and nodes, a column of panels for each search and suite.
fn plotted(groups: &[Group<'_>]) -> String {
    let column = |group: &Group<'_>| {
        let figures = [FIGURES[0], FIGURES[3]].map(|(name, figure)| plot::Figure {
            name: name.to_owned(),
            points: group.measurements.iter().map(|measurement| measurement.point(figure(measurement))).collect(),
        });
        plot::Column { title: format!("{}; {}", group.search(), group.suite), figures: figures.into() }
    };
    plot::render(&groups.iter().map(column).collect::<Vec<_>>())
}

/// The rank correlation of each figure with the score.
fn correlations(groups: &[Group<'_>]) -> Listing {
    let columns = ["search", "suite"].map(Column::words);
    let figures = FIGURES.map(|(name, _)| Column::figures(name));
    let mut listing = Listing::new([&columns[..], &[Column::figures("features")], &figures].concat());
    for group in groups {
        let scores = group.column(|measurement| measurement.score);
        let mut cells = vec![Cell::text(group.search()), Cell::text(&group.suite), count(group)];
        for (_, figure) in FIGURES {
            let RankCorrelation { rho, interval } = RankCorrelation::of(&group.column(figure), &scores);
            let interval = interval.map(|[low, high]| format!(" [{low:+.2}, {high:+.2}]")).unwrap_or_default();
            cells.push(Cell::text(format!("{rho:+.2}{interval}")));
        }
        listing.push(cells);
    }
    listing
}

/// The score as a linear function of gain and frequency, and of the nodes saved alone.
fn fits(groups: &[Group<'_>]) -> Listing {
    let columns = ["search", "suite"].map(Column::words);
    let figures = ["mean", "gain", "frequency", "R2", "error", "nodes saved", "R2", "error"].map(Column::figures);
    let mut listing = Listing::new([&columns[..], &figures].concat());
    for group in groups {
        let scores = group.column(|measurement| measurement.score);
        let constant = vec![[1.0]; scores.len()];
        let gain = group.inputs(|measurement| [1.0, measurement.gain(), measurement.frequency]);
        let saved = group.inputs(|measurement| [1.0, measurement.saved()]);
        let fits = (Fit::of(&constant, &scores), Fit::of(&gain, &scores), Fit::of(&saved, &scores));
        let (Some(mean), Some(gain), Some(saved)) = fits else { continue };
        let weight = |weight: f64| Cell::text(format!("{weight:+.2}"));
        listing.push([
            Cell::text(group.search()),
            Cell::text(&group.suite),
            Cell::share(mean.error),
            weight(gain.weights[1]),
            weight(gain.weights[2]),
            Cell::decimal(gain.explained, 2),
            Cell::share(gain.error),
            weight(saved.weights[1]),
            Cell::decimal(saved.explained, 2),
            Cell::share(saved.error),
        ]);
    }
    listing
}

fn count(group: &Group<'_>) -> Cell {
    Cell::count(group.measurements.len() as u64)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use halfply_engine::base::data_file;

    use super::*;

    #[test]
    fn the_plot_in_the_docs_is_of_the_data_in_the_docs() {
        let research = Path::new(env!("CARGO_MANIFEST_DIR")).join("research");
        let measurements = data::load(&research.join("good-features.csv")).unwrap();
        assert_eq!(
            plotted(&groups(&measurements)),
            data_file::read(&research.join("good-features.svg"), "a plot").unwrap()
        );
    }

    /// The tables in research/good-features.md are this program's output.
    #[test]
    fn the_tables_in_the_docs_are_of_the_data_in_the_docs() {
        let research = Path::new(env!("CARGO_MANIFEST_DIR")).join("research");
        let measurements = data::load(&research.join("good-features.csv")).unwrap();
        let groups = groups(&measurements);
        let text = data_file::read(&research.join("good-features.md"), "a document").unwrap();
        for listing in [correlations(&groups), fits(&groups)] {
            let table = terminal::markdown(&listing);
            assert!(text.contains(table.trim()), "research/good-features.md lacks this table:\n{table}");
        }
    }
}
