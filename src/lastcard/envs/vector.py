"""Thousands of parallel rounds that write into the caller's buffers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lastcard import _core
from lastcard.actions import ACTIONS
from lastcard.envs.encoding import ENCODING_SIZE, NUM_ACTIONS
from lastcard.envs.rounds import read_rules
from lastcard.errors import IllegalActionError, StateError, require_int, shorten
from lastcard.phase import Ending
from lastcard.rules import Rules
from lastcard.weights import Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

POLICIES: Final = ("random", "heuristic")
"""Agents that can play inside an environment."""

NO_POLICY: Final = 255
"""The caller decides for every seat."""


@dataclass(frozen=True, slots=True)
class Buffers:
    """Arrays that a step writes into, one row for each environment; None for what is not wanted.

    They belong to the caller: slices of larger arrays will do, as long as they are C-contiguous.
    """

    observations: NDArray[np.uint8] | None
    """Observation of the seat to act as raw bytes; divide by `encoding_units()` for a network."""
    masks: NDArray[np.uint8]
    """A 1 for every legal action index."""
    rewards: NDArray[np.float32]
    """Reward of each seat for the round or game that has ended: 1 for the winner, -1 / (players - 1) for a loser."""
    dones: NDArray[np.uint8]
    """1 where the round or game ended in which the action was taken; the next one has begun."""
    seats: NDArray[np.uint8]
    """The seat to act."""
    hidden: NDArray[np.uint8] | None = None
    """The other seats' hands, 54 bytes each: copies of each face. For a critic in training; no decision may use it."""
    endings: NDArray[np.uint8] | None = None
    """Ending of the round in which the action was taken: 0 if it continues, otherwise the index in `ENDINGS`."""
    final_observations: NDArray[np.uint8] | None = None
    """Last observation of the learner, written only where a round ended: `observations` are of the next round."""


ENDINGS: Final = (None, *(ending.value for ending in Ending), "illegal_action")
"""Meaning of the numbers in `Buffers.endings`; the last occurs only in steps with `forfeits=True`."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals of all environments since they were created."""

    plies: int
    """Plies of finished rounds, including forced ones and those of opponents."""
    rounds: int
    """Number of finished rounds."""
    wins: int
    """Rounds won by the learner's seat; in self-play, by any seat."""
    signature: int
    """Changes when the course of any round does."""

    @classmethod
    def of(cls, core: _core.EnvironmentTotals) -> Totals:
        """Returns the totals that the core counted."""
        return cls(plies=core.plies, rounds=core.rounds, wins=core.wins, signature=core.signature)


class VectorEnv:
    """Parallel rounds, each waiting for a decision; forced actions are taken and new rounds dealt automatically.

    Actions and masks go by action index: the action's id, but a swap names its seat as counted from the seat to act
    on. With `opponents`, one seat of each environment is the learner's, another one in every round, and all others
    play by policy; without, every decision is the caller's. Everything depends on the seed, nothing on `threads`.

    >>> import numpy as np
    >>> env = VectorEnv(1000, Rules.preset("official"), seed=1, opponents="random")
    >>> buffers = env.make_buffers()
    >>> env.reset(buffers)
    >>> actions = np.empty(1000, np.int64)
    >>> for _ in range(50):
    ...     env.choose("heuristic", actions)
    ...     env.step(actions, buffers)
    >>> env.totals.rounds > 1000
    True
    """

    def __init__(
        self,
        num_envs: int,
        rules: Rules | str,
        seed: int = 0,
        opponents: str | Sequence[str] | None = None,
        threads: int = 1,
        *,
        observes: bool = True,
        splits_unfinished: bool = False,
        games: bool = False,
    ) -> None:
        """Makes them; `observes=False` keeps no memory of what happened, and steps faster.

        A round that reaches `max_plies` is won as Rule 5.4 says; with `splits_unfinished` nobody wins it.

        With `games=True`, rounds add up to games (Rule 9.2): rows hold the scores, `dones` and `rewards`
        are those of games, and the learner keeps its seat for a game. A game that is not over after 100 rounds has no
        winner. Half of the games start at 0 for all, the others at random scores below the target, so that all scores
        are met often.

        Raises:
            StateError: naming the argument that is impossible.
        """
        require_int("num_envs", num_envs, 1, 2**24, StateError)
        rules = read_rules(rules)
        require_int("seed", seed, 0, 2**64 - 1, StateError)
        require_int("threads", threads, 1, 1024, StateError)
        self.num_envs = num_envs
        self.rules = rules
        self.opponents = read_opponents(opponents, rules.players)
        self.threads = threads
        self.observes = bool(observes)
        self.observation_size = ENCODING_SIZE
        shapes = buffer_shapes(num_envs, rules.players)
        self._shapes = {**shapes, "endings": shapes["dones"], "final_observations": shapes["observations"]}
        who = [NO_POLICY, *(POLICIES.index(name) for name in self.opponents)]
        self._core = _core.VectorEnv(
            rules=rules._compiled,
            who=who,
            weights=list(Weights.shipped(rules.players).values),
            num_envs=num_envs,
            seed=seed,
            observes=self.observes,
            threads=threads,
            splits_unfinished=bool(splits_unfinished),
            games=bool(games),
        )
        self._is_reset = False

    def make_buffers(self) -> Buffers:
        """New buffers of the right types and shapes."""
        import numpy as np

        made = {
            name: np.zeros(shape, dtype)
            for name, (shape, dtype) in buffer_shapes(self.num_envs, self.rules.players).items()
            # The other hands are for a critic only: a caller that wants them adds the buffer itself.
            if name != "hidden" and (name != "observations" or self.observes)
        }
        return Buffers(observations=made.pop("observations", None), **made)

    def reset(self, buffers: Buffers) -> None:
        """Deals in every environment by the seed, and writes the first decisions.

        Raises:
            StateError: naming the buffer that does not fit.
        """
        *checked, _, _ = self._checked(buffers)
        self._core.reset(*checked)
        self._is_reset = True

    def step(self, actions: NDArray[np.int64], buffers: Buffers, *, forfeits: bool = False) -> None:
        """Takes one action in every environment and writes the next decisions.

        With `forfeits=True` an illegal action ends its round without a winner instead of being refused.

        Raises:
            IllegalActionError: naming the first action that is not legal; nothing has changed then.
            StateError: naming the buffer that does not fit.
        """
        self._require_reset()
        checked = self._checked(buffers)
        _check_array("actions", actions, (self.num_envs,), "int64")
        # The core checks all actions before it takes one, and returns the place of the first illegal one.
        first = self._core.step(actions, *(*checked, forfeits))
        if first < self.num_envs:
            raise IllegalActionError(self._explain(int(actions[first]), first))

    def choose(self, policy: str, actions: NDArray[np.int64]) -> None:
        """Writes what a policy, `random` or `heuristic`, would do in every environment.

        Raises:
            StateError: if there is no such policy, or `actions` does not fit.
        """
        self._require_reset()
        if policy not in POLICIES:
            raise StateError(f"policy must be one of {', '.join(POLICIES)}, not {shorten(policy)}")
        _check_array("actions", actions, (self.num_envs,), "int64", is_written=True)
        self._core.choose(POLICIES.index(policy), actions)

    @property
    def totals(self) -> Totals:
        """Totals so far."""
        return Totals.of(self._core.totals())

    def _require_reset(self) -> None:
        if not self._is_reset:
            raise StateError("call reset(buffers) first: there is no round yet")

    def _checked(self, buffers: Buffers) -> list[Any]:
        if not isinstance(buffers, Buffers):
            raise StateError(f"buffers must be Buffers, not {shorten(buffers)}; make_buffers() makes some")
        arrays = [getattr(buffers, name) for name in self._shapes]
        for (name, (shape, dtype)), array in zip(self._shapes.items(), arrays, strict=True):
            if array is None:
                continue
            if not self.observes and name.endswith("observations"):
                raise StateError(f"{name} must be None: the environment was made with observes=False")
            _check_array(name, array, shape, dtype, is_written=True)
        return arrays

    def _explain(self, index: int, env: int) -> str:
        legal = " ".join(f"{i}={ACTIONS[i]}" for i in self._core.legal_indices(env))
        name = f"{index}={ACTIONS[index]}" if 0 <= index < NUM_ACTIONS else str(index)
        return f"actions[{env}]: {name} is not legal; by index there are {legal}"


def buffer_shapes(num_envs: int, players: int) -> dict[str, tuple[tuple[int, ...], str]]:
    """Returns the shape and type of every buffer, by its name in `Buffers`.

    >>> buffer_shapes(num_envs=8, players=4)["rewards"]
    ((8, 4), 'float32')
    """
    return {
        "observations": ((num_envs, ENCODING_SIZE), "uint8"),
        "masks": ((num_envs, NUM_ACTIONS), "uint8"),
        "rewards": ((num_envs, players), "float32"),
        "dones": ((num_envs,), "uint8"),
        "seats": ((num_envs,), "uint8"),
        "hidden": ((num_envs, (players - 1) * _core.NUM_CARD_FACES), "uint8"),
    }


def _check_array(name: str, array: object, shape: tuple[int, ...], dtype: str, *, is_written: bool = False) -> None:
    import numpy as np

    if not isinstance(array, np.ndarray):
        raise StateError(f"{name} must be a NumPy array, not {shorten(array)}")
    if array.dtype != dtype:
        raise StateError(f"{name} must be of type {dtype}, not {array.dtype}")
    if array.shape != shape:
        raise StateError(f"{name} must have the shape {shape}, not {array.shape}")
    if not array.flags.c_contiguous:
        raise StateError(f"{name} must be C-contiguous; np.ascontiguousarray(...) copies it into that form")
    if is_written and not array.flags.writeable:
        raise StateError(f"{name} must be writeable")


def read_opponents(opponents: object, players: int) -> tuple[str, ...]:
    """The policies of all other seats, or nothing in self-play.

    Raises:
        StateError: unless they are policies, as many as there are opponents.
    """
    if opponents is None:
        return ()
    names = [opponents] * (players - 1) if isinstance(opponents, str) else opponents
    if not isinstance(names, Sequence) or len(names) != players - 1:
        raise StateError(
            f"opponents must be {' or '.join(map(repr, POLICIES))}, one for all or {players - 1} of them, not"
            f" {shorten(opponents)}"
        )
    for name in names:
        if name not in POLICIES:
            raise StateError(f"opponents must be among {', '.join(POLICIES)}, not {shorten(name)}")
    return tuple(names)
