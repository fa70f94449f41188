"""Judges decisions: a searching agent gets what the seat knew and values each action."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from lastcard import _core
from lastcard.actions import Action
from lastcard.agents import AgentLike, seat_agent
from lastcard.agents.own import name_own
from lastcard.errors import AgentError, RecordError, StateError, ask_core, require, require_int, shorten
from lastcard.observation import Observation, observe
from lastcard.record import Record
from lastcard.round_record import compile_round
from lastcard.rules import format_rules
from lastcard.search.report import ActionValue, SearchReport
from lastcard.state import Outcome

ANALYST: Final = "halving:simulations=20000,drop_losers=false"
"""All actions get the same number of simulations and face the same cards, so that the played one is judged as surely as
the best."""


@runtime_checkable
class Analyst(Protocol):
    """An agent that reports a value for each action."""

    def search(self, observation: Observation, /) -> SearchReport:
        """The decision with everything that led to it."""
        ...


def make_analyst(agent: AgentLike = ANALYST, seed: int = 0) -> Analyst:
    """Returns the agent of that name, or your own agent, if it can judge.

    Raises:
        AgentError: if there is no such agent, or it only chooses.

    >>> make_analyst("random")
    Traceback (most recent call last):
    ...
    lastcard.errors.AgentError: random only chooses; judging needs an agent that searches, such as halving
    """
    analyst = seat_agent(agent, seed)
    if not isinstance(analyst, Analyst):
        name = agent.partition(":")[0] if isinstance(agent, str) else name_own(agent)
        raise AgentError(f"{name} only chooses; judging needs an agent that searches, such as halving")
    return analyst


@dataclass(frozen=True, slots=True)
class Judgment:
    """One decision, as it was made and as it might have been."""

    round_number: int
    ply: int
    """Number of the action in the record, from 1."""
    observation: Observation
    """Observation of the seat."""
    played: Action
    report: SearchReport

    @property
    def seat(self) -> int:
        """Seat that decided."""
        return self.observation.observer

    @property
    def played_value(self) -> ActionValue | None:
        """The analyst's value of the played action; None if it did not consider it."""
        place = self._cost.played
        return None if place is None else self.report.actions[place]

    @property
    def best_value(self) -> ActionValue:
        """The analyst's value of its own choice."""
        return self.report.actions[0]

    @property
    def cost(self) -> float:
        """Win probability that the action gave away; 0 if it was as good as the best action or was not judged."""
        return self._cost.cost

    @property
    def error(self) -> float:
        """The half-width of the cost's 95 % interval, as if the two had been judged apart."""
        return self._cost.error

    @property
    def _cost(self) -> _core.Cost:
        values = [
            _core.Valued(action=each.action.index, value=each.value, error=each.error) for each in self.report.actions
        ]
        return _core.find_cost(values, self.played.index)

    @property
    def _decision(self) -> _core.Decision:
        """The same as the core sums it up."""
        return _core.Decision(
            round=self.round_number,
            ply=self.ply,
            seat=self.seat,
            played=self.played.index,
            best=self.report.best.index,
            best_value=self.best_value.value,
            cost=self.cost,
        )

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values."""
        played = self.played_value
        return {
            "ply": self.ply,
            "seat": self.seat,
            "top_card": self.observation.top_card.text,
            "played": self.played.text,
            "value": None if played is None else round(played.value, 6),
            "best": self.report.best.text,
            "best_value": round(self.best_value.value, 6),
            "cost": round(self.cost, 6),
            "error": round(self.error, 6),
            "actions": [value.to_dict() for value in self.report.actions],
        }


@dataclass(frozen=True, slots=True)
class RoundAnalysis:
    """The decisions of a round that have been judged."""

    number: int
    outcome: Outcome
    num_plies: int
    judgments: tuple[Judgment, ...]

    def curve(self, seat: int) -> tuple[tuple[int, float], ...]:
        """The seat's probability of winning as it could know it: ply by ply where it had a choice, and at the end."""
        points = _core.make_curve(
            [each._decision for each in self.judgments],
            seat=seat,
            plies=self.num_plies,
            winner=self.outcome.winner,
            players=len(self.outcome.points),
        )
        return tuple((point.ply, point.value) for point in points)

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values."""
        seats = range(len(self.outcome.points))
        return {
            "round": self.number,
            "outcome": self.outcome.to_dict(),
            "plies": self.num_plies,
            "decisions": [each.to_dict() for each in self.judgments],
            "curves": {str(seat): [[ply, round(value, 6)] for ply, value in self.curve(seat)] for seat in seats},
        }


@dataclass(frozen=True, slots=True)
class SeatSum:
    """The judged decisions of a seat."""

    decisions: int
    agreed: int
    """Number of decisions that were the analyst's choice."""
    mean_cost: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of a record, as far as it got."""

    record: Record
    analyst: str
    seed: int
    rounds: tuple[RoundAnalysis, ...]
    is_complete: bool

    @property
    def judgments(self) -> tuple[Judgment, ...]:
        """Every decision judged, in the order of play."""
        return tuple(each for part in self.rounds for each in part.judgments)

    def costliest(self, top: int | None = None) -> tuple[Judgment, ...]:
        """The decisions that cost something, the costliest first."""
        judgments = self.judgments
        places = _core.rank_by_cost([each._decision for each in judgments])
        return tuple(judgments[place] for place in places[:top])

    def sum_up(self, seat: int) -> SeatSum:
        """Sums up the decisions of a seat."""
        core = _core.sum_up([each._decision for each in self.judgments], seat)
        return SeatSum(core.decisions, core.agreed, core.mean_cost)

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values."""
        return {
            "rules": format_rules(self.record.rules),
            "agents": list(self.record.agents),
            "analyst": self.analyst,
            "seed": self.seed,
            "is_complete": self.is_complete,
            "rounds": [part.to_dict() for part in self.rounds],
        }


def analyse(
    record: Record,
    analyst: AgentLike = ANALYST,
    *,
    seats: Sequence[int] | None = None,
    rounds: Sequence[int] | None = None,
    seed: int = 0,
    tell: Callable[[int], None] | None = None,
) -> Analysis:
    """Judges every decision between two or more actions; an interruption (Ctrl-C) returns the results so far.

    Args:
        record: The record; each seat's decision is judged from its observation alone.
        analyst: An agent that searches: a name with options, or one of your own with `search(observation)`.
        seats: Whose decisions; all by default.
        rounds: The numbers of the rounds; all finished ones by default.
        seed: Fixes the analyst's simulations.
        tell: Hears how many decisions have been judged so far.

    Raises:
        RecordError: if the record does not replay, or a round is missing or unfinished.
        AgentError: if the analyst cannot judge.

    >>> from lastcard.rules import Rules
    >>> from lastcard.table import Table
    >>> record = Table(Rules.preset("official"), ["heuristic", "random"], seed=4).play_round()
    >>> worst = analyse(record, "halving:simulations=500").costliest(top=1)[0]
    >>> worst.seat, worst.cost > 0.05
    (1, True)
    """
    if tell is not None and not callable(tell):
        raise AgentError(f"tell must be a function, not {shorten(tell)}")
    wanted = check_seats(record, seats)
    name = analyst if isinstance(analyst, str) else name_own(analyst)
    parts = []
    done = 0
    for index in choose_rounds(record, rounds):
        played = record.rounds[index]
        assert played.outcome is not None
        judgments: list[Judgment] = []
        is_complete = True
        judges = {seat: make_analyst(analyst, seed) for seat in wanted}  # none hears of another seat's cards
        try:
            for ply, observation, action in _choices(record, index, wanted):
                report = judges[observation.observer].search(observation)
                judgments.append(Judgment(played.number, ply, observation, action, report))
                done += 1
                if tell:
                    tell(done)
        except KeyboardInterrupt:
            is_complete = False
        parts.append(RoundAnalysis(played.number, played.outcome, len(played.actions), tuple(judgments)))
        if not is_complete:
            return Analysis(record, name, seed, tuple(parts), is_complete=False)
    return Analysis(record, name, seed, tuple(parts), is_complete=True)


def count_choices(record: Record, seats: Sequence[int] | None = None, rounds: Sequence[int] | None = None) -> int:
    """Returns the number of decisions that `analyse` has to judge."""
    wanted = check_seats(record, seats)
    return sum(len(_list_plies(record, index, wanted)) for index in choose_rounds(record, rounds))


def check_seats(record: Record, seats: Sequence[int] | None) -> tuple[int, ...]:
    """Returns the requested seats, or all.

    Raises:
        StateError: if there is no such seat.
    """
    if not isinstance(record, Record):
        raise RecordError(f"expected a Record, not {shorten(record)}; read one with Record.load")
    if seats is not None:
        require("seats", seats, Iterable, StateError)
    every = range(record.rules.players)
    return tuple(every if seats is None else (require_int("seat", seat, 0, every[-1], StateError) for seat in seats))


def choose_rounds(record: Record, numbers: Sequence[int] | None) -> list[int]:
    """The places in the record of the rounds asked for, or of all that are finished.

    Raises:
        RecordError: if one is missing or not finished, or there is none.
    """
    if numbers is not None:
        require("rounds", numbers, Iterable, RecordError)
    by_number = {played.number: index for index, played in enumerate(record.rounds)}
    finished = [index for index, played in enumerate(record.rounds) if played.outcome]
    if numbers is None:
        if not finished:
            have = "no round" if not record.rounds else f"round {record.rounds[-1].number}, which is not finished"
            raise RecordError(f"the record holds {have}; only a finished round can be analysed")
        return finished
    for number in numbers:
        if not isinstance(number, int) or number not in by_number:
            have = ", ".join(map(str, by_number)) or "none"
            raise RecordError(f"no round {shorten(number)} in the record; there are: {have}")
        if by_number[number] not in finished:
            raise RecordError(f"round {number} is not finished; only a finished round can be analysed")
    return [by_number[number] for number in numbers]


def _choices(record: Record, index: int, seats: Sequence[int]) -> Iterator[tuple[int, Observation, Action]]:
    """Every ply of a round at which one of the seats had a choice, with what it knew and what it did."""
    plies = _list_plies(record, index, seats)
    for ply, (state, action) in enumerate(zip(record.replay(index), record.rounds[index].actions, strict=False), 1):
        if ply in plies and state.seat is not None:
            yield ply, observe(state, state.seat), action


def _list_plies(record: Record, index: int, seats: Sequence[int]) -> set[int]:
    played = compile_round(record.rounds[index])
    choices = ask_core(RecordError, _core.list_choices, record.rules._compiled, played)
    return {choice.ply for choice in choices if choice.seat in seats}
