#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs `halfply learn`, `experiment` or `tournament run` on a HyperQueue cluster, to its end.

    pip install hyperqueue==0.27.0
    python3 clusters/run_on_hyperqueue.py --shards 64 -- halfply learn --nodes 1M --out run --spool spool

What follows `--` is the run, with `--spool`. It stops each time it needs results (exit status 3); the units that it needs
are worked as an array of tasks, `halfply work --shard K/N`, and the run is started again. The exit status is that of the
run's last start. Tasks whose worker is lost are started again by HyperQueue, and resume where they were.

Without --local, a server (`hq server start`) and workers (`hq worker start`) of the same version must be running, and all
machines see the current folder at the same path.
"""

import argparse
import contextlib
import json
import signal
import subprocess
import sys
from pathlib import Path

from hyperqueue import Client, Job, LocalCluster
from hyperqueue.cluster import WorkerConfig
from hyperqueue.ffi.protocol import ResourceRequest

WAITING = 3


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, default=8, help="tasks a round [default: 8]")
    parser.add_argument("--cores", type=int, default=1, help="cores, and threads, of a task [default: 1]")
    parser.add_argument("--local", type=int, metavar="N", help="start a server and N workers of one core here")
    parser.add_argument("--server-dir", help="the server's folder [default: HyperQueue's own]")
    parser.add_argument("run", nargs="+", help="halfply and its arguments, with --spool DIR")
    options = parser.parse_args()
    if options.shards < 1 or options.cores < 1 or (options.local is not None and options.local < 1):
        parser.error("--shards, --cores and --local are at least 1")
    if options.local and options.cores > 1:
        parser.error("workers started by --local have one core each: leave out --cores")
    return options


def spool_of(run):
    """The folder that the run names with --spool."""
    for place, word in enumerate(run):
        if word == "--spool" and place + 1 < len(run):
            return Path(run[place + 1])
        if word.startswith("--spool="):
            return Path(word.removeprefix("--spool="))
    sys.exit("run_on_hyperqueue.py: the run has no --spool DIR: add it, so that its units are worked by tasks")


@contextlib.contextmanager
def client_of(options):
    """A client of the cluster, which is ended with us if it is our own."""
    if options.local is None:
        yield Client(options.server_dir)
        return
    with LocalCluster() as cluster:
        for _ in range(options.local):
            cluster.start_worker(WorkerConfig(cores=1))
        # Workers in this process take the signal for themselves, so nothing would end.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        yield cluster.client()


def work(client, options, program, manifest, shards, logs):
    """Has a manifest worked by an array of tasks. Tasks that fail are reported; what they did not do is asked for again."""
    # All that a failed task leaves undone is in the next manifest, so one failure is no reason to give up the others.
    job = Job(default_workdir=Path.cwd(), max_fails=None, name="halfply")
    for shard in range(1, shards + 1):
        command = [program, "work", "--manifest", str(manifest), "--shard", f"{shard}/{shards}"]
        job.program(
            command + ["--threads", str(options.cores)],
            stdout=str(logs / f"{shard}.out"),
            stderr=str(logs / f"{shard}.err"),
            resources=ResourceRequest(cpus=options.cores),
        )
    submitted = client.submit(job)
    if not client.wait_for_jobs([submitted], raise_on_error=False):
        for task, failure in sorted(client.get_failed_tasks(submitted).items()):
            # Tasks are numbered from 0.
            print(f"run_on_hyperqueue.py: shard {task + 1} failed: {failure.error}; see {failure.stderr}", file=sys.stderr)


def main():
    options = arguments()
    spool = spool_of(options.run)
    manifest, logs = spool / "manifest.json", spool / "logs"
    before, rounds = None, 0
    with client_of(options) as client:
        while (status := subprocess.run(options.run).returncode) == WAITING:
            units = json.loads(manifest.read_text())["units"]
            if units == before:
                sys.exit(f"run_on_hyperqueue.py: the tasks did none of {len(units)} units; see {logs}")
            before, rounds = units, rounds + 1
            of_round = logs / f"round-{rounds}"
            of_round.mkdir(parents=True, exist_ok=True)
            work(client, options, options.run[0], manifest.resolve(), min(options.shards, len(units)), of_round.resolve())
    sys.exit(status)


if __name__ == "__main__":
    main()
