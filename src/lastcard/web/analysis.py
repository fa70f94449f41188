"""Analyses: a search of what the asking seat sees, told while it goes on."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from lastcard.advice import list_reasons
from lastcard.agents import make_agent
from lastcard.belief import Belief
from lastcard.errors import RequestError, shorten
from lastcard.observation import Observation
from lastcard.search.report import SearchReport
from lastcard.web.limits import Limits
from lastcard.web.seating import list_analysts

FIRST_SIMULATIONS: Final = 250
USUAL_SIMULATIONS: Final = 20_000
HINT_SIMULATIONS: Final = 10_000
MOST_SLICED: Final = 500_000
"""Simulations of the largest search that is followed by another."""
_TREE_DEPTH: Final = 4
_LEAST_SECONDS: Final = 0.02
"""What is left of a budget below this is not worth another search."""
T = TypeVar("T")


class Searches(Protocol):
    """What runs a slice of a search, as `Workers` does in a thread."""

    async def search(self, work: Callable[[], T]) -> T:
        """Runs the work."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """Who shall search, and for how long."""

    analyst: str
    simulations: int
    seconds: float | None = None
    """If given, instead of the simulations."""


def ask(analyst: str, simulations: int | None, seconds: float | None, limits: Limits) -> Question:
    """Makes a question of what was asked for.

    Raises:
        RequestError: if there is no such analyst, or the budget is too large or given twice.

    >>> ask("halving", None, None, Limits()).simulations
    20000
    """
    if analyst not in list_analysts():
        known = ", ".join(list_analysts())
        raise RequestError(f"no analyst {shorten(analyst)}; there are: {known}", status=422, field="analyst")
    if simulations is not None and seconds is not None:
        raise RequestError("give simulations or seconds, not both", status=422, field="seconds")
    if simulations is not None and simulations > limits.max_simulations:
        message = f"simulations must be at most {limits.max_simulations}, not {simulations}"
        raise RequestError(message, status=422, field="simulations")
    if seconds is not None and seconds > limits.max_seconds:
        message = f"seconds must be at most {limits.max_seconds:g}, not {seconds:g}"
        raise RequestError(message, status=422, field="seconds")
    return Question(analyst, simulations or USUAL_SIMULATIONS, seconds)


async def analyse(
    observation: Observation,
    question: Question,
    names: Sequence[str],
    workers: Searches,
    limits: Limits,
    clock: Callable[[], float],
) -> AsyncIterator[dict[str, Any]]:
    """What the analyst thinks of the observer's decision, better and better.

    Each frame is a search of its own with twice the budget of the one before, so that all of them together cost less
    than twice the last, and the last is what the analyst would choose with all of it. A seat with nothing to decide is
    told what it may believe.
    """
    if not observation.legal_actions:
        belief = await workers.search(lambda: _tell_belief(Belief(observation)))
        yield {**_frame(question.analyst, None, belief), "done": True, "reason": "it is not your decision"}
        return
    begun = clock()
    told = begun - 1 / limits.frames_per_second
    simulations = FIRST_SIMULATIONS
    while True:
        left = None if question.seconds is None else begun + question.seconds - clock()
        options, is_last = _next_budget(question, simulations, left, clock() - begun)
        agent = f"{question.analyst}:{options}"
        frame = await workers.search(functools.partial(_search, agent, question.analyst, observation, names, is_last))
        if is_last or len(observation.legal_actions) == 1:
            yield {**frame, "done": True}
            return
        if clock() - told >= 1 / limits.frames_per_second:
            told = clock()
            yield {**frame, "done": False}
        simulations *= 2


def _next_budget(question: Question, simulations: int, left: float | None, spent: float) -> tuple[str, bool]:
    """The options of the next search, and whether it is the last."""
    if left is None:
        is_last = simulations >= question.simulations
        return f"simulations={question.simulations if is_last else simulations}", is_last
    # The next search takes about as long as all before it.
    if left > 2 * spent and simulations <= MOST_SLICED:
        return f"simulations={simulations}", False
    return f"seconds={max(left, _LEAST_SECONDS):.3f}", True


def search_hint(observation: Observation, analyst: str, names: Sequence[str], limits: Limits) -> dict[str, Any]:
    """What the analyst would do, and why.

    Raises:
        RequestError: with status 409, if the seat has nothing to decide.
    """
    if not observation.legal_actions:
        raise RequestError("there is nothing to decide; a hint is for when it is your turn", status=409)
    simulations = min(HINT_SIMULATIONS, limits.max_simulations)
    agent = f"{analyst}:simulations={simulations}"
    frame = _search(agent, analyst, observation, names, True)
    return {"action": frame["best"], **{name: frame[name] for name in ("value", "reason", "actions")}}


def _search(agent: str, analyst: str, observation: Observation, names: Sequence[str], is_last: bool) -> dict[str, Any]:
    """One frame: a whole search with that agent."""
    searcher: Any = make_agent(agent)
    report: SearchReport = searcher.search(observation)
    belief = report.belief or Belief(observation)
    frame = _frame(analyst, report, _tell_belief(belief))
    if is_last or len(observation.legal_actions) == 1:
        frame["reason"] = _sentence(list_reasons(observation, report, belief, names))
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
        "line": [action.text for action in getattr(report, "line", ())] or [report.best.text],
        "belief": belief,
    }
    if getattr(report, "outline", None) is not None:
        grown: Any = report
        frame["tree"] = [node.to_dict() for node in grown.tree(_TREE_DEPTH)]
    return frame


def _tell_belief(belief: Belief) -> dict[str, dict[str, float]]:
    """How likely each opponent is to hold each card."""
    return {
        str(seat): {card.text: round(chance, 4) for card, chance in cards.items() if chance > 0}
        for seat, cards in belief.marginals().items()
    }


def _sentence(reasons: Sequence[str]) -> str:
    text = "; ".join(reasons)
    return f"{text[:1].upper()}{text[1:]}." if text else ""
