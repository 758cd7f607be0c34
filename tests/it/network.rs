// SPDX-License-Identifier: GPL-3.0-or-later
//! Networks learned from self-play, as users see them.

use std::fs;
use std::path::Path;
use std::process::Command;

use halfply_engine::evaluation::Evaluation;
use halfply_engine::evaluation::network::Network;
use halfply_engine::games::{Breakthrough, Chess, Othello, RegisteredGame};
use halfply_engine::search::minimax::negamax;
use halfply_engine::search::{Depth, Engine, Full, Limits, Parameters, Plain, Realization, Root, Setup};
use proptest::prelude::*;

use crate::process::kill_at;
use crate::support::{halfply, refusal, sparse_position, stdout, table};
use crate::uci_client::Client;

/// Two generations that take a second.
fn recipe(game: &str, units: usize) -> String {
    format!(
        "format = 1\ngame = \"{game}\"\nunits = {units}\nlayers = [4, 1]\n\
         [defaults]\ngames = 300\nnodes = 10\nopening = 8\nrandom = 0.2\nlambda = 0.9\nepochs = 2\n\
         match_games = 4\nmatch_nodes = 20\n[[generation]]\n[[generation]]\nnodes = 15\n"
    )
}

#[test]
fn a_generation_of_another_width_is_trained_from_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_recipe(folder.path(), &(recipe("breakthrough", 16) + "units = 32\n"));
    let out = folder.path().join("out");
    learn(&path, &out, "2");
    let network = Network::read::<Breakthrough>(&fs::read(out.join("evaluation.network")).unwrap()).unwrap();
    assert_eq!(network.weights().units, 32);
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains("32 units for each side"));
}

fn write_recipe(folder: &Path, text: &str) -> String {
    let path = folder.join("recipe.toml");
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn learn(recipe: &str, out: &Path, threads: &str) -> String {
    stdout(&["evaluation", "learn", recipe, "--threads", threads, "--out", &out.display().to_string()])
}

/// The network, the table, and the journal's results.
fn made(folder: &Path) -> [Vec<u8>; 3] {
    let journal = fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    let mut lines: Vec<String> = journal
        .lines()
        .map(|line| {
            let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
            value.as_object_mut().unwrap().remove("seconds");
            value.to_string()
        })
        .collect();
    lines.sort();
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    [read("evaluation.network"), read("generations.csv"), lines.join("\n").into_bytes()]
}

#[test]
fn the_same_recipe_gives_the_same_bytes_killed_or_not_and_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_recipe(folder.path(), &recipe("breakthrough", 16));
    let [one, two, killed] = ["one", "two", "killed"].map(|name| folder.path().join(name));
    let told = learn(&path, &one, "1");
    assert!(told.contains("held-out loss") && told.contains("report.html"), "{told}");
    learn(&path, &two, "3");
    let expected = made(&one);
    assert_eq!(made(&two), expected);

    // Killed at several moments, among them the one at which training begins.
    for lines in [2, 4, 6] {
        kill_at(&["evaluation", "learn", &path, "--threads", "1"], &killed, lines);
    }
    learn(&path, &killed, "2");
    assert_eq!(made(&killed), expected);

    // The games played by other processes, a round for each generation.
    let [spooled, spool] = ["spooled", "spool"].map(|name| folder.path().join(name));
    let manifest = spool.join("manifest.json").display().to_string();
    let run = || {
        let mut command = halfply();
        command.args(["evaluation", "learn", &path, "--out"]).arg(&spooled).arg("--spool").arg(&spool);
        command.assert().get_output().status.code()
    };
    for _ in 0..2 {
        assert_eq!(run(), Some(3), "it waits for games");
        for shard in ["1/2", "2/2"] {
            stdout(&["work", "--manifest", &manifest, "--shard", shard]);
        }
    }
    assert_eq!(run(), Some(0));
    assert_eq!(made(&spooled), expected);

    // A run that is complete computes nothing, and is the same.
    learn(&path, &one, "2");
    assert_eq!(made(&one), expected);
}

#[test]
fn a_learned_network_is_taken_wherever_an_evaluation_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    for (game, units) in [("breakthrough", 16), ("chess", 32)] {
        let path = write_recipe(folder.path(), &recipe(game, units));
        let out = folder.path().join(game);
        learn(&path, &out, "2");
        let page = fs::read_to_string(out.join("report.html")).unwrap();
        assert!(page.contains("<svg") && page.contains("What the network says"), "{page}");
        let network = out.join("evaluation.network").display().to_string();
        stdout(&["suite", "run", "--game", game, "--nodes", "100", "--evaluation", &network]);
        let mut client = Client::start();
        client.send(&format!("setoption name UCI_Variant value {game}"));
        client.send(&format!("setoption name EvalFile value {network}"));
        let told = client.ready().concat();
        assert!(told.contains("network sha256:"), "{told}");
        client.send("position startpos");
        client.search("go nodes 500");
        client.quit();
    }
}

#[test]
fn what_cannot_be_learned_or_read_is_refused_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let told = |text: &str| {
        let path = write_recipe(folder.path(), text);
        refusal(&["evaluation", "learn", &path, "--out", &out])
    };
    let good = recipe("breakthrough", 16);
    for (text, reason) in [
        (recipe("breakthrough", 15), "recipe.toml: generation 1: units of breakthrough are a multiple of 16, not 15"),
        (good.replace("games = 300", "games = 0"), "generation 1: games is 1 to 100,000,000"),
        (
            good.replace("format = 1", "format = 1\nfrom = \"magic\""),
            "recipe.toml: from: breakthrough has no evaluation \"magic\"",
        ),
        ("nonsense".to_owned(), "a recipe for a network has"),
    ] {
        let told = told(&text);
        assert!(told.contains(reason), "{told}");
    }

    // A file of games that is damaged or gone is said, and --fresh plays it again.
    let path = write_recipe(folder.path(), &good);
    let damaged = folder.path().join("damaged");
    learn(&path, &damaged, "2");
    let games = fs::read_dir(damaged.join("games")).unwrap().next().unwrap().unwrap().path();
    fs::write(&games, b"short").unwrap();
    let longer = write_recipe(folder.path(), &(good.clone() + "[[generation]]\n"));
    let told = refusal(&["evaluation", "learn", &longer, "--out", &damaged.display().to_string()]);
    assert!(told.contains("its name is not the SHA-256 of its contents") && told.contains("--fresh"), "{told}");

    // A file of the user's that has a result's name is not touched.
    let own = folder.path().join("own");
    fs::create_dir(&own).unwrap();
    fs::write(own.join("evaluation.network"), "mine").unwrap();
    let told = refusal(&["evaluation", "learn", &path, "--out", &own.display().to_string()]);
    assert!(told.contains("evaluation.network"), "{told}");
    assert_eq!(fs::read_to_string(own.join("evaluation.network")).unwrap(), "mine");

    // Networks that are none.
    let network = damaged.join("evaluation.network");
    let bytes = fs::read(&network).unwrap();
    let wrong = folder.path().join("wrong.network");
    for (bytes, reason) in [
        (&bytes[..bytes.len() - 7], "bytes of weights"),
        (b"halfply network 1\n{}\n", "no shape of a network"),
        (b"halfply network 1", "begins with the line"),
        (b"\xff\x00\x01", "wrong.network"),
    ] {
        fs::write(&wrong, bytes).unwrap();
        let told = refusal(&["suite", "run", "--nodes", "10", "--evaluation", &wrong.display().to_string()]);
        assert!(told.contains(reason), "{told}");
    }
    halfply()
        .args(["suite", "run", "--game", "chess", "--nodes", "10", "--evaluation"])
        .arg(&network)
        .assert()
        .failure();
}

#[test]
fn the_networks_that_are_part_of_the_program_can_be_read() {
    fn check<G: RegisteredGame>() {
        let Some(bytes) = G::NETWORK else { return };
        let network = Network::read::<G>(bytes).unwrap();
        assert_eq!(network.to_bytes::<G>(), bytes);
        assert_eq!(G::network().unwrap().identity(), network.identity());
        // It knows who stands better: the values of images are the same, and those of the other side's the opposite sign
        // in most positions.
        for fen in G::BENCH {
            let position = G::parse_position(fen).unwrap();
            for image in G::images(&position) {
                assert_eq!(Evaluation::<G>::judge(&network, &image), Evaluation::<G>::judge(&network, &position));
            }
        }
    }
    check::<Breakthrough>();
    check::<Chess>();
    check::<Othello>();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Negamax judges every leaf from scratch, the searches keep sums: the values are the same.
    #[test]
    fn the_sums_change_no_value_of_a_search(position in sparse_position(), table in table(), depth in 1_u32..=4) {
        let network = Network::read::<Breakthrough>(Breakthrough::NETWORK.unwrap()).unwrap();
        let root = Root::<Breakthrough>::bare(&position);
        let expected = negamax(root, Depth::plies(depth), &table, &network);
        let plain = Plain { table: table.clone(), realization: Realization::Off, seed: 1, evaluation: network.clone() };
        prop_assert_eq!(plain.search(root, Limits::depth(depth), &mut ()).score, expected);
        let setup = Setup { table, parameters: Parameters::bare(), hash: 1, ..Setup::full() };
        let mut thinker = Engine::<Breakthrough>::thinker(&Full { setup, evaluation: network });
        prop_assert_eq!(thinker.search(root, Limits::depth(depth), &mut ()).score, expected);
    }
}

/// All that training reads, and all that plays, is what the journal names.
#[test]
fn games_and_networks_are_those_of_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_recipe(folder.path(), &recipe("breakthrough", 16));
    let out = folder.path().join("out");
    learn(&path, &out, "2");
    let journal = out.join("journal.jsonl");
    let files =
        |kind: &str| fs::read_dir(out.join(kind)).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    for kind in ["networks", "games"] {
        if kind == "games" {
            // So that it trains again.
            let text = fs::read_to_string(&journal).unwrap();
            let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("{\"key\":\"generation")).collect();
            fs::write(&journal, lines.join("\n") + "\n").unwrap();
        }
        let before: Vec<(_, Vec<u8>)> =
            files(kind).into_iter().map(|file| (file.clone(), fs::read(file).unwrap())).collect();
        for (file, bytes) in &before {
            let mut bytes = bytes.clone();
            *bytes.last_mut().unwrap() ^= 1;
            fs::write(file, bytes).unwrap();
        }
        let reason = refusal(&["evaluation", "learn", &path, "--out", &out.display().to_string()]);
        assert!(reason.contains("it was changed: its name is not the SHA-256"), "{kind}: {reason}");
        for (file, bytes) in before {
            fs::write(file, bytes).unwrap();
        }
    }
    learn(&path, &out, "2");
}

/// A recipe names a file as the folder of the run sees it; workers find it from theirs.
#[test]
fn workers_in_another_folder_find_the_network_that_a_recipe_begins_with() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.network"), Breakthrough::NETWORK.unwrap()).unwrap();
    let path = write_recipe(folder.path(), &format!("from = \"mine.network\"\n{}", recipe("breakthrough", 16)));
    let spool = folder.path().join("spool");
    let mut learn = halfply();
    learn.current_dir(folder.path()).args(["evaluation", "learn", &path, "--out", "out", "--spool"]).arg(&spool);
    learn.assert().code(3);
    halfply().args(["work", "--manifest"]).arg(spool.join("manifest.json")).assert().success();
}

/// A limit for the size of files is like a full disk: the journal fits, games do not.
#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_and_no_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_recipe(folder.path(), &recipe("breakthrough", 16));
    let out = folder.path().join("out");
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_halfply"), "evaluation", "learn", &path, "--out"])
        .arg(&out)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("games cannot be written") && told.contains("finished results are kept"), "{told}");
    learn(&path, &out, "2");
}
