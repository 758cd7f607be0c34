// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn realization`: costs of moves from how often they are played.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;

use crate::cli::Verdict;
use crate::cli::count::count;
use crate::cli::output::{WidthArg, print, tell};
use crate::cli::own_file::OwnFile;
use crate::cli::recorded::RecordedArgs;
use halfply_engine::base::Depth;
use halfply_engine::base::figures::thousands;
use halfply_engine::base::replace::is_marked;
use halfply_engine::features::{AtomSet, file};
use halfply_engine::games::RegisteredGame;
use halfply_engine::with_game;
use halfply_lab::learn::realization::{Costs, Counts};
use halfply_lab::review::recorded::Recorded;

/// The comment of a file begins so.
const MARK: &str = "halfply learn realization: log P / log C";

/// Take the costs of moves from games: moves that are played more often cost less
///
/// A category is a feature. P is the number of positions in which a move of it was played, divided by the number in which
/// one was possible; its cost is log P / log C plies. Costs above one ply reduce.
#[derive(Clone, Debug, Args)]
pub struct Command {
    #[command(flatten)]
    recorded: RecordedArgs,
    /// The categories [default: the game's atoms]
    #[arg(long, value_name = "FEATURE,...", value_delimiter = ',')]
    categories: Vec<String>,
    /// The constant C, between 0 and 1 [default: such that a move that was played costs one ply on average]
    #[arg(long, value_name = "C")]
    constant: Option<f64>,
    /// The least cost, in plies
    #[arg(long, value_name = "PLY", default_value = "0.25")]
    least: Depth,
    /// The greatest cost, in plies
    #[arg(long, value_name = "PLY", default_value = "4")]
    most: Depth,
    /// The fewest positions with which a category has a row
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count::<u64>(1..))]
    positions: u64,
    /// Where to write the extension table
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    width: WidthArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    ensure!(command.least <= command.most, "--least {} is greater than --most {}", command.least, command.most);
    if let Some(constant) = command.constant {
        ensure!(constant > 0.0 && constant < 1.0, "--constant {constant}: it must be more than 0 and less than 1");
    }
    let recorded = command.recorded.load()?;
    with_game!(recorded.game, G => run_game::<G>(command, &recorded))
}

fn run_game<G: RegisteredGame>(command: &Command, recorded: &Recorded) -> Result<Verdict> {
    let vocabulary = G::VOCABULARY;
    let feature = |name: &String| {
        let feature = vocabulary.parse(name).and_then(|feature| vocabulary.check_clash(feature).map(|()| feature));
        feature.with_context(|| format!("--categories {name}"))
    };
    let mut categories: Vec<AtomSet> = command.categories.iter().map(feature).collect::<Result<_>>()?;
    if categories.is_empty() {
        categories = vocabulary.base().indices().map(AtomSet::single).collect();
    }
    for (index, category) in categories.iter().enumerate() {
        let is_twin = categories[..index].contains(category);
        ensure!(!is_twin, "--categories {}: it is named twice", vocabulary.format(*category));
    }
    let out =
        command.out.as_deref().map(|path| OwnFile::begin(path, |contents| is_marked(&[MARK], contents))).transpose()?;
    let mut counts = Counts::new(&categories);
    for game in &recorded.games {
        counts
            .add::<G>(&game.record, &command.recorded.players)
            .map_err(|error| anyhow!("{}: {error}", game.place(error.number)))?;
    }
    ensure!(
        counts.positions > 0,
        "these games have no position in which a player that counts had a choice; {}",
        counts.unused(0, &vocabulary)
    );
    let constant = command.constant.or_else(|| counts.constant(command.positions));
    let constant = constant.context("no constant follows from these games: name one with --constant")?;
    let costs = Costs { constant, least: command.least, most: command.most, positions: command.positions };
    let summary =
        format!("{} positions of {} games; C = {constant:.4}", thousands(counts.positions), thousands(counts.games));
    print(command.width.fit(&costs.listing(&counts, &vocabulary)))?;
    print(&summary)?;
    let unused = counts.unused(command.positions, &vocabulary);
    if !unused.is_empty() {
        print(&unused)?;
    }
    if let Some(out) = out {
        let comments = [MARK.to_owned(), summary];
        out.finish(file::render(&costs.table(&counts), &comments, &vocabulary))?;
    } else {
        tell("--out FILE writes the costs as an extension table");
    }
    Ok(Verdict::Good)
}
