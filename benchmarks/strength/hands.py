"""Predicts hidden hands with a network: `python -m benchmarks.strength.hands train|compare FILE [options]`.

`train` teaches a network how many copies of each card every opponent holds, from rounds of the shipped network against
itself, `heuristic` and `random` (minutes on a GPU, hours on a CPU). `compare` plays other rounds, between agents of
several kinds, and scores the network and the beliefs of `lastcard.belief` on the same decisions: the log loss is the
mean of -log P(copies that the seat really holds) over cards and opponents, lower is better. `--save` writes
benchmarks/results/hands.jsonl.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from benchmarks.strength.calibration import Hands, Measure, compare, measure_rounds, sample_decisions
from benchmarks.strength.lineup import RESULTS
from lastcard import Rules, format_rules, parse_rules
from lastcard.belief import KINDS, Belief, BeliefConfig
from lastcard.envs import encode
from lastcard.errors import AgentError
from lastcard.files import write_file
from lastcard.learning.environments import MixedEnvironment, Rows, open_environment
from lastcard.learning.model import Trunk, input_scales, mask_scores, pack, unpack
from lastcard.learning.opponents import load_frozen
from lastcard.learning.ppo import autocast
from lastcard.learning.session import pick_device
from lastcard.network import read_safetensors, write_safetensors
from lastcard.observation import Observation

SAVED: Final = RESULTS / "hands.jsonl"
MOST_COPIES: Final = 4
FACES: Final = 54
SHARES: Final = {None: 0.4, "heuristic": 0.35, "random": 0.25}
"""Shares of the rounds against itself and against policies."""
FIRST_SEED: Final = 8_000_000
"""Seed of the first compared round; no training has its deals."""


class HandsNet(Trunk):
    """The layers of a playing network below a head for the hidden hands."""

    def __init__(self, rules: Rules, hidden: int, blocks: int) -> None:
        super().__init__(input_scales(), hidden, blocks)
        self.shape = (rules.players - 1, FACES, MOST_COPIES + 1)
        self.hands = nn.Linear(hidden, math.prod(self.shape))

    def forward(self, rows: Tensor) -> Tensor:
        """Scores of 0 to 4 copies of each card, for each opponent in the order of play."""
        scores: Tensor = self.hands(self.features(rows)).unflatten(-1, self.shape)
        return scores


def open_rounds(device: torch.device, rules: Rules, num_envs: int, seed: int) -> MixedEnvironment:
    """Opens environments with each kind of opponent."""
    return MixedEnvironment(
        [
            open_environment(device, round(share * num_envs), rules, seed + number, policy, 1)
            for number, (policy, share) in enumerate(SHARES.items())
        ]
    )


def train(rules: Rules, path: Path, minutes: float, num_envs: int, hidden: int, seed: int) -> None:
    """Trains a network and writes its file."""
    device = pick_device("auto")
    torch.manual_seed(seed)
    env, player = open_rounds(device, rules, num_envs, seed), load_frozen("net", rules).to(device)
    model = HandsNet(rules, hidden, 2).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    row = Rows.make(1, env.num_envs, rules.players, device, has_hidden=True)[0]
    env.reset(row)
    begin, step = time.monotonic(), 0
    while (done := (time.monotonic() - begin) / (60 * minutes)) < 1:
        optimizer.param_groups[0]["lr"] = 1e-3 * (1 - done) + 1e-5
        assert row.hidden is not None
        truth = row.hidden.long().clamp(max=MOST_COPIES).reshape(-1, *model.shape[:2])
        with autocast(device):
            scores = model(row.observations)
        loss = nn.functional.cross_entropy(scores.float().flatten(0, 2), truth.flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        if step % 2000 == 0:
            print(f"{time.monotonic() - begin:6.0f} s, step {step:,}: loss {loss.item():.5f}", flush=True)
        with torch.no_grad(), autocast(device):
            logs = torch.log_softmax(mask_scores(player(row.observations)[0], row.masks), dim=-1)
            env.step(torch.multinomial(logs.exp(), 1).squeeze(1), row)
        step += 1
    made = {"rules": format_rules(rules), "hidden": str(hidden), "steps": str(step), "minutes": str(minutes)}
    made |= {"num_envs": str(num_envs), "seed": str(seed)}
    write_file(path, write_safetensors(made, pack(model.state_dict(), "F16")), AgentError)
    print(f"{step:,} steps of {env.num_envs:,} decisions; wrote {path}")


def load(path: Path) -> tuple[Rules, HandsNet]:
    """Reads a file that `train` wrote."""
    made, stored = read_safetensors(path.read_bytes())
    rules = parse_rules(made["rules"])
    model = HandsNet(rules, int(made["hidden"]), 2)
    model.load_state_dict({name: tensor.float() for name, tensor in unpack(stored).items()})
    return rules, model


@torch.no_grad()
def judge(model: HandsNet, seen: Observation, hands: Hands) -> float:
    """Log loss of the network at one decision, as `calibration.judge` counts it."""
    rules, possible = seen.rules, Belief(seen, BeliefConfig("uniform"))
    scores = model(torch.from_numpy(encode(seen))[None])[0]
    loss = 0.0
    for seat, hand in hands.items():
        own = scores[(seat - seen.observer) % rules.players - 1]
        for card in rules.deck:
            counts = len(possible.counts(seat, card))
            if counts > 1:  # copies in sight are not guessed
                loss -= float(torch.log_softmax(own[card.index, :counts], dim=0)[hand.count(card)])
    return loss / len(hands) / len(rules.deck)


def measure(rules: Rules, model: HandsNet, seeds: Sequence[int]) -> dict[str, Measure]:
    """Scores beliefs and the network over the same rounds."""
    measures = measure_rounds(rules, seeds)
    rounds = [[judge(model, *decision) for decision in sample_decisions(rules, seed)] for seed in seeds]
    measures["network"] = Measure([sum(losses) / len(losses) for losses in rounds if losses])
    return measures


def list_rows(rules: str, measures: dict[str, Measure], num_rounds: int) -> list[dict[str, Any]]:
    """A row for each belief and for the network, each compared with `particle` over the same rounds."""
    rows = []
    for kind in (*KINDS, "network"):
        gain, errors = compare(measures[kind], measures["particle"])
        error = 1.96 * abs(gain / errors) if errors else 0.0
        figures = {"log_loss": measures[kind].loss, "worse": gain, "error": error}
        rounded = {name: round(value, 5) for name, value in figures.items()}
        rows.append({"rules": rules, "belief": kind, **rounded, "rounds": num_rounds})
    return rows


def save(rows: list[dict[str, Any]]) -> None:
    """Writes rows in the place of earlier ones for the same rules."""
    lines = SAVED.read_text(encoding="utf-8").splitlines() if SAVED.exists() else []
    kept = [row for row in map(json.loads, lines) if row["rules"] != rows[0]["rules"]]
    SAVED.write_text("".join(f"{json.dumps(row)}\n" for row in [*kept, *rows]), encoding="utf-8")


def main() -> None:
    """Trains or compares."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.hands", description=__doc__)
    parser.add_argument("what", choices=("train", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--rules", default="official", help="train: rules of the rounds")
    parser.add_argument("--minutes", type=float, default=3.0, help="train: time to spend; default 3")
    parser.add_argument("--num-envs", type=int, default=16_384, help="train: rounds side by side")
    parser.add_argument("--hidden", type=int, default=256, help="train: width of the layers")
    parser.add_argument("--seed", type=int, default=1, help="train: seed")
    parser.add_argument("--rounds", type=int, default=400, help="compare: rounds; default 400")
    parser.add_argument("--save", action="store_true", help=f"compare: write {SAVED.name}")
    options = parser.parse_args()
    if options.what == "train":
        rules = parse_rules(options.rules)
        train(rules, options.file, options.minutes, options.num_envs, options.hidden, options.seed)
        return
    rules, model = load(options.file)
    measures = measure(rules, model, range(FIRST_SEED, FIRST_SEED + options.rounds))
    rows = list_rows(format_rules(rules), measures, options.rounds)
    for row in rows:
        print("{rules}: {belief:<12} log loss {log_loss:.5f}, {worse:+.5f} ± {error:.5f} to particle".format(**row))
    if options.save:
        save(rows)


if __name__ == "__main__":
    main()
