"""Random rounds under every preset and any switches; core/round/invariants.hpp says what is checked after every ply."""

from itertools import islice

import pytest

from lastcard import _core
from lastcard.rules import Rules
from tests.counts import counted
from tests.property.rounds import all_rules, check_rounds

NUM_ROUNDS = counted(5_000_000)


@pytest.mark.slow
def test_invariants_hold_in_random_rounds() -> None:
    """Rules 1.3, 5.3, 5.4, 9.1 and 9.3, and that a round can be repeated."""
    done: list[int] = []
    plies = check_rounds(NUM_ROUNDS, seed=1, progress=lambda rounds, _: done.append(rounds))
    assert done[-1] == NUM_ROUNDS
    assert plies > 10 * NUM_ROUNDS


def test_every_preset_and_number_of_players_comes_first() -> None:
    rules = list(islice(all_rules(1), 60))
    assert {(r.players, r.deck.num_cards) for r in rules} >= {(10, 108), (10, 76), (4, 10)}


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_result_does_not_depend_on_threads(threads: int) -> None:
    rules = Rules.preset("house")._compiled
    check, again = (_core.check_random_rounds(rules, 1_000, 5, n) for n in (1, threads))
    assert (check.rounds, check.plies, check.failures) == (again.rounds, again.plies, again.failures) != (0, 0, 0)
    assert check.failures == 0
