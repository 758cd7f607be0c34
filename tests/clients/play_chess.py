#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays and analyses with halfply through python-chess, a client that nobody here has written.

    pip install chess==1.11.2
    python3 tests/clients/play_chess.py target/release/halfply

Exit status 1 on any fault: an illegal move, an overstepped clock, an answer that does not come.
"""

import argparse
import sys
import time

import chess
import chess.engine

# Seconds on the clock, seconds a move. Where both sides think all the time they are in each other's way.
USUAL = 1.0, 0.01
PONDERING = 2.0, 0.05
# Milliseconds that the programs keep on the clock for the client: beside other work it may wait for the processor itself.
OVERHEAD = 50
# Longer games are stopped; they have shown enough.
LONGEST = 600
PATIENCE = 60.0

faults = []


def check(right, what):
    if not right:
        faults.append(what)
        print(f"FAULT: {what}")


def play(name, board, engines, ponder=False):
    """A game; python-chess itself refuses moves that are not legal."""
    clock, increment = PONDERING if ponder else USUAL
    clocks = {chess.WHITE: clock, chess.BLACK: clock}
    slowest = 0.0
    while not board.is_game_over(claim_draw=True) and board.ply() < LONGEST:
        side = board.turn
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        start = time.perf_counter()
        result = engines[side].play(board, limit, game=name, ponder=ponder, info=chess.engine.INFO_SCORE)
        used = time.perf_counter() - start
        slowest = max(slowest, used)
        clocks[side] -= used
        if clocks[side] < 0:
            check(False, f"{name}, ply {board.ply()}: out of time by {-clocks[side]:.3f} s after {used:.3f} s")
            return
        clocks[side] += increment
        check("score" in result.info, f"{name}, ply {board.ply()}: no score before the move")
        if result.move is None:
            check(False, f"{name}, ply {board.ply()}: no move in {board.fen()}")
            return
        board.push(result.move)
    # Drawn by rule, an engine that is asked for a move still has one: not every client claims the draw.
    if not any(board.legal_moves):
        result = engines[board.turn].play(board, chess.engine.Limit(depth=1), game=name)
        check(result.move is None, f"{name}: a move after the end of the game")
    outcome = board.result(claim_draw=True)
    print(f"{name}: {outcome} after {board.ply()} plies, slowest move {1000 * slowest:.0f} ms")


def analyse(engine):
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1")
    infos = engine.analyse(board, chess.engine.Limit(depth=4), multipv=3)
    check(len(infos) == 3, f"{len(infos)} lines of analysis instead of 3")
    firsts = [info["pv"][0] for info in infos]
    check(len(set(firsts)) == len(firsts), f"the same move twice among {firsts}")
    check(firsts[0] == chess.Move.from_uci("f3f7"), f"scholar's mate is missed: {firsts}")
    check(infos[0]["score"].relative == chess.engine.Mate(1), f"scholar's mate is scored {infos[0]['score']}")
    infos = engine.analyse(board, chess.engine.Limit(depth=2), root_moves=[chess.Move.from_uci("a2a3")])
    check(infos["pv"][0] == chess.Move.from_uci("a2a3"), "searchmoves are not kept to")
    # An analysis without end ends when the client has seen enough.
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3 and "pv" in info:
                break
    check(analysis.wait().move in chess.Board().legal_moves, "no move at the end of an analysis")
    engine.ping()
    print("analysis: done")


def configure(engine):
    engine.configure({"Hash": 8, "Threads": 1, "Move Overhead": 15, "Profile": "plain"})
    check(engine.play(chess.Board(), chess.engine.Limit(nodes=2000)).move is not None, "no move with another profile")
    for name, option in engine.options.items():
        # Those that python-chess sets by itself it lets nobody else set.
        if not option.is_managed() and option.type != "button":
            engine.configure({name: option.default})
    engine.ping()
    print(f"options: {len(engine.options)} set")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="the program, such as target/release/halfply")
    path = parser.parse_args().engine
    white, black = (chess.engine.SimpleEngine.popen_uci(path, timeout=PATIENCE) for _ in range(2))
    try:
        print(f"{white.id['name']} by {white.id['author']}, through python-chess {chess.__version__}")
        white.ping()
        configure(white)
        analyse(white)
        for engine in (white, black):
            engine.configure({"Move Overhead": OVERHEAD})
        players = {chess.WHITE: white, chess.BLACK: black}
        play("chess", chess.Board(), players)
        play("chess, pondering", chess.Board(), players, ponder=True)
        play("chess960", chess.Board.from_chess960_pos(100), players)
        play("chess from a position", chess.Board("8/8/8/4k3/8/8/3QK3/8 w - - 0 1"), players)
        white.ping()
    except (chess.engine.EngineError, chess.engine.EngineTerminatedError, TimeoutError) as error:
        check(False, f"{type(error).__name__}: {error}")
    finally:
        for engine in (white, black):
            try:
                engine.quit()
            except (chess.engine.EngineError, chess.engine.EngineTerminatedError, TimeoutError) as error:
                check(False, f"quit: {type(error).__name__}: {error}")
    print(f"{len(faults)} faults" if faults else "python-chess finds no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
