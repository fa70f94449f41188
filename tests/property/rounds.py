"""Random rounds checked ply by ply in the core, under every preset and any switches."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from lastcard import _core
from lastcard.errors import RulesError
from lastcard.rules import MAX_PLAYERS, PRESETS, Rules
from tests.oracle.agreement import random_rules

BATCH = 10_000


def all_rules(seed: int) -> Iterator[Rules]:
    """Every preset with every number of players it can seat, then rules at random without end."""
    for name in PRESETS:
        for players in range(2, MAX_PLAYERS + 1):
            try:
                rules = Rules.preset(name, players=players)
            except RulesError:
                continue
            yield rules
    rng = random.Random(seed)
    while True:
        yield random_rules(rng)


def check_rounds(
    num_rounds: int, seed: int, threads: int = 2, progress: Callable[[int, int], None] = lambda rounds, plies: None
) -> int:
    """Plays that many random rounds and returns their plies; tells `progress` how many of both are done.

    Raises:
        AssertionError: at the first round that breaks an invariant, with all it takes to see it again.
    """
    rounds = plies = 0
    for number, rules in enumerate(all_rules(seed)):
        batch = min(BATCH, num_rounds - rounds)
        check = _core.check_random_rounds(rules._compiled, batch, seed + number, threads)
        if check.failures:
            where = f"round {check.first_round} of seed {seed + number}, rules {rules}"
            raise AssertionError(f"{where}: {check.first_failure}")
        rounds += check.rounds
        plies += check.plies
        progress(rounds, plies)
        if rounds >= num_rounds:
            break
    return plies
