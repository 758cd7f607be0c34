// SPDX-License-Identifier: GPL-3.0-or-later
//! Options that name outputs: a file of somebody else's survives every one of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::resume::words;
use crate::support::halfply;

/// Options and arguments that name what is read.
const INPUTS: &str = "--a --b --baseline --evaluation --evaluation-b --extensions --genes --manifest --openings --parameters \
    --runs --solved-with --suite --syzygy --theory data file files name path patterns recipe test theory \
    training";

/// The options that name an output, and arguments with which they write it: `OUT` is their value, `TMP` a folder of the
/// test's own. Without another option for it, what else a command writes is in that folder, too.
const OUTPUTS: [(&str, &str); 35] = [
    ("atoms --out", "atoms --theory theories/breakthrough.theory --games 2 --out OUT"),
    ("bundled --out", "bundled tables/chess-known.toml --out OUT"),
    ("evaluation learn --out", "evaluation learn TMP/recipe.toml --out OUT"),
    ("evaluation learn --spool", "evaluation learn TMP/recipe.toml --out TMP/run --spool OUT"),
    (
        "evaluation patterns data --out",
        "evaluation patterns data --game othello --nodes 20 --exact 6 --pieces 60 --count 40 --out OUT",
    ),
    ("evaluation patterns fit --out", "evaluation patterns fit TMP/selected TMP/data/60.training --out OUT"),
    (
        "evaluation patterns select --out",
        "evaluation patterns select theories/othello.theory TMP/data/60.training --steps 0 --threshold 0.05 --rare 0.001 \
         --out OUT",
    ),
    ("experiment --out", "experiment TMP/plan.toml --out OUT"),
    ("experiment --spool", "experiment TMP/plan.toml --out TMP/run --spool OUT"),
    ("learn --out", "learn --suite TMP/suite.epd --nodes 20 --max-evaluations 1 --rows 1 --out OUT"),
    ("learn --spool", "learn --nodes 20 --max-evaluations 1 --out TMP/run --spool OUT"),
    ("learn brute-force --out", "learn brute-force --nodes 20 --max-evaluations 1 --out OUT"),
    ("learn brute-force --spool", "learn brute-force --nodes 20 --max-evaluations 1 --out TMP/run --spool OUT"),
    ("learn control --out", "learn control --games 25 --nodes 400 --every 8 --out OUT"),
    ("learn control --spool", "learn control --games 25 --nodes 400 --every 8 --out TMP/run --spool OUT"),
    ("learn genetic --out", "learn genetic --gene Ud=1..0/5 --population 2 --generations 1 --nodes 10 --out OUT"),
    (
        "learn genetic --spool",
        "learn genetic --gene Ud=1..0/5 --population 2 --generations 1 --nodes 10 --out TMP/run --spool OUT",
    ),
    (
        "learn gradient --out",
        "learn gradient --game chess --nodes 10 --extensions tables/chess-checks.toml --iterations 1 --out OUT",
    ),
    (
        "learn gradient --spool",
        "learn gradient --game chess --nodes 10 --extensions tables/chess-checks.toml --iterations 1 --out TMP/run \
         --spool OUT",
    ),
    ("learn gradual-focus --out", "learn gradual-focus --nodes 20 --max-evaluations 1 --out OUT"),
    ("learn gradual-focus --spool", "learn gradual-focus --nodes 20 --max-evaluations 1 --out TMP/run --spool OUT"),
    (
        "learn realization --out",
        "learn realization tournament/results/table-4-5-PP-partial.jsonl.gz --categories C --out OUT",
    ),
    (
        "learn spsa --out",
        "learn spsa --parameter Ud,float,0.75,0.1,1.5,0.1,0.002 --games 4 --pairs 2 --nodes 20 --out OUT",
    ),
    (
        "learn spsa --spool",
        "learn spsa --parameter Ud,float,0.75,0.1,1.5,0.1,0.002 --games 4 --pairs 2 --nodes 20 --out TMP/run --spool OUT",
    ),
    ("man --out", "man --out OUT"),
    ("review --out", "review TMP/moves --nodes 20 --out OUT"),
    ("suite filter --out", "suite filter TMP/suite.epd --nodes 1 --out OUT"),
    ("suite generate --out", "suite generate --nodes 100 --plies 5 --count 1 --out OUT"),
    ("suite run --page", "suite run TMP/suite.epd --nodes 10 --page OUT"),
    ("suite run --write-baseline", "suite run TMP/suite.epd --nodes 10 --write-baseline OUT"),
    ("tournament book --out", "tournament book tournament/results/table-4-5-PP-partial.jsonl.gz --least 2 --out OUT"),
    ("tournament openings --out", "tournament openings --count 1 --nodes 50 --plies 4 --out OUT"),
    ("tournament run --out", "tournament run --evaluation-b piece-count --games 2 --nodes 20 --out OUT"),
    (
        "tournament run --spool",
        "tournament run --evaluation-b piece-count --games 2 --nodes 20 --out TMP/run --spool OUT",
    ),
    ("work --out", "work --manifest TMP/spool/manifest.json --out OUT"),
];

/// What a file of somebody else's says: that it names the program does not make it the program's.
const MINE: &str = "mine; halfply did not write it\n";

#[test]
fn every_option_that_names_a_path_is_known_here() {
    let known: BTreeSet<&str> = OUTPUTS.into_iter().map(|(option, _)| option).collect();
    let paths = halfply::cli::paths();
    let inputs = words(INPUTS);
    let is_input = |path: &String| inputs.contains(&path.rsplit(' ').next().unwrap_or_default());
    let unknown: Vec<&String> = paths.iter().filter(|path| !known.contains(path.as_str()) && !is_input(path)).collect();
    assert!(unknown.is_empty(), "is it read or written? {unknown:#?}");
    let gone: Vec<&&str> = known.iter().filter(|option| !paths.iter().any(|path| path == *option)).collect();
    assert!(gone.is_empty(), "{gone:#?}");
}

/// The exit status and what it said.
fn run(arguments: &str, folder: &Path, out: &Path) -> (i32, String) {
    let place = |word: String| {
        let word = word.replace("TMP", &folder.display().to_string());
        if word == "OUT" { out.display().to_string() } else { word }
    };
    let words: Vec<String> = words(arguments).into_iter().map(|word| place(word.to_owned())).collect();
    let output = halfply().args(&words).output().unwrap();
    (output.status.code().unwrap(), format!("{words:?}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// All files under a path, which may be one.
fn files(path: &Path) -> Vec<PathBuf> {
    match fs::read_dir(path) {
        Ok(entries) => entries.flat_map(|entry| files(&entry.unwrap().path())).collect(),
        Err(_) => path.exists().then(|| path.to_owned()).into_iter().collect(),
    }
}

/// A folder with what commands read.
fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(
        at("recipe.toml"),
        "format = 1\ngame = \"breakthrough\"\nunits = 16\nlayers = [4, 1]\n[[generation]]\ngames = 100\nnodes = 5\n\
         opening = 8\nrandom = 0.2\nlambda = 0.9\nepochs = 1\n",
    )
    .unwrap();
    fs::write(
        at("plan.toml"),
        "format = 1\ntitle = \"A test\"\ngame = \"breakthrough\"\nnodes = 10\n[[run]]\nname = \"one\"\n",
    )
    .unwrap();
    fs::write(at("moves"), "1. e4 e5 2. Nf3\n").unwrap();
    fs::copy("suites/breakthrough-7ply.epd", at("suite.epd")).unwrap();
    for (name, option) in [
        ("data", "evaluation patterns data --out"),
        ("selected", "evaluation patterns select --out"),
        ("spool", "learn --spool"),
    ] {
        let (_, arguments) = OUTPUTS.into_iter().find(|(named, _)| *named == option).unwrap();
        let (code, told) = run(arguments, folder.path(), &at(name));
        assert!(matches!(code, 0 | 3), "{told}");
    }
    folder
}

/// What people share tells nobody where it was made. Other processes of this machine need the paths in a manifest, and its
/// watchers the command in the events.
fn names_no_folder(written: &[PathBuf], folder: &Path) {
    let shared = written.iter().filter(|path| !path.ends_with("manifest.json") && !path.ends_with("events.jsonl"));
    for path in shared {
        let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        for secret in [folder, Path::new(env!("CARGO_MANIFEST_DIR"))] {
            assert!(!text.contains(&secret.display().to_string()), "{}: {}", path.display(), secret.display());
        }
    }
}

#[test]
fn a_file_of_others_survives_every_output() {
    let folder = prepared();
    let out = folder.path().join("out");
    let clear = || {
        for place in [&out, &folder.path().join("run")] {
            let _ = fs::remove_dir_all(place).or_else(|_| fs::remove_file(place));
        }
    };
    for (option, arguments) in OUTPUTS {
        clear();
        let (code, told) = run(arguments, folder.path(), &out);
        assert!(matches!(code, 0 | 3), "{told}");
        let written = files(&out);
        assert!(!written.is_empty(), "{option}");
        names_no_folder(&written, folder.path());
        // What it has written itself it may write again.
        let (code, told) = run(arguments, folder.path(), &out);
        assert!(matches!(code, 0 | 3), "{told}");
        // These all write by the code of `learn`.
        let is_like_learn = ["learn ", "experiment "].iter().any(|command| option.starts_with(command));
        let alone: &[PathBuf] = if is_like_learn && option != "learn --out" { &[] } else { &written };
        let each = alone.iter().map(std::slice::from_ref).take(12);
        for taken in each.chain([&written[..]]) {
            clear();
            for path in taken {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, MINE).unwrap();
            }
            let (code, told) = run(arguments, folder.path(), &out);
            for path in taken {
                assert_eq!(fs::read_to_string(path).unwrap(), MINE, "{told}");
            }
            // Without its events a run goes on.
            let is_needed = taken.iter().any(|path| !path.ends_with("events.jsonl"));
            assert_eq!(code == 2, is_needed, "{code}: {told}");
            let partial = files(folder.path()).into_iter().find(|path| path.to_string_lossy().contains("partial"));
            assert_eq!(partial, None, "{told}");
        }
    }
}
