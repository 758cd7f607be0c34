// SPDX-License-Identifier: GPL-3.0-or-later
//! UCI's options as a client sets them: tables, books, parameters, strength.

use std::fs;

use halfply_engine::game::Game;
use halfply_engine::games::{Breakthrough, Chess};
use sha2::{Digest, Sha256};

use crate::support::{halfply, refusal};
use crate::uci_client::{Client, best_of, last_value};

#[test]
fn extension_tables_are_read_confirmed_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my table.toml");
    let text = |game: &str, feature: &str| {
        format!("format = 1\ngame = \"{game}\"\n[[extension]]\nfeature = \"{feature}\"\nply = 0.5\n")
    };
    let set = format!("setoption name Extensions value {}", path.display());
    fs::write(&path, text("breakthrough", "Ud")).unwrap();
    let mut client = Client::plain("breakthrough", "safe-advancement");
    client.send("position startpos");
    let nodes = |lines: &[String]| last_value(lines, "nodes").unwrap();
    let without = nodes(&client.search("go depth 5"));
    client.send(&set);
    let hash: String = Sha256::digest(fs::read(&path).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect();
    let told = format!("info string extensions {} sha256 {hash} rows 1: Ud@0.5", path.display());
    assert_eq!(client.ready(), [told]);
    let with = nodes(&client.search("go depth 5"));
    assert_ne!(with, without, "the table changes nothing");
    // A file that has changed is read at the next isready; one that is wrong is told, and told again.
    fs::write(&path, text("breakthrough", "Ud-Xyz")).unwrap();
    assert_eq!(nodes(&client.search("go depth 5")), with);
    let wrong = "my table.toml:4: there is no atom \"Xyz\"";
    client.send("go infinite");
    assert!(!client.ready().concat().contains(wrong), "read during a search");
    client.best_after("stop");
    assert!(client.ready().concat().contains(wrong));
    let lines = client.search("go depth 5");
    assert!(lines[0].contains(wrong), "{}", lines[0]);
    assert_eq!(nodes(&lines), without, "a table that is wrong is no table");
    // None at all, in both ways of saying so.
    for none in ["setoption name Extensions value <empty>", "setoption name Extensions value"] {
        client.send(none);
        assert_eq!(client.ready(), [""; 0]);
        client.send(&set);
    }
    // Without isready it is read at go.
    fs::write(&path, text("chess", "AcK")).unwrap();
    client.send("setoption name UCI_Variant value chess");
    client.send("position startpos");
    let lines = client.search("go depth 2");
    assert!(lines[0].ends_with("rows 1: AcK@0.5"), "{}", lines[0]);
    client.send("setoption name UCI_Variant value breakthrough");
    assert!(client.ready().concat().contains("this table is for \"chess\""));
    for path in ["/nowhere/x.toml", "/dev/zero", "/"] {
        client.send(&format!("setoption name Extensions value {path}"));
        assert!(client.ready().concat().contains(path));
        client.best("go depth 1");
    }
}

#[test]
fn moves_come_from_the_book_if_the_client_wants_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.bin");
    // a2a4 in either game's start: rank and file in octal.
    let entry = |key: u64, from: u16, to: u16| {
        let mut entry = key.to_be_bytes().to_vec();
        entry.extend((from << 6 | to).to_be_bytes());
        entry.extend([0, 1, 0, 0, 0, 0]);
        entry
    };
    let mut entries =
        [entry(Chess::key(&Chess::start()), 0o10, 0o30), entry(Breakthrough::key(&Breakthrough::start()), 0o10, 0o20)];
    entries.sort();
    fs::write(&path, entries.concat()).unwrap();
    let mut client = Client::start();
    client.send(&format!("setoption name Book value {}", path.display()));
    assert_eq!(client.ready(), [""; 0], "a book that is not used is not read");
    client.send("setoption name OwnBook value true");
    assert!(client.ready().concat().ends_with("book.bin: 2 entries"));
    assert_eq!(client.best("go wtime 1000 btime 1000"), "a2a4");
    // Analysis asks for our opinion, not for the book's.
    let lines = client.search("go depth 1 searchmoves b2b3");
    assert_eq!(best_of(&lines), "b2b3");
    client.send("position startpos moves e2e4");
    assert!(!client.search("go depth 1").concat().contains("book"));
    client.send("position startpos");
    client.send("setoption name UCI_AnalyseMode value true");
    assert!(!client.search("go depth 1").concat().contains("book"));
    client.send("setoption name UCI_AnalyseMode value false");
    assert!(client.search("go depth 1").concat().contains("book"));
    client.send("setoption name UCI_Variant value breakthrough");
    assert_eq!(client.best("go wtime 1000 btime 1000"), "a2a3");
    // Without a file it is the one that is part of the program.
    client.send("setoption name Book value <empty>");
    assert!(client.search("go wtime 1000 btime 1000").concat().contains("the move is from the book"));
    client.send("setoption name Book value /nowhere.bin");
    assert!(client.ready().concat().contains("/nowhere.bin: cannot be read"));
    assert!(client.search("go depth 1")[0].contains("/nowhere.bin"));
}

#[test]
fn parameters_are_listed_for_tuners_and_settable_for_everybody() {
    let listed = |arguments: &[&str]| {
        let output = halfply().args(arguments).write_stdin("uci\n").assert().success().get_output().stdout.clone();
        String::from_utf8(output).unwrap().lines().filter(|line| line.starts_with("option ")).count()
    };
    let (usual, tuning) = (listed(&[]), listed(&["--tuning"]));
    assert!(usual < 25 && tuning > usual + 40, "{usual} {tuning}");
    assert!(refusal(&["--tuning", "bench"]).contains("--tuning"));
    let mut client = Client::start();
    let nodes = |client: &mut Client| last_value(&client.search("go depth 6"), "nodes").unwrap();
    client.send("position startpos");
    let with = nodes(&mut client);
    client.send("ucinewgame");
    client.send("setoption name null_move value false");
    assert_eq!(client.ready(), [""; 0]);
    assert_ne!(nodes(&mut client), with);
}

#[test]
fn strength_is_limited_in_games_and_not_in_analysis() {
    for (variant, position) in
        [("chess", "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"), ("breakthrough", "startpos moves e2e3 d7d6")]
    {
        let mut client = Client::start();
        client.send(&format!("setoption name UCI_Variant value {variant}"));
        client.send(&format!("position {position}"));
        let nodes = |client: &mut Client, go: &str| {
            client.send("ucinewgame");
            client.send(&format!("position {position}"));
            last_value(&client.search(go), "nodes").unwrap().parse::<u64>().unwrap()
        };
        assert!(nodes(&mut client, "go nodes 100000") > 50_000);
        client.send("setoption name UCI_LimitStrength value true");
        client.send("setoption name Threads value 4");
        for (elo, allowed) in [("500", 20..=5_000), ("1500", 500..=30_000), ("2200", 3_000..=40_000)] {
            client.send(&format!("setoption name UCI_Elo value {elo}"));
            let limited = nodes(&mut client, "go wtime 60000 btime 60000");
            assert!(allowed.contains(&limited), "{variant} {elo}: {limited}");
            // The same again, and no more if more is allowed.
            assert_eq!(nodes(&mut client, "go nodes 100000"), limited, "{variant} {elo}");
        }
        client.send("setoption name Threads value 1");
        client.send("setoption name UCI_Elo value 500");
        assert!(nodes(&mut client, "go nodes 5") <= 5);
        // Analysis asks for our opinion, not for a weak player's.
        assert!(nodes(&mut client, "go nodes 100000 mate 99") > 10_000);
        client.send("go infinite");
        client.until("info depth 8 ");
        client.best_after("stop");
        client.send("setoption name UCI_AnalyseMode value true");
        assert!(nodes(&mut client, "go nodes 100000") > 50_000);
        // A weak player errs, in the same way every time.
        client.send("setoption name UCI_AnalyseMode value false");
        let [first, second] = [(); 2].map(|()| {
            client.send("ucinewgame");
            client.send(&format!("position {position}"));
            client.best("go nodes 1000")
        });
        assert_eq!(first, second);
    }
    let mut client = Client::start();
    for wrong in ["0", "4000", "strong"] {
        client.send(&format!("setoption name UCI_Elo value {wrong}"));
        assert!(client.ready().concat().contains("UCI_Elo: expected an integer from "), "{wrong}");
    }
}
