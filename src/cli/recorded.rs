// SPDX-License-Identifier: GPL-3.0-or-later
//! Games that were played: from journals of tournaments, PGN, lists of moves, and the records of a game.

use std::fmt::Display;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use serde::Deserialize;

use super::run_file;
use halfply_engine::base::files;
use halfply_engine::game::Game;
use halfply_engine::games::records::{self, PlayedGame};
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::with_game;
use halfply_lab::review::played::MOST_PLIES;
use halfply_lab::run::journal;
use halfply_lab::tournament::pgn_games::{self, PgnGame};
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
    /// Its tags, if it is from PGN.
    pub tags: Vec<(String, String)>,
    /// The file and line of each move, if they are from a text.
    pub lines: Option<(String, Vec<u32>)>,
}

impl RecordedGame {
    fn new(record: GameRecord, origin: String) -> Self {
        Self { record, origin, tags: Vec::new(), lines: None }
    }

    /// Where a move stands, by its number from 1: file and line, or the game.
    pub fn place(&self, number: usize) -> String {
        let line = |(name, lines): &(String, Vec<u32>)| Some(format!("{name}:{}", lines.get(number.checked_sub(1)?)?));
        self.lines.as_ref().and_then(line).unwrap_or_else(|| self.origin.clone())
    }
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
        if is_named(path, &[".pgn", ".pgn.gz"]) { Self::of_text(path, None) } else { Self::of_format(path) }
    }

    /// The same, and a list of moves in a file of any other name, or on stdin, which is called `-`. `game` is what is played
    /// where the text does not say it.
    pub fn load_any(path: &Path, game: Option<GameName>) -> Result<Self> {
        let is_format = is_named(path, &[".jsonl", ".jsonl.gz"]) || records::is_record(path);
        if is_format { Self::of_format(path) } else { Self::of_text(path, game) }
    }

    fn of_format(path: &Path) -> Result<Self> {
        let origin = |key: &dyn Display| format!("{}: game {key}", path.display());
        if let Some((game, played)) = records::load(path)? {
            let names = played.iter().flat_map(|game| game.players.clone()).collect();
            let game_of = |(number, game): (usize, PlayedGame)| RecordedGame::new(game.into(), origin(&number));
            return Ok(Self { game, games: (1..).zip(played).map(game_of).collect(), names });
        }
        let (header, records) = journal::load::<GameRecord>(path, "tournament")?;
        let config: JournalConfig = serde_json::from_value(header.config)
            .with_context(|| format!("{}:1: this journal's configuration cannot be read", path.display()))?;
        let names = config.players.into_iter().map(|player| player.name).collect();
        let game = |(key, record): (String, GameRecord)| RecordedGame::new(record, origin(&key));
        Ok(Self { game: config.game, games: records.into_iter().map(game).collect(), names })
    }

    fn of_text(path: &Path, named: Option<GameName>) -> Result<Self> {
        let is_stdin = path == Path::new("-");
        let name = if is_stdin { "stdin".to_owned() } else { path.display().to_string() };
        let text = if is_stdin { stdin() } else { files::read_unpacked(path, files::LARGEST_TEXT) };
        let text = text.with_context(|| format!("{name}: it cannot be read"))?;
        let all = pgn_games::read(&text).map_err(|error| anyhow!("{name}:{error}"))?;
        let first = all.first().with_context(|| format!("{name}: it has no game"))?;
        let game = match (first.variant(), named) {
            (None, Some(game)) => game,
            // Whoever writes no tag at all may have written moves of any game.
            (None, None) if first.tags.is_empty() => played(first, &name)?,
            (variant, _) => GameName::of_record(variant).with_context(|| {
                format!("{name}: its variant {:?} is no game known here", variant.unwrap_or_default())
            })?,
        };
        let (mut names, mut games) = (Vec::new(), Vec::new());
        for (number, pgn) in (1..).zip(all) {
            let is_same = pgn.variant().is_none() && (named.is_some() || pgn.tags.is_empty())
                || GameName::of_record(pgn.variant()) == Some(game);
            let origin = format!("{name}: game {number}");
            ensure!(is_same, "{origin} is not of {}, as those before it: give files of one game", game.name());
            names.extend(pgn.players());
            let record = with_game!(game, G => pgn.record::<G>());
            games.push(RecordedGame { record, origin, tags: pgn.tags, lines: Some((name.clone(), pgn.lines)) });
        }
        Ok(Self { game, games, names })
    }
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

/// The game whose moves these are. Of games in which not all are legal, the one in which most are will say which is not.
fn played(list: &PgnGame, name: &str) -> Result<GameName> {
    let legal = |game: GameName| with_game!(game, G => legal_moves::<G>(&list.moves));
    let most = GameName::all().iter().map(|&game| legal(game)).max().unwrap_or_default();
    if most == 0 {
        let (line, first) = (list.lines.first().unwrap_or(&1), list.moves.split(' ').next().unwrap_or_default());
        bail!("{name}:{line}: {first:?} begins no game that is known here; a list of moves is e2e4 e7e5 or 1. e4 e5");
    }
    let games: Vec<GameName> = GameName::all().iter().copied().filter(|&game| legal(game) == most).collect();
    match games[..] {
        [game] => Ok(game),
        _ => {
            let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
            bail!("{name}: these may be moves of {}: name one with --game", names.join(", "))
        }
    }
}

/// How many moves of a list are legal from the start of a game, up to the first that is not.
fn legal_moves<G: RegisteredGame>(moves: &str) -> usize {
    let mut position = <G as Game>::start();
    let play = |text: &str| {
        let mv = G::parse_move(&position, text).ok()?;
        <G as Game>::play(&mut position, mv);
        Some(())
    };
    moves.split_whitespace().take(MOST_PLIES).map_while(play).count()
}
