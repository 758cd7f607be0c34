// SPDX-License-Identifier: GPL-3.0-or-later
//! Atoms written as clauses, and derived ones: from a file to a table that means the same without it.

use std::fs;
use std::path::Path;

use crate::support::{halfply, stdout};

/// A rule that is written down nowhere else: columns count, and a disc moves to the square beside it.
const SIDEWAYS: &str = "beside_own(S, P) :- neighbor(S, e, T), owns(P, T).\n\
                        :- atom Beside \"stands west of a piece of its own\" if beside_own(To, Us).\n";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn an_atom_of_two_lines_is_learned_with_and_goes_into_tables() {
    let folder = tempfile::tempdir().unwrap();
    let [mine, run, copy] = ["mine.theory", "run", "table.toml"].map(|name| folder.path().join(name));
    fs::write(&mine, SIDEWAYS).unwrap();
    let shown = stdout(&["explain", "--theory", text(&mine)]);
    assert!(shown.lines().any(|line| line.contains("| a2a3 ") && !line.contains("Beside")), "{shown}");
    assert!(shown.lines().any(|line| line.contains("| b2a3 ") && !line.contains("Beside")), "{shown}");
    let moved = stdout(&["explain", "--theory", text(&mine), "--moves", "b2b3", "h7h6"]);
    assert!(moved.lines().any(|line| line.contains("| a2a3 ") && line.contains(" Beside")), "{moved}");

    let learn = |theory: &Path| {
        let arguments =
            ["learn", "--nodes", "20", "--no-threshold-pruning", "--theory", text(theory), "--out", text(&run)];
        halfply().args(arguments).output().unwrap()
    };
    assert!(learn(&mine).status.success());
    assert!(fs::read_to_string(run.join("features.csv")).unwrap().lines().any(|line| line.starts_with("Beside,1,")));
    // Under the same name, something else: it does not continue that run.
    fs::write(&mine, SIDEWAYS.replace("neighbor(S, e, T)", "neighbor(S, w, T)")).unwrap();
    let other = learn(&mine);
    assert!(!other.status.success() && String::from_utf8_lossy(&other.stderr).contains("definitions"), "{other:?}");

    let table = format!(
        "format = 1\ngame = \"breakthrough\"\ndefinitions = \"\"\"\n:- board(8, 8, n).\nplayer(white). player(black).\n{}\"\"\"\n\
         [[extension]]\nfeature = \"Beside\"\nply = 0.5\n",
        SIDEWAYS.replace('"', "\\\"")
    );
    fs::write(&copy, table).unwrap();
    let explained = stdout(&["explain", "--extensions", text(&copy), "--moves", "b2b3", "h7h6"]);
    assert!(
        explained.lines().any(|line| line.contains("| a2a3 ") && line.contains("| Beside |   0.5 |")),
        "{explained}"
    );
    assert!(stdout(&["describe", text(&copy)]).contains("stands west of a piece of its own"));
    let both = halfply().args(["explain", "--extensions", text(&copy), "--theory", text(&mine)]).output().unwrap();
    assert!(
        String::from_utf8_lossy(&both.stderr).contains("table.toml:3: the definitions of Beside are not"),
        "{both:?}"
    );
}

#[test]
fn atoms_follow_from_rules_and_are_read_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("derived.theory");
    let rules = "theories/breakthrough.theory";
    let derived = stdout(&["atoms", "--theory", rules, "--games", "4", "--out", text(&out)]);
    assert!(derived.contains(" of 570 derived atoms") && derived.contains(" pairs exclude each other"), "{derived}");
    for name in ["Within1", "Within3", "Onward", "Side1"] {
        assert!(derived.contains(&format!("| {name} ")), "{name}: {derived}");
    }
    let listed = stdout(&["atoms", "--theory", text(&out)]);
    assert!(listed.contains("| Within3 "), "{listed}");
}
