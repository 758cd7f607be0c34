// SPDX-License-Identifier: GPL-3.0-or-later
//! Games that were played: from journals of tournaments, PGN, lists of moves, and the records of a game.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use serde::Deserialize;

use super::run_file;
use halfply_engine::base::files;
use halfply_engine::games::{GameName, records};
use halfply_lab::review::recorded::{Recorded, RecordedGame};
use halfply_lab::run::journal;
use halfply_lab::tournament::record::Outline;

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
            let more = load(path)?;
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

/// Reads a journal, games in PGN, or the records of a game.
fn load(path: &Path) -> Result<Recorded> {
    if is_named(path, &[".pgn", ".pgn.gz"]) { Ok(load_text(path, None)?.of_one_game()?) } else { load_format(path) }
}

/// The same, and a list of moves in a file of any other name, or on stdin, which is called `-`. `game` is what is played
/// where the text does not say it.
pub fn load_any(path: &Path, game: Option<GameName>) -> Result<Recorded> {
    let is_format = is_named(path, &[".jsonl", ".jsonl.gz"]) || records::is_record(path);
    if is_format { load_format(path) } else { load_text(path, game) }
}

fn load_format(path: &Path) -> Result<Recorded> {
    if let Some((game, played)) = records::load(path)? {
        return Ok(Recorded::of_records(game, played, &path.display().to_string()));
    }
    let (header, records) = journal::load::<Outline>(path, "tournament")?;
    let config: JournalConfig = serde_json::from_value(header.config)
        .with_context(|| format!("{}:1: this journal's configuration cannot be read", path.display()))?;
    let names = config.players.into_iter().map(|player| player.name).collect();
    let game = |(key, Outline(record)): (String, Outline)| {
        RecordedGame::new(record, format!("{}: game {key}", path.display()))
    };
    Ok(Recorded { game: config.game, games: records.into_iter().map(game).collect(), names })
}

fn load_text(path: &Path, game: Option<GameName>) -> Result<Recorded> {
    let is_stdin = path == Path::new("-");
    let name = if is_stdin { "stdin".to_owned() } else { path.display().to_string() };
    let text = if is_stdin { stdin() } else { files::read_unpacked(path, files::LARGEST_TEXT) };
    let text =
        text.map_err(|error| anyhow!("{name}: cannot be read ({error}); name a file of games, or - for stdin"))?;
    Ok(Recorded::of_text(&text, &name, game)?)
}

fn is_named(path: &Path, endings: &[&str]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    endings.iter().any(|ending| name.ends_with(ending))
}

/// All that stands on stdin, as far as a file may be long.
fn stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(files::LARGEST_TEXT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > files::LARGEST_TEXT {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}
