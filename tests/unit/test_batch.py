"""Random rounds in bulk: repeatable, the same on any number of threads, and the same game as at a table."""

import math
import statistics

import pytest

from lastcard.batch import RandomGames, play_random_games
from lastcard.errors import StateError
from lastcard.rules import PRESETS, Rules, parse_rules
from lastcard.table import Table
from tests.counts import counted
from tests.unit.helpers import VARIED_RULES

NUM_ROUNDS = counted(3_000, least=600)
NUM_BATCHED = 200_000
LIMIT = 5.5


@pytest.mark.parametrize("rules", [*PRESETS, *VARIED_RULES])
@pytest.mark.parametrize("num_games", [0, 1, 2, 7, 501])
def test_threads_do_not_matter(rules: str, num_games: int) -> None:
    made = parse_rules(rules)
    alone = play_random_games(made, num_games, seed=5)
    for threads in (2, 3, 8, 64):
        assert play_random_games(made, num_games, seed=5, threads=threads) == alone


@pytest.mark.parametrize("rules", [*PRESETS, *VARIED_RULES])
def test_rounds_add_up(rules: str) -> None:
    made = parse_rules(rules)
    games = play_random_games(made, 2_000, seed=1)
    assert games.num_games == 2_000 == sum(games.wins) + games.draws
    assert len(games.wins) == len(games.points) == made.players
    assert min(games.wins) > 0
    assert games.plies >= 2_000
    assert sum(games.points) > 0


def test_seeds_matter() -> None:
    rules = Rules.preset("official")
    batches = [play_random_games(rules, 100, seed=seed) for seed in (0, 1, 2, 2**64 - 1)]
    assert len({batch.signature for batch in batches}) == 4
    assert len({batch.plies for batch in batches}) > 1
    assert play_random_games(rules, 100) == batches[0]


def test_the_signature_tells_batches_apart_that_differ_in_one_round() -> None:
    rules = Rules.preset("official")
    assert len({play_random_games(rules, n, seed=3).signature for n in range(1, 200)}) == 199


def test_longer_batches_begin_with_shorter_ones() -> None:
    """Round i of a batch depends on the seed and i alone."""
    rules = Rules.preset("house")
    sizes = [play_random_games(rules, n, seed=3).plies for n in range(1, 60)]
    assert sizes == sorted(set(sizes))


def test_no_games() -> None:
    assert play_random_games(Rules.preset("mini"), 0) == RandomGames(0, (0, 0), 0, 0, (0, 0), 0)


def test_rule_5_4_rounds_are_cut_off() -> None:
    games = play_random_games(Rules.preset("official", max_plies=1), 500, seed=2)
    assert games.plies == 500


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"rules": "official"}, "rules must be Rules, not 'official'"),
        ({"rules": None}, "rules must be Rules, not None"),
        ({"num_games": -1}, "num_games must be from 0"),
        ({"num_games": 10**13}, "num_games must be from 0"),
        ({"num_games": 2.0}, "num_games must be a whole number"),
        ({"num_games": True}, "num_games must be a whole number"),
        ({"seed": -1}, "seed must be from 0"),
        ({"seed": 2**64}, "seed must be from 0"),
        ({"seed": None}, "seed must be a whole number"),
        ({"threads": 0}, "threads must be from 1"),
        ({"threads": 10**6}, "threads must be from 1"),
        ({"threads": "2"}, "threads must be a whole number"),
    ],
)
def test_impossible_arguments_are_named(arguments: dict[str, object], match: str) -> None:
    with pytest.raises(StateError, match=match):
        play_random_games(**{"rules": Rules.preset("mini"), "num_games": 1, **arguments})  # type: ignore[arg-type]


# The same game as at a table


def distance(sample: list[float], batched_mean: float) -> float:
    """Returns the distance of two means, in standard deviations of their difference."""
    deviation = statistics.stdev(sample) * math.sqrt(1 / len(sample) + 1 / NUM_BATCHED)
    return (statistics.fmean(sample) - batched_mean) / deviation


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules", [*PRESETS, "official players=4", "tournament players=2 stacking=any_up wild_draw_four=bluff"]
)
def test_batches_play_the_game_of_the_table(rules: str) -> None:
    """Rounds of `random` at a table (ordered piles) against batched rounds (sets).

    Length of rounds, wins of the first seat and points of the winner must agree within 5.5 standard deviations: 24
    comparisons, so that sound engines would have failed once in 10**6.
    """
    made = parse_rules(rules)
    plies, first_wins, points = [], [], []
    for seed in range(NUM_ROUNDS):
        table = Table(made, ["random"] * made.players, seed=seed)
        while not table.state.is_over:
            table.play_ply()
        outcome = table.state.outcome
        assert outcome is not None
        plies.append(float(table.state.ply))
        first_wins.append(float(outcome.winner == 0))
        points.append(float(sum(outcome.points)))
    games = play_random_games(made, NUM_BATCHED, seed=1)
    assert abs(distance(plies, games.plies / NUM_BATCHED)) < LIMIT
    assert abs(distance(first_wins, games.wins[0] / NUM_BATCHED)) < LIMIT
    assert abs(distance(points, sum(games.points) / NUM_BATCHED)) < LIMIT


def test_the_comparison_finds_another_game() -> None:
    """One switch apart (must_play, which `random` hardly notices, aside) is far more than 5.5 standard deviations."""
    plies = [
        float(len(Table(Rules.preset("official"), ["random"] * 2, seed=seed).play_round().rounds[0].actions))
        for seed in range(4_000)
    ]
    other = play_random_games(Rules.preset("official", drawn_card="end_turn"), NUM_BATCHED, seed=1)
    assert abs(distance(plies, other.plies / NUM_BATCHED)) > LIMIT
