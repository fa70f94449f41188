"""A training session: updates until the time is over, and checkpoints to resume from."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lastcard.errors import AgentError
from lastcard.learning.config import TrainConfig
from lastcard.learning.folder import CHECKPOINT, NETWORK, Folder, describe_run, leave_out_folders
from lastcard.learning.tables import MEASURED
from lastcard.rules import Rules
from lastcard.seeds import split_seed
from lastcard.shell import install_extra

if TYPE_CHECKING:
    import torch

    from lastcard.learning.model import PolicyValueNet
    from lastcard.learning.opponents import Opposition
    from lastcard.learning.ppo import Learner, Losses

REDRAWN: Final = 64
"""Updates after which other tables are drawn, if there are many."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A sign of life after every update."""

    update: int
    seconds: float
    seconds_left: float
    decisions: int
    """Made so far, all rounds together."""


def require_torch() -> None:
    """Makes sure that there is something to train with.

    Raises:
        AgentError: saying how to install it.
    """
    if find_spec("torch") is None:
        raise AgentError(f"training needs torch: {install_extra('learn')}")


def pick_device(name: str) -> torch.device:
    """The device of that name; `auto` is a GPU if there is one.

    Raises:
        AgentError: if there is no such device here.
    """
    import torch

    if name == "cuda" and not torch.cuda.is_available():
        raise AgentError("device=cuda: torch finds no GPU here; use cpu or auto")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def count_measuring_threads(config: TrainConfig) -> int:
    """Threads of a measurement: all of the machine if a GPU trains, since nothing else needs them then."""
    is_on_gpu = pick_device(config.device).type == "cuda"
    return max(config.threads, os.cpu_count() or 1) if is_on_gpu else config.threads


class Session:
    """One training from its first or its last update on."""

    def __init__(
        self, config: TrainConfig, folder: Folder, tick: Callable[[Tick], None] | None, *, resume: bool
    ) -> None:
        import torch

        from lastcard.learning.checkpoint import read_checkpoint, restore_learner
        from lastcard.learning.ppo import Learner, Losses

        self.config = config
        self.folder = folder
        self.rules = None if config.tables else config.compiled_rules()
        """The rules of its one table; None: many tables."""
        self.device = pick_device(config.device)
        self.update = 0
        self._reported = 0
        """The last update with a report."""
        self._losses: Losses | None = None
        self._tick = tick
        self._seconds_before = 0.0
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        made, stored = read_checkpoint(folder, config) if resume else ({}, {})
        if resume:
            self.update, self._seconds_before = int(made["updates"]), float(made["seconds"])
            self._reported = next((point["update"] for point in reversed(folder.read_curve())), 0)
            self._losses = Losses(**json.loads(made["losses"])) if made.get("losses") else None
        self._num_envs = config.num_envs or (32_768 if self.device.type == "cuda" else max(512, config.tables))
        self.learner: Learner = Learner(config, self._make_model(resume), self._open_opposition(), self.device)
        if resume:
            restore_learner(self.learner, stored, self.update * config.minibatches * config.epochs)
        self._decisions_each = self._num_envs * config.decisions
        self._start = time.monotonic()

    def _open_opposition(self) -> Opposition:
        from lastcard.learning.opponents import open_opposition

        # By the update as well: a resumed run must not play the first deals again.
        seed = split_seed(self.config.seed, "deal", self.update) % 2**64
        return open_opposition(self.device, self._num_envs, seed, self.config)

    def _make_model(self, resume: bool) -> PolicyValueNet:
        from lastcard.learning.model import PolicyValueNet
        from lastcard.learning.opponents import check_shape, load_start

        config = self.config
        if resume or not config.start:  # the weights of a checkpoint replace those of the start
            players = None if config.tables else config.players
            return PolicyValueNet(players, config.hidden, config.blocks).to(self.device)
        model = load_start(config.start, self.rules).to(self.device)
        check_shape(model, config)
        return model

    @property
    def measured(self) -> tuple[Rules, ...]:
        """The tables that it is measured on."""
        return MEASURED if self.rules is None else (self.rules,)

    @property
    def seconds(self) -> float:
        """Spent so far, before it was stopped and since."""
        return self._seconds_before + time.monotonic() - self._start

    @property
    def fraction(self) -> float:
        """Share of the training that is done."""
        if self.config.updates:
            return min(self.update / self.config.updates, 1.0)
        return min(self.seconds / (60 * self.config.minutes), 1.0)

    @property
    def seconds_left(self) -> float:
        """Estimated seconds for the rest, in proportion to the time so far."""
        return self.seconds / self.fraction * (1 - self.fraction)

    @property
    def decisions(self) -> int:
        """Made so far, all rounds together."""
        return self.update * self._decisions_each

    def go_on(self, report: Callable[[Losses], object], pace: Callable[[float], float] = float) -> None:
        """Updates to the end, with reports at even distances, one after the first update and one after the last.

        `pace` bends the distances: with `math.sqrt`, reports are dense in the beginning.

        However it ends, it leaves a checkpoint if there was an update. A report after the last update that was
        interrupted is made again.
        """
        try:
            measured = math.floor(pace(self.fraction) * self.config.evaluations)
            while self.fraction < 1.0:
                if self.config.tables and self.update and self.update % REDRAWN == 0:
                    self.learner.reopen(self._open_opposition())
                self._losses = self.learner.update(self.fraction, self.update)
                self.update += 1
                if self._tick:
                    self._tick(Tick(self.update, self.seconds, self.seconds_left, self.decisions))
                due = math.floor(pace(self.fraction) * self.config.evaluations)
                if due > measured or self.update == 1:
                    measured = due
                    self._report(report)
            if self._reported != self.update:
                self._report(report)
        finally:
            if self.update:
                self.save_checkpoint()

    def _report(self, report: Callable[[Losses], object]) -> None:
        if self._losses:
            report(self._losses)
            self._reported = self.update

    def save_checkpoint(self) -> None:
        """Writes everything needed to resume."""
        from lastcard.learning.checkpoint import pack_checkpoint

        made = describe_run(self.config, self.update, self.seconds, str(self.device))
        # `minutes` are rounded for readers; the schedule of a resumed run needs every digit.
        made |= {"seconds": repr(self.seconds), "kind": self.folder.kind}
        if self._losses:
            made["losses"] = json.dumps(dataclasses.asdict(self._losses))
        self.folder.write(CHECKPOINT, pack_checkpoint(self.learner, made))

    def save_network(self, name: str = NETWORK) -> Path:
        """Writes the network as it is now, and a checkpoint."""
        from lastcard.learning.model import export_network

        made = describe_run(self.config, self.update, self.seconds, str(self.device))
        path = self.folder.write(name, export_network(self.learner.player, self.rules, leave_out_folders(made)))
        self.save_checkpoint()
        return path
