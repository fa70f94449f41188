"""Counts that the WebAssembly module has to agree with: leaves, and the signature of random play."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from lastcard.batch import play_random_games
from lastcard.cli.bench import SIGNATURE_ROUNDS, signature
from lastcard.rules import PRESETS, Rules, format_rules
from lastcard.state import deal
from tests.wasm.cases import list_rules

Count = Callable[[dict[str, Any]], Any]
"""Answers a request of `count` in agreement.mjs."""


def check_perft(count: Count) -> None:
    """Compares the number of leaves for all presets and numbers of players."""
    cases = [(rules, seed, 3 if rules.players == 2 else 2) for rules in list_rules() for seed in (1, 2)]
    asked = [{"rules": format_rules(rules), "seed": seed, "depth": depth} for rules, seed, depth in cases]
    found = count({"perft": asked, "batches": []})["perft"]
    assert found == [deal(rules, seed=seed).perft(depth) for rules, seed, depth in cases]


def check_signature(count: Count) -> None:
    """Compares the signature that `lastcard bench` prints."""
    batches = [(preset, players) for preset in PRESETS for players in (2, 4)]
    asked = [
        {"rules": format_rules(Rules.preset(preset, players=players)), "numGames": SIGNATURE_ROUNDS, "seed": 2024}
        for preset, players in batches
    ]
    found = count({"perft": [], "batches": asked})["batches"]
    digest = sha256()
    for (preset, players), batch in zip(batches, found, strict=True):
        number = int(batch["signature"], 16)
        digest.update(f"{preset} {players} {number} {batch['plies']} {tuple(batch['points'])}\n".encode())
    assert digest.hexdigest()[:16] == signature()
    first = play_random_games(Rules.preset("official"), SIGNATURE_ROUNDS, seed=2024)
    assert (tuple(found[0]["wins"]), found[0]["draws"]) == (first.wins, first.draws)
