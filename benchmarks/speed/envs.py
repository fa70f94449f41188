"""Prints how fast environments step: `python -m benchmarks.speed.envs [--save]`.

CPU time, one thread, two players, `official`, 1,024 environments, random actions; the best of several repetitions.
A step is one action that the caller gives back. `VectorEnv` asks only for decisions with a choice and plays forced
actions itself; RLCard asks for forced ones too, so steps of RLCard with a choice are counted as well, and compared.
RLCard is stepped in the same run as a PettingZoo environment is: one agent at a time, its observation and mask taken, a
random legal action given back; `rlcard_env` likewise, under the rules closest to RLCard's. `make_vec` is compared with
the same rounds stepped into buffers, with the same opponents, with raw bytes and with scaled observations. The last
figures are not speeds: how long rounds are in which every legal action is as likely as any other, as
`action_space.sample(mask)` picks it, and in which cards are drawn only when nothing can be played.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import lastcard as lc
from benchmarks.speed.__main__ import make_rlcard
from benchmarks.speed.figures import make_parser, report
from lastcard.actions import DRAW
from lastcard.envs import Buffers, VectorEnv, rlcard_agent, rlcard_env
from lastcard.envs.rlcard_uno import RLCARD_RULES
from lastcard.envs.with_gymnasium import ENV_ID
from lastcard.network import Network

NUM_ENVS = 1024
AT_LEAST = {
    "VectorEnv without observations, steps a second": 10e6,
    "VectorEnv with observations, steps a second": 2e6,
    "times RLCard, with observations, steps with a choice": 50.0,
    "make_vec, raw, share of the buffers' speed": 0.7,
    "rlcard_env, times RLCard": 1.0,
}
AT_MOST = {
    "shipped net, µs a decision": 50.0,
    "champion, µs a decision": 40.0,
    "net for every table, house, µs a decision": 60.0,
    "rlcard_agent besides its agent, µs a decision": 100.0,
}
VECTOR_STEPS = 50


def step_env(observes: bool, steps: int, players: int = 2) -> Callable[[], float]:
    """Work that steps and says how many actions that were."""
    env = VectorEnv(NUM_ENVS, lc.Rules.preset("official", players=players), seed=1, observes=observes)
    buffers = env.make_buffers()
    if not observes:
        buffers = Buffers(None, None, buffers.rewards, buffers.dones, buffers.seats)  # type: ignore[arg-type]
    env.reset(buffers)
    actions = np.empty(NUM_ENVS, np.int64)

    def work() -> float:
        for _ in range(steps):
            env.choose("random", actions)
            env.step(actions, buffers)
        return float(steps * NUM_ENVS)

    return work


def step_buffers() -> Callable[[], float]:
    """Work that steps rounds against an opponent into buffers, and says how many steps that were."""
    env = VectorEnv(NUM_ENVS, "official", seed=1, opponents="random")
    buffers, actions = env.make_buffers(), np.empty(NUM_ENVS, np.int64)
    env.reset(buffers)

    def work() -> float:
        for _ in range(VECTOR_STEPS):
            env.choose("random", actions)
            env.step(actions, buffers)
        return float(VECTOR_STEPS * NUM_ENVS)

    return work


def step_gymnasium(*, raw: bool) -> Callable[[], float]:
    """The same work by way of `gymnasium.make_vec`."""
    env: Any = gymnasium.make_vec(ENV_ID, NUM_ENVS, rules="official", opponents="random", raw=raw)
    actions = np.empty(NUM_ENVS, np.int64)
    env.reset(seed=1)

    def work() -> float:
        for _ in range(VECTOR_STEPS):
            env.choose("random", actions)
            env.step(actions)
        return float(VECTOR_STEPS * NUM_ENVS)

    return work


def step_rlcard(steps: int, env: Any, *, choices: bool = False) -> Callable[[], float]:
    """Work that steps an environment of RLCard's form agent by agent; `choices` counts only steps with a choice."""
    rng = random.Random(1)

    def work() -> float:
        state, _ = env.reset()
        num_choices = 0
        for _ in range(steps):
            mask = np.zeros(env.num_actions, np.int8)
            legal = list(state["legal_actions"])
            mask[legal] = 1
            num_choices += len(legal) > 1
            state, _ = env.step(rng.choice(legal))
            if env.is_over():
                state, _ = env.reset()
        return float(num_choices if choices else steps)

    return work


def answer_rlcard(num_rounds: int) -> Callable[[], float]:
    """Work that answers states of RLCard's with an agent that takes no time.

    Counted are the decisions with a choice, timed are all: what happened has to be followed in any case.
    """
    env: Any = make_rlcard(seed=1)
    rng = random.Random(1)
    states = []
    for _ in range(num_rounds):
        state, _ = env.reset()
        while not env.is_over():
            states.append({**state, "action_record": list(state["action_record"])})
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
    agent = rlcard_agent("first_legal")

    def work() -> float:
        for state in states:
            agent.step(state)
        return float(sum(len(state["legal_actions"]) > 1 for state in states))

    return work


def count_plies(num_rounds: int, *, draws: bool) -> float:
    """Plies of a round in the mean, all legal actions alike; without `draws`, cards are drawn only when they must."""
    rng, plies = random.Random(1), 0
    for seed in range(num_rounds):
        state = lc.deal(lc.Rules.preset("official"), seed=seed)
        while not state.is_over:
            legal = state.legal_actions
            others = [action for action in legal if action is not DRAW]
            state.apply_in_place(rng.choice(legal if draws or not others else others))
            plies += 1
    return plies / num_rounds


def judge(rules: lc.Rules, use: str, count: int) -> Callable[[], float]:
    """Work that has the shipped network for a table decide, one observation at a time."""
    network = Network.shipped(rules, use)
    seen = []
    for seed in range(20):
        table = lc.Table(rules, ["heuristic"] * rules.players, seed=seed)
        while not table.state.is_over:
            observation = lc.observe(table.state, table.state.seat or 0)
            if len(observation.legal_actions) > 1:
                seen.append(observation)
            table.play_ply()

    def work() -> float:
        for i in range(count):
            network.choose(seen[i % len(seen)])
        return float(count)

    return work


def measure(repetitions: int) -> dict[str, float]:
    """Every figure of the table; the best of the repetitions."""
    works = {
        "VectorEnv without observations, steps a second": step_env(False, 400),
        "VectorEnv with observations, steps a second": step_env(True, 100),
        "the same with four players": step_env(True, 100, players=4),
        "buffers against an opponent, steps a second": step_buffers(),
        "make_vec, raw, against an opponent, steps a second": step_gymnasium(raw=True),
        "make_vec, scaled, against an opponent, steps a second": step_gymnasium(raw=False),
        "RLCard 1.2.0, steps a second": step_rlcard(3_000, make_rlcard(seed=1)),
        "RLCard 1.2.0, steps with a choice a second": step_rlcard(3_000, make_rlcard(seed=1), choices=True),
        "rlcard_env, RLCard's rules, steps a second": step_rlcard(3_000, rlcard_env(RLCARD_RULES, seed=1)),
        "rlcard_agent besides its agent, µs a decision": answer_rlcard(40),
        "shipped net, µs a decision": judge(lc.Rules.preset("official"), "net", 2_000),
        "champion, µs a decision": judge(lc.Rules.preset("official"), "champion", 1_000),
        "net for every table, house, µs a decision": judge(lc.Rules.preset("house"), "net", 1_000),
    }
    best: dict[str, float] = {}
    for _ in range(repetitions):
        for name, work in works.items():
            start = time.process_time()
            done = work()
            best[name] = max(best.get(name, 0.0), done / (time.process_time() - start))
    choices = best["RLCard 1.2.0, steps with a choice a second"]
    with_choice = best["VectorEnv with observations, steps a second"] / choices
    best["times RLCard, with observations, steps with a choice"] = with_choice
    rlcard = best["RLCard 1.2.0, steps a second"]
    best["rlcard_env, times RLCard"] = best["rlcard_env, RLCard's rules, steps a second"] / rlcard
    buffers = best["buffers against an opponent, steps a second"]
    for form in ("raw", "scaled"):
        vector = best[f"make_vec, {form}, against an opponent, steps a second"]
        best[f"make_vec, {form}, share of the buffers' speed"] = vector / buffers
    figures = {name: 1e6 / value if "µs" in name else value for name, value in best.items()}
    figures["plies a round, any legal action alike"] = count_plies(2_000, draws=True)
    figures["plies a round, drawing only when it must"] = count_plies(2_000, draws=False)
    return figures


def main() -> None:
    """Measures, prints, and saves when asked."""
    options = make_parser("speed-envs", __doc__).parse_args()
    report("speed-envs", measure(options.repetitions), saves=options.save, at_least=AT_LEAST, at_most=AT_MOST)


if __name__ == "__main__":
    main()
