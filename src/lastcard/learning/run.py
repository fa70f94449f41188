"""A training run from beginning to end: updates, measurements, checkpoints, promotions."""

from __future__ import annotations

import dataclasses
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lastcard.errors import AgentError
from lastcard.learning.config import TrainConfig
from lastcard.learning.files import (
    CHECKPOINT,
    CHECKPOINT_FORMAT,
    LATEST,
    PLOT,
    PROMOTED,
    Folder,
    describe_run,
)
from lastcard.learning.plot import draw_curve
from lastcard.network import read_safetensors, write_safetensors
from lastcard.search.match import Contestant, NetContestant, RandomContestant, play_match
from lastcard.seeds import split_seed

if TYPE_CHECKING:
    import torch

    from lastcard.learning.ppo import Learner, Losses

_MEASURING_STEPS: Final = 100
_SETTLING_STEPS: Final = 60  # so that rounds that end are no shorter than others
_MOST_PLIES: Final = 1_000  # of a round for promotion: networks that have hardly learned may never finish one


@dataclass(frozen=True, slots=True)
class Tick:
    """A sign of life after every update."""

    update: int
    seconds: float
    seconds_left: float
    decisions: int
    """Made so far, all rounds together."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands: a point of the learning curve."""

    update: int
    seconds: float
    seconds_left: float
    decisions: int
    """Made so far, all rounds together."""
    policy_loss: float
    value_loss: float
    entropy: float
    against_random: float
    """Share of rounds won, one against all others."""
    against_random_error: float
    """Half-width of its 95 % interval."""
    against_heuristic: float
    against_heuristic_error: float
    is_promoted: bool
    """Whether it won the match for promotion."""
    match_share: float
    """What it won of that match."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            name: round(value, 5) if isinstance(value, float) else value
            for name, value in dataclasses.asdict(self).items()
        }


def train(
    config: TrainConfig,
    out: Path,
    progress: Callable[[Progress], None] | None = None,
    *,
    resume: bool = False,
    tick: Callable[[Tick], None] | None = None,
) -> Path:
    """Trains until time or updates are over and returns the file of the last network that won its match.

    `progress` hears of every measurement, the first right after the first update, and `tick` of every update.

    In `out` it leaves that network, the latest one, a checkpoint, the learning curve and a plot of it. Ctrl-C keeps
    all of them, and `resume` goes on from there.

    Raises:
        AgentError: if torch is missing, the folder holds another run, or no network ever won its match.
    """
    if find_spec("torch") is None:
        raise AgentError("training needs torch: pip install 'lastcard[learn]'")
    folder = Folder(out)
    folder.prepare(resume)
    run = _Run(config, folder, progress, tick, resume)
    try:
        run.go_on()
    finally:
        run.save_checkpoint()
        draw_curve(folder.read_curve(), config.players, out / PLOT)
    if not (out / PROMOTED).exists():
        raise AgentError(f"no network won its match; {out / LATEST} is what there is, --resume goes on")
    return out / PROMOTED


def pick_device(name: str) -> torch.device:
    """The device of that name; `auto` is a GPU if there is one.

    Raises:
        AgentError: if there is no such device here.
    """
    import torch

    if name == "cuda" and not torch.cuda.is_available():
        raise AgentError("device=cuda: torch finds no GPU here; use cpu or auto")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


class _Run:
    def __init__(
        self,
        config: TrainConfig,
        folder: Folder,
        progress: Callable[[Progress], None] | None,
        tick: Callable[[Tick], None] | None,
        resume: bool,
    ) -> None:
        import torch

        from lastcard.learning.environments import open_training
        from lastcard.learning.model import PolicyValueNet
        from lastcard.learning.ppo import Learner

        self.config = config
        self.folder = folder
        self.progress = progress
        self.tick = tick
        self.rules = config.compiled_rules()
        self.device = pick_device(config.device)
        self.update = 0
        self.seconds_before = 0.0
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        model = PolicyValueNet(config.players, config.hidden, config.blocks).to(self.device)
        stored = self._read_checkpoint(model) if resume else {}
        num_envs = config.num_envs or (32_768 if self.device.type == "cuda" else 512)
        seed = split_seed(config.seed, "deal", self.update) % 2**64
        env = open_training(self.device, num_envs, self.rules, seed, config)
        self.learner: Learner = Learner(config, model, env, self.device)
        self._restore_optimizer(stored)
        self._restore_mean(stored)
        self.decisions_each = num_envs * config.decisions
        self.start = time.monotonic()

    @property
    def seconds(self) -> float:
        return self.seconds_before + time.monotonic() - self.start

    @property
    def fraction(self) -> float:
        """How much of the run is over."""
        if self.config.updates:
            return min(self.update / self.config.updates, 1.0)
        return min(self.seconds / (60 * self.config.minutes), 1.0)

    @property
    def seconds_left(self) -> float:
        """As many for the rest as it took so far, in proportion."""
        return self.seconds / self.fraction * (1 - self.fraction)

    def go_on(self) -> None:
        """Updates to the end, with measurements at even distances."""
        measured = math.floor(self.fraction * self.config.evaluations)
        while self.fraction < 1.0:
            losses = self.learner.update(self.fraction)
            self.update += 1
            if self.tick:
                self.tick(Tick(self.update, self.seconds, self.seconds_left, self.update * self.decisions_each))
            due = math.floor(self.fraction * self.config.evaluations)
            if due > measured or self.update == 1:
                measured = due
                self._report(losses)

    def save_checkpoint(self) -> None:
        """Everything needed to go on."""
        from lastcard.learning.model import pack

        model, optimizer = self.learner.model, self.learner.optimizer
        tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
        if self.learner.mean is not None:
            tensors |= {f"mean.{name}": value for name, value in self.learner.mean.state_dict().items()}
        for name, parameter in model.named_parameters():
            for moment in ("exp_avg", "exp_avg_sq"):
                if parameter in optimizer.state:
                    tensors[f"{moment}.{name}"] = optimizer.state[parameter][moment]
        metadata = {
            **describe_run(self.config, self.update, self.seconds, str(self.device)),
            "format": CHECKPOINT_FORMAT,
            "exact_seconds": repr(self.seconds),
        }
        self.folder.write(CHECKPOINT, write_safetensors(metadata, pack(tensors, "F32")))

    def _report(self, losses: Losses) -> None:
        from lastcard.learning.model import export_network

        made = describe_run(self.config, self.update, self.seconds, str(self.device))
        data = export_network(self.learner.player, self.rules, made)
        latest = self.folder.write(LATEST, data)
        self.save_checkpoint()
        shares = {name: self._measure(name) for name in ("random", "heuristic")}
        is_promoted, match_share = self._try_for_promotion(latest)
        if is_promoted:
            self.folder.write(PROMOTED, data)
        point = Progress(
            self.update,
            self.seconds,
            self.seconds_left,
            self.update * self.decisions_each,
            losses.policy,
            losses.value,
            losses.entropy,
            *shares["random"],
            *shares["heuristic"],
            is_promoted,
            match_share,
        )
        self.folder.add_to_curve(point.to_dict())
        if self.progress:
            self.progress(point)

    def _try_for_promotion(self, latest: Path) -> tuple[bool, float]:
        """A match against the network promoted last, or `random` before there is one; it must be won for sure."""
        promoted = self.folder.path / PROMOTED
        rival: Contestant = NetContestant(str(promoted)) if promoted.exists() else RandomContestant()
        seating = [NetContestant(str(latest)), *[rival] * (self.config.players - 1)]
        seed = split_seed(self.config.seed, "round", self.update) % 2**64
        rules = self.rules.replace(max_plies=min(self.rules.max_plies, _MOST_PLIES))
        match = play_match(rules, seating, self.config.gate_deals, seed, self.config.threads)
        return match.shares[0] - match.errors[0] > 1 / self.config.players, match.shares[0]

    def _measure(self, opponents: str) -> tuple[float, float]:
        """Share of rounds won against a policy by the most probable actions, with its error."""
        import torch

        from lastcard.learning.environments import Rows, open_environment
        from lastcard.learning.model import mask_scores
        from lastcard.learning.ppo import autocast

        config = self.config
        seed = split_seed(config.seed, "position", self.update) % 2**64
        num_envs = config.measured_envs or (16_384 if self.device.type == "cuda" else 512)
        env = open_environment(self.device, num_envs, self.rules, seed, opponents, config.threads)
        rows = Rows.make(1, num_envs, config.players, self.device)[0]
        env.reset(rows)
        before = (0, 0)
        with torch.no_grad(), autocast(self.device):
            for step in range(_SETTLING_STEPS + _MEASURING_STEPS):
                if step == _SETTLING_STEPS:
                    before = env.count()
                scores, _ = self.learner.player(rows.observations)
                env.step(mask_scores(scores, rows.masks).argmax(dim=-1), rows)
        rounds, wins = (now - then for now, then in zip(env.count(), before, strict=True))
        share = wins / max(rounds, 1)
        return share, 1.96 * math.sqrt(share * (1 - share) / max(rounds, 1))

    def _read_checkpoint(self, model: Any) -> dict[str, torch.Tensor]:
        from lastcard.learning.model import unpack

        path = self.folder.path / CHECKPOINT
        metadata, stored = read_safetensors(path.read_bytes())
        if metadata.get("format") != CHECKPOINT_FORMAT:
            raise AgentError(f"{path}: format must be {CHECKPOINT_FORMAT}")
        before = TrainConfig.from_dict(json.loads(metadata["config"]))
        for name in ("rules", "players", "hidden", "blocks"):
            if getattr(before, name) != getattr(self.config, name):
                old, new = getattr(before, name), getattr(self.config, name)
                raise AgentError(f"{path}: {name} was {old}, not {new}; a run goes on as it began")
        tensors = unpack(stored)
        model.load_state_dict(
            {name.removeprefix("model."): value for name, value in tensors.items() if name.startswith("model.")}
        )
        self.update = int(metadata["updates"])
        self.seconds_before = float(metadata["exact_seconds"])
        return tensors

    def _restore_optimizer(self, stored: dict[str, torch.Tensor]) -> None:
        import torch

        for name, parameter in self.learner.model.named_parameters():
            if f"exp_avg.{name}" in stored:
                self.learner.optimizer.state[parameter] = {
                    "step": torch.tensor(float(self._gradient_steps())),
                    **{
                        moment: stored[f"{moment}.{name}"].to(self.device).clone()
                        for moment in ("exp_avg", "exp_avg_sq")
                    },
                }

    def _restore_mean(self, stored: dict[str, torch.Tensor]) -> None:
        """A run that kept no mean before begins one with the weights as they are."""
        mean = {name.removeprefix("mean."): value for name, value in stored.items() if name.startswith("mean.")}
        if self.learner.mean is not None and mean:
            self.learner.mean.load_state_dict(mean)

    def _gradient_steps(self) -> int:
        return self.update * self.config.minibatches * self.config.epochs
