"""Prints the speed table: `python -m benchmarks.speed [--save]`.

Figures are CPU time, best of several interleaved repetitions, over at least 10,000 distinct rounds each; RLCard runs in
the same process between ours, so that the ratio is fair on a noisy machine. Only the two-thread figure is wall time.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

import lastcard as lc
from benchmarks.speed.figures import make_parser, report

AT_LEAST = {
    "official, 2 players": 1_300_000.0,
    "official, 4 players": 1_100_000.0,
    "times RLCard, 2 players": 1_500.0,
    "2 threads over 1 (wall time)": 1.8,
    "Python loop, plies": 250_000.0,
}


def rate(work: Callable[[], float], clock: Callable[[], float] = time.process_time) -> float:
    """Things done a second: `work` says how many it did."""
    start = clock()
    done = work()
    return done / (clock() - start)


def play_batch(players: int, seed: int, threads: int = 1, num_games: int = 200_000) -> float:
    """Random rounds inside the core."""
    rules = lc.Rules.preset("official", players=players)
    return float(lc.play_random_games(rules, num_games, seed=seed, threads=threads).num_games)


def play_in_python(seed: int, num_plies: int = 100_000) -> float:
    """A Python loop over `legal_actions` and `after()`, drawing only when forced; returns plies."""
    rules = lc.Rules.preset("official")
    rng = random.Random(seed)
    plies = 0
    while plies < num_plies:
        state = lc.deal(rules, seed=rng.getrandbits(64))
        while not state.is_over:
            legal = state.legal_actions
            state = state.after(legal[rng.randrange(len(legal) - 1)] if len(legal) > 1 else legal[0])
            plies += 1
    return float(plies)


def play_rlcard(env: object, num_games: int) -> float:
    """RLCard's own loop with its own random agents."""
    for _ in range(num_games):
        env.run(is_training=False)  # type: ignore[attr-defined]
    return float(num_games)


def make_rlcard(seed: int) -> object:
    """RLCard 1.2.0's UNO with two random agents."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("uno", config={"seed": seed})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    return env


def measure(repetitions: int, report: Callable[[str], None]) -> dict[str, float]:
    """Every figure of the table; the best of the repetitions."""
    best: dict[str, float] = {}

    def keep(name: str, value: float) -> None:
        best[name] = max(best.get(name, 0.0), value)

    env = make_rlcard(seed=1)
    for seed in range(repetitions):
        report(f"repetition {seed + 1} of {repetitions}")
        for players in (2, 4):
            keep(f"official, {players} players", rate(lambda n=players, s=seed: play_batch(n, s)))  # type: ignore[misc]
        keep("RLCard 1.2.0 env.run, 2 players", rate(lambda: play_rlcard(env, max(1, 10_000 // repetitions))))
        keep("Python loop, plies", rate(lambda s=seed: play_in_python(s)))  # type: ignore[misc]
        one = rate(lambda s=seed: play_batch(2, s, 1, 400_000), time.perf_counter)  # type: ignore[misc]
        two = rate(lambda s=seed: play_batch(2, s, 2, 800_000), time.perf_counter)  # type: ignore[misc]
        keep("1 thread, wall time", one)
        keep("2 threads, wall time", two)
    best["2 threads over 1 (wall time)"] = best["2 threads, wall time"] / best["1 thread, wall time"]
    best["times RLCard, 2 players"] = best["official, 2 players"] / best["RLCard 1.2.0 env.run, 2 players"]
    return best


def main() -> None:
    """Measures, prints, and saves when asked."""
    options = make_parser("speed", __doc__).parse_args()
    figures = measure(options.repetitions, lambda text: print(text, file=sys.stderr, flush=True))
    report("speed", figures, saves=options.save, at_least=AT_LEAST)


if __name__ == "__main__":
    main()
