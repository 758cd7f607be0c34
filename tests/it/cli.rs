// SPDX-License-Identifier: GPL-3.0-or-later
//! Commands as users run them: what they print, how they refuse, and how they exit.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::build_script;
use crate::support::{halfply, refusal, stdout};

fn table_file(feature: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.toml");
    let text = format!("format = 1\ngame = \"breakthrough\"\n[[extension]]\nfeature = \"{feature}\"\nply = 0.5\n");
    fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

#[test]
fn the_help_names_every_command() {
    insta::assert_snapshot!(stdout(&["--help"]));
}

#[test]
fn perft_counts_by_depth_and_by_move() {
    assert_eq!(stdout(&["perft", "--game", "breakthrough", "5"]), "22\n484\n11132\n256036\n6182818\n");
    let divided = stdout(&["perft", "2", "--divide", "--fen", "8/7p/8/8/8/8/P7/8 w"]);
    assert_eq!(divided, "a2a3: 2\na2b3: 2\n4\n");
}

/// The behaviour signatures. Whoever changes one on purpose says so in the commit: `Bench: breakthrough N, chess N`.
#[test]
fn bench_is_the_signature() {
    let text = stdout(&["bench"]);
    let counted: Vec<_> = text.lines().filter_map(|line| line.split_once(" nodes ")).collect();
    assert!(counted.iter().all(|(_, speed)| speed.ends_with(" nps")), "{text}");
    let nodes: Vec<_> = counted.iter().map(|(nodes, _)| *nodes).collect();
    assert_eq!(
        nodes,
        [
            "breakthrough, plain: 3053890",
            "breakthrough, full: 16938",
            "chess, plain: 1100147",
            "chess, full: 116602",
            "othello, plain: 948187",
            "othello, full: 7267",
            "5243031"
        ]
    );
}

/// After a change: `halfply parameters --wide` behind the introduction of docs/parameters.md.
#[test]
fn the_parameters_are_documented() {
    let document = include_str!("../../docs/parameters.md");
    assert!(
        document.ends_with(&stdout(&["parameters", "--wide"])),
        "docs/parameters.md is not what `halfply parameters --wide` prints"
    );
    let toml: toml::Table = stdout(&["parameters", "--format", "toml"]).parse().unwrap();
    assert_eq!(toml.len(), halfply_engine::search::Parameters::ALL.len());
    let spsa = stdout(&["parameters", "--format", "spsa"]);
    assert!(spsa.contains("\nnull_move_reduction, int, "), "{spsa}");
}

#[test]
fn explain_shows_atoms_row_and_cost() {
    let (_folder, table) = table_file("Rc");
    insta::assert_snapshot!(stdout(&[
        "explain",
        "--fen",
        "8/8/8/p2p4/8/2P5/5P2/8 b",
        "--moves",
        "d5d4",
        "--extensions",
        &table,
    ]));
    let over = stdout(&["explain", "--fen", "P7/8/8/8/8/8/7p/8 b"]);
    assert!(over.ends_with("The game is over (goal reached): there are no moves to explain.\n"), "{over}");
    // A draw by rule leaves moves.
    let drawn = stdout(&["explain", "--game", "chess", "--fen", "8/8/4k3/8/8/4K3/8/8 w - - 0 1"]);
    assert!(drawn.contains("| e3f4 |"), "{drawn}");
}

#[test]
fn a_table_of_either_game_is_described() {
    let (_folder, table) = table_file("Ud-RdTt");
    let page = stdout(&["describe", &table]);
    assert!(
        page.contains("# Where to look deeper in breakthrough") && page.contains("- `RdTt`: moves to rows 7 or 8.")
    );
    let chess = concat!(env!("CARGO_MANIFEST_DIR"), "/tables/chess-known.toml");
    let json: Value = serde_json::from_str(&stdout(&["describe", chess, "--json"])).unwrap();
    assert_eq!((json["game"].as_str(), json["tables"][0]["rows"].as_array().map(Vec::len)), (Some("chess"), Some(4)));
    assert_eq!(json["atoms"]["AcK"], "gives check, discovered check included");
}

#[test]
fn a_suite_is_run_and_reported() {
    let (_folder, table) = table_file("Ud-RdTt");
    insta::assert_snapshot!(stdout(&["suite", "run", "--nodes", "2000", "--extensions", &table]));
}

#[test]
fn a_suite_s_json_has_an_entry_for_every_position() {
    let json: Value = serde_json::from_str(&stdout(&["suite", "run", "--nodes", "1000", "--json"])).unwrap();
    let results = json["results"].as_array().unwrap();
    assert_eq!((json["positions"].as_u64(), results.len()), (Some(302), 302));
    let solved = results.iter().filter(|result| result["solved"] == true).count();
    assert_eq!(json["solved"].as_u64(), Some(solved as u64));
    assert_eq!(json["nodes"].as_u64(), Some(302_000));
    for key in ["nodes_per_second", "mean_depth", "mean_height", "frequency"] {
        assert!(json[key].is_number(), "{key}");
    }
    assert!(results.iter().all(|result| result["nodes"] == 1000 && result["id"].is_string()));
}

#[test]
fn min_solved_sets_the_exit_status() {
    let run = |least: &str| halfply().args(["suite", "run", "--nodes", "1000", "--min-solved", least]).assert();
    run("0").code(0);
    run("303").code(1);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let run = |threads| stdout(&["suite", "run", "--nodes", "3000", "--verbose", "--threads", threads]);
    assert!(run("1") == run("3"), "a suite's report depends on the threads");
    let make = |threads| stdout(&["suite", "generate", "--count", "5", "--nodes", "500", "--threads", threads]);
    let made = make("1");
    assert_eq!(make("3"), made);
    assert_eq!(made.lines().count(), 6);
    let make = |threads| stdout(&["tournament", "openings", "--count", "20", "--nodes", "1000", "--threads", threads]);
    assert_eq!(make("1"), make("3"));
}

#[test]
fn a_filtered_suite_keeps_what_the_search_does_not_solve() {
    let folder = tempfile::tempdir().unwrap();
    let [all, hard] = ["all.epd", "hard.epd"].map(|name| folder.path().join(name).display().to_string());
    stdout(&["suite", "generate", "--count", "20", "--nodes", "500", "--out", &all]);
    stdout(&["suite", "filter", &all, "--nodes", "20000", "--seeds", "7,8", "--out", &hard]);
    // Comments count as such wherever on the line they begin, and so does an editor's mark at the start of the file.
    let text = fs::read_to_string(&all).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let commented = folder.path().join("commented.epd").display().to_string();
    fs::write(&commented, format!("\u{feff}{first}\n   # indented\n\n{rest}")).unwrap();
    let again = stdout(&["suite", "filter", &commented, "--nodes", "20000", "--seeds", "7,8"]);
    let kept = fs::read_to_string(&hard).unwrap();
    let positions = |text: &str| text.lines().filter(|line| !line.contains('#')).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(positions(&again), positions(&kept));
    assert!(again.starts_with("# halfply suite generate"), "the first comment is kept too: {again}");
    assert!(kept.lines().next().unwrap().starts_with("# halfply suite generate"));
    assert!(kept.lines().nth(1).unwrap().starts_with("# halfply suite filter"));
    let positions = kept.lines().count() - 2;
    assert!(0 < positions && positions < 20, "{kept}");
    for seed in ["7", "8"] {
        let run = ["suite", "run", &hard, "--nodes", "20000", "--seed", seed, "--json"];
        let json: Value = serde_json::from_str(&stdout(&run)).unwrap();
        assert_eq!(json["solved"], 0);
    }
}

/// Gradual Focus is what `learn` does without a method, and each method has options of its own.
#[test]
fn methods_of_learning_are_commands_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let learn = |words: &str| {
        let mut command = halfply();
        command.current_dir(&folder).args(words.split(' ')).args(["--nodes", "10", "--max-evaluations", "20"]);
        let output = command.args(["--out", "run"]).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    assert_eq!(learn("learn gradual-focus --epsilon 1"), learn("learn --epsilon 1"));
    assert_ne!(learn("learn brute-force"), learn("learn"));
    for (words, expected) in [
        ("learn brute-force --delta 3", "unexpected argument '--delta'"),
        ("learn --max-atoms 3", "unexpected argument '--max-atoms'"),
        ("learn gradual-focus --max-atoms 3", "unexpected argument '--max-atoms'"),
        ("learn --delta 3 --no-threshold-pruning", "cannot be used with"),
        ("learn --nodes 10 brute-force", "the subcommand 'brute-force' cannot be used with '--nodes"),
        ("learn brute-force --epsilon 5", "--epsilon 5: brute force keeps every feature"),
        ("learn brute-force --strictly-better", "--strictly-better: brute force keeps every feature"),
        ("learn --starts 3", "--starts 3: without rows no table is grown"),
        ("learn guess", "unrecognized subcommand 'guess'"),
    ] {
        let reason = refusal(&words.split(' ').collect::<Vec<_>>());
        assert!(reason.contains(expected), "{words}\n{reason}");
    }
}

#[test]
fn learning_prints_a_table_and_writes_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let arguments = ["learn", "--nodes", "5000", "--max-evaluations", "20", "--out"];
    let output = halfply().args(arguments).arg(&out).assert().success().get_output().clone();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&out.display().to_string(), "FOLDER");
    insta::assert_snapshot!("learn_stdout", text(&output.stdout));
    let told = text(&output.stderr);
    let told: Vec<_> = told.lines().filter(|line| !line.contains(" searches in ")).collect();
    insta::assert_snapshot!("learn_stderr", told.join("\n"));
    let extensions = out.join("extensions.toml");
    insta::assert_snapshot!(
        "learn_extensions",
        fs::read_to_string(&extensions).unwrap().replace(env!("CARGO_PKG_VERSION"), "VERSION")
    );
    assert_eq!(fs::read_to_string(out.join("features.csv")).unwrap().lines().count(), 21);
    // Everything else accepts the file.
    let extensions = extensions.display().to_string();
    stdout(&["suite", "run", "--nodes", "100", "--extensions", &extensions]);
    stdout(&["explain", "--extensions", &extensions]);
}

#[test]
fn chess_leaves_out_what_the_thesis_leaves_out() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("one.epd");
    fs::write(&suite, "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8;\n").unwrap();
    for (name, options, expected) in [
        ("default", [].as_slice(), ["PcP-RdBb", "PcK-RdTt", "PcK-AcK", "PcK-AcQ"].as_slice()),
        ("none", &["--blacklist", "none"], &[]),
        ("empty", &["--blacklist", ""], &[]),
        ("other", &["--blacklist", "PcK-CcQ,Rc"], &["PcK-CcQ", "Rc"]),
    ] {
        let out = folder.path().join(name);
        let learn = ["learn", "--game", "chess", "--nodes", "10", "--max-evaluations", "1", "--suite"];
        let output = halfply().args(learn).arg(&suite).arg("--out").arg(&out).args(options).assert().success();
        let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        let found =
            told.lines().find_map(|line| line.strip_prefix("not tried: ")?.split_once(", nor")).map(|told| told.0);
        assert_eq!(found.map_or_else(Vec::new, |found| found.split(", ").collect()), expected, "{name}: {told}");
    }
}

#[test]
fn a_match_prints_its_score() {
    let (folder, table) = table_file("RdTt");
    let out = folder.path().join("match").display().to_string();
    let arguments = ["tournament", "run", "--a", &table, "--games", "20", "--nodes", "1000", "--out", &out];
    insta::assert_snapshot!(stdout(&arguments));
    // A longer match resumes with the games of the shorter one.
    let longer: Vec<_> = arguments.iter().map(|&word| if word == "20" { "24" } else { word }).collect();
    let told = halfply().args(&longer).assert().success().get_output().clone();
    assert!(String::from_utf8_lossy(&told.stderr).contains("4 games played"));
    let told = stdout(&[longer.as_slice(), &["--json"]].concat());
    let events: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let json = &events[events.len() - 1];
    assert_eq!((events.len(), &json["event"], &json["format"]), (26, &Value::from("end"), &Value::from(1)));
    assert_eq!(json["games"], 24);
    assert_eq!(json["players"][0]["pentanomial"].as_array().unwrap().iter().filter_map(Value::as_u64).sum::<u64>(), 12);
}

#[test]
fn refusals_say_what_where_and_what_to_do() {
    let (_folder, bad) = table_file("Ud-Zz");
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("bad.epd");
    fs::write(&suite, "8/7p/8/8/8/8/P7/8 w - - bm a2a5;\n").unwrap();
    let suite = suite.display().to_string();
    for (arguments, expected) in [
        (vec!["suite", "run", "--extensions", &bad], "table.toml:4: there is no atom \"Zz\""),
        (vec!["suite", "run", "/nowhere.epd"], "/nowhere.epd: cannot be read"),
        (vec!["suite", "run", &suite], "bad.epd:1: bm: a2a5 is not legal"),
        (vec!["suite", "run", "--evaluation", "magic"], "it has safe-advancement, advancement, piece-count"),
        (vec!["learn", "--groups", "mine"], "thesis (Skowronski 2009, Table 4.2), paper"),
        (vec!["learn", "--ply", "11"], "0 to 10"),
        (vec!["learn", "--ply", "0.5,x"], "invalid float"),
        (vec!["learn", "--ply", "0.333"], "ply 0.333: 0.333 has more than two decimals"),
        (vec!["learn", "--held-out", "1"], "held-out 1: the share of held-out positions is from 0 to 0.9"),
        (vec!["learn", "--significance", "5"], "a probability is from 0 to 1"),
        (vec!["learn", "--frequency-penalty=-1"], "not negative"),
        (vec!["learn", "--frequency-penalty", "nan"], "not negative"),
        (vec!["learn", "--repeats", "0"], "1 to 1000 times"),
        (vec!["learn", "--repeats", "2", "--profile", "full"], "it knows no seeds"),
        (vec!["describe", "nowhere.toml"], "nowhere.toml"),
        (vec!["learn", "--blacklist", "Ud-Q"], "blacklist Ud-Q: there is no atom \"Q\""),
        (vec!["tournament", "run", "--games", "3"], "games must be even"),
        (vec!["perft", "3", "--fen", "8/8 w"], "the board has 8 rows"),
        (vec!["perft", "0"], "error: <DEPTH> 0: expected an integer from 1 to 20"),
        (vec!["explain", "--moves", "e2e5"], "e2e5 is not legal"),
        (vec!["suite", "generate", "--plies", "4"], "odd number"),
        (vec!["tournament", "run", "--games", "18446744073709551614"], "from 2 to 1000000"),
        (vec!["tournament", "openings", "--count", "0"], "from 1 to 10000000"),
        (vec!["suite", "run", "--nodes", "0"], "error: --nodes 0: expected an integer of at least 1"),
        (vec!["learn", "--max-evaluations", "0"], "at least 1"),
        (vec!["suite", "generate", "--count", "100000", "--out", "/nowhere/x.epd"], "x.epd: cannot be written"),
        (vec!["tournament", "run", "--game", "chess", "--evaluation-b", "x"], "it has classical, material, network"),
        (vec!["suite", "run", "--nodes", "10kb"], "error: --nodes 10kb: expected an integer"),
        (vec!["suite", "run", "--hash", "5G", "--profile", "full"], "--hash 5G: expected an integer from 1 to 65536"),
        (vec!["suite", "run", "--profile", "fast"], "error: --profile fast: it is one of plain, full"),
        (vec!["suite", "run", "--profile", "full", "--set", "nullmove=1"], "did you mean null_move?"),
        (vec!["learn", "--ply", "0.5,x"], "error: --ply x: invalid float literal"),
        (vec!["fly"], "error: unrecognized subcommand"),
        (
            vec!["suite", "run", "--extensions", "Ud@0.5"],
            "--extensions Ud@0.5: there is no such file; name a file that has",
        ),
    ] {
        let reason = refusal(&arguments);
        assert!(reason.contains(expected), "{arguments:?}\n{reason}");
        assert!(reason.starts_with("error: "), "{arguments:?}\n{reason}");
        assert!(!reason.contains("panicked"));
    }
}

/// `halfply perft 5 | head -1`: who closes the pipe has read enough.
#[test]
fn a_closed_pipe_is_no_error() {
    use std::process::{Command, Stdio};
    let mut process = Command::new(env!("CARGO_BIN_EXE_halfply"))
        .args(["perft", "5"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(process.stdout.take());
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    // What was found still decides the status.
    let mut process = Command::new(env!("CARGO_BIN_EXE_halfply"))
        .args(["suite", "run", "--nodes", "1000", "--min-solved", "303"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(process.stdout.take());
    assert_eq!(process.wait().unwrap().code(), Some(1));
}

#[test]
fn counts_are_read_as_people_type_them() {
    let nodes = |text: &str| {
        let json: Value =
            serde_json::from_str(&stdout(&["suite", "run", "suites/ecm102.epd", "--json", "--nodes", text])).unwrap();
        json["node_limit"].as_u64()
    };
    for text in ["2k", "2_000", "2e3", "0.002M"] {
        assert_eq!(nodes(text), Some(2000), "{text}");
    }
    let folder = tempfile::tempdir().unwrap();
    let definition = folder.path().join("t.toml");
    let text = "format = 1\ngame = \"breakthrough\"\ngames = 2\n[defaults]\nnodes = \"0.1k\"\n\
                [[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\nextend = \"Ud@0.5\"\n";
    fs::write(&definition, text).unwrap();
    let run = |path: &str| halfply().current_dir(&folder).args(["tournament", "run", path]).assert();
    let output = run("t.toml").success().get_output().stdout.clone();
    assert!(String::from_utf8_lossy(&output).contains("extensions none, 100 nodes a move"));
    fs::write(&definition, text.replace("\"0.1k\"", "\"many\"")).unwrap();
    let output = run("t.toml").code(2).get_output().stderr.clone();
    let reason = String::from_utf8_lossy(&output);
    assert!(reason.starts_with("error: t.toml:5: ") && reason.contains("expected a count, such as 500"), "{reason}");
}

#[test]
fn runs_latest_is_the_newest_run_that_will_do() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| {
        let output = halfply().current_dir(&folder).args(words.split(' ')).output().unwrap();
        let [result, told] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.code(), result, told)
    };
    let (code, _, told) = run("suite run --extensions runs/latest");
    assert_eq!(code, Some(2));
    insta::assert_snapshot!("no_run_is_there", told);
    for seed in ["1", "2"] {
        assert_eq!(run(&format!("learn --nodes 100 --max-evaluations 5 --seed {seed}")).0, Some(0));
    }
    let folders = fs::read_dir(folder.path().join("runs")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut folders: Vec<_> = folders.map(|name| name.into_string().unwrap()).collect();
    folders.retain(|name| name.starts_with("learn-"));
    assert_eq!(folders.len(), 2);
    let (code, result, told) = run("suite run --nodes 10 --extensions runs/latest");
    assert_eq!(code, Some(0), "{told}");
    let newest = told.lines().next().unwrap().strip_prefix("runs/latest: runs/").unwrap().to_owned();
    assert!(newest.ends_with("/extensions.toml") && result.contains("302"), "{told}");
    let learned_last = fs::read_to_string(folder.path().join("runs").join(&newest)).unwrap();
    assert!(learned_last.contains("seed 2"), "{learned_last}");
    // A tournament is newer, and has no table.
    let (code, _, told) = run("tournament run --a runs/latest --evaluation-b advancement --games 2 --nodes 10");
    assert_eq!(code, Some(0), "{told}");
    assert!(run("describe runs/latest").2.contains(&newest));
    let (code, _, told) = run("tournament stats runs/latest");
    assert!(code == Some(0) && told.starts_with("runs/latest: runs/tournament-breakthrough-"), "{told}");
    // The folder alone.
    assert_eq!(run(&format!("explain --extensions runs/{}", folders[0])).0, Some(0));

    // Two folders in a row may be the value of an option and an argument.
    let played = told.lines().next().unwrap().strip_prefix("runs/latest: ").unwrap().trim_end_matches("/journal.jsonl");
    fs::create_dir(folder.path().join("old")).unwrap();
    let (code, _, told) = run(&format!("review --nodes 10 --out old {played}"));
    assert_eq!(code, Some(0), "{told}");
}

#[test]
fn atoms_are_listed_with_their_meanings() {
    let chess = stdout(&["atoms", "--game", "chess"]);
    let list = stdout(&["atoms"]);
    assert!(chess.lines().chain(list.lines()).all(|line| line.chars().count() <= 80), "{chess}\n{list}");
    insta::assert_snapshot!(chess);
    assert!(list.contains("Ud ") && list.contains("Rdb RdBb RdBt Rdt RdTb RdTt"), "{list}");
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    use clap::ValueEnum;
    for shell in clap_complete::Shell::value_variants() {
        let script = stdout(&["completions", &shell.to_string()]);
        assert!(script.contains("tournament") && script.contains("max-evaluations"), "{shell}: {script}");
    }
    assert!(stdout(&["man"]).contains(".SH SUBCOMMANDS"));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("man1");
    stdout(&["man", "--out", &out.display().to_string()]);
    for page in ["halfply.1", "halfply-learn.1", "halfply-learn-brute-force.1", "halfply-tournament-run.1"] {
        assert!(fs::read_to_string(out.join(page)).unwrap().contains(".TH halfply"), "{page}");
    }
}

/// The version alone, or with the commit where the program is built in a repository.
#[test]
fn the_version_names_the_commit_where_there_is_one() {
    let version = stdout(&["--version"]);
    let rest = version.trim_end().strip_prefix(concat!("halfply ", env!("CARGO_PKG_VERSION"))).unwrap();
    let named = rest.strip_prefix(" (").and_then(|rest| rest.strip_suffix(')'));
    // HEAD may have moved since the build.
    let is_repository = build_script::commit(Path::new(env!("CARGO_MANIFEST_DIR"))).is_some();
    assert_eq!(named.is_some(), is_repository, "{version}");
    let is_hash = |hash: &str| hash.len() >= 9 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(named.map_or(rest.is_empty(), is_hash), "{version}");
}

#[test]
fn only_the_repository_s_own_folder_has_a_commit() {
    let git = |folder: &Path, words: &str| {
        let mut git = std::process::Command::new("git");
        git.current_dir(folder).args(["-c", "user.name=x", "-c", "user.email=x@x"]).args(words.split(' '));
        git.output().is_ok_and(|output| output.status.success())
    };
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("vendor/halfply");
    fs::create_dir_all(&inner).unwrap();
    assert_eq!(build_script::commit(folder.path()), None, "no repository");
    assert_eq!(build_script::commit(&folder.path().join("nowhere")), None);
    if !git(folder.path(), "init -q") {
        return; // Without git there is nothing more to try.
    }
    assert_eq!(build_script::commit(folder.path()), None, "no commit yet");
    assert!(git(folder.path(), "commit -q --allow-empty -m one"));
    let commit = build_script::commit(folder.path()).unwrap();
    assert!(commit.len() >= 9 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{commit}");
    assert_eq!(build_script::commit(&inner), None, "another project's repository");
    // A commit and a checkout each change one of the files that cargo looks at, and all of them exist.
    let state = || {
        let files = build_script::files_of_head(folder.path());
        assert!(files.iter().all(|file| file.exists()));
        files.iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>()
    };
    for words in
        ["commit -q --allow-empty -m two", "checkout -q -b other", "pack-refs --all", "commit -q --allow-empty -m 3"]
    {
        let before = state();
        assert!(git(folder.path(), words));
        assert_ne!(state(), before, "{words}");
    }
}

#[test]
fn what_is_logged_is_in_the_style_of_errors() {
    let folder = tempfile::tempdir().unwrap();
    let learn = || {
        let mut command = halfply();
        command.current_dir(&folder).args(["learn", "--nodes", "10", "--max-evaluations", "1"]).env("RUST_LOG", "info");
        String::from_utf8(command.assert().success().get_output().stderr.clone()).unwrap()
    };
    // Under `nohup` it is also told that a signal stays ignored.
    let line = |told: &str| told.lines().find(|line| line.starts_with("info: runs/")).map(str::to_owned);
    assert_eq!(line(&learn()), None);
    let told = line(&learn()).unwrap();
    assert!(
        told.starts_with("info: runs/searches-breakthrough-") && told.contains("resuming with 302 results"),
        "{told}"
    );
}
