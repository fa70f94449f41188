"""Every public value can be pickled and copied, and is then what it was."""

import copy
import inspect
import pickle
import random
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import pytest

import lastcard as lc
from lastcard.advice import Situation
from lastcard.agents import find_agent
from lastcard.arena.schedule import Tournament
from lastcard.engine.program import EngineError, Fault
from lastcard.errors import RequestError
from lastcard.network import Network
from lastcard.search.report import belief_to_dict
from tests.counts import counted

RULES = lc.Rules.preset("official")
POSITION = lc.parse_state("top r5 | seat 0: r7 b2 r9 w | seat 1: g1 g1 yR")
SEEN = lc.observe(POSITION, 0)


def decide(name: str) -> lc.Agent:
    """An agent that has been used."""
    agent = lc.make_agent(name, seed=3)
    agent.choose(SEEN)
    return agent


def play() -> lc.Table:
    """A table in the middle of its second round, after a reshuffle."""
    table = lc.Table(lc.Rules.preset("house"), ["random", "heuristic", "frequency", "random"], seed=3, people=[1])
    table.play_round()
    table.next_round()
    while not table.state.reshuffles and not table.state.is_over:
        table.play_ply()
    return table


SAMPLES: dict[str, Callable[[], object]] = {
    "Action": lambda: lc.parse_action("w:g"),
    "ActionKind": lambda: lc.ActionKind.PLAY,
    "ActionValue": lambda: lc.search_by_halving(SEEN).actions[0],
    "Agent": lambda: lc.make_agent("random"),
    "AgentError": lambda: lc.AgentError("no agent"),
    "AgentInfo": lambda: find_agent("halving"),
    "Belief": lambda: lc.Belief(SEEN, lc.BeliefConfig(hypotheses=64), seed=5),
    "BeliefConfig": lambda: lc.BeliefConfig("uniform"),
    "Card": lambda: lc.parse_card("r5"),
    "Color": lambda: lc.Color.RED,
    "Deck": lambda: lc.Rules.preset("numbers").deck,
    "Ending": lambda: lc.Ending.WENT_OUT,
    "Event": lambda: lc.parse_event("1 draws 2 (r5 w)"),
    "EventKind": lambda: lc.EventKind.DREW,
    "ExpectiminimaxConfig": lambda: lc.ExpectiminimaxConfig(depth=2),
    "GameOutcome": lambda: lc.GameOutcome(1, (120, 512)),
    "HalvingConfig": lambda: lc.HalvingConfig(simulations=5),
    "HiddenCards": lambda: lc.Belief(SEEN).sample(random.Random(1)),
    "IllegalActionError": lambda: lc.IllegalActionError("no"),
    "IsmctsConfig": lambda: lc.IsmctsConfig(simulations=5),
    "LastcardError": lambda: lc.LastcardError("no"),
    "MctsConfig": lambda: lc.MctsConfig(simulations=5),
    "NotationError": lambda: lc.NotationError("no"),
    "Observation": lambda: SEEN,
    "Outcome": lambda: lc.Outcome(0, lc.Ending.WENT_OUT, (14, 0)),
    "Phase": lambda: lc.Phase.TURN,
    "Player": lambda: POSITION.players[0],
    "Pomcp": lambda: lc.Pomcp(lc.PomcpConfig(simulations=50)),
    "PomcpConfig": lambda: lc.PomcpConfig(simulations=50),
    "PublicObservation": lambda: lc.spectate(POSITION),
    "PuzzleError": lambda: lc.PuzzleError("no"),
    "RandomGames": lambda: lc.play_random_games(RULES, 10),
    "Rank": lambda: lc.Rank.SKIP,
    "Record": lambda: play().record,
    "RecordError": lambda: lc.RecordError("no"),
    "RoundRecord": lambda: play().record.rounds[0],
    "Rules": lambda: lc.Rules.preset("house", players=3),
    "RulesError": lambda: lc.RulesError("no"),
    "SearchReport": lambda: lc.search_by_ismcts(SEEN, lc.IsmctsConfig(simulations=200), seed=2),
    "State": lambda: POSITION,
    "StateError": lambda: lc.StateError("no"),
    "StoreError": lambda: lc.StoreError("no"),
    "Table": play,
    "TreeNode": lambda: lc.search_by_ismcts(SEEN, lc.IsmctsConfig(simulations=50)).tree()[0],
    "EngineError": lambda: EngineError("it hangs", Fault.TIMED_OUT),
    "RequestError": lambda: RequestError("not your turn", status=409, field="seat", retry_after_seconds=1.5),
    "Network": lambda: Network.shipped(lc.Rules.preset("official")),
    "Situation": lambda: Situation.parse(hand="r5 g2 w", top="g7", opponents="7,5", history="2 plays g7"),
    "Tournament": lambda: Tournament(("random", "halving:simulations=5"), RULES, num_deals=2, seed=1),
    **{f"{info.name} agent": lambda name=info.name: decide(name) for info in lc.list_agents()},  # type: ignore[misc]
}


def describe(value: Any) -> object:
    """Returns the parts that make two values equal, for those that have no equality of their own."""
    match value:
        case lc.Card() | lc.Action() | Enum():
            return id(value)  # there is one object of each
        case lc.LastcardError():
            return type(value), value.args, vars(value)
        case lc.Belief():
            rng = random.Random(1)
            return value.observation, value.config, belief_to_dict(value), [value.sample(rng) for _ in range(5)]
        case lc.SearchReport():
            return {**value.to_dict(), "trees": [value.tree(depth) for depth in (1, 2, 5, 16)]}
        case lc.Observation():
            return value.to_dict(), value.num_events, repr(value)
        case lc.PublicObservation():
            names = [name for name, kind in vars(lc.PublicObservation).items() if isinstance(kind, property)]
            return {name: getattr(value, name) for name in names}
        case lc.Table():
            return value.record, value.state, value.seed, repr(value), list(map(describe, value.agents))
        case lc.Pomcp():
            return value.config
        case _ if hasattr(value, "choose") and hasattr(value, "config"):
            dice = getattr(value, "_rng", None)
            return type(value), value.config, getattr(value, "_seed", None), dice and dice.getstate()
    has_equality = getattr(type(value), "__eq__", None) is not getattr(object, "__eq__", None)
    return value if has_equality else (type(value), vars(value))


def copies(value: object) -> Iterator[object]:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(value, protocol))
    yield copy.copy(value)
    yield copy.deepcopy(value)
    yield copy.deepcopy([value])[0]


@pytest.mark.parametrize("name", lc.__all__)
def test_no_public_name_is_forgotten(name: str) -> None:
    value = getattr(lc, name)
    if inspect.isclass(value):
        assert name in SAMPLES, f"{name} needs a sample, so that it is tried"
        assert isinstance(SAMPLES[name](), value)
    else:
        assert pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize("name", SAMPLES)
def test_a_copy_is_what_it_was(name: str) -> None:
    value = SAMPLES[name]()
    for again in copies(value):
        assert type(again) is type(value)
        assert describe(again) == describe(value)


@pytest.mark.slow
@pytest.mark.parametrize("preset", lc.PRESETS)
def test_whatever_is_seen_can_be_pickled(preset: str) -> None:
    changes = {"wild_draw_four": "bluff"} if preset == "house" else {}
    rng, seen = random.Random(1), 0
    for seed in range(counted(3)):
        state = lc.deal(lc.Rules.preset(preset, **changes), seed=seed, scores=None)
        for _ in range(counted(150, least=60)):
            for seat in range(state.rules.players):
                observation = lc.observe(state, seat)
                assert describe(pickle.loads(pickle.dumps(observation))) == describe(observation)
                assert lc.Observation.from_dict(observation.to_dict()) == observation
            watched = lc.spectate(state)
            assert describe(pickle.loads(pickle.dumps(watched))) == describe(watched)
            seen += 1
            if state.is_over:
                break
            state = state.after(rng.choice(state.legal_actions))
    assert seen >= counted(20, least=3)


SEARCHES = (
    "halving:simulations=100",
    "expectiminimax:determinizations=20",
    "ismcts:simulations=100",
    "mcts:simulations=100",
    "pomcp:simulations=100",
)


@pytest.mark.parametrize("name", SEARCHES)
def test_what_a_search_found_can_be_pickled(name: str) -> None:
    observation = lc.observe(lc.deal(RULES, seed=7), 0)
    report = lc.make_agent(name, seed=3).search(observation)  # type: ignore[attr-defined]
    assert report.belief is not None
    assert describe(pickle.loads(pickle.dumps(report))) == describe(report)


def test_the_published_belief_keeps_what_it_believes_but_not_its_hypotheses() -> None:
    observation = lc.observe(lc.deal(RULES, seed=7), 0)
    report = lc.make_agent("expectiminimax:as_published,determinizations=20").search(observation)  # type: ignore[attr-defined]
    again = pickle.loads(pickle.dumps(report))
    assert again.belief.marginals() == report.belief.marginals()
    assert (again.best, again.actions) == (report.best, report.actions)


def test_a_copied_pomcp_goes_on_with_its_tree_and_a_pickled_one_starts_again() -> None:
    table = lc.Table(RULES, ["pomcp:simulations=2000", "heuristic"], seed=7)
    used: Any = table.agents[0]
    carried = 0
    while not carried:
        while table.state.seat != 0 or len(table.state.legal_actions) < 2:
            table.play_ply()
        seen = lc.observe(table.state, 0)
        twin, fresh = copy.deepcopy(used), pickle.loads(pickle.dumps(used))
        table.play_ply()
        carried = used._pomcp.num_carried
    assert twin.choose(seen) is table.actions[-1]
    assert twin._pomcp.num_carried == carried
    fresh.choose(seen)
    assert fresh._pomcp.num_carried == 0


def test_a_pickled_table_plays_on_as_the_first_would() -> None:
    table = play()
    again = pickle.loads(pickle.dumps(table))
    assert again.play_round() == table.play_round()
    again.undo(3)
    table.undo(3)
    assert again.state == table.state


def test_pickled_dice_go_on() -> None:
    agent = decide("random")
    again = pickle.loads(pickle.dumps(agent))
    assert [again.choose(SEEN) for _ in range(20)] == [agent.choose(SEEN) for _ in range(20)]
