"""Shared parts of the environments for other libraries: rounds from a seed, rewards, and actions by index."""

from __future__ import annotations

import operator
from collections.abc import Mapping

from lastcard.actions import Action
from lastcard.agents import Agent, AgentLike, find_agent, seat_agent
from lastcard.envs.encoding import NUM_ACTIONS, action_of_index
from lastcard.errors import AgentError, IllegalActionError, StateError, shorten
from lastcard.observation import Observation
from lastcard.phase import Ending
from lastcard.rules import Rules, format_rules, parse_rules
from lastcard.state import State, deal


def read_rules(rules: object) -> Rules:
    """The rules, given as such or as text.

    Raises:
        RulesError: if the text is not rules.
        StateError: if they are something else.

    >>> read_rules("house players=3").players
    3
    """
    if isinstance(rules, str):
        return parse_rules(rules)
    if not isinstance(rules, Rules):
        raise StateError(f"rules must be Rules or text such as 'official players=4', not {shorten(rules)}")
    return rules


def read_agent(agent: AgentLike, seed: int, rules: Rules | None = None) -> Agent:
    """Returns the agent, made if it is a name, a class or a function.

    Raises:
        AgentError: if there is no such agent, or it does not play by the rules, where they are given.
    """
    made = seat_agent(agent, seed)
    # With options, such as net:FILE, an agent may play other rules than without.
    if isinstance(agent, str) and rules is not None and ":" not in agent and not find_agent(agent).can_play(rules):
        raise AgentError(f"{agent} does not play by the rules {format_rules(rules)!r}; give it others with rules=")
    return made


def deal_round(rules: Rules, seed: int) -> State:
    """A round that the seed fixes, down to who deals, so that every seat begins as often as any other.

    >>> rules = Rules.preset("official", players=4)
    >>> sorted({deal_round(rules, seed).dealer for seed in range(8)})
    [0, 1, 2, 3]
    """
    return deal(rules, seed, dealer=seed % rules.players)


def read_start(options: Mapping[str, object] | None, rules: Rules) -> State | None:
    """The position that `reset(options={"state": ...})` asks to begin at; other options are not ours.

    Raises:
        StateError: if it is no unfinished State of these rules.
    """
    state = (options or {}).get("state")
    if state is None:
        return None
    if not isinstance(state, State):
        raise StateError(f"options['state'] must be a State, not {shorten(state)}")
    if state.rules != rules:
        raise StateError(f"options['state'] must be of the rules {rules}, not {state.rules}")
    if state.is_over:
        raise StateError("options['state'] must be a round that is not over")
    return state.copy()


def reward_of(state: State, seat: int) -> float:
    """1 to who has won the round, -1 shared by the others; 0 before the end and after a tie (Rule 5.3).

    >>> reward_of(deal(Rules.preset("official")), seat=0)
    0.0
    """
    outcome = state.outcome
    if outcome is None or outcome.winner is None:
        return 0.0
    return 1.0 if seat == outcome.winner else -1.0 / (state.rules.players - 1)


def is_cut_short(state: State) -> bool:
    """True if the round ended at `max_plies`: truncated, in libraries that distinguish it from terminated.

    >>> is_cut_short(deal(Rules.preset("official")))
    False
    """
    outcome = state.outcome
    return outcome is not None and outcome.reason is Ending.MAX_PLIES


def read_index(index: object) -> int:
    """An action's index as a number, whichever whole number type a library gives.

    Raises:
        IllegalActionError: if it is none, or out of range.
    """
    try:
        number = operator.index(index)  # type: ignore[arg-type]
    except TypeError:
        raise IllegalActionError(
            f"action must be a whole number from 0 to {NUM_ACTIONS - 1}, not {shorten(index)}"
        ) from None
    if not 0 <= number < NUM_ACTIONS:
        raise IllegalActionError(f"action must be from 0 to {NUM_ACTIONS - 1}, not {number}")
    return number


def read_action(observation: Observation, index: object) -> Action:
    """The legal action at that index.

    Raises:
        IllegalActionError: if there is none, saying which there are.
    """
    return action_of_index(observation, read_index(index))
