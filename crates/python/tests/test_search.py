# SPDX-License-Identifier: GPL-3.0-or-later
import gc
import os
import pickle
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import halfply
from halfply import Position, Table

FORK = Position("breakthrough", "8/2P5/8/8/8/8/5p2/8 w - - 0 1")


@pytest.mark.parametrize("game", halfply.GAMES)
@pytest.mark.parametrize("profile", ["full", "plain"])
def test_a_search_tells_what_it_finds(game, profile):
    position = Position(game)
    search = position.search(nodes=20_000, profile=profile)
    infos = list(search)
    assert [info.depth for info in infos] == list(range(1, len(infos) + 1)) and len(infos) > 2
    assert all(earlier.nodes < later.nodes for earlier, later in zip(infos, infos[1:]))
    assert all(info.pv[0] == info.best_move and info.seldepth >= 1 for info in infos)
    Position(game, moves=infos[-1].pv)
    result = search.result()
    assert result.nodes == 20_000 and result.pv == infos[-1].pv and result.score == infos[-1].score
    assert search.best_move in position.moves() and search.score == result.score and list(search) == []
    # The same again: a search depends on nothing but its arguments.
    again = position.search(nodes=20_000, profile=profile).result()
    assert (again.pv, again.score, again.depth) == (result.pv, result.score, result.depth)


def test_limits_and_settings_count():
    position = Position("breakthrough")
    assert position.search(depth=3).result().depth == 3
    start = time.perf_counter()
    position.search(seconds=0.2).result()
    assert 0.1 < time.perf_counter() - start < 5
    table = Table("breakthrough", "Ud-Rdt@0.5")
    plain = [position.search(depth=5, profile="plain", table=table and each).result().nodes for each in (None, table)]
    assert plain[0] != plain[1]
    text = position.search(depth=5, profile="plain", extend="Ud-Rdt@0.5").result().nodes
    assert text == plain[1]
    assert len({position.search(depth=5, profile="plain", seed=seed).result().nodes for seed in range(4)}) > 1
    assert position.search(nodes=5000, parameters={"null_move": False}, hash=1, threads=2).result().depth > 0


def test_a_win_is_proved():
    result = FORK.search(nodes=1000).result()
    assert (result.best_move[:2], result.plies_to_end, result.score) == ("c7", 1, 29_999)
    lost = Position("chess", "k7/8/1K6/8/8/8/8/7R b - - 0 1").search(depth=4).result()
    assert lost.plies_to_end == -2 and lost.score == -29_998


@pytest.mark.parametrize(
    "settings, error",
    [
        ({"nodes": 0}, ValueError),
        ({"nodes": -1}, ValueError),
        ({"nodes": 2**64}, ValueError),
        ({"nodes": "many"}, TypeError),
        ({"nodes": 1.5}, TypeError),
        ({"seconds": 0}, ValueError),
        ({"seconds": float("nan")}, ValueError),
        ({"seconds": float("inf")}, ValueError),
        ({"threads": 0}, ValueError),
        ({"threads": 10**30}, ValueError),
        ({"seed": -1}, ValueError),
        ({"table": "Ud@0.5"}, TypeError),
        ({"table": Table("chess")}, ValueError),
        ({"hash": 0}, ValueError),
        ({"hash": 10**30}, ValueError),
        ({"profile": "fast"}, ValueError),
        ({"profile": None}, ValueError),
        ({"evaluation": "guess"}, ValueError),
        ({"extensions": "none.toml"}, ValueError),
        ({"speed": 1}, ValueError),
        ({"profile": "plain", "hash": 4}, ValueError),
        ({"parameters": {"nul_move": 1}}, ValueError),
        ({"parameters": {"null_move": None}}, ValueError),
    ],
)
def test_settings_that_are_wrong_are_refused_before_the_search(settings, error):
    with pytest.raises(error):
        Position("breakthrough").search(**{"nodes": 10, **settings})


def test_best_move_asks_for_a_limit():
    with pytest.raises(TypeError, match="needs a limit"):
        Position("chess").best_move(nodes=None)
    # More than a search can use is no fault.
    assert FORK.best_move(nodes=1, depth=2**63, seconds=1e9) in FORK.moves()


def test_a_search_is_stopped_by_hand_and_by_being_thrown_away():
    before = threading.active_count()
    for _ in range(20):
        search = Position("chess").search()
        assert next(search).depth == 1
        del search
    search = Position("chess").search()
    next(search)
    search.stop()
    assert search.result().nodes > 0 and threading.active_count() == before
    gc.collect()


def interrupted(work):
    """Whether Ctrl-C ends it, and after how long."""
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        work()
        time.sleep(5)
    return time.perf_counter() - start


def test_ctrl_c_ends_a_search_and_a_count():
    search = Position("chess").search()
    assert interrupted(search.result) < 3
    # It has stopped, and has a result.
    assert search.result().best_move
    assert interrupted(lambda: Position("chess").best_move(depth=100)) < 3
    assert interrupted(lambda: Position("chess").perft(20)) < 3


def test_threads_search_at_a_time_and_share_a_search():
    # The interpreter is free while a search runs.
    ticks, search = 0, Position("chess").search(seconds=0.5)
    waiting = threading.Thread(target=search.result)
    waiting.start()
    while waiting.is_alive():
        ticks += 1
        time.sleep(0.01)
    assert ticks > 5
    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            shared = Position("othello").search(nodes=5_000)
            found = [info for part in pool.map(list, [shared] * 8) for info in part]
            assert sorted(info.depth for info in found) == list(range(1, len(found) + 1))


def test_what_a_search_is_cannot_be_made_or_changed():
    info = Position("chess").search(nodes=10).result()
    for call in (halfply.Info, halfply.Search, halfply.Problem):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(AttributeError):
        info.depth = 1
    with pytest.raises(TypeError):
        pickle.dumps(Position("chess").search(nodes=10))
