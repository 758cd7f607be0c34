// SPDX-License-Identifier: GPL-3.0-or-later
//! Every game of the registry is found wherever games are chosen or listed.

use std::collections::BTreeSet;

use halfply_engine::game::{Game, Notation};
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::search::{Limits, Profile, Root};
use halfply_engine::with_game;

use crate::support::stdout;
use crate::uci_client::{Client, last_value};

/// The names of all games.
fn names() -> BTreeSet<String> {
    GameName::all().iter().map(|game| game.name().to_owned()).collect()
}

#[test]
fn every_game_is_known_to_every_command() {
    for game in names() {
        for arguments in [&["perft", "1"][..], &["explain"], &["bench"]] {
            assert!(!stdout(&[arguments, &["--game", &game]].concat()).is_empty(), "{arguments:?} {game}");
        }
        let told = stdout(&["suite", "run", "--nodes", "10", "--json", "--game", &game]);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&told).unwrap()["game"], game.as_str());
    }
}

#[test]
fn the_benchmark_goes_through_every_game() {
    let told = stdout(&["bench"]);
    let benched: BTreeSet<_> = told.lines().filter_map(|line| Some(line.split_once(", ")?.0.to_owned())).collect();
    assert_eq!(benched, names());
}

#[test]
fn every_game_is_a_variant_that_plays_under_the_name_it_asks_of_others() {
    let mut client = Client::start();
    client.send("uci");
    let listed = client.until("uciok").into_iter().find(|line| line.starts_with("option name UCI_Variant ")).unwrap();
    let variants: Vec<_> = listed.split(" var ").skip(1).collect();
    assert_eq!(variants.len(), GameName::all().len(), "{listed}");
    assert_eq!(variants[0], "chess", "the default comes first: clients that know no variants mean chess");
    for &game in GameName::all() {
        let (variant, required, start) = with_game!(game, G => (
            G::UCI_VARIANT,
            G::required_options(),
            G::format_position(&G::start()),
        ));
        assert!(variants.contains(&variant), "{listed}");
        // What a tournament would set another program to, it must itself take.
        for (name, value) in required {
            client.send(&format!("setoption name {name} value {value}"));
        }
        if variant == "chess" {
            client.send("setoption name UCI_Variant value chess");
        }
        client.send("ucinewgame");
        client.send("d");
        assert!(client.until("Key: ").iter().any(|line| line == &format!("Fen: {start}")), "{variant}");
    }
}

/// A search over UCI is that of a tournament: with the same parameters and the same model of search control.
#[test]
fn every_game_is_searched_over_uci_as_in_tournaments() {
    for &game in GameName::all() {
        let (variant, fen, nodes) = with_game!(game, G => {
            let evaluation = G::default_evaluation(Profile::Full);
            let setup = G::usual_setup(&evaluation);
            let position = G::parse_position(G::BENCH[2]).unwrap();
            let report = evaluation.engine(&setup).thinker().search(Root::bare(&position), Limits::depth(8), &mut ());
            (G::UCI_VARIANT, G::BENCH[2], report.nodes)
        });
        let mut client = Client::start();
        client.send(&format!("setoption name UCI_Variant value {variant}"));
        client.send(&format!("position fen {fen}"));
        let told = client.search("go depth 8");
        assert_eq!(last_value(&told, "nodes"), Some(nodes.to_string()), "{variant}");
    }
}
