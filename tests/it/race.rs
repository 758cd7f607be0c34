// SPDX-License-Identifier: GPL-3.0-or-later
//! Races of tables.

use std::fs;

use halfply_engine::features::file;
use halfply_engine::game::Game;
use halfply_engine::games::{Breakthrough, GameName};
use halfply_lab::tournament::definition::Definition;

use crate::resume::{finish, survives_kills, words};
use crate::support::{halfply, refusal};

/// Three tables: the last one searches captures, and nothing else, much less deep.
const RACE: &[&str] = &[
    "learn",
    "race",
    "--table",
    "Ud-Rdt@0.75",
    "--table",
    "C@0.5 Rdb@1.25",
    "--table",
    "C@10",
    "--pairs",
    "4",
    "--laps",
    "3",
    "--nodes",
    "60",
];

#[test]
fn a_race_survives_kills() {
    survives_kills(RACE, 8, 30);
}

#[test]
fn the_better_half_of_a_race_stays() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let text = finish(RACE, &out, "2");
    assert!(text.lines().filter(|line| line.starts_with('|')).all(|line| line.chars().count() <= 80), "{text}");
    let csv = fs::read_to_string(out.join("race.csv")).unwrap();
    let column =
        |place: usize| -> Vec<&str> { csv.lines().skip(1).map(|line| line.split(',').nth(place).unwrap()).collect() };
    let games: usize = column(1).iter().map(|games| games.parse::<usize>().unwrap()).sum();
    let journal = fs::read_to_string(out.join("journal.jsonl")).unwrap();
    assert_eq!(journal.lines().count() - 1, games, "{csv}");
    // After the first lap two of three are left, after the third one; a test may take out more.
    let last = *column(1).last().unwrap();
    assert!(last == "8" && column(1)[0].parse::<usize>().unwrap() > 8, "{csv}");
    assert!(column(5).contains(&"in the worse half"), "{csv}");

    // For watchers: a line for each lap, and the result.
    let events = fs::read_to_string(out.join("events.jsonl")).unwrap();
    let laps: Vec<&str> = events.lines().filter(|line| line.contains("\"step\"")).collect();
    assert!(laps.len() == 3 && laps[0].contains("[\"tables left\",2.0],[\"best score, %\","), "{events}");
    assert!(events.lines().last().unwrap().contains("is left"), "{events}");
    // Eight games show nothing.
    assert!(text.contains("; not shown to gain"), "{text}");

    let table = file::load(&out.join("extensions.toml"), &Breakthrough::VOCABULARY).unwrap();
    assert_eq!(table.summary(&Breakthrough::VOCABULARY), column(0)[0]);
    let definition = Definition::load(&out.join("match.toml")).unwrap();
    definition.check().unwrap();
    assert_eq!((definition.game, definition.players.len(), definition.seed), (GameName::Breakthrough, 2, 2));
    assert_eq!(definition.players[0].name.as_deref(), Some(column(0)[0]));

    // A race with another table plays only what is new.
    let mut command = halfply();
    command.args(["learn", "race", "--table", "Ud-Rdt@0.75", "--table", "Edg@0.75"]);
    command.args(words("--pairs 4 --laps 1 --nodes 60 --threads 2 --out")).arg(&out);
    command.assert().success();
    let journal = fs::read_to_string(out.join("journal.jsonl")).unwrap();
    assert_eq!(journal.lines().count() - 1, games + 8);
}

#[test]
fn what_cannot_race_is_refused() {
    for (options, expected) in [
        ("--table Xx@0.5", "table Xx@0.5"),
        ("--table none", "it is the search without a table"),
        ("--table Ud@1", "it is the search without a table"),
        ("--table Ud@0.5 --table Ud@0.5", "duplicate table"),
        ("--table Ud@0.5 --elo0 5 --elo1 5", "elo1 5: elo0 is 5 and elo1 5"),
        ("--table Ud@0.5 --evaluation guess", "--evaluation"),
    ] {
        let error = refusal(&[&["learn", "race"][..], &words(options)].concat());
        assert!(error.contains(expected), "{options}: {error}");
    }
}
