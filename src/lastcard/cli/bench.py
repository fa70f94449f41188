"""`lastcard bench`: quick figures, and a signature of how the game is played."""

from __future__ import annotations

import json
import random
import time
from hashlib import sha256
from typing import Annotated, Final

import typer

from lastcard import _core
from lastcard.batch import play_random_games
from lastcard.cli.screen import Screen
from lastcard.cli.shared_options import JsonOption
from lastcard.rules import PRESETS, Rules
from lastcard.state import deal

SIGNATURE_ROUNDS: Final = 2000


def bench(
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, max=600, help="CPU time for each figure.")] = 1.0,
    as_json: JsonOption = False,
) -> None:
    """Measure the speed of the engine by CPU time, on one thread.

    The signature is a hash of seeded play: it changes only if the rules or an agent's play change.

    Example: lastcard bench --seconds 0.5 --json
    """
    figures = {
        "random_rounds_per_second_2": round(_rounds_per_second(2, seconds)),
        "random_rounds_per_second_4": round(_rounds_per_second(4, seconds)),
        "python_plies_per_second": round(_plies_per_second(seconds)),
    }
    if as_json:
        print(json.dumps({"cpu": _core.CPU, **figures, "signature": signature()}))
        return
    screen = Screen()
    screen.say(f"code path                             {_core.CPU:>20}")
    screen.say(f"random rounds in the core, 2 players  {figures['random_rounds_per_second_2']:>12,} rounds/s")
    screen.say(f"random rounds in the core, 4 players  {figures['random_rounds_per_second_4']:>12,} rounds/s")
    screen.say(f"random plies from Python, 2 players   {figures['python_plies_per_second']:>12,} plies/s")
    screen.say(f"signature                             {signature():>20}")


def signature() -> str:
    """One number over a fixed set of batches, with every preset, for two and for four players."""
    digest = sha256()
    for preset in PRESETS:
        for players in (2, 4):
            batch = play_random_games(Rules.preset(preset, players=players), SIGNATURE_ROUNDS, seed=2024)
            digest.update(f"{preset} {players} {batch.signature} {batch.plies} {batch.points}\n".encode())
    return digest.hexdigest()[:16]


def _rounds_per_second(players: int, seconds: float) -> float:
    rules = Rules.preset("official", players=players)
    count, played, start = 256, 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        play_random_games(rules, count, seed=played)
        played += count
        count = min(count * 2, 65536)
    return played / spent


def _plies_per_second(seconds: float) -> float:
    rules = Rules.preset("official")
    rng = random.Random(1)
    plies, seed, start = 0, 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        state = deal(rules, seed)
        while not state.is_over:
            legal = state.legal_actions
            state.apply_in_place(legal[int(rng.random() * len(legal))])
        plies += state.ply
        seed += 1
    return plies / spent
