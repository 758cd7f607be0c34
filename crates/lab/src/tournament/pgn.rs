// SPDX-License-Identifier: GPL-3.0-or-later
//! Games as PGN (Edwards 1994), for other programs and people.

use std::fmt::Write as _;

use chrono::DateTime;

use super::record::GameRecord;
use halfply_engine::game::{Notation, Side};
use halfply_engine::history::History;

/// The tags that all games of a tournament share.
#[derive(Clone, Debug)]
pub struct PgnTags {
    /// The name of the event.
    pub name: String,
    /// The variant; none for chess.
    pub variant: Option<&'static str>,
    /// The limits of each player, by its name.
    pub limits: Vec<(String, String)>,
}

/// A day that is not known.
const UNKNOWN: &str = "????.??.??";

/// The most characters of a line in the standard's export format.
const WIDTH: usize = 79;

/// A game as PGN, with an empty line after it. Moves are in the notation of [`Notation::record_move`]. Those of the book
/// have the comment `{book}`, the others score, depth, nodes and time, if these were recorded.
///
/// # Errors
/// If the record has an invalid position or an illegal move.
pub fn game<G: Notation>(event: &PgnTags, round: &str, record: &GameRecord) -> Result<String, String> {
    let result = result::<G>(record.winner);
    let ending = Ending { result, termination: termination(record), comment: Some(ending::<G>(record)) };
    text::<G>(event, round, record, &ending)
}

/// A game that is not over as PGN, with an empty line after it. Winner and end of the record do not count.
///
/// # Errors
/// As [`game`].
pub fn unfinished<G: Notation>(event: &PgnTags, record: &GameRecord) -> Result<String, String> {
    let ending = Ending { result: "*", termination: "unterminated", comment: None };
    text::<G>(event, "-", record, &ending)
}

/// What PGN says about the end of a game.
struct Ending {
    result: &'static str,
    termination: &'static str,
    comment: Option<String>,
}

fn text<G: Notation>(event: &PgnTags, round: &str, record: &GameRecord, ending: &Ending) -> Result<String, String> {
    let start = G::parse_position(&record.opening).map_err(|error| error.to_string())?;
    let is_standard_start = start == G::start();
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| write_tag(&mut text, name, value);
    tag("Event", &event.name);
    tag("Site", "?");
    tag("Date", &record.times.ended.map_or_else(|| UNKNOWN.to_owned(), date));
    tag("Round", round);
    let colours = colours::<G>();
    for (colour, side) in colours {
        tag(colour, &record.players[side.index()]);
    }
    tag("Result", ending.result);
    if let Some(variant) = event.variant {
        tag("Variant", variant);
    }
    if !is_standard_start {
        tag("SetUp", "1");
        tag("FEN", &record.opening);
    }
    for (colour, side) in colours {
        if let Some((_, limits)) = event.limits.iter().find(|(name, _)| *name == record.players[side.index()]) {
            tag(&format!("{colour}Limits"), limits);
        }
    }
    tag("PlyCount", &record.plies().to_string());
    tag("Termination", ending.termination);
    let mut words = moves::<G>(&start, record)?;
    if let Some(comment) = &ending.comment {
        words.extend(format!("{{{comment}}}").split(' ').map(str::to_owned));
    }
    words.push(ending.result.to_owned());
    text.push('\n');
    text += &wrap(&words);
    text.push('\n');
    Ok(text)
}

/// The value of a tag.
pub fn value_of<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
}

/// Writes a tag.
pub fn write_tag(text: &mut String, name: &str, value: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
}

/// The tags of the two players in their order, and who of them that is: in Othello the first player is Black.
pub fn colours<G: Notation>() -> [(&'static str, Side); 2] {
    let [white, black] = if begins_with_black::<G>() { [Side::Black, Side::White] } else { Side::BOTH };
    [("White", white), ("Black", black)]
}

fn begins_with_black<G: Notation>() -> bool {
    G::SIDE_NAMES[0] == "black"
}

/// The result as in PGN, where the points of the colour White come first.
pub fn result<G: Notation>(winner: Option<Side>) -> &'static str {
    match winner {
        Some(winner) if winner == colours::<G>()[0].1 => "1-0",
        Some(_) => "0-1",
        None => "1/2-1/2",
    }
}

/// The day of a time in seconds since 1970, as PGN writes it, in UTC.
fn date(seconds: u64) -> String {
    let time = i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    time.map_or_else(|| UNKNOWN.to_owned(), |time| time.format("%Y.%m.%d").to_string())
}

/// The value of the tag `Termination`.
fn termination(record: &GameRecord) -> &'static str {
    use super::fault::FaultKind;
    match record.fault.as_ref().map(|fault| fault.fault.kind) {
        None if record.end.starts_with("adjudication") => "adjudication",
        None => "normal",
        Some(FaultKind::Time) => "time forfeit",
        Some(FaultKind::Overrun | FaultKind::IllegalMove | FaultKind::Garbage) => "rules infraction",
        Some(FaultKind::Crash | FaultKind::ClosedPipe | FaultKind::Hang) => "abandoned",
    }
}

/// Why the game ended. Braces are replaced, because they would end the comment.
fn ending<G: Notation>(record: &GameRecord) -> String {
    let text = match &record.fault {
        Some(fault) => {
            let [(white, side), (black, _)] = colours::<G>();
            let side = if fault.side == side { white } else { black };
            format!("{side}: {}", fault.fault)
        }
        None => record.end.clone(),
    };
    text.replace(['{', '}'], "'").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The moves with their numbers and comments, as words that may be on different lines.
fn moves<G: Notation>(start: &G::Position, record: &GameRecord) -> Result<Vec<String>, String> {
    let mut history = History::<G>::new(start.clone());
    let mut number = first_number(&record.opening);
    let mut words = Vec::new();
    for (ply, text) in record.moves.split_whitespace().enumerate() {
        let position = history.position();
        let mv = G::parse_move(position, text).map_err(|error| error.to_string())?;
        match G::to_move(position) {
            Side::White => words.push(format!("{number}.")),
            Side::Black if ply == 0 => words.push(format!("{number}...")),
            Side::Black => {}
        }
        words.push(G::record_move(position, mv));
        let searched = ply.checked_sub(record.book);
        match searched {
            None => words.push("{book}".to_owned()),
            Some(index) => {
                let said = record.comments.get(index);
                let time = record.times.moves.get(index).map(|&time| format!(" {:.3}s", time as f64 / 1000.0));
                words.extend(said.map(|said| format!("{{{said}{}}}", time.unwrap_or_default())));
            }
        }
        if G::to_move(position) == Side::Black {
            number += 1;
        }
        history.play(mv);
    }
    Ok(words)
}

/// The number of the first move: the last field of a full FEN.
pub(crate) fn first_number(fen: &str) -> u32 {
    fen.split_whitespace().nth(5).and_then(|number| number.parse().ok()).unwrap_or(1)
}

/// The words in lines of at most [`WIDTH`] characters.
pub(crate) fn wrap(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text += word;
        width += length;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::fault::{FaultKind, GameFault};
    use crate::tournament::record::FaultRecord;
    use halfply_engine::game::Game as _;
    use halfply_engine::games::{Breakthrough, Chess, Othello};

    fn record(opening: &str, moves: &str, winner: Option<Side>, end: &str) -> GameRecord {
        let players = ["Ud-RdTt", "none"].map(str::to_owned);
        let played = GameRecord::to_replay(players, opening.to_owned(), moves.to_owned());
        GameRecord { pair: 3, winner, end: end.to_owned(), ..played }
    }

    fn event(variant: Option<&'static str>) -> PgnTags {
        PgnTags { name: "a test".to_owned(), variant, limits: vec![("none".to_owned(), "500 nodes a move".to_owned())] }
    }

    #[test]
    fn a_game_of_chess_is_standard_pgn() {
        let start = Chess::format_position(&Chess::start());
        let mut fools_mate = record(&start, "f2f3 e7e5 g2g4 d8h4", Some(Side::Black), "checkmate");
        fools_mate.book = 1;
        fools_mate.comments = ["+0.10/3 50n", "-0.20/4 60n", "+M1/1 2n"].into_iter().collect();
        fools_mate.times.moves = vec![1, 22, 1234];
        let expected = "[Event \"a test\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"4.1\"]\n[White \"Ud-RdTt\"]\n\
                        [Black \"none\"]\n[Result \"0-1\"]\n[BlackLimits \"500 nodes a move\"]\n[PlyCount \"4\"]\n\
                        [Termination \"normal\"]\n\n\
                        1. f3 {book} e5 {+0.10/3 50n 0.001s} 2. g4 {-0.20/4 60n 0.022s} Qh4#\n\
                        {+M1/1 2n 1.234s} {checkmate} 0-1\n\n";
        assert_eq!(game::<Chess>(&event(None), "4.1", &fools_mate).unwrap(), expected);
        // The reader of another crate finds the same moves.
        let sans: Vec<_> =
            expected.split_whitespace().filter(|word| word.parse::<shakmaty::san::SanPlus>().is_ok()).collect();
        assert_eq!(sans, ["f3", "e5", "g4", "Qh4#"]);
    }

    #[test]
    fn a_game_of_breakthrough_says_so_and_why_it_ended() {
        let fen = "8/8/P7/8/8/7p/8/8 b - - 0 30";
        let fault = FaultRecord {
            side: Side::White,
            fault: GameFault::new(FaultKind::IllegalMove, "bestmove a1 {no}\n \"x\""),
        };
        let lost = GameRecord { fault: Some(fault), ..record(fen, "h3h2 a6a7", Some(Side::Black), "illegal move") };
        let text = game::<Breakthrough>(&event(Some("breakthrough")), "1", &lost).unwrap();
        for expected in [
            "[Variant \"breakthrough\"]\n[SetUp \"1\"]\n[FEN \"8/8/P7/8/8/7p/8/8 b - - 0 30\"]",
            "[Termination \"rules infraction\"]",
            "\n30... h3h2 31. a6a7 {White: illegal move: bestmove a1 'no' \"x\"} 0-1\n",
        ] {
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn black_begins_in_othello_and_wins_as_black() {
        let start = Othello::format_position(&Othello::start());
        let text =
            game::<Othello>(&event(Some("othello")), "1", &record(&start, "d3 c3", Some(Side::White), "x")).unwrap();
        for expected in [
            "[White \"none\"]\n[Black \"Ud-RdTt\"]\n[Result \"0-1\"]",
            "[WhiteLimits \"500 nodes a move\"]",
            "1. d3 c3 {x} 0-1",
        ] {
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn the_date_is_that_of_the_end() {
        for (seconds, expected) in [
            (0, "1970.01.01"),
            (86_399, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_798_761_599, "2026.12.31"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(date(seconds), expected);
        }
        let mut dated = record(&Chess::format_position(&Chess::start()), "", None, "");
        dated.times.ended = Some(0);
        assert!(game::<Chess>(&event(None), "1", &dated).unwrap().contains("[Date \"1970.01.01\"]"));
    }

    #[test]
    fn lines_are_as_long_as_the_standard_allows() {
        let words: Vec<String> = (0..200).map(|number| format!("{number}.")).collect();
        let text = wrap(&words);
        assert!(text.lines().all(|line| line.len() <= WIDTH && line.len() > WIDTH - 6 || line.ends_with("199.")));
        assert_eq!(text.split_whitespace().count(), 200);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        let event = event(None);
        assert!(game::<Chess>(&event, "1", &record("nonsense", "", None, "")).is_err());
        let start = Chess::format_position(&Chess::start());
        assert!(game::<Chess>(&event, "1", &record(&start, "e2e5", None, "")).is_err());
    }
}
