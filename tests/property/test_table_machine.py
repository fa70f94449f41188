"""A table under any sequence of steps, applied actions, mistakes, undos, saves and new rounds stays consistent."""

import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from lastcard.actions import ACTIONS, PASS, Action
from lastcard.errors import AgentError, IllegalActionError, StateError
from lastcard.observation import Observation, observe
from lastcard.record import Record
from lastcard.rules import parse_rules
from lastcard.state import State
from lastcard.table import Table
from tests.property.worlds import other_world
from tests.unit.helpers import VARIED_RULES, all_cards


class Obedient:
    """Answers what it is told, once, and otherwise the first legal action."""

    name = "first_legal"

    def __init__(self) -> None:
        self.answer: object = None

    def choose(self, observation: Observation) -> Action:
        answer, self.answer = self.answer or observation.legal_actions[0], None
        return answer  # type: ignore[return-value]


class TableMachine(RuleBasedStateMachine):
    """The table, and beside it a model: the states of the round so far and the scores of the rounds before."""

    folder: tempfile.TemporaryDirectory[str]

    @initialize(
        text=st.sampled_from(VARIED_RULES),
        goal=st.sampled_from([1, 60, 500, 100_000]),
        seed=st.integers(0, 2**256 - 1),
    )
    def sit_down(self, text: str, goal: int, seed: int) -> None:
        self.made = parse_rules(text).replace(target_score=goal)
        self.table = Table(self.made, [Obedient() for _ in range(self.made.players)], seed)
        self.folder = tempfile.TemporaryDirectory()
        self.everything = list(self.made.deck.cards())
        self.begin_round((0,) * self.made.players)

    def begin_round(self, scores: tuple[int, ...]) -> None:
        self.scores_before = scores
        self.states: list[State] = [self.table.state.copy()]
        self.actions: list[Action] = []

    @property
    def state(self) -> State:
        return self.table.state

    @precondition(lambda self: not self.table.state.is_over)
    @rule(count=st.integers(1, 12), choice=st.randoms(use_true_random=False))
    def steps(self, count: int, choice: random.Random) -> None:
        """The agents play."""
        for _ in range(count):
            if self.state.is_over:
                return
            seat = self.state.seat
            assert seat is not None
            legal = self.state.legal_actions
            agent = self.table.agents[seat]
            assert isinstance(agent, Obedient)
            agent.answer = choice.choice(legal)
            told = agent.answer
            assert self.table.play_ply() is told
            self.remember(told)

    @precondition(lambda self: not self.table.state.is_over)
    @rule(data=st.data())
    def apply(self, data: st.DataObject) -> None:
        action = data.draw(st.sampled_from(self.state.legal_actions))
        self.table.apply(action)
        self.remember(action)

    def remember(self, action: object) -> None:
        assert isinstance(action, Action)
        self.actions.append(action)
        self.states.append(self.states[-1].after(action))

    @rule(action=st.sampled_from(ACTIONS), by_agent=st.booleans())
    def try_something_illegal(self, action: Action, by_agent: bool) -> None:
        if action in self.state.legal_actions:
            return
        if by_agent and self.state.seat is not None:
            agent = self.table.agents[self.state.seat]
            assert isinstance(agent, Obedient)
            agent.answer = action
            with pytest.raises(AgentError, match="legal were"):
                self.table.play_ply()
        else:
            with pytest.raises(IllegalActionError):
                self.table.apply(action)

    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        ply = data.draw(st.integers(0, len(self.actions)))
        self.table.undo(ply)
        del self.actions[ply:], self.states[ply + 1 :]

    @rule(beyond=st.integers(1, 99), sign=st.sampled_from([1, -1]))
    def undo_too_much(self, beyond: int, sign: int) -> None:
        with pytest.raises(StateError, match="to_action"):
            self.table.undo(len(self.actions) + beyond if sign > 0 else -beyond)

    @rule(name=st.sampled_from(["record.txt", "record.jsonl"]))
    def save_and_resume(self, name: str) -> None:
        record = self.table.record
        record.save(Path(self.folder.name) / name)
        loaded = Record.load(Path(self.folder.name) / name)
        assert loaded == record
        self.table = Table.resume(loaded, [Obedient() for _ in range(self.made.players)])
        assert self.table.record == record

    @precondition(lambda self: self.table.state.is_over)
    @rule()
    def next_round(self) -> None:
        number, scores = self.state.round_number, self.state.scores
        if max(scores) >= self.made.target_score:
            assert self.table.game_outcome is not None
            with pytest.raises(StateError, match="the game is over"):
                self.table.next_round()
            return
        assert self.table.game_outcome is None
        state = self.table.next_round()
        assert (state.round_number, state.ply, state.scores) == (number + 1, 0, scores)
        assert state.dealer == (self.made.players - 1 + number) % self.made.players
        self.begin_round(scores)

    @precondition(lambda self: not self.table.state.is_over)
    @rule()
    def next_round_too_early(self) -> None:
        with pytest.raises(StateError, match="the round is not over"):
            self.table.next_round()

    @rule()
    def play_to_the_end(self) -> None:
        """Plays first legal actions, which end rounds."""
        while not self.state.is_over and len(self.actions) < 400:
            self.remember(self.table.play_ply())

    # What always holds

    @invariant()
    def the_state_is_the_models(self) -> None:
        assert self.table.state == self.states[-1]
        assert self.table.state.ply == sum(action is not PASS for action in self.actions)

    @invariant()
    def cards_are_conserved(self) -> None:
        assert all_cards(self.state) == self.everything

    @invariant()
    def scores_add_up(self) -> None:
        outcome = self.state.outcome
        points = outcome.points if outcome else (0,) * self.made.players
        assert self.table.scores == tuple(map(sum, zip(self.scores_before, points, strict=True)))
        assert (outcome is not None) == self.state.is_over
        if outcome and self.made.scoring == "winner":
            assert all(point == 0 for seat, point in enumerate(points) if seat != outcome.winner)
        game = self.table.game_outcome
        assert (game is not None) == (self.state.is_over and max(self.table.scores) >= self.made.target_score)

    @invariant()
    def the_record_replays_to_the_state(self) -> None:
        record = self.table.record
        played = record.rounds[-1]
        assert list(played.actions) == self.actions
        replayed = list(record.states(len(record.rounds) - 1))
        assert replayed[-1] == self.state
        assert len(replayed) == len(self.actions) + 1
        assert played.scores == self.scores_before

    @invariant()
    def observations_tell_only_what_the_seat_may_know(self) -> None:
        state = self.state
        sizes = tuple(len(state.hand(seat)) for seat in range(self.made.players))
        for seat in range(self.made.players):
            seen = observe(state, seat)
            for event in seen.history:
                assert all(owner == seat for owner, _ in event.hands)  # what it got or was shown itself
            if state.phase.value in ("catch", "jump_in") and seat != state.seat:
                continue  # it sees what it last saw (Rule 10.7)
            assert seen.legal_actions == (state.legal_actions if seat == state.seat else ())
            assert (seen.hand, seen.hand_sizes) == (state.hand(seat), sizes)
            if not state.is_over:  # points tell of what was in the hands
                other = other_world(state, seat, random.Random(state.ply))
                assert other is None or observe(other, seat) == seen

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()


def run_machine() -> None:
    """Runs without shrinking: a failure shows every step that led to it."""
    run_state_machine_as_test(
        TableMachine,
        settings=settings(
            max_examples=50,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_the_table_stays_consistent() -> None:
    run_machine()


UNDO, APPLY = Table.undo, Table.apply


def forget_an_action(table: Table, plies: int) -> None:
    """An undo that loses one action more."""
    UNDO(table, plies - 1 if plies > 2 else plies)


def apply_something(table: Table, action: Action) -> None:
    """Does what is legal instead of refusing what is not."""
    legal = table.state.legal_actions
    APPLY(table, action if action in legal or not legal else legal[0])


@pytest.mark.parametrize(("method", "fault"), [("undo", forget_an_action), ("apply", apply_something)])
def test_the_machine_finds_a_faulty_table(method: str, fault: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, method, fault)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        run_machine()
