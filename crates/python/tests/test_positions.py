# SPDX-License-Identifier: GPL-3.0-or-later
import copy
import pickle

import pytest

import halfply
from halfply import Position, Table


@pytest.mark.parametrize("game", halfply.GAMES)
def test_a_game_is_played(game):
    position = Position(game)
    before = position.fen
    after = position.play(position.moves()[0])
    assert position.fen == before and position.history == []
    assert after != position and after.turn != position.turn and after.history == position.moves()[:1]
    assert not after.is_over and after.result == "*" and after.winner is None and after.ending is None
    assert Position.parse(game, after.fen) == after and hash(Position.parse(game, after.fen)) == hash(after)
    assert Position(game, moves=after.history).fen == after.fen
    assert set(position.atoms(position.moves()[0])) <= halfply.atoms(game).keys()
    for same in (pickle.loads(pickle.dumps(after)), copy.deepcopy(after)):
        assert same == after and same.history == after.history
    assert {position, after, Position(game)} == {position, after}
    assert position != position.fen and position != None
    assert len(str(position).splitlines()) >= 9 and eval(repr(position)) == position


def test_a_finished_game_has_a_result():
    mate = Position("chess", moves=["f3", "e5", "g4", "Qh4"])
    assert (mate.is_over, mate.winner, mate.result, mate.ending) == (True, "black", "0-1", "checkmate")
    assert mate.moves() == [] and mate.perft(3) == 0 and mate.history[-1] == "d8h4"
    with pytest.raises(ValueError, match="the game is over"):
        mate.play("a2a3")
    with pytest.raises(ValueError, match="the game is over"):
        mate.search(nodes=10)
    # A draw that a rule allows ends the game, but its moves stay legal.
    repeated = Position("chess", moves=["Nf3", "Nf6", "Ng1", "Ng8"] * 2)
    assert (repeated.ending, repeated.result, repeated.winner) == ("repetition", "1/2-1/2", None)
    assert repeated == Position.parse("chess", repeated.fen) and not Position.parse("chess", repeated.fen).is_over
    assert repeated.play("e4").best_move(depth=1)


def test_lines_are_counted():
    assert Position("breakthrough").perft(6) == 149_264_638
    assert Position("othello").perft(7) == 55_092
    assert Position("chess").perft(0) == 1


def test_what_a_move_has_and_costs():
    position = Position("breakthrough", "8/8/8/4p3/1P6/8/7p/P7 w - - 0 1")
    assert {"Ud", "Rdt"} <= set(position.atoms("b4b5"))
    table = Table("breakthrough", "Ud-Rdt@0.5 C@0.75")
    assert (table.cost(position, "b4b5"), table.cost(position, "a1a2")) == (0.5, 1.0)
    assert table.rows == [("Ud-Rdt", 0.5), ("C", 0.75)] and str(table) == "Ud-Rdt@0.5 C@0.75"
    assert table == Table.parse(table.text) == eval(repr(table)) == pickle.loads(pickle.dumps(table))
    assert hash(table) == hash(Table.parse(table.text)) and table != Table("breakthrough")
    # The last move counts for atoms of recapture: it is known after `play`.
    exchange = Position("chess", "4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1").play("e4d5")
    assert set(exchange.atoms("c6d5")) > set(Position.parse("chess", exchange.fen).atoms("c6d5"))


def test_tables_are_found_in_files_and_runs(tmp_path):
    table = Table.load("tables/breakthrough-learned.toml")
    assert table.game == "breakthrough" and len(table.rows) == 1
    (tmp_path / "extensions.toml").write_text(table.text)
    assert Table.load(tmp_path) == Table.load(str(tmp_path / "extensions.toml")) == table


def test_suites_are_read():
    problems = halfply.suite("suites/ecm.epd")
    assert len(problems) == 879 and len({problem.id for problem in problems}) == 879
    first = problems[0]
    assert first.is_solved_by(first.best[0]) and first.is_solved_by(first.position.san(first.best[0]))
    wrong = next(move for move in first.position.moves() if move not in first.best)
    assert not first.is_solved_by(wrong)
    assert halfply.suite("suites/othello-ffo.epd", game="othello")[0].position.game == "othello"


@pytest.mark.parametrize(
    "call, reason",
    [
        (lambda: Position("go"), "no game"),
        (lambda: Position.parse("chess", "x"), "fields found"),
        (lambda: Position.parse("breakthrough", Position("chess").fen), "breakthrough|Breakthrough"),
        (lambda: Position.parse("othello", "8/" * 100_000), "fields found"),
        (lambda: Position("chess", "\ud800"), "surrogates"),
        (lambda: Position("chess", "8/8/8/8/8/8/8/8 w - - 0 1"), "king"),
        (lambda: Position("chess", moves=["e4", "e4"]), "move 2: e4 is not legal"),
        (lambda: Position("chess").play("d3c2"), "not legal"),
        (lambda: Position("chess").play("\0"), "is not a move"),
        (lambda: Position("othello").play("e2e4"), "is not a move"),
        (lambda: Position("breakthrough").san("a1a2"), "not legal"),
        (lambda: Position("breakthrough").atoms(""), "is not a move"),
        (lambda: Position("chess").perft(-1), "expected a number"),
        (lambda: Position("chess").perft(10**30), "expected a number"),
        (lambda: Position("chess").perft(21), "20 plies at most"),
        (lambda: Position("othello").to_board(), "python-chess has no boards of othello"),
        (lambda: Table("breakthrough", "Xx@0.5"), 'there is no atom "Xx"'),
        (lambda: Table("breakthrough", "Ud@11"), "from 0 to 10"),
        (lambda: Table.parse(""), "missing field"),
        (lambda: Table.parse('format = 1\ngame = "go"\n'), 'this table is for "go"'),
        (lambda: Table.load("none.toml"), "none.toml: cannot be read"),
        (lambda: Table("chess").cost(Position("breakthrough"), "a2a3"), "the table is for chess"),
        (lambda: halfply.suite("none.epd"), "none.epd: cannot be read"),
        (lambda: halfply.suite(__file__), "an EPD line begins with"),
        (lambda: halfply.atoms("go"), "no game"),
    ],
)
def test_what_is_wrong_is_a_value_error(call, reason):
    with pytest.raises(ValueError, match=reason):
        call()


@pytest.mark.parametrize("value", [None, 1, 1.5, b"chess", [], object()])
def test_what_is_no_text_is_a_type_error(value):
    for call in (Position, Position("chess").play, Position("chess").atoms, Table.parse, halfply.atoms):
        with pytest.raises(TypeError):
            call(value)


def test_boards_of_python_chess_are_taken():
    chess = pytest.importorskip("chess")
    board = chess.Board()
    for san in ["e4", "e5", "Nf3"]:
        board.push_san(san)
    position = Position.from_board(board)
    assert position.history == ["e2e4", "e7e5", "g1f3"] and position.to_board() == board
    assert {chess.Move.from_uci(move) for move in position.moves()} == set(board.legal_moves)
    import chess.variant

    board.push(chess.Move.null())
    for wrong in (chess.variant.AtomicBoard(), chess.Board(None), board):
        with pytest.raises(ValueError):
            Position.from_board(wrong)
