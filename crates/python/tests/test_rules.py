# SPDX-License-Identifier: GPL-3.0-or-later
"""Our rules against those of OpenSpiel and python-chess, which nobody here has written: `pytest test_rules.py --games 10000`."""

import random

import pytest

from halfply import Position


def board_of(position):
    """The squares from the top, as OpenSpiel draws them."""
    if position.game == "othello":
        return [line[2:].replace(".", "-").lower().split() for line in str(position).splitlines()[1:9]]
    rows = position.fen.split()[0].split("/")
    rows = ["".join("." * int(each) if each.isdigit() else "bw"[each == "p"] for each in row) for row in rows]
    # Our first player is White at the bottom, its first player is Black at the top.
    return [list(row) for row in reversed(rows)]


def board_of_state(game, state):
    lines = str(state).splitlines()
    return [line.split()[1:9] for line in lines[2:10]] if game == "othello" else [list(line[1:]) for line in lines[:8]]


def same_moves(position, state):
    """Checks that both have the same moves, and pairs them."""
    from halfply.openspiel import to_move

    ours = {position.san(move): move for move in position.moves()}
    theirs = {position.san(to_move(state, action)): action for action in state.legal_actions()}
    assert ours.keys() == theirs.keys(), f"{position!r}\n{state}"
    return [(move, theirs[san]) for san, move in ours.items()]


@pytest.mark.parametrize("game, passes_wanted", [("breakthrough", 0), ("othello", 1)])
def test_random_games_are_those_of_openspiel(pytestconfig, game, passes_wanted):
    pyspiel = pytest.importorskip("pyspiel")
    games, dice, plies, passes = pytestconfig.getoption("games"), random.Random(1), 0, 0
    for _ in range(games):
        position, state = Position(game), pyspiel.load_game(game).new_initial_state()
        first = position.turn
        while not state.is_terminal():
            assert not position.is_over and position.ending is None
            assert (position.turn == first) == (state.current_player() == 0)
            assert board_of(position) == board_of_state(game, state)
            move, action = dice.choice(same_moves(position, state))
            passes += position.san(move) == "pass"
            position = position.play(move)
            state.apply_action(action)
            plies += 1
        assert position.is_over and position.moves() == []
        assert board_of(position) == board_of_state(game, state)
        winner = {1.0: True, -1.0: False, 0.0: None}[state.returns()[0]]
        assert winner == (None if position.winner is None else position.winner == first)
    print(f"{game}: {games} games, {plies} plies, {passes} passes: the same")
    assert passes >= passes_wanted


@pytest.mark.parametrize("game, depth", [("breakthrough", 3), ("othello", 6)])
def test_perft_is_that_of_openspiel(game, depth):
    pyspiel = pytest.importorskip("pyspiel")

    def perft(state, depth):
        if depth == 0 or state.is_terminal():
            return int(depth == 0)
        return sum(perft(state.child(action), depth - 1) for action in state.legal_actions())

    state = pyspiel.load_game(game).new_initial_state()
    assert [Position(game).perft(plies) for plies in range(depth + 1)] == [perft(state, plies) for plies in range(depth + 1)]


def test_random_games_are_those_of_python_chess(pytestconfig):
    chess = pytest.importorskip("chess")
    games, dice, plies, drawn = pytestconfig.getoption("games") // 10, random.Random(1), 0, 0
    for number in range(games):
        # Every other game is one of Chess960.
        board = chess.Board.from_chess960_pos(dice.randrange(960)) if number % 2 else chess.Board()
        position = Position.from_board(board)
        while not position.is_over:
            moves = [board.uci(move) for move in board.legal_moves]
            assert sorted(position.moves()) == sorted(moves), repr(position)
            assert position.turn == chess.COLOR_NAMES[board.turn]
            assert chess.Board(position.fen, chess960=board.chess960).epd() == board.epd()
            move = dice.choice(moves)
            position = position.play(move)
            board.push_uci(move)
            plies += 1
            drawn_by_rule = board.is_insufficient_material() or board.halfmove_clock >= 100 or board.is_repetition(3)
            assert position.is_over == (drawn_by_rule or not any(board.legal_moves))
        expected = {True: "white", False: "black", None: None}[board.outcome().winner if board.is_checkmate() else None]
        assert position.winner == expected
        drawn += expected is None
        assert position.to_board() == board and Position.from_board(board) == position
    print(f"chess: {games} games, {plies} plies, {drawn} drawn: the same")


def test_perft_is_that_of_python_chess():
    chess = pytest.importorskip("chess")

    def perft(board, depth):
        if depth == 0:
            return 1
        moves, lines = list(board.legal_moves), 0
        for move in moves:
            board.push(move)
            lines += perft(board, depth - 1)
            board.pop()
        return lines

    for fen in [chess.STARTING_FEN, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"]:
        assert Position("chess", fen).perft(2) == perft(chess.Board(fen), 2)
    assert Position("chess").perft(4) == 197_281
