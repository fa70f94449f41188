"""Checks and reports that all searches share."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.belief import Belief, BeliefConfig
from lastcard.errors import AgentError, shorten
from lastcard.observation import Observation, check_decision
from lastcard.rules import Rules
from lastcard.search.report import ActionValue, SearchReport, plant
from lastcard.seeds import seed_bytes

_Config = TypeVar("_Config")
_Result = _core.SearchResult | _core.ExpectiminimaxResult | _core.TreeResult
_Found = TypeVar("_Found", bound=_Result)


def check_question(observation: object, config: object, kind: type[_Config], seed: int) -> _Config:
    """Returns the config, or its default.

    Raises:
        AgentError: if there is nothing to search, or the config is of another search.
    """
    if config is not None and not isinstance(config, kind):
        raise AgentError(f"config must be {kind.__name__}, not {shorten(config)}")
    seed_bytes(seed)  # raises if it is no seed
    check_decision(observation)
    return config if isinstance(config, kind) else kind()


def report_search(
    observation: Observation,
    config: Any,
    believed: BeliefConfig,
    seed: int,
    search: Callable[[Any, Any, int], _Found],
    tell: Callable[[_Found], tuple[int, Sequence[int]]],
) -> SearchReport:
    """Runs the search of the core and reports it; reports a single legal action without a search.

    Args:
        observation: The observer's decision.
        config: The options of the search.
        believed: The part that makes the belief.
        seed: Fixes all random numbers of the search.
        search: Takes the core's observation, its record of the options, and a seed.
        tell: Returns the number of simulations and the line after the choice.
    """
    legal = observation.legal_actions
    if len(legal) == 1:
        return SearchReport(legal[0], (), legal[0], None, 0, 0.0)
    start = time.perf_counter()
    try:
        result = search(observation._core, config.compile(observation.rules), seed % 2**64)
    except RuntimeError as error:
        raise AgentError(f"threads={config.threads} cannot be started here: {error}") from None
    seconds = time.perf_counter() - start
    best = ACTIONS[result.best]
    simulations, line = tell(result)
    values = _sort_values(result, best, by_visits=isinstance(result, _core.TreeResult))
    grown = result if isinstance(result, _core.TreeResult) else None
    return SearchReport(
        best,
        values,
        ACTIONS[result.by_policy],
        Belief(observation, believed, seed, result.belief),
        simulations,
        seconds,
        line=(best, *(ACTIONS[action] for action in line)),
        reason=_find_reason(values, config, observation.rules),
        outline=(lambda depth: plant(grown.outline(depth))) if grown is not None else None,
    )


def _sort_values(result: _Result, best: Action, *, by_visits: bool) -> tuple[ActionValue, ...]:
    """Lists the choice first, since its value need not be the highest: visits or a bonus may have decided."""
    values = [ActionValue.of(ACTIONS[row.action], row.simulations, row.total, row.squares) for row in result.actions]
    values.sort(key=lambda each: (each.action is not best, -each.simulations if by_visits else 0, -each.value))
    return tuple(values)


def _find_reason(values: Sequence[ActionValue], config: Any, rules: Rules) -> str:
    best = values[0]
    higher = [other for other in values if other.value > best.value]
    if not higher:
        return ""
    why, names = config.prefer(rules, best, higher), list_words([other.action.text for other in higher])
    if all(other.value - best.value <= other.error + best.error for other in higher):
        return f"{best.action} is level with {names}, and {why}"
    verb = "have higher values" if len(higher) > 1 else "has a higher value"
    return f"{names} {verb} than {best.action}, but {why}"


def list_words(words: Sequence[str]) -> str:
    """The words with commas and an "and".

    >>> list_words(["r2", "r7", "w:g"])
    'r2, r7 and w:g'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
