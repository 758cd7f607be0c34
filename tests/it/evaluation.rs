// SPDX-License-Identifier: GPL-3.0-or-later
//! Evaluations with data: in files wherever an evaluation is chosen, and with a state that follows the search.

use std::fs;

use halfply_engine::evaluation::piece_squares::PieceSquares;
use halfply_engine::games::Breakthrough;
use halfply_engine::search::minimax::negamax;
use halfply_engine::search::{Depth, Engine, Full, Limits, Parameters, Plain, Realization, Root, Setup};
use proptest::prelude::*;

use crate::support::{halfply, refusal, sparse_position, stdout, table};
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
fn matches_of_what_was_learned_find_the_evaluation_from_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    // A quotation mark has to be escaped in TOML.
    let name = if cfg!(windows) { "squares.toml" } else { "a\"squares.toml" };
    fs::write(folder.path().join(name), file_of(&weights())).unwrap();
    fs::write(
        folder.path().join("c.toml"),
        "format = 1\ngame = \"breakthrough\"\n[[extension]]\nfeature = \"C\"\nply = 0.5\n",
    )
    .unwrap();
    let common = ["--nodes", "100", "--evaluation", name, "--threads", "2"];
    for (out, learn) in [
        ("gradient", &["gradient", "--extensions", "c.toml", "--iterations", "1"][..]),
        ("race", &["race", "--table", "C@0.5", "--laps", "1", "--pairs", "2"]),
        ("spsa", &["spsa", "--parameter", "C,float,0.5,0.1,1,0.1,5", "--games", "16"]),
    ] {
        let mut command = halfply();
        command.arg("learn").args(learn).args(common).args(["--out", out]).current_dir(&folder);
        command.assert().success();
        let definition = folder.path().join(out).join("match.toml").display().to_string();
        let elsewhere = tempfile::tempdir().unwrap();
        let mut command = halfply();
        command.args(["tournament", "run", &definition, "--games", "2", "--nodes", "20"]).current_dir(&elsewhere);
        command.assert().success();
    }
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
