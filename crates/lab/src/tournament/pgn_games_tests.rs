// SPDX-License-Identifier: GPL-3.0-or-later
use super::super::pgn::{PgnTags, game};
use super::*;
use halfply_engine::games::{Breakthrough, Chess};

fn moves(text: &str) -> String {
    let games = read(text.as_bytes()).unwrap();
    games.iter().map(|game| game.moves.as_str()).collect::<Vec<_>>().join(" | ")
}

#[test]
fn games_of_others_are_read() {
    let text = "% a line that is no game\n[Event \"one\"]\n[White \"A \\\"B\\\" C\"]\n[Black \"D\"]\n\n\
                1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3! $3 Nc6 3. Bb5 a6 ; a comment\n4. O-O *\n\n\
                [White \"E\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=Q+ 1-0\n";
    let games = read(text.as_bytes()).unwrap();
    assert_eq!(games.len(), 2);
    let first = games[0].record::<Chess>();
    assert_eq!(first.players, ["A \"B\" C", "D"]);
    assert_eq!(first.moves, "e4 e5 Nf3 Nc6 Bb5 a6 O-O");
    assert_eq!((&games[0].lines[..], &games[1].lines[..]), (&[6, 6, 6, 6, 6, 6, 7][..], &[12][..]));
    assert!(first.opening.starts_with("rnbqkbnr/pppppppp/"), "{}", first.opening);
    let second = games[1].record::<Chess>();
    assert_eq!((second.moves.as_str(), second.opening.as_str()), ("a8=Q+", "7k/P7/8/8/8/8/8/K7 w - - 0 1"));
    assert_eq!(read(b"").unwrap(), []);
    let nested = read(b"1. e4 (1. d4 (1. c4 {book}) d5) e5 *").unwrap();
    assert_eq!((nested[0].moves.as_str(), nested[0].book), ("e4 e5", 0));
}

#[test]
fn lists_of_moves_are_read_however_they_are_numbered() {
    for text in [
        "a2a3 h7h6 a3xb4",
        "1. a2a3 h7h6 2. a3xb4",
        "1.a2a3 h7h6 2.a3xb4 *",
        "1 a2a3 h7h6\n2 a3xb4!?",
        "\u{feff}1. a2a3 {x\n(} 1... h7h6 ± 2… a3xb4?? $14 e.p. 1-0",
    ] {
        assert_eq!(moves(text), "a2a3 h7h6 a3xb4", "{text}");
    }
    assert_eq!(moves("1. f5 -- 2. 0-0 (0-1) * pass"), "f5 -- 0-0 | pass");
    assert_eq!(moves("[A \"b\"] [C \"d \"e\" f\"]\r\n1. e4 [A \"\"] 1. d4"), "e4 | d4");
    assert_eq!(moves("1. f5d6C3 2. a2a3 resign 1/2 1. Nf3 1-0"), "f5 d6 C3 a2a3 | Nf3");
    assert_eq!(moves("1. \u{2658}f3 N\u{ff}"), "\u{2658}f3 N\u{ff}", "the game refuses them");
}

#[test]
fn nothing_is_lost_between_games() {
    let text = b"1. e4 {R\xE9ti} 1-0 {resigned}\n\n[Event \"a\"]\n[Event \"b\"]\n\n1. d4 1/2 {drawn}\n";
    let games = read(text).unwrap();
    let said: Vec<_> = games.iter().map(|game| (game.tag("Event"), &game.moves[..], game.result)).collect();
    assert_eq!(said, [(None, "e4", Some("1-0")), (Some("a"), "", None), (Some("b"), "d4", Some("1/2-1/2"))]);
    let comment = |number| read_tree(text, number).unwrap().unwrap().nodes.last().unwrap().comment.clone();
    assert_eq!([1, 2, 3].map(comment), ["R\u{e9}ti resigned", "", "drawn"]);
    let wide: Vec<u8> = "\u{feff}1. e4 e5 *".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&wide).unwrap()[0].moves, "e4 e5");
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let long = format!("[White \"{}\"]", "x".repeat(LONGEST_TAG));
    let endless = "e".repeat(1 << 20);
    for (text, line, game, reason) in [
        ("1. e4\n{no end", 2, 1, "comment that begins here has no end"),
        ("1. e4 *\n\n1. d4 (1. c4 c5", 3, 2, "it ends within a variation"),
        ("1. e4 *\n\n1. d4 (1. c4 (1. b4) c5\n\n[White \"C\"]\n\n1. e4 *\n", 5, 2, "it ends within a variation"),
        ("[White \"A\n1. e4", 1, 1, "not a tag"),
        ("1. e4 *\n[White]", 2, 2, "not a tag"),
        (&long, 1, 1, "at most 4096 bytes"),
        (&endless, 1, 1, "more than 128 bytes"),
        (&"[A \"b\"]\n*\n".repeat(MOST_GAMES + 1), 2 * MOST_GAMES + 2, MOST_GAMES + 1, "more than 200000 games"),
        (&"[A \"b\"] ".repeat(MOST_TAGS + 1), 1, 1, "more than 1000 tags"),
    ] {
        let error = read(text.as_bytes()).unwrap_err();
        assert_eq!((error.line, error.game), (line, game), "{error}");
        assert!(error.reason.contains(reason), "{error}");
    }
}

#[test]
fn a_file_may_be_nested_deep_and_be_large() {
    let deep = format!("1. e4 {}{} e5", "(1. d4 ".repeat(10_000), ")".repeat(10_000));
    assert_eq!(moves(&deep), "e4 e5");
    let start = std::time::Instant::now();
    let large = "1. e4 {[%eval 0.2] a comment} (1. d4 d5) e5 2. Nf3 Nc6 *\n".repeat(200_000);
    assert_eq!(read(large.as_bytes()).unwrap().len(), 200_000);
    for open in ["(", "{", "[", "[a \"", "1-0 ", "\\"] {
        let _ = read(open.repeat(1 << 20).as_bytes());
    }
    assert!(start.elapsed().as_secs() < 30, "it takes more than linear time: {:?}", start.elapsed());
}

#[test]
fn our_own_games_come_back() {
    let (players, opening) = (["one".into(), "two".into()], "8/6pp/8/8/8/8/PP6/8 w - - 0 1".into());
    let moves = "a2a3 h7h6 a3b4 h6g5 b4c5".into();
    let record = GameRecord { winner: Some(Side::White), book: 2, ..GameRecord::to_replay(players, opening, moves) };
    let tags = PgnTags { name: "an event".into(), variant: Some("breakthrough"), limits: Vec::new() };
    let text = game::<Breakthrough>(&tags, "1", &record).unwrap();
    let games = read(text.as_bytes()).unwrap();
    assert_eq!(games[0].variant(), Some("breakthrough"));
    let [read] = games.try_into().unwrap_or_else(|games| panic!("{games:?}"));
    assert_eq!(read.record::<Breakthrough>(), GameRecord { winner: None, ..record });
}
