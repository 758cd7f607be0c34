// SPDX-License-Identifier: GPL-3.0-or-later
//! The data that ships: the suite is proved once more, the openings are what their header says, and all of it is found by
//! name from any folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use halfply_engine::base::bundled;
use halfply_engine::features::file;
use halfply_engine::game::{Game, Notation};
use halfply_engine::games::{Breakthrough, Chess, GameName, RegisteredGame};
use halfply_engine::search::{Parameters, Profile};
use halfply_engine::solve::prove::Prover;
use halfply_engine::with_game;
use halfply_lab::learn::experiment::Plan;
use halfply_lab::learn::experiment::run::Ready;
use halfply_lab::run::{Stop, Unit};
use halfply_lab::suite::distinct::first_four_fields;
use halfply_lab::suite::generate::{Source, SourceGame};
use halfply_lab::suite::{Distinct, Suite};
use halfply_lab::tournament::definition::Definition;
use halfply_lab::tournament::entrant::Entrant;
use halfply_lab::tournament::openings::{Attempt, Book};

use crate::support::{halfply, refusal, stdout};

#[test]
fn the_bundled_suite_holds_302_distinct_proved_wins_in_seven() {
    let suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE).unwrap();
    assert_eq!(suite.problems.len(), 302);
    let mut distinct = Distinct::<Breakthrough>::default();
    for problem in &suite.problems {
        assert!(distinct.insert(&problem.position), "{} is a duplicate", problem.id);
        let mut prover = Prover::<Breakthrough>::new(u64::MAX);
        let win = prover.unique_win(&problem.position, 7).unwrap();
        assert_eq!(win.as_ref(), problem.best.first(), "{}", problem.id);
        assert_eq!((problem.best.len(), problem.avoid.len()), (1, 0), "{}", problem.id);
    }
}

/// Those of eleven plies take seconds each to prove; three of them must do.
#[test]
fn the_mixed_suite_holds_proved_wins_of_three_lengths() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites/breakthrough-mixed.epd");
    let suite = Suite::<Breakthrough>::load(&path).unwrap();
    let mut distinct = Distinct::<Breakthrough>::default();
    for (plies, count, proved) in [(7, 150, 150), (9, 100, 20), (11, 40, 3)] {
        let problems = suite.problems.iter().filter(|problem| problem.id.starts_with(&format!("{plies}ply.")));
        assert_eq!(problems.clone().count(), count);
        for (place, problem) in problems.enumerate() {
            assert!(distinct.insert(&problem.position), "{} is a duplicate", problem.id);
            if place < proved {
                let win = Prover::<Breakthrough>::new(u64::MAX).unique_win(&problem.position, plies).unwrap();
                assert_eq!(win.as_ref(), problem.best.first(), "{}", problem.id);
            }
        }
    }
}

/// The TOML files of a folder of the repository.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect()
}

#[test]
fn the_tables_and_settings_in_the_repository_can_be_read() {
    for path in files("tables") {
        let is_chess = path.file_name().unwrap().to_str().unwrap().starts_with("chess");
        let vocabulary = if is_chess { Chess::VOCABULARY } else { Breakthrough::VOCABULARY };
        assert!(!file::load(&path, &vocabulary).unwrap().is_empty(), "{}", path.display());
    }
    for path in files("experiments") {
        let table: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        // Those with a format are plans, which have a test of their own.
        if table.contains_key("format") {
            continue;
        }
        assert!(Parameters::DEFAULT.with_table(&table).is_ok() && !table.is_empty(), "{}", path.display());
    }
}

#[test]
fn the_bundled_suite_is_what_its_header_makes() {
    let text = Breakthrough::SUITE.text;
    let source = Source { seed: 1, nodes: 3000, plies: 7, budget: 1_000_000 };
    assert!(
        text.starts_with(
            "# halfply suite generate --game breakthrough --seed 1 --nodes 3000 --plies 7 --budget 1000000"
        )
    );
    let suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE).unwrap();
    let evaluations: Vec<_> = Breakthrough::EVALUATIONS.iter().map(|entry| (entry.make)(entry.name)).collect();
    for expected in suite.problems.iter().take(3) {
        let game: u64 = expected.id.rsplit('.').next().unwrap().parse().unwrap();
        let found = SourceGame::new(&source, &evaluations, game).run(&Stop::default()).flatten().unwrap();
        assert!(found.text.starts_with(&halfply_lab::suite::epd::line(expected)), "{}", found.text);
    }
}

#[test]
fn the_bundled_openings_are_distinct_and_eight_plies_in() {
    let book = Book::<Breakthrough>::bundled(Breakthrough::OPENINGS).unwrap();
    assert_eq!(book.openings.len(), 1200);
    let mut distinct = Distinct::<Breakthrough>::default();
    assert!(book.openings.iter().all(|opening| distinct.insert(&opening.start)));
    let evaluation = Breakthrough::default_evaluation(Profile::Plain);
    let recipe = halfply_lab::tournament::openings::OpeningsRecipe { seed: 1, plies: 8, nodes: 1_000_000, margin: 2 };
    assert!(Breakthrough::OPENINGS.text.starts_with(
        "# halfply tournament openings --game breakthrough --seed 1 --plies 8 --nodes 1000000 --margin 2"
    ));
    let made: Vec<_> = (0..20)
        .filter_map(|index| Attempt::new(&recipe, &evaluation, index).run(&Stop::default()).flatten())
        .take(3)
        .collect();
    for (made, kept) in made.iter().zip(&book.openings) {
        // The file has no counters.
        let board = first_four_fields(&Breakthrough::format_position(&kept.start));
        assert!(made.text.starts_with(&format!("{board} ce ")), "{}", made.text);
    }
    assert_eq!(made.len(), 3);
    let order = book.order(5);
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..1200).collect::<Vec<_>>());
    assert_ne!(order, book.order(6));
    assert_eq!(order, book.order(5));
}

/// What ships as an example must be read by the program it ships with.
#[test]
fn definitions_and_experiments_that_ship_are_read() {
    let tournaments = files("tournament");
    assert!(tournaments.len() >= 7);
    for path in tournaments {
        let definition = Definition::load(&path).unwrap();
        definition.check().unwrap();
        with_game!(definition.game, G => assert!(Entrant::<G>::all(&definition).unwrap().len() >= 2, "{path:?}"));
    }
    let mut runs = 0;
    for path in files("experiments") {
        // Those without a format are search parameters; genes have a test of their own.
        let text = fs::read_to_string(&path).unwrap();
        if !text.contains("format = ") || text.contains("genes = [") {
            continue;
        }
        let plan = Plan::load(&path).unwrap();
        runs += plan.runs.len();
        with_game!(plan.game, G => {
            let vocabulary = G::VOCABULARY;
            Ready::<G>::new(&plan, &plan.bed(plan.nodes).unwrap()).unwrap();
            for run in &plan.runs {
                // Features are written as the program writes them, or they would be beside nothing.
                for name in run.published_features.keys() {
                    assert_eq!(vocabulary.format(vocabulary.parse(name).unwrap()), *name);
                }
            }
        });
    }
    assert!(runs >= 7 + 9 + 7 + 7 + 3, "{runs}");
    let suite = Suite::<Chess>::load(Path::new("suites/ecm-extensions.epd")).unwrap();
    assert_eq!(suite.problems.len(), 102);
}

/// A paper is found by its title.
#[test]
fn the_thesis_is_cited_by_its_title() {
    let title = "Gradual Focus: A Method for Automated Feature Discovery in Selective Search";
    let documents = ["docs", "tournament", "experiments"].into_iter().flat_map(|folder| {
        let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
        let is_text = |path: &PathBuf| path.is_file() && path.extension().is_none_or(|extension| extension != "png");
        entries.map(|entry| entry.unwrap().path()).filter(is_text).collect::<Vec<_>>()
    });
    let mut citations = 0;
    for path in documents {
        // Titles run over the ends of lines, which are comments in TOML.
        let text = fs::read_to_string(&path).unwrap();
        let words: Vec<_> =
            text.split(|c: char| c.is_whitespace() || "#*\"".contains(c)).filter(|word| !word.is_empty()).collect();
        let text = words.join(" ");
        for (place, _) in text.match_indices("(M.Sc. thesis") {
            assert!(text[..place].ends_with(&format!("{title} ")), "{} names another title", path.display());
            citations += 1;
        }
    }
    assert!(citations >= 5, "{citations} citations");
}

/// Results that were played when PP meant what is PPf now are listed, so that nobody takes one for the other.
#[test]
fn results_of_the_former_reading_of_pp_are_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournament/results");
    let list = fs::read_to_string(folder.join("README.md")).unwrap();
    let mut former = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let result: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        // The plain and the full search's, both as long as PP was judged by file and counted on the last row.
        let is_former = [3_017_693, 2_329_556].iter().any(|&signature| result["signature"] == signature);
        let players = result["config"]["players"].as_array().into_iter().flatten();
        let tables = players.filter_map(|player| player["extensions"].as_str()).collect::<Vec<_>>().join(" ");
        let uses_pp = tables.split(|c: char| !c.is_alphanumeric()).any(|atom| atom == "PP");
        let is_listed = list.contains(&format!("| `{name}` |"));
        assert_eq!(is_listed, is_former && uses_pp, "{name}");
        former += u32::from(is_listed);
    }
    assert_eq!(former, 8);
}

#[test]
fn every_data_file_of_the_repository_is_bundled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let books = ["books/breakthrough", "books/chess", "books/othello"];
    let folders =
        ["suites", "suites/baselines", "theories", "tables", "experiments", "tournament"].into_iter().chain(books);
    let mut found = 0;
    for folder in folders {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            // Books of moves are part of their game.
            if path.extension().is_none_or(|extension| extension == "md" || extension == "bin") {
                continue;
            }
            let name = format!("{folder}/{}", path.file_name().unwrap().display());
            let file = bundled::named(Path::new(&name));
            let file = file.unwrap_or_else(|| panic!("{name} is not bundled: add it to src/bundled.rs"));
            assert_eq!(file.text, fs::read_to_string(&path).unwrap());
            found += 1;
        }
    }
    assert_eq!(found, bundled::ALL.len());
}

/// The techniques that are on with these parameters and the network of a game.
fn techniques<G: RegisteredGame>(file: &bundled::Bundled) -> BTreeSet<&'static str> {
    let parameters = G::TUNED.with_table(&file.text.parse().unwrap()).unwrap();
    parameters.values().into_iter().filter(|(_, value)| value == "true").map(|(name, _)| name).collect()
}

#[test]
fn the_programs_of_the_papers_have_no_technique_of_today() {
    // Neither skips nor reduces a move, nor changes what its evaluation says.
    let harmless = [
        "aspiration",
        "check_evasions",
        "delta_pruning",
        "exact_rules",
        "exchange_ordering",
        "history",
        "killers",
        "quiescence",
        "quiescence_exchange",
        "quiescence_table",
        "spare_extended",
        "spare_urgent",
        "transposition_table",
    ];
    let falcon =
        ["futility", "futility_by_depth", "internal_deepening", "multi_cut", "null_move", "null_move_adaptive"];
    let expected: BTreeSet<&str> = harmless.into_iter().chain(falcon).collect();
    assert_eq!(techniques::<Chess>(&bundled::FALCON), expected);
    for &game in GameName::all() {
        let on = with_game!(game, G => techniques::<G>(&bundled::WITHOUT_PRUNING));
        assert_eq!(on, harmless.into(), "{}", game.name());
    }
}

#[test]
fn bundled_files_are_used_by_name_in_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| {
        let assert = halfply().current_dir(&folder).args(words.split(' ')).assert().success();
        let output = assert.get_output();
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    };
    let ecm = "suite run suites/ecm102.epd --nodes 10 --extensions tables/chess-checks.toml";
    let [result, told] = run(ecm);
    assert!(result.contains("of 99") && result.contains("AcK@0") && !told.contains("differs"), "{result}{told}");
    let book = "books/breakthrough/random-8ply.epd";
    let [result, told] = run(&format!("tournament run tournament/rc-rdb.toml --games 2 --nodes 10 --openings {book}"));
    assert!(result.contains("Rc-Rdb@0.25") && told.contains("1,200 openings"), "{result}{told}");

    // A file on disk overrides, and a warning says so.
    let [_, told] = run("bundled tables/chess-checks.toml --out checks.toml");
    assert_eq!(told, "");
    fs::create_dir(folder.path().join("tables")).unwrap();
    let mine = folder.path().join("tables/chess-checks.toml");
    fs::copy(folder.path().join("checks.toml"), &mine).unwrap();
    assert!(!run(ecm).concat().contains("differs"), "it is the same file");
    fs::write(&mine, fs::read_to_string(&mine).unwrap().replace("ply = 0", "ply = 0.75")).unwrap();
    let [result, told] = run(ecm);
    assert!(result.contains("AcK@0.75"), "{result}");
    assert!(told.contains("tables/chess-checks.toml: read from disk; the bundled file of that name differs"), "{told}");
}

#[test]
fn bundled_files_are_listed_and_printed() {
    let list = stdout(&["bundled"]);
    insta::assert_snapshot!(list);
    assert!(list.lines().all(|line| line.chars().count() <= 80));
    for file in bundled::ALL {
        assert_eq!(stdout(&["bundled", file.name]), file.text);
    }
    for (name, expected) in [
        ("suite/ecm.epd", "did you mean suites/ecm.epd?"),
        ("ecm.epd", "suites/ecm.epd is built in"),
        ("x", "`halfply bundled` lists them"),
    ] {
        let reason = refusal(&["bundled", name]);
        assert!(reason.contains(expected), "{reason}");
    }
    assert!(refusal(&["suite", "run", "ecm.epd"]).contains("name an EPD file; suites/ecm.epd is built in"));
}

/// Once each crate had a copy of its own, and the program was twice as large.
#[test]
fn the_program_holds_its_data_once() {
    let program = fs::read(halfply().get_program()).unwrap();
    let mut files: Vec<(&str, &[u8])> = bundled::ALL.iter().map(|file| (file.name, file.text.as_bytes())).collect();
    for game in GameName::all() {
        with_game!(*game, G => files.extend([G::NETWORK, G::BOOK].into_iter().flatten().map(|bytes| (G::NAME, bytes))));
    }
    // The last bytes of a file, as often as they are in the file.
    for (name, bytes) in files.into_iter().filter(|(_, bytes)| bytes.len() > 10_000) {
        let last = &bytes[bytes.len() - 200..];
        let count = |all: &[u8]| all.windows(last.len()).filter(|part| part[0] == last[0] && part == &last).count();
        assert_eq!(count(&program), count(bytes), "{name}");
    }
}
