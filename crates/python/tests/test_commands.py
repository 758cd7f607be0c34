# SPDX-License-Identifier: GPL-3.0-or-later
import os
import signal
import threading
import time

import pytest

import halfply
from halfply import Rows, Study, Table


def test_a_suite_is_searched_as_on_the_command_line():
    rows = halfply.run_suite("suites/breakthrough-7ply.epd", nodes=300)
    assert len(rows) == rows.summary["positions"] == 302
    assert sum(row["solved"] for row in rows) == rows.summary["solved"]
    # In memory or in a file, the table is the same.
    table = Table.load("tables/breakthrough-learned.toml")
    found = [
        halfply.run_suite("suites/breakthrough-7ply.epd", each, nodes=300)
        for each in (table, "tables/breakthrough-learned.toml")
    ]
    assert found[0] == found[1] != rows
    assert found[0].summary["extensions"] == str(table)
    # By hand it is the same, too.
    problem = halfply.suite("suites/breakthrough-7ply.epd")[0]
    move = problem.position.best_move(nodes=300, profile="plain")
    assert (rows[0]["id"], rows[0]["move"], rows[0]["solved"]) == (problem.id, move, problem.is_solved_by(move))


def test_a_command_that_fails_says_why():
    with pytest.raises(ValueError, match="^none.epd: cannot be read"):
        halfply.run_suite("none.epd")
    with pytest.raises(ValueError, match="unexpected argument '--speed'"):
        halfply.run("suite run", speed=1)
    # A negative result is one.
    assert halfply.run("suite run", nodes=10, min_solved=302, json=True)["solved"] < 302
    assert halfply.run("perft", 3) == "22\n484\n11132\n"


def test_a_study_is_followed_to_its_end(tmp_path):
    study = halfply.start("learn", out=tmp_path / "run", nodes=200, max_evaluations=5)
    study.wait(60)
    progress = study.progress
    assert (progress.state, progress.event["event"]) == ("complete", "end") and progress.units >= 5 * 302
    rows = study.results()
    assert len(rows) == 5 and {row["feature"] for row in rows} > {"Neutral"}
    assert all(isinstance(row["value"], int) and isinstance(row["frequency"], float) for row in rows)
    assert Table.load(study.folder).game == "breakthrough"
    assert len(study.results("journal.jsonl")) == progress.units
    # What another process watches is the same.
    assert Study(study.folder).progress == progress and Study(study.folder).results() == rows
    pandas = pytest.importorskip("pandas")
    assert isinstance(rows.to_frame(), pandas.DataFrame) and rows.to_frame().shape[0] == 5


def test_a_tournament_has_games_and_standings(tmp_path):
    study = halfply.start("tournament run", out=tmp_path, a="tables/breakthrough-learned.toml", games=4, nodes=100)
    rows = study.wait(60).results()
    assert len(rows) == 4 and study.progress.of == 4
    assert {rows[0]["white"], rows[0]["black"]} == {"Ud-Rdt@0.5", "none"} and rows[0]["moves"]
    assert rows.summary["standings"]["games"] == 4


def test_a_study_is_stopped_and_goes_on(tmp_path):
    def begin():
        return halfply.start("learn", out=tmp_path, nodes=50_000)

    def is_beyond(units):
        for _ in range(600):
            if study.progress.units > units:
                return True
            time.sleep(0.05)
        return False

    study = begin()
    assert is_beyond(100) and study.progress.state == "running" and repr(study).endswith("running>")
    with pytest.raises(TimeoutError):
        study.wait(0.01)
    study.stop()
    assert study.wait().progress.state == "interrupted"
    units = study.progress.units
    study = begin()
    # The progress of the stopped run is there before this one has begun.
    assert is_beyond(units)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        study.wait()
        time.sleep(5)
    assert study.progress.state == "interrupted" and study.progress.units > units


def test_a_study_that_fails_says_why(tmp_path):
    with pytest.raises(ValueError, match="--nodes none: expected an integer"):
        halfply.start("learn", out=tmp_path, nodes="none").wait()
    with pytest.raises(ValueError, match="no results are here yet"):
        halfply.results(tmp_path)
    (tmp_path / "journal.jsonl").write_text("x\n")
    with pytest.raises(ValueError, match="journal.jsonl"):
        halfply.results(tmp_path)
    assert Study(tmp_path / "nowhere").progress.state == "unknown"


def test_a_program_that_is_missing_is_named(monkeypatch):
    monkeypatch.setenv("HALFPLY", "/nowhere/halfply")
    with pytest.raises(FileNotFoundError):
        halfply.run("bench")


def test_rows_need_no_pandas():
    assert Rows([{"a": 1}], {"b": 2}).summary == {"b": 2} and Rows() == []


def test_a_bot_plays_in_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    from halfply.openspiel import bot, to_position, to_state

    for game in halfply.GAMES:
        state = pyspiel.load_game(game).new_initial_state()
        first = state.current_player()
        bots = {first: bot(nodes=300), 1 - first: pyspiel.make_uniform_random_bot(1 - first, 5)}
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
        # It beats chance.
        assert state.returns()[first] == 1, state
        position = to_position(state)
        assert position.is_over and str(to_state(position)) == str(state)
    started = pyspiel.load_game("chess").new_initial_state("7k/8/8/8/8/8/R7/K6R b - - 0 1")
    assert to_position(started).fen == str(started)
    for wrong in ("tic_tac_toe", "breakthrough(rows=6,columns=6)"):
        with pytest.raises(ValueError, match="expected breakthrough on 8x8"):
            to_position(pyspiel.load_game(wrong).new_initial_state())
