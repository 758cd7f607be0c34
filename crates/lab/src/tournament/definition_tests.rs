// SPDX-License-Identifier: GPL-3.0-or-later

use super::*;

fn read(text: &str) -> Result<Definition, String> {
    Definition::parse(text, "t.toml").map_err(|error| error.to_string())
}

#[test]
fn a_short_definition_has_defaults() {
    let text = "format = 1\ngame = \"chess\"\n[[player]]\nname = \"a\"\n[[player]]\ncommand = \"x\"\n";
    let definition = read(text).unwrap();
    assert_eq!((definition.pairs(), definition.seed, definition.margin), (200, 1, 50));
    assert_eq!(
        (definition.kind, definition.on_fault, definition.players.len()),
        (Schedule::RoundRobin, Policy::Restart, 2)
    );
    assert!(definition.comments && definition.sprt.is_none());
}

#[test]
fn games_and_pairs_are_two_ways_to_say_one_thing() {
    let with = |text: &str| read(&format!("format = 1\ngame = \"chess\"\n{text}\n")).unwrap();
    for (text, pairs) in [("games = 6", 3), ("pairs = 3", 3), ("pairs = 1", 1)] {
        assert_eq!(with(text).pairs(), pairs, "{text}");
    }
    for (text, reason) in [
        ("games = 5", "even"),
        ("games = 0", "from 2 to"),
        ("pairs = 0", "1 to 500000"),
        ("pairs = 18446744073709551615", ""),
        ("games = 6\npairs = 3", "games is 6 and pairs is 3"),
    ] {
        let said = read(&format!("format = 1\ngame = \"chess\"\n{text}\n"));
        assert!(said.as_ref().is_err_and(|said| said.contains(reason)), "{text}: {said:?}");
    }
}

/// The memory of a tournament grows with its games, and its table with the square of its players.
#[test]
fn huge_tournaments_are_refused() {
    let players = |count: usize| "[[player]]\n".repeat(count);
    for (text, players_count, reason) in [
        ("pairs = 500000", 2, None),
        ("pairs = 500000", 3, Some("t.toml:3: these are 3,000,000 games in all: 1,000,000 are the most")),
        ("games = 2", 200, None),
        ("games = 2", 201, Some("there are 201 players: 200 are the most")),
    ] {
        let said = read(&format!("format = 1\ngame = \"chess\"\n{text}\n{}", players(players_count)));
        assert_eq!(said.as_ref().err().is_some(), reason.is_some(), "{text}: {said:?}");
        assert!(reason.is_none_or(|reason| said.as_ref().is_err_and(|said| said.contains(reason))), "{said:?}");
    }
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    for (text, expected) in [
        ("format = 2\nnew = 1\n", "t.toml:1: format 2 is not known"),
        ("format = 1\ngame = \"go\"\n", "t.toml:2: unknown variant `go`"),
        ("format = 1\ngame = \"chess\"\nspeed = 1\n", "t.toml:3: unknown field `speed`"),
        ("format = 1\ngame = \"chess\"\n[[player]]\nnane = \"x\"\n", "t.toml:4: unknown field `nane`"),
        ("format = 1\ngame = \"chess\"\n[[player]]\nnodes = -1\n", "t.toml:4: "),
        ("game = \"chess\"\n", "missing field `format`"),
        ("format = 1\ngame = [\n", "t.toml:"),
        ("format = 1\ngame = \"chess\"\ngames = 3\n", "t.toml:3: games is 3: "),
        ("format = 1\ngame = \"chess\"\npairs = 3\ngames = 6\n", "t.toml:3: games is 6 and pairs is 3: "),
        ("format = 1\ngame = \"chess\"\nconcurrency = 0\n", "t.toml:3: concurrency must be 1 to 1024"),
        ("format = 1\ngame = \"chess\"\npatience = 0\n", "t.toml:3: patience must be at least"),
        ("format = 1\ngame = \"chess\"\n[adjudication]\nmax_plies = 0\n", "t.toml:4: max_plies must be at least 1"),
        (
            "format = 1\ngame = \"chess\"\n[adjudication]\nresign = { score = 0, moves = 1 }\n",
            "t.toml:4: resign: score and moves must be at least 1",
        ),
        (
            "format = 1\ngame = \"chess\"\nadjudication.draw = { score = 0, moves = 0 }\n",
            "t.toml:3: draw: moves must be at least 1",
        ),
        ("format = 1\ngame = \"chess\"\n[sprt]\nelo0 = 5\nelo1 = 0\n", "t.toml:3: elo0 is 5 and elo1 0"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.contains(expected), "{text}\n-> {error}\nexpected {expected}");
    }
}
