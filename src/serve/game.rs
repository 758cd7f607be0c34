// SPDX-License-Identifier: GPL-3.0-or-later
//! A game as the page sends it, and its position as the page shows it.
//!
//! The server remembers no game: each request has the whole game. So the rules are in one place, taking a move back needs no
//! request, and nothing is lost if server or page start again.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use halfply_engine::book::BookMove;
use halfply_engine::game::{Notation, Side, outcome};
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::history::History;
use halfply_lab::report::board::{Squares, ranks, rows};
use halfply_lab::tournament::pgn::{self, PgnTags};
use halfply_lab::tournament::record::GameRecord;

/// A game so far.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSoFar {
    /// Which game.
    pub game: GameName,
    /// Its first position (FEN); that of the rules if none is given.
    #[serde(default)]
    pub start: Option<String>,
    /// The moves, in any of the game's notations.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The names of White and Black, for the game record.
    #[serde(default)]
    pub names: Option<[String; 2]>,
}

impl GameSoFar {
    /// The game, checked.
    ///
    /// # Errors
    /// If the first position is none of the game, or a move is not legal.
    pub fn history<G: Notation>(&self) -> Result<History<G>, Refusal> {
        let start = match &self.start {
            Some(fen) => G::parse_position(fen).map_err(Refusal::invalid)?,
            None => G::start(),
        };
        let mut history = History::new(start);
        for (index, text) in self.moves.iter().enumerate() {
            // A draw that a rule allows may not have been claimed.
            let mv = if outcome::<G>(history.position()).is_some() {
                Err("the game is over".to_owned())
            } else {
                G::parse_move(history.position(), text).map_err(|error| error.to_string())
            };
            history.play(mv.map_err(|reason| Refusal::Invalid(format!("move {}: {reason}", index + 1)))?);
        }
        Ok(history)
    }
}

/// A position with all that a page needs to show it and to play on.
#[derive(Debug, Serialize)]
pub struct Shown {
    /// The position.
    pub fen: String,
    /// The first position of the game.
    pub start: String,
    /// The rows of the board from the top, with the letters of the FEN, and `.` for empty squares.
    pub rows: Vec<String>,
    /// The names of the rows.
    pub ranks: Vec<String>,
    /// Who is to move; the first player is white here, whatever people call it.
    pub to_move: Side,
    /// The legal moves; none if the game is over.
    pub legal: Vec<ShownMove>,
    /// The moves so far.
    pub played: Vec<ShownMove>,
    /// The result, if the game is over.
    pub over: Option<Over>,
    /// The game so far as PGN.
    pub pgn: String,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownMove {
    /// As in protocols: what the page sends back.
    pub text: String,
    /// As in game records.
    pub name: String,
    /// The square that it starts from; none if a new piece is put on the board.
    pub from: Option<String>,
    /// The square that it leads to; none for a pass.
    pub to: Option<String>,
    /// Who makes it.
    pub side: Side,
    /// What it scored in the games of the opening book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<Seen>,
}

/// What a move scored in games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Seen {
    /// In how many games it was played.
    pub games: u64,
    /// The share of the points that the first player scored in them.
    pub first: f64,
    /// How likely it is to be played from the book, beside the others.
    pub weight: u64,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Over {
    /// The winner; none for a draw.
    pub winner: Option<Side>,
    /// Why, in a few words.
    pub reason: &'static str,
    /// As in PGN.
    pub result: &'static str,
}

/// The position after a game so far.
///
/// # Errors
/// If the game is not valid.
pub fn show<G: RegisteredGame>(game: &GameSoFar) -> Result<Shown, Refusal> {
    let history = game.history::<G>()?;
    let position = history.position();
    let fen = G::format_position(position);
    let start = G::format_position(&history.positions()[0]);
    let seen = seen::<G>(position);
    let shown = |&mv: &G::Move| {
        let seen = seen.iter().find(|(known, _)| *known == mv).map(|&(_, seen)| seen);
        ShownMove { seen, ..shown_move::<G>(position, mv) }
    };
    let legal = history.legal_moves().iter().map(shown).collect();
    let played =
        history.moves().iter().zip(history.positions()).map(|(&mv, before)| shown_move::<G>(before, mv)).collect();
    let over = history.ending().map(|reason| {
        let winner = history.winner();
        Over { winner, reason, result: pgn::result::<G>(winner) }
    });
    let rows = rows(&fen);
    let ranks = ranks(&G::draw(position), rows.len());
    let pgn = record::<G>(game, &history, &start, over.as_ref())?;
    Ok(Shown { rows, ranks, to_move: G::to_move(position), legal, played, over, pgn, start, fen })
}

/// The move as the page shows it.
pub fn shown_move<G: Notation>(before: &G::Position, mv: G::Move) -> ShownMove {
    let text = G::format_move(before, mv);
    let Squares { from, to } = Squares::of_move(&text);
    ShownMove { name: G::record_move(before, mv), side: G::to_move(before), from, to, text, seen: None }
}

/// What moves of the position scored in the games of the opening book.
fn seen<G: RegisteredGame>(position: &G::Position) -> Vec<(G::Move, Seen)> {
    let moves = G::book().map(|book| book.moves::<G>(position)).unwrap_or_default();
    let counted = |entry: BookMove<G::Move>| {
        let score = entry.score()?;
        let first = if G::to_move(position) == Side::White { score } else { 1.0 - score };
        Some((entry.mv, Seen { games: entry.games, first, weight: entry.weight }))
    };
    moves.into_iter().filter_map(counted).collect()
}

/// The game as PGN.
fn record<G: RegisteredGame>(
    game: &GameSoFar,
    history: &History<G>,
    start: &str,
    over: Option<&Over>,
) -> Result<String, Refusal> {
    let players = game.names.clone().unwrap_or_else(|| ["?", "?"].map(str::to_owned));
    let record = GameRecord {
        winner: over.and_then(|over| over.winner),
        end: over.map_or("", |over| over.reason).to_owned(),
        ..GameRecord::to_replay(players, start.to_owned(), history.move_texts().join(" "))
    };
    let variant = G::record_variant(G::is_chess960(history.position()));
    let tags = PgnTags { name: "Halfply".to_owned(), variant, limits: Vec::new() };
    let text = if over.is_some() { pgn::game::<G>(&tags, "-", &record) } else { pgn::unfinished::<G>(&tags, &record) };
    text.map_err(Refusal::Invalid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::game::Game;
    use halfply_engine::games::{Breakthrough, Chess};
    use halfply_engine::with_game;

    fn game(game: GameName, start: Option<&str>, moves: &str) -> GameSoFar {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        GameSoFar { game, start: start.map(str::to_owned), moves, names: None }
    }

    #[test]
    fn every_game_is_shown_with_a_move_for_every_piece_of_text() {
        for &name in GameName::all() {
            with_game!(name, G => {
                let shown = show::<G>(&game(name, None, "")).unwrap();
                assert_eq!(shown.fen, G::format_position(&<G as Game>::start()));
                assert!(shown.rows.iter().all(|row| row.len() == shown.rows[0].len()), "{:?}", shown.rows);
                assert_eq!(shown.rows.len(), shown.ranks.len());
                assert!(!shown.legal.is_empty() && shown.over.is_none());
                for mv in &shown.legal {
                    assert!(mv.to.is_some(), "{mv:?}");
                    // What the page sends back is understood.
                    assert!(show::<G>(&game(name, None, &mv.text)).is_ok(), "{mv:?}");
                }
                assert!(shown.pgn.contains("[Result \"*\"]") && shown.pgn.trim_end().ends_with('*'), "{}", shown.pgn);
            });
        }
    }

    #[test]
    fn a_finished_game_has_a_result_and_no_moves() {
        let shown = show::<Chess>(&game(GameName::Chess, None, "f2f3 e7e5 g2g4 Qh4")).unwrap();
        assert_eq!(shown.over, Some(Over { winner: Some(Side::Black), reason: "checkmate", result: "0-1" }));
        assert!(shown.legal.is_empty());
        let last = ShownMove {
            text: "d8h4".to_owned(),
            name: "Qh4#".to_owned(),
            from: Some("d8".to_owned()),
            to: Some("h4".to_owned()),
            side: Side::Black,
            seen: None,
        };
        assert_eq!(shown.played.last(), Some(&last));
        assert!(shown.pgn.contains("1. f3 e5 2. g4 Qh4# {checkmate} 0-1"), "{}", shown.pgn);
        let after = show::<Chess>(&game(GameName::Chess, None, "f2f3 e7e5 g2g4 Qh4 a2a3"));
        assert_eq!(after.unwrap_err().to_string(), "move 5: the game is over");
        // Threefold repetition, which nobody claimed.
        let on = "Nf3 Nf6 Ng1 Ng8 ".repeat(3);
        assert!(show::<Chess>(&game(GameName::Chess, None, &on)).unwrap().over.is_some());
        assert!(show::<Chess>(&game(GameName::Chess, None, &(on + "e4 e5"))).unwrap().over.is_none());
    }

    #[test]
    fn what_is_no_game_is_refused_with_the_place() {
        let error = |start, moves| show::<Breakthrough>(&game(GameName::Breakthrough, start, moves)).unwrap_err();
        assert!(error(None, "a2a3 a2a3").to_string().starts_with("move 2: a2a3 is not legal"));
        assert!(error(Some("8/8 w"), "").to_string().contains("8 rows"));
        assert!(error(Some(&"8/".repeat(10_000)), "").to_string().contains("fields"));
    }
}
