"""Plays in RLCard's own `uno`: `python -m benchmarks.strength.rlcard [--only TEXT] [--deals N] [--save]`.

Our agents meet RLCard's random agent, its rule agent `uno-rule-v1`, and a DQN agent trained here with the settings of
its example `run_rl.py` (seed 42, two layers of 64, 5,000 rounds against random actions; about four minutes). Every deal
is played twice with the seats exchanged, by RLCard's engine and rules. A round that goes on for 5,000 plies is given up
and counts as half. With all deals this takes about ten minutes of CPU time.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import rlcard
import torch
from rlcard import models
from rlcard.agents import DQNAgent, RandomAgent
from rlcard.utils import reorganize, set_seed

from lastcard.arena.statistics import estimate_share
from lastcard.envs import rlcard_agent

RESULTS = Path(__file__).parents[1] / "results" / "strength-rlcard.json"
SEED = 20_261_116
MAX_PLIES = 5_000
OURS = ("heuristic", "net", "halving:simulations=1000")
THEIRS = ("random", "uno-rule-v1", "DQN")
Row = dict[str, Any]


@cache
def train_dqn(episodes: int) -> Any:
    """RLCard's DQN agent after its example's training, but for the evaluations in between."""
    torch.set_num_threads(1)
    set_seed(42)
    env = rlcard.make("uno", config={"seed": 42})
    agent = DQNAgent(
        num_actions=env.num_actions,
        state_shape=env.state_shape[0],
        mlp_layers=[64, 64],
        device=torch.device("cpu"),
    )
    env.set_agents([agent, RandomAgent(num_actions=env.num_actions)])
    for _ in range(episodes):
        trajectories, payoffs = env.run(is_training=True)
        with redirect_stdout(StringIO()):  # it prints a line every step
            for transition in reorganize(trajectories, payoffs)[0]:
                agent.feed(transition)
    return agent


def list_pairings(episodes: int) -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Both sides of every pairing by its name, each made when it is played."""
    theirs: dict[str, Callable[[], Any]] = {
        "random": lambda: RandomAgent(num_actions=61),
        "uno-rule-v1": lambda: models.load("uno-rule-v1").agents[0],
        "DQN": lambda: train_dqn(episodes),
    }
    ours: dict[str, Callable[[], Any]] = {name: lambda name=name: rlcard_agent(name, SEED) for name in OURS}  # type: ignore[misc]
    pairs = [(name, other) for other in THEIRS for name in OURS] + [("uno-rule-v1", "random"), ("DQN", "random")]
    return {f"`{one}` against RLCard's {other}": ((ours | theirs)[one], theirs[other]) for one, other in pairs}


def play(env: Any, agents: list[Any]) -> tuple[int | None, int]:
    """One round: the seat that won, None if it was given up, and the plies."""
    state, player = env.reset()
    for ply in range(MAX_PLIES):
        if env.is_over():
            return int(env.get_payoffs().argmax()), ply
        agent = agents[player]
        action, _ = agent.eval_step(state)
        state, player = env.step(action, agent.use_raw)
    return None, MAX_PLIES


def measure(name: str, one: Any, other: Any, deals: int) -> Row:
    """A row of the table; its error is half of the 95 % interval, from deals, which are independent."""
    set_seed(SEED)
    env = rlcard.make("uno", config={"seed": SEED})
    scores, plies, unfinished = Counter[float](), 0, 0
    for deal in range(deals):
        won = 0.0
        for seat in (0, 1):
            env.seed(SEED + deal)
            winner, took = play(env, [one, other] if seat == 0 else [other, one])
            won += 0.5 if winner is None else winner == seat
            plies += took
            unfinished += winner is None
        scores[won / 2] += 1
    share = estimate_share(scores, players=2)
    figures = {"share": round(share.value, 4), "error": round(share.error, 4), "deals": deals}
    rest = {"plies": round(plies / (2 * deals), 1), "unfinished": round(unfinished / (2 * deals), 4)}
    return {"name": name, **figures, **rest}


def save(rows: Sequence[Row], file: Path = RESULTS) -> None:
    """Writes the rows in the order of the table; those of other pairings stay as they were measured."""
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    merged = {row["name"]: row for row in (*found, *rows)}
    table = [merged[name] for name in list_pairings(0) if name in merged]
    file.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Plays, prints, and saves when asked."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.rlcard", description=__doc__)
    parser.add_argument("--only", default="", help="pairings whose name contains this")
    parser.add_argument("--deals", type=int, default=1_000, help="deals, each played twice (default 1,000)")
    parser.add_argument("--episodes", type=int, default=5_000, help="rounds of training for DQN (default 5,000)")
    parser.add_argument("--save", action="store_true", help=f"enter each row into benchmarks/results/{RESULTS.name}")
    options = parser.parse_args()
    if options.deals < 1 or options.episodes < 1:
        parser.error("--deals and --episodes must be at least 1")
    for name, (one, other) in list_pairings(options.episodes).items():
        if options.only in name:
            row = measure(name, one(), other(), options.deals)
            print(json.dumps(row, ensure_ascii=False), flush=True)
            if options.save:
                save([row])


if __name__ == "__main__":
    main()
