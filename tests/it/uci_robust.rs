// SPDX-License-Identifier: GPL-3.0-or-later
//! UCI as it should not be: whatever a client sends, the engine continues and loses no game.

use std::time::{Duration, Instant};

use halfply_engine::base::mix::derive;

use crate::uci_client::Client;

/// The engine still answers, and still finds a legal move.
fn is_alive(client: &mut Client) {
    // Ends a search that may be under way. Its move comes before this, which is said nowhere else: `readyok` may be
    // the answer to an earlier line.
    client.send("ucinewgame\nthat was all");
    client.until("info string unknown command: that was all");
    client.send("setoption name UCI_Variant value chess");
    client.send("position startpos");
    let best = client.best("go depth 1");
    assert_eq!(best.len(), 4, "{best}");
}

#[test]
fn positions_that_are_none_leave_the_one_before() {
    let mut client = Client::start();
    let good = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    client.send("position startpos moves e2e4 e7e5");
    for (wrong, reason) in [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "the position before it is kept"),
        ("position fen kk6/8/8/8/8/8/8/K7 w - - 0 1", "the position before it is kept"),
        ("position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "the position before it is kept"),
        ("position fen pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1", "the position before it is kept"),
        ("position fen x", "the position before it is kept"),
        ("position fen", "no FEN follows"),
        ("position fen moves e2e4", "no FEN follows"),
        ("position", "write startpos or fen"),
        ("position nowhere", "write startpos or fen"),
    ] {
        client.send(wrong);
        let told = client.ready().join("\n");
        assert!(told.contains(reason), "{wrong}: {told}");
        client.send("d");
        assert!(client.until("Fen: ").last().unwrap().ends_with(good), "{wrong}");
    }
    for (moves, illegal) in [
        ("e2e4 e7e5 e2e4 g8f6", "move 3: e2e4 is not legal"),
        ("e2e4 e7e5 ke2", "move 3: "),
        ("e2e4 e7e5 0000", "move 3: "),
        ("e2e4 e7e5 \u{1f600}", "move 3: "),
        ("e2e4 e7e5 e4e5q g1f3", "move 3: "),
    ] {
        client.send(&format!("position startpos moves {moves}"));
        let told = client.ready().join("\n");
        assert!(told.contains(illegal), "{moves}: {told}");
        client.send("d");
        assert!(client.until("Fen: ").last().unwrap().ends_with(good), "{moves}");
        // White is to move in the position that was kept.
        assert!(client.best("go depth 1").as_bytes()[1] <= b'4', "{moves}");
    }
}

#[test]
fn clocks_that_make_no_sense_lose_no_game() {
    let mut client = Client::start();
    client.send("position startpos");
    let most = u64::MAX;
    for clock in [
        "wtime -5000 btime -1",
        "wtime 0 btime 0",
        "wtime 1 btime 1 winc 0 binc 0 movestogo 1",
        "wtime 5 winc 1000000",
        &format!("wtime 3 btime {most} winc {most} binc {most} movestogo 4294967295"),
        "wtime 10 btime 10 movestogo 0",
        "wtime 12 btime 10 movestogo -7",
        "wtime x btime y depth 1",
        "movetime -1",
        "movetime 0",
        "nodes 0",
        "depth 0",
        "depth -3",
        "mate 0 nodes 100",
        "mate 4294967295 nodes 100",
        "depth 99999999999999999999 nodes 100",
        "depth 256 nodes 100",
        "movestogo 300 nodes 100",
        "wtime 1000 movetime 99999999 depth 2 nodes 50",
    ] {
        let start = Instant::now();
        let lines = client.search(&format!("go {clock}"));
        assert!(start.elapsed() < Duration::from_secs(3), "{clock}: {:?}", start.elapsed());
        assert_eq!(lines.last().unwrap().len(), "bestmove e2e4".len(), "{clock}");
    }
    // No clock for the side to move: a modest time, and it is said.
    for clock in ["btime 300000", "winc 100", "btime 1 binc 1"] {
        let start = Instant::now();
        let lines = client.search(&format!("go {clock}"));
        assert!(lines[0].contains("no time for white"), "{clock}: {}", lines[0]);
        assert!(start.elapsed() < Duration::from_secs(5), "{clock}");
    }
}

/// Lines that the crate behind the parser is known to read wrongly, by what they do.
#[test]
fn lines_that_are_easily_misread_are_read_well() {
    let mut client = Client::plain("chess", "material");
    client.send("position startpos moves  e2e4   e7e5");
    client.send("d");
    assert!(client.until("Fen: ").last().unwrap().contains("4p3/4P3"));
    // The clock of the side to move stands behind a word that nobody knows.
    client.send("position startpos moves e2e4");
    let start = Instant::now();
    let lines = client.search("go wtime 1000000 bogus 3 btime 60");
    assert!(start.elapsed() < Duration::from_secs(2) && lines.concat().contains("bogus"), "{lines:?}");
    // The ponder flag before the clocks: no move before ponderhit.
    client.send("go ponder wtime 50 btime 50");
    client.says_no_move();
    client.best_after("ponderhit");
    client.send("setoption name Piece Values value 3");
    assert_eq!(client.ready(), ["info string setoption: there is no option Piece Values"]);
    client.send("setoption name move overhead value 20");
    client.send("SetOption Name MOVE OVERHEAD Value 20");
    assert_eq!(client.ready(), [""; 0]);
    client.send("position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    assert_eq!(client.ready(), [""; 0]);
}

#[test]
fn long_lines_are_read_or_left_out() {
    let mut client = Client::start();
    for size in [100_000, 1_000_000, 3_000_000] {
        for begin in
            ["", "position startpos moves ", "go depth ", "setoption name ", "position fen ", "go searchmoves "]
        {
            client.send(&format!("{begin}{}", "x".repeat(size)));
            client.send("stop");
            client.ready();
        }
    }
    // A long game is a game.
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(5000);
    client.send(&format!("position startpos moves {moves}"));
    assert_eq!(client.ready(), [""; 0]);
    client.best("go depth 2");
    is_alive(&mut client);
}

#[test]
fn every_option_survives_every_value() {
    let mut client = Client::for_tuners();
    client.send("uci");
    let options: Vec<String> = client
        .until("uciok")
        .iter()
        .filter_map(|line| line.strip_prefix("option name ")?.split(" type ").next().map(str::to_owned))
        .collect();
    assert!(options.len() > 50);
    for option in &options {
        client.send(&format!("setoption name {option}"));
        for junk in ["", "junk", "-1", "99999999999999999999", "1e9", "true false", "<empty>", "\u{fffd}", "/dev/null"]
        {
            client.send(&format!("setoption name {option} value {junk}"));
        }
        client.send(&format!("setoption name {option} value {}", "9".repeat(5000)));
    }
    client.send("setoption name UCI_Variant value chess");
    client.send("go nodes 1000");
    client.until("bestmove ");
    // Now files that are none are named for table, evaluation, book and endings: the search continues without them.
    client.send("setoption name OwnBook value true");
    assert_eq!(client.ready().len(), 4);
    is_alive(&mut client);
}

#[test]
fn a_search_is_not_disturbed_by_what_does_not_belong_there() {
    let mut client = Client::plain("chess", "material");
    client.send("position startpos");
    for command in [
        "go perft 1",
        "bench",
        "ucinewgame",
        "setoption name UCI_Variant value breakthrough",
        "setoption name UCI_Variant value chess",
        "setoption name Clear Hash",
    ] {
        // Each of them needs the player: the search under way ends with its move.
        client.send("go infinite");
        client.send(command);
        client.until("bestmove ");
        client.ready();
    }
}

#[test]
fn what_is_set_during_a_search_is_for_the_next_one() {
    let mut client = Client::plain("chess", "material");
    client.send("position startpos");
    client.send("go infinite");
    client.send("setoption name Hash value 8");
    client.send("setoption name Profile value plain");
    client.send("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    client.send("uci");
    client.send("eval");
    client.send("d");
    client.send("register later");
    client.send("debug on");
    client.until("Key: ");
    client.says_no_move();
    let first = client.best_after("stop");
    assert_ne!(first, "a1a8", "a move of the position that was searched");
    assert_eq!(client.best("go depth 2"), "a1a8");
    // Two at once: both are answered, one after the other.
    client.send("go infinite\ngo infinite\nstop");
    client.until("bestmove ");
    client.until("bestmove ");
}

#[test]
fn counting_lines_can_be_stopped() {
    let mut client = Client::start();
    client.send("go perft 20");
    client.ready();
    client.send("stop");
    client.until("info string perft was stopped");
    client.send("bench");
    client.ready();
    let start = Instant::now();
    client.send("stop");
    client.until("info string the benchmark was stopped");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    // It is as ready as ever.
    client.send("position startpos");
    client.best("go depth 2");
}

/// Scripts write everything into a pipe and read the answers: each is complete, and in order.
#[test]
fn what_is_counted_is_counted_to_its_end() {
    for end in ["quit\n", ""] {
        let mut client = Client::start();
        client.send("go perft 5\nposition startpos moves e2e4\ngo perft 3\nd\ngo depth 1\nbench");
        client.send_bytes(end.as_bytes());
        let (lines, status) = client.end_input();
        assert!(status.success());
        let place =
            |text: &str| lines.iter().position(|line| line.starts_with(text)).unwrap_or_else(|| panic!("{text}"));
        let places = [
            place("Nodes searched: 4865609"),
            place("Nodes searched: 13160"),
            place("Fen: "),
            place("bestmove "),
            place("chess, plain: "),
            place("chess, full: "),
        ];
        assert!(places.is_sorted(), "{places:?}");
    }
}

#[test]
fn what_comes_before_the_end_is_answered() {
    for end in ["quit\n", ""] {
        let mut client = Client::start();
        client.send(&format!("setoption name Hash value 256\nisready\nucinewgame\nisready\ngo depth 1\n{end}"));
        let (lines, status) = client.end_input();
        assert!(status.success());
        assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 2, "{lines:?}");
        assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    }
}

#[test]
fn a_hash_of_any_size_is_had_at_once_and_its_size_is_told() {
    let mut client = Client::start();
    client.send("setoption name Hash value 65536");
    let start = Instant::now();
    let told = client.ready().concat();
    let told_size = |told: &str| told.strip_prefix("info string Hash: ")?.split(' ').next()?.parse::<u32>().ok();
    // Where there are 64 GiB there is nothing to be told.
    assert!(told.is_empty() || told_size(&told).is_some_and(|size| size < 65_536), "{told}");
    client.best("go nodes 20000");
    for command in ["ucinewgame", "setoption name Clear Hash"] {
        client.send(command);
        client.ready();
    }
    client.best("go nodes 20000");
    assert!(client.quit().1.success());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[cfg(unix)]
#[test]
fn little_memory_is_no_reason_to_lose_a_game() {
    // So little that neither the table nor the threads can be had.
    for kibibytes in [175_000, 250_000, 400_000, 550_000, 700_000, 950_000] {
        let mut client = Client::with_memory(kibibytes);
        client.send("setoption name Hash value 1024");
        let told = client.ready().concat();
        assert!(
            told.contains("info string Hash: ") && told.ends_with("not enough memory for 1024"),
            "{kibibytes}: {told}"
        );
        client.send("setoption name Threads value 256");
        client.ready();
        client.send("position startpos");
        for _ in 0..3 {
            assert_eq!(client.best("go movetime 200").len(), 4, "{kibibytes}");
        }
        assert!(client.quit().1.success());
    }
    for kibibytes in (175_000..1_000_000).step_by(75_000) {
        let mut client = Client::with_memory(kibibytes);
        client.send("setoption name Threads value 256");
        client.ready();
        assert_eq!(client.best("go movetime 200").len(), 4, "{kibibytes}");
        assert!(client.quit().1.success());
    }
}

#[test]
fn the_engine_ends_when_it_is_told_to_or_nobody_is_there() {
    for command in ["", "go infinite", "go ponder wtime 1 btime 1", "go wtime 3600000 btime 3600000"] {
        let begin = || {
            let mut client = Client::start();
            client.send("position startpos");
            client.send(command);
            client.ready();
            client
        };
        let start = Instant::now();
        let (lines, status) = begin().quit();
        assert!(status.success(), "{command}: quit");
        assert_eq!(lines.iter().any(|line| line.starts_with("bestmove ")), !command.is_empty(), "{command}: {lines:?}");
        assert!(begin().end_input().1.success(), "{command}: end of input");
        assert!(start.elapsed() < Duration::from_secs(20), "{command}: {:?}", start.elapsed());
    }
}

#[test]
fn a_client_that_reads_no_more_ends_the_engine() {
    let mut client = Client::start();
    client.send("go infinite");
    assert!(client.close_output().success());
}

/// Words of the protocol, numbers and noise in any order, from fixed seeds.
#[test]
fn noise_is_survived() {
    let plain = "uci isready setoption name value position startpos fen moves go stop ponderhit ucinewgame debug on \
        register d eval infinite ponder depth nodes mate movetime wtime btime winc binc movestogo searchmoves \
        MultiPV Ponder UCI_Variant breakthrough chess UCI_Chess960 true e2e4 e7e5 e2e3 a1a8 0000 1 3 -1 0 2 300 \
        info bestmove 8/2P5/8/8/8/8/5p2/8 w b -";
    let words: Vec<&str> = plain.split(' ').chain(["\u{e9}", "\u{0}", "  ", "\t"]).collect();
    let mut client = Client::start();
    for seed in 0..40 {
        let mut lines = Vec::new();
        for line in 0..25_u64 {
            let random = |index: u64| derive(derive(seed, line), index);
            if random(0) % 8 == 0 {
                lines.extend((0..random(1) % 200).map(|index| random(2 + index) as u8));
            } else {
                let some = (0..1 + random(1) % 9).map(|index| words[(random(2 + index) % words.len() as u64) as usize]);
                lines.extend(some.collect::<Vec<_>>().join(" ").into_bytes());
            }
            lines.push(b'\n');
        }
        // `quit` in the noise would be obeyed; there is none among the words.
        client.send_bytes(&lines);
        client.send("stop");
        client.ready();
    }
    client.send("stop");
    is_alive(&mut client);
    assert!(client.quit().1.success());
}
