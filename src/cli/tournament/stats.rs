// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply tournament stats`: the figures of results, from a journal or from counts.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::json::{JournalObject, ResultObject};
use super::show;
use crate::cli::count::count;
use crate::cli::output::{WidthArg, print, print_json};
use crate::cli::{Verdict, run_file};
use halfply_lab::report::terminal;
use halfply_lab::run::journal;
use halfply_lab::tournament::course::Roster;
use halfply_lab::tournament::definition::MOST_PLAYERS;
use halfply_lab::tournament::fault::Policy;
use halfply_lab::tournament::ledger::Ledger;
use halfply_lab::tournament::listing;
use halfply_lab::tournament::record::Outline;
use halfply_lab::tournament::scoreboard::Scoreboard;
use halfply_lab::tournament::statistics::{Figures, Model, Pentanomial, Sprt, Tally};

/// Show score, Elo and intervals of results, from a journal or from counts
#[derive(Debug, Args)]
pub struct Command {
    /// The folder of a run, or a journal, which may be compressed with gzip
    #[arg(value_parser = run_file::journal)]
    path: Option<PathBuf>,
    /// Games won, drawn and lost
    #[arg(long, value_name = "W,D,L", value_delimiter = ',', num_args = 1, value_parser = count::<u32>(0..))]
    #[arg(conflicts_with_all = ["path", "pentanomial"])]
    wdl: Vec<u32>,
    /// Pairs of games with 0, ½, 1, 1½ and 2 points
    #[arg(long, value_name = "N,N,N,N,N", value_delimiter = ',', num_args = 1, value_parser = count::<u32>(0..))]
    #[arg(conflicts_with = "path")]
    pentanomial: Vec<u32>,
    /// A sequential probability ratio test between these Elo differences, of the first player against the second
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = hypotheses)]
    sprt: Option<(f64, f64)>,
    /// The Elo model of the test [default: normalized]
    #[arg(long, value_enum, requires = "sprt")]
    model: Option<Model>,
    /// The probability of a wrong decision, for each hypothesis
    #[arg(long, value_name = "SHARE", requires = "sprt", default_value_t = 0.05)]
    error: f64,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    width: WidthArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let model = command.model.unwrap_or_default();
    let sprt = command.sprt.map(|(elo0, elo1)| Sprt::new(elo0, elo1, command.error, command.error, model));
    let sprt = sprt.transpose().context("--sprt")?;
    match &command.path {
        Some(path) => of_journal(command, path, sprt.as_ref())?,
        None => of_counts(command, sprt.as_ref())?,
    }
    Ok(Verdict::Good)
}

/// The two hypotheses of a test.
pub fn hypotheses(text: &str) -> Result<(f64, f64), String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[elo0, elo1]) if elo0 < elo1 => Ok((elo0, elo1)),
        _ => Err("two Elo differences, the lower first, such as 0,5".to_owned()),
    }
}

fn of_counts(command: &Command, sprt: Option<&Sprt>) -> Result<()> {
    let figures = match (&command.wdl[..], &command.pentanomial[..]) {
        (&[wins, draws, losses], []) => {
            ensure!(sprt.is_none(), "--sprt needs pairs of games: give --pentanomial instead of --wdl");
            let [wins, draws, losses] = [wins, draws, losses].map(u64::from);
            Figures::of(Tally { wins, draws, losses }, None, None)
        }
        ([], &[a, b, c, d, e]) => {
            let pairs = Pentanomial([a, b, c, d, e].map(u64::from));
            // The games of a pair with one point are not known, and no figure here needs them.
            Figures::of_pairs(&pairs, sprt)
        }
        ([], []) => bail!("name the folder of a run or a journal, or give --wdl W,D,L or --pentanomial N,N,N,N,N"),
        _ => bail!("--wdl takes three counts, such as 120,30,90, and --pentanomial takes five, such as 2,14,50,25,9"),
    };
    if command.json {
        return print_json(&figures);
    }
    print(terminal::markdown(&listing::figures("results", &figures, figures.games)))
}

fn of_journal(command: &Command, path: &Path, sprt: Option<&Sprt>) -> Result<()> {
    let (header, games) = journal::load::<Outline>(path, "tournament")?;
    let config: Roster = serde_json::from_value(header.config.clone())
        .with_context(|| format!("{}:1: this journal's configuration cannot be read", path.display()))?;
    let names = config.names();
    ensure!(
        names.len() <= MOST_PLAYERS,
        "{}:1: this journal has {} players: {MOST_PLAYERS} are the most",
        path.display(),
        names.len()
    );
    let first = names.first().cloned().unwrap_or_default();
    ensure!(
        sprt.is_none() || names.len() == 2,
        "--sprt is for two players, and {} has {}: leave it out",
        path.display(),
        names.len()
    );
    let mut ledger = Ledger::new(Scoreboard::new(names), sprt.copied(), Policy::Restart);
    for (_, Outline(game)) in &games {
        // Games after the test's decision do not count.
        if ledger.enter(game.place(&first), game, false).is_break() {
            break;
        }
    }
    let (board, of) = (ledger.board(), games.len() as u64);
    if command.json {
        let run = JournalObject { config: &header.config, version: &header.version, signature: header.signature };
        return print_json(&ResultObject { run: Some(run), ..ResultObject::new(board, of, sprt) });
    }
    let names = board.players().iter().map(|player| player.name.as_str());
    show::print_players(names.zip(config.descriptions()))?;
    show::results(board, of, sprt, command.width).iter().try_for_each(print)
}
