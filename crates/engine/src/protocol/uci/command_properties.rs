// SPDX-License-Identifier: GPL-3.0-or-later
//! What holds of any line, even of those nobody would ever send.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::tests::{BREAKTHROUGH, leniently, reads, set};
use super::*;

const NUMBERS: &str = "0 1 00 -1 +7 255 256 300 1000 999999999999 1234567890123 9e9 1.5 98765432109876543210";

fn word_of(words: &'static str) -> impl Strategy<Value = String> {
    select(words.split(' ').collect::<Vec<_>>()).prop_map(str::to_owned)
}

/// What must hold of every line there is.
fn holds_for_any_line(line: &str) -> Result<(), TestCaseError> {
    let parsed = parse(line);
    let empty = line.trim_start_matches('\u{feff}').trim_ascii().is_empty();
    prop_assert_eq!(parsed.command.is_none() && parsed.warnings.is_empty(), empty, "{:?} vanished", line);
    for text in &parsed.warnings {
        prop_assert!(!text.contains(|symbol: char| symbol.is_control()), "{:?} has lines", text);
    }
    if let Some(command) = strict::parse(line.trim_ascii()) {
        prop_assert_eq!(leniently(line.trim_ascii()), (Some(command), Vec::new()), "{:?}", line);
    }
    Ok(())
}

/// Words, numbers and blanks of UCI in any order, some of them without anything between them.
fn soup() -> impl Strategy<Value = String> {
    const WORDS: &str = "e2e4 e7e8Q a1 0000 name value Value Hash startpos fen moves w - on off later code joho ü";
    let word = prop_oneof![
        2 => select(COMMANDS).prop_map(str::to_owned),
        1 => select(OURS).prop_map(str::to_owned),
        1 => select(REPLIES).prop_map(str::to_owned),
        6 => select(lenient::GO).prop_map(str::to_owned),
        4 => word_of(NUMBERS),
        4 => word_of(WORDS),
        1 => Just(BREAKTHROUGH.to_owned()),
    ];
    let blank = select(&[" ", " ", " ", " ", " ", " ", "  ", "\t", "\r\n", "\n", "", "\u{a0}"][..]);
    let first =
        prop_oneof![select(COMMANDS), Just("go"), Just("go"), Just("setoption name"), Just("position"), Just("")];
    (first, prop::collection::vec((blank, word), 0..16)).prop_map(|(first, rest)| {
        rest.into_iter().fold(first.to_owned(), |line, (blank, word)| format!("{line}{blank}{word}"))
    })
}

prop_compose! {
    /// Limits as a GUI may set them.
    fn limits()(
        search_moves in prop::collection::vec("[a-h][1-8][a-h][1-8][qrbn]?|P@[a-h][1-8]|[a-h][1-8]", 0..4),
        (ponder, infinite) in any::<(bool, bool)>(),
        times in any::<[Option<u32>; 5]>(),
        small in any::<[Option<u8>; 3]>(),
        large in any::<[Option<u32>; 3]>(),
        nodes in any::<Option<u64>>(),
        use_large in any::<bool>(),
    ) -> Go {
        let time = |index: usize| times[index].map(|time| Duration::from_millis(time.into()));
        let number = |index: usize| if use_large { large[index] } else { small[index].map(u32::from) };
        Go {
            search_moves,
            ponder,
            white_time: time(0),
            black_time: time(1),
            white_increment: time(2),
            black_increment: time(3),
            moves_to_go: number(0).filter(|&moves| moves > 0),
            depth: number(1),
            nodes,
            mate: number(2),
            move_time: time(4),
            infinite,
        }
    }
}

/// The limits as a GUI writes them, rotated, for their order is free.
fn write_go(go: &Go, rotation: Index) -> String {
    let time = |time: Option<Duration>| time.map(|time| time.as_millis().to_string());
    let number = |number: Option<u32>| number.map(|number| number.to_string());
    let flag = |set: bool| set.then(String::new);
    let moves = (!go.search_moves.is_empty()).then(|| go.search_moves.join(" "));
    let parts = [
        ("searchmoves", moves),
        ("ponder", flag(go.ponder)),
        ("wtime", time(go.white_time)),
        ("btime", time(go.black_time)),
        ("winc", time(go.white_increment)),
        ("binc", time(go.black_increment)),
        ("movestogo", number(go.moves_to_go)),
        ("depth", number(go.depth)),
        ("nodes", go.nodes.map(|nodes| nodes.to_string())),
        ("mate", number(go.mate)),
        ("movetime", time(go.move_time)),
        ("infinite", flag(go.infinite)),
    ];
    let mut parts: Vec<String> =
        parts.into_iter().filter_map(|(keyword, value)| Some(format!("{keyword} {}", value?))).collect();
    if !parts.is_empty() {
        let middle = rotation.index(parts.len());
        parts.rotate_left(middle);
    }
    format!("go {}", parts.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_answered(line in any::<String>(), rest in "\\PC*", command in select(COMMANDS)) {
        holds_for_any_line(&line)?;
        holds_for_any_line(&rest)?;
        holds_for_any_line(&format!("{command} {line}"))?;
        holds_for_any_line(&format!("{command} {rest}"))?;
    }

    #[test]
    fn any_words_are_answered(line in soup()) {
        holds_for_any_line(&line)?;
    }

    /// Most of the soup is too thick for the crate, which never gets to the numbers.
    #[test]
    fn any_numbers_are_answered(limits in prop::collection::vec((select(lenient::GO), word_of(NUMBERS)), 1..4)) {
        let limits: Vec<String> = limits.into_iter().map(|(keyword, number)| format!("{keyword} {number}")).collect();
        holds_for_any_line(&format!("go {}", limits.join(" ")))?;
    }

    #[test]
    fn searches_are_read_as_they_were_written(go in limits(), rotation in any::<Index>()) {
        let line = write_go(&go, rotation);
        let expected = Parsed { command: Some(Command::Go(go)), warnings: Vec::new() };
        prop_assert_eq!(parse(&line), expected.clone(), "{:?}", line);
        prop_assert_eq!(leniently(line.trim_ascii()), (expected.command, Vec::new()), "{:?}", line);
    }

    #[test]
    fn options_are_read_as_they_were_written(
        name in "[A-Za-z]{1,5}( [A-Za-uw-z][a-z]{0,6}){0,3}",
        value in "([!-~ü]([ -~\tü]{0,20}[!-~ü])?)?",
    ) {
        reads(&format!("setoption name {name} value {value}"), set(&name, Some(&value)));
        reads(&format!("setoption name {name}"), set(&name, None));
    }

    #[test]
    fn games_are_read_as_they_were_written(
        moves in prop::collection::vec("[a-h][1-8][a-h][1-8][qrbnQ]?|0000|[A-Z]@[a-h][1-8]", 0..12),
        fen in prop::option::of("[pPkK1-8]{1,8}(/[pPkK1-8]{1,8}){7} [wb]( (-|[KQkq]{1,4}) (-|e3)( [0-9]{1,3} [0-9]{1,3})?)?"),
    ) {
        let start = fen.as_ref().map_or("startpos".to_owned(), |fen| format!("fen {fen}"));
        let start = if moves.is_empty() { start } else { format!("{start} moves {}", moves.join(" ")) };
        let expected = fen.map_or(Start::StartPos, Start::Fen);
        reads(&format!("position {start}"), Command::Position { start: expected, moves });
    }
}
