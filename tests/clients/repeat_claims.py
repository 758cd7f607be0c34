#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays the first games of the journals in tournament/results again, and compares them with what was recorded.

    python3 tests/clients/repeat_claims.py target/release/halfply [JOURNAL.jsonl.gz ...]

research/README.md promises that these games can be repeated. The first line of a journal has everything that its games
depend on, and the script makes a definition from it. Games by the clock and against other programs cannot be repeated; they
are listed with the reason. A game repeats if its moves, its end and the nodes of both sides are the same.

Exit status 1 if a journal does not repeat.
"""

import argparse
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, "..", "..", "tournament", "results")

# The signatures of the search before ee103b4. The atom PP was what PPf is since then.
EARLIER = 3017693, 2329556
# What makes today's full search the one of then.
WITHOUT = {"exact_rules": "false", "spare_urgent": "false"}


def read(path):
    """The header of a journal and its games by key."""
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    with opened as file:
        header = json.loads(file.readline())
        games = (json.loads(line) for line in file)
        return header, {game["key"]: game["result"] for game in games}


def reason_against(config, most_nodes):
    """Why games of that configuration are not repeated; None if they can be."""
    if config["adjudication"]:
        return "games are adjudicated"
    for player in config["players"]:
        if "command" in player:
            return "against another program"
        nodes = re.fullmatch(r"(\d+) nodes a move", player["limits"])
        if not nodes:
            return "by the clock: " + player["limits"]
        if int(nodes[1]) > most_nodes:
            return f"{int(nodes[1]):,} nodes a move are more than --most-nodes"
    return None


def definition(config, games, defaults, features):
    """A definition whose first games are those of the journal."""
    lines = ["format = 1"]
    for key in ("game", "kind", "seed", "margin", "comments"):
        lines.append(f"{key} = {json.dumps(config[key])}")
    lines.append(f"games = {games}")
    for player in config["players"]:
        lines += ["", "[[player]]", f"name = {json.dumps(player['name'])}", f"profile = {json.dumps(player['profile'])}"]
        lines.append("nodes = " + player["limits"].split()[0])
        evaluation = player["evaluation"].split()[0]
        lines.append(f"evaluation = {json.dumps(evaluation)}")
        if player["extensions"] != "none":
            lines.append(f"extend = {json.dumps(features(player['extensions']))}")
        if "realization" in player:
            lines.append(f"realization = {json.dumps(player['realization'])}")
        if "full" in player:
            lines.append(f"hash = {player['full']['hash']}")
            lines += ["", "[player.parameters]"]
            # With a network a game has tuned parameters, so all of them are named.
            parameters = {**defaults, **player["full"]["parameters"]}
            lines += [f"{name} = {value}" for name, value in parameters.items()]
    return "\n".join(lines) + "\n"


def same(game):
    """What of a game is the same in every run."""
    return {key: value for key, value in game.items() if key not in ("times", "seconds")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("journals", nargs="*", help="default: all in tournament/results")
    parser.add_argument("--games", type=int, default=2, help="games of each pairing")
    parser.add_argument("--most-nodes", type=int, default=100_000, help="leave out journals with more nodes a move")
    arguments = parser.parse_intermixed_args()
    program = os.path.abspath(arguments.program)
    journals = arguments.journals or sorted(glob.glob(os.path.join(RESULTS, "*.jsonl.gz")))

    printed = subprocess.run([program, "parameters", "--format", "toml"], capture_output=True, text=True, check=True).stdout
    defaults = dict(re.findall(r"^(\w+) = ([-\w]+)", printed, re.M))
    failed = []
    for journal in journals:
        name = os.path.basename(journal).split(".jsonl")[0]
        header, kept = read(journal)
        config = header["config"]
        reason = reason_against(config, arguments.most_nodes)
        if reason:
            print(f"left out   {name}: {reason}", flush=True)
            continue
        is_earlier = header["signature"] in EARLIER
        features = (lambda text: re.sub(r"\bPP\b", "PPf", text)) if is_earlier else (lambda text: text)
        parameters = {**defaults, **(WITHOUT if is_earlier else {})}
        with tempfile.TemporaryDirectory() as folder:
            made = os.path.join(folder, "definition.toml")
            with open(made, "w") as file:
                file.write(definition(config, arguments.games, parameters, features))
            out = os.path.join(folder, "out")
            run = subprocess.run([program, "tournament", "run", made, "--out", out], capture_output=True, text=True)
            if run.returncode:
                print(f"FAILED     {name}: {run.stderr.strip().splitlines()[-1]}", flush=True)
                failed.append(name)
                continue
            today, played = read(os.path.join(out, "journal.jsonl"))
        both = [key for key in played if key in kept]
        equal = sum(same(played[key]) == same(kept[key]) for key in both)
        repeats = bool(both) and equal == len(both)
        signature = f"signature {header['signature']}, today {today['signature']}"
        print(f"{'repeats' if repeats else 'DIFFERS':10} {name}: {equal} of {len(both)} games; {signature}", flush=True)
        if not repeats:
            failed.append(name)
    if failed:
        sys.exit(f"not repeated: {', '.join(failed)}")


if __name__ == "__main__":
    main()
