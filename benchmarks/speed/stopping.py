"""Prints how long Ctrl-C takes to end a search: `python -m benchmarks.speed.stopping [--searches]`.

Each search would run for at least half a minute. In Python, the time is from SIGINT to KeyboardInterrupt, and a second
search then runs to its end in the same process. For a command, it is from SIGINT to the end of the process. `train` and
`exploit` do not search: they save their checkpoint first.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import lastcard as lc
from lastcard.arena.core_match import HeuristicContestant, RandomContestant, play_match
from lastcard.belief import Belief, BeliefConfig
from lastcard.observation import observe
from lastcard.playouts import Positions, play_out
from lastcard.rules import Rules
from lastcard.search import (
    ExpectiminimaxConfig,
    HalvingConfig,
    IsmctsConfig,
    MctsConfig,
    Pomcp,
    PomcpConfig,
    search_by_expectiminimax,
    search_by_halving,
    search_by_ismcts,
    search_by_mcts,
    search_by_pomcp,
)
from lastcard.table import Table

FIRE_AFTER_SECONDS: Final = 0.15
PATIENCE_SECONDS: Final = 500.0
"""Ends a hang; no command takes as long to stop."""
OFFICIAL: Final = Rules.preset("official")
MANY: Final = 10_000_000
STATE: Final = lc.deal(OFFICIAL, seed=5)
SEEN: Final = observe(STATE, 0)
POMCP: Final = Pomcp(PomcpConfig(simulations=MANY))

SEARCHES: Final[dict[str, Callable[[], object]]] = {
    "halving by time": lambda: search_by_halving(SEEN, HalvingConfig(seconds=60)),
    "halving": lambda: search_by_halving(SEEN, HalvingConfig(simulations=MANY)),
    "halving on threads": lambda: search_by_halving(SEEN, HalvingConfig(simulations=MANY, threads=3)),
    "ismcts": lambda: search_by_ismcts(SEEN, IsmctsConfig(simulations=MANY)),
    "ismcts by time": lambda: search_by_ismcts(SEEN, IsmctsConfig(seconds=60)),
    "mcts": lambda: search_by_mcts(SEEN, MctsConfig(simulations=MANY)),
    "pomcp": lambda: search_by_pomcp(SEEN, PomcpConfig(simulations=MANY)),
    "a pomcp that is kept": lambda: POMCP.search(SEEN, 0),
    "expectiminimax": lambda: search_by_expectiminimax(
        SEEN, ExpectiminimaxConfig(determinizations=1_000_000, playouts=100)
    ),
    "expectiminimax in one deep tree": lambda: search_by_expectiminimax(
        SEEN,
        ExpectiminimaxConfig(determinizations=1, group=1, depth=32, opponents="minimise", nodes=MANY, playouts=1000),
    ),
    "match between searches": lambda: play_match(OFFICIAL, [HalvingConfig(seconds=60), RandomContestant()], 100),
    "match on threads": lambda: play_match(
        OFFICIAL, [HalvingConfig(simulations=MANY), RandomContestant()], 100, threads=2
    ),
    "match between policies": lambda: play_match(OFFICIAL, [HeuristicContestant(), RandomContestant()], 10**8),
    "random rounds": lambda: lc.play_random_games(OFFICIAL, 10**10),
    "playouts": lambda: play_out(Positions.of_states([STATE]), 10**10),
    "believing again and again": lambda: [Belief(SEEN, BeliefConfig(hypotheses=65_536)) for _ in range(10**6)],
}


TABLE: Final = ("--hand", "r5 bR y+2 g7 b3", "--top", "r7", "--opponents", "7")
POSITION: Final = "top r5 | seat 0: r7 b5 g7 y1 | seat 1: g1 g2 g3"
ENGINE_LINES: Final = (
    "lastcard 1",
    f"new {json.dumps(OFFICIAL.to_dict())}",
    f"position {json.dumps({name: value for name, value in SEEN.to_dict().items() if name != 'rules'})}",
    f"go simulations {MANY}",
)

COMMANDS: Final[dict[str, tuple[tuple[str, ...], float]]] = {
    "advise by time": (("advise", *TABLE, "--seconds", "60"), 1.5),
    "watch": (("watch", "halving:seconds=60", "random"), 1.5),
    "arena": (("arena", "halving:seconds=60", "random", "--games", "4"), 1.5),
    "arena with two processes": (("arena", "halving:seconds=60", "random", "--games", "4", "--jobs", "2"), 2.5),
    "explain": (("explain", f"halving:simulations={MANY}", "-p", POSITION), 1.5),
    "bench": (("bench", "--seconds", "60"), 1.5),
    "tune": (("tune", "--generations", "1000"), 1.5),
    "analyse": (("analyse", "round.txt", "--agent", f"halving:simulations={MANY}"), 1.5),
    "engine": (("engine", "--agent", "halving"), 1.5),
}
"""Commands that search, and the CPU seconds after which they do."""
TRAININGS: Final[dict[str, tuple[tuple[str, ...], float]]] = {
    "train": (("train", "--out", "run"), 6),
    "exploit": (("exploit", "heuristic", "--out", "response"), 6),
}


def interrupt(work: Callable[[], object]) -> float:
    """Seconds between the signal and the KeyboardInterrupt it raises."""
    fired = list[float]()

    def fire() -> None:
        time.sleep(FIRE_AFTER_SECONDS)
        fired.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=fire, daemon=True).start()
    try:
        work()
    except KeyboardInterrupt:
        return time.monotonic() - fired[0]
    raise AssertionError("it ended by itself")


def spent_seconds(pid: int) -> float:
    """Returns the CPU time of a process and the children it has now."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(spent_seconds(int(child)) for child in children)


def hear_ctrl_c() -> None:
    """Lets a new process hear Ctrl-C: a shell's background jobs ignore it, and so would what they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupt_command(arguments: Sequence[str], at_seconds: float, folder: Path) -> tuple[int, str, float]:
    """Runs a command in a folder and sends Ctrl-C to all its processes once they have worked for so long.

    Returns its exit code, its output, and the seconds from the signal to its end.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "lastcard.cli", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        start_new_session=True,
        preexec_fn=hear_ctrl_c,  # noqa: PLW1509
    )
    assert process.stdin is not None
    if arguments[0] == "engine":
        process.stdin.writelines(f"{line}\n" for line in ENGINE_LINES)
        process.stdin.flush()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while spent_seconds(process.pid) < at_seconds and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    process.wait(PATIENCE_SECONDS)
    seconds = time.monotonic() - start
    output, _ = process.communicate()
    return process.returncode, output, seconds


def measure_searches() -> dict[str, float]:
    """Returns the seconds of each search in Python."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    expected = search_by_halving(SEEN, HalvingConfig(simulations=200)).best
    play_out(Positions.of_states([STATE]), 1)  # imports NumPy: a signal in the middle of that is an ImportError
    seconds = {}
    for name, work in SEARCHES.items():
        seconds[name] = interrupt(work)
        assert search_by_halving(SEEN, HalvingConfig(simulations=200)).best is expected, name
    return seconds


def measure_commands() -> dict[str, float]:
    """Returns the seconds of each command; trainings save a checkpoint first."""
    seconds = {}
    with TemporaryDirectory() as folder:
        Table(OFFICIAL, ["heuristic", "random"], seed=5).play_round().save(Path(folder) / "round.txt")
        for name, (arguments, at_seconds) in (COMMANDS | TRAININGS).items():
            code, output, seconds[f"lastcard {name}"] = interrupt_command(arguments, at_seconds, Path(folder))
            assert code == 130, output
    return seconds


def main() -> None:
    """Measures, and prints JSON."""
    parser = argparse.ArgumentParser(prog="benchmarks.speed.stopping", description=__doc__)
    parser.add_argument("--searches", action="store_true", help="leave out the commands")
    options = parser.parse_args()
    print(json.dumps(measure_searches() | ({} if options.searches else measure_commands()), indent=1))


if __name__ == "__main__":
    main()
