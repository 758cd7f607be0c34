// SPDX-License-Identifier: GPL-3.0-or-later
//! UCI as a client sees it: what is answered to what.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use halfply_engine::game::{Game, Notation};
use halfply_engine::games::{Chess, GameName, RegisteredGame};
use halfply_engine::with_game;

use crate::support::stdout;
use crate::uci_client::{Client, best_of, last_value, steady};

/// White mates by a1a8.
const MATE_IN_ONE: &str = "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
const BREAKTHROUGH_WIN: &str = "position fen 8/2P5/8/8/8/8/5p2/8 w";

fn breakthrough() -> Client {
    Client::plain("breakthrough", "safe-advancement")
}

fn score(client: &mut Client, command: &str) -> (String, String) {
    let lines = client.search(command);
    let scored = lines.iter().rfind(|line| line.contains(" score ")).unwrap();
    let score: Vec<_> = scored.split(' ').skip_while(|&word| word != "score").skip(1).take(2).collect();
    (score.join(" "), best_of(&lines))
}

#[test]
fn the_engine_introduces_itself() {
    let mut client = Client::start();
    client.send("uci");
    let lines = client.until("uciok");
    insta::assert_snapshot!(lines.join("\n").replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

#[test]
fn a_search_is_told_iteration_by_iteration() {
    let mut client = Client::plain("chess", "material");
    client.send("position startpos moves e2e4 e7e5 g1f3");
    let chess = client.search("go depth 3");
    client.send("setoption name UCI_Variant value breakthrough");
    client.send("setoption name Evaluation value default");
    client.send("position startpos moves e2e3 d7d6");
    let breakthrough = client.search("go depth 4");
    insta::assert_snapshot!(format!("{}\n{}", steady(&chess), steady(&breakthrough)));
    for keyword in ["nps", "time"] {
        assert!(last_value(&chess, keyword).unwrap().parse::<u64>().is_ok());
    }
}

#[test]
fn the_board_and_its_value_are_shown() {
    let mut client = Client::plain("chess", "material");
    client.send("position startpos moves e2e4");
    client.send("d");
    client.send("eval");
    client.send("go perft 2");
    let mut shown = client.until("Nodes searched");
    // As the client sees it: the answers above come from the session, the count from its search.
    client.send("setoption name UCI_Variant value breakthrough");
    client.send("d");
    client.send("go perft 0");
    client.send("go perft 1");
    shown.extend(client.until("Nodes searched: 1"));
    shown.extend(client.until("Nodes searched: 22"));
    insta::assert_snapshot!(shown.join("\n"));
    client.send("go perft 4000000000");
    client.until("info string go perft: 4000000000 plies are too many");
}

#[test]
fn the_benchmark_is_that_of_the_command() {
    let mut client = Client::start();
    let counts = |lines: Vec<String>| {
        let counts = lines.iter().filter_map(|line| Some(line.split_once(" nodes ")?.0.to_owned()));
        counts.collect::<Vec<_>>()
    };
    for variant in ["chess", "breakthrough"] {
        client.send(&format!("setoption name UCI_Variant value {variant}"));
        client.send("bench");
        // It is answered at once, long before the benchmark has ended.
        client.send("isready");
        let lines = client.until("readyok");
        assert_eq!(lines, ["readyok"]);
        let expected: Vec<_> = stdout(&["bench", "--game", variant]).lines().map(str::to_owned).collect();
        let last = expected.len() - 1;
        let mut lines = client.until(&format!("{variant}, full: "));
        lines.extend(client.until(expected[last].split(' ').next().unwrap()));
        assert_eq!(counts(lines), counts(expected));
    }
}

/// A search that is stopped between iterations may play a move that the last of them did not: it has said so by then.
#[test]
fn the_move_is_the_first_of_the_line_told_last() {
    let mut client = Client::start();
    for fen in [
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        client.send(&format!("position fen {fen}"));
        for nodes in (500..20_000).step_by(700) {
            let lines = client.search(&format!("go nodes {nodes}"));
            let line = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
            let first = line.split(" pv ").nth(1).and_then(|line| line.split(' ').next());
            assert_eq!(first, Some(best_of(&lines).as_str()), "{lines:#?}");
        }
    }
}

/// The same for every game, however many lines are reported: a later line or an iteration that was stopped never changes
/// the move behind the client's back.
#[test]
fn the_move_is_the_first_of_the_best_line_for_any_number_of_lines() {
    let mut client = Client::start();
    for game in GameName::all() {
        let variant = with_game!(*game, G => <G as RegisteredGame>::UCI_VARIANT);
        client.send(&format!("setoption name UCI_Variant value {variant}"));
        client.send("position startpos");
        for lines in [2, 3, 4, 8] {
            client.send(&format!("setoption name MultiPV value {lines}"));
            for nodes in (40..9_000).step_by(163) {
                let best = plays_its_best_line(&mut client, &format!("go nodes {nodes}"));
                assert!(!best.contains("bound "), "{best}");
            }
        }
    }
}

/// Searches; the move is the first of the last line that was reported as the best, which is returned.
fn plays_its_best_line(client: &mut Client, go: &str) -> String {
    let told = client.search(go);
    let best = told.iter().rfind(|line| line.contains(" multipv 1 ")).unwrap();
    let first = best.split(" pv ").nth(1).and_then(|line| line.split(' ').next());
    assert_eq!(first, Some(best_of(&told).as_str()), "{go}: {told:#?}");
    best.clone()
}

#[test]
fn the_move_is_the_first_of_the_last_line_in_the_plain_search_and_below_full_strength() {
    for options in [
        &["setoption name Profile value plain"][..],
        &["setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 2000"],
    ] {
        let mut client = Client::start();
        for option in options {
            client.send(option);
        }
        for game in GameName::all() {
            let variant = with_game!(*game, G => <G as RegisteredGame>::UCI_VARIANT);
            client.send(&format!("setoption name UCI_Variant value {variant}"));
            client.send("position startpos");
            for nodes in (1..300).step_by(7).chain((300..9_000).step_by(163)) {
                let best = plays_its_best_line(&mut client, &format!("go nodes {nodes}"));
                assert!(!best.contains(" nodes 0 "), "{best}");
            }
        }
    }
}

#[test]
fn a_win_is_a_mate_and_a_finished_game_has_no_move() {
    let mut client = breakthrough();
    client.send(BREAKTHROUGH_WIN);
    for command in ["go depth 1", "go nodes 1", "go movetime 1", "go wtime 0 btime 0", "go mate 1"] {
        let (score, best) = score(&mut client, command);
        assert_eq!(score, "mate 1", "{command}");
        assert!(best.starts_with("c7"), "{command}: {best}");
    }
    // Black is to move and cannot stop it.
    client.send("position fen 8/8/2P5/8/7p/8/8/8 b");
    assert_eq!(score(&mut client, "go depth 6").0, "mate -2");
    for (position, variant, told) in [
        ("fen 2P5/8/8/8/8/8/5p2/8 b", "breakthrough", "mate 0"),
        ("fen 8/2P5/8/8/8/8/5p2/8 w moves c7c8", "breakthrough", "mate 0"),
        ("startpos moves f2f3 e7e5 g2g4 d8h4", "chess", "mate 0"),
        ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "chess", "cp 0"),
    ] {
        client.send(&format!("setoption name UCI_Variant value {variant}"));
        client.send(&format!("position {position}"));
        for command in ["go depth 5", "go wtime 1000 btime 1000 winc 0", "go movetime 5", "go searchmoves e2e4 depth 1"]
        {
            let expected = (told.to_owned(), "(none)".to_owned());
            assert_eq!(score(&mut client, command), expected, "{position}: {command}");
        }
    }
    client.send("setoption name Evaluation value default");
    client.send(MATE_IN_ONE);
    assert_eq!(score(&mut client, "go depth 3"), ("mate 1".to_owned(), "a1a8".to_owned()));
    // Drawn by rule, but nobody has claimed it: whoever asks for a move gets one.
    for position in [
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
        "fen 4k3/8/8/8/8/8/4R3/4K3 b - - 120 90",
        "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        client.send(&format!("position {position}"));
        assert_ne!(client.best("go depth 2"), "(none)", "{position}");
    }
}

#[test]
fn a_search_without_end_waits_for_stop() {
    let mut client = Client::plain("chess", "material");
    for (position, command) in [
        (MATE_IN_ONE, "go infinite depth 1"),
        (MATE_IN_ONE, "go ponder depth 1"),
        (MATE_IN_ONE, "go ponder mate 1 wtime 1 btime 1"),
        ("position startpos moves f2f3 e7e5 g2g4 d8h4", "go infinite"),
        ("position startpos", "go"),
        ("position startpos", "go searchmoves e2e4 e7e5"),
        ("position startpos", "go ponder wtime 1 btime 1"),
        ("position startpos", "go ponder movetime 1"),
        ("position startpos", "go infinite wtime 1 btime 1 movetime 1"),
    ] {
        client.send(position);
        client.send(command);
        client.says_no_move();
        // It is heard while the search continues, and so is this.
        client.ready();
        let best = client.best_after("stop");
        assert_eq!(best == "(none)", position.ends_with("d8h4"), "{command}: {best}");
    }
}

#[test]
fn pondering_ends_with_the_clock_that_runs_from_ponderhit() {
    let mut client = Client::start();
    client.send("setoption name Ponder value true");
    for (position, command) in [
        ("position startpos moves e2e4", "go ponder wtime 3000 btime 600 winc 10 binc 10"),
        ("position startpos moves e2e4", "go ponder movetime 100"),
        (MATE_IN_ONE, "go ponder depth 1"),
        (MATE_IN_ONE, "go ponder wtime 3000 btime 600"),
    ] {
        client.send(position);
        client.send(command);
        client.says_no_move();
        client.send("ponderhit");
        // The client may have forgotten what it was told before.
        let lines = client.until("bestmove ");
        assert!(lines[lines.len() - 2].contains(" score "), "{command}: {lines:?}");
    }
    // A `ponderhit` or `stop` that nobody waits for is nothing.
    client.send("ponderhit");
    client.send("stop");
    assert_eq!(client.ready(), [""; 0]);
    // `go ponder` is endless where it has no other limit.
    client.send("go ponder");
    client.send("ponderhit");
    client.says_no_move();
    client.best_after("stop");
}

#[test]
fn the_expected_answer_is_named_if_the_client_ponders() {
    let mut client = Client::plain("chess", "material");
    client.send("position startpos");
    let lines = client.search("go depth 3");
    assert!(!lines.last().unwrap().contains("ponder"));
    client.send("setoption name Ponder value true");
    let lines = client.search("go depth 3");
    let line: Vec<_> = lines[lines.len() - 2].split(" pv ").nth(1).unwrap().split(' ').take(2).collect();
    assert_eq!(lines.last().unwrap(), &format!("bestmove {} ponder {}", line[0], line[1]));
    // A line of one move expects nothing.
    client.send(MATE_IN_ONE);
    assert_eq!(client.search("go depth 2").last().unwrap(), "bestmove a1a8");
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    for profile in ["plain", "full"] {
        let mut client = Client::start();
        client.send(&format!("setoption name Profile value {profile}"));
        client.send(MATE_IN_ONE);
        assert_eq!(client.best("go depth 3 searchmoves g1h1"), "g1h1");
        assert!(["g1h1", "a1a2"].contains(&client.best("go searchmoves a1a2 g1h1 depth 3").as_str()));
        let lines = client.search("go searchmoves g1h1 e2e4 a1a9 depth 2");
        assert_eq!(best_of(&lines), "g1h1");
        assert!(lines.concat().contains("searchmoves: e2e4 is not legal"), "{lines:?}");
        let lines = client.search("go searchmoves e2e4 depth 2");
        assert!(lines.concat().contains("none of them is legal, so all moves are searched"));
        assert_eq!(best_of(&lines), "a1a8");
    }
}

#[test]
fn several_lines_are_shown_on_demand() {
    let mut client = Client::start();
    client.send("setoption name MultiPV value 3");
    for (position, expected) in [("position startpos", 3), ("position fen k7/8/1K6/8/8/8/8/7R b - - 0 1", 1)] {
        client.send(position);
        let lines = client.search("go depth 4");
        let firsts: Vec<_> = (1..=4)
            .filter_map(|rank| {
                lines.iter().rfind(|line| line.contains(" depth 4 ") && line.contains(&format!(" multipv {rank} ")))
            })
            .map(|line| line.split(" pv ").nth(1).unwrap().split(' ').next().unwrap())
            .collect();
        assert_eq!(firsts.len(), expected, "{}", lines.join("\n"));
        assert_eq!(firsts[0], best_of(&lines));
        assert!(firsts.iter().skip(1).all(|mv| *mv != firsts[0]));
    }
}

#[test]
fn limits_are_kept() {
    let mut client = Client::plain("chess", "material");
    client.send("position startpos");
    let lines = client.search("go nodes 2000");
    assert!(last_value(&lines, "nodes").unwrap().parse::<u64>().unwrap() <= 2000);
    assert_eq!(last_value(&client.search("go depth 2"), "depth").unwrap(), "2");
    assert_eq!(last_value(&client.search("go depth 0"), "depth").unwrap(), "1");
    let timed = |client: &mut Client, command: &str| {
        let start = Instant::now();
        client.best(command);
        start.elapsed()
    };
    let time = timed(&mut client, "go movetime 300");
    assert!((Duration::from_millis(250)..Duration::from_secs(3)).contains(&time), "{time:?}");
    for command in ["go wtime 500 btime 1", "go wtime 500 winc 5 movestogo 1", "go movetime 60000 wtime 300 btime 1"] {
        let time = timed(&mut client, command);
        assert!(time < Duration::from_secs(2), "{command}: {time:?}");
    }
    // The only move needs no thinking, nor does a game that is decided.
    client.send("position fen k7/8/1K6/8/8/8/8/7R b - - 0 1");
    assert!(timed(&mut client, "go wtime 600000 btime 600000") < Duration::from_secs(5));
    client.send(MATE_IN_ONE);
    assert!(timed(&mut client, "go wtime 600000 btime 600000") < Duration::from_secs(5));
    assert!(timed(&mut client, "go mate 1") < Duration::from_secs(5));
}

#[test]
fn the_current_move_is_shown_when_the_search_takes_long() {
    let mut client = Client::plain("chess", "material");
    let lines = client.search("go movetime 2500");
    let shown = lines.iter().find(|line| line.contains("currmove"));
    // At any depth some root move begins after the first second, unless the machine stands still.
    if let Some(shown) = shown {
        let words: Vec<_> = shown.split(' ').collect();
        assert_eq!((words[0], words[1], words[3], words[5]), ("info", "depth", "currmove", "currmovenumber"));
    }
}

#[test]
fn castling_is_written_as_the_client_reads_it() {
    let mut client = Client::plain("chess", "material");
    // Castling is the only move that is allowed.
    let castles = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (chess960, written) in [("false", "e1g1"), ("true", "e1h1"), ("false", "e1g1")] {
        client.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        client.send(castles);
        for read in ["e1g1", "e1h1"] {
            assert_eq!(client.best(&format!("go depth 2 searchmoves {read}")), written, "{chess960} {read}");
        }
        for read in ["e1g1", "e1h1"] {
            client.send(&format!("{castles} moves {read}"));
            client.send("d");
            assert!(client.until("Fen: ").last().unwrap().starts_with("Fen: 4k3/8/8/8/8/8/8/5RK1 b"));
        }
        // The start is a position of Chess960 as well.
        client.send("position startpos moves e2e4 e7e5 g1f3 g8f6 f1e2 f8e7");
        assert_eq!(client.best(&format!("go depth 1 searchmoves {written}")), written);
    }
    // What only Chess960 can be is written in its way whatever the client says.
    client.send("position fen 1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 w GBgb - 0 1");
    assert_eq!(client.best("go depth 1 searchmoves e1b1"), "e1b1");
    assert_eq!(client.best("go depth 1 searchmoves e1c1"), "e1b1");
}

#[test]
fn whole_games_are_played_within_the_clock() {
    for variant in ["breakthrough", "chess"] {
        let mut client = Client::start();
        client.send(&format!("setoption name UCI_Variant value {variant}"));
        client.send("ucinewgame");
        client.ready();
        let mut moves = String::from("position startpos moves");
        let mut clocks = [Duration::from_millis(1500); 2];
        let increment = Duration::from_millis(10);
        for ply in 0..40 {
            let [white, black] = clocks.map(|clock| clock.as_millis());
            client.send(&moves);
            let start = Instant::now();
            let best = client.best(&format!("go wtime {white} btime {black} winc 10 binc 10"));
            let left = clocks[ply % 2].checked_sub(start.elapsed());
            clocks[ply % 2] = left.unwrap_or_else(|| panic!("{variant}, ply {ply}: out of time")) + increment;
            if best == "(none)" {
                break;
            }
            moves = format!("{moves} {best}");
        }
        client.send(&moves);
        assert_eq!(client.ready(), [""; 0], "all moves were legal");
    }
}

#[test]
fn a_position_of_either_game_is_kept_over_a_search() {
    let mut client = breakthrough();
    let fen = "8/7p/8/8/8/8/P7/8 w - - 0 1";
    client.send(&format!("position fen {fen}"));
    client.best("go depth 3");
    client.send("d");
    assert!(client.until("Fen: ").last().unwrap().ends_with(fen));
    // The same variant again changes nothing, another one begins at its start.
    client.send("setoption name UCI_Variant value Breakthrough");
    client.send("d");
    assert!(client.until("Fen: ").last().unwrap().ends_with(fen));
    client.send("setoption name UCI_Variant value chess");
    client.send("d");
    assert!(client.until("Fen: ").last().unwrap().ends_with(&Chess::format_position(&Chess::start())));
}

/// Each depth's lines, the last word on each rank: the rank, the score as a number, and the move.
fn lines_by_depth(lines: &[String]) -> BTreeMap<u32, BTreeMap<u32, (i32, String)>> {
    let mut depths: BTreeMap<u32, BTreeMap<u32, (i32, String)>> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.starts_with("info depth ") && line.contains(" pv ")) {
        assert!(!line.contains("bound"), "{line}: bounds of several lines cannot be in order");
        let word = |keyword| line.split(' ').skip_while(move |&word| word != keyword).nth(1).unwrap();
        let number = |keyword| word(keyword).parse::<i32>().unwrap();
        // Mates, the quickest first, are above everything; the other way round below it.
        let score = match word("score") {
            "mate" if number("mate") > 0 => 100_000 - number("mate"),
            "mate" => -100_000 - number("mate"),
            _ => number("cp"),
        };
        let ranks = depths.entry(number("depth") as u32).or_default();
        ranks.insert(number("multipv") as u32, (score, word("pv").to_owned()));
    }
    depths
}

#[test]
fn several_lines_are_in_the_order_of_their_scores() {
    let mut client = Client::start();
    client.send("setoption name MultiPV value 5");
    let mut seen = 0;
    // One session: what the table remembers of earlier searches is what upsets the order.
    for position in [
        "startpos",
        "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
        "fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
        "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ] {
        client.send(&format!("position {position}"));
        for nodes in [20_000, 60_000, 200_000] {
            let lines = client.search(&format!("go nodes {nodes}"));
            for (depth, ranks) in lines_by_depth(&lines) {
                let said = format!("{position}, depth {depth}: {ranks:?}");
                assert!(ranks.keys().copied().eq(1..=ranks.len() as u32), "{said}");
                let (scores, moves): (Vec<i32>, HashSet<&String>) =
                    ranks.values().map(|(score, mv)| (score, mv)).unzip();
                assert!(scores.is_sorted_by(|better, worse| better >= worse), "{said}");
                assert_eq!(moves.len(), ranks.len(), "{said}");
                seen += usize::from(ranks.len() == 5);
            }
            // What is played is the best line told last.
            let last = lines.iter().rfind(|line| line.contains(" multipv 1 ")).unwrap();
            assert!(last.contains(&format!(" pv {}", best_of(&lines))), "{last}");
        }
    }
    assert!(seen > 100, "only {seen} depths had all their lines");
}
