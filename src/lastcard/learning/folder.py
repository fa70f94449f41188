"""Files of a training run: checkpoints to resume from, networks to play with, the learning curve."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lastcard.errors import AgentError
from lastcard.files import check_path, read_file, write_file
from lastcard.learning.config import TrainConfig, format_rivals
from lastcard.network import GAMES, Tensor, read_safetensors

CHECKPOINT: Final = "checkpoint.safetensors"
NETWORK: Final = "network.safetensors"
"""The network to play with: of the last measurement, or the best response."""
RUNS: Final = "runs.json"
"""Best responses that are trained in folders below."""
CURVE: Final = "curve.jsonl"
PLOT: Final = "curve.png"
CHECKPOINT_FORMAT: Final = "lastcard-checkpoint"


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder of a run."""

    path: Path
    kind: str = "train"
    """The command that trains in it: `train` or `exploit`. A run is resumed by the same one only."""

    def prepare(self, resume: bool) -> None:
        """Makes the folder, and refuses to write over another run.

        Raises:
            AgentError: if it cannot be made, there is a run already, or none of this kind to resume.
        """
        check_path(self.path, AgentError)
        if resume:
            self._check_kind()
            return
        if (self.path / CHECKPOINT).exists() or (self.path / RUNS).exists():
            raise AgentError(f"{self.path} already holds a run: continue it with --resume, or choose another folder")
        self.make()
        (self.path / CURVE).unlink(missing_ok=True)

    def make(self) -> None:
        """Makes the folder, unless it is there.

        Raises:
            AgentError: naming it, if it cannot be made.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise AgentError(f"cannot make the folder {self.path}: {error.strerror}") from None

    def _check_kind(self) -> None:
        """Makes sure that the run is of this kind."""
        _, metadata, _ = self.read_checkpoint()
        if metadata["kind"] != self.kind:
            raise AgentError(
                f"{self.path} holds a run of lastcard {metadata['kind']}, not of lastcard {self.kind};"
                " choose another folder"
            )

    def read_checkpoint(self) -> tuple[TrainConfig, dict[str, str], dict[str, Tensor]]:
        """The training that wrote the checkpoint, its metadata and its tensors.

        Raises:
            AgentError: if there is none, or naming it, if it is damaged.
        """
        path = self.path / CHECKPOINT
        if not path.exists():
            raise AgentError(f"{self.path} holds no run to resume: there is no {CHECKPOINT}")
        data = read_file(path, AgentError)
        try:
            metadata, stored = read_safetensors(data)
            if metadata.get("format") != CHECKPOINT_FORMAT:
                raise AgentError(f"format must be {CHECKPOINT_FORMAT}")
            return TrainConfig.from_dict(json.loads(metadata["config"])), metadata, stored
        except (ValueError, KeyError) as error:
            start = f" with --start {self.path / NETWORK}" if (self.path / NETWORK).exists() else ""
            raise AgentError(f"{path} cannot be resumed: {error}; begin a new run in another folder{start}") from None

    def resume_config(self, given: Mapping[str, Any]) -> TrainConfig:
        """The training of the checkpoint, with `TrainConfig.change`.

        Raises:
            AgentError: if there is no checkpoint, or naming the parameter that is impossible.
        """
        return self.read_checkpoint()[0].change(given)

    def write(self, name: str, data: bytes) -> Path:
        """Writes a file whole or not at all.

        Raises:
            AgentError: naming the file, if it cannot be written.
        """
        write_file(self.path / name, data, AgentError)
        return self.path / name

    def add_to_curve(self, point: Mapping[str, Any]) -> None:
        """Adds a line to the learning curve.

        Raises:
            AgentError: naming the file, if it cannot be written.
        """
        path = self.path / CURVE
        # Written whole instead of appended to: a run that is killed leaves no half line.
        before = read_file(path, AgentError) if path.exists() else b""
        write_file(path, before + f"{json.dumps(point)}\n".encode(), AgentError)

    def read_curve(self) -> list[dict[str, Any]]:
        """Every point of the learning curve so far.

        Raises:
            AgentError: naming the file and the line that is damaged.
        """
        path = self.path / CURVE
        points = []
        for number, line in enumerate(read_file(path, AgentError).splitlines() if path.exists() else [], start=1):
            try:
                points.append(json.loads(line))
            except ValueError:
                raise AgentError(f"{path}: line {number} is damaged; remove it, then resume") from None
        return points


def describe_run(config: TrainConfig, update: int, seconds: float, device: str) -> dict[str, str]:
    """Training metadata of a run: enough to repeat it."""
    return {
        "made_by": "lastcard train",
        "recipe": config.recipe,
        "seed": str(config.seed),
        "minutes": f"{seconds / 60:.1f}",
        "trained_for": GAMES if config.games else "rounds",
        "config": json.dumps(config.to_dict(), sort_keys=True),
        "updates": str(update),
        "device": device,
    }


def leave_out_folders(made: Mapping[str, str]) -> dict[str, str]:
    """The metadata as a network's file has it: other networks are named without the folders of this machine.

    >>> made = describe_run(TrainConfig(start="runs/main.safetensors", rivals="runs/b.safetensors=0.5"), 1, 1.0, "cpu")
    >>> json.loads(leave_out_folders(made)["config"])["rivals"]
    'b.safetensors=0.5'
    """
    fields = json.loads(made["config"])
    fields["start"] = Path(fields["start"]).name
    shares = TrainConfig.from_dict(fields).rival_shares()
    fields["rivals"] = format_rivals((Path(name).name, share) for name, share in shares.items())
    return {**made, "config": json.dumps(fields, sort_keys=True)}
