"""The steps of `ismcts`, `mcts` and `pomcp`, for people to follow: what the search itself wrote down as it went."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lastcard import _core
from lastcard.actions import ACTIONS
from lastcard.belief import Belief
from lastcard.explain.explanation import Cell, Explanation, Step
from lastcard.explain.parts import candidates_step, explain_forced, hand_cells, hand_columns, name_source
from lastcard.observation import Observation
from lastcard.search.common import check_question
from lastcard.search.ismcts import IsmctsConfig
from lastcard.search.mcts import MctsConfig
from lastcard.search.pomcp import Pomcp, PomcpConfig
from lastcard.search.trees import TreeConfig

_MOST_OPENING: Final = 8
"""Simulations to show that try something new at the root."""
_FOLLOWED: Final = 2
"""Simulations to follow node by node from where UCB1 first decides at the root; and the last one."""
_MOST_PLIES: Final = 12
"""Plies of a way down that are written out."""
_MOST_NODES: Final = 3
"""Nodes of a simulation whose options are listed."""


@dataclass(frozen=True, slots=True)
class _Manner:
    """The words of one of the searches."""

    guess: str
    total: str
    """Name of the count N in ln N."""
    reward: str
    final: str
    is_signed: bool = False
    """Values run from -1 to 1 instead of from 0."""
    names_colors: bool = True
    """A Wild in each color is an action of its own; without, a Wild is one."""

    def name(self, action: int) -> str:
        """Returns the tree's name for an action."""
        card = ACTIONS[action].card
        return card.text if card is not None and card.is_wild and not self.names_colors else ACTIONS[action].text


def explain_ismcts(observation: Observation, config: IsmctsConfig, seed: int = 0) -> Explanation:
    """Explains, step by step, a `search_by_ismcts` with the same arguments.

    Raises:
        AgentError: if the observer has nothing to decide, or the budget is in seconds.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> position = parse_state("top r5 | seat 0: r7 r2 | seat 1: g1 g1 yR")
    >>> for step in explain_ismcts(observe(position, seat=0), IsmctsConfig(simulations=100)).steps[:4]:
    ...     print(step.title)
    Legal actions
    The first simulations
    Simulation 4, down the tree
    Simulation 4, back up
    """
    config = check_question(observation, config, IsmctsConfig, seed)
    settings = config.compile(observation.rules)
    manner = _Manner(
        "determinization",
        "the number of visits of its node in which it was legal",
        "Every action on the way gets 1 if the seat that took it has won the round, else 0. A playout that was cut off"
        " without a winner gives each seat an even share.",
        "The choice is the action visited most.",
    )

    def run(trace: _core.Trace) -> _core.TreeResult:
        return _core.search_by_ismcts(observation._core, settings, seed % 2**64, trace)

    return _explain(observation, config, seed, run, manner)


def explain_mcts(observation: Observation, config: MctsConfig, seed: int = 0) -> Explanation:
    """Explains, step by step, a `search_by_mcts` with the same arguments.

    Raises:
        AgentError: if the observer has nothing to decide, or the budget is in seconds.
    """
    config = check_question(observation, config, MctsConfig, seed)
    settings = config.compile(observation.rules)
    unfinished = "is worth a share by hand sizes" if config.values_unfinished else "counts as lost"
    cut = f" A playout cut off after {config.max_depth or config.playout_plies} plies {unfinished}."
    discount = f" On its way up it is multiplied by {config.discount:g} per level." if config.discount < 1 else ""
    manner = _Manner(
        "belief particle",
        "the earlier visits of its node",
        f"The reward is 1 for a round that we win, else 0.{cut}{discount}",
        "The choice is the action visited most.",
        names_colors=config.searches_color,
    )

    def run(trace: _core.Trace) -> _core.TreeResult:
        return _core.search_by_mcts(observation._core, settings, seed % 2**64, trace)

    return _explain(observation, config, seed, run, manner)


def explain_pomcp(observation: Observation, pomcp: Pomcp, seed: int = 0) -> Explanation:
    """Explains, step by step, the next `pomcp.search` with the same arguments; `pomcp` stays as it is.

    Raises:
        AgentError: if the observer has nothing to decide, or the budget is in seconds.
    """
    check_question(observation, pomcp.config, PomcpConfig, seed)
    config, twin = pomcp.config, pomcp.copy()
    discount = f" Each decision of ours multiplies it by {config.discount:g}." if config.discount < 1 else ""
    depth = f" A playout cut off after {config.rollout_depth} decisions returns 0." if config.rollout_depth else ""
    by = "action visited most" if config.choice == "visits" else "action with the best value"
    manner = _Manner(
        "particle",
        "the visits of its node",
        f"The return R is 1 for our win, -1 for another's, else 0.{depth}{discount} V becomes the mean of all R.",
        f"The choice is the {by}.",
        is_signed=True,
    )
    return _explain(observation, config, seed, lambda trace: twin.trace(observation, seed, trace), manner, twin)


def _explain(
    observation: Observation,
    config: TreeConfig,
    seed: int,
    run: Callable[[_core.Trace], _core.TreeResult],
    manner: _Manner,
    pomcp: Pomcp | None = None,
) -> Explanation:
    if forced := explain_forced(observation, config.seconds):
        return forced
    last = config.simulations // config.trees - 1
    early = range(min(len(observation.legal_actions) + _FOLLOWED, last + 1))
    trace = _core.Trace(sorted({*early, max(last, 0)}))
    result = run(trace)
    descents = trace.found
    belief = Belief(observation, config.belief, seed, result.belief)
    opening = [descent for descent in descents if _tries_new(descent.choices[0])]
    followed = [descent for descent in descents if not _tries_new(descent.choices[0])]
    if len(followed) > _FOLLOWED:
        followed = [*followed[:_FOLLOWED], followed[-1]]
    best = ACTIONS[result.best]
    steps = [candidates_step(observation.legal_actions, ACTIONS[result.by_policy], belief, _source(belief, pomcp))]
    if opening:
        steps.append(_opening_step(observation, opening, manner))
    for number, descent in enumerate(followed):
        steps.append(_down_step(observation, config, descent, manner, is_first=number == 0))
        steps.append(_up_step(descent, manner, is_first=number == 0))
    steps.append(_root_step(result, config, manner))
    chosen = next(row for row in result.actions if row.action == result.best)
    wins = f"{100 * chosen.total / chosen.simulations:.1f} %"
    steps.append(Step("The choice", f"{manner.final} {best} has {chosen.simulations:,} visits and wins {wins}."))
    return Explanation(best, tuple(steps))


def _source(belief: Belief, pomcp: Pomcp | None) -> str:
    """Names the source of guesses at the hidden cards, if that is not the hypotheses themselves."""
    if pomcp is None:
        return ""
    if pomcp.num_carried:
        return f"{belief.num_hypotheses:,} particles, made of {pomcp.num_carried:,} from the tree of the last decision"
    return f"{pomcp.config.particles:,} particles, drawn from {name_source(belief)}"


def _tries_new(choice: _core.TracedChoice) -> bool:
    return choice.action not in [option.action for option in choice.options]


def _format_path(descent: _core.TracedDescent) -> str:
    """Formats the plies from the root to the leaf, with the seat before an action of the others."""
    observer = descent.choices[0].seat
    words = [
        f"{ply.seat}:{ACTIONS[ply.action]}" if ply.seat != observer else str(ACTIONS[ply.action])
        for ply in descent.plies
    ]
    more = len(words) - _MOST_PLIES
    return " ".join(words) if more <= 0 else f"{' '.join(words[:_MOST_PLIES])} and {more} more"


def _winner(descent: _core.TracedDescent) -> str:
    return "nobody" if descent.winner is None else f"seat {descent.winner}"


def _opening_step(observation: Observation, opening: Sequence[_core.TracedDescent], manner: _Manner) -> Step:
    rows: list[tuple[Cell, ...]] = [
        (
            descent.number + 1,
            *hand_cells(observation, descent.hands),
            _format_path(descent),
            _winner(descent),
            descent.choices[0].value,
        )
        for descent in opening[:_MOST_OPENING]
    ]
    tries = f"the first {len(opening)} simulations try" if len(opening) > 1 else "the first simulation tries"
    shown = f" The first {_MOST_OPENING}:" if len(opening) > _MOST_OPENING else ""
    return Step(
        "The first simulations",
        f"A simulation takes one {manner.guess}, a guess of all hidden cards, goes down the tree, plays the round out"
        f" and backs the result up. Untried actions come first: {tries} an action each. 1:r5 is r5 by seat 1."
        f"{'' if manner.names_colors else ' A Wild is one action, its color left to chance.'}{shown}",
        ("no.", *hand_columns(observation), "down the tree", "won by", "value"),
        tuple(rows),
    )


def _down_step(
    observation: Observation, config: TreeConfig, descent: _core.TracedDescent, manner: _Manner, *, is_first: bool
) -> Step:
    """The options at each node, with the two terms of their bounds."""
    hands = zip(hand_columns(observation), hand_cells(observation, descent.hands), strict=True)
    held = ", ".join(f"{head} {hand}" for head, hand in hands)
    formula = (
        f" At a node without untried actions, the action with the largest sum of value and exploration is taken."
        f" Exploration is c sqrt(ln N / n) with c = {config.exploration:g}, n the visits of the action and N"
        f" {manner.total}."
    )
    by_bound = [(node, choice) for node, choice in enumerate(descent.choices, 1) if not _tries_new(choice)]
    hidden = len(by_bound) - _MOST_NODES
    more = f" {hidden} nodes further down are not listed." if hidden > 0 else ""
    new = descent.choices[-1]
    ends = f" At the last node {manner.name(new.action)} is untried." if _tries_new(new) else ""
    rows = [row for node, choice in by_bound[:_MOST_NODES] for row in _option_rows(node, choice, manner)]
    return Step(
        f"Simulation {descent.number + 1:,}, down the tree",
        f"In this {manner.guess} {held}.{formula if is_first else ''}"
        f" The way down: {_format_path(descent)}.{ends}{more}",
        ("node", "seat", "action", "n", "N", "value", "exploration", "sum", ""),
        tuple(rows),
    )


def _option_rows(node: int, choice: _core.TracedChoice, manner: _Manner) -> Iterator[tuple[Cell, ...]]:
    for option in sorted(choice.options, key=lambda option: option.action):
        total = option.available or choice.visits
        bound = option.mean + option.exploration
        taken = "taken" if option.action == choice.action else ""
        name = manner.name(option.action)
        yield node, choice.seat, name, option.visits, total, option.mean, option.exploration, bound, taken


def _up_step(descent: _core.TracedDescent, manner: _Manner, *, is_first: bool) -> Step:
    """Explains the end of the round, and how it changes the actions on the way."""
    plies = f"{descent.playout_plies} {'ply' if descent.playout_plies == 1 else 'plies'}"
    if descent.playout_plies == 0 and descent.winner is not None:
        end = f"Seat {descent.winner} has won inside the tree."
    elif descent.winner is not None:
        end = f"The playout takes {plies}; seat {descent.winner} wins."
    else:
        end = f"The playout stops after {plies} without a winner."
    rows = tuple(
        (node, choice.seat, manner.name(choice.action), choice.value, choice.visits_after, choice.mean_after)
        for node, choice in enumerate(descent.choices, 1)
    )
    return Step(
        f"Simulation {descent.number + 1:,}, back up",
        f"{end} {manner.reward}" if is_first else end,
        ("node", "seat", "action", "backed up", "n", "value"),
        rows,
    )


def _root_step(result: _core.TreeResult, config: TreeConfig, manner: _Manner) -> Step:
    """The actions of the root when the budget is spent."""
    trees = f" in {config.trees} trees, added up" if config.trees > 1 else ""
    visits = sum(row.simulations for row in result.actions)
    kept = f" {visits - result.simulations:,} visits are from earlier decisions." if visits > result.simulations else ""
    chances = " A value v is a probability (1 + v) / 2 of winning." if manner.is_signed else ""
    rows: list[tuple[Cell, ...]] = []
    for row in sorted(result.actions, key=lambda row: (row.action != result.best, -row.simulations, -row.total)):
        mean = row.total / row.simulations
        values = (2 * mean - 1, mean) if manner.is_signed else (mean,)
        rows.append((manner.name(row.action), row.simulations, *values))
    return Step(
        "The final root",
        f"These are the values after {result.simulations:,} simulations{trees}.{kept}{chances}",
        ("action", "n", "value", "probability") if manner.is_signed else ("action", "n", "value"),
        tuple(rows),
    )
