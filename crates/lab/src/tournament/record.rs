// SPDX-License-Identifier: GPL-3.0-or-later
//! A game in the journal.

use serde::{Deserialize, Serialize, Serializer};
use thiserror::Error;

use super::fault::GameFault;
use halfply_engine::base::echo::shortened;
use halfply_engine::game::{Notation, Side};
use halfply_engine::games::records::PlayedGame;
use halfply_engine::history::History;

/// A game that was played: its line of the journal. With a node limit, all fields except `times` are reproducible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The names of White and Black.
    pub players: [String; 2],
    /// The number of its pair, from 0.
    pub pair: u64,
    /// The first position, as FEN.
    pub opening: String,
    /// The winner; none for a draw.
    pub winner: Option<Side>,
    /// Why it ended, in a few words.
    pub end: String,
    /// The fault that ended it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultRecord>,
    /// The number of moves from the book.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub book: usize,
    /// The moves in coordinates, separated by spaces.
    pub moves: String,
    /// Nodes that White and Black searched.
    pub nodes: [u64; 2],
    /// Moves that matched a row of the player's extension table; 0 for other programs.
    pub extended: [u64; 2],
    /// Score, depth and nodes of each searched move, from the mover's side: `+0.35/8 12345n`. Empty without comments.
    #[serde(default, skip_serializing_if = "Comments::is_empty")]
    pub comments: Comments,
    /// The times.
    pub times: Times,
}

/// Texts that are kept as one: of a million games there are sixty million of them. In a journal they are a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<String>")]
pub struct Comments {
    text: String,
    /// By comment: where it ends in the text.
    ends: Vec<u32>,
}

impl Comments {
    /// Adds one. One that ends beyond 4 GiB, of which there is none, is left out.
    pub fn push(&mut self, comment: &str) {
        if let Ok(end) = u32::try_from(self.text.len() + comment.len()) {
            self.text += comment;
            self.ends.push(end);
        }
    }

    /// The comment with this number, from 0.
    pub fn get(&self, number: usize) -> Option<&str> {
        let begin = number.checked_sub(1).map_or(Some(&0), |before| self.ends.get(before))?;
        self.text.get(*begin as usize..*self.ends.get(number)? as usize)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).filter_map(|number| self.get(number))
    }
}

impl<C: AsRef<str>> FromIterator<C> for Comments {
    fn from_iter<I: IntoIterator<Item = C>>(comments: I) -> Self {
        let mut all = Self::default();
        comments.into_iter().for_each(|comment| all.push(comment.as_ref()));
        // They are complete.
        all.text.shrink_to_fit();
        all.ends.shrink_to_fit();
        all
    }
}

impl From<Vec<String>> for Comments {
    fn from(comments: Vec<String>) -> Self {
        comments.into_iter().collect()
    }
}

impl Serialize for Comments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// The part of a game that differs from run to run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Thinking time of both players in seconds.
    pub thinking: f64,
    /// When it ended, in seconds since 1970; none in journals of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<u64>,
    /// The time of each searched move in milliseconds, at most 49 days. Empty without comments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<u32>,
}

/// A game without what each move was worth and took, which needs most of the room.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "GameRecord")]
pub struct Outline(pub GameRecord);

impl From<GameRecord> for Outline {
    fn from(game: GameRecord) -> Self {
        Self(GameRecord { comments: Comments::default(), times: Times { moves: Vec::new(), ..game.times }, ..game })
    }
}

/// A fault that cost a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The side at fault.
    pub side: Side,
    /// The fault.
    #[serde(flatten)]
    pub fault: GameFault,
}

/// The half points of White and Black; a draw has no winner.
pub fn half_points(winner: Option<Side>) -> [u64; 2] {
    match winner {
        Some(Side::White) => [2, 0],
        Some(Side::Black) => [0, 2],
        None => [1, 1],
    }
}

/// Characters of a first position that are shown where it is none. A FEN has fewer.
const LONGEST_FEN: usize = 100;

/// A game that cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: {reason}", self.what())]
pub struct ReplayError {
    /// The number of the move in the game, from 1; 0 is the opening.
    pub number: usize,
    /// The move, or the opening.
    pub mv: String,
    /// What is wrong with it.
    pub reason: String,
}

impl ReplayError {
    fn what(&self) -> String {
        match self.number {
            0 => format!("the first position, {}", shortened(&self.mv, LONGEST_FEN)),
            number => format!("move {number}, {}", self.mv),
        }
    }
}

impl GameRecord {
    /// The result, the points of the first player first.
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some(Side::White) => "1-0",
            Some(Side::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// The half points of White and Black.
    pub fn half_points(&self) -> [u64; 2] {
        half_points(self.winner)
    }

    /// The game's place in a schedule of two players; `first` has White in the first game of each pair.
    pub fn place(&self, first: &str) -> usize {
        let pair = usize::try_from(self.pair).unwrap_or(usize::MAX / 2 - 1).min(usize::MAX / 2 - 1);
        2 * pair + usize::from(self.players[0] != first)
    }

    /// Why it ended, in a few words: after a fault, who is at fault.
    pub fn ending(&self) -> String {
        match &self.fault {
            Some(FaultRecord { side, fault }) => format!("{}: {fault}", self.players[side.index()]),
            None => self.end.clone(),
        }
    }

    /// The game, position by position.
    ///
    /// # Errors
    /// If its first position is none, or a move is illegal.
    pub fn replay<G: Notation>(&self) -> Result<History<G>, ReplayError> {
        let wrong = |number: usize, mv: &str, reason: String| ReplayError { number, mv: mv.to_owned(), reason };
        let start = G::parse_position(&self.opening).map_err(|error| wrong(0, &self.opening, error.to_string()))?;
        let mut history = History::new(start);
        for (index, text) in self.moves.split_whitespace().enumerate() {
            history.play_recorded(text).map_err(|error| wrong(index + 1, text, error.to_string()))?;
        }
        Ok(history)
    }

    /// Plies played, including those of the book.
    pub fn plies(&self) -> usize {
        self.moves.split_whitespace().count()
    }
}

impl GameRecord {
    /// A game for those who only replay it: players, first position and moves. Nothing is said of its end, nodes and times.
    pub fn to_replay(players: [String; 2], opening: String, moves: String) -> Self {
        Self {
            players,
            pair: 0,
            opening,
            winner: None,
            end: String::new(),
            fault: None,
            book: 0,
            moves,
            nodes: [0; 2],
            extended: [0; 2],
            comments: Comments::default(),
            times: Times::default(),
        }
    }
}

impl From<PlayedGame> for GameRecord {
    fn from(game: PlayedGame) -> Self {
        Self::to_replay(game.players, game.start, game.moves.join(" "))
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_a_list_in_a_journal() {
        let text = r#"["+0.10/1 50n","","ü\n"]"#;
        let comments: Comments = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&comments).unwrap(), text);
        let got: Vec<_> = (0..4).map(|number| comments.get(number)).collect();
        assert_eq!(got, [Some("+0.10/1 50n"), Some(""), Some("ü\n"), None]);
        assert!(!comments.is_empty() && Comments::default().is_empty());
    }

    #[test]
    fn an_outline_has_no_more_of_a_game_than_its_moves() {
        let mut game = GameRecord::to_replay(["a", "b"].map(str::to_owned), "start".to_owned(), "e2e4 e7e5".to_owned());
        game.times.thinking = 1.5;
        let short = serde_json::to_string(&game).unwrap();
        (game.comments, game.times.moves) = (["+0.10/1 50n"; 2].into_iter().collect(), vec![1, 2]);
        let long = serde_json::to_string(&game).unwrap();
        let Outline(outline) = serde_json::from_str(&long).unwrap();
        assert!(short.len() < long.len() && serde_json::to_string(&outline).unwrap() == short, "{outline:?}");
    }
}
