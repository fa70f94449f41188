"""A round as an environment of Gymnasium: one seat learns, agents play the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from numpy.typing import NDArray

from lastcard.agents import Agent, AgentLike, seat_agent
from lastcard.envs.encoding import ENCODING_VERSION, NUM_ACTIONS, action_mask
from lastcard.envs.inputs import Inputs, Row
from lastcard.envs.pictures import RENDER_MODES, check_render_mode, render_table
from lastcard.envs.rounds import (
    deal_round,
    is_cut_short,
    read_action,
    read_index,
    read_rules,
    read_start,
    reward_of,
)
from lastcard.errors import AgentError, IllegalActionError, StateError, require_int, shorten
from lastcard.observation import Observation, observe
from lastcard.rules import Rules, format_rules
from lastcard.seeds import split_seed
from lastcard.state import State

ENV_ID = f"lastcard/Round-v{ENCODING_VERSION}"
"""Id for `gymnasium.make`, once this module is imported."""


class WithSpec:
    """An environment whose `spec` can be written as JSON, which cannot hold `Rules`: they become text."""

    _spec: EnvSpec | None = None

    @property
    def spec(self) -> EnvSpec | None:
        """Arguments of `gymnasium.make` or `make_vec`."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        rules = spec.kwargs.get("rules") if spec else None
        if spec and isinstance(rules, Rules):
            spec = replace(spec, kwargs={**spec.kwargs, "rules": format_rules(rules)})
        self._spec = spec


class LearnerEnv(WithSpec, gymnasium.Env[Row, int]):
    """One round at a time, seen by one seat; `gymnasium_env` makes it."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        rules: Rules | str = "official",
        opponents: AgentLike | Sequence[AgentLike] = "heuristic",
        seat: int | None = None,
        render_mode: str | None = None,
        encoding: int = ENCODING_VERSION,
        raw: bool = False,
    ) -> None:
        self.rules = rules = read_rules(rules)
        self.opponents = _read_opponents(opponents, rules.players)
        if seat is not None:
            require_int("seat", seat, 0, rules.players - 1, StateError)
        self.seat = seat
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.inputs = Inputs(rules.players, encoding, raw=raw)
        self.observation_space = spaces.Box(0, self.inputs.highest, (self.inputs.size,), self.inputs.dtype)
        self.action_space = spaces.Discrete(NUM_ACTIONS)  # type: ignore[assignment]
        self._truth: State | None = None
        self._agents: dict[int, Agent] = {}
        self._learner = 0
        self._has_lost = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Row, dict[str, Any]]:
        """Deals a round and plays on to the learner's first decision; `options["state"]` begins at a position.

        A round in which the learner never gets to decide is not shown: the next is dealt instead.

        Raises:
            StateError: if the position does not fit, or is won before the learner is asked.
        """
        super().reset(seed=seed)
        start = read_start(options, self.rules)
        self._begin(start)
        while self._require_truth().is_over:
            if start is not None:
                raise StateError("options['state']: the round is over before the learner is asked")
            self._begin(None)
        return self._look()

    def step(self, action: int) -> tuple[Row, float, bool, bool, dict[str, Any]]:
        """Takes the action at that index and plays to the learner's next decision or the end.

        A round that reaches `max_plies` is truncated; every other end is a termination.
        An illegal action
        loses the round immediately, and `info["illegal_action"]` gives the reason.

        Raises:
            IllegalActionError: if the action is outside the action space.
            StateError: if the round is over or none has been dealt.
        """
        truth = self._require_truth()
        if truth.is_over or self._has_lost:
            raise StateError("call reset() first: the round is over")
        index = read_index(action)
        try:
            chosen = read_action(self._observe(), index)
        except IllegalActionError as error:
            self._has_lost = True
            row, info = self._look()
            return row, -1.0, True, False, {**info, "illegal_action": str(error)}
        truth.apply_in_place(chosen)
        self._play_on()
        row, info = self._look()
        if self.render_mode == "human":
            self.render()
        is_cut = is_cut_short(truth)
        return row, reward_of(truth, self._learner), truth.is_over and not is_cut, is_cut, info

    def action_masks(self) -> NDArray[np.bool_]:
        """True at the index of every legal action: where sb3-contrib's MaskablePPO looks for it."""
        mask: NDArray[np.int8] = self._look()[1]["action_mask"]
        return mask.astype(np.bool_)

    def render(self) -> NDArray[np.uint8] | str | None:
        """The table with all hands open."""
        return render_table(self._require_truth(), self.render_mode)

    def _begin(self, start: State | None) -> None:
        drawn = int.from_bytes(self.np_random.bytes(32), "little")
        players = self.rules.players
        self._truth = deal_round(self.rules, drawn) if start is None else start
        self._learner = drawn // players % players if self.seat is None else self.seat
        self._has_lost = False
        seats = [(self._learner + on) % players for on in range(1, players)]
        self._agents = {
            seat: seat_agent(agent, split_seed(drawn, "agent", seat))
            for seat, agent in zip(seats, self.opponents, strict=True)
        }
        self._play_on()

    def _play_on(self) -> None:
        truth = self._require_truth()
        while truth.seat not in (None, self._learner):
            assert truth.seat is not None
            seen = observe(truth, truth.seat)
            answer = self._agents[truth.seat].choose(seen)
            if answer not in seen.legal_actions:
                legal = " ".join(map(str, seen.legal_actions))
                raise AgentError(f"opponents: seat {truth.seat} answered {shorten(answer)}; legal were: {legal}")
            truth.apply_in_place(answer)

    def _observe(self) -> Observation:
        return observe(self._require_truth(), self._learner)

    def _look(self) -> tuple[Row, dict[str, Any]]:
        seen = self._observe()
        mask = np.zeros(NUM_ACTIONS, np.int8) if self._has_lost else action_mask(seen).astype(np.int8)
        return self.inputs.read(seen), {"action_mask": mask}

    def _require_truth(self) -> State:
        if self._truth is None:
            raise StateError("call reset() first: there is no round yet")
        return self._truth


def _read_opponents(opponents: AgentLike | Sequence[AgentLike], players: int) -> tuple[AgentLike, ...]:
    is_list = isinstance(opponents, Sequence) and not isinstance(opponents, str | Agent)
    agents: Any = opponents if is_list else [opponents] * (players - 1)
    if len(agents) != players - 1:
        raise AgentError(
            f"opponents must be an agent for all, or a list of {players - 1} from the seat after the learner on, not"
            f" {shorten(opponents)}"
        )
    try:
        for agent in agents:
            seat_agent(agent)  # what cannot be made is reported now, not in the first round
    except AgentError as error:
        raise AgentError(f"opponents: {error}") from None
    return tuple(agents)


gymnasium.register(
    ENV_ID,
    "lastcard.envs.with_gymnasium:LearnerEnv",
    vector_entry_point="lastcard.envs.gymnasium_vector:LearnerVectorEnv",
)
