// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn realization`: costs of moves from how often they are played.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde::Deserialize;

use crate::base::figures::thousands;
use crate::base::{Depth, files};
use crate::cli::count::count;
use crate::cli::output::{WholeFile, WidthArg, print, tell};
use crate::cli::{Verdict, run_file};
use crate::features::{AtomSet, file};
use crate::games::{Furnished, GameName, records};
use crate::learn::realization::{Costs, Counts};
use crate::run::journal;
use crate::tournament::pgn_games;
use crate::tournament::record::GameRecord;
use crate::with_game;

/// The most names of players that an error lists: game records have thousands.
const MOST_NAMES: usize = 20;

/// Take the costs of moves from games: moves that are played more often cost less
///
/// A category is a feature. P is the number of positions in which a move of it was played, divided by the number in which
/// one was possible; its cost is log P / log C plies. Costs above one ply reduce.
#[derive(Clone, Debug, Args)]
pub struct Command {
    /// Folders or journals of tournaments, or games in PGN (NAME.pgn); for Othello also GGF (.ggf) and WTHOR (.wtb). Journals
    /// and PGN may be compressed with gzip
    #[arg(value_name = "GAMES", required = true, value_parser = run_file::journal)]
    files: Vec<PathBuf>,
    /// The categories [default: the game's atoms]
    #[arg(long, value_name = "FEATURE,...", value_delimiter = ',')]
    categories: Vec<String>,
    /// Count only the moves of this player; can be repeated [default: all players]
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,
    /// The constant C, between 0 and 1 [default: such that a move that was played costs one ply in the mean]
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

/// The part of a tournament's configuration that is used here.
#[derive(Deserialize)]
struct JournalConfig {
    game: GameName,
    players: Vec<PlayerName>,
}

#[derive(Deserialize)]
struct PlayerName {
    name: String,
}

/// The games of one file.
struct Games {
    path: PathBuf,
    game: GameName,
    /// The players.
    names: Vec<String>,
    /// The games with their keys, or with their numbers in the file.
    records: Vec<(String, GameRecord)>,
}

impl Games {
    /// Reads a journal, or game records.
    fn load(path: &Path) -> Result<Self> {
        if let Some((game, played)) = records::load(path)? {
            let names = played.iter().flat_map(|game| game.players.clone()).collect();
            let records = (1..).zip(played).map(|(number, game)| (number.to_string(), game.into())).collect();
            return Ok(Self { path: path.to_owned(), game, names, records });
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if name.ends_with(".pgn") || name.ends_with(".pgn.gz") {
            return Self::of_pgn(path).with_context(|| format!("{}", path.display()));
        }
        let (header, records) = journal::load::<GameRecord>(path, "tournament")?;
        let config: JournalConfig = serde_json::from_value(header.config)
            .with_context(|| format!("{}:1: this journal's configuration cannot be read", path.display()))?;
        let names = config.players.into_iter().map(|player| player.name).collect();
        Ok(Self { path: path.to_owned(), game: config.game, names, records })
    }

    fn of_pgn(path: &Path) -> Result<Self> {
        let text = files::read_unpacked(path, files::LARGEST_TEXT).context("it cannot be read")?;
        let games = pgn_games::read(&text).context("it is not PGN")?;
        let variant = games.first().context("it has no game")?.variant.clone();
        let game = GameName::of_record(variant.as_deref()).with_context(|| {
            format!("its variant {:?} is no game known here", variant.as_deref().unwrap_or_default())
        })?;
        let (mut names, mut records) = (Vec::new(), Vec::new());
        for (index, pgn) in games.into_iter().enumerate() {
            let number = index + 1;
            ensure!(
                GameName::of_record(pgn.variant.as_deref()) == Some(game),
                "game {number} is not of {}, as those before it: give files of one game",
                game.name()
            );
            names.extend(pgn.players.iter().cloned());
            records.push((number.to_string(), with_game!(game, G => pgn.record::<G>())));
        }
        Ok(Self { path: path.to_owned(), game, names, records })
    }
}

pub fn run(command: &Command) -> Result<Verdict> {
    ensure!(command.least <= command.most, "--least {} is greater than --most {}", command.least, command.most);
    if let Some(constant) = command.constant {
        ensure!(constant > 0.0 && constant < 1.0, "--constant {constant}: it is between 0 and 1");
    }
    let all: Vec<Games> = command.files.iter().map(|path| Games::load(path)).collect::<Result<_>>()?;
    // At least one file is required.
    let first = all.first().context("no games")?;
    if let Some(other) = all.iter().find(|games| games.game != first.game) {
        let (path, game, other_path) = (first.path.display(), first.game.name(), other.path.display());
        bail!("{path} is of {game}, and {other_path} of {}: give files of one game", other.game.name());
    }
    let mut names: Vec<&String> = all.iter().flat_map(|games| &games.names).collect();
    names.sort();
    names.dedup();
    if let Some(stranger) = command.players.iter().find(|player| !names.contains(player)) {
        let known: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("{name:?}")).collect();
        let more = if names.len() > MOST_NAMES { ", …" } else { "" };
        bail!("--player {stranger}: no file has this player; there are {}{more}", known.join(", "));
    }
    let game = first.game;
    with_game!(game, G => run_game::<G>(command, &all))
}

fn run_game<G: Furnished>(command: &Command, all: &[Games]) -> Result<Verdict> {
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
    let out = command.out.as_deref().map(WholeFile::begin).transpose()?;
    let mut counts = Counts::new(&categories);
    for Games { path, records, .. } in all {
        for (key, record) in records {
            let counted = counts.add::<G>(record, &command.players);
            counted.with_context(|| format!("{}: game {key}", path.display()))?;
        }
    }
    ensure!(counts.positions > 0, "these games have no position in which a player that counts had a choice");
    let constant = command.constant.or_else(|| counts.constant(command.positions));
    let constant = constant.context("no constant follows from these games: name one with --constant")?;
    let costs = Costs { constant, least: command.least, most: command.most, positions: command.positions };
    let summary =
        format!("{} positions of {} games; C = {constant:.4}", thousands(counts.positions), thousands(counts.games));
    print(command.width.fit(&costs.listing(&counts, &vocabulary)))?;
    print(&summary)?;
    if let Some(out) = out {
        let comments = ["learned by halfply learn realization: log P / log C".to_owned(), summary];
        out.finish(&file::render(&costs.table(&counts), &comments, &vocabulary))?;
    } else {
        tell("--out FILE writes the costs as an extension table");
    }
    Ok(Verdict::Good)
}
