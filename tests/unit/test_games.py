"""Games to the target score: environments keep it, matches play them, networks see it, training aims at it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lastcard import _core
from lastcard.actions import ACTIONS
from lastcard.agents import make_agent
from lastcard.arena.core_match import (
    Contestant,
    FirstLegalContestant,
    HeuristicContestant,
    RandomContestant,
    play_match,
)
from lastcard.cards import CARDS
from lastcard.envs import Buffers, VectorEnv, encoding_blocks
from lastcard.network import Network, read_safetensors, shipped_file, write_safetensors
from lastcard.observation import observe
from lastcard.rules import Rules, parse_rules
from lastcard.state import deal
from lastcard.table import judge_game
from tests.unit.test_network import network_bytes, random_arrays

FAMILY = Rules.preset("family")
BLOCKS = {block.name: slice(block.start, block.stop) for block in encoding_blocks()}
POINTS = np.array([card.points for card in CARDS])


def open_games(rules: Rules, num_envs: int, opponents: str | None = None) -> tuple[VectorEnv, Buffers]:
    env = VectorEnv(num_envs, rules, seed=9, opponents=opponents, games=True)
    buffers = replace(env.make_buffers(), hidden=np.zeros((num_envs, 54 * (rules.players - 1)), np.uint8))
    env.reset(buffers)
    return env, buffers


# Environments


class Scorer:
    """The scores of one environment with two seats, added up from the cards alone.

    Rows hold scores in coarse steps, so a few scores are possible for each seat.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self.possible: list[set[int]] = []

    def read(self, row: np.ndarray, seat: int) -> list[set[int]]:
        """Every score that the row leaves possible."""
        found: list[set[int]] = [set(), set()]
        for on in (0, 1):
            coarse, share = int(row[BLOCKS["score"]][on]), int(row[BLOCKS["score_share"]][on])
            scores = range(4 * coarse, 4 * coarse + 4)
            found[(seat + on) % 2] = {score for score in scores if 100 * score // self.target == share}
        return found

    def add(self, winner: int, points: int | None) -> str:
        """Adds a round; returns whether the game is over: `yes`, `no`, or `maybe` where the points are not known."""
        if points is None:
            return "maybe"
        self.possible[winner] = {score + points for score in self.possible[winner]}
        over = {judge(self.target, score) for score in self.possible[winner]}
        return over.pop() if len(over) == 1 else "maybe"


def judge(target: int, score: int) -> str:
    return "yes" if judge_game(FAMILY.replace(target_score=target), (score, 0)) else "no"


@pytest.mark.parametrize("rules", ["official", "numbers must_play=no", "official target_score=120"])
def test_environments_keep_the_score(rules: str) -> None:
    made = parse_rules(rules)
    env, buffers = open_games(made, 40)
    assert buffers.observations is not None
    assert buffers.hidden is not None
    scorers = [Scorer(made.target_score) for _ in range(40)]
    for scorer, row, seat in zip(scorers, buffers.observations, buffers.seats, strict=True):
        scorer.possible = scorer.read(row, int(seat))
    actions, rounds, games = np.empty(40, np.int64), 0, 0
    for _ in range(700):
        env.choose("heuristic", actions)
        hands, hidden, seats = buffers.observations[:, :54].copy(), buffers.hidden.copy(), buffers.seats.copy()
        env.step(actions, buffers)
        for i, scorer in enumerate(scorers):
            seat, action = int(seats[i]), ACTIONS[actions[i]]
            card = CARDS[int(hands[i].argmax())]
            is_last = hands[i].sum() == 1 and action.kind.name == "PLAY"
            said = "no"
            if is_last:  # a card that makes the other draw adds cards that no row has shown
                points = int((POINTS * hidden[i]).sum()) if card.rank.name not in DRAWING else None
                said = scorer.add(seat, points)
                rounds += 1
            assert said == "maybe" or (said == "yes") == bool(buffers.dones[i])
            if buffers.dones[i]:
                games += 1
                assert buffers.rewards[i].tolist() == [1.0 - 2.0 * (seat != own) for own in (0, 1)]
            else:
                assert not buffers.rewards[i].any()
            seen = scorer.read(buffers.observations[i], int(buffers.seats[i]))
            if said != "maybe" and not buffers.dones[i]:
                assert all(a & b for a, b in zip(scorer.possible, seen, strict=True))
                seen = [a & b for a, b in zip(scorer.possible, seen, strict=True)]
            scorer.possible = seen
    assert rounds == env.totals.rounds > 2 * games > 40


DRAWING = ("DRAW_TWO", "WILD_DRAW_FOUR")


def test_half_of_the_games_start_at_random_scores() -> None:
    _, buffers = open_games(FAMILY, 4_000)
    assert buffers.observations is not None
    shares = buffers.observations[:, BLOCKS["score_share"]][:, :2].astype(float)
    assert 0.45 < (shares.sum(axis=1) == 0).mean() < 0.55
    started = shares[shares.sum(axis=1) > 0]
    assert started.max() == 99
    assert np.abs(started.mean(axis=0) - 49.5).max() < 3  # 45 points apart in 2,000 games: 5 standard deviations
    assert abs(np.corrcoef(started.T)[0, 1]) < 0.1


def test_the_learner_keeps_its_seat_for_a_game_and_changes_it_after() -> None:
    env, buffers = open_games(FAMILY, 30, "heuristic")
    actions, changes = np.empty(30, np.int64), 0
    for _ in range(400):
        before = buffers.seats.copy()
        env.choose("random", actions)
        env.step(actions, buffers)
        assert ((buffers.seats != before) == (buffers.dones == 1)).all()
        changes += int(buffers.dones.sum())
    assert 30 < changes < env.totals.rounds / 2


def test_a_game_without_points_ends_after_a_hundred_rounds() -> None:
    rules = FAMILY.replace(max_plies=1)
    env = VectorEnv(4, rules, seed=9, games=True, splits_unfinished=True)
    buffers = env.make_buffers()
    env.reset(buffers)
    assert buffers.observations is not None
    actions, scores, ended = np.empty(4, np.int64), buffers.observations[:, BLOCKS["score"]].copy(), 0
    while ended < 4:
        env.choose("random", actions)
        env.step(actions, buffers)
        assert not buffers.rewards.any()
        ended += int(buffers.dones.sum())
        is_on = buffers.dones == 0
        now = np.sort(buffers.observations[:, BLOCKS["score"]], axis=1)
        assert ended or (now[is_on] == np.sort(scores, axis=1)[is_on]).all()
    assert 400 <= env.totals.rounds <= 440  # forced actions end some rounds between two steps


def test_only_games_hold_scores() -> None:
    env = VectorEnv(50, FAMILY, seed=9)
    buffers = env.make_buffers()
    env.reset(buffers)
    assert buffers.observations is not None
    actions, done = np.empty(50, np.int64), 0
    for _ in range(100):
        env.choose("heuristic", actions)
        env.step(actions, buffers)
        done += int(buffers.dones.sum())
        assert not buffers.observations[:, BLOCKS["score"]].any()
    assert done == env.totals.rounds > 0


# Matches


def mix(a: int, b: int) -> int:
    product = a * b
    return (product >> 64) ^ (product % 2**64)


def split_rng(seed: int, index: int) -> int:
    a = mix(seed ^ 0x2D358DCCAA6C78A5, index ^ 0x8BB84B93962EACC9)
    return mix(a ^ 0x4B33A62ED433D4A3, (seed + index * 0x9E3779B97F4A7C15) % 2**64)


def deal_seed(seed: int, deal: int) -> int:
    """The seed with which Python deals what a match in the core deals."""
    state, key = split_rng(seed ^ 0xDEA1, deal), 0
    for place in range(4):
        state = (state + 0xA0761D6478BD642F) % 2**64
        key |= mix(state, state ^ 0xE7037ED1A0B428DB) << 64 * place
    return key


def play_in_python(rules: Rules, agents: list[str], seed: int, game: int, rotation: int) -> tuple[int, int, int]:
    """One game of a match with the agents of Python: the place that won, its score, the plies."""
    players = rules.players
    seats = [make_agent(agents[(seat - rotation) % players], seed=1) for seat in range(players)]
    scores, plies, number = (0,) * players, 0, 0
    while not (end := judge_game(rules, scores)):
        own = seed if number == 0 else split_rng(seed ^ 0x6A3E, number)
        number += 1
        state = deal(rules, deal_seed(own, game), round_number=number, scores=scores)
        while state.seat is not None:
            state = state.after(seats[state.seat].choose(observe(state, state.seat)))
        scores, plies = state.scores, plies + state.ply
    assert end.winner is not None
    return (end.winner - rotation) % players, scores[end.winner], plies


def scoring_network(path: Path, rules: Rules) -> str:
    """A network whose play depends on the scores above all."""
    arrays = random_arrays()
    for name in ("score", "score_share"):
        arrays["input.weight"][:, BLOCKS[name]] *= 30
    path.write_bytes(network_bytes(arrays, rules, trained_for="games"))
    return str(path)


@pytest.mark.parametrize("rules", ["family", "official players=4", "tournament players=3 scoring=lowest"])
def test_games_of_the_core_are_those_of_python(rules: str, tmp_path: Path) -> None:
    made = parse_rules(rules).replace(max_plies=150, target_score=150)
    network = scoring_network(tmp_path / "net.safetensors", made)
    agents = [f"net:{network}", *["heuristic"] * (made.players - 1)]
    contestants = [_core.network_contestant(Network.load(network)._compiled)]
    contestants.append(_compiled_heuristic(made))
    match = _core.play_match(made._compiled, contestants, [0, *[1] * (made.players - 1)], 0, 3, 5, 2, True)
    played = [play_in_python(made, agents, 5, game, turn) for game in range(3) for turn in range(made.players)]
    assert list(match.winners) == [winner for winner, _, _ in played]
    assert list(match.points) == [score for _, score, _ in played]
    assert match.plies == sum(plies for _, _, plies in played)


def _compiled_heuristic(rules: Rules) -> _core.Contestant:
    from lastcard.weights import Weights

    weights = list(Weights.shipped(rules.players).values)
    return _core.policy_contestant(weights=weights, epsilon=0.0, is_random=False)


def test_games_do_not_depend_on_threads_or_on_the_way_a_network_is_asked(tmp_path: Path) -> None:
    rules = FAMILY.replace(max_plies=150)
    network = Network.load(scoring_network(tmp_path / "net.safetensors", rules))._compiled
    results = []
    for by_observation, threads in ((False, 1), (False, 3), (True, 2)):
        contestant = _core.network_contestant(network, by_observation=by_observation)
        match = _core.play_match(rules._compiled, [contestant], [0, 0], 0, 6, 5, threads, True, True)
        results.append((match.winners, match.points, match.unfinished, match.plies))
    assert results[0] == results[1] == results[2]


def test_games_favor_the_better_agent_more_than_rounds_do() -> None:
    seating: list[Contestant] = [HeuristicContestant(), RandomContestant()]
    rounds, games = (play_match(FAMILY, seating, 300, seed=2, to_score=to_score) for to_score in (False, True))
    assert games.shares[0] > rounds.shares[0] + 0.05
    assert games.plies > 4 * rounds.plies
    cut = play_match(FAMILY.replace(max_plies=1), seating, 3, to_score=True, splits_unfinished=True)
    assert (cut.shares, cut.unfinished) == ((0.5, 0.5), 6)
    slow = play_match(FAMILY, [FirstLegalContestant(), RandomContestant()], 3, to_score=True)  # by observations
    assert sum(slow.shares) == pytest.approx(1)
    assert slow.unfinished == 0


# Networks


@pytest.mark.parametrize("stem", ["family-2", "any"])
def test_a_network_trained_for_rounds_ignores_scores(stem: str, tmp_path: Path) -> None:
    metadata, tensors = read_safetensors(shipped_file(stem).read_bytes())
    path = tmp_path / "games.safetensors"
    path.write_bytes(write_safetensors({**metadata, "trained_for": "games"}, tensors))
    even, ahead = (observe(deal(FAMILY, seed=3, scores=scores), 0) for scores in ((0, 0), (480, 20)))
    rounds, games = Network.read(shipped_file(stem).read_bytes()), Network.load(str(path))
    assert rounds.evaluate(even) == rounds.evaluate(ahead) == games.evaluate(even)
    assert games.evaluate(even) != games.evaluate(ahead)


# Training


@pytest.mark.long
def test_training_for_games(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from lastcard.errors import AgentError
    from lastcard.learning import train
    from lastcard.learning.folder import NETWORK
    from lastcard.learning.model import import_network, score_columns
    from tests.unit.test_learning import run, tiny

    first = tiny(rules="family", updates=3)
    run(first, tmp_path / "rounds")
    start = tmp_path / "rounds" / NETWORK
    config = tiny(rules="family", games=True, start=str(start), critic="all_hands", heuristic_share=0.25, warmup=1)
    points = run(config, tmp_path / "games")
    assert points[-1].plies > 100  # of games
    network = Network.load(str(tmp_path / "games" / NETWORK))
    assert network.made["trained_for"] == "games"
    assert json.loads(network.made["config"])["games"] is True
    assert Network.load(str(start)).made["trained_for"] == "rounds"
    columns = score_columns()
    before, after = (import_network(path).input.weight[:, columns] for path in (start, tmp_path / "games" / NETWORK))
    assert not before.any()
    assert torch.count_nonzero(after) > 0
    with pytest.raises(AgentError, match="games was True, not False"):
        train(tiny(rules="family", critic="all_hands"), tmp_path / "games", resume=True)
    with pytest.raises(AgentError, match="games must be True or False, not 1"):
        tiny(games=1)
