"""A round as an environment of PettingZoo: every seat is an agent, and acts when it is asked."""

from __future__ import annotations

from typing import Any, ClassVar, SupportsIndex

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from lastcard.envs.encoding import ENCODING_VERSION, NUM_ACTIONS, action_mask
from lastcard.envs.inputs import Inputs, Row
from lastcard.envs.pictures import RENDER_MODES, check_render_mode, render_table
from lastcard.envs.rounds import deal_round, is_cut_short, read_action, read_rules, read_start, reward_of
from lastcard.errors import StateError, shorten
from lastcard.observation import observe
from lastcard.rules import Rules
from lastcard.state import State

Seen = dict[str, NDArray[Any]]


class TableEnv(AECEnv):  # type: ignore[misc]
    """One round at a time; `pettingzoo_env` makes it."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": f"lastcard_v{ENCODING_VERSION}",
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules | str = "official",
        render_mode: str | None = None,
        encoding: int = ENCODING_VERSION,
        raw: bool = False,
    ) -> None:
        super().__init__()
        self.rules = rules = read_rules(rules)
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(rules.players)]
        self.agents: list[str] = []
        self.inputs = inputs = Inputs(rules.players, encoding, raw=raw)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, inputs.highest, (inputs.size,), inputs.dtype),
                    "action_mask": spaces.Box(0, 1, (NUM_ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(NUM_ACTIONS) for agent in self.possible_agents}
        self.state_space = spaces.Box(0, inputs.highest, (inputs.size * rules.players,), inputs.dtype)
        self._np_random: np.random.Generator | None = None
        self._truth: State | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """The inputs that docs/reference/encoding.md lists, and a 1 at the index of every legal action."""
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Returns the space of action indices."""
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals the next round of the seed's, or the first of a new seed's; `options["state"]` begins at a position.

        Raises:
            StateError: if that position does not fit.
        """
        if seed is not None or self._np_random is None:
            self._np_random, _ = seeding.np_random(seed)
        start = read_start(options, self.rules)
        drawn = int.from_bytes(self._np_random.bytes(32), "little")
        self._truth = deal_round(self.rules, drawn) if start is None else start
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def step(self, action: SupportsIndex | None) -> None:
        """Takes the action at that index for the agent selected; None once its round is over.

        Raises:
            IllegalActionError: if there is no such legal action; nothing has changed then.
            StateError: before the first `reset`.
        """
        truth, agent = self._require_truth(), self.agent_selection
        if self.terminations.get(agent) or self.truncations.get(agent):
            self._was_dead_step(action)
            return
        truth.apply_in_place(read_action(observe(truth, self._seat(agent)), action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {other: reward_of(truth, self._seat(other)) for other in self.agents}
        if truth.is_over:
            is_cut = is_cut_short(truth)
            self.terminations = dict.fromkeys(self.agents, not is_cut)
            self.truncations = dict.fromkeys(self.agents, is_cut)
        else:
            self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Seen:
        """Observation of that seat; the mask is all 0 while it is not asked."""
        seen = observe(self._require_truth(), self._seat(agent))
        return {"observation": self.inputs.read(seen), "action_mask": action_mask(seen).astype(np.int8)}

    def state(self) -> Row:
        """Returns the observations of all seats, one after another, for centralized training."""
        truth = self._require_truth()
        return np.concatenate([self.inputs.read(observe(truth, seat)) for seat in range(self.rules.players)])

    def render(self) -> NDArray[np.uint8] | str | None:
        """The table with all hands open."""
        return render_table(self._require_truth(), self.render_mode)

    def close(self) -> None:
        """Does nothing: no resource is held open."""

    def _select(self) -> None:
        seat = self._require_truth().seat
        assert seat is not None
        self.agent_selection = self.possible_agents[seat]

    def _seat(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise StateError(f"agent must be one of {', '.join(self.possible_agents)}, not {shorten(agent)}")
        return self.possible_agents.index(agent)

    def _require_truth(self) -> State:
        if self._truth is None:
            raise StateError("call reset() first: there is no round yet")
        return self._truth


raw_env = TableEnv


def env(
    rules: Rules | str = "official",
    render_mode: str | None = None,
    encoding: int = ENCODING_VERSION,
    raw: bool = False,
) -> AECEnv:
    """The environment in the wrappers of PettingZoo's own card games: an illegal action ends the round with -1.

    `raw_env` is the same without wrappers, and what `pettingzoo_env` makes.

    >>> env("house players=3").possible_agents
    ['seat_0', 'seat_1', 'seat_2']
    """
    ends_rounds = TerminateIllegalWrapper(raw_env(rules, render_mode, encoding, raw), illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(ends_rounds))
