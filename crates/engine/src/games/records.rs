// SPDX-License-Identifier: GPL-3.0-or-later
//! Games that were played elsewhere, in files of the formats that players of a game exchange.

use std::path::Path;

use super::{GameName, RegisteredGame};
use crate::base::data_file::DataFileError;
use crate::base::files;
use crate::with_game;

/// The most bytes of a file: several hundred thousand games.
const LARGEST: u64 = 1 << 28;

/// The most games of a file, so that they fit into memory.
pub const MOST_GAMES: usize = 200_000;

/// A game that was played elsewhere. Its moves are legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The first and the second player, as the file names them.
    pub players: [String; 2],
    /// The first position, as FEN.
    pub start: String,
    /// The moves as in UCI, passes included.
    pub moves: Vec<String>,
    /// What else the file says, as tags of PGN.
    pub tags: Vec<(String, String)>,
}

/// A format of game records that only one game has.
#[derive(Clone, Copy, Debug)]
pub struct RecordFormat {
    /// How names of its files end, in lower case: `ggf`.
    pub ending: &'static str,
    /// Reads the games of a file, given its bytes and its name for errors.
    pub read: fn(&[u8], &str) -> Result<Vec<PlayedGame>, DataFileError>,
}

/// The games of a file, and which game was played; none if the name of the file ends like none of the formats.
///
/// # Errors
/// If the file cannot be read, is larger than 256 MiB, or is damaged.
pub fn load(path: &Path) -> Result<Option<(GameName, Vec<PlayedGame>)>, DataFileError> {
    if !is_record(path) {
        return Ok(None);
    }
    let wanted = "a file of game records";
    let bytes = files::read(path, LARGEST);
    let bytes = bytes.map_err(|cause| DataFileError::Unreadable { path: path.to_owned(), cause, wanted })?;
    read(&bytes, &path.display().to_string())
}

/// The same for the contents of a file with this name.
///
/// # Errors
/// If they are damaged.
pub fn read(bytes: &[u8], name: &str) -> Result<Option<(GameName, Vec<PlayedGame>)>, DataFileError> {
    let Some((game, format)) = format_of(Path::new(name)) else { return Ok(None) };
    Ok(Some((game, (format.read)(bytes, name)?)))
}

/// Whether the name of a file ends like one of the formats.
pub fn is_record(path: &Path) -> bool {
    format_of(path).is_some()
}

/// The format of a file, by the ending of its name.
fn format_of(path: &Path) -> Option<(GameName, RecordFormat)> {
    let ending = path.extension()?.to_str()?;
    GameName::all().iter().find_map(|&game| {
        let formats = with_game!(game, G => <G as RegisteredGame>::RECORDS);
        let format = formats.iter().find(|format| ending.eq_ignore_ascii_case(format.ending))?;
        Some((game, *format))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_known_by_the_ending() {
        let game = |path: &str| format_of(Path::new(path)).map(|(game, format)| (game, format.ending));
        assert_eq!(game("a/WTH_2001.WTB"), Some((GameName::Othello, "wtb")));
        assert_eq!(game("Othello.01e4.ggf"), Some((GameName::Othello, "ggf")));
        assert_eq!((game("journal.jsonl"), game("ggf"), game("a.ggf/journal")), (None, None, None));
    }

    #[test]
    fn a_file_that_is_missing_is_an_error() {
        let error = load(Path::new("none.wtb")).unwrap_err().to_string();
        assert!(error.contains("none.wtb: cannot be read") && error.contains("game records"), "{error}");
        assert_eq!(load(Path::new("none.pgn")).unwrap(), None);
    }
}
