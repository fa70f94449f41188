"""Default agent and budget for a situation: the same in the terminal and on the web.

Messages name what was given as `agent`, `simulations` and so on, in backticks, as those of a situation do.
"""

from __future__ import annotations

from typing import Any, Final

from lastcard.advice.situation import Situation
from lastcard.agents import Agent, AgentLike, find_agent, list_agents, make_agent, seat_agent
from lastcard.agents.own import name_own
from lastcard.errors import AgentError, require, shorten
from lastcard.observation import Observation
from lastcard.options import set_options
from lastcard.search.dispatch import SearchConfig, search
from lastcard.search.expectiminimax import ExpectiminimaxConfig
from lastcard.search.report import SearchReport

HYPOTHESES: Final = 4096
"""More than a search needs, so that the probabilities shown are steady to about a percent."""
SIMULATIONS: Final = 20_000
"""Default number of simulations of `halving`."""


def make_config(
    agent: str = "halving", simulations: int | None = None, seconds: float = 0.0, belief: str = ""
) -> SearchConfig:
    """The search that is meant: the agent's own options, with what else was asked for in their place.

    Raises:
        AgentError: if it does not search, or has no such option.

    >>> make_config().simulations, make_config("ismcts", simulations=50).simulations
    (20000, 50)
    """
    try:
        config = getattr(make_agent(agent), "config", None)
    except AgentError as error:
        raise AgentError(f"`agent`: {error}") from None
    if not isinstance(config, SearchConfig):
        names = ", ".join(info.name for info in list_agents() if "belief" in info.options)
        raise AgentError(f"`agent` must be one that searches ({names}), not {shorten(agent)}")
    changes: dict[str, object] = {"simulations": simulations, "seconds": seconds or None, "belief": belief or None}
    options = find_agent(agent).options
    if simulations is not None and "simulations" not in options:
        raise AgentError(f"`simulations` is no option of {shorten(agent)}; give it `seconds`, or options of its own")
    # Only in place of the default: a number that the user chose stays.
    if not isinstance(config, ExpectiminimaxConfig) and config.belief.hypotheses == options["hypotheses"]:
        changes["hypotheses"] = HYPOTHESES
    if simulations is None and agent.strip() == "halving":
        changes["simulations"] = SIMULATIONS
    try:
        return set_options(config, {name: value for name, value in changes.items() if value is not None})
    except AgentError as error:
        name, space, rest = str(error).partition(" ")
        raise AgentError(f"`{name}`{space}{rest}") from None


def advise(situation: Situation, config: SearchConfig | AgentLike | None = None, seed: int = 0) -> SearchReport:
    """Searches the decision by the search whose config it is, or by `halving`, or asks an agent.

    An agent is given by name, or as an object, class or function. If it has a method `search(observation)`, the report
    is what that returns; otherwise the report holds its choice and nothing else.

    >>> from lastcard.search import HalvingConfig
    >>> advise(Situation.parse(hand="r5 r9", top="r7", opponents="1"), HalvingConfig(simulations=200)).best.card.color
    <Color.RED: 0>
    """
    require("situation", situation, Situation, AgentError)
    if config is None or isinstance(config, SearchConfig):
        return search(situation.observation, config, seed)
    agent: Any = seat_agent(config, seed)
    if callable(getattr(agent, "search", None)):
        return agent.search(situation.observation)  # type: ignore[no-any-return]
    return report_choice(agent, situation.observation)


def report_choice(agent: Agent, observation: Observation) -> SearchReport:
    """Reports the choice of an agent that does not search.

    Raises:
        AgentError: if its answer is not a legal action.
    """
    best = agent.choose(observation)
    if best not in observation.legal_actions:
        legal = " ".join(map(str, observation.legal_actions))
        raise AgentError(f"{name_own(agent)} answered {shorten(best)}; legal were: {legal}")
    by_policy = make_agent("heuristic").choose(observation)
    return SearchReport(best, (), by_policy, None, 0, 0.0, line=(best,))
