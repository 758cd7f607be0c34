// SPDX-License-Identifier: GPL-3.0-or-later
//! Games that were played: from journals of tournaments, PGN, and the records of a game.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use serde::Deserialize;

use super::run_file;
use halfply_engine::base::files;
use halfply_engine::games::GameName;
use halfply_engine::games::records::{self, PlayedGame};
use halfply_engine::with_game;
use halfply_lab::run::journal;
use halfply_lab::tournament::pgn_games;
use halfply_lab::tournament::record::GameRecord;

/// The most names of players that an error lists: game records have thousands.
const MOST_NAMES: usize = 20;

/// Games, and whose moves count.
#[derive(Clone, Debug, Args)]
pub struct RecordedArgs {
    /// Folders or journals of tournaments, or games in PGN (NAME.pgn); for Othello also GGF (.ggf) and WTHOR (.wtb). Journals
    /// and PGN may be compressed with gzip
    #[arg(value_name = "GAMES", required = true, value_parser = run_file::journal)]
    files: Vec<PathBuf>,
    /// Count only the moves of this player; can be repeated [default: all players]
    #[arg(long = "player", value_name = "NAME")]
    pub players: Vec<String>,
}

/// A game, and where it is from.
pub struct RecordedGame {
    pub record: GameRecord,
    /// Its file, and its key or number there.
    pub origin: String,
}

/// Games of one kind.
pub struct Recorded {
    pub game: GameName,
    pub games: Vec<RecordedGame>,
    /// The players.
    names: Vec<String>,
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

impl RecordedArgs {
    /// Reads the games.
    pub fn load(&self) -> Result<Recorded> {
        let mut all: Option<(Recorded, &Path)> = None;
        for path in &self.files {
            let more = Recorded::load(path)?;
            match &mut all {
                None => all = Some((more, path)),
                Some((recorded, first)) => {
                    ensure!(
                        recorded.game == more.game,
                        "{} is of {}, and {} of {}: give files of one game",
                        first.display(),
                        recorded.game.name(),
                        path.display(),
                        more.game.name()
                    );
                    recorded.games.extend(more.games);
                    recorded.names.extend(more.names);
                }
            }
        }
        // At least one file is required.
        let (mut recorded, _) = all.context("no games")?;
        let names = &mut recorded.names;
        names.sort();
        names.dedup();
        if let Some(stranger) = self.players.iter().find(|player| !names.contains(player)) {
            let known: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("{name:?}")).collect();
            let more = if names.len() > MOST_NAMES { ", …" } else { "" };
            bail!("--player {stranger}: no file has this player; there are {}{more}", known.join(", "));
        }
        Ok(recorded)
    }
}

impl Recorded {
    /// Reads a journal, games in PGN, or the records of a game.
    fn load(path: &Path) -> Result<Self> {
        let origin = |key: &dyn Display| format!("{}: game {key}", path.display());
        if let Some((game, played)) = records::load(path)? {
            let names = played.iter().flat_map(|game| game.players.clone()).collect();
            let game_of =
                |(number, game): (usize, PlayedGame)| RecordedGame { record: game.into(), origin: origin(&number) };
            return Ok(Self { game, games: (1..).zip(played).map(game_of).collect(), names });
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if name.ends_with(".pgn") || name.ends_with(".pgn.gz") {
            return Self::of_pgn(path);
        }
        let (header, records) = journal::load::<GameRecord>(path, "tournament")?;
        let config: JournalConfig = serde_json::from_value(header.config)
            .with_context(|| format!("{}:1: this journal's configuration cannot be read", path.display()))?;
        let names = config.players.into_iter().map(|player| player.name).collect();
        let game = |(key, record): (String, GameRecord)| RecordedGame { record, origin: origin(&key) };
        Ok(Self { game: config.game, games: records.into_iter().map(game).collect(), names })
    }

    fn of_pgn(path: &Path) -> Result<Self> {
        let name = path.display();
        let text = files::read_unpacked(path, files::LARGEST_TEXT);
        let text = text.with_context(|| format!("{name}: it cannot be read"))?;
        let all = pgn_games::read(&text).map_err(|error| anyhow!("{name}:{error}"))?;
        let variant = all.first().with_context(|| format!("{name}: it has no game"))?.variant();
        let game = GameName::of_record(variant)
            .with_context(|| format!("{name}: its variant {:?} is no game known here", variant.unwrap_or_default()))?;
        let (mut names, mut games) = (Vec::new(), Vec::new());
        for (number, pgn) in (1..).zip(all) {
            let origin = format!("{name}: game {number}");
            let is_same = GameName::of_record(pgn.variant()) == Some(game);
            ensure!(is_same, "{origin} is not of {}, as those before it: give files of one game", game.name());
            names.extend(pgn.players());
            games.push(RecordedGame { record: with_game!(game, G => pgn.record::<G>()), origin });
        }
        Ok(Self { game, games, names })
    }
}
