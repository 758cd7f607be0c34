// SPDX-License-Identifier: GPL-3.0-or-later
//! The commands that README.md, docs/ and research/ show: each is run with less work, or at least its arguments are read as
//! the program reads them. Links lead to files and headings that exist.
//!
//! The blocks marked `sh` of a document are worked in order in a folder of their own, as a reader would. Which commands are
//! run, and with what, is in [`plan`].

use std::fs;
use std::path::{Path, PathBuf};

use halfply_engine::games::Breakthrough;
use halfply_lab::tune::generations::Run;
use halfply_lab::tune::recipe::NetworkRecipe;

use crate::support::halfply;

/// Words in documents that stand for something of the reader's, and what the test puts there.
const PLACEHOLDERS: [(&str, &str); 4] =
    [("FOLDER", "runs/latest"), ("$SLURM_ARRAY_TASK_ID", "1"), ("$HQ_TASK_ID", "1"), ("{}", "1")];

/// What is done with a command.
#[derive(Debug, PartialEq)]
enum Plan {
    /// It is run with these options in place of its own, and this input.
    Run(&'static [(&'static str, &'static str)], &'static str),
    /// Its arguments are read; the text says why it is not run.
    Read(&'static str),
}

/// How a command is tested, by its words.
fn plan(words: &[String]) -> Plan {
    let has = |option: &str| words.iter().any(|word| word == option);
    let is_first = |names: &[&str]| words.iter().zip(names).filter(|(word, name)| word == name).count() == names.len();
    if words.iter().any(|word| word.starts_with("--engine")) {
        return Plan::Read("needs another program");
    }
    match words.first().map(String::as_str) {
        Some("serve") => Plan::Read("runs until it is ended; tests/it/serve.rs runs it"),
        Some("work") => Plan::Read("needs a spool; tests/it/workers.rs runs it"),
        Some("experiment") => Plan::Read("takes too long even with few nodes"),
        Some("evaluation") if !has("patterns") => {
            Plan::Read("plays thousands of games; tests/it/evaluation.rs runs it")
        }
        Some("review") => Plan::Read("needs games of the reader's; tests/it/review.rs reviews some"),
        Some("solve") => Plan::Read("takes too long; tests/it/solve.rs solves smaller boards"),
        Some("learn") if has("control") => Plan::Run(&[("--games", "25"), ("--nodes", "400"), ("--every", "8")], ""),
        Some("learn") if has("spsa") || has("realization") => {
            Plan::Read("needs journals or games; tests/it/spsa.rs runs it")
        }
        Some("learn") if has("genetic") => {
            Plan::Run(&[("--nodes", "20"), ("--hash", "1"), ("--population", "3"), ("--generations", "2")], "")
        }
        Some("learn") if has("gradient") => Plan::Run(&[("--nodes", "20"), ("--hash", "1"), ("--iterations", "1")], ""),
        Some("learn") if has("--spool") => Plan::Read("waits for workers; tests/it/workers.rs runs it"),
        Some("learn") => Plan::Run(&[("--nodes", "60")], ""),
        Some("tournament") if words.iter().any(|word| word.contains("patterns")) => {
            Plan::Read("needs the patterns of the commands before it")
        }
        Some("tournament") if is_first(&["tournament", "run", "runs/latest"]) => {
            Plan::Read("needs a run that found several rows; tests/it/tuning.rs plays it")
        }
        Some("tournament") if is_first(&["tournament", "run"]) => Plan::Run(&[("--games", "4"), ("--nodes", "50")], ""),
        Some("suite") if has("runs/latest/parameters.toml") => {
            Plan::Read("needs the run of the commands before it, for chess")
        }
        Some("suite") if is_first(&["suite", "run"]) => Plan::Run(&[("--nodes", "20")], ""),
        Some("evaluation") if ["data", "select", "fit", "measure"].iter().any(|name| has(name)) => {
            Plan::Read("takes minutes; tests/it/patterns.rs runs it")
        }
        Some("play") => Plan::Run(&[], "quit\n"),
        Some("gtp") => Plan::Run(&[], "showboard\nquit\n"),
        Some("completions" | "man" | "atoms" | "bundled" | "parameters" | "perft") => Plan::Run(&[], ""),
        Some("tournament" | "explain" | "describe" | "evaluation") => Plan::Run(&[], ""),
        other => panic!("this test has no plan for {other:?}"),
    }
}

/// A step of a block.
#[derive(Debug, PartialEq)]
enum Step {
    /// A command of this program: the words after its name.
    Command(Vec<String>),
    /// A file that the block writes: name and contents.
    File(String, String),
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The steps of the `sh` blocks of a document.
fn steps(text: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line != "```sh" {
            continue;
        }
        let mut block = lines.by_ref().take_while(|line| *line != "```");
        while let Some(line) = block.next() {
            if let Some((file, end)) = heredoc(line) {
                let text: String =
                    block.by_ref().take_while(|line| *line != end).map(|line| format!("{line}\n")).collect();
                steps.push(Step::File(file, text));
                continue;
            }
            let mut line = line.to_owned();
            while let Some(begin) = line.strip_suffix('\\') {
                line = format!("{} {}", begin.trim_end(), block.next().expect("a line continues").trim_start());
            }
            steps.extend(commands(&line).into_iter().map(Step::Command));
        }
    }
    steps
}

/// The file that `cat > FILE <<'END'` writes, and the line that ends it.
fn heredoc(line: &str) -> Option<(String, String)> {
    let (file, end) = line.strip_prefix("cat > ")?.split_once(" <<")?;
    Some((file.trim().to_owned(), end.trim_matches('\'').to_owned()))
}

/// The commands of this program in a line of shell.
fn commands(line: &str) -> Vec<Vec<String>> {
    let line = line.replace("cargo run --release -- ", "halfply ");
    let mut found = Vec::new();
    let mut rest: &str = &line;
    while let Some(at) = rest.find("halfply ") {
        let (before, command) = rest.split_at(at);
        rest = &command["halfply ".len()..];
        // Not a part of a word, an argument such as `name=halfply`, or a comment.
        let is_command =
            before.is_empty() || before.ends_with("-- ") || before.ends_with("{ ") || before.ends_with("parallel ");
        let is_quoted = before.ends_with('\'');
        if before.trim_start().starts_with('#') || !(is_command || is_quoted) {
            continue;
        }
        let end = if is_quoted { rest.find('\'') } else { rest.find([';', '|', '>']) };
        // shlex drops comments.
        found.push(shlex::split(&rest[..end.unwrap_or(rest.len())]).expect("quotes are closed"));
    }
    found
}

/// The words with the value of each option replaced, or the option added.
fn scaled(mut words: Vec<String>, options: &[(&str, &str)]) -> Vec<String> {
    for (option, value) in options {
        if let Some(place) = words.iter().position(|word| word == option) {
            words[place + 1] = (*value).to_owned();
        } else {
            words.extend([(*option).to_owned(), (*value).to_owned()]);
        }
    }
    words
}

/// A word as it is in the folder of the test: files of the repository are elsewhere.
fn placed(word: &str) -> String {
    let word = PLACEHOLDERS.iter().fold(word.to_owned(), |word, (name, value)| word.replace(name, value));
    let path = root().join(&word);
    if word.contains('/') && path.is_file() { path.display().to_string() } else { word }
}

fn documents() -> Vec<PathBuf> {
    let pages = ["docs", "research"].into_iter().flat_map(|folder| fs::read_dir(root().join(folder)).unwrap());
    let mut documents: Vec<PathBuf> = pages
        .map(|entry| entry.unwrap().path())
        .chain([root().join("README.md")])
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    documents.sort();
    documents
}

#[test]
fn every_command_that_is_shown_can_be_given() {
    // A run that `runs/latest` stands for, for documents that do not make one.
    let shared = tempfile::tempdir().unwrap();
    let learned = ["learn", "--nodes", "60", "--out", "runs/learned", "--max-evaluations", "20"];
    halfply().current_dir(shared.path()).args(learned).assert().success();
    let played = ["tournament", "run", "--a", "runs/learned", "--games", "2", "--nodes", "50", "--out", "runs/played"];
    halfply().current_dir(shared.path()).args(played).assert().success();

    let (mut run, mut read) = (0, 0);
    for document in documents() {
        let name = document.strip_prefix(root()).unwrap().display().to_string();
        for step in steps(&fs::read_to_string(&document).unwrap()) {
            let words = match step {
                Step::File(file, text) => {
                    fs::write(shared.path().join(file), text).unwrap();
                    continue;
                }
                // It takes names of files, not paths.
                Step::Command(words) if words.first().is_some_and(|word| word == "bundled") => words,
                Step::Command(words) => words.iter().map(|word| placed(word)).collect::<Vec<_>>(),
            };
            let shown = words.join(" ");
            match plan(&words) {
                Plan::Run(options, input) => {
                    let mut command = halfply();
                    command.current_dir(shared.path()).args(scaled(words, options)).write_stdin(input);
                    let output = command.output().unwrap();
                    // A goal that is not reached with so little work is no fault of the command.
                    let is_done = matches!(output.status.code(), Some(0 | 1));
                    assert!(is_done, "{name}: halfply {shown}\n{}", String::from_utf8_lossy(&output.stderr));
                    run += 1;
                }
                Plan::Read(_) => {
                    let latest = shared.path().join("runs/latest").display().to_string();
                    let words: Vec<String> = words.iter().map(|word| word.replace("runs/latest", &latest)).collect();
                    if let Err(reason) = halfply::cli::accepts(&words) {
                        panic!("{name}: halfply {shown}\n{reason}");
                    }
                    read += 1;
                }
            }
        }
    }
    assert!(run >= 20 && read >= 20, "{run} commands were run and {read} read: does this test read the documents?");
}

/// The first block of TOML below a heading of `docs/formats.md`.
fn example(heading: &str) -> String {
    let text = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let (_, section) = text.split_once(&format!("\n## {heading}\n")).unwrap();
    let (_, block) = section.split_once("```toml\n").unwrap();
    block.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_recipe_that_is_shown_can_be_learned() {
    let recipe = NetworkRecipe::parse(&example("Recipes for networks (TOML)"), "recipe.toml").unwrap();
    assert!(Run::<Breakthrough>::new(&recipe, 1).is_ok());
}

#[test]
fn the_tournament_that_is_shown_can_be_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shown.toml").display().to_string();
    let text = example("Tournaments (TOML)");
    // Without what is not here: files, and the program of another author.
    let (ours, _) = text.split_once("[[player]]                   # an external engine").unwrap();
    let is_here = |line: &&str| !["file =", "syzygy =", "control =", "clock ="].iter().any(|key| line.starts_with(key));
    let ours: String = ours.lines().filter(is_here).map(|line| format!("{line}\n")).collect();
    fs::write(&file, format!("{ours}[[player]]\nname = \"theirs\"\n")).unwrap();
    let out = folder.path().join("run").display().to_string();
    let words = ["tournament", "run", &file, "--games", "2", "--nodes", "20", "--out", &out];
    let output = halfply().args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| line.trim_start_matches('#').trim().to_lowercase().chars().filter(is_kept).collect::<String>())
        .map(|anchor| anchor.replace(' ', "-"))
        .collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let others = [
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
        "suites/README.md",
        "books/README.md",
        "tournament/results/README.md",
    ];
    let mut links = 0;
    for document in documents().into_iter().chain(others.map(|name| root().join(name))) {
        let text = fs::read_to_string(&document).unwrap();
        for link in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if link.starts_with("http") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { document.clone() } else { document.parent().unwrap().join(path) };
            assert!(target.exists(), "{}: {link}", document.display());
            let is_there = anchor.is_empty()
                || anchors(&fs::read_to_string(&target).unwrap()).iter().any(|heading| heading == anchor);
            assert!(is_there, "{}: {link}", document.display());
            links += 1;
        }
    }
    assert!(links >= 100, "{links} links: does this test read the documents?");
}

#[test]
fn arguments_that_the_program_refuses_are_found() {
    let words = |text: &str| shlex::split(text).unwrap();
    assert!(halfply::cli::accepts(&words("learn --nodes 5")).is_ok());
    for wrong in ["learn --node 5", "learn --nodes 0", "lern", "tournament run --games", "explain --fen"] {
        assert!(halfply::cli::accepts(&words(wrong)).is_err(), "{wrong}");
    }
}

#[test]
fn blocks_are_read_as_a_shell_reads_them() {
    let text = "```sh\nhalfply learn --nodes 5  # a comment\ncat > a.toml <<'END'\nx = 1\nEND\nhalfply play \\\n    --fen \"8/8 w\"\n\
                run() { halfply gtp; }\nother -engine cmd=halfply option\nwrap 'halfply work --shard $X/2' halfply\n```\nhalfply no\n";
    let words = |words: &[&str]| Step::Command(words.iter().map(|word| (*word).to_owned()).collect());
    assert_eq!(
        steps(text),
        [
            words(&["learn", "--nodes", "5"]),
            Step::File("a.toml".to_owned(), "x = 1\n".to_owned()),
            words(&["play", "--fen", "8/8 w"]),
            words(&["gtp"]),
            words(&["work", "--shard", "$X/2"]),
        ]
    );
}
