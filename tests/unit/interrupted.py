"""Searches that a real SIGINT ends: `python -m tests.unit.interrupted` prints how long each took to notice.

Each of them would run for at least half a minute. After each a second search runs to its end in the same process.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
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

FIRE_AFTER_SECONDS: Final = 0.15
OFFICIAL: Final = Rules.preset("official")
MANY: Final = 10_000_000
STATE: Final = lc.deal(OFFICIAL, seed=5)
SEEN: Final = observe(STATE, 0)
POMCP: Final = Pomcp(PomcpConfig(simulations=MANY))

SEARCHES: Final[dict[str, Callable[[], object]]] = {
    "halving by time": lambda: search_by_halving(SEEN, HalvingConfig(seconds=40)),
    "halving": lambda: search_by_halving(SEEN, HalvingConfig(simulations=MANY)),
    "halving on threads": lambda: search_by_halving(SEEN, HalvingConfig(simulations=MANY, threads=3)),
    "ismcts": lambda: search_by_ismcts(SEEN, IsmctsConfig(simulations=MANY)),
    "ismcts by time": lambda: search_by_ismcts(SEEN, IsmctsConfig(seconds=40)),
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
    "match between searches": lambda: play_match(OFFICIAL, [HalvingConfig(seconds=40), RandomContestant()], 100),
    "match on threads": lambda: play_match(
        OFFICIAL, [HalvingConfig(simulations=MANY), RandomContestant()], 100, threads=2
    ),
    "match between policies": lambda: play_match(OFFICIAL, [HeuristicContestant(), RandomContestant()], 10**8),
    "random rounds": lambda: lc.play_random_games(OFFICIAL, 10**10),
    "playouts": lambda: play_out(Positions.of_states([STATE]), 10**10),
    "believing again and again": lambda: [Belief(SEEN, BeliefConfig(hypotheses=65_536)) for _ in range(10**6)],
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


def main() -> None:
    """Prints a JSON object: seconds by search."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    expected = search_by_halving(SEEN, HalvingConfig(simulations=200)).best
    seconds = {}
    for name, work in SEARCHES.items():
        seconds[name] = interrupt(work)
        assert search_by_halving(SEEN, HalvingConfig(simulations=200)).best is expected, name
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
