"""Thousands of parallel rounds as a vector environment of Gymnasium; `gymnasium.make_vec` creates it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from lastcard.actions import ACTIONS
from lastcard.envs.encoding import ENCODING_VERSION, NUM_ACTIONS
from lastcard.envs.inputs import Inputs, Row
from lastcard.envs.rounds import read_rules
from lastcard.envs.vector import ENDINGS, Buffers, VectorEnv
from lastcard.envs.with_gymnasium import WithSpec
from lastcard.errors import IllegalActionError, StateError, shorten
from lastcard.phase import Ending
from lastcard.rules import Rules

_CUT_SHORT: Final = ENDINGS.index(Ending.MAX_PLIES.value)
_FORFEITED: Final = ENDINGS.index("illegal_action")

_arrays_of: Final = attrgetter(*(field.name for field in fields(Buffers)))

_Step = tuple[Row, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class LearnerVectorEnv(WithSpec, GymnasiumVectorEnv[Row, NDArray[np.int64], NDArray[Any]]):
    """Parallel rounds, seen by a learner that sits in another seat in every round.

    A round that ends is followed by the next in the same step. What the learner saw last is in `infos["final_obs"]`,
    and `infos["action_mask"]` has a row for each environment. An illegal action loses its round with a reward of -1.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": [],
    }

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = "official",
        opponents: str | Sequence[str] = "heuristic",
        threads: int = 1,
        encoding: int = ENCODING_VERSION,
        raw: bool = False,
    ) -> None:
        """Makes them; opponents are `random` or `heuristic`, which play inside the core.

        Observations are the encoding scaled to 0 to 1; `raw` bytes are a quarter of the size and faster.

        Raises:
            StateError: naming the argument that is impossible.
        """
        if opponents is None:
            raise StateError("opponents must be random or heuristic, not None; for self-play use VectorEnv")
        self.rules = read_rules(rules)
        self.opponents, self.threads = opponents, threads
        self.inputs = Inputs(self.rules.players, encoding, raw=raw)
        self._rounds = self._make_rounds(num_envs, seed=0)
        self.num_envs = num_envs
        self.single_observation_space = spaces.Box(0, self.inputs.highest, (self.inputs.size,), self.inputs.dtype)
        self.single_action_space = spaces.Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._finals = np.zeros((num_envs, self.inputs.size), np.uint8)
        self._no_mask = np.zeros((num_envs, NUM_ACTIONS), np.int8)
        self._no_mask.flags.writeable = False  # the same one is returned whenever a round ends
        self._last: Buffers | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Row, dict[str, Any]]:
        """Deals in every environment, by the seed or continuing the previous one; there are no options."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(2**63))
        self._rounds = self._make_rounds(self.num_envs, drawn)
        buffers = self._make_buffers()
        self._rounds.reset(buffers)
        self._last = buffers
        assert buffers.observations is not None
        return self.inputs.scale(buffers.observations), self._tell_masks(buffers)

    def step(self, actions: NDArray[np.int64]) -> _Step:
        """Takes one action in every environment and plays on to the learner's next decisions.

        Raises:
            IllegalActionError: if an action is outside the action space; nothing has changed then.
            StateError: before the first `reset`.
        """
        last = self._last
        if last is None:
            raise StateError("call reset() first: there is no round yet")
        taken = self._read_actions(actions)
        buffers = self._make_buffers()
        forfeits = True
        self._rounds._core.step(taken, *(*_arrays_of(buffers), forfeits))  # just made, so they need no check
        self._last = buffers
        assert buffers.endings is not None
        assert buffers.observations is not None
        is_over, is_cut = buffers.dones.view(np.bool_), buffers.endings == _CUT_SHORT
        rewards, infos = np.zeros(self.num_envs), self._tell_masks(buffers)
        (ended,) = is_over.nonzero()
        if len(ended):
            rewards[ended] = buffers.rewards[ended, last.seats[ended]]
            infos |= {"final_obs": self._list_finals(ended), "_final_obs": is_over.copy()}
            infos |= {"final_info": self._tell_ends(is_over), "_final_info": is_over.copy()}
            lost = ended[buffers.endings[ended] == _FORFEITED]
            if len(lost):
                rewards[lost] = -1.0
                infos["final_info"] |= self._explain(lost, last.masks, taken)
        return self.inputs.scale(buffers.observations), rewards, is_over & ~is_cut, is_cut, infos

    def choose(self, policy: str, actions: NDArray[np.int64]) -> None:
        """Writes what a policy, `random` or `heuristic`, would do in every environment.

        Raises:
            StateError: if there is no such policy, or `actions` does not fit.
        """
        if self._last is None:
            raise StateError("call reset() first: there is no round yet")
        self._rounds.choose(policy, actions)

    def _make_rounds(self, num_envs: int, seed: int) -> VectorEnv:
        encoding = self.inputs.encoding
        return VectorEnv(num_envs, self.rules, seed, self.opponents, self.threads, encoding=encoding)

    def _make_buffers(self) -> Buffers:
        """New ones for every step: what was returned belongs to the caller."""
        num, players = self.num_envs, self.rules.players
        return Buffers(
            observations=np.empty(self._finals.shape, np.uint8),
            masks=np.empty((num, NUM_ACTIONS), np.uint8),
            rewards=np.empty((num, players), np.float32),
            dones=np.empty(num, np.uint8),
            seats=np.empty(num, np.uint8),
            endings=np.empty(num, np.uint8),
            final_observations=self._finals,
        )

    def _read_actions(self, actions: object) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise IllegalActionError(
                f"actions must be {self.num_envs} whole numbers from 0 to {NUM_ACTIONS - 1}, not {shorten(actions)}"
            )
        taken = np.ascontiguousarray(given, np.int64)
        numbers = taken.view(np.uint64)  # negative ones are huge
        if np.max(numbers) >= NUM_ACTIONS:
            first = int(np.argmax(numbers >= NUM_ACTIONS))
            raise IllegalActionError(f"actions[{first}] must be from 0 to {NUM_ACTIONS - 1}, not {taken[first]}")
        return taken

    def _tell_masks(self, buffers: Buffers) -> dict[str, Any]:
        return {"action_mask": buffers.masks.view(np.int8), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _list_finals(self, ended: NDArray[np.int64]) -> NDArray[np.object_]:
        """Last observation of the learner where a round ended; None elsewhere, as in `SyncVectorEnv`."""
        final_obs = np.empty(self.num_envs, dtype=object)
        final_obs[ended] = np.fromiter(self.inputs.scale(self._finals[ended]), dtype=object, count=len(ended))
        return final_obs

    def _tell_ends(self, is_over: NDArray[np.bool_]) -> dict[str, Any]:
        return {"action_mask": self._no_mask, "_action_mask": is_over.copy()}

    def _explain(
        self, lost: NDArray[np.int64], masks: NDArray[np.uint8], taken: NDArray[np.int64]
    ) -> dict[str, NDArray[Any]]:
        """Explains the illegal actions that lost a round."""
        texts, is_lost = np.full(self.num_envs, None, dtype=object), np.zeros(self.num_envs, np.bool_)
        for place in lost.tolist():
            legal = " ".join(ACTIONS[index].text for index in np.flatnonzero(masks[place]))
            action = f"index {taken[place]} is {ACTIONS[taken[place]]}"
            texts[place] = f"{action}, which is not legal here; legal actions: {legal}"
        is_lost[lost] = True
        return {"illegal_action": texts, "_illegal_action": is_lost}
