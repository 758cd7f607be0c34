# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of halfply as calls, and what they write as rows.

A command is a process of its own, so nothing that it does can harm the one that calls it, and what it writes is the same as
on a command line.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Union

from ._halfply import Table

if TYPE_CHECKING:
    import pandas

PathLike = Union[str, "os.PathLike[str]"]

# What the folder of a run may have, by kind of run: what was found is of more use than each unit of work.
_RESULTS = ("features.csv", "rounds.csv", "spsa.csv", "moves.csv", "journal.jsonl")

# The exit statuses of the program.
_GOOD, _NEGATIVE, _WAITING, _INTERRUPTED = 0, 1, 3, 130


class Rows(list[dict[str, Any]]):
    """Results: a list of dicts. `summary` has what is known of all of them together."""

    def __init__(self, rows: Iterable[dict[str, Any]] = (), summary: dict[str, Any] | None = None) -> None:
        super().__init__(rows)
        self.summary: dict[str, Any] = summary or {}

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a data frame; needs pandas."""
        import pandas

        return pandas.DataFrame(list(self))


@dataclass(frozen=True)
class Progress:
    """How far a study is."""

    state: str
    """"running", "complete", "interrupted", "waiting" (for other processes), "failed", or "unknown" (of an old folder)."""
    units: int
    """Searches or games that are in the journal."""
    of: int | None
    """How many there will be, where that is known before the end."""
    event: dict[str, Any]
    """The last line of events.jsonl."""


def program() -> str:
    """The path of the program: $HALFPLY, or the one that was installed with this module, or the first that is found."""
    installed = shutil.which("halfply", path=sysconfig.get_path("scripts"))
    found = os.environ.get("HALFPLY") or installed or shutil.which("halfply")
    if found is None:
        raise FileNotFoundError("the program halfply is not installed; set HALFPLY to its path")
    return found


def _words(options: dict[str, Any]) -> list[str]:
    """Keyword arguments as options: True is a flag, a list repeats the option, None and False leave it out."""
    words = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is True:
                words.append(option)
            elif each is not None and each is not False:
                words += [option, str(each)]
    return words


def _launch(command: str, arguments: tuple[Any, ...], options: dict[str, Any], output: Any, errors: IO[bytes]) -> Any:
    words = [program(), *command.split(), *_words(options), *map(str, arguments)]
    # In a session of its own Ctrl-C comes once: from here.
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True)


def _interrupt(process: Any) -> None:
    if process.poll() is None:
        process.terminate() if os.name == "nt" else process.send_signal(signal.SIGINT)


def _check(status: int, errors: IO[bytes]) -> None:
    if status in (_GOOD, _NEGATIVE, _WAITING, _INTERRUPTED):
        return
    errors.seek(0)
    # Progress is on stderr too.
    told = errors.read().decode(errors="replace")
    raise ValueError(told[max(told.rfind("error: "), 0) :].removeprefix("error: ").strip() or f"exit status {status}")


def run(command: str, *arguments: Any, **options: Any) -> Any:
    """Runs a command to its end and returns what it prints; with `json=True`, parsed.

    >>> run("suite run", "suites/ecm.epd", nodes="10k", profile="full", json=True)["solved"]

    `_` stands for `-` in the names of options. Ctrl-C stops the command.
    """
    with tempfile.TemporaryFile() as errors:
        process = _launch(command, arguments, options, subprocess.PIPE, errors)
        try:
            output, _ = process.communicate()
        except BaseException:
            _interrupt(process)
            process.communicate()
            raise
        _check(process.returncode, errors)
    text = output.decode()
    return json.loads(text) if options.get("json") else text


def run_suite(suite: PathLike, table: Table | PathLike | None = None, **options: Any) -> Rows:
    """Searches a suite, an EPD file or one that is part of halfply, as `halfply suite run` does with these options.

    Each row is a position: `id`, `solved`, `move`, `nodes`, `depth`...; the summary has `solved`, `positions`, the settings.
    """
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(table, Table):
            path = Path(folder, "extensions.toml")
            path.write_text(table.text, encoding="utf-8")
            table = path
        found = run("suite run", suite, extensions=table, **{**options, "json": True})
    return Rows(found.pop("results"), found)


def start(command: str, *arguments: Any, out: PathLike, **options: Any) -> Study:
    """Starts a command that writes its results to the folder `out`, such as "learn" or "tournament run".

    It runs on when Python ends. The same call continues a run that was stopped.

    >>> study = start("learn", out="runs/mine", nodes=3000)
    >>> study.wait().results().to_frame()
    """
    errors = tempfile.TemporaryFile()
    process = _launch(command, arguments, {**options, "out": os.fspath(out)}, subprocess.DEVNULL, errors)
    return Study(out, process, errors)


class Study:
    """A run of halfply: one that `start` has started, or the folder of an older one."""

    def __init__(self, folder: PathLike, process: Any = None, errors: IO[bytes] | None = None) -> None:
        self.folder = Path(folder)
        self._process = process
        self._errors = errors

    @property
    def events(self) -> list[dict[str, Any]]:
        """What it has reported so far: the lines of events.jsonl, which docs/formats.md describes."""
        return _lines(self.folder / "events.jsonl")

    @property
    def progress(self) -> Progress:
        """How far it is."""
        events = self.events
        units = max(len(_lines(self.folder / "journal.jsonl")) - 1, 0)
        of = ((events[0].get("plan") or {}) if events else {}).get("games")
        return Progress(self._state(events), units, of, events[-1] if events else {})

    def _state(self, events: list[dict[str, Any]]) -> str:
        if self._process is None:
            return str(events[-1].get("ending", "unknown")) if events else "unknown"
        known = {None: "running", _GOOD: "complete", _NEGATIVE: "complete", _WAITING: "waiting", _INTERRUPTED: "interrupted"}
        return known.get(self._process.poll(), "failed")

    def wait(self, timeout: float | None = None) -> Study:
        """Waits for the end. Ctrl-C stops the study; TimeoutError after so many seconds does not.

        A study that has failed is a ValueError with its message.
        """
        if self._process is None or self._errors is None:
            return self
        try:
            status = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{self.folder}: still running after {timeout} s") from None
        except BaseException:
            self.stop()
            raise
        _check(status, self._errors)
        return self

    def stop(self) -> None:
        """Stops it as Ctrl-C does: what it has found is kept, and the same command continues it."""
        if self._process is not None:
            _interrupt(self._process)
            self._process.wait()

    def results(self, name: str | None = None) -> Rows:
        """Its results so far, as the function `results` reads them."""
        return results(self.folder if name is None else self.folder / name)

    def __repr__(self) -> str:
        return f"<Study {str(self.folder)!r} {self._state(self.events)}>"


def results(path: PathLike) -> Rows:
    """The results in a file of a run (CSV, or a journal), or in its folder: there those of greatest use.

    A row is a feature (`learn`), an iteration (`learn spsa`...), a game (`tournament run`) or a move (`review`). The summary
    of a journal is its header; beside it in a tournament's folder is `standings`, the content of result.json.
    """
    path = Path(path)
    if path.is_dir():
        found = [path / name for name in _RESULTS if (path / name).is_file()]
        if not found:
            raise ValueError(f"{path}: no results are here yet")
        path = found[0]
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            return Rows({name: _value(text) for name, text in row.items()} for row in csv.DictReader(file))
    header, *lines = _lines(path) or [{}]
    standings = path.with_name("result.json")
    if standings.is_file():
        header["standings"] = json.loads(standings.read_text(encoding="utf-8"))
    return Rows(map(_row, lines), header)


def _row(line: dict[str, Any]) -> dict[str, Any]:
    result = line.get("result")
    row: dict[str, Any] = dict(result) if isinstance(result, dict) else {"result": result}
    if "players" in row:
        row["white"], row["black"] = row.pop("players")
    return {"key": line.get("key"), **row, "seconds": line.get("seconds")}


def _value(text: str) -> Any:
    """A cell of a CSV file: a number or a truth where it looks like one, None if it is empty."""
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text


def _lines(path: Path) -> list[dict[str, Any]]:
    """The complete lines of a JSON Lines file; none if there is no file. A line that is being written is left out."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    try:
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
    except ValueError as error:
        raise ValueError(f"{path}: {error}; a journal or events.jsonl is expected") from None
