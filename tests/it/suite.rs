// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite run` with everything that can be chosen, against baselines, and `suite filter` by tables.

use std::fs;
use std::path::{Path, PathBuf};

use halfply_engine::games::{Chess, RegisteredGame};
use serde_json::Value;

use crate::support::{halfply, refusal, stdout};

/// Three mates in one and a position that no search of a few nodes can solve: its "best" move is a bad one.
const CHESS: &str = "\
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8; id \"back rank\";
7k/8/5KQ1/8/8/8/8/8 w - - bm Qg7; id \"queen\";
k7/8/1K6/8/8/8/8/7R w - - bm Rh8; id \"rook\";
6k1/5ppp/8/8/8/8/8/R5K1 b - - am h6; bm g6; id \"luft\";
";

/// A folder with files in it, by their paths.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.name(name)
    }

    /// A text with the folder's name out of it.
    fn anywhere(&self, text: &str) -> String {
        text.replace(&self.0.path().display().to_string(), "FOLDER")
    }
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[arguments, &["--json"]].concat())).unwrap()
}

/// Exit status and stdout.
fn outcome(arguments: &[&str]) -> (Option<i32>, String) {
    let output = halfply().args(arguments).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from} is not in {text}");
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn the_game_is_that_of_the_file() {
    let folder = Folder::new();
    let chess = folder.write("c.epd", &format!("# a comment\n\n{CHESS}"));
    let breakthrough = folder.write("b.epd", "8/7p/8/8/8/8/P7/8 w - - bm a2a3;\n");
    for (file, expected) in [(&chess, "chess"), (&breakthrough, "breakthrough")] {
        let run = ["suite", "run", file, "--nodes", "100"];
        assert_eq!(json(&run)["game"], expected);
        assert_eq!(json(&[&run[..], &["--game", expected]].concat())["game"], expected);
        assert!(stdout(&["suite", "filter", file, "--nodes", "100"]).contains(&format!("--game {expected} ")));
    }
    // Who names a game gets it, or is told why not.
    let reason = refusal(&["suite", "run", &chess, "--game", "breakthrough"]);
    assert!(reason.contains("c.epd:3: "), "{reason}");
    assert_eq!(json(&["suite", "run", "--nodes", "10"])["game"], "breakthrough");
    assert_eq!(json(&["suite", "run", "--nodes", "10", "--game", "chess"])["suite"], "suites/ecm102.epd");
}

#[test]
fn what_is_not_solved_counts_the_limit() {
    let folder = Folder::new();
    let suite = folder.write("c.epd", CHESS);
    let report = json(&["suite", "run", &suite, "--nodes", "1000"]);
    let results = report["results"].as_array().unwrap();
    for name in ["nodes_first_found", "nodes_found_and_kept"] {
        let count = |result: &Value| result[name].as_u64().unwrap_or(1000);
        assert_eq!(report[name].as_u64(), Some(results.iter().map(count).sum()), "{name}");
    }
    assert_eq!(
        (&report["node_limit"], &report["movetime"], &report["reproducible"]),
        (&1000.into(), &Value::Null, &true.into())
    );
}

#[test]
fn searches_by_the_clock_say_so() {
    let folder = Folder::new();
    let suite = folder.write("c.epd", CHESS);
    let text = stdout(&["suite", "run", &suite, "--movetime", "5"]);
    assert!(text.contains(" plain, 5 ms "), "{text}");
    assert!(text.ends_with("searched by the clock: another run may solve others\n"), "{text}");
    let report = json(&["suite", "run", &suite, "--movetime", "5"]);
    assert_eq!(
        (&report["node_limit"], &report["movetime"], &report["reproducible"]),
        (&Value::Null, &5.into(), &false.into())
    );
    // Whichever limit comes first.
    let report = json(&["suite", "run", &suite, "--movetime", "60000", "--nodes", "200"]);
    assert!(report["results"].as_array().unwrap().iter().all(|result| result["nodes"].as_u64() <= Some(200)));
}

#[test]
fn the_full_search_is_set_up_by_options_and_file() {
    let folder = Folder::new();
    let suite = folder.write("c.epd", CHESS);
    let file = folder.write("p.toml", "null_move = false\nlate_move_base = 7\n");
    let tuned = json(&["suite", "run", &suite, "--nodes", "1000", "--profile", "full"]);
    assert_eq!(tuned["parameters"], serde_json::json!(Chess::TUNED.non_default()), "those for the network");
    let full = ["suite", "run", &suite, "--nodes", "1000", "--profile", "full", "--evaluation", "classical"];
    let report = json(&full);
    assert_eq!(
        (&report["profile"], &report["hash"], &report["parameters"]),
        (&"full".into(), &16.into(), &serde_json::json!({}))
    );
    let set = ["--hash", "2", "--parameters", &file, "--set", "late_move_base=8", "--set", "Killers=false"];
    let report = json(&[&full[..], &set].concat());
    assert_eq!(report["hash"], 2);
    let expected = serde_json::json!({ "null_move": "false", "late_move_base": "8", "killers": "false" });
    assert_eq!(report["parameters"], expected);
    let text = stdout(&[&full[..], &set, &["--wide"]].concat());
    assert!(text.contains(" full, 2 MiB, killers=false, late_move_base=8, null_move=false, 1,000 nodes "), "{text}");
    let text = stdout(&[&full[..], &set].concat());
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    assert_eq!(json(&full[..5])["hash"], Value::Null);
    // One thread or three: every position has a search of its own.
    let threads = |count| stdout(&[&full[..], &["--verbose", "--threads", count]].concat());
    assert_eq!(threads("1"), threads("3"));
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let folder = Folder::new();
    let broken = folder.write("broken.toml", "null_move = false\nkillers =\n");
    let unknown = folder.write("unknown.toml", "nul_move = false\n");
    let full = ["suite", "run", "--nodes", "10", "--profile", "full"];
    for (options, expected) in [
        (["--set", "null_move=2"], "--set null_move=2: null_move is a switch: true or false"),
        (["--set", "nothing"], "name=value"),
        (["--parameters", &broken], "broken.toml:2: "),
        (["--parameters", &unknown], "unknown.toml:1: there is no search parameter nul_move; did you mean null_move?"),
        (["--parameters", "/nowhere.toml"], "/nowhere.toml: cannot be read"),
        (["--hash", "0"], "from 1 to 65536"),
    ] {
        let reason = refusal(&[&full[..], &options].concat());
        assert!(reason.contains(expected), "{options:?}\n{reason}");
    }
    for options in [["--hash", "4"], ["--set", "null_move=false"], ["--parameters", &unknown]] {
        let reason = refusal(&[&["suite", "run", "--nodes", "10"], &options[..]].concat());
        assert!(reason.contains("add --profile full"), "{reason}");
    }
}

#[test]
fn a_baseline_tells_gained_and_lost() {
    let folder = Folder::new();
    let suite = folder.write("c.epd", CHESS);
    let baseline = folder.name("base.json");
    let run = ["suite", "run", &suite, "--nodes", "2000"];
    stdout(&[&run[..], &["--write-baseline", &baseline]].concat());
    let written: Value = serde_json::from_str(&fs::read_to_string(&baseline).unwrap()).unwrap();
    assert_eq!(written["ids"], serde_json::json!(["back rank", "queen", "rook"]));
    let against = [&run[..], &["--baseline", &baseline]].concat();
    let (code, text) = outcome(&against);
    assert_eq!(code, Some(0));
    assert!(folder.anywhere(&text).ends_with("\n0 gained, 0 lost; FOLDER/base.json solves 3\n"), "{text}");

    // Both counts of nodes to solution are kept, and files that are older than the counts are read.
    let counts = ["nodes_first_found", "nodes_found_and_kept"].map(|name| written[name].as_u64().unwrap());
    let report = json(&against);
    assert_eq!([&report["nodes_first_found"], &report["nodes_found_and_kept"]], counts);
    assert_eq!(report["baseline"]["nodes_found_and_kept"], counts[1]);
    let text = fs::read_to_string(&baseline).unwrap();
    let old: Vec<&str> = text.lines().filter(|line| !line.contains("\"nodes_f")).collect();
    fs::write(&baseline, old.join("\n")).unwrap();
    assert_eq!(json(&against)["baseline"]["nodes_first_found"], Value::Null);

    // As if another search had solved the last one instead of the second.
    edit(Path::new(&baseline), "\"queen\"", "\"luft\"");
    let (code, text) = outcome(&against);
    assert_eq!(code, Some(0), "what counts is how many");
    // The first table is as wide as the folder's name is long.
    let (_, comparison) = text.split_once("\n\n").unwrap();
    insta::assert_snapshot!("a_baseline_exchanged", folder.anywhere(comparison));

    // As if it had solved all.
    edit(Path::new(&baseline), "\"rook\"", "\"rook\", \"queen\"");
    edit(Path::new(&baseline), "\"solved\": 3", "\"solved\": 4");
    let output = halfply().args(&against).assert().code(1).get_output().clone();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("halfply: 3 solved, 1 fewer than the baseline; --tolerance is 0"), "{told}");
    assert_eq!(outcome(&[&against[..], &["--tolerance", "1"]].concat()).0, Some(0));
    let output = halfply().args(&against).arg("--json").assert().code(1).get_output().clone();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["baseline"]["solved"], &report["baseline"]["lost"]), (&4.into(), &serde_json::json!(["luft"])));

    // The page is written whatever the exit status is.
    let page = folder.name("page.html");
    halfply().args(&against).args(["--page", &page]).assert().code(1);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("3 of 4 positions are solved, 0 gained and 1 lost since"), "{page}");
    assert!(page.contains("<b>luft</b>"), "{page}");
}

#[test]
fn a_baseline_of_something_else_is_refused() {
    let folder = Folder::new();
    let suite = folder.write("c.epd", CHESS);
    let other = folder.write("d.epd", CHESS.split_once('\n').unwrap().1);
    let moved = folder.write("elsewhere.epd", CHESS);
    let baseline = folder.name("base.json");
    stdout(&["suite", "run", &suite, "--nodes", "100", "--write-baseline", &baseline]);
    let against = |suite: &str, options: &[&str]| {
        let mut arguments = vec!["suite", "run", suite, "--baseline", &baseline];
        arguments.extend(options);
        refusal(&arguments)
    };
    for (suite, options, expected) in [
        (&suite, ["--nodes", "200"].as_slice(), "nodes was 100 and is 200"),
        (&other, &["--nodes", "100"], "the suite is another one, or has changed"),
        (&suite, &["--nodes", "100", "--profile", "full"], "profile was plain and is full"),
        (&suite, &["--nodes", "100", "--seed", "2"], "seed was 1 and is 2"),
        (&suite, &["--nodes", "100", "--evaluation", "material"], "evaluation was classical and is material"),
        (&suite, &["--nodes", "100", "--movetime", "5"], "cannot be used with"),
    ] {
        let reason = against(suite, options);
        assert!(reason.contains(expected), "{options:?}\n{reason}");
    }
    // No refusal is JSON, and a flag compares all the same.
    let reason = against(&suite, &["--nodes", "100", "--profile", "full", "--set", "null_move=false"]);
    assert!(reason.contains("hash was not set and is 16"), "{reason}");
    assert!(!reason.contains(['{', '"']) && reason.contains("--other-options"), "{reason}");
    let arguments = ["suite", "run", &suite, "--nodes", "200", "--baseline", &baseline, "--other-options"];
    let output = halfply().args(arguments).assert().get_output().clone();
    assert!(String::from_utf8_lossy(&output.stdout).contains("0 lost; "), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("nodes was 100 and is 200"), "{output:?}");
    assert!(against(&other, &["--nodes", "100", "--other-options"]).contains("of other positions"));
    stdout(&["suite", "run", &moved, "--nodes", "100", "--baseline", &baseline]);
    let reason = refusal(&["suite", "run", &suite, "--nodes", "100", "--tolerance", "1"]);
    assert!(reason.contains("--baseline"), "{reason}");
    let reason = refusal(&["suite", "run", &suite, "--nodes", "100", "--baseline", &suite]);
    assert!(reason.contains("c.epd:1: this is not a baseline"), "{reason}");
    // Before the work, not after it.
    let reason = refusal(&["suite", "run", &suite, "--nodes", "1000000000000", "--write-baseline", "/nowhere/b.json"]);
    assert!(reason.contains("b.json: cannot be written"), "{reason}");
}

/// The chess baseline in the repository is of the suite beside it; `.ci/run` runs it.
#[test]
fn the_committed_baseline_is_of_the_committed_suite() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let name = "suites/baselines/ecm-5000-full.json";
    let baseline = halfply_lab::suite::Baseline::parse(&read(name), name).unwrap();
    let suite =
        halfply_lab::suite::Suite::<halfply_engine::games::Chess>::parse(&read("suites/ecm.epd"), "ecm.epd").unwrap();
    assert_eq!((baseline.positions, &baseline.terms.digest), (879, &suite.digest));
}

#[test]
fn a_filter_by_tables_keeps_what_one_of_them_solves() {
    let folder = Folder::new();
    let suite = "suites/breakthrough-7ply.epd";
    let table = |name: &str, feature: &str| {
        let row = format!("[[extension]]\nfeature = \"{feature}\"\nply = 0.5\n");
        folder.write(name, &format!("format = 1\ngame = \"breakthrough\"\n{row}"))
    };
    let (half, safe) = (table("half.toml", "Rdt"), table("safe.toml", "Ud-RdTb"));
    let filter = |tables: &[&str]| {
        let mut arguments = vec!["suite", "filter", suite, "--nodes", "5000", "--seeds", "5,6"];
        arguments.extend(tables.iter().flat_map(|table| ["--solved-with", table]));
        stdout(&arguments)
    };
    let solved = |seed: &str, extensions: &[&str]| {
        let report = json(&[&["suite", "run", suite, "--nodes", "5000", "--seed", seed], extensions].concat());
        (0..302).map(|index: usize| report["results"][index]["solved"] == true).collect::<Vec<_>>()
    };
    let without = ["5", "6"].map(|seed| solved(seed, &[]));
    let with = |table: &str| ["5", "6"].map(|seed| solved(seed, &["--extensions", table]));
    let (by_half, by_safe) = (with(&half), with(&safe));
    let all = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(suite)).unwrap();
    let lines: Vec<&str> = all.lines().filter(|line| !line.starts_with('#')).collect();
    let expected = |tables: &[&[Vec<bool>; 2]]| {
        let keeps = |&place: &usize| {
            without.iter().all(|solved| !solved[place])
                && tables.iter().any(|seeds| seeds.iter().all(|solved| solved[place]))
        };
        (0..302).filter(keeps).map(|place| lines[place]).collect::<Vec<_>>()
    };
    let (one, both) = (filter(&[&half]), filter(&[&half, &safe]));
    let [kept_by_one, kept_by_both] =
        [&one, &both].map(|text| text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>());
    assert_eq!(kept_by_one, expected(&[&by_half]));
    assert_eq!(kept_by_both, expected(&[&by_half, &by_safe]));
    assert!(!kept_by_one.is_empty() && kept_by_one.len() <= kept_by_both.len());
    let comments: Vec<_> = both.lines().filter(|line| line.starts_with('#')).collect();
    let [.., command, first, second] = comments[..] else { panic!("{comments:?}") };
    assert!(command.contains(" --seeds 5,6 --solved-with half.toml --solved-with safe.toml: "), "{command}");
    assert!(command.ends_with(" of 302 are hard, and solved with a table"), "{command}");
    assert_eq!((first, second), ("# half.toml: Rdt@0.5", "# safe.toml: Ud-RdTb@0.5"));
}

#[test]
fn what_was_tolerated_is_said_once() {
    let folder = Folder::new();
    let suite = folder.write(
        "eret.epd",
        "r1b2r1k/ppp2ppp/8/4p3/2BPQ3/P3P1K1/1B3PPP/n3q1NR w - - bm dxe5, Nf3; id \"ERET 011\";\n\
         8/2P1P3/b1B2p2/1pPRp3/2k3P1/P4pK1/nP3p1p/N7 w - - bm e8N; id \"ERET 089\";\n\
         8/6p1/3k4/3p1p1p/p2K1P1P/4P1P1/P7/8 b - - bm g6, Kc6; id \"ERET 091\";\n",
    );
    let expected = "eret.epd: accepted though not standard: commas between moves (2, first in line 1), promotions without \"=\" (line 2)";
    let output = halfply().args(["suite", "run", &suite, "--nodes", "10"]).assert().success().get_output().clone();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told.matches(expected).count(), 1, "{told}");
    // What is kept of the file stands as it was.
    let kept = stdout(&["suite", "filter", &suite, "--nodes", "10"]);
    assert!(kept.contains("bm dxe5, Nf3;"), "{kept}");
    // Suites by the standard are not talked about.
    let output = halfply().args(["suite", "run", "--game", "chess", "--nodes", "1"]).assert().get_output().clone();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("accepted though not standard"));
}

/// Two positions in the form of the Strategic Test Suite; mates, so that every search solves the first.
const STS: &str = r#"6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8; id "STS(v1.0) Mates.001"; c0 "Ra8#=10, Ra7=3"; c7 "Ra8# Ra7"; c8 "10 3"; c9 "a1a8 a1a7";
7k/8/5KQ1/8/8/8/8/8 w - - bm Kf7; id "STS(v1.0) Mates.002"; c0 "Kf7=10, Qg7#=4"; c7 "Kf7 Qg7#"; c8 "10 4"; c9 "f6f7 g6g7";
"#;

#[test]
fn points_are_counted_where_they_are_asked_for() {
    let folder = Folder::new();
    let suite = folder.write("sts.epd", STS);
    let run = ["suite", "run", &suite, "--nodes", "2000"];
    let report = json(&[&run[..], &["--points"]].concat());
    assert_eq!((&report["solved"], &report["results"][1]["move"]), (&1.into(), &"g6g7".into()));
    assert_eq!(report["points"], serde_json::json!({ "total": 14, "possible": 20 }));
    assert_eq!([&report["results"][0]["points"], &report["results"][1]["points"]], [10, 4]);
    let text = stdout(&[&run[..], &["--points", "--verbose"]].concat());
    assert!(text.contains(" 14 of 20 (70.00%) ") && text.contains("| points |"), "{text}");
    let text = stdout(&[&run[..], &["--verbose"]].concat());
    assert!(!text.contains("points"), "{text}");
    assert_eq!(json(&run)["points"], Value::Null);
    // Comments are no points, and that is no mistake unless points are asked for.
    let suite = folder.write("c.epd", &STS.replace("c8", "c1").replace("c0", "c2"));
    let run = ["suite", "run", &suite, "--nodes", "10"];
    assert_eq!(json(&run)["positions"], 2);
    let reason = refusal(&[&run[..], &["--points"]].concat());
    assert!(reason.contains("c.epd:1: points (c8) and their moves (c9, or c7) are missing"), "{reason}");
}
