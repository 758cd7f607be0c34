// SPDX-License-Identifier: GPL-3.0-or-later
//! Every reader of what comes from outside, as a function of bytes. None may panic, hang or fill the memory.

mod server;

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process;

use serde_json::Value;

use halfply_engine::book::OpeningBook;
use halfply_engine::evaluation::network::Network;
use halfply_engine::evaluation::patterns::file as pattern_file;
use halfply_engine::features::file as table_file;
use halfply_engine::game::{Game, Notation, after};
use halfply_engine::games::{Breakthrough, Chess, GameName, Othello, RegisteredGame};
use halfply_engine::patterns::{MoveAtoms, Theory};
use halfply_engine::protocol::{gtp, uci};
use halfply_engine::search::control::Control;
use halfply_engine::search::{Parameters, Profile, Searcher};
use halfply_engine::with_game;
use halfply_lab::client;
use halfply_lab::learn::experiment::Plan;
use halfply_lab::learn::tuning::gene;
use halfply_lab::run::journal;
use halfply_lab::run::workers::Manifest;
use halfply_lab::suite::{Baseline, Suite};
use halfply_lab::tournament::definition::Definition;
use halfply_lab::tournament::openings::Book;
use halfply_lab::tournament::pgn_games;
use halfply_lab::tournament::record::GameRecord;
use halfply_lab::tune::patterns::labelled;
use halfply_lab::tune::recipe::NetworkRecipe;
use halfply_lab::tune::record;

/// A reader, and what it reads.
#[derive(Debug)]
pub struct Reader {
    /// Its name: that of its seeds in `fuzz/seeds`, too.
    pub name: &'static str,
    /// Reads these bytes, whatever they are.
    pub read: fn(&[u8]),
    /// Files of the repository that it accepts.
    pub files: &'static [&'static str],
}

/// All readers.
pub const READERS: &[Reader] = &[
    Reader { name: "uci", read: uci, files: &["fuzz/seeds/session.uci"] },
    Reader { name: "session", read: session, files: &[] },
    Reader { name: "gtp", read: gtp, files: &[] },
    Reader { name: "engine", read: engine, files: &[] },
    Reader { name: "fen", read: fen, files: &[] },
    Reader { name: "epd", read: epd, files: &[] },
    Reader { name: "pgn", read: pgn, files: &[] },
    Reader { name: "ggf", read: |bytes| othello_record("ggf", bytes), files: &[] },
    Reader { name: "wthor", read: |bytes| othello_record("wtb", bytes), files: &[] },
    Reader { name: "polyglot", read: polyglot, files: &[] },
    Reader {
        name: "table",
        read: table,
        files: &["tables/breakthrough-nine.toml", "tables/chess-known.toml", "tables/breakthrough-control.toml"],
    },
    Reader {
        name: "parameters",
        read: parameters,
        files: &["experiments/falcon.toml", "control/chess.toml", "control/breakthrough.toml"],
    },
    Reader {
        name: "definitions",
        read: definitions,
        files: &[
            "experiments/selective-search.toml",
            "experiments/othello.toml",
            "tournament/chess-toga2.toml",
            "tournament/table-4-5.toml",
            "networks/chess.toml",
        ],
    },
    Reader { name: "baseline", read: baseline, files: &["suites/baselines/ecm-5000-full.json"] },
    Reader { name: "journal", read: journal, files: &[] },
    Reader { name: "manifest", read: manifest, files: &[] },
    Reader { name: "theory", read: |bytes| drop(Theory::parse(&text(bytes), "theory")), files: &[] },
    Reader { name: "atoms", read: atoms, files: &[] },
    Reader { name: "patterns", read: patterns, files: &[] },
    Reader { name: "network", read: network, files: &["networks/breakthrough.network"] },
    Reader { name: "http", read: server::read, files: &[] },
];

/// Readers of text are given text, as they are by those who read the files.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Readers that take a path: calls `read` with that of a file of these bytes.
fn with_file(ending: &str, bytes: &[u8], read: impl FnOnce(PathBuf)) {
    let path = std::env::temp_dir().join(format!("halfply-fuzz-{}.{ending}", process::id()));
    if fs::write(&path, bytes).is_ok() {
        read(path.clone());
    }
    // Nothing is lost if it stays.
    let _ = fs::remove_file(path);
}

/// Commands.
fn uci(bytes: &[u8]) {
    text(bytes).lines().for_each(|line| drop(uci::command::parse(line)));
}

/// A session of UCI that ends with its input. Lines that order work, not reading, are left out. It begins with
/// settings that take no time: most inputs would load the same network.
fn session(bytes: &[u8]) {
    const BEGIN: [&str; 2] = ["setoption name Profile value plain", "setoption name Hash value 1"];
    let text = text(bytes);
    let is_work = |line: &&str| {
        let line = line.to_ascii_lowercase();
        ["perft", "bench", "hash", "threads", "go"].iter().any(|word| line.contains(word))
    };
    let session = BEGIN.into_iter().chain(text.lines().filter(|line| !is_work(line))).collect::<Vec<_>>().join("\n");
    let _ = uci::run(io::Cursor::new(session), io::sink(), true);
}

fn gtp(bytes: &[u8]) {
    let (game, bytes) = chosen(bytes);
    let bytes = bytes.to_vec();
    with_game!(game, G => {
        let evaluation = <G as RegisteredGame>::default_evaluation(Profile::Plain);
        let searcher = Searcher::<G> { setup: <G as RegisteredGame>::usual_setup(&evaluation), evaluation };
        let _ = gtp::run(searcher, Some(10), io::Cursor::new(bytes), io::sink());
    });
}

/// The game that the first byte chooses, and the other bytes.
fn chosen(bytes: &[u8]) -> (GameName, &[u8]) {
    let games = GameName::all();
    match bytes {
        [first, rest @ ..] => (games[usize::from(*first) % games.len()], rest),
        [] => (games[0], bytes),
    }
}

/// What other engines say.
fn engine(bytes: &[u8]) {
    text(bytes).lines().for_each(|line| drop(client::parse(line)));
}

/// A position in the first line, then moves: whatever is read is written, and read again as the same.
fn fen(bytes: &[u8]) {
    fn read<G: Notation>(text: &str) {
        let mut lines = text.lines();
        let Ok(mut position) = G::parse_position(lines.next().unwrap_or_default()) else { return };
        for line in lines {
            let written = G::format_position(&position);
            assert_eq!(G::parse_position(&written).map(|again| G::format_position(&again)), Ok(written));
            let _ = (G::draw(&position), G::key(&position));
            let Ok(mv) = G::parse_move(&position, line) else { continue };
            let written = G::format_move(&position, mv);
            assert_eq!(G::parse_move(&position, &written), Ok(mv), "{line}");
            let _ = G::record_move(&position, mv);
            position = after::<G>(&position, mv);
        }
    }
    for &game in GameName::all() {
        with_game!(game, G => read::<G>(&text(bytes)));
    }
}

fn epd(bytes: &[u8]) {
    let text = text(bytes);
    for &game in GameName::all() {
        with_game!(game, G => {
            let _ = Suite::<G>::parse(&text, "suite");
            let _ = Book::<G>::parse(&text, "openings");
        });
    }
}

fn pgn(bytes: &[u8]) {
    let _ = pgn_games::read_tree(bytes, 1);
    for played in pgn_games::read(bytes).unwrap_or_default() {
        for &game in GameName::all() {
            with_game!(game, G => drop(played.record::<G>().replay::<G>()));
        }
    }
}

fn othello_record(ending: &str, bytes: &[u8]) {
    let Some(format) = Othello::RECORDS.iter().find(|format| format.ending == ending) else { return };
    for game in (format.read)(bytes, "games").unwrap_or_default() {
        let moves = game.moves.len();
        let replayed = GameRecord::from(game).replay::<Othello>();
        assert!(replayed.is_ok(), "its moves are legal, all {moves}");
    }
}

/// A book, in the first position and behind a move.
fn polyglot(bytes: &[u8]) {
    let Ok(book) = OpeningBook::new(bytes.to_vec()) else { return };
    let start = Chess::start();
    let behind = Chess::parse_move(&start, "e2e4").map(|mv| after::<Chess>(&start, mv));
    for position in [Ok(start), behind].into_iter().flatten() {
        let moves = book.moves::<Chess>(&position);
        let chosen = book.choose::<Chess>(&position, 1);
        assert!(chosen.is_none_or(|chosen| moves.iter().any(|known| known.mv == chosen)));
    }
}

fn table(bytes: &[u8]) {
    let text = text(bytes);
    for &game in GameName::all() {
        let vocabulary = with_game!(game, G => <G as Game>::VOCABULARY);
        if let Ok(table) = table_file::parse(&text, "table", &vocabulary) {
            let words = table.vocabulary(&vocabulary);
            let written = table_file::render(&table, &[], &words);
            assert!(table_file::parse(&written, "table", &vocabulary).is_ok_and(|again| again == table), "{written}");
        }
        let _ = table_file::parse_line(&text, &vocabulary);
        let _ = table_file::parse_summary(&text, &vocabulary);
    }
}

fn parameters(bytes: &[u8]) {
    let text = text(bytes);
    let _ = Parameters::parse(&text, "parameters");
    for &game in GameName::all() {
        with_game!(game, G => drop(Control::parse(&text, "control", G::NAME, &G::VOCABULARY)));
    }
}

fn definitions(bytes: &[u8]) {
    let text = text(bytes);
    let _ = Definition::parse(&text, "tournament");
    let _ = Plan::parse(&text, "experiment");
    let _ = NetworkRecipe::parse(&text, "recipe");
    with_file("toml", bytes, |path| {
        for &game in GameName::all() {
            let _ = with_game!(game, G => gene::load(&path, &<G as Game>::VOCABULARY));
        }
    });
}

fn baseline(bytes: &[u8]) {
    let _ = Baseline::parse(&text(bytes), "baseline");
}

fn journal(bytes: &[u8]) {
    with_file("jsonl", bytes, |path| {
        let _ = journal::load::<GameRecord>(&path, "tournament");
        let _ = journal::load::<Value>(&path, "learn");
    });
}

fn manifest(bytes: &[u8]) {
    with_file("json", bytes, |path| drop(Manifest::load(&path)));
}

/// Atoms of moves, behind small rules if they have none of their own.
fn atoms(bytes: &[u8]) {
    const RULES: &str = include_str!("../seeds/theory.small");
    let text = text(bytes);
    if let Ok(atoms) = MoveAtoms::parse(Some(RULES), &text, "atoms", &["Ud"]) {
        let written = atoms.text(u64::MAX);
        assert!(MoveAtoms::parse(Some(RULES), &written, "atoms", &["Ud"]).is_ok(), "{written}");
    }
}

/// Patterns, and the positions with values that they are made from.
fn patterns(bytes: &[u8]) {
    let text = text(bytes);
    with_file("training", bytes, |path| {
        for &game in GameName::all() {
            with_game!(game, G => {
                let _ = pattern_file::parse::<G>(&text, "patterns");
                let _ = labelled::load_all::<G>(&[&path]);
            });
        }
    });
}

/// Networks, and records of the games that they learn from.
fn network(bytes: &[u8]) {
    for &game in GameName::all() {
        with_game!(game, G => {
            let _ = Network::read::<G>(bytes);
            let _ = record::read::<G>(bytes);
        });
    }
    if let Ok(network) = Network::read::<Breakthrough>(bytes) {
        assert_eq!(network.to_bytes::<Breakthrough>(), bytes);
    }
}
