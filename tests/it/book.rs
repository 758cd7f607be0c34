// SPDX-License-Identifier: GPL-3.0-or-later
//! Opening books: made of games, and those of the program.

use std::fs;

use halfply_engine::book;
use halfply_engine::game::Game;
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::with_game;

use crate::support::{refusal, stdout};

#[test]
fn games_of_a_file_become_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let (games, out) = (folder.path().join("games.pgn"), folder.path().join("book.bin").display().to_string());
    let game = |white: &str, result: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Black \"Bo\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    };
    let text = [
        game("Ann", "1-0", "1. e4 e5 2. Nf3"),
        game("Ann", "1/2-1/2", "1. e4 c5"),
        game("Cy", "0-1", "1. d4 d5"),
        // Nobody knows what it scored.
        game("Cy", "*", "1. d4 d5"),
    ];
    fs::write(&games, text.concat()).unwrap();
    let games = games.display().to_string();
    let told = stdout(&["tournament", "book", &games, "--least", "1", "--out", &out]);
    assert!(told.contains("| e4   |     2 | 75.00% |\n| d4   |     1 |  0.00% |"), "{told}");
    assert!(told.contains("4 positions of 3 games"), "{told}");
    let told = stdout(&["tournament", "book", &games, "--least", "1", "--player", "Bo", "--plies", "2", "--out", &out]);
    assert!(told.contains("2 positions of 3 games") && !told.contains('|'), "{told}");
    let told = refusal(&["tournament", "book", &games, "--least", "3", "--out", &out]);
    assert!(told.contains("no move was played 3 times in 3 games"), "{told}");
}

#[test]
fn books_have_the_start_of_their_game_and_legal_moves() {
    let mut books = 0;
    for &game in GameName::all() {
        with_game!(game, G => {
            let Some(bytes) = G::BOOK else { continue };
            let book = G::book().unwrap_or_else(|| panic!("{}: not a book", G::NAME));
            let (moves, mut position) = (book.moves::<G>(&G::start()), G::start());
            let games: u64 = moves.iter().map(|entry| entry.games).sum();
            assert!(games > 1000 && book::about(bytes).contains("halfply tournament book"), "{games}");
            // The move that was played most often leads to a position that is there, too.
            let most = moves.iter().max_by_key(|entry| entry.games).unwrap();
            G::play(&mut position, most.mv);
            let answers: u64 = book.moves::<G>(&position).iter().map(|entry| entry.games).sum();
            assert!(answers <= most.games && 2 * answers > most.games, "{answers} of {}", most.games);
            books += 1;
        });
    }
    assert_eq!(books, 2);
}
