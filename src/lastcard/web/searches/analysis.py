"""Analyses: a search from the seat's observation, reported while it runs."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from lastcard.advice import list_reasons
from lastcard.agents import find_agent, make_agent
from lastcard.belief import Belief
from lastcard.errors import RequestError, shorten
from lastcard.observation import Observation
from lastcard.search.report import SearchReport
from lastcard.web.limits import Limits, list_analysts

FIRST_SIMULATIONS: Final = 250
FIRST_SECONDS: Final = 0.05
LEAST_SECONDS: Final = 0.02
USUAL_SIMULATIONS: Final = 20_000
USUAL_SECONDS: Final = 1.0
HINT_SIMULATIONS: Final = 10_000
HINT_SECONDS: Final = 0.5
MOST_SLICED: Final = 500_000
"""Simulations of the largest search that is followed by another."""
_TREE_DEPTH: Final = 4
T = TypeVar("T")


class Searches(Protocol):
    """Runner for slices of a search, as `Asking` is in a thread."""

    async def search(self, work: Callable[[], T]) -> T:
        """Runs the work."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """The analyst to ask, and its time."""

    analyst: str
    simulations: int | None = None
    seconds: float | None = None
    """One of the two is given."""

    @property
    def counts_simulations(self) -> bool:
        """True if the analyst has an option for the number of simulations."""
        return "simulations" in find_agent(self.analyst).options


def ask(analyst: str, simulations: int | None, seconds: float | None, limits: Limits) -> Question:
    """Makes a question of what was asked for.

    Raises:
        RequestError: if there is no such analyst, or the budget is too large, given twice, or not of its kind.

    >>> ask("halving", None, None, Limits()).simulations
    20000
    """
    if analyst not in list_analysts():
        known = ", ".join(list_analysts())
        raise RequestError(f"no analyst {shorten(analyst)}; there are: {known}", status=422, field="analyst")
    if simulations is not None and seconds is not None:
        raise RequestError("give simulations or seconds, not both", status=422, field="seconds")
    question = Question(analyst, simulations, seconds)
    if simulations is not None and not question.counts_simulations:
        raise RequestError(f"{analyst} takes seconds, not simulations", status=422, field="simulations")
    for name, value, most in (
        ("simulations", simulations, limits.max_simulations),
        ("seconds", seconds, limits.max_seconds),
    ):
        if value is not None and value > most:
            raise RequestError(f"{name} must be at most {most:g}, not {value:g}", status=422, field=name)
    if simulations is None and seconds is None:
        by_count = question.counts_simulations
        return Question(analyst, USUAL_SIMULATIONS) if by_count else Question(analyst, seconds=USUAL_SECONDS)
    return question


async def analyse(
    observation: Observation,
    question: Question,
    names: Sequence[str],
    asking: Searches,
    limits: Limits,
    clock: Callable[[], float],
) -> AsyncIterator[dict[str, Any]]:
    """Yields the analyst's values for the observer's decision, better and better.

    Each frame is a search of its own with twice the budget of the one before, so that all of them together cost less
    than twice the last, and the last is what the analyst would choose with all of it. A seat with nothing to decide is
    told what it may believe.
    """
    if not observation.legal_actions:
        belief = await asking.search(lambda: tell_belief(Belief(observation)))
        yield {**_frame(question.analyst, None, belief), "done": True, "reason": "it is not your decision"}
        return
    told = clock() - 1 / limits.frames_per_second
    simulations, spent = FIRST_SIMULATIONS, 0.0
    while True:
        options, is_last = _next_budget(question, simulations, spent)
        agent = f"{question.analyst}:{options}"
        search = functools.partial(_search, agent, question.analyst, observation, names, is_last)
        frame, seconds = await asking.search(functools.partial(_time, search))
        spent += seconds  # without the time in which others had the thread
        early = told + 1 / limits.frames_per_second - clock()
        if is_last or len(observation.legal_actions) == 1:
            await asyncio.sleep(max(early, 0.0))
            yield {**frame, "done": True}
            return
        if early <= 0:
            told = clock()
            yield {**frame, "done": False}
        simulations *= 2


def _time(work: Callable[[], T]) -> tuple[T, float]:
    """Returns the result of the work and the seconds it took."""
    begun = time.perf_counter()
    return work(), time.perf_counter() - begun


def _next_budget(question: Question, simulations: int, spent: float) -> tuple[str, bool]:
    """The options of the next search, and whether it is the last."""
    if question.seconds is None:
        assert question.simulations is not None
        is_last = simulations >= question.simulations
        return f"simulations={question.simulations if is_last else simulations}", is_last
    # The next search takes about as long as all before it.
    left, soon = question.seconds - spent, max(spent, FIRST_SECONDS)
    if left <= 2 * soon or simulations > MOST_SLICED:
        return f"seconds={max(left, LEAST_SECONDS):.3f}", True
    return f"simulations={simulations}" if question.counts_simulations else f"seconds={soon:.3f}", False


def search_hint(observation: Observation, analyst: str, names: Sequence[str]) -> dict[str, Any]:
    """Returns the analyst's choice and its reasons.

    Raises:
        RequestError: with status 409, if the seat has nothing to decide.
    """
    if not observation.legal_actions:
        raise RequestError("there is nothing to decide; a hint is for when it is your turn", status=409)
    by_count = Question(analyst).counts_simulations
    options = f"simulations={HINT_SIMULATIONS}" if by_count else f"seconds={HINT_SECONDS}"
    frame = _search(f"{analyst}:{options}", analyst, observation, names, True)
    return {"action": frame["best"], **{name: frame[name] for name in ("value", "reason", "actions")}}


def _search(agent: str, analyst: str, observation: Observation, names: Sequence[str], is_last: bool) -> dict[str, Any]:
    """One frame: a whole search with that agent."""
    searcher: Any = make_agent(agent)
    report: SearchReport = searcher.search(observation)
    belief = report.belief or Belief(observation)
    frame = _frame(analyst, report, tell_belief(belief))
    if is_last or len(observation.legal_actions) == 1:
        frame["reason"] = make_sentence(list_reasons(observation, report, belief, names))
    return frame


def _frame(analyst: str, report: SearchReport | None, belief: dict[str, dict[str, float]]) -> dict[str, Any]:
    if report is None:
        empty: dict[str, Any] = {
            "simulations": 0,
            "per_second": 0,
            "best": None,
            "value": None,
            "actions": [],
            "line": [],
        }
        return {"analyst": analyst, **empty, "belief": belief}
    told = [value.to_dict() for value in report.actions]
    frame = {
        "analyst": analyst,
        "simulations": report.simulations,
        "per_second": round(report.simulations_per_second),
        "best": report.best.text,
        "value": told[0]["value"] if told else None,
        "actions": told,
        "line": [action.text for action in report.line] or [report.best.text],
        "belief": belief,
    }
    if report.outline is not None:
        frame["tree"] = [node.to_dict() for node in report.tree(_TREE_DEPTH)]
    return frame


def tell_belief(belief: Belief) -> dict[str, dict[str, float]]:
    """Returns the probability that each opponent holds each card."""
    return {
        str(seat): {card.text: round(chance, 4) for card, chance in cards.items() if chance > 0}
        for seat, cards in belief.marginals().items()
    }


def make_sentence(reasons: Sequence[str]) -> str:
    """Reasons in one sentence.

    >>> make_sentence(["keeps red", "r7 is as good"])
    'Keeps red; r7 is as good.'
    """
    text = "; ".join(reasons)
    return f"{text[:1].upper()}{text[1:]}." if text else ""
