"""The steps of `expectiminimax`, for people to follow: what the search itself wrote down as it went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lastcard import _core
from lastcard.actions import ACTIONS
from lastcard.belief import Belief
from lastcard.cards import CARDS
from lastcard.explain.explanation import Cell, Explanation, Step
from lastcard.explain.parts import TRACED, candidates_step, explain_forced, hand_cells, hand_columns
from lastcard.observation import Observation
from lastcard.search.common import check_question
from lastcard.search.expectiminimax import ExpectiminimaxConfig

_LEVELS: Final = 4
"""Number of actions deep that the recursion is shown."""
_MOST_ROWS: Final = 12
"""The most rows below one: the largest groups, or the first actions."""


def explain_expectiminimax(observation: Observation, config: ExpectiminimaxConfig, seed: int = 0) -> Explanation:
    """Explains, step by step, a `search_by_expectiminimax` with the same arguments.

    Raises:
        AgentError: if the observer has nothing to decide, or the budget is in seconds.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> position = parse_state("top r5 | seat 0: r7 r2 | seat 1: g1 g1 yR")
    >>> explained = explain_expectiminimax(observe(position, seat=0), ExpectiminimaxConfig.as_published())
    >>> [step.title for step in explained.steps]
    ['Legal actions', 'Determinizations', 'The recursion', 'The mean over determinizations', 'The choice']
    """
    config = check_question(observation, config, ExpectiminimaxConfig, seed)
    if forced := explain_forced(observation, config.seconds):
        return forced
    trace = _core.DeterminizationTrace(min(TRACED, config.determinizations), _LEVELS)
    settings = config.compile(observation.rules)
    result = _core.search_by_expectiminimax(observation._core, settings, seed % 2**64, trace)
    belief = Belief(observation, config.belief_config(), seed, result.belief)
    actions = [row.action for row in result.actions]
    best = actions.index(result.best)
    steps = (
        candidates_step([ACTIONS[action] for action in actions], ACTIONS[result.by_policy], belief),
        _determinizations_step(observation, config, trace.found, actions, best),
        _recursion_step(observation, config, trace, best),
        _means_step(result, config),
        Step("The choice", f"{ACTIONS[result.best]} ranks first. {result.nodes:,} positions were searched."),
    )
    return Explanation(ACTIONS[result.best], steps)


def _determinizations_step(
    observation: Observation,
    config: ExpectiminimaxConfig,
    found: Sequence[_core.TracedDeterminization],
    actions: Sequence[int],
    best: int,
) -> Step:
    """The first hands drawn, and what the actions are worth in them."""
    rows: list[tuple[Cell, ...]] = []
    shown = range(len(actions)) if config.common_random_numbers else [best]
    for number, each in enumerate(found, 1):
        values = " ".join(f"{ACTIONS[actions[i]]}={200 * each.values[i] - 100:.4g}" for i in shown)
        hands = each.hands[0 if config.common_random_numbers else best]
        rows.append((number, *hand_cells(observation, hands), values))
    if config.common_random_numbers:
        faces = "All actions face the same ones."
    else:
        faces = f"Every action has its own; the table shows those of {ACTIONS[actions[best]]}."
    together = f" Groups of {config.group} go down the tree together." if config.group > 1 else ""
    return Step(
        "Determinizations",
        f"The search guesses the hidden cards {config.determinizations:,} times. In each guess every action gets a"
        f" value between -100 (lost) and 100 (won). {faces}{together} The first {len(rows)}:",
        ("no.", *hand_columns(observation), "values"),
        tuple(rows),
    )


def _recursion_step(
    observation: Observation, config: ExpectiminimaxConfig, trace: _core.DeterminizationTrace, best: int
) -> Step:
    """The recursion under the best action, followed where it decides."""
    number, rows = 0, trace.rows(0, best)
    if config.group == 1:  # of several, the one with most to see
        number = max(range(len(trace.found)), key=lambda index: (len(trace.rows(index, best)), -index))
        rows = trace.rows(number, best)
    if config.playouts:
        several = f"the mean of {config.playouts} playouts" if config.playouts > 1 else "the result of a playout"
        leaf = f"a leaf is worth {several} by heuristic, 100 if won and -100 if lost"
    else:
        leaf = "a leaf is worth 100 if won, -100 if lost, else our lead in cards over the nearest rival"
    others = "follow heuristic with the cards they see"
    if config.opponents == "minimise":
        many = config.several == "max_n" and observation.rules.players > 2
        others = "take their own best action" if many else "take the action that is worst for us"
    where = f"determinization {number + 1}"
    if config.group > 1:
        where = "the first group"
        how = (
            f"{rows[0].determinizations} determinizations go down together while we cannot tell them apart. On our"
            f" turn one half of them chooses for the other; fewer than {config.fewest} are leaves."
        )
    else:
        how = f"A draw is worth the mean over {config.draw_samples} cards of the pile, or all if it has fewer."
    return Step(
        "The recursion",
        f"{ACTIONS[rows[0].action]} in {where}, {config.depth} actions deep. We take our best action, the others"
        f" {others}, and {leaf}. {how} The table follows the deciding action, at most {_LEVELS} levels deep.",
        ("action", "determinizations", "value", "") if config.group > 1 else ("action", "value", ""),
        tuple(_recursion_rows(observation, config, rows, 0, "")),
    )


def _recursion_rows(
    observation: Observation, config: ExpectiminimaxConfig, rows: Sequence[_core.TracedRow], at: int, note: str
) -> Iterator[tuple[Cell, ...]]:
    """Yields a row, its children, and the rows below the child that decides."""
    below = _children(rows, at)
    deciding = _find_deciding(observation, config, rows, below)
    shown = sorted(below, key=lambda index: (-rows[index].determinizations, index))[:_MOST_ROWS]
    if deciding is not None and deciding not in shown:
        shown[-1] = deciding
    yield _describe(observation, config, rows, at, note, len(below) - len(shown))
    for index in shown:
        if index == deciding:
            taken = "followed" if config.group > 1 else "taken" if len(below) > 1 else ""
            yield from _recursion_rows(observation, config, rows, index, "" if rows[index].card is not None else taken)
        else:
            yield _describe(observation, config, rows, index, "", 0)


def _children(rows: Sequence[_core.TracedRow], at: int) -> list[int]:
    found = []
    for index in range(at + 1, len(rows)):
        if rows[index].level <= rows[at].level:
            break
        if rows[index].level == rows[at].level + 1:
            found.append(index)
    return found


def _find_deciding(
    observation: Observation, config: ExpectiminimaxConfig, rows: Sequence[_core.TracedRow], below: Sequence[int]
) -> int | None:
    """Returns the row to follow: the best reply, the commonest one, or the first of several cards; None at a leaf."""
    if not below:
        return None
    if config.group > 1:
        by_first_half = [index for index in below if rows[index].chosen_by & 1]
        return by_first_half[0] if by_first_half else max(below, key=lambda i: (rows[i].determinizations, -i))
    if rows[below[0]].card is not None or (config.opponents == "policy" and len(below) == 1):
        return below[0]
    if config.several == "max_n" and observation.rules.players > 2:
        return max(below, key=lambda i: (rows[i].own, -i))
    ours = rows[below[0]].seat == observation.observer
    return max(below, key=lambda i: (rows[i].value if ours else -rows[i].value, -i))


def _describe(
    observation: Observation,
    config: ExpectiminimaxConfig,
    rows: Sequence[_core.TracedRow],
    index: int,
    note: str,
    hidden: int,
) -> tuple[Cell, ...]:
    """A row: the action below what it follows, its value, and how that came about."""
    row, below = rows[index], _children(rows, index)
    seat = "" if row.seat == observation.observer else f"{row.seat}:"
    card = "" if row.card is None else f" {CARDS[row.card]}"
    name = f"{'  ' * row.level}{seat}{ACTIONS[row.action]}{card}"
    halves = {1: "taken by one half", 2: "taken by the other half", 3: "taken by both halves"}
    notes = [halves.get(row.chosen_by, note)]
    if row.is_leaf:
        notes.append("leaf")
    elif below:
        notes.append(_name_rule(observation, config, rows, below) + (f", {hidden} not shown" if hidden else ""))
    if row.is_cut:
        notes.append("cut: the rest cannot matter")
    counts = (row.determinizations,) if config.group > 1 else ()
    return (name, *counts, row.value, "; ".join(filter(None, notes)))


def _name_rule(
    observation: Observation, config: ExpectiminimaxConfig, rows: Sequence[_core.TracedRow], below: Sequence[int]
) -> str:
    """Explains how the values below make this one."""
    first = rows[below[0]]
    ours = first.seat == observation.observer
    if config.group > 1:
        chosen = any(rows[index].chosen_by for index in below)
        return f"best of {len(below)}" if chosen else f"mean of {len(below)}"
    if first.card is not None:
        return f"mean of {len(below)} cards"
    if ours:
        return f"max of {len(below)}"
    if config.opponents == "policy":
        return "by policy"
    if config.several == "max_n" and observation.rules.players > 2:
        return f"best of {len(below)} for seat {first.seat}"
    return f"min of {len(below)}"


def _means_step(result: _core.ExpectiminimaxResult, config: ExpectiminimaxConfig) -> Step:
    """Shows Q of every action, and the rank that follows from it."""
    rows: list[tuple[Cell, ...]] = []
    for row in sorted(result.actions, key=lambda row: -row.rank):
        mean = row.total / row.simulations
        rows.append((ACTIONS[row.action].text, row.simulations, 200 * mean - 100, mean, row.rank - mean, row.rank))
    bonus = f" {ACTIONS[result.by_policy]} has a bonus, as heuristic's choice." if config.bonus else ""
    return Step(
        "The mean over determinizations",
        f"Q is the mean value of an action; as a probability of winning it is (1 + Q / 100) / 2.{bonus}",
        ("action", "determinizations", "Q", "probability", "bonus", "rank"),
        tuple(rows),
    )
