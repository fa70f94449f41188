"""Measures what forgetting costs: `python -m benchmarks.strength.long_rounds NAME [--positions N] [--save]`.

Searches follow the last 1,024 events of a round (core/search/opening.hpp). Here two networks that hoard, A and D, play
until a round has 1,600 plies. Then `halving` takes the place of one of them, from each seat in turn. To compare with a
search that forgets nothing, build another copy of lastcard with CXXFLAGS=-DLASTCARD_MOST_EVENTS=1000000 and run the
same command there: both play the same positions. `--save` writes the row NAME to benchmarks/results/long-rounds.json.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from benchmarks.strength.lineup import NETWORKS, RESULTS
from lastcard import Rules, State, deal, observe
from lastcard.agents import make_agent
from lastcard.arena.statistics import NOBODY, count_scores, estimate_share
from lastcard.network import Network

AGENT: Final = "halving:simulations=1000"
PLIES: Final = 1_600
"""Every ply has at least one event."""
SAVED: Final = RESULTS / "long-rounds.json"
_RULES: Final = Rules.preset("official")
_HOARDERS: Final = [str(NETWORKS / f"hoarder-{letter}.safetensors") for letter in "AD"]


def find_positions() -> Iterator[tuple[int, State]]:
    """Yields states of long rounds, each with the seed of its deal."""
    networks = [Network.find(file, _RULES) for file in _HOARDERS]
    seed = 0
    while True:
        seed += 1
        state = deal(_RULES, seed=seed)
        while state.seat is not None and state.ply < PLIES:
            state = state.after(networks[state.seat].choose(observe(state, seat=state.seat)))
        if state.outcome is None:
            yield seed, state


def play_on(state: State, seat: int, seed: int) -> tuple[str, int]:
    """Plays to the end with the search in a seat.

    Returns 0 if the search won, 1 if the hoarder did, and the number of plies.
    """
    search, hoarder = make_agent(AGENT, seed=seed), Network.find(_HOARDERS[1 - seat], _RULES)
    start = state.ply
    while state.seat is not None:
        agent = search if state.seat == seat else hoarder
        state = state.after(agent.choose(observe(state, seat=state.seat)))
    if state.outcome is None or state.ply >= _RULES.max_plies:
        return NOBODY, state.ply - start
    return str(int(state.outcome.winner != seat)), state.ply - start


def measure(name: str, num_positions: int) -> dict[str, Any]:
    """Plays every position from both seats."""
    results: Counter[str] = Counter()
    plies, begin = 0, time.process_time()
    for seed, state in find_positions():
        rounds = [play_on(state, seat, seed) for seat in (0, 1)]
        results["".join(winner for winner, _ in rounds)] += 1
        plies += sum(length for _, length in rounds)
        done = results.total()
        if done % 20 == 0 or done == num_positions:
            share = estimate_share(count_scores(results, 0), 2)
            print(f"{done} positions: {100 * share.value:.1f} ± {100 * share.error:.1f} %", flush=True)
        if done == num_positions:
            break
    return {
        "name": name,
        "share": round(share.value, 4),
        "error": round(share.error, 4),
        "deals": num_positions,
        "plies": round(plies / 2 / num_positions, 1),
        "unfinished": round(sum(times * text.count(NOBODY) for text, times in results.items()) / 2 / num_positions, 4),
        "cpu_seconds": round(time.process_time() - begin, 1),
    }


def save(row: dict[str, Any]) -> None:
    """Writes the row in the place of an earlier one of the same name."""
    before = json.loads(SAVED.read_text(encoding="utf-8")) if SAVED.exists() else []
    rows = [other for other in before if other["name"] != row["name"]] + [row]
    SAVED.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """Reads the options, plays, prints and writes."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.long_rounds", description=__doc__)
    parser.add_argument("name", help="name of the row, such as 'the last 1,024 events'")
    parser.add_argument("--positions", type=int, default=500, help="number of positions, each played twice")
    parser.add_argument("--save", action="store_true", help=f"write {SAVED.name}")
    options = parser.parse_args()
    row = measure(options.name, options.positions)
    print(json.dumps(row, ensure_ascii=False))
    if options.save:
        save(row)


if __name__ == "__main__":
    main()
