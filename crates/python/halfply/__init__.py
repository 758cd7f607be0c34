# SPDX-License-Identifier: GPL-3.0-or-later
"""Halfply, a game engine that learns where to look deeper.

    >>> import halfply
    >>> position = halfply.Position("breakthrough")
    >>> table = halfply.Table("breakthrough", "Ud-Rdt@0.5")
    >>> for info in position.search(nodes=100_000, table=table):
    ...     print(info.depth, info.score, info.pv)

Positions, tables, searches and suites are here; `run` and `start` give everything else that the command `halfply` can do.
What is wrong with an argument is a ValueError that says so. `halfply.openspiel` plays in OpenSpiel.
"""

from ._halfply import GAMES, Info, Position, Problem, Search, Table, __version__, atoms, suite
from .commands import Progress, Rows, Study, program, results, run, run_suite, start

__all__ = [
    "GAMES",
    "Info",
    "Position",
    "Problem",
    "Progress",
    "Rows",
    "Search",
    "Study",
    "Table",
    "__version__",
    "atoms",
    "program",
    "results",
    "run",
    "run_suite",
    "start",
    "suite",
]
