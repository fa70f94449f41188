"""Duties of every agent: answer legally, repeatably, and from its observation alone."""

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from lastcard.actions import Action
from lastcard.agents import (
    LEVELS,
    Agent,
    AgentInfo,
    find_agent,
    find_level,
    list_agents,
    make_agent,
    option_help,
)
from lastcard.cards import format_cards, parse_cards
from lastcard.errors import AgentError, StateError
from lastcard.observation import Observation, observe
from lastcard.rules import PRESETS, Rules
from lastcard.state import State, deal, parse_state
from lastcard.table import Table
from tests.counts import ALL
from tests.property.fairness import make_searcher
from tests.property.worlds import other_world

NAMES = [info.name for info in list_agents()]
TABLES = [
    (preset, players)
    for preset in PRESETS
    for players in (2, 4, 10)
    if players <= 4 or preset != "mini"  # ten cards do not go round
]
DECISIONS = 120 if ALL else 60


@cache
def decisions(preset: str, players: int) -> list[State]:
    """States of random rounds, with decisions that are rare more often than they come."""
    rng = random.Random(f"{preset} {players}")
    states: list[State] = []
    seen: dict[object, int] = {}
    seed = 0
    while len(states) < DECISIONS:
        state = deal(Rules.preset(preset, players=players), seed=seed)
        seed += 1
        while not state.is_over and len(states) < DECISIONS:
            legal = state.legal_actions
            kind = (state.phase, len(legal) == 1, any(action.kind.value == "uno" for action in legal))
            if seen.get(kind, 0) < 25 or seed > 10:
                seen[kind] = seen.get(kind, 0) + 1
                states.append(state)
            plays = [action for action in legal if action.kind.value != "draw"]
            state = state.after(rng.choice(plays or legal))
    return states


def make_small(name: str, seed: int) -> Agent:
    """The agent of that name, with a small budget if it searches."""
    return make_searcher(find_agent(name), seed)


def on_every_table(test: Callable[..., None]) -> Callable[..., None]:
    cases = [
        (info.name, preset, players)
        for preset, players in TABLES
        for info in list_agents(Rules.preset(preset, players=players))
    ]
    marked: Callable[..., None] = pytest.mark.parametrize(("name", "preset", "players"), cases)(test)
    return marked


@pytest.mark.slow
@on_every_table
def test_answers_are_legal(name: str, preset: str, players: int) -> None:
    agents = [make_small(name, seat) for seat in range(players)]
    single = 0
    for state in decisions(preset, players):
        assert state.seat is not None
        answer = agents[state.seat].choose(observe(state, state.seat))
        legal = state.legal_actions
        assert isinstance(answer, Action)
        assert answer in legal
        if len(legal) == 1:
            single += 1
            assert answer is legal[0]
    assert single > 0


@pytest.mark.slow
@on_every_table
def test_the_same_seed_gives_the_same_answers(name: str, preset: str, players: int) -> None:
    one, two = make_small(name, 9), make_small(name, 9)
    shown = [observe(state, state.seat or 0) for state in decisions(preset, players)]
    assert [one.choose(each) for each in shown] == [two.choose(each) for each in shown]


@on_every_table
def test_an_agent_leaves_its_observation_alone(name: str, preset: str, players: int) -> None:
    agent = make_small(name, 9)
    for state in decisions(preset, players)[::10]:
        shown = observe(state, state.seat or 0)
        before = shown.to_dict()
        agent.choose(shown)
        assert shown.to_dict() == before


# What is hidden makes no difference


def answer_in(state: State, agent: Agent, seat: int) -> Action:
    return agent.choose(observe(state, seat))


def answers_alike(make: Callable[[], Agent], states: list[State]) -> Iterator[bool]:
    """Yields, for every world and another that looks the same to the seat, whether the answers are the same."""
    rng = random.Random(1)
    for state in states:
        seat = state.seat or 0
        other = other_world(state, seat, rng)
        if other is None:
            continue
        assert other != state
        assert observe(other, seat) == observe(state, seat)
        yield answer_in(state, make(), seat) is answer_in(other, make(), seat)


@pytest.mark.slow
@on_every_table
def test_what_is_hidden_makes_no_difference(name: str, preset: str, players: int) -> None:
    states = decisions(preset, players)[:: 1 if ALL else 3]
    alike = list(answers_alike(lambda: make_small(name, 4), states))
    assert len(alike) > len(states) / 2
    assert all(alike)


def truth_of_caller() -> State:
    """The state that the caller of an agent keeps in a variable."""
    state = sys._getframe(2).f_locals["state"]
    assert isinstance(state, State)
    return state


class Peeker:
    """Plays by the cards of the others."""

    def choose(self, observation: Observation) -> Action:
        truth = truth_of_caller()
        hands = [truth.hand(seat) for seat in range(len(observation.hand_sizes))]
        worth = sum((seat + 1) * card.index for seat, hand in enumerate(hands) for card in hand)
        return observation.legal_actions[worth % len(observation.legal_actions)]


class SeedReader:
    """Plays by the seed of the deal."""

    def choose(self, observation: Observation) -> Action:
        return observation.legal_actions[truth_of_caller().seed % len(observation.legal_actions)]


@pytest.mark.slow
@pytest.mark.parametrize("cheat", [Peeker, SeedReader])
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_a_cheat_is_found_out(cheat: type[Agent], preset: str, players: int) -> None:
    alike = list(answers_alike(cheat, decisions(preset, players)))
    assert alike.count(False) > 5


# By name


def test_the_list_of_agents() -> None:
    assert NAMES[:5] == ["random", "first_legal", "frequency", "heuristic", "halving"]
    assert len(set(NAMES)) == len(NAMES)
    for info in list_agents():
        assert isinstance(info, AgentInfo)
        assert info.summary
        assert info.explanation.endswith(".")
        assert isinstance(make_agent(info.name), Agent)
        for option, default in info.options.items():
            made = make_agent(f"{info.name}:{option}={default}")
            assert getattr(made.config, option) == default  # type: ignore[attr-defined]


def test_options_are_read() -> None:
    agent = make_agent(" halving : simulations = 50 , epsilon=0.3,common_random_numbers=False")
    config = agent.config  # type: ignore[attr-defined]
    assert (config.simulations, config.epsilon, config.common_random_numbers, config.drop_losers) == (
        50,
        0.3,
        False,
        True,
    )


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("chess", "no agent 'chess'; there are random, first_legal, frequency, heuristic, halving"),
        ("", "no agent ''; there are random"),
        (":", "no agent ':'; there are random"),
        ("Randon", "(did you mean 'random'?)"),
        (None, "no agent None; there are random"),
        (7, "no agent 7; there are random"),
        ("random:speed=3", "random has no option 'speed=3'; there are: none"),
        ("heuristic:speed=3", "heuristic has no option 'speed=3'; there are: weights"),
        ("heuristic:weights=/nowhere", "heuristic: weights: cannot read '/nowhere'"),
        ("halving:simulations", "halving has no option 'simulations'; there are: simulations, seconds"),
        ("halving:simulations=2,", "halving has no option ''; there are: simulations"),
        ("halving:=2", "halving has no option '=2'; there are: simulations"),
        ("halving:simulations=", "halving: simulations must be a whole number such as 1000, not ''"),
        ("halving:simulations=two", "halving: simulations must be a whole number such as 1000, not 'two'"),
        ("halving:simulations=2.5", "halving: simulations must be a whole number such as 1000, not '2.5'"),
        (f"halving:simulations={'9' * 5000}", "halving: simulations must be a whole number such as 1000, not '999"),
        ("halving:simulations=0", "halving: simulations must be from 1 to 10000000, not 0"),
        ("halving:common_random_numbers=maybe", "halving: common_random_numbers must be true or false, not 'maybe'"),
        ("halving:belief=blind", "halving: belief must be one of uniform, constrained, particle, not 'blind'"),
        ("halving:simulations=1,simulations=2", "simulations.* twice"),
    ],
)
def test_what_make_agent_cannot_read_is_answered_with_what_there_is(name: str, match: str) -> None:
    with pytest.raises(AgentError, match=match):
        make_agent(name)


def test_every_option_is_explained_below_its_field() -> None:
    for info in list_agents():
        helps = option_help(info.config)
        assert list(helps) == list(info.options)
        assert all(text.endswith(".") for text in helps.values())
    told = option_help(find_agent("frequency").config)["four_to_go_out"]
    assert told == "Plays a Wild Draw Four as the last card in any case."


def test_an_option_without_a_docstring_is_left_unexplained() -> None:
    @dataclass
    class Config:
        first: int = 1
        second: int = 2
        """Only this one,
        over two lines."""

        def method(self) -> None:
            """Not an option."""

    assert option_help(Config) == {"first": "", "second": "Only this one, over two lines."}


def test_an_agent_is_found_with_and_without_options() -> None:
    assert find_agent("halving:simulations=5").name == find_agent(" halving ").name == "halving"
    with pytest.raises(AgentError, match="no agent 'chess'"):
        find_agent("chess")


def test_levels_name_agents_from_weak_to_strong() -> None:
    assert list(LEVELS) == ["beginner", "easy", "medium", "hard", "hardest", "champion"]
    for level in LEVELS.values():
        assert isinstance(make_agent(level.agent), Agent)
        assert find_level(level.name) is level
    for wrong in ("impossible", "", None):
        with pytest.raises(AgentError, match="there are beginner, easy, medium, hard, hardest, champion"):
            find_level(wrong)  # type: ignore[arg-type]


def test_the_champion_level_says_that_rounds_are_long_and_where_it_plays() -> None:
    summary = LEVELS["champion"].summary
    assert "long rounds" in summary
    assert "official rules, two players" in summary


def test_impossible_seeds_are_refused() -> None:
    with pytest.raises(StateError, match="seed must be a whole number"):
        make_agent("random", seed=-1)


# Each of them


def test_random_draws_only_when_it_must() -> None:
    state = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")
    answers = {str(make_agent("random", seed).choose(observe(state, 0))) for seed in range(200)}
    assert answers == {"r7", "w:r", "w:y", "w:g", "w:b"}
    stuck = parse_state("top r5 | seat 0: g7 b2 | seat 1: g1 g1 yR")
    assert str(make_agent("random", seed=1).choose(observe(stuck, 0))) == "draw"


def test_random_is_uniform_over_the_rest() -> None:
    """10,000 answers among five: chi-square with 4 degrees of freedom below 37; fair dice fail twice in 10**7."""
    shown = observe(parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR"), 0)
    answers = [str(make_agent("random", seed).choose(shown)) for seed in range(10_000)]
    counts = [answers.count(action) for action in ("r7", "w:r", "w:y", "w:g", "w:b")]
    assert sum(counts) == 10_000
    assert sum((count - 2_000) ** 2 / 2_000 for count in counts) < 37


def test_seeds_of_random_differ() -> None:
    shown = [observe(state, state.seat or 0) for state in decisions("house", 4)[:40]]
    agents = [make_agent("random", seed=seed) for seed in range(20)]
    streams = {tuple(str(agent.choose(each)) for each in shown) for agent in agents}
    assert len(streams) == 20


def test_random_answers_an_observation_in_one_way() -> None:
    """So a game that is resumed goes the way it would have gone."""
    for state in decisions("house", 4)[:40]:
        shown = observe(state, state.seat or 0)
        agent = make_agent("random", seed=5)
        agent.choose(observe(parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR"), 0))
        assert agent.choose(shown) is make_agent("random", seed=5).choose(shown)


def test_random_plays_each_round_of_a_game_by_other_numbers() -> None:
    def answers(number: int) -> list[Action]:
        deals = [deal(Rules.preset("official"), seed, round_number=number) for seed in range(20)]
        return [make_agent("random", seed=5).choose(observe(state, state.seat or 0)) for state in deals]

    assert answers(1) == answers(1) != answers(2)


def test_first_legal_takes_the_first() -> None:
    for state in decisions("house", 4):
        shown = observe(state, state.seat or 0)
        assert make_agent("first_legal").choose(shown) is shown.legal_actions[0]


@pytest.mark.parametrize(
    ("position", "answer"),
    [
        ("top r5 | seat 0: r7 r+2 rS | seat 1: g1 g1 yR", "r+2"),
        ("top r5 | seat 0: r7 y8 w | seat 1: g1 g1 yR", "r7"),
        ("top r5 | seat 0: g7 g8 b1 w | seat 1: g1 g1 yR", "w:g"),
        ("top r5 | seat 0: g7 b1 w+4 | seat 1: g9", "w+4:g"),
        ("top r5 | seat 0: r9 rS | seat 1: g9", "rS"),
        ("rules tournament players=2 | top r5 | seat 0: r7 b2 | seat 1: g1 g1 yR", "uno"),
    ],
)
def test_heuristic_plays_by_its_rules_of_thumb(position: str, answer: str) -> None:
    assert str(make_agent("heuristic").choose(observe(parse_state(position), 0))) == answer


def test_heuristic_beats_random() -> None:
    """600 rounds: an agent no better than `random` would win 360 of them less than once in 10**6 times."""
    wins = 0
    for seed in range(300):
        for agents in (["heuristic", "random"], ["random", "heuristic"]):
            outcome = Table(Rules.preset("official"), agents, seed=seed).play_round().rounds[0].outcome
            assert outcome is not None
            wins += outcome.winner is not None and agents[outcome.winner] == "heuristic"
    assert wins >= 360


def test_the_other_world_keeps_all_cards() -> None:
    rng = random.Random(5)
    for state in decisions("house", 4)[:40]:
        other = other_world(state, state.seat or 0, rng)
        assert other is not None
        cards = [card for seat in range(4) for card in other.hand(seat)]
        assert sorted([*cards, *other.draw_pile, *other.discard_pile]) == list(state.rules.deck.cards())
        assert parse_cards(format_cards(other.hand(0))) == other.hand(0)
