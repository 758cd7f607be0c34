# SPDX-License-Identifier: GPL-3.0-or-later
"""Halfply in OpenSpiel (`pip install open_spiel`): Breakthrough on 8x8, Othello and chess.

In OpenSpiel's Breakthrough the first player is at the top; here it is at the bottom, so boards are mirrored.
"""

from __future__ import annotations

from typing import Any

import pyspiel

from ._halfply import GAMES, Position


def _name(state: Any) -> str:
    game = state.get_game()
    name: str = game.get_type().short_name
    parameters = game.get_parameters()
    if name not in GAMES or (name == "breakthrough" and (parameters["rows"], parameters["columns"]) != (8, 8)):
        raise ValueError(f"{game}: expected breakthrough on 8x8, othello or chess")
    return name


def _mirrored(move: str) -> str:
    return "".join(str(9 - int(each)) if each.isdigit() else each for each in move)


def to_move(state: Any, action: int) -> str:
    """The move that an action of a state is."""
    text: str = state.action_to_string(state.current_player(), action)
    return _mirrored(text.rstrip("*")) if _name(state) == "breakthrough" else text


def to_action(state: Any, position: Position, move: str) -> int:
    """The action of a state that a move in the same position is."""
    wanted = position.san(move)
    return next(int(each) for each in state.legal_actions() if position.san(to_move(state, each)) == wanted)


def to_position(state: Any) -> Position:
    """The position of a state, with its moves. Of a game of chess that did not begin at the start they are left out."""
    name, replayed = _name(state), state.get_game().new_initial_state()
    position = Position(name)
    for action in state.history():
        if action not in replayed.legal_actions():
            break
        position = position.play(to_move(replayed, action))
        replayed.apply_action(action)
    # Only chess has other starts, and there the text of a state is its FEN.
    return position if str(replayed) == str(state) else Position(name, str(state))


def to_state(position: Position) -> Any:
    """A state with the same moves. The position must come from the start of its game."""
    here, state = Position(position.game), pyspiel.load_game(position.game).new_initial_state()
    if Position(position.game, moves=position.history) != position:
        raise ValueError("the position does not come from the start of its game")
    for move in position.history:
        state.apply_action(to_action(state, here, move))
        here = here.play(move)
    return state


class _Bot(pyspiel.Bot):
    def __init__(self, settings: dict[str, Any]) -> None:
        pyspiel.Bot.__init__(self)
        self._settings = settings

    def step(self, state: Any) -> int:
        position = to_position(state)
        return to_action(state, position, position.best_move(**self._settings))

    def restart_at(self, state: Any) -> None:
        """It remembers nothing."""


def bot(**settings: Any) -> pyspiel.Bot:
    """A bot for either side of the three games. The settings are those of `Position.search`: `bot(nodes=10_000)`."""
    return _Bot(settings)
