"""The steps of `halving`, for people to follow."""

from __future__ import annotations

from collections.abc import Iterator

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.belief import Belief
from lastcard.explain.explanation import Cell, Explanation, Step
from lastcard.explain.parts import TRACED, explain_forced, hand_cells, hand_columns, name_belief, name_source
from lastcard.network import is_shipped_for
from lastcard.observation import Observation
from lastcard.search.common import check_question
from lastcard.search.halving import HalvingConfig


def explain_halving(observation: Observation, config: HalvingConfig, seed: int = 0) -> Explanation:
    """Explains, step by step, a `search_by_halving` with the same arguments.

    Raises:
        AgentError: if the observer has nothing to decide, or the budget is in seconds.

    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> position = parse_state("top r5 | seat 0: r7 r2 | seat 1: g1 g1 yR")
    >>> explained = explain_halving(observe(position, seat=0), HalvingConfig(simulations=100))
    >>> [step.title for step in explained.steps]
    ['Legal actions', 'Determinizations', 'Stage 1 of 2', 'Stage 2 of 2', 'The choice']
    """
    config = check_question(observation, config, HalvingConfig, seed)
    if forced := explain_forced(observation, config.seconds):
        return forced
    settings = config.compile(observation.rules)
    result = _core.search_by_halving(observation._core, settings, seed % 2**64)
    drawn = min(result.stages[0][0].simulations, TRACED)
    traced = _core.trace_halving(observation._core, settings, seed % 2**64, drawn)
    belief = Belief(observation, config.belief, seed, result.belief)
    best = ACTIONS[result.best]
    is_network = config.advisor == "network" and is_shipped_for(observation.rules, "advisor")
    advisor = "the network" if is_network else "heuristic"
    candidates = [ACTIONS[row.action] for row in result.actions]
    steps = [
        _candidates_step(candidates, result.advice, advisor, belief),
        _determinizations_step(observation, candidates, traced, shares=config.common_random_numbers),
        *_stage_steps(result.stages, advisor, config),
        Step("The choice", f"{best} ranks first, after {result.simulations:,} rounds played out."),
    ]
    return Explanation(best, tuple(steps))


def _candidates_step(candidates: list[Action], advice: list[float], advisor: str, belief: Belief) -> Step:
    favorite = (
        f"of these, {advisor} likes {candidates[advice.index(max(advice))]} best"
        if any(advice)
        else (f"{advisor} would choose none of these")
    )
    return Step(
        "Legal actions",
        f"{len(candidates)} actions are candidates; {favorite}. {name_belief(belief, name_source(belief))}",
        ("candidate", f"advice of {advisor}"),
        tuple(zip((action.text for action in candidates), advice, strict=True)),
    )


def _determinizations_step(
    observation: Observation,
    candidates: list[Action],
    traced: list[_core.TracedSimulation],
    *,
    shares: bool,
) -> Step:
    """The first hands drawn, and which actions led to a win in them."""
    rows: list[tuple[Cell, ...]] = []
    for number, simulation in enumerate(traced, 1):
        won = [action.text for action, value in zip(candidates, simulation.values, strict=True) if value == 1.0]
        hands = simulation.hands(observation.rules.players)
        rows.append((number, *hand_cells(observation, hands), " ".join(won) or "none"))
    same = "All candidates face the same hands and the same luck, so that the luck cancels between them."
    own = "Every candidate has its own hands and luck; the table shows the hands of the first."
    return Step(
        "Determinizations",
        "Each determinization guesses the hidden cards, plays each candidate and plays the round out."
        f" {same if shares else own} The first {len(rows)}:",
        ("no.", *hand_columns(observation), "won after"),
        tuple(rows),
    )


def _stage_steps(stages: list[list[_core.StageResult]], advisor: str, config: HalvingConfig) -> Iterator[Step]:
    """Yields each stage: the values of its candidates, and those that dropped out."""
    for number, stage in enumerate(stages, 1):
        staying = sum(row.stays for row in stage)
        rows = tuple(
            (
                ACTIONS[row.action].text,
                row.simulations,
                row.value,
                row.rank - row.value,
                row.rank,
                "stays" if row.stays else "drops out",
            )
            for row in stage
        )
        weighed = f" The bonus is the advice of {advisor}; it shrinks as the number of simulations grows."
        bonus = weighed if config.bonus else ""
        rule = "the better half stays" if config.drop_losers else "the budget is split evenly and all stay"
        yield Step(
            f"Stage {number} of {len(stages)}",
            f"{len(stage)} candidates, ranked by value and bonus; {rule}: {staying} of {len(stage)}.{bonus}",
            ("action", "simulations", "value", "bonus", "rank", ""),
            rows,
        )
