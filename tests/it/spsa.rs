// SPDX-License-Identifier: GPL-3.0-or-later
//! Parameters that games tune: the same bytes again, killed or not, towards what wins, and what cannot be tuned.

use std::fs;
use std::path::Path;

use halfply_engine::features::file;
use halfply_engine::game::Game;
use halfply_engine::games::Breakthrough;
use halfply_engine::search::Parameters;
use halfply_lab::learn::spsa::Parameter;
use halfply_lab::tournament::definition::Definition;
use halfply_lab::tournament::entrant::Entrant;

use crate::resume::{finish, survives_kills, words};
use crate::support::refusal;

/// A parameter of the full search and a cost.
const OURS: &str = "learn spsa --profile full --hash 1 --parameter null_move_depth,int,300,100,1000,60,0.5 --parameter \
                    Ud-Rdt,float,0.75,0.1,1.5,0.1,0.5 --games 48 --pairs 3 --nodes 60";

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn tuning_by_games_survives_kills() {
    survives_kills(&words(OURS), 12, 30);
}

#[test]
fn the_new_values_are_ready_for_use() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let stdout = finish(&words(OURS), &out, "2");
    assert!(stdout.contains("48 games in 8 iterations"), "{stdout}");
    assert!(stdout.lines().filter(|line| line.starts_with('|')).all(|line| line.chars().count() <= 80), "{stdout}");
    let lines = read(&out, "parameters.txt");
    let tuned: Vec<Parameter> = lines.lines().map(|line| line.parse().unwrap()).collect();
    assert_ne!((tuned[0].start, tuned[1].start), (300.0, 0.75), "nothing has moved");
    let settings = Parameters::load(&out.join("parameters.toml")).unwrap();
    assert_eq!(settings["null_move_depth"].as_integer(), Some(tuned[0].start as i64));
    let table = file::load(&out.join("extensions.toml"), &Breakthrough::VOCABULARY).unwrap();
    assert_eq!(f64::from(table.rows()[0].cost.as_hundredths()), (100.0 * tuned[1].start).round());

    let csv = read(&out, "spsa.csv");
    let points: Vec<f64> = csv.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect();
    assert!(points.len() == 8 && points.iter().all(|points| points.abs() <= 6.0), "{csv}");
    assert_eq!(read(&out, "report.html").matches("<polyline").count(), 2);

    // The old values are those that were given.
    let definition = Definition::load(&out.join("match.toml")).unwrap();
    definition.check().unwrap();
    assert!(definition.sprt.is_some());
    let entrants = Entrant::<Breakthrough>::all(&definition).unwrap();
    let described: Vec<String> = entrants.iter().map(Entrant::description).collect();
    assert!(described[1].contains("Ud-Rdt@0.75") && described[1].contains("null_move_depth=300"), "{described:?}");
    assert!(!described[0].contains("Ud-Rdt@0.75"), "{described:?}");
}

/// The strength of a program as its UCI option: it rises.
#[test]
fn values_move_towards_what_wins() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let engine = env!("CARGO_BIN_EXE_halfply");
    let elo = ["learn", "spsa", "--engine", engine, "--option", "UCI_LimitStrength=true", "--parameter"];
    let elo = [&elo[..], &["UCI_Elo,int,1000,400,1700,300,0.05", "--games", "20", "--pairs", "5", "--nodes", "2000"]]
        .concat();
    finish(&elo, &out, "2");
    let end: Parameter = read(&out, "parameters.txt").trim().parse().unwrap();
    assert!(end.start > 1200.0, "{end}");
    let points = read(&out, "spsa.csv");
    assert!(points.lines().skip(1).all(|line| line.split(',').nth(3) == Some("0")), "faults: {points}");
}

#[test]
fn what_cannot_be_tuned_by_games_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let engine = env!("CARGO_BIN_EXE_halfply");
    let depth = "null_move_depth,int,200,100,1000,45,0.002";
    for (arguments, expected) in [
        (vec![], "--parameter"),
        (vec!["--parameter", "x,int,1"], "a parameter is written NAME,int,VALUE,MIN,MAX,STEP,RATE"),
        (vec!["--parameter", "x,int,5,9,1,1,1"], "must be from 9 to 1"),
        (vec!["--parameter", depth], "the plain search has no parameters: add --profile full"),
        (vec!["--parameter", depth, "--parameter", depth, "--profile", "full"], "it is named twice"),
        (vec!["--parameter", "nul_move_depth,int,2,1,3,1,1", "--profile", "full"], "did you mean null_move_depth?"),
        (vec!["--parameter", depth, "--profile", "full", "--games", "4"], "an iteration of 4 pairs takes 8 games"),
        (vec!["--parameter", depth, "--profile", "full", "--alpha", "2"], "alpha 2: it is from 0 to 1"),
        (
            vec!["--parameter", depth, "--engine", engine, "--profile", "full"],
            "set the options of another one with --option",
        ),
        (vec!["--parameter", "No Such,int,1,0,2,1,1", "--engine", engine], "No Such"),
        (vec!["--parameter", "Threads,int,1,0,2,1,1", "--engine", "/nowhere/engine"], "/nowhere/engine"),
    ] {
        let error = refusal(&[vec!["learn", "spsa", "--out", &out], arguments.clone()].concat());
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    assert!(!Path::new(&out).exists(), "nothing is written");
}
