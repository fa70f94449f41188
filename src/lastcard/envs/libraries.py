"""Environments for other libraries, each imported when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lastcard.agents import AgentLike
from lastcard.envs.encoding import ENCODING_VERSION
from lastcard.envs.rounds import read_agent, read_rules
from lastcard.errors import LastcardError, StateError, require_int
from lastcard.rules import Rules
from lastcard.shell import install, install_extra

if TYPE_CHECKING:
    from lastcard.envs.with_gymnasium import LearnerEnv
    from lastcard.envs.with_openspiel import RoundBot
    from lastcard.envs.with_pettingzoo import TableEnv
    from lastcard.envs.with_rlcard import RlcardAgent, RoundEnv


class MissingLibraryError(LastcardError):
    """A library that an environment is made for is not installed."""


def _require(library: str, package: str = "") -> None:
    try:
        import_module(library)
    except ImportError as error:
        how = install(package) if package else install_extra("env")
        raise MissingLibraryError(f"{library} cannot be imported ({error}): {how}") from None


def pettingzoo_env(
    rules: Rules | str = "official",
    render_mode: str | None = None,
    *,
    encoding: int = ENCODING_VERSION,
    raw: bool = False,
) -> TableEnv:
    """A round for PettingZoo (AEC): every seat is an agent, `seat_0` and so on, any rules.

    An observation holds `action_mask` and, as `observation`, the encoding scaled to 0 to 1, or its bytes if `raw`. An
    illegal action raises an IllegalActionError. The winner gets 1, the others share -1. Render modes are human, ansi
    and rgb_array.

    Raises:
        StateError: naming the argument that is impossible.

    >>> env = pettingzoo_env(Rules.preset("official", players=3))
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     env.step(None if terminated else int(observation["action_mask"].argmax()))
    >>> env.agents
    []
    """
    _require("pettingzoo")
    from lastcard.envs.with_pettingzoo import TableEnv

    return TableEnv(rules, render_mode, encoding, raw)


def gymnasium_env(
    rules: Rules | str = "official",
    opponents: AgentLike | Sequence[AgentLike] = "heuristic",
    *,
    seat: int | None = None,
    render_mode: str | None = None,
    encoding: int = ENCODING_VERSION,
    raw: bool = False,
) -> LearnerEnv:
    """Creates a round for Gymnasium: one learning seat, by default a different one each round, against our agents.

    Observations are the encoding scaled to 0 to 1, or its bytes if `raw`; `info["action_mask"]` and
    `env.action_masks()` mark the legal actions. Any other action loses the round immediately, because Gymnasium allows
    every action of the space.

    Raises:
        AgentError: if there is no such opponent.
        StateError: naming another argument that is impossible.

    >>> env = gymnasium_env(Rules.preset("official"), opponents="random")
    >>> observation, info = env.reset(seed=7)
    >>> terminated = False
    >>> while not terminated:
    ...     observation, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
    >>> reward in (-1.0, 1.0)
    True
    """
    _require("gymnasium")
    from lastcard.envs.with_gymnasium import LearnerEnv

    return LearnerEnv(rules, opponents, seat, render_mode, encoding, raw)


def rlcard_env(
    rules: Rules | str = "official",
    seed: int | None = None,
    *,
    allow_step_back: bool = False,
    encoding: int = ENCODING_VERSION,
    raw: bool = False,
) -> RoundEnv:
    """A round for RLCard, any number of seats and any rules; its agents and trainers run on it.

    `state["obs"]` is the encoding scaled to 0 to 1, or its bytes if `raw`.

    Raises:
        StateError: naming the argument that is impossible.

    >>> env = rlcard_env(Rules.preset("official"), seed=7)
    >>> env.set_agents([rlcard_agent("heuristic"), rlcard_agent("random")])
    >>> trajectories, payoffs = env.run()
    >>> payoffs.sum()
    np.float64(0.0)
    """
    _require("rlcard", "rlcard")
    from lastcard.envs.with_rlcard import RoundEnv

    if seed is not None:
        require_int("seed", seed, 0, 2**32 - 1, StateError)
    config = {"rules": read_rules(rules), "seed": seed, "allow_step_back": allow_step_back}
    return RoundEnv({**config, "encoding": encoding, "raw": raw})


def rlcard_agent(agent: AgentLike, seed: int = 0, *, rules: Rules | str | None = None) -> RlcardAgent:
    """One of our agents as an agent of RLCard's, for `rlcard_env` and for RLCard's own `uno`.

    In `uno` it decides as under `rules`, by default the closest that it plays by, and only answers what is legal there.

    Raises:
        AgentError: if there is no such agent, or it does not play by these rules.
        RulesError: if the text is not rules.
        StateError: if the rules are not for two players.
    """
    _require("rlcard", "rlcard")
    from lastcard.envs.with_rlcard import RlcardAgent

    return RlcardAgent(agent, seed, rules)


def openspiel_game(rules: Rules | str, encoding: int = ENCODING_VERSION) -> Any:
    """A round for OpenSpiel: its registered game `python_lastcard`, any number of seats and any rules.

    Every card is a chance node, the hands dealt one after another in ascending order. All of `mini` is small enough for
    its exploitability. Observation tensors are the encoding scaled to 0 to 1.

    Raises:
        StateError: if the rules are something else, or there is no such encoding.

    >>> game = openspiel_game(Rules.preset("mini"))
    >>> game.num_players(), game.new_initial_state().is_chance_node()
    (2, True)
    """
    _require("pyspiel", "open_spiel")
    import pyspiel

    from lastcard.envs.with_openspiel import GAME_NAME, write_parameter

    return pyspiel.load_game(GAME_NAME, {"rules": write_parameter(read_rules(rules)), "encoding": encoding})


def openspiel_bot(agent: AgentLike, seed: int = 0) -> RoundBot:
    """One of our agents as a bot of OpenSpiel's for `openspiel_game`; it takes any seat and sees only its own cards.

    Raises:
        AgentError: if there is no such agent.

    >>> from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
    >>> import numpy as np
    >>> state = openspiel_game("mini").new_initial_state()
    >>> bots = [openspiel_bot("halving:simulations=20"), openspiel_bot("random")]
    >>> sum(evaluate_bots(state, bots, np.random.RandomState(1)))
    0.0
    """
    _require("pyspiel", "open_spiel")
    from lastcard.envs.with_openspiel import RoundBot

    return RoundBot(read_agent(agent, seed))
