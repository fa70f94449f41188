"""Agents of your own: objects, classes and functions wherever an agent is named, and by name once they are added."""

from __future__ import annotations

import functools
import pickle
import random
from dataclasses import dataclass
from pathlib import Path

import pytest

import lastcard as lc
from lastcard.advice import Situation, advise
from lastcard.agents import find_agent, is_built_in
from lastcard.agents.own import describe_own, name_own
from lastcard.analysis import analyse
from lastcard.arena.ledger import Ledger
from lastcard.arena.schedule import Tournament
from lastcard.arena.tournament_run import run_tournament
from lastcard.envs import Seat
from lastcard.errors import AgentError, RecordError
from lastcard.exact.agent_policy import policy_of
from lastcard.exact.tree import build_tree
from lastcard.search.report import SearchReport

RULES = lc.Rules.preset("official")


class Last:
    """Plays the last legal action."""

    def choose(self, observation: lc.Observation) -> lc.Action:
        return observation.legal_actions[-1]


@dataclass(frozen=True)
class DiceConfig:
    """Options of `Dice`."""

    sides: int = 6
    """Number of sides."""


class Dice:
    """Plays at random."""

    def __init__(self, config: DiceConfig, seed: int) -> None:
        self.config = config
        self.seed = seed
        self._rng = random.Random(seed)

    def choose(self, observation: lc.Observation) -> lc.Action:
        return self._rng.choice(observation.legal_actions)


class Searcher(Last):
    def search(self, observation: lc.Observation) -> SearchReport:
        return lc.search_by_halving(observation, lc.HalvingConfig(simulations=20))


class Failing:
    def choose(self, observation: lc.Observation) -> lc.Action:
        raise ZeroDivisionError("no way")


def make_dice(seed: int) -> Dice:
    """Makes dice."""
    return Dice(DiceConfig(), seed)


WAYS = {
    "an object": (Last(), "Last"),
    "a class": (Last, "Last"),
    "a class with options and a seed": (Dice, "Dice"),
    "a function": (make_dice, "make_dice"),
    "a partial function": (functools.partial(make_dice, seed=5), "make_dice"),
    "an AgentInfo": (lc.AgentInfo("dicey", "plays at random", DiceConfig, Dice), "dicey"),
}


@pytest.mark.parametrize(("agent", "name"), WAYS.values(), ids=WAYS)
def test_every_way_is_open_everywhere(agent: object, name: str) -> None:
    table = lc.Table(RULES, [agent, "random"], seed=7)  # type: ignore[list-item]
    assert table.play_round().agents == (name, "random")
    rounds = [lc.Table(RULES, [agent, "random"], seed=7).play_round() for _ in range(2)]  # type: ignore[list-item]
    assert rounds[0] == rounds[1]
    cup = Tournament((agent, "random"), RULES, num_deals=3, seed=1)  # type: ignore[arg-type]
    assert cup.agents == (name, "random")
    results = run_tournament(cup)
    assert results.num_deals == 3
    assert Tournament.from_dict(cup.to_dict(), [agent]) == cup  # type: ignore[list-item]
    situation = Situation.parse(hand="r5 r9", top="r7", opponents="1")
    report = advise(situation, agent)  # type: ignore[arg-type]
    assert report.best in situation.observation.legal_actions
    seat = Seat(RULES, agent)  # type: ignore[arg-type]
    seat.deal(top="g7")
    assert str(seat.choose("r5 g2 y3 y8 b0 b9 w", ["g2", "draw"])) in ("g2", "draw")


def test_each_seat_and_round_has_its_own_seed() -> None:
    seats = lc.Table(RULES.replace(players=3), [Dice, Dice, make_dice], seed=7).agents
    assert len({agent.seed for agent in seats}) == 3  # type: ignore[attr-defined]
    by_name = lc.Table(RULES, ["random", "random"], seed=7).agents
    assert by_name[0]._seed == seats[0].seed  # type: ignore[attr-defined]


def test_a_search_of_ones_own_is_reported() -> None:
    situation = Situation.parse(hand="r5 r9 b2", top="r7", opponents="1")
    assert len(advise(situation, Searcher).actions) == 3
    assert advise(situation, Last()).actions == ()
    assert advise(situation, "heuristic").best.card is not None
    with pytest.raises(AgentError, match="7 is not an agent: expected an object with choose"):
        advise(situation, 7)  # type: ignore[arg-type]


def test_an_analysis_is_judged_by_a_search_of_ones_own() -> None:
    record = lc.Table(RULES.replace(hand_size=2), ["random", "random"], seed=7).play_round()
    analysis = analyse(record, Searcher)
    assert analysis.analyst == "Searcher"
    assert analysis.judgments
    with pytest.raises(AgentError, match="Last only chooses; judging needs an agent that searches"):
        analyse(record, Last())


def test_a_policy_can_be_ones_own() -> None:
    deck = lc.Deck.of(lc.parse_cards("r0 r1 r2 y0 y1 y2"))
    tree = build_tree(lc.Rules.preset("mini", deck=deck, hand_size=2))
    assert set(policy_of(Last, tree)) == {(0.0, 1.0)}


def test_an_added_agent_has_a_name() -> None:
    info = lc.add_agent(Dice, "dice")
    try:
        assert info.explanation == "Plays at random."
        assert info in lc.list_agents()
        assert not is_built_in("dice")
        assert lc.make_agent("dice:sides=8").config.sides == 8  # type: ignore[attr-defined]
        assert lc.add_agent(Dice, "dice") == info  # the same again
        assert Tournament(("dice:sides=2", "random"), RULES, num_deals=2, seed=1).own["dice:sides=2"].info == info
        with pytest.raises(AgentError, match="another agent goes by the name dice"):
            lc.add_agent(Last, "dice")
        with pytest.raises(AgentError, match=r"dice has no option 'side=3'.*did you mean 'sides'"):
            lc.make_agent("dice:side=3")
    finally:
        lc.remove_agent("dice")
    with pytest.raises(AgentError, match="no agent 'dice'"):
        find_agent("dice")
    with pytest.raises(AgentError, match="Random is the name of an agent that comes with lastcard"):
        lc.add_agent(Last, "Random")


class NoChoice:
    pass


class Needy:
    def __init__(self, color: str) -> None: ...

    def choose(self, observation: lc.Observation) -> lc.Action: ...  # type: ignore[empty-body]


class Loose(Last):
    def __init__(self, config: object) -> None: ...


@dataclass
class Listing:
    cards: tuple[str, ...] = ()


class Listed(Last):
    def __init__(self, config: Listing) -> None: ...


def fail() -> Last:
    raise RuntimeError("no way")


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (3, "3 is not an agent: expected an object with choose"),
        (None, "None is not an agent"),
        (NoChoice, r"NoChoice is not an agent: the class has no method choose\(observation\)"),
        (NoChoice(), "is not an agent: expected an object with choose"),
        (Needy, "Needy cannot be made: it needs color; only config and seed are given"),
        (Loose, "Loose: config must be annotated with a dataclass"),
        (Listed, "Listed: option cards must have a default that is a number, a text, True or False"),
        (lambda: 5, r"<lambda> does not make an agent: 5 has no method choose\(observation\)"),
        (fail, "fail cannot be made: RuntimeError: no way"),
    ],
)
def test_what_is_no_agent_is_refused(agent: object, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        Tournament((agent, "random"), RULES, num_deals=1)  # type: ignore[arg-type]
    with pytest.raises(AgentError):
        lc.Table(RULES, [agent, "random"])  # type: ignore[list-item]


def test_names_are_told_apart() -> None:
    one, other = Dice(DiceConfig(), 1), Dice(DiceConfig(), 2)
    with pytest.raises(AgentError, match="two agents are called 'Dice'; give each a `name` of its own"):
        Tournament((one, other), RULES, num_deals=1)
    one.name, other.name = "one", "other"  # type: ignore[attr-defined]
    assert Tournament((one, other), RULES, num_deals=1).agents == ("one", "other")
    assert Tournament((Last, Last), RULES, num_deals=1).agents == ("Last", "Last")
    one.name = "halving"  # type: ignore[attr-defined]
    with pytest.raises(AgentError, match="an agent of your own cannot be called 'halving'"):
        Tournament((one, other), RULES, num_deals=1)
    assert name_own(one) == "halving"


def test_an_agent_that_fails_ends_the_match_in_one_line() -> None:
    with pytest.raises(AgentError, match=r"^Failing failed to choose: ZeroDivisionError: no way$"):
        run_tournament(Tournament((Failing, "random"), RULES, num_deals=1))


def test_a_config_of_ours_does_not_make_an_agent_ours() -> None:
    """The core must not play in place of an agent that only shares a config with one of ours."""

    class Copycat(Last):
        def __init__(self) -> None:
            self.config = lc.HalvingConfig()

    cup = Tournament((Copycat, "random"), RULES, num_deals=1)
    assert cup.contestants(cup.pairings[0]) is None


def test_several_processes_need_agents_that_can_be_sent() -> None:
    class Hidden(Last):
        pass

    cup = Tournament((Hidden, "random"), RULES, num_deals=20, seed=1)
    assert run_tournament(cup).is_complete
    with pytest.raises(AgentError, match=r"Hidden cannot be sent to other processes .* or play with one job"):
        run_tournament(cup, jobs=2)


MODULE = """
import random

class Sent:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def choose(self, observation):
        return self.rng.choice(observation.legal_actions)
"""


def test_the_number_of_processes_does_not_change_results(site: Path) -> None:
    (site / "sent_agents.py").write_text(MODULE)
    import sent_agents  # type: ignore[import-not-found]

    cup = Tournament((sent_agents.Sent, "random"), RULES, num_deals=20, seed=1)
    one, two = (run_tournament(cup, jobs=jobs) for jobs in (1, 2))
    assert [pairing.deals for pairing in one.pairings] == [pairing.deals for pairing in two.pairings]
    assert pickle.loads(pickle.dumps(cup)).own == cup.own


def test_a_file_is_resumed_with_the_agents_given_again(tmp_path: Path) -> None:
    cup = Tournament((Last, "random"), RULES, num_deals=20, seed=1)
    with Ledger.create(tmp_path / "cup.jsonl", cup) as ledger:
        whole = run_tournament(cup, ledger=ledger)
    text = (tmp_path / "cup.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "cup.jsonl").write_text("".join(text[:2]))
    with pytest.raises(RecordError, match="no agent 'Last'"):
        Ledger.resume(tmp_path / "cup.jsonl")
    with Ledger.resume(tmp_path / "cup.jsonl", [Last]) as ledger:
        assert len(ledger.chunks) == 1
        again = run_tournament(ledger.tournament, ledger=ledger)
    assert again.pairings[0].deals == whole.pairings[0].deals


def test_what_is_described_can_be_pickled() -> None:
    for agent in (Dice, make_dice, WAYS["an AgentInfo"][0]):
        info = describe_own(agent)
        assert pickle.loads(pickle.dumps(info)) == info
