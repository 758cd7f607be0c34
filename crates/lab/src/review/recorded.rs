// SPDX-License-Identifier: GPL-3.0-or-later
//! Games as files have them: PGN and lists of moves, and the records of a game. Nothing is replayed before a game is wanted.

use thiserror::Error;

use super::played::{MOST_PLIES, Played, PlayedError};
use crate::tournament::pgn_games::{self, PgnError, PgnGame};
use crate::tournament::record::GameRecord;
use halfply_engine::base::data_file::DataFileError;
use halfply_engine::game::{Game, Notation};
use halfply_engine::games::records::{self, PlayedGame};
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::with_game;

/// A game, and where it is from.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// The game.
    pub record: GameRecord,
    /// Its file, and its key or number there.
    pub origin: String,
    /// Its tags, if it is from PGN.
    pub tags: Vec<(String, String)>,
    /// The file and the lines of the first position and of each move, if they are from a text.
    pub lines: Option<(String, Vec<u32>)>,
    /// Whether it is of the same game as the others.
    is_same: bool,
}

/// Games of one kind.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Which game.
    pub game: GameName,
    /// The games.
    pub games: Vec<RecordedGame>,
    /// The players.
    pub names: Vec<String>,
}

/// A file whose games cannot be had.
#[derive(Debug, Error)]
pub enum RecordedError {
    /// It is no PGN.
    #[error("{0}:{1}")]
    Pgn(String, PgnError),
    /// It is no record of games.
    #[error(transparent)]
    Record(#[from] DataFileError),
    /// There is no game in it.
    #[error("{0}: it has no game")]
    Empty(String),
    /// It is of a game that is not known.
    #[error("{0}: its variant {1:?} is not a game known here")]
    Variant(String, String),
    /// A game of it is of another kind.
    #[error("{0} is not of {1}, as others of the file")]
    Mixed(String, &'static str),
    /// No move of it is known.
    #[error("{0}: {1:?} begins no game that is known here; a list of moves is e2e4 e7e5 or 1. e4 e5")]
    Unknown(String, String),
    /// Its moves may be of several games.
    #[error("{0}: these may be moves of {1}: name one with --game")]
    Unclear(String, String),
    /// A game of it cannot be replayed.
    #[error("{0}: {1}")]
    Played(String, PlayedError),
}

impl RecordedGame {
    /// A game that is not from a text.
    pub fn new(record: GameRecord, origin: String) -> Self {
        Self { record, origin, tags: Vec::new(), lines: None, is_same: true }
    }

    /// Where a move stands, by its number from 1, or the first position, which is 0: file and line, or the game.
    pub fn place(&self, number: usize) -> String {
        let line = |(name, lines): &(String, Vec<u32>)| Some(format!("{name}:{}", lines.get(number)?));
        self.lines.as_ref().and_then(line).unwrap_or_else(|| self.origin.clone())
    }

    /// The game with its positions.
    ///
    /// # Errors
    /// If it is of another game, a move is not legal, with its line, or there are too many.
    pub fn played<G: Notation>(&self) -> Result<Played<G>, RecordedError> {
        if !self.is_same {
            return Err(RecordedError::Mixed(self.origin.clone(), G::NAME));
        }
        Played::new(&self.record, self.tags.clone()).map_err(|error| {
            let number = match &error {
                PlayedError::Replay(replay) => replay.number,
                PlayedError::Long(_) => 1,
            };
            RecordedError::Played(self.place(number), error)
        })
    }
}

impl Recorded {
    /// The same games, if all are of the same game.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn of_one_game(self) -> Result<Self, RecordedError> {
        match self.games.iter().find(|game| !game.is_same) {
            Some(other) => Err(RecordedError::Mixed(other.origin.clone(), self.game.name())),
            None => Ok(self),
        }
    }

    /// The games of a file with this name: records of a game if it ends like one of their formats, and else PGN or a list of
    /// moves. `game` is what is played where a text does not say it.
    ///
    /// # Errors
    /// Says what is wrong, with file and line.
    pub fn read(bytes: &[u8], name: &str, game: Option<GameName>) -> Result<Self, RecordedError> {
        match records::read(bytes, name)? {
            Some((game, played)) => Ok(Self::of_records(game, played, name)),
            None => Self::of_text(bytes, name, game),
        }
    }

    /// Games that a record of the file `name` has.
    pub fn of_records(game: GameName, played: Vec<PlayedGame>, name: &str) -> Self {
        let names = played.iter().flat_map(|game| game.players.clone()).collect();
        let game_of = |(number, mut game): (usize, PlayedGame)| {
            let tags = std::mem::take(&mut game.tags);
            RecordedGame { tags, ..RecordedGame::new(game.into(), format!("{name}: game {number}")) }
        };
        Self { game, games: (1..).zip(played).map(game_of).collect(), names }
    }

    /// Games in PGN, or a list of moves.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn of_text(text: &[u8], name: &str, named: Option<GameName>) -> Result<Self, RecordedError> {
        let all = pgn_games::read(text).map_err(|error| RecordedError::Pgn(name.to_owned(), error))?;
        let empty = || RecordedError::Empty(name.to_owned());
        // Archives mix games; the first that is known here decides.
        let known = |pgn: &&PgnGame| pgn.variant().is_none_or(|variant| GameName::of_record(Some(variant)).is_some());
        let first = all.iter().find(known).or(all.first()).ok_or_else(empty)?;
        let game = match (first.variant(), named) {
            (None, Some(game)) => game,
            (None, None) => played(first, name)?,
            (variant, _) => GameName::of_record(variant)
                .ok_or_else(|| RecordedError::Variant(name.to_owned(), variant.unwrap_or_default().to_owned()))?,
        };
        let is_said_nowhere = first.variant().is_none();
        let (mut names, mut games) = (Vec::new(), Vec::new());
        for (number, mut pgn) in (1..).zip(all) {
            let is_same = pgn.variant().is_none() && (is_said_nowhere || named.is_some() || pgn.tags.is_empty())
                || GameName::of_record(pgn.variant()) == Some(game);
            let origin = format!("{name}: game {number}");
            names.extend(pgn.players());
            if let Some(result) = pgn.result.filter(|_| pgn.tag("Result").is_none()) {
                pgn.tags.push(("Result".to_owned(), result.to_owned()));
            }
            let record = with_game!(game, G => pgn.record::<G>());
            let lines = std::iter::once(pgn.fen_line).chain(pgn.lines).collect();
            games.push(RecordedGame { record, origin, tags: pgn.tags, lines: Some((name.to_owned(), lines)), is_same });
        }
        Ok(Self { game, games, names })
    }
}

/// The game whose moves these are. Of games in which not all are legal, the one in which most are will say which is not. PGN is of
/// chess, if another game does not have more.
fn played(list: &PgnGame, name: &str) -> Result<GameName, RecordedError> {
    let legal = |&game: &GameName| (game, with_game!(game, G => legal_moves::<G>(list)));
    let counted: Vec<(GameName, usize)> = GameName::all().iter().map(legal).collect();
    let most = counted.iter().map(|&(_, count)| count).max().unwrap_or_default();
    let games: Vec<GameName> = counted.into_iter().filter(|&(_, count)| count == most).map(|(game, _)| game).collect();
    let is_pgn = !list.tags.is_empty();
    if let Some(chess) = GameName::of_record(None).filter(|chess| is_pgn && games.contains(chess)) {
        return Ok(chess);
    }
    if most == 0 {
        let (line, first) = (list.lines.first().unwrap_or(&1), list.moves.split(' ').next().unwrap_or_default());
        return Err(RecordedError::Unknown(format!("{name}:{line}"), first.to_owned()));
    }
    match games[..] {
        [game] => Ok(game),
        _ => {
            let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
            Err(RecordedError::Unclear(name.to_owned(), names.join(", ")))
        }
    }
}

/// How many moves of a game are legal in a game known here, up to the first that is not.
fn legal_moves<G: RegisteredGame>(list: &PgnGame) -> usize {
    let start = list.tag("FEN").map_or_else(|| Ok(<G as Game>::start()), G::parse_position);
    let Ok(mut position) = start else { return 0 };
    // In its own notations: others can be read in several games.
    let play = |word: &str| {
        let mv = G::parse_move(&position, word).ok()?;
        <G as Game>::play(&mut position, mv);
        Some(())
    };
    list.moves.split_whitespace().take(MOST_PLIES).map_while(play).count()
}
