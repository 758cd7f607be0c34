// SPDX-License-Identifier: GPL-3.0-or-later
//! The lines GUIs send, and the lines the crate is known to read wrongly.

use super::*;

pub(super) const BREAKTHROUGH: &str = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1";

fn ms(milliseconds: u64) -> Option<Duration> {
    Some(Duration::from_millis(milliseconds))
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

pub(super) fn set(name: &str, value: Option<&str>) -> Command {
    Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
}

fn from_start(moves: &str) -> Command {
    Command::Position { start: Start::StartPos, moves: words(moves) }
}

fn from_fen(fen: &str, moves: &str) -> Command {
    Command::Position { start: Start::Fen(fen.to_owned()), moves: words(moves) }
}

fn go(set: impl FnOnce(&mut Go)) -> Command {
    let mut go = Go::default();
    set(&mut go);
    Command::Go(go)
}

/// The line is read as this command and nothing about it is worth a warning.
#[track_caller]
pub(super) fn reads(line: &str, command: Command) {
    assert_eq!(parse(line), Parsed { command: Some(command), warnings: Vec::new() }, "{line:?}");
}

/// The line is read as this command, or none, with these warnings.
#[track_caller]
fn warns(line: &str, command: Option<Command>, warnings: &[&str]) {
    let warnings = warnings.iter().map(|&text| text.to_owned()).collect();
    assert_eq!(parse(line), Parsed { command, warnings }, "{line:?}");
}

#[test]
fn plain_commands() {
    for (line, command) in [
        ("uci", Command::Uci),
        ("isready", Command::IsReady),
        ("ucinewgame", Command::NewGame),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit),
        ("quit", Command::Quit),
        ("debug on", Command::Debug(true)),
        ("debug off", Command::Debug(false)),
        ("register later", Command::Register),
        ("register name Stefan MK code 4359874324", Command::Register),
        ("d", Command::Display),
        ("eval", Command::Eval),
        ("bench", Command::Bench),
        ("go perft 5", Command::Perft(5)),
    ] {
        reads(line, command.clone());
        reads(&format!(" \t{} \r\n", line.replace(' ', "  \t")), command.clone());
        reads(&line.to_uppercase(), command);
    }
    reads("\u{feff}uci", Command::Uci);
    for empty in ["", "\n", "\r\n", " \t ", "\u{feff}\r\n"] {
        assert_eq!(parse(empty), Parsed::default());
    }
}

#[test]
fn unknown_words() {
    let on = Some(Command::Debug(true));
    warns("joho debug on", on.clone(), &["before the command: \"joho\" ignored"]);
    warns("debug joho on now", on, &["debug: \"joho\" ignored", "debug: \"now\" ignored"]);
    warns("debug", None, &["debug: write on or off"]);
    warns("debug maybe", None, &["debug: \"maybe\" ignored", "debug: write on or off"]);
    warns("stop it please", Some(Command::Stop), &["stop: \"it please\" ignored"]);
    warns("bench 16 1", Some(Command::Bench), &["bench: \"16 1\" ignored"]);
    for line in ["xboard", "protover 2", "joho d", "ucix", "isready\u{a0}", "Ωμέγα", "--help"] {
        reads(line, Command::Unknown(line.to_owned()));
    }
    // Echoes of an engine: the first of them would make the crate panic, the others hold words of commands.
    for line in ["info seldepth 300", "info string stop", "bestmove e2e4 ponder e7e5", "id name go", "option name quit"]
    {
        reads(line, Command::Unknown(line.to_owned()));
    }
    // What is shown must not end the line it is shown in.
    reads("a\rb\u{7}c\u{2028}d\ne", Command::Unknown("a b c d e".to_owned()));
}

#[test]
fn options() {
    reads("setoption name Hash value 32", set("Hash", Some("32")));
    reads("setoption name Clear Hash", set("Clear Hash", None));
    reads("setoption name Piece Values value 3", set("Piece Values", Some("3")));
    reads("setoption name values value 3", set("values", Some("3")));
    reads("setoption name Value of a pawn value 3", set("Value of a pawn", Some("3")));
    reads("setoption name value of a pawn value 3", set("value of a pawn", Some("3")));
    reads("setoption name Piece Value value 3", set("Piece Value", Some("3")));
    reads("setoption name Piece Value", set("Piece Value", None));
    reads("setoption name value", set("value", None));
    reads("SetOption Name Hash Value 32", set("Hash", Some("32")));
    reads("setoption name Style value very value aware", set("Style", Some("very value aware")));
    reads("setoption name Text value", set("Text", Some("")));
    reads("setoption name Text value  \r\n", set("Text", Some("")));
    reads("setoption name Text value <empty>", set("Text", Some("<empty>")));
    reads("setoption name Book value C:\\My Books\\a.bin", set("Book", Some("C:\\My Books\\a.bin")));
    reads("setoption name Book value C:\\My  Books\\a.bin", set("Book", Some("C:\\My  Books\\a.bin")));
    reads(" setoption\tname  Own   Book value  C:\\My\tB  ü\u{a0}\u{2003}.bin \r\n", {
        set("Own Book", Some("C:\\My\tB  ü\u{a0}\u{2003}.bin"))
    });
    reads("setoption name Book value /a\rb", set("Book", Some("/a\rb")));
    let how = "setoption: write setoption name <name> value <value>";
    warns("setoption", None, &[how]);
    warns("setoption name", None, &[how]);
    warns("setoption Hash value 32", None, &["setoption: \"Hash value 32\" ignored", how]);
    warns("setoption the name Hash value 3", Some(set("Hash", Some("3"))), &["setoption: \"the\" ignored"]);
}

#[test]
fn positions() {
    reads("position startpos", from_start(""));
    reads("position startpos moves", from_start(""));
    reads("position startpos moves e2e4 e7e5 e7e8q", from_start("e2e4 e7e5 e7e8q"));
    reads("position startpos moves  e2e4   e7e5", from_start("e2e4 e7e5"));
    reads("position\tstartpos\tmoves\te2e4\r\n", from_start("e2e4"));
    // Moves of other games, other notations, and none at all: the session knows.
    let others = "0000 (none) P@e4 a1 e2-e4 E2E4 e7e8Q a10b10 pass e2e4 ünfug";
    reads(&format!("position startpos moves {others}"), from_start(others));
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        "rf2k1r1/8/8/8/8/8/8/R3K2R b HFhf - 12 34",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6",
        "8/8/8/8/8/8/8/K1k5 w",
        "8/8/8/8/8/8/8/K1k5 w - - 0 12345",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1 +2+1",
        "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR[Pp] b KQkq - 0 4",
        "nonsense",
        BREAKTHROUGH,
    ] {
        reads(&format!("position fen {fen}"), from_fen(fen, ""));
        reads(&format!("position fen {fen} moves e2e3 d7d6"), from_fen(fen, "e2e3 d7d6"));
        reads(&format!("position  fen  {} moves a1", fen.replace(' ', "\t ")), from_fen(fen, "a1"));
    }
    let how = "position: write startpos or fen <fen>";
    warns("position", None, &[how]);
    warns("position moves e2e4", None, &["position: \"moves e2e4\" ignored", how]);
    warns("position fen", None, &["position: no FEN follows fen"]);
    warns("position fen moves e2e4", None, &["position: no FEN follows fen"]);
    warns("position joho startpos", Some(from_start("")), &["position: \"joho\" ignored"]);
    warns("position startpos e2e4", Some(from_start("")), &["position startpos: \"e2e4\" ignored"]);
    let twice = "position startpos moves e2e4 moves e7e5";
    warns(twice, Some(from_start("e2e4 e7e5")), &["position: \"moves\" ignored"]);
}

#[test]
fn searches() {
    reads("go", go(|_| {}));
    reads("go ", go(|_| {}));
    reads("go infinite", go(|go| go.infinite = true));
    reads("go ponder", go(|go| go.ponder = true));
    reads("go depth 12", go(|go| go.depth = Some(12)));
    reads("go depth 0", go(|go| go.depth = Some(0)));
    reads("go DEPTH 12", go(|go| go.depth = Some(12)));
    reads("go nodes +0100", go(|go| go.nodes = Some(100)));
    reads("go mate 3 movetime 500", {
        go(|go| {
            (go.mate, go.move_time) = (Some(3), ms(500));
        })
    });
    let clocks = |go: &mut Go| {
        (go.white_time, go.black_time) = (ms(300_000), ms(299_000));
        (go.white_increment, go.black_increment) = (ms(2000), ms(1000));
        go.moves_to_go = Some(40);
    };
    reads("go wtime 300000 btime 299000 winc 2000 binc 1000 movestogo 40", go(clocks));
    reads("go movestogo 40 binc 1000  winc\t2000 btime 299000 wtime 300000", go(clocks));
    reads("go ponder wtime 300000 btime 299000 winc 2000 binc 1000 movestogo 40", {
        go(|go| {
            clocks(go);
            go.ponder = true;
        })
    });
    reads("go infinite movetime 5", {
        go(|go| {
            (go.infinite, go.move_time) = (true, ms(5));
        })
    });
    reads("go searchmoves e2e4 d2d4 depth 3", {
        go(|go| {
            (go.search_moves, go.depth) = (words("e2e4 d2d4"), Some(3));
        })
    });
    reads("go searchmoves a1 P@e4 infinite searchmoves E7E8Q", {
        go(|go| {
            (go.search_moves, go.infinite) = (words("a1 P@e4 E7E8Q"), true);
        })
    });
}

#[test]
fn numbers_the_crate_has_no_room_for() {
    reads("go depth 256", go(|go| go.depth = Some(256)));
    reads("go depth 1000", go(|go| go.depth = Some(1000)));
    reads("go mate 999", go(|go| go.mate = Some(999)));
    reads("go movestogo 300", go(|go| go.moves_to_go = Some(300)));
    reads("go nodes 1234567890123", go(|go| go.nodes = Some(1_234_567_890_123)));
    reads("go movetime 1234567890123", go(|go| go.move_time = ms(1_234_567_890_123)));
    reads("go nodes 18446744073709551615", go(|go| go.nodes = Some(u64::MAX)));
    reads("go wtime 18446744073709551615", go(|go| go.white_time = ms(u64::MAX)));

    let most = "\"18446744073709551616\" is read as 18446744073709551615";
    let line = "go wtime 18446744073709551616 nodes 18446744073709551616";
    warns(
        line,
        Some(go(|go| {
            (go.white_time, go.nodes) = (ms(u64::MAX), Some(u64::MAX));
        })),
        &[&format!("go: wtime {most}"), &format!("go: nodes {most}")],
    );
    let depth = Some(go(|go| go.depth = Some(u32::MAX)));
    warns("go depth 4294967296", depth, &["go: depth \"4294967296\" is read as 4294967295"]);
    let perft = Some(Command::Perft(u32::MAX));
    warns("go perft 4294967296", perft, &["go: perft \"4294967296\" is read as 4294967295"]);
    let digits = "9".repeat(100_000);
    assert_eq!(parse(&format!("go depth {digits}")).command, Some(go(|go| go.depth = Some(u32::MAX))));
    assert_eq!(parse(&format!("go wtime -{digits}")).command, Some(go(|go| go.white_time = ms(0))));
}

#[test]
fn numbers_that_are_none() {
    reads("go wtime -0", go(|go| go.white_time = ms(0)));
    warns(
        "go wtime -125 btime 3000 winc -1",
        Some(go(|go| {
            (go.white_time, go.black_time, go.white_increment) = (ms(0), ms(3000), ms(0));
        })),
        &["go: wtime \"-125\" is read as 0", "go: winc \"-1\" is read as 0"],
    );
    let none = "go: movestogo 0 is read as sudden death";
    warns("go wtime 9 movestogo 0", Some(go(|go| go.white_time = ms(9))), &[none]);
    warns("go movestogo -1", Some(go(|_| {})), &["go: movestogo \"-1\" is read as 0", none]);
    let nodes = Some(go(|go| go.nodes = Some(7)));
    warns("go depth nodes 7", nodes.clone(), &["go: no number follows depth"]);
    warns("go nodes 7 depth", nodes.clone(), &["go: no number follows depth"]);
    warns("go depth x nodes 7", nodes.clone(), &["go: depth \"x\" ignored, expected an integer"]);
    warns("go depth - nodes 7", nodes.clone(), &["go: depth \"-\" ignored, expected an integer"]);
    warns("go depth 1.5 nodes 7", nodes.clone(), &["go: depth \"1.5\" ignored, expected an integer"]);
    warns("go depth ٣ nodes 7", nodes.clone(), &["go: depth \"٣\" ignored, expected an integer"]);
    warns("go nodes 5 nodes 7", nodes.clone(), &["go: duplicate nodes, the last one counts"]);
    warns("go nodes 7 joho 5 mate", nodes.clone(), &["go: \"joho 5\" ignored", "go: no number follows mate"]);
    warns("go searchmoves nodes 7", nodes, &["go: no move follows searchmoves"]);
    warns("go infinite infinite", Some(go(|go| go.infinite = true)), &["go: duplicate infinite"]);
    warns(
        "go wtime 1000 bogus 3 btime 999",
        Some(go(|go| {
            (go.white_time, go.black_time) = (ms(1000), ms(999));
        })),
        &["go: \"bogus 3\" ignored"],
    );
    // The crate needs no blank between a number and the next keyword, and panics at what it finds there.
    warns(
        "go wtime 1movestogo 300",
        Some(go(|_| {})),
        &["go: wtime \"1movestogo\" ignored, expected an integer", "go: \"300\" ignored"],
    );
    // A count of lines must not become a search without end.
    warns("go perft", None, &["go: no number follows perft"]);
    warns("go perft five", None, &["go: perft \"five\" ignored, expected an integer"]);
    warns("go depth 3 perft 4", Some(Command::Perft(4)), &["go: everything but perft ignored"]);
}

#[test]
fn long_lines() {
    let moves = "e2e4 e7e5 ".repeat(10_000);
    reads(&format!("position startpos moves {moves}"), from_start(&moves));
    reads(&format!("position fen {BREAKTHROUGH} moves x {moves}"), from_fen(BREAKTHROUGH, &format!("x {moves}")));
    reads(&format!("go searchmoves {moves}depth 300"), {
        go(|go| {
            (go.search_moves, go.depth) = (words(&moves), Some(300));
        })
    });
    let path = "ab  ü/".repeat(15_000);
    reads(&format!("setoption name Book value {path}"), set("Book", Some(&path)));

    let noise = "x".repeat(100_000);
    reads(&noise, Command::Unknown(format!("{}...", "x".repeat(LONGEST_QUOTE))));
    let shown = "x".repeat(LONGEST_QUOTE);
    let depth = go(|go| go.depth = Some(3));
    warns(&format!("{noise} go depth 3"), Some(depth), &[&format!("before the command: \"{shown}...\" ignored")]);
    // However much is wrong, the answer stays short.
    let parsed = parse(&format!("go {}nodes 7", "depth x y ".repeat(10_000)));
    assert_eq!(parsed.command, Some(go(|go| go.nodes = Some(7))));
    assert_eq!(parsed.warnings.len(), MOST_WARNINGS + 1);
}

/// Reads a line with our own reader, whatever the crate can do.
pub(super) fn leniently(line: &str) -> (Option<Command>, Vec<String>) {
    let mut warnings = Warnings::default();
    (lenient::parse(line, &mut warnings), warnings.0)
}

#[test]
fn both_readers_agree_on_ordinary_lines() {
    for line in [
        "uci",
        "debug on",
        "debug off",
        "isready",
        "ucinewgame",
        "stop",
        "ponderhit",
        "quit",
        "setoption name Hash value 32",
        "setoption name Clear Hash",
        "setoption name Nullmove value true",
        "setoption name NalimovPath value c:\\chess\\tb\\4;c:\\chess\\tb\\5",
        "setoption name Book File value C:\\My Books\\ü.bin",
        "position startpos",
        "position startpos moves e2e4 e7e5 g1f3 a7a8q",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "position fen 8/5k2/8/8/8/8/P7/4K3 b - - 12 34 moves f7e6 a2a4",
        "position fen pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1 moves a2a3",
        "go",
        "go infinite",
        "go ponder",
        "go depth 12",
        "go depth 255",
        "go nodes 1000000",
        "go mate 3",
        "go movetime 500",
        "go wtime 300000 btime 300000",
        "go wtime 300000 btime 299000 winc 2000 binc 1000 movestogo 40",
        "go movestogo 40 btime 1 wtime 2",
        "go searchmoves e2e4 d2d4",
        "go searchmoves e2e4 d2d4 depth 3",
        "go depth 3 nodes 100 movetime 5",
    ] {
        let command = strict::parse(line);
        assert!(command.is_some(), "{line:?} is left to our own reader");
        assert_eq!(leniently(line), (command, Vec::new()), "{line:?}");
    }
}
