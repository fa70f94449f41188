"""Files of a training run: checkpoints to resume from, networks to play with, the learning curve."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lastcard.errors import AgentError
from lastcard.files import check_path, read_file, write_file
from lastcard.learning.config import TrainConfig
from lastcard.network import GAMES

CHECKPOINT: Final = "checkpoint.safetensors"
LATEST: Final = "latest.safetensors"
"""The network as it was when last measured."""
PROMOTED: Final = "network.safetensors"
"""The last network that won its match: the one to play with."""
CURVE: Final = "curve.jsonl"
PLOT: Final = "curve.png"
CHECKPOINT_FORMAT: Final = "lastcard-checkpoint"


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder of a run."""

    path: Path

    def prepare(self, resume: bool) -> None:
        """Makes the folder, and refuses to write over another run.

        Raises:
            AgentError: if it cannot be made, there is a run already, or none to resume.
        """
        check_path(self.path, AgentError)
        has_run = (self.path / CHECKPOINT).exists()
        if has_run and not resume:
            raise AgentError(f"{self.path} already holds a run: continue it with --resume, or choose another folder")
        if resume and not has_run:
            raise AgentError(f"{self.path} holds no run to resume: there is no {CHECKPOINT}")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise AgentError(f"cannot make the folder {self.path}: {error.strerror}") from None
        if not resume:
            (self.path / CURVE).unlink(missing_ok=True)

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
        """Every point of the learning curve so far."""
        path = self.path / CURVE
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def describe_run(config: TrainConfig, update: int, seconds: float, device: str) -> dict[str, str]:
    """Training metadata of a run: enough to repeat it."""
    return {
        "made_by": "lastcard train",
        "trained_for": GAMES if config.games else "rounds",
        "config": json.dumps(config.to_dict(), sort_keys=True),
        "updates": str(update),
        "seconds": f"{seconds:.0f}",
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
    fields["rivals"] = ",".join(part.rpartition("/")[2] for part in fields["rivals"].split(","))
    return {**made, "config": json.dumps(fields, sort_keys=True)}
