"""Checkpoints: everything needed to resume training, in one file without code."""

from __future__ import annotations

import torch
from torch import Tensor

from lastcard.envs import ENCODING_SIZE
from lastcard.errors import AgentError
from lastcard.learning.config import TrainConfig
from lastcard.learning.folder import CHECKPOINT, CHECKPOINT_FORMAT, NETWORK, Folder
from lastcard.learning.model import pack, unpack
from lastcard.learning.ppo import Learner
from lastcard.network import write_safetensors

_MOMENTS = ("exp_avg", "exp_avg_sq")


def pack_checkpoint(learner: Learner, made: dict[str, str]) -> bytes:
    """Contents of a checkpoint; `made` holds the progress of the training."""
    tensors: dict[str, Tensor] = {}
    for part, module in _modules(learner).items():
        tensors |= {f"{part}.{name}": value for name, value in module.state_dict().items()}
    for name, parameter in _parameters(learner).items():
        for moment in _MOMENTS:
            if parameter in learner.optimizer.state:
                tensors[f"{moment}.{name}"] = learner.optimizer.state[parameter][moment]
    return write_safetensors({**made, "format": CHECKPOINT_FORMAT}, pack(tensors, "F32"))


def read_checkpoint(folder: Folder, config: TrainConfig) -> tuple[dict[str, str], dict[str, Tensor]]:
    """Metadata of a checkpoint, and its tensors.

    Raises:
        AgentError: if it is of another kind of run, or reads other rows than this version writes.
    """
    before, metadata, stored = folder.read_checkpoint()
    path = folder.path / CHECKPOINT
    for name in ("rules", "players", "tables", "games", "hidden", "blocks", "critic"):
        if getattr(before, name) != getattr(config, name):
            old, new = getattr(before, name), getattr(config, name)
            raise AgentError(f"{path}: {name} was {old}, not {new}; a resumed run keeps its settings")
    inputs, written = stored["model.input.weight"].shape[1], ENCODING_SIZE
    if inputs != written:
        raise AgentError(
            f"{path}: its network reads {inputs} bytes of a row, this version writes {written};"
            f" begin a new run with --start {folder.path / NETWORK}"
        )
    return metadata, unpack(stored)


def restore_learner(learner: Learner, stored: dict[str, Tensor], gradient_steps: int) -> None:
    """Brings a learner to where a checkpoint was written.

    A run that kept no mean before begins one with the weights as they are.
    """
    for part, module in _modules(learner).items():
        state = {name.removeprefix(f"{part}."): value for name, value in stored.items() if name.startswith(f"{part}.")}
        module.load_state_dict(state or learner.model.state_dict())
    for name, parameter in _parameters(learner).items():
        if f"exp_avg.{name}" in stored:
            moments = {moment: stored[f"{moment}.{name}"].to(learner.device).clone() for moment in _MOMENTS}
            # Adam corrects its moments by the number of steps, which is not stored since it follows from the updates.
            learner.optimizer.state[parameter] = {"step": torch.tensor(float(gradient_steps)), **moments}


def _modules(learner: Learner) -> dict[str, torch.nn.Module]:
    parts = {"model": learner.model, "mean": learner.mean, "reference": learner.reference, "critic": learner.critic}
    return {name: module for name, module in parts.items() if module is not None}


def _parameters(learner: Learner) -> dict[str, torch.nn.Parameter]:
    """Everything that the optimizer moves."""
    named = dict(learner.model.named_parameters())
    if learner.critic is not None:
        named |= {f"critic.{name}": parameter for name, parameter in learner.critic.named_parameters()}
    return named
