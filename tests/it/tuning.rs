// SPDX-License-Identifier: GPL-3.0-or-later
//! Settings that are tuned on a suite: the same bytes again, killed or not, and settings that do not exist.

use std::fs;
use std::path::Path;

use halfply_engine::features::file;
use halfply_engine::game::Game;
use halfply_engine::games::{Breakthrough, Chess};
use halfply_engine::search::Parameters;
use serde_json::Value;

use crate::resume::{finish, survives_kills, words};
use crate::support::{halfply, refusal, stdout};
use crate::workers::comes_to_the_same;

/// The paper's chromosome, small.
const GENETIC: &str = "learn genetic --game chess --profile full --hash 1 --parameters experiments/falcon.toml \
                       --genes experiments/selective-search.toml --nodes 300 --population 4 --generations 4 --held-out 0.3";

/// Costs of the plain search.
const COSTS: &str = "learn genetic --gene Ud=1..0/5 --gene RdTt=1.5..0.5/3 --population 4";

/// The first few positions of Breakthrough's suite.
fn suite(folder: &Path) -> String {
    let path = folder.join("few.epd");
    let text = fs::read_to_string("suites/breakthrough-7ply.epd").unwrap();
    let positions: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).take(30).collect();
    fs::write(&path, positions.join("\n") + "\n").unwrap();
    path.display().to_string()
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn a_population_survives_kills() {
    survives_kills(&words(GENETIC), 100, 300);
}

#[test]
fn a_descent_survives_kills() {
    let descent = "learn gradient --game chess --nodes 300 --extensions tables/chess-known.toml --iterations 3";
    survives_kills(&words(descent), 100, 500);
}

#[test]
fn a_population_is_distributed() {
    // Enough nodes that a worker can be killed before it is done.
    let (_folder, rounds) = comes_to_the_same(&[words(COSTS), words("--nodes 3000 --generations 3")].concat());
    // The settings as given, then the generations; one without new organisms needs no workers.
    assert!((2..=4).contains(&rounds), "{rounds}");
}

/// Atoms that a table defines are computed, have names, and are part of what a journal belongs to.
#[test]
fn costs_of_atoms_that_a_table_defines_are_tuned() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let table = folder.path().join("own.toml").display().to_string();
    let own = fs::read_to_string("tables/breakthrough-derived.toml").unwrap();
    fs::write(&table, &own).unwrap();
    let few = suite(folder.path());
    let learn = [
        words("learn gradient --iterations 2 --step 0.25 --difference 0.25 --nodes 2000 --suite"),
        vec![&few, "--extensions", &table],
    ]
    .concat();
    let told = finish(&learn, &out, "2");
    let columns = read(&out, "rounds.csv").lines().next().unwrap().to_owned();
    assert!(
        told.contains("| WinsThem ") && columns.ends_with(",Within3-NotLegalMoveAnyToThem,WinsThem"),
        "{columns} {told}"
    );
    let journal = read(&out, "journal.jsonl");
    let lines = journal.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let extended = lines.map(|line| {
        let key = line["key"].as_str().unwrap();
        assert!(key.contains("WinsThem@") || key.contains("Within3-NotLegalMoveAnyToThem@"), "{key}");
        line["result"]["extended"].as_u64().unwrap()
    });
    assert!(extended.sum::<u64>() > 0);
    let definition = out.join("match.toml").display().to_string();
    let games = folder.path().join("games").display().to_string();
    stdout(&["tournament", "run", &definition, "--games", "2", "--nodes", "20", "--out", &games]);
    // The same name with another meaning is another search.
    fs::write(&table, own.replace("if wins(Them)", "if wins(Us)")).unwrap();
    let shown = out.display().to_string();
    let error = refusal(&[learn, vec!["--out", &shown]].concat());
    assert!(error.contains("definitions was"), "{error}");
    let spsa = ["learn", "spsa", "--parameter", "C,float,0.75,0.1,1.5,0.1,0.002", "--extensions", &table];
    let error = refusal(&spsa);
    assert!(error.contains("its rows are told to players in a line"), "{error}");
}

/// What came of a run can be given to other commands, and is what the run says it is.
#[test]
fn the_best_organism_is_ready_for_use() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let stdout = finish(&words(GENETIC), &out, "2");
    let rows: Vec<&str> = stdout.lines().filter(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 20 && rows.iter().all(|line| line.chars().count() <= 80), "{stdout}");
    let (table, parameters) = (out.join("extensions.toml"), out.join("parameters.toml"));
    let rows = file::load(&table, &Chess::VOCABULARY).unwrap();
    let set = Parameters::DEFAULT.with_table(&Parameters::load(&parameters).unwrap()).unwrap();
    assert!(!set.late_move_reductions, "what the genes do not set is as given");

    // The best of the last generation is the first: the elite.
    let csv = read(&out, "rounds.csv");
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let column = |name: &str| header.iter().position(|&other| other == name).unwrap();
    let last: Vec<Vec<&str>> = lines.filter(|line| line[0] == "4").collect();
    assert_eq!(last.len(), 4);
    let nodes = |line: &Vec<&str>| line[column("nodes_first_found")].parse::<u64>().unwrap();
    let best = last.iter().min_by_key(|line| nodes(line)).unwrap();
    assert_eq!(best[column("multi_cut")], set.multi_cut.to_string());
    let check = rows.rows().iter().find(|row| Chess::VOCABULARY.format(row.feature) == "AcK");
    assert_eq!(best[column("AcK")], check.map_or("1".to_owned(), |row| row.cost.to_string()));

    // On all positions, learned from or not, a suite run counts what the run counted on both parts together.
    let mut command = halfply();
    command.args(words("suite run suites/ecm102.epd --nodes 300 --profile full --hash 1 --json --extensions"));
    command.arg(&out).arg("--parameters").arg(&parameters);
    let json: Value = serde_json::from_slice(&command.assert().success().get_output().stdout).unwrap();
    let held_out = stdout.lines().find(|line| line.contains("held out: nodes, first found")).unwrap();
    let held_out: u64 = held_out.rsplit('|').nth(1).unwrap().trim().replace(',', "").parse().unwrap();
    assert_eq!(json["nodes_first_found"], nodes(best) + held_out);

    let definition = out.join("match.toml");
    let mut command = halfply();
    command.args(words("tournament run --games 2 --nodes 20 --out")).arg(folder.path().join("match")).arg(&definition);
    let told = String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap();
    assert!(told.contains("tuned"), "{told}");
    assert!(read(&out, "report.html").contains("<polyline class=\"training\""));
}

/// The first find is counted alike; what follows it is not searched.
#[test]
fn searches_end_at_the_first_find_if_they_are_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, first] = ["whole", "first"].map(|name| folder.path().join(name));
    let positions = suite(folder.path());
    let learn = [words(COSTS), words("--nodes 500 --generations 3 --suite"), vec![&positions]].concat();
    finish(&learn, &whole, "2");
    finish(&[learn, vec!["--stop-at-first-find"]].concat(), &first, "2");
    let found = |folder: &Path| -> Vec<String> {
        let csv = read(folder, "rounds.csv");
        csv.lines().skip(1).map(|line| line.split(',').take(3).collect::<Vec<_>>().join(",")).collect()
    };
    assert_eq!(found(&whole), found(&first));
    let searched = |folder: &Path| -> u64 {
        let journal = read(folder, "journal.jsonl");
        let lines = journal.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.map(|line| line["result"]["nodes"].as_u64().unwrap()).sum()
    };
    assert!(searched(&first) < searched(&whole));
    let journal = read(&first, "journal.jsonl");
    let lines = journal.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    for line in lines {
        let (key, result) = (line["key"].as_str().unwrap(), &line["result"]);
        assert!(key.contains(" to the first find/"), "{key}");
        if let Some(nodes) = result["nodes_first_found"].as_u64() {
            assert_eq!((result["nodes"].as_u64(), result["solved"].as_bool()), (Some(nodes), Some(true)), "{line}");
        }
    }
}

/// Every organism of every run is searched once.
#[test]
fn runs_share_their_organisms() {
    let folder = tempfile::tempdir().unwrap();
    let positions = suite(folder.path());
    let learn = |options: &str| {
        let mut command = halfply();
        command.current_dir(folder.path()).args(words(COSTS)).args(words("--nodes 500 --suite")).arg(&positions);
        command.args(words(options));
        String::from_utf8_lossy(&command.assert().success().get_output().stderr).into_owned()
    };
    assert!(!learn("--generations 3").contains("complete already"));
    assert!(learn("--generations 2").contains("complete already"), "the same organisms begin");
    assert!(learn("--generations 1 --fitness found-and-kept").contains("complete already"), "both are recorded");
    assert!(learn("--generations 2 --population-seed 2").contains("resumed where"), "others share the journal");
    // Gradual Focus with the same tables, too.
    let mut command = halfply();
    command.current_dir(folder.path()).args(words("learn --nodes 500 --max-evaluations 1 --suite")).arg(&positions);
    let told = String::from_utf8_lossy(&command.assert().success().get_output().stderr).into_owned();
    assert!(told.contains("complete already"), "{told}");
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("genes.toml");
    fs::write(&file, "format = 1\ngenes = [\n    \"null_move\",\n    \"nul_move\",\n]\n").unwrap();
    let genes = file.display().to_string();
    let out = folder.path().join("out").display().to_string();
    for (arguments, expected) in [
        ("genetic", "--gene: there is nothing to evolve"),
        ("genetic --gene nul_move --profile full", "did you mean null_move?"),
        ("genetic --gene null_move", "the plain search has no parameters: add --profile full"),
        ("genetic --gene Ud=1..0/7", "are not whole hundredths of a ply"),
        ("genetic --gene AcK=1..0/5", "there is no search parameter and no feature of breakthrough called AcK"),
        ("genetic --gene Ud=1..0/5 --gene Ud=1..0.5/3", "there is a gene of Ud already"),
        ("genetic --gene Ud=1..0/5 --population 1", "--population"),
        ("genetic --gene Ud=1..0/5 --mutation 2", "mutation 2: a probability is from 0 to 1"),
        ("genetic --gene Ud=1..0/5 --fitness found-and-kept --stop-at-first-find", "leave out --stop-at-first-find"),
        ("genetic --gene Ud=1..0/5 --held-out 0.95", "from 0 to 0.9"),
        ("genetic --gene Ud=1..0/5 --epsilon 3", "--epsilon"),
        ("gradient --gene null_move", "the plain search has no parameters: add --profile full"),
        ("gradient --gene Ud=0.5..0.1/5", "gene Ud: 1 as given is outside of its gene"),
        ("genetic --gene Ud=0.5..0.1/5 --from-given", "gene Ud: 1 as given is none of the values of its gene"),
        ("gradient", "--extensions: there is nothing to tune"),
        ("gradient --extensions tables/chess-known.toml", "this table is for \"chess\""),
        ("genetic --gene Cut=1..0/5", "gene plain: atoms of the search's state are for the full search"),
        ("gradient --extensions nowhere.toml", "nowhere.toml: cannot be read"),
    ] {
        let arguments = [vec!["learn"], words(arguments), vec!["--nodes", "10", "--out", &out]].concat();
        let error = refusal(&arguments);
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    let table = folder.path().join("state.toml").display().to_string();
    fs::write(&table, "format = 1\ngame = \"breakthrough\"\n[[extension]]\nfeature = \"Ud-Cut\"\nply = 0.5\n").unwrap();
    let error = refusal(&["learn", "gradient", "--extensions", &table, "--out", &out]);
    assert!(error.contains("extensions plain: atoms of the search's state are for the full search"), "{error}");
    let error = refusal(&["learn", "genetic", "--profile", "full", "--genes", &genes, "--out", &out]);
    assert!(error.contains("genes.toml:4: there is no search parameter"), "{error}");
    assert!(!Path::new(&out).exists(), "nothing is written");

    // A journal of another game is not mixed in.
    let learn = |game: &str, gene: &str| {
        let mut command = halfply();
        command.args(["learn", "genetic", "--game", game, "--gene", gene, "--out", &out]);
        command.args(words("--nodes 10 --generations 1"));
        command.assert()
    };
    learn("breakthrough", "Ud=1..0/5").success();
    let assert = learn("chess", "AcK=1..0/5").code(2);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.contains("game was breakthrough and is chess"), "{error}");
}

/// Costs from a tournament's moves, as a table that other commands take.
#[test]
fn costs_are_taken_from_games() {
    let folder = tempfile::tempdir().unwrap();
    let [run, out] = ["run", "table.toml"].map(|name| folder.path().join(name));
    let table = folder.path().join("a.toml");
    fs::write(&table, "format = 1\ngame = \"breakthrough\"\n[[extension]]\nfeature = \"C\"\nply = 0.5\n").unwrap();
    let mut command = halfply();
    command.args(words("tournament run --nodes 200 --games 20 --a")).arg(&table).arg("--out").arg(&run);
    command.assert().success();
    let learn = |options: &[&str]| {
        let mut command = halfply();
        command.args(["learn", "realization"]).arg(&run).args(options);
        let output = command.assert().success().get_output().stdout.clone();
        String::from_utf8(output).unwrap()
    };
    let out = out.display().to_string();
    let all = learn(&["--out", &out]);
    assert!(all.contains("of 20 games; C = 0."), "{all}");
    let table = file::load(Path::new(&out), &Breakthrough::VOCABULARY).unwrap();
    let costs: Vec<i32> = table.rows().iter().map(|row| row.cost.as_hundredths()).collect();
    assert!(costs.len() > 10 && costs.iter().all(|cost| (25..=400).contains(cost)), "{costs:?}");
    assert!(costs.first() < Some(&100) && costs.last() > Some(&100), "{costs:?}");
    // With the greater constant, everything costs more.
    let cost = |text: &str| {
        let row = text.lines().find(|line| line.starts_with("| Ud ")).unwrap();
        row.rsplit('|').nth(1).unwrap().trim().parse::<f64>().unwrap()
    };
    let [low, high] = ["0.1", "0.5"].map(|c| cost(&learn(&["--constant", c, "--categories", "Edg,Ud"])));
    assert!(low < high, "{low} {high}");
    let one = learn(&["--player", "C@0.5"]);
    assert_ne!(one, learn(&["--player", "none"]));

    let journal = run.display().to_string();
    for (options, expected) in [
        (&["--player", "C"][..], "no file has this player; there are \"C@0.5\", \"none\""),
        (&["--constant", "1"], "more than 0 and less than 1"),
        (&["--least", "2", "--most", "1"], "--least 2 is greater than --most 1"),
        (&["--categories", "Xx"], "--categories Xx"),
        (&["--categories", "Ud,Ud"], "--categories Ud: it is named twice"),
        (&["--least=-1"], "from 0 to 10"),
    ] {
        let error = refusal(&[&["learn", "realization", &journal], options].concat());
        assert!(error.contains(expected), "{options:?}: {error}");
    }
    let error = refusal(&["learn", "realization", "README.md"]);
    assert!(error.contains("README.md"), "{error}");

    // The same games as PGN have the same counts.
    let pgn = run.join("games.pgn").display().to_string();
    assert_eq!(stdout(&["learn", "realization", &pgn]), stdout(&["learn", "realization", &journal]));
    let chess = folder.path().join("chess.pgn");
    fs::write(&chess, "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[Event \"2\"]\n\n1. d4 d5 1-0\n")
        .unwrap();
    let chess = chess.display().to_string();
    let counts =
        stdout(&["learn", "realization", &chess, "--categories", "PcP,PcN", "--constant", "0.5", "--positions", "1"]);
    assert!(counts.contains("6 positions of 2 games"), "{counts}");
    let of = |name: &str| counts.lines().find(|line| line.starts_with(name)).unwrap().replace(' ', "");
    assert_eq!((of("| PcP"), of("| PcN")), ("|PcP|6|4|0.6667|0.58|".to_owned(), "|PcN|6|2|0.3333|1.58|".to_owned()));
    for (text, expected) in [
        ("1. e4 e5 2. Nf6 *", "move 3, Nf6"),
        ("[Variant \"Crazyhouse\"]\n\n1. e4 *", "its variant \"Crazyhouse\" is not a game known here"),
        ("", "it has no game"),
        ("1. e4 {", "the comment that begins here has no end"),
    ] {
        let path = folder.path().join("wrong.pgn");
        fs::write(&path, text).unwrap();
        let error = refusal(&["learn", "realization", &path.display().to_string()]);
        assert!(error.contains(expected) && error.contains("wrong.pgn"), "{text}: {error}");
    }
    let error = refusal(&["learn", "realization", &chess, &journal]);
    assert!(error.contains("is of chess, and") && error.contains("of breakthrough: give files of one game"), "{error}");
}
