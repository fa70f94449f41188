"""Compares the speed of two commits: `python -m benchmarks.speed.versions COMMIT [OTHER] [--builds DIR]`.

Builds each commit in a folder of its own, with the default options, and measures the same work in both. OTHER is the
commit that is checked out, unless you name one. The two take turns, each in a process of its own, and a figure is the
median of the ratios of neighboring runs, in CPU time: a busy machine slows both. A ratio above 1 means that OTHER is
slower.

Example: `python -m benchmarks.speed.versions 9f55574`
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).parents[2]

# Each commit runs this with its own library.
PROGRAM = """
import random, sys, time
import lastcard as lc

def play_random(players):
    lc.play_random_games(lc.Rules.preset("official", players=players), 300_000, seed=1, threads=1)

def play_in_python():
    rules, rng, plies = lc.Rules.preset("official"), random.Random(1), 0
    while plies < 100_000:
        state = lc.deal(rules, seed=rng.getrandbits(64))
        while not state.is_over:
            legal = state.legal_actions
            state = state.after(legal[rng.randrange(len(legal) - 1)] if len(legal) > 1 else legal[0])
            plies += 1

def search(agent, count):
    rules, rng, found = lc.Rules.preset("official"), random.Random(2), []
    while len(found) < count:
        state = lc.deal(rules, seed=rng.getrandbits(64))
        while not state.is_over and len(found) < count:
            legal = state.legal_actions
            if len(legal) > 2:
                found.append((state, state.seat))
            state = state.after(legal[rng.randrange(len(legal) - 1)] if len(legal) > 1 else legal[0])
    observations = [lc.observe(state, seat) for state, seat in found]
    player = lc.make_agent(agent, seed=1)
    player.choose(observations[0])
    start = time.process_time()
    for observation in observations:
        player.choose(observation)
    return time.process_time() - start

name = sys.argv[1]
start = time.process_time()
if name.startswith("random rounds"):
    play_random(int(name.split()[2]))
elif name == "Python rounds":
    play_in_python()
else:
    agent, count = name.split()
    print(search(agent, int(count)))
    raise SystemExit
print(time.process_time() - start)
"""
TASKS = (
    "random rounds 2",
    "random rounds 4",
    "Python rounds",
    "halving:simulations=10000 100",
    "ismcts:simulations=4000 100",
    "pomcp:simulations=4000 100",
    "expectiminimax 200",
)
"""Names as the program reads them; for a search: the agent, and how many decisions of one fixed list it takes."""


def build(commit: str, folder: Path, report: Callable[[str], None]) -> Path:
    """Installs the library as of a commit; returns the folder to import it from."""
    source, installed = folder / f"{commit}-source", folder / f"{commit}-installed"
    if installed.exists():
        return installed
    report(f"build {commit}")
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", commit], cwd=PROJECT, stdout=subprocess.PIPE, check=True)
    subprocess.run(["tar", "-x", "-C", str(source)], input=archive.stdout, check=True)
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "install", "--no-deps"]
    subprocess.run([*pip, "--target", str(installed), str(source)], check=True)
    return installed


def measure(installed: Path, task: str, folder: Path) -> float:
    """CPU seconds of one task with the library in that folder."""
    command = [sys.executable, "-P", "-c", PROGRAM, task]
    variables = os.environ | {"PYTHONPATH": str(installed)}
    ran = subprocess.run(command, env=variables, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    return float(ran.stdout)


def compare(first: Path, second: Path, task: str, repeats: int, folder: Path) -> dict[str, float]:
    """The median ratio of neighboring runs, the spread of the middle half, and the seconds of the fastest runs."""
    pairs = [(measure(first, task, folder), measure(second, task, folder)) for _ in range(repeats)]
    ratios = [after / before for before, after in pairs]
    low, middle, high = statistics.quantiles(ratios, n=4)
    fastest = [min(column) for column in zip(*pairs, strict=True)]
    return {"ratio": middle, "low": low, "high": high, "first": fastest[0], "second": fastest[1]}


def name_commit(text: str) -> str:
    """The short name of a commit."""
    found = subprocess.run(
        ["git", "rev-parse", "--short", "--verify", "-q", f"{text}^{{commit}}"],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if found.returncode:
        raise SystemExit(f"versions: no commit {text}; `git log --oneline` lists them")
    return found.stdout.strip()


def main() -> None:
    """Builds, measures and prints."""
    parser = argparse.ArgumentParser(prog="benchmarks.speed.versions", description="Compare the speed of two commits.")
    parser.add_argument("commit", help="the commit to compare with, for example 9f55574 (version 0.1)")
    parser.add_argument("other", nargs="?", default="HEAD", help="the commit to judge (default HEAD)")
    parser.add_argument("--repeats", type=int, default=9, help="pairs of runs (default 9)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only work whose name holds this text")
    parser.add_argument("--builds", type=Path, help="folder that keeps the builds for the next run")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    if options.repeats < 2:
        parser.error("--repeats: use at least 2")
    names = [name_commit(options.commit), name_commit(options.other)]

    def report(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    figures = {}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        first, second = (build(name, options.builds.resolve() if options.builds else folder, report) for name in names)
        for task in (name for name in TASKS if options.only in name):
            report(f"measure {task}")
            figures[task] = compare(first, second, task, options.repeats, folder)
    if options.json:
        print(json.dumps({"commits": names, "figures": figures}))
        return
    print(
        f"{'CPU seconds, fastest of ' + str(options.repeats):50} {names[0]:>9} {names[1]:>9} {'ratio':>7}   middle half"
    )
    for task, found in figures.items():
        print(
            f"{task:50} {found['first']:9.3f} {found['second']:9.3f} {found['ratio']:7.3f}"
            f"   {found['low']:.3f} to {found['high']:.3f}"
        )


if __name__ == "__main__":
    main()
