// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs whose units other processes work come to the same bytes as runs of one process, whatever is killed meanwhile.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::process::{grows, kill, lines};
use crate::resume::{BEYOND, contents, finish, words};
use crate::support::{halfply, refusal};

/// A run through a spool folder.
struct Distributed<'a> {
    arguments: &'a [&'a str],
    folder: PathBuf,
    out: PathBuf,
}

impl<'a> Distributed<'a> {
    fn new(arguments: &'a [&'a str], folder: &Path) -> Self {
        Self { arguments, folder: folder.join("spool"), out: folder.join("distributed") }
    }

    /// Starts the run once more: its exit status and stdout.
    fn go_on(&self) -> (i32, String) {
        let mut command = halfply();
        command.args(self.arguments).arg("--out").arg(&self.out).arg("--spool").arg(&self.folder);
        let output = command.output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        let code = output.status.code().unwrap();
        assert!(matches!(code, 0 | 1 | 3), "{}", String::from_utf8_lossy(&output.stderr));
        (code, stdout.replace(&self.out.display().to_string(), "FOLDER"))
    }

    fn manifest(&self) -> PathBuf {
        self.folder.join("manifest.json")
    }

    fn worker(&self, shard: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_halfply"));
        command.args(["work", "--shard", shard, "--manifest"]).arg(self.manifest());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn work(&self, shard: &str) {
        assert!(self.worker(shard).status().unwrap().success(), "{shard}");
    }

    /// Kills a worker when it has done some of its units.
    fn kill(&self, shard: &str) {
        let mut process = self.worker(shard).spawn().unwrap();
        let done = || self.partial().map_or(0, |path| lines(&path));
        assert!(grows(&mut process, 4, done), "it ended before it could be killed");
        kill(process);
    }

    /// The results that a worker has not finished yet.
    fn partial(&self) -> Option<PathBuf> {
        let mut files = fs::read_dir(self.folder.join("results")).ok()?.map(|entry| entry.unwrap().path());
        files.find(|path| path.extension().is_some_and(|extension| extension == "partial"))
    }

    /// Runs to the end: the exit status, stdout and the number of rounds.
    fn finish(&self) -> (i32, String, usize) {
        for round in 0..200 {
            let (code, output) = self.go_on();
            if code != 3 {
                assert!(!self.manifest().exists(), "there is nothing left to work");
                return (code, output, round);
            }
            if round == 0 {
                self.kill("2/3");
                // What is whole counts, what is not does not; the same units are still wanted, but for the first ones.
                self.work("1/3");
                assert_eq!(self.go_on().0, 3);
                self.kill("1/2");
            }
            for shard in ["2/2", "1/2", "2/2"] {
                self.work(shard);
            }
        }
        panic!("it does not come to an end");
    }
}

/// One process, and several of which some are killed: the same. Returns the folder and the number of rounds.
pub fn comes_to_the_same(arguments: &[&str]) -> (TempDir, usize) {
    let (folder, local, distributed, rounds) = both(arguments, &[]);
    assert_eq!(contents(&distributed), contents(&local));
    (folder, rounds)
}

/// The same of a run that may end before a list of units does: then the threads of one process may have finished units
/// beyond the end, which count for nothing. Workers elsewhere have, too, but those results do not reach the journal.
fn ends_at_the_same(arguments: &[&str], options: &[&str]) -> (Vec<String>, usize) {
    let (_folder, local, distributed, rounds) = both(arguments, options);
    let mut units = Vec::new();
    let both = contents(&distributed).into_iter().zip(contents(&local));
    for ((name, distributed), (local_name, local)) in both {
        assert_eq!(name, local_name);
        if name == "journal.jsonl" {
            let local: HashSet<&str> = local.lines().collect();
            assert!(distributed.lines().all(|line| local.contains(line)));
            units = distributed.lines().skip(1).map(str::to_owned).collect();
        } else if name != "games.pgn" {
            assert_eq!(distributed, local, "{name}");
        }
    }
    (units, rounds)
}

/// Runs in one process and in several, which say the same: all folders, those of both runs, and the number of rounds.
fn both(arguments: &[&str], options: &[&str]) -> (TempDir, PathBuf, PathBuf, usize) {
    let folder = tempfile::tempdir().unwrap();
    let local = folder.path().join("local");
    let expected = finish(arguments, &local, "1");
    let arguments = [arguments, options].concat();
    let distributed = Distributed::new(&arguments, folder.path());
    let (code, output, rounds) = distributed.finish();
    assert_eq!((code, output), (0, expected));
    (folder, local, distributed.out, rounds)
}

#[test]
fn learning_is_distributed() {
    let (_folder, rounds) = comes_to_the_same(&["learn", "--nodes", "3000", "--max-evaluations", "30"]);
    // A round a level: all features of a level are handed out together.
    assert_eq!(rounds, 2);
}

#[test]
fn learning_beyond_the_papers_is_distributed() {
    comes_to_the_same(&words(BEYOND));
}

#[test]
fn early_rejection_is_distributed() {
    let learn = ["learn", "--nodes", "1000", "--max-evaluations", "40", "--early-rejection"];
    let (units, _) = ends_at_the_same(&learn, &["--round", "4000"]);
    assert!(units.len() < 40 * 302, "nothing was rejected early");
}

#[test]
fn brute_force_is_distributed() {
    let learn = "learn brute-force --max-atoms 2 --nodes 100 --max-evaluations 24 --profile full --hash 1 --set null_move=false";
    let (_folder, rounds) = comes_to_the_same(&words(learn));
    assert_eq!(rounds, 3);
}

#[test]
fn a_match_is_distributed() {
    let folder = tempfile::tempdir().unwrap();
    let table = table(folder.path(), 0.5);
    comes_to_the_same(&["tournament", "run", "--a", &table, "--games", "40", "--nodes", "3000"]);
}

/// A round an iteration: the values of the next one depend on its games.
#[test]
fn tuning_by_games_is_distributed() {
    let spsa = "learn spsa --profile full --hash 1 --parameter null_move_depth,int,300,100,1000,60,0.5 --parameter \
                Ud-Rdt,float,0.75,0.1,1.5,0.1,0.5 --games 96 --pairs 16 --nodes 100";
    let (_folder, rounds) = comes_to_the_same(&words(spsa));
    assert_eq!(rounds, 3);
}

fn table(folder: &Path, ply: f64) -> String {
    let table = folder.join("a.toml");
    let text = format!("format = 1\ngame = \"breakthrough\"\n[[extension]]\nfeature = \"RdTt\"\nply = {ply}\n");
    fs::write(&table, text).unwrap();
    table.display().to_string()
}

/// Games beyond the decision of a sequential test may have been played elsewhere; they do not count and are not kept.
#[test]
fn a_sequential_test_ends_where_it_would_in_one_process() {
    let games = ["tournament", "run", "--nodes", "100", "--profile", "full", "--hash", "1", "--a"];
    let folder = tempfile::tempdir().unwrap();
    let table = table(folder.path(), 0.0);
    let arguments = [&games[..], &[&table, "--games", "400", "--sprt=-400,-300"]].concat();
    let (games, rounds) = ends_at_the_same(&arguments, &["--round", "30"]);
    assert!(rounds >= 1 && (2..400).contains(&games.len()), "{rounds} rounds, {} games", games.len());
}

#[test]
fn an_experiment_is_distributed() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.toml");
    let text = "format = 1\ntitle = \"A test\"\ngame = \"breakthrough\"\nnodes = 300\n[[run]]\nname = \"one\"\n\
                recipe = { max_evaluations = 20 }\n[[run]]\nname = \"two\"\nrecipe = { max_evaluations = 20, epsilon = 1 }\n";
    fs::write(&plan, text).unwrap();
    comes_to_the_same(&["experiment", &plan.display().to_string()]);
}

/// A run that waits, and its folder.
fn waiting(nodes: &str) -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let [out, spool] = ["out", "spool"].map(|name| folder.path().join(name).display().to_string());
    let arguments = ["learn", "--max-evaluations", "1", "--nodes", nodes, "--out", &out, "--spool", &spool];
    let arguments: Vec<String> = arguments.map(str::to_owned).into();
    let output = halfply().args(&arguments).assert().code(3).get_output().clone();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("302 units are needed next") && told.contains("halfply work --manifest"), "{told}");
    assert!(output.stdout.is_empty());
    (folder, arguments)
}

fn refused(arguments: &[String]) -> String {
    refusal(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn work(folder: &Path, more: &[&str]) -> Vec<String> {
    let manifest = folder.join("spool/manifest.json").display().to_string();
    ["work", "--manifest", &manifest].iter().chain(more).map(|&word| word.to_owned()).collect()
}

/// Even if it needs the same units: the first one's workers would find its manifest changed or gone.
#[test]
fn a_spool_is_of_one_run() {
    let (folder, mut arguments) = waiting("100");
    let manifest = folder.path().join("spool/manifest.json");
    let before = fs::read(&manifest).unwrap();
    let place = arguments.iter().position(|word| word == "--out").unwrap() + 1;
    arguments[place] += "-of-another";
    let reason = refused(&arguments);
    assert!(reason.contains("manifest.json: cannot be written (it is the manifest of another run"), "{reason}");
    assert_eq!(fs::read(&manifest).unwrap(), before);
}

#[test]
fn results_of_other_runs_and_damaged_ones_are_refused() {
    let (one, learn_one) = waiting("100");
    let (two, learn_two) = waiting("200");
    for folder in [&one, &two] {
        halfply().args(work(folder.path(), &[])).assert().success();
    }
    let result = |folder: &TempDir| {
        let results = fs::read_dir(folder.path().join("spool/results")).unwrap();
        results.map(|entry| entry.unwrap().path()).next().unwrap()
    };
    let foreign = one.path().join("spool/results/foreign.jsonl");
    fs::copy(result(&two), &foreign).unwrap();
    let reason = refused(&learn_one);
    assert!(reason.contains("foreign.jsonl") && reason.contains("nodes was 200 and is 100"), "{reason}");
    // Nothing of it was taken: the journal has its header alone.
    assert_eq!(fs::read_to_string(one.path().join("out/journal.jsonl")).unwrap().lines().count(), 1);
    fs::remove_file(foreign).unwrap();
    halfply().args(&learn_one).assert().success();

    let path = result(&two);
    let whole = fs::read_to_string(&path).unwrap();
    for (old, new, wanted) in [
        ("\"depth\":", "\"depth\":9", "damaged"),
        ("\"signature\":", "\"signature\":1", "its hash does not match"),
        ("{\"format\":2", "{\"format\":9", "its format is 9"),
        ("{\"format\"", "{", "not a journal"),
    ] {
        assert!(whole.contains(old), "{old}");
        fs::write(&path, whole.replacen(old, new, 1)).unwrap();
        let reason = refused(&learn_two);
        assert!(reason.contains(wanted) && reason.contains(&path.display().to_string()), "{reason}");
    }
    // A copy that was cut short lacks units, and they are asked for again.
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    halfply().args(&learn_two).assert().code(3);
    fs::write(&path, whole).unwrap();
    halfply().args(&learn_two).assert().success();
}

#[test]
fn workers_refuse_what_they_cannot_remake() {
    let (folder, _) = waiting("100");
    let path = folder.path().join("spool/manifest.json");
    let whole = fs::read_to_string(&path).unwrap();
    let units = whole.lines().position(|line| line.contains("\"units\"")).unwrap();
    for (old, new, wanted) in [
        ("\"nodes\": 100,\n    \"profile\"", "\"nodes\": 101,\n    \"profile\"", "nodes was 100 and is 101"),
        ("\"signature\": ", "\"signature\": 1", "the search has changed"),
        ("\"experiment\": \"learn\"", "\"experiment\": \"dance\"", "a run of \"dance\""),
        ("\"units\": [\n", "\"units\": [\n\"none/nowhere\",", "no position \"nowhere\""),
        ("\"evaluation\": \"safe-advancement\"", "\"evaluation\": \"x.toml\"", "x.toml"),
        ("{\n  \"format\": 1", "{\n  \"format\": 2", "its format is 2"),
        ("{\n", "[\n", "is not a manifest"),
        ("\n  \"units\": [", "\"units\": [,", &format!("manifest.json:{units}: is not a manifest")),
    ] {
        assert!(whole.contains(old), "{old}");
        fs::write(&path, whole.replacen(old, new, 1)).unwrap();
        let reason = refused(&work(folder.path(), &[]));
        assert!(reason.contains(wanted), "{reason}");
    }
    fs::write(&path, whole).unwrap();
    for shard in ["0/2", "3/2", "1", "1/0", "x/y"] {
        let reason = refused(&work(folder.path(), &["--shard", shard]));
        assert!(reason.contains("3/8"), "{reason}");
    }
    // A file that holds another shard is left alone.
    let out = folder.path().join("mine.jsonl").display().to_string();
    halfply().args(work(folder.path(), &["--shard", "1/2", "--out", &out])).assert().success();
    let before = fs::read(&out).unwrap();
    halfply().args(work(folder.path(), &["--shard", "1/2", "--out", &out])).assert().success();
    let reason = refused(&work(folder.path(), &["--shard", "2/2", "--out", &out]));
    assert!(reason.contains("other units"), "{reason}");
    assert_eq!(fs::read(&out).unwrap(), before);
    // One of this shard that was cut off is continued.
    let text = String::from_utf8(before).unwrap();
    fs::write(&out, text.split_inclusive('\n').take(5).collect::<String>()).unwrap();
    halfply().args(work(folder.path(), &["--shard", "1/2", "--out", &out])).assert().success();
    let keys =
        |text: &str| text.lines().map(|line| line.split(',').next().unwrap().to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(keys(&fs::read_to_string(&out).unwrap()), keys(&text));
}

/// A table that is changed between run and worker would give games of another match.
#[test]
fn workers_refuse_a_match_whose_files_have_changed() {
    let folder = tempfile::tempdir().unwrap();
    let a = table(folder.path(), 0.5);
    let arguments = ["tournament", "run", "--games", "4", "--nodes", "100", "--a", &a];
    let distributed = Distributed::new(&arguments, folder.path());
    assert_eq!(distributed.go_on().0, 3);
    table(folder.path(), 0.25);
    let reason = refused(&work(folder.path(), &[]));
    assert!(reason.contains("RdTt@0.5") && reason.contains("RdTt@0.25"), "{reason}");
    // What needs a program that is not there is refused as well, by name.
    table(folder.path(), 0.5);
    distributed.work("1/1");
    assert_eq!(distributed.go_on().0, 0);
}
