// SPDX-License-Identifier: GPL-3.0-or-later
//! Evaluations with data: in files wherever an evaluation is chosen, and with a state that follows the search.

use std::fs;

use halfply::evaluation::piece_squares::PieceSquares;
use halfply::games::Breakthrough;
use halfply::search::minimax::negamax;
use halfply::search::{Depth, Engine, Full, Limits, Parameters, Plain, Realization, Root, Setup};
use proptest::prelude::*;

use crate::support::{refusal, sparse_position, stdout, table};
use crate::uci_client::Client;

/// Weights that differ from square to square.
fn weights() -> [i32; 64] {
    std::array::from_fn(|square| 10 * (square as i32 / 8) + (square as i32 * 37) % 11)
}

fn file_of(weights: &[i32; 64]) -> String {
    format!("format = 1\ngame = \"breakthrough\"\nevaluation = \"piece-squares\"\n[weights]\npiece = {weights:?}\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Negamax judges every leaf from scratch, the searches keep a state: the values are the same.
    #[test]
    fn the_state_changes_no_value_of_a_search(position in sparse_position(), table in table(), depth in 1_u32..=4) {
        let evaluation = PieceSquares::new::<Breakthrough>(vec![weights()]).unwrap();
        let root = Root::<Breakthrough>::bare(&position);
        let expected = negamax(root, Depth::plies(depth), &table, &evaluation);
        let plain = Plain { table: table.clone(), realization: Realization::Off, seed: 1, evaluation: evaluation.clone() };
        prop_assert_eq!(plain.search(root, Limits::depth(depth), &mut ()).score, expected);
        let setup = Setup { table, parameters: Parameters::bare(), hash: 1, ..Setup::full() };
        let mut player = Engine::<Breakthrough>::thinker(&Full { setup, evaluation });
        prop_assert_eq!(player.search(root, Limits::depth(depth), &mut ()).score, expected);
    }
}

#[test]
fn a_file_is_taken_wherever_an_evaluation_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("squares.toml");
    fs::write(&path, file_of(&weights())).unwrap();
    let file = path.display().to_string();

    let suite = ["suite", "run", "--nodes", "300", "--json", "--evaluation", &file];
    let told: serde_json::Value = serde_json::from_str(&stdout(&suite)).unwrap();
    assert_eq!(told["evaluation"], file.as_str());
    for profile in ["plain", "full"] {
        stdout(&["suite", "run", "--nodes", "300", "--evaluation", &file, "--profile", profile]);
    }

    // Paths in a definition start from its folder.
    let definition = folder.path().join("match.toml");
    let text = "format = 1\ngame = \"breakthrough\"\ngames = 2\n[defaults]\nnodes = 50\n\
                [[player]]\nname = \"squares\"\nevaluation = \"squares.toml\"\n[[player]]\nname = \"default\"\n";
    fs::write(&definition, text).unwrap();
    let out = folder.path().join("out").display().to_string();
    let told = stdout(&["tournament", "run", &definition.display().to_string(), "--out", &out]);
    assert!(told.contains("squares"), "{told}");
    let journal = fs::read_to_string(folder.path().join("out/journal.jsonl")).unwrap();
    let header = journal.lines().next().unwrap();
    assert!(header.contains("piece-squares sha256:"), "what the games depend on is in the header: {header}");
    assert!(!header.contains(&file));

    let mut client = Client::start();
    client.send("setoption name UCI_Variant value breakthrough");
    client.send(&format!("setoption name EvalFile value {file}"));
    let told = client.ready().concat();
    assert!(told.contains(&format!("evaluation {file}: piece-squares sha256:")), "{told}");
    client.send("position fen 8/8/7p/8/8/8/P7/8 w");
    client.send("eval");
    // a2 is worth 10 + 8 * 37 % 11 = 20; h6, which Black sees on h3, 20 + 23 * 37 % 11 = 24.
    let told = client.until("evaluation ").concat();
    assert!(told.contains("evaluation -4 centipawns for white") && told.contains(&file), "{told}");
    client.search("go nodes 500");
    client.send("setoption name EvalFile value <empty>");
    client.send("eval");
    assert!(client.until("evaluation ").concat().contains("(network)"));
    client.send("setoption name EvalFile value /nowhere.toml");
    assert!(client.ready().concat().contains("/nowhere.toml: cannot be read"));
}

#[test]
fn what_is_no_evaluation_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("squares.toml");
    fs::write(&path, file_of(&weights()).replace("piece = [", "piece = [1, ")).unwrap();
    let file = path.display().to_string();
    for (named, reason) in [
        (file.as_str(), "squares.toml:4: piece has 65 numbers"),
        ("magic", "breakthrough has no evaluation \"magic\"; it has safe-advancement, advancement, piece-count"),
        ("/nowhere/magic.toml", "/nowhere/magic.toml: cannot be read"),
    ] {
        let told = refusal(&["suite", "run", "--evaluation", named]);
        assert!(told.contains("--evaluation") && told.contains(reason), "{told}");
    }
}
