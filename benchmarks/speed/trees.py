"""Prints how fast the tree searches are: `python -m benchmarks.speed.trees [--save]`.

CPU time, one thread, `official`; the best of several repetitions. OpenSpiel's Monte Carlo tree search on its Crazy
Eights and pomdp_py's POMCP on the Tiger problem run in between, so that they have the same machine at the same time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import lastcard as lc
from benchmarks.speed.figures import make_parser, report
from lastcard.search import IsmctsConfig, MctsConfig, PomcpConfig
from lastcard.search.dispatch import SearchConfig, search

TEXTBOOK = IsmctsConfig(patience=1, heuristic_first=False, playouts="random", model_random_opponents=False)
AT_LEAST = {
    "ismcts 10,000, random playouts, simulations/s": 900_000.0,
    "ismcts 10,000, simulations/s": 600_000.0,
    "pomcp 5,000, simulations/s": 500_000.0,
}
AT_MOST = {"mcts as published, 4 players, ms a decision": 5.0}


def decisions(players: int, count: int) -> list[lc.Observation]:
    """Returns the observations of seats that had a choice, in rounds between heuristics."""
    seen: list[lc.Observation] = []
    seed = 0
    while len(seen) < 20 * count:
        table = lc.Table(lc.Rules.preset("official", players=players), ["heuristic"] * players, seed=seed)
        while not table.state.is_over:
            observation = lc.observe(table.state, table.state.seat or 0)
            if len(observation.legal_actions) > 1:
                seen.append(observation)
            table.play_ply()
        seed += 1
    return seen[::20][:count]


def rate(config: SearchConfig, seen: list[lc.Observation]) -> float:
    """Simulations a second of CPU time."""
    start = time.process_time()
    done = sum(search(observation, config).simulations for observation in seen)
    return done / (time.process_time() - start)


def rate_pomcp(rounds: list[list[lc.Observation]], config: PomcpConfig) -> float:
    """The same for whole rounds with a kept tree."""
    start, done = time.process_time(), 0
    for seen in rounds:
        pomcp = lc.Pomcp(config)
        done += sum(pomcp.search(observation).simulations for observation in seen)
    return done / (time.process_time() - start)


def own_rounds(count: int) -> list[list[lc.Observation]]:
    """The choices of seat 0 in some rounds of two players."""
    rounds: list[list[lc.Observation]] = []
    for seed in range(count):
        table = lc.Table(lc.Rules.preset("official"), ["heuristic", "heuristic"], seed=seed)
        rounds.append([])
        while not table.state.is_over:
            if table.state.seat == 0 and len(table.state.legal_actions) > 1:
                rounds[-1].append(lc.observe(table.state, 0))
            table.play_ply()
    return rounds


def make_open_spiel(simulations: int) -> Callable[[], float]:
    """Simulations a second of OpenSpiel's bot at the first decision of Crazy Eights."""
    import numpy as np
    import pyspiel

    game = pyspiel.load_game("crazy_eights(players=2)")
    state, rng = game.new_initial_state(), np.random.RandomState(1)
    while state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choice(actions, p=chances))
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 1, False)

    def work() -> float:
        start = time.process_time()
        bot.mcts_search(state)
        return simulations / (time.process_time() - start)

    return work


def make_pomdp_py(simulations: int) -> Callable[[], float]:
    """Simulations a second of pomdp_py's POMCP at the first decision of the Tiger problem."""
    import pomdp_py
    from pomdp_py.problems.tiger.tiger_problem import TigerProblem, TigerState

    problem: Any = TigerProblem.create("tiger-left", 0.5, 0.15)
    particles = pomdp_py.Particles.from_histogram(
        pomdp_py.Histogram({TigerState("tiger-left"): 0.5, TigerState("tiger-right"): 0.5}), num_particles=1000
    )
    problem.agent.set_belief(particles, prior=True)
    planner = pomdp_py.POMCP(
        max_depth=10,
        discount_factor=0.95,
        num_sims=simulations,
        exploration_const=110,
        rollout_policy=problem.agent.policy_model,
    )

    def work() -> float:
        start = time.process_time()
        planner.plan(problem.agent)
        spent = time.process_time() - start
        problem.agent.tree = None
        return simulations / spent

    return work


def measure(repetitions: int) -> dict[str, float]:
    """Every figure; the best of the repetitions."""
    two, four, rounds = decisions(2, 60), decisions(4, 60), own_rounds(6)
    published = MctsConfig.as_published()
    works: dict[str, Callable[[], float]] = {
        "ismcts 10,000, random playouts, simulations/s": lambda: rate(TEXTBOOK, two),
        "ismcts 10,000, simulations/s": lambda: rate(IsmctsConfig(), two),
        "pomcp 5,000, simulations/s": lambda: rate_pomcp(rounds, PomcpConfig()),
        "OpenSpiel MCTSBot, crazy_eights, simulations/s": make_open_spiel(10_000),
        "pomdp_py POMCP, Tiger, simulations/s": make_pomdp_py(2_000),
        "mcts as published, 4 players, decisions/s": lambda: rate(published, four) / published.simulations,
    }
    best = dict.fromkeys(works, 0.0)
    for _ in range(repetitions):
        for name, work in works.items():
            best[name] = max(best[name], work())
    best["mcts as published, 4 players, ms a decision"] = 1e3 / best.pop("mcts as published, 4 players, decisions/s")
    return best


def main() -> None:
    """Measures, prints, and saves when asked."""
    options = make_parser("speed-trees", __doc__).parse_args()
    report("speed-trees", measure(options.repetitions), saves=options.save, at_least=AT_LEAST, at_most=AT_MOST)


if __name__ == "__main__":
    main()
