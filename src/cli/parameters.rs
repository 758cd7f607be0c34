// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply parameters`: the parameters of the full search.

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::Verdict;
use super::output::{WidthArg, print};
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::search::Parameters;
use halfply_engine::search::parameters::{Parameter, ParameterKind};
use halfply_engine::with_game;
use halfply_lab::report::{Column, Listing};

/// Show the parameters of the full search: their defaults, ranges and meanings
///
/// The names are those of `--set NAME=VALUE`, of the TOML keys in `--parameters FILE`, and of the UCI options.
#[derive(Debug, Args)]
pub struct Command {
    /// The output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    width: WidthArg,
    /// Show the defaults of play with that game's network, which games have tuned [default: those of all games]
    #[arg(long, value_enum)]
    game: Option<GameName>,
}

/// The output formats.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// A table; with --wide in Markdown
    #[default]
    Table,
    /// A file for `--parameters` with the defaults
    Toml,
    /// The input of OpenBench's tuner: name, int, value, minimum, maximum, step, learning rate
    Spsa,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let defaults = match command.game {
        Some(game) => with_game!(game, G => <G as RegisteredGame>::TUNED),
        None => Parameters::DEFAULT,
    };
    print(match command.format {
        Format::Table => command.width.fit(&listing(&defaults)),
        Format::Toml => lines(&defaults, |parameter, value| {
            Some(format!("# {}\n{} = {value}", parameter.meaning.trim(), parameter.name))
        }),
        Format::Spsa => lines(&defaults, as_spsa),
    })?;
    Ok(Verdict::Good)
}

/// One text a parameter, made from its default.
fn lines(defaults: &Parameters, line: impl Fn(&Parameter, &str) -> Option<String>) -> String {
    let values = defaults.values();
    let lines = Parameters::ALL.iter().zip(&values).filter_map(|(parameter, (_, value))| line(parameter, value));
    lines.collect::<Vec<_>>().join("\n")
}

fn listing(defaults: &Parameters) -> Listing {
    let mut listing = Listing::new([
        Column::words("parameter"),
        Column::words("default"),
        Column::words("range"),
        Column::prose("meaning"),
    ]);
    for (parameter, (_, default)) in Parameters::ALL.iter().zip(defaults.values()) {
        let range = match parameter.kind {
            ParameterKind::Switch { .. } => "true, false".to_owned(),
            ParameterKind::Number { min, max, .. } => format!("{min} to {max}"),
        };
        listing.push([parameter.name, &default, &range, parameter.meaning.trim()]);
    }
    listing
}

/// The tuner's first step is a twentieth of the range, as OpenBench's users begin.
fn as_spsa(parameter: &Parameter, value: &str) -> Option<String> {
    match parameter.kind {
        ParameterKind::Number { min, max, .. } => {
            let step = (f64::from(max - min) / 20.0).max(0.5);
            Some(format!("{}, int, {value}, {min}, {max}, {step}, 0.002", parameter.name))
        }
        ParameterKind::Switch { .. } => None,
    }
}
