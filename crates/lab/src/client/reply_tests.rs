// SPDX-License-Identifier: GPL-3.0-or-later
//! Lines of engines, as they should be and as they are.

use super::*;
use proptest::prelude::*;

fn read(line: &str) -> Info {
    match parse(line) {
        Some(Reply::Info(info)) => info,
        other => panic!("{line}: {other:?}"),
    }
}

fn moves(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn an_ordinary_line_is_read() {
    let line = "info depth 12 seldepth 18 multipv 1 score cp -31 nodes 123456 nps 1000000 hashfull 5 tbhits 0 \
                time 123 pv e2e4 e7e5 g1f3\r\n";
    let expected = Info {
        depth: Some(12),
        height: Some(18),
        score: Some(UciScore::Centipawns(-31)),
        nodes: Some(123_456),
        multipv: Some(1),
        line: moves("e2e4 e7e5 g1f3"),
        ..Info::default()
    };
    assert_eq!(read(line), expected);
    // In any order, with any blanks, and with words that nobody knows.
    let line = "\tinfo  pv e2e4 e7e5\tg1f3 time 123 multipv 1 wdl 1 2 3 zeal high nodes 123456 score\tcp -31 seldepth 18 \
                currmove a2a3  depth 12 refutation e2e4 string depth 1 score cp 5";
    assert_eq!(read(line), expected);
}

#[test]
fn bounds_are_no_scores() {
    for (text, bound, exact) in [
        ("score cp 30", None, Some(UciScore::Centipawns(30))),
        ("score mate -2", None, Some(UciScore::Mate(-2))),
        ("score cp 3000 lowerbound", Some(ScoreBound::Lower), None),
        ("score lowerbound cp 3000", Some(ScoreBound::Lower), None),
        ("score mate 3 nodes 5 upperbound", Some(ScoreBound::Upper), None),
        ("upperbound score cp +3", Some(ScoreBound::Upper), None),
        ("score cp 30 multipv 2", None, None),
        ("score cp 30 multipv 0", None, Some(UciScore::Centipawns(30))),
    ] {
        let info = read(&format!("info depth 3 {text}"));
        assert_eq!((info.bound, info.exact()), (bound, exact), "{text}");
        assert!(info.score.is_some(), "{text}");
    }
}

#[test]
fn an_invalid_number_loses_only_itself() {
    let info = read("info depth x seldepth nodes 7 time -1 score cp 99999999999999 mate 2 multipv one pv a2a3");
    let expected = Info { nodes: Some(7), score: Some(UciScore::Mate(2)), line: moves("a2a3"), ..Info::default() };
    assert_eq!(info, expected);
    assert_eq!(read("info depth 5 depth").depth, Some(5));
    assert_eq!(read("info nodes 99999999999999999999999 depth 2").nodes, None);
}

#[test]
fn lines_without_meaning_are_none() {
    for line in [
        "",
        " \t\r\n",
        "info",
        "info string depth 5 score cp 3",
        "info depth",
        "info lowerbound",
        "info depth nodes",
        "hello",
        "Thinking of bestmove e2e4",
        "id",
        "id elo 3000",
        "option",
        "option name",
        "option type check",
        "Info depth 5",
        "\u{fffd}\0",
    ] {
        assert_eq!(parse(line), None, "{line:?}");
    }
}

#[test]
fn moves_are_not_changed() {
    for (line, best) in [
        ("bestmove e2e4", Some("e2e4")),
        ("  bestmove\te7e8q  ponder  a7a6 \r\n", Some("e7e8q")),
        ("bestmove (none)", Some("(none)")),
        ("bestmove 0000 ponder", Some("0000")),
        ("bestmove banana split e2e4", Some("banana")),
        ("bestmove", None),
        ("bestmove  \r", None),
    ] {
        assert_eq!(parse(line), Some(Reply::Best(best.map(str::to_owned))), "{line:?}");
    }
}

#[test]
fn introductions_are_read() {
    assert_eq!(parse("id name  Deep  Thought 2\r"), Some(Reply::Name("Deep  Thought 2".to_owned())));
    assert_eq!(parse("id author \u{fffd}"), None);
    assert_eq!(parse("uciok"), Some(Reply::UciOk));
    assert_eq!(parse(" readyok \r\n"), Some(Reply::ReadyOk));
}

#[test]
fn the_amount_kept_from_a_line_is_bounded() {
    let line = read(&format!("info pv {}", "e2e4 ".repeat(1000)));
    assert_eq!(line.line.len(), LONGEST_PLAY);
    let line = read(&format!("info pv e2e4 {} e7e5 depth 3", "x".repeat(1000)));
    assert_eq!((line.line, line.depth), (moves("e2e4"), Some(3)));
    let long = "\u{fffd}".repeat(1000);
    let Some(Reply::Best(best)) = parse(&format!("bestmove {long}")) else { panic!("a move") };
    assert_eq!(best.map(|text| text.len()), Some(255));
    assert_eq!(parse(&format!("option name {} type check", "x".repeat(LONGEST_OPTION))), None);
}

/// Lines of words that mean something, in any order.
fn words() -> impl Strategy<Value = String> {
    let first = prop::sample::select(vec!["info", "bestmove", "id", "option", "option name x type spin", "uciok"]);
    let ordinary = ["name", "type", "default", "min", "max", "var", "ponder", "author", "-1", "7", "e2e4", "combo"];
    let known: Vec<&str> = KEYWORDS.split(' ').chain(ordinary).collect();
    let word = prop_oneof![4 => prop::sample::select(known).prop_map(str::to_owned), 1 => "\\PC{0,5}"];
    (first, prop::collection::vec(word, 0..30)).prop_map(|(first, words)| format!("{first} {}", words.join(" ")))
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_words_panic(line in words()) {
        if let Some(Reply::Info(info)) = parse(&line) {
            prop_assert!(info.line.iter().all(|mv| !is_keyword(mv)));
        }
    }
}
