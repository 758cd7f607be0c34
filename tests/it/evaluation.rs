// SPDX-License-Identifier: GPL-3.0-or-later
//! Evaluations in files, wherever an evaluation is chosen.

use std::fs;

use crate::support::{halfply, refusal, stdout};
use crate::uci_client::Client;

/// A weight on each square, in hundredths of a piece, which differ from square to square.
fn weights() -> [i32; 64] {
    std::array::from_fn(|square| 10 * (square as i32 / 8) + (square as i32 * 37) % 11)
}

/// The pieces of the mover, less those of the opponent as it sees them.
fn file_of(weights: &[i32; 64]) -> String {
    let head =
        "halfply patterns 1\ngame breakthrough\nview mover\nsymmetries 0\nexchange 2x\npieces 1-32\nconstant 0.000\n";
    let square = |place: usize| format!("{}{}", char::from(b'a' + (place % 8) as u8), place / 8 + 1);
    let lines = weights.iter().enumerate().map(|(place, &weight)| {
        let weight = f64::from(weight) / 100.0;
        format!("{weight:.3} x{}\n{:.3} o{}\n", square(place), -weight, square(place ^ 56))
    });
    head.to_owned() + &lines.collect::<String>()
}

#[test]
fn a_file_is_taken_wherever_an_evaluation_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("squares.patterns");
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
                [[player]]\nname = \"squares\"\nevaluation = \"squares.patterns\"\n[[player]]\nname = \"default\"\n";
    fs::write(&definition, text).unwrap();
    let out = folder.path().join("out").display().to_string();
    let told = stdout(&["tournament", "run", &definition.display().to_string(), "--out", &out]);
    assert!(told.contains("squares"), "{told}");
    let journal = fs::read_to_string(folder.path().join("out/journal.jsonl")).unwrap();
    let header = journal.lines().next().unwrap();
    assert!(header.contains("patterns sha256:"), "what the games depend on is in the header: {header}");
    assert!(!header.contains(&file));

    let mut client = Client::start();
    client.send("setoption name UCI_Variant value breakthrough");
    client.send(&format!("setoption name EvalFile value {file}"));
    let told = client.ready().concat();
    assert!(told.contains(&format!("evaluation {file}: patterns sha256:")), "{told}");
    client.send("position fen 8/8/7p/8/8/8/P7/8 w");
    client.send("eval");
    // a2 is worth 10 + 8 * 37 % 11 = 20; h6, which Black sees on h3, 20 + 23 * 37 % 11 = 24.
    let told = client.until("evaluation ").concat();
    assert!(told.contains("evaluation -0.04 pieces for white") && told.contains(&file), "{told}");
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
    let name = if cfg!(windows) { "squares.patterns" } else { "a\"squares.patterns" };
    fs::write(folder.path().join(name), file_of(&weights())).unwrap();
    fs::write(
        folder.path().join("c.toml"),
        "format = 1\ngame = \"breakthrough\"\n[[extension]]\nfeature = \"C\"\nply = 0.5\n",
    )
    .unwrap();
    let common = ["--nodes", "100", "--evaluation", name, "--threads", "2"];
    for (out, learn) in [
        ("gradient", &["gradient", "--extensions", "c.toml", "--iterations", "1"][..]),
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
    let path = folder.path().join("squares.patterns");
    fs::write(&path, file_of(&weights()).replace("0.040 xb1", "0.040 xj1")).unwrap();
    let file = path.display().to_string();
    for (named, reason) in [
        (file.as_str(), "squares.patterns:10: \"xj1\" is not a fact"),
        ("magic", "breakthrough has no evaluation \"magic\"; it has safe-advancement, advancement, piece-count"),
        ("/nowhere/magic.toml", "/nowhere/magic.toml: cannot be read"),
    ] {
        let told = refusal(&["suite", "run", "--evaluation", named]);
        assert!(told.contains("--evaluation") && told.contains(reason), "{told}");
    }
}
