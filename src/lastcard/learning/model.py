"""The network in torch: what is trained, and how it becomes a file that the core plays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from lastcard.envs import NUM_ACTIONS, encoding_blocks
from lastcard.network import Tensor as StoredTensor
from lastcard.network import make_metadata, read_safetensors, tensor_names, write_safetensors
from lastcard.rules import Rules

_TYPES = {"F32": torch.float32, "F16": torch.float16}


class PolicyValueNet(nn.Module):
    """A residual network over encoded observations; core/search/network.hpp computes the same."""

    scales: Tensor

    def __init__(self, players: int, hidden: int, blocks: int) -> None:
        super().__init__()
        table = encoding_blocks(players)
        units = [1.0 / block.unit for block in table for _ in range(block.start, block.stop)]
        self.register_buffer("scales", torch.tensor(units), persistent=False)
        self.input = nn.Linear(len(units), hidden)
        self.blocks = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(blocks))
        self.policy = nn.Linear(hidden, NUM_ACTIONS)
        self.value = nn.Linear(hidden, 1)
        # Begin with every action alike and every position even.
        for head in (self.policy, self.value):
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of all actions, and what the position is worth."""
        x = torch.relu(self.input(rows * self.scales))
        for block in self.blocks:
            x = x + torch.relu(block(x))
        return self.policy(x), torch.tanh(self.value(x)).squeeze(-1)


def mask_scores(scores: Tensor, masks: Tensor) -> Tensor:
    """Scores with illegal actions out of reach."""
    return scores.float().masked_fill(masks == 0, -1e9)


def pack(tensors: Mapping[str, Tensor], dtype: str) -> dict[str, StoredTensor]:
    """Tensors as a file holds them."""
    packed = {}
    for name, tensor in tensors.items():
        values = tensor.detach().to("cpu", _TYPES[dtype]).contiguous()
        packed[name] = StoredTensor(dtype, tuple(values.shape), values.numpy().tobytes())
    return packed


def unpack(stored: Mapping[str, StoredTensor]) -> dict[str, Tensor]:
    """What `pack` packed."""
    return {
        name: torch.frombuffer(bytearray(tensor.data), dtype=_TYPES[tensor.dtype]).reshape(tensor.shape)
        for name, tensor in stored.items()
    }


def export_network(model: PolicyValueNet, rules: Rules, made: Mapping[str, str]) -> bytes:
    """The contents of a file for `net:FILE`, in half precision."""
    state = model.state_dict()
    names = tensor_names(len(model.blocks))
    return write_safetensors(make_metadata(rules, made), pack({name: state[name] for name in names}, "F16"))


def import_network(path: Path) -> PolicyValueNet:
    """The network of a file, ready to be trained on or compared."""
    metadata, stored = read_safetensors(path.read_bytes())
    tensors = unpack(stored)
    hidden = tensors["input.bias"].shape[0]
    blocks = sum(name.startswith("blocks.") for name in tensors) // 2
    model = PolicyValueNet(int(metadata["players"]), hidden, blocks)
    model.load_state_dict({name: tensor.float() for name, tensor in tensors.items()})
    return model
