"""Settings of training: the parameters of self-play PPO, with values that are known to work."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lastcard.errors import AgentError, require, require_float, require_int, shorten
from lastcard.rules import MAX_PLAYERS, Rules, parse_rules

# A path may have a comma in it: one that separates rivals comes after a number.
_RIVAL: Final = re.compile(r"(?P<name>.+?)=(?P<share>[\d.eE+-]+)(?:,|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Masked self-play, with rounds against fixed policies mixed in, by proximal policy optimization.

    J. Schulman et al., "Proximal policy optimization algorithms" (2017); advantages by J. Schulman et al.,
    "High-dimensional continuous control using generalized advantage estimation" (2016). The mean of weights, here
    an exponential one, after B. T. Polyak and A. B. Juditsky, "Acceleration of stochastic approximation by
    averaging" (1992). The pull to a reference after S. Sokota et al., "A unified approach to reinforcement learning,
    quantal response equilibria, and two-player zero-sum games" (2023), and J. Perolat et al., "Mastering the game of
    Stratego with model-free multiagent reinforcement learning" (2022).

    >>> TrainConfig(players=4).compiled_rules().players
    4
    """

    recipe: str = ""
    """Name of the recipe that the other parameters come from, for the record."""
    rules: str = "official"
    """Rules: a preset and changes."""
    players: int = 2
    """Number of players; a network is trained for one number, except with tables."""
    tables: int = 0
    """If not 0: one network for all tables, on so many random ones at a time, with two to ten players."""
    games: bool = False
    """Play games to the target score instead of rounds: the scores are seen, and winning a game is the aim."""
    minutes: float = 8.0
    """Training time in total; rates decay over it."""
    updates: int = 0
    """If not 0: so many updates instead of minutes. On a CPU the result then depends on the seed alone."""
    response_minutes: float = 0.0
    """Minutes of a best response to the finished network, in addition; the result ends the curve. 0: none."""
    seed: int = 1
    """Seed of cards, first weights and exploration."""
    device: str = "auto"
    """Device: cpu, cuda, or auto, a GPU if there is one."""
    threads: int = 1
    """CPU threads. With a GPU, measurements use all of the machine's."""
    num_envs: int = 0
    """Rounds played side by side; 0: 32,768 on a GPU, 512 on a CPU."""
    random_share: float = 0.0
    """Share of the rounds in which all seats but one play as random; the rest is self-play."""
    heuristic_share: float = 0.0
    """The same with heuristic."""
    rivals: str = ""
    """Shares of the rounds against frozen networks: FILE=0.25,net=0.25; net is the shipped one."""
    start: str = ""
    """Start from this network's weights: a file, or net for the shipped one; empty: random weights."""
    price: float = 0.0
    """Cost of a decision for the seat that makes it, where a win is worth 1. Shortens rounds."""
    warmup: int = 0
    """Updates at the beginning that train values only: for a start whose values are not those of this training."""
    critic: str = "own"
    """Critic in training: own, the network's value, or all_hands, a network that sees every hand."""
    decisions: int = 32
    """Decisions in each round between two updates."""
    minibatches: int = 16
    """Gradient steps in an update, each on as many of its decisions."""
    epochs: int = 1
    """Passes over the decisions per update."""
    hidden: int = 512
    """Width of the network's layers."""
    blocks: int = 2
    """Residual blocks after its first layer."""
    learning_rate: float = 1e-3
    """Initial learning rate of Adam."""
    last_learning_rate: float = 2e-5
    """And at the end."""
    entropy: float = 0.02
    """Bonus for undecided policies, at the beginning."""
    last_entropy: float = 0.001
    """And at the end."""
    reference: float = 0.0
    """Weight of the policy's distance from a reference, at first the network as it began. It damps circles of plans
    that beat each other."""
    reference_updates: int = 0
    """If not 0: after so many updates, the network becomes the new reference."""
    clip: float = 0.2
    """Clip range of the probability ratio in one update."""
    trace: float = 0.95
    """The lambda of advantage estimation."""
    value_weight: float = 0.5
    """Weight of the value's error in the loss."""
    most_gradient: float = 0.5
    """Norm to which gradients are cut."""
    averaging: float = 0.0
    """Decay of the moving average of the weights, which is measured and saved; 0 turns it off."""
    evaluations: int = 10
    """Number of measurements."""
    measured_deals: int = 500
    """Mirrored deals per measurement."""

    def __post_init__(self) -> None:
        require_float("minutes", self.minutes, 0.01, 100_000, AgentError)
        require_float("response_minutes", self.response_minutes, 0, 100_000, AgentError)
        bounds = {
            "updates": (0, 10**9),
            "tables": (0, 1000),
            "seed": (0, 2**32),
            "warmup": (0, 10**6),
            "reference_updates": (0, 10**6),
            "threads": (1, 1024),
            "num_envs": (0, 2**22),
            "decisions": (2, 1024),
            "minibatches": (1, 4096),
            "epochs": (1, 100),
            "hidden": (8, 4096),
            "blocks": (0, 64),
            "evaluations": (1, 1000),
            "measured_deals": (1, 10**6),
        }
        for name, (low, high) in bounds.items():
            require_int(name, getattr(self, name), low, high, AgentError)
        for name in ("learning_rate", "last_learning_rate", "clip", "trace", "random_share", "heuristic_share"):
            require_float(name, getattr(self, name), 0.0, 1.0, AgentError)
        for name in ("entropy", "last_entropy", "reference", "value_weight", "most_gradient"):
            require_float(name, getattr(self, name), 0.0, 100.0, AgentError)
        require_float("averaging", self.averaging, 0.0, 0.9999, AgentError)
        require_float("price", self.price, 0.0, 0.1, AgentError)
        if self.reference_updates and not self.reference:
            raise AgentError(
                "reference_updates needs reference, the weight of the distance from it; set it, or leave both out"
            )
        if self.random_share + self.heuristic_share > 1:
            left = f"what random_share leaves, {1 - self.random_share:g}"
            raise AgentError(f"heuristic_share must be at most {left}, not {self.heuristic_share:g}")
        rest = 1 - self.random_share - self.heuristic_share
        if sum(self.rival_shares().values()) > rest + 1e-9:
            raise AgentError(f"rivals must have shares of at most {rest:g} together, not {shorten(self.rivals)}")
        if self.critic not in ("own", "all_hands"):
            raise AgentError(f"critic must be own or all_hands, not {shorten(self.critic)}")
        if self.device not in ("auto", "cpu", "cuda"):
            raise AgentError(f"device must be auto, cpu or cuda, not {shorten(self.device)}")
        if not isinstance(self.games, bool):
            raise AgentError(f"games must be True or False, not {shorten(self.games)}")
        self.compiled_rules()
        if self.tables:
            self._check_tables()

    def _check_tables(self) -> None:
        alone = {"rules": "official", "players": 2, "rivals": "", "response_minutes": 0.0}
        for name, value in alone.items():
            if getattr(self, name) != value:
                raise AgentError(f"{name} must be left out with tables: a network for all tables learns without it")
        if 0 < self.num_envs < self.tables:
            raise AgentError(f"num_envs must be at least tables, {self.tables}, not {self.num_envs}")

    def compiled_rules(self) -> Rules:
        """The rules with the number of players."""
        return parse_rules(self.rules).replace(players=self.players)

    @property
    def most_players(self) -> int:
        """The largest number of players at a table.

        >>> TrainConfig().most_players, TrainConfig(tables=8).most_players
        (2, 10)
        """
        return MAX_PLAYERS if self.tables else self.players

    def rival_shares(self) -> dict[str, float]:
        """The share of rounds against each frozen network.

        Raises:
            AgentError: naming what is no file with a share.

        >>> TrainConfig(rivals="net=0.25,mine.safetensors=0.5").rival_shares()
        {'net': 0.25, 'mine.safetensors': 0.5}
        >>> TrainConfig(rivals="a,b/mine.safetensors=0.5").rival_shares()
        {'a,b/mine.safetensors': 0.5}
        """
        require("rivals", self.rivals, str, AgentError)
        shares: dict[str, float] = {}
        first = 0
        while first < len(self.rivals):
            found = _RIVAL.match(self.rivals, first)
            try:
                share = float(found["share"]) if found else -1.0
            except ValueError:
                share = -1.0
            if not found or found["name"] in shares or not 0 < share <= 1:
                raise AgentError(f"rivals must be a list such as FILE=0.25,net=0.5, not {shorten(self.rivals)}")
            shares[found["name"]] = share
            first = found.end()
        return shares

    def change(self, given: Mapping[str, Any]) -> TrainConfig:
        """The training with other parameters where they are given; minutes replace updates.

        >>> TrainConfig(updates=5).change({"minutes": 2.0}).updates
        0
        """
        require("given", given, Mapping, AgentError)
        replaced = {"updates": 0} if "minutes" in given else {}
        return TrainConfig.from_dict({**self.to_dict(), **replaced, **given})

    def to_dict(self) -> dict[str, Any]:
        """Returns JSON values."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> TrainConfig:
        """Reads what `to_dict` wrote.

        Raises:
            AgentError: naming the field that is unknown or impossible.
        """
        require("fields", fields, Mapping, AgentError)
        known = {field.name for field in dataclasses.fields(cls)}
        for name in fields:
            if name not in known:
                raise AgentError(f"training has no parameter {shorten(name)}")
        return cls(**fields)


def format_rivals(shares: Iterable[tuple[str, float]]) -> str:
    """Writes what `TrainConfig.rival_shares` reads.

    >>> format_rivals([("net", 1.0), ("mine.safetensors", 0.25)])
    'net=1,mine.safetensors=0.25'
    """
    return ",".join(f"{name}={share:.12g}" for name, share in shares)
