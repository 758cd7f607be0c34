// SPDX-License-Identifier: GPL-3.0-or-later
//! What the tests share.

use assert_cmd::Command;
use halfply_engine::base::mix::derive;
use halfply_engine::features::{AtomSet, ExtensionTable, Row};
use halfply_engine::game::{Game, Notation};
use halfply_engine::games::Breakthrough;
use halfply_engine::history::History;
use halfply_engine::search::Depth;
use proptest::prelude::*;

pub type Position = <Breakthrough as Game>::Position;

/// The program under test.
pub fn halfply() -> Command {
    let mut command = Command::cargo_bin("halfply").expect("the binary is built with the tests");
    command.env_remove("RUST_LOG");
    command
}

/// What a command prints on stdout when it succeeds.
pub fn stdout(arguments: &[&str]) -> String {
    let output = halfply().args(arguments).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("output is UTF-8")
}

/// What a command says on stderr when it refuses with exit status 2.
pub fn refusal(arguments: &[&str]) -> String {
    let output = halfply().args(arguments).assert().code(2).get_output().stderr.clone();
    String::from_utf8(output).expect("output is UTF-8")
}

/// The program as a terminal starts it, but for signals that it is to ignore. Whoever runs tests in the background may
/// have made them deaf to Ctrl-C, and the program respects that, so another program sets what it hears.
pub fn hearing(ignored: &[&str]) -> std::process::Command {
    let program = env!("CARGO_BIN_EXE_halfply");
    if !cfg!(target_os = "linux") {
        return std::process::Command::new(program);
    }
    let mut command = std::process::Command::new("env");
    command.arg("--default-signal=HUP,INT,TERM");
    command.args(ignored.iter().map(|signal| format!("--ignore-signal={signal}")));
    command.arg(program);
    command
}

/// Plays a game of random moves, always the same for a seed, looks at it before each move, and returns it.
pub fn random_game<G: Notation>(seed: u64, mut look: impl FnMut(&History<G>)) -> History<G> {
    let mut history = History::<G>::new(G::start());
    while history.outcome().is_none() {
        look(&history);
        let moves = history.legal_moves();
        let choice = derive(seed, history.moves().len() as u64) % moves.len() as u64;
        history.play(moves[choice as usize]);
    }
    history
}

pub fn position(fen: &str) -> Position {
    Breakthrough::parse_position(fen).expect("a position")
}

pub fn feature(text: &str) -> AtomSet {
    Breakthrough::VOCABULARY.parse(text).expect("a feature")
}

/// Positions with one to three pieces a side anywhere on the board where the game is not over.
pub fn sparse_position() -> impl Strategy<Value = Position> {
    let white = prop::collection::btree_set(0_u32..56, 1..=3);
    let black = prop::collection::btree_set(8_u32..64, 1..=3);
    (white, black, any::<bool>()).prop_filter_map("a side must keep a piece", |(white, black, white_moves)| {
        let rows: Vec<String> = (0..8)
            .rev()
            .map(|rank| {
                (0..8)
                    .map(|file| match rank * 8 + file {
                        square if white.contains(&square) => 'P',
                        square if black.contains(&square) => 'p',
                        _ => '1',
                    })
                    .collect()
            })
            .collect();
        let turn = if white_moves { 'w' } else { 'b' };
        Breakthrough::parse_position(&format!("{} {turn}", rows.join("/"))).ok()
    })
}

/// Tables of up to four rows of one or two atoms, costing half a ply to one and a half, or nothing.
pub fn table() -> impl Strategy<Value = ExtensionTable> {
    let atom = 0..Breakthrough::VOCABULARY.atoms.len();
    let cost = prop_oneof![Just(50), Just(75), Just(67), Just(100), Just(130), Just(150)];
    let row = (atom.clone(), atom, cost).prop_map(|(first, second, hundredths)| Row {
        feature: AtomSet::single(first) | AtomSet::single(second),
        cost: Depth::hundredths(hundredths),
    });
    // Moves that cost nothing, but rarely happen twice in a line.
    let free = Just(Row { feature: feature("C-RdTt"), cost: Depth::ZERO });
    (prop::collection::vec(row, 0..4), prop::option::of(free))
        .prop_map(|(rows, free)| ExtensionTable::new(rows.into_iter().chain(free).collect()))
}
