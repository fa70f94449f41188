"""The network in torch: what is trained, and how it becomes a file that the core plays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from lastcard import _core
from lastcard.envs import ENCODING_SIZE, NUM_ACTIONS, encoding_blocks
from lastcard.network import Tensor as StoredTensor
from lastcard.network import (
    check_encoding,
    knows_lowest,
    knows_scores,
    make_metadata,
    read_players,
    read_safetensors,
    read_tables,
    tensor_names,
    write_safetensors,
)
from lastcard.rules import Rules

_TYPES = {"F32": torch.float32, "F16": torch.float16}
_FACES = 54
_COPIES = 2.0
"""Copies of most faces; a critic's inputs about hidden hands are divided by it."""
_BITS = 9
"""Bits of a weight in a file, with its sign. A network plays as well with them, and its file packs to half the size."""


class Trunk(nn.Module):
    """The layers below the heads: bytes in, features out."""

    scales: Tensor

    def __init__(self, scales: Tensor, hidden: int, blocks: int) -> None:
        super().__init__()
        self.register_buffer("scales", scales, persistent=False)
        self.input = nn.Linear(len(scales), hidden)
        self.blocks = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(blocks))

    def features(self, rows: Tensor) -> Tensor:
        """Shared body of the heads."""
        # Bytes are exact in every floating type, so the weights are scaled and the rows only converted.
        is_half = rows.is_cuda and torch.is_autocast_enabled("cuda")
        numbers = rows.to(torch.get_autocast_dtype("cuda") if is_half else torch.float32)
        x = torch.relu(nn.functional.linear(numbers, self.input.weight * self.scales, self.input.bias))
        for block in self.blocks:
            x = x + torch.relu(block(x))
        return x


class PolicyValueNet(Trunk):
    """A residual network over encoded observations; core/search/network.hpp computes the same."""

    def __init__(self, players: int | None, hidden: int, blocks: int) -> None:
        super().__init__(input_scales(), hidden, blocks)
        self.players = players
        self.policy = nn.Linear(hidden, NUM_ACTIONS)
        self.value = nn.Linear(hidden, 1)
        # Begin with every action alike and every position even.
        for head in (self.policy, self.value):
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of all actions, and what the position is worth."""
        x = self.features(rows)
        return self.policy(x), torch.tanh(self.value(x)).squeeze(-1)


class Critic(Trunk):
    """A critic that sees all hands: it helps in training and never plays."""

    def __init__(self, players: int, hidden: int, blocks: int) -> None:
        others = torch.full((_FACES * (players - 1),), 1 / _COPIES)
        super().__init__(torch.cat([input_scales(), others]), hidden, blocks)
        self.value = nn.Linear(hidden, 1)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, rows: Tensor, hidden: Tensor) -> Tensor:
        """Value of the position for the seat to act."""
        return torch.tanh(self.value(self.features(torch.cat([rows, hidden], dim=-1)))).squeeze(-1)


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
    """Unpacks the result of `pack`."""
    return {
        name: torch.frombuffer(bytearray(tensor.data), dtype=_TYPES[tensor.dtype]).reshape(tensor.shape)
        for name, tensor in stored.items()
    }


def round_weights(weights: Tensor) -> Tensor:
    """The weights of a layer with nine bits each: every row in steps of its own power of two.

    >>> round_weights(torch.tensor([[1.0, 0.3331, -0.001]]))
    tensor([[1.0000, 0.3320, -0.0000]])
    """
    most = weights.abs().amax(dim=1, keepdim=True).clamp(min=2.0**-14)
    steps = torch.exp2(torch.ceil(torch.log2(most)) - (_BITS - 1))
    return torch.round(weights / steps) * steps


def export_network(model: PolicyValueNet, rules: Rules | None, made: Mapping[str, str]) -> bytes:
    """The contents of a file for `net:FILE`, in half precision. Without rules: for any table."""
    state = {
        name: round_weights(tensor) if name.startswith(("input.weight", "blocks.")) and tensor.dim() == 2 else tensor
        for name, tensor in model.state_dict().items()
    }
    metadata = make_metadata(rules, made, model.input.in_features)
    names = tensor_names(len(model.blocks))
    return write_safetensors(metadata, pack({name: state[name] for name in names}, "F16"))


def import_network(path: Path) -> PolicyValueNet:
    """The network of a file, ready to be trained on or compared: inputs that it does not know are 0."""
    metadata, stored = read_safetensors(path.read_bytes())
    tensors = {name: tensor.float() for name, tensor in unpack(stored).items()}
    check_encoding(metadata)
    players = read_players(metadata)
    weights = tensors["input.weight"]
    widened = torch.zeros(len(weights), ENCODING_SIZE)
    widened[:, : weights.shape[1]] = weights
    if not knows_scores(metadata):
        widened[:, score_columns()] = 0  # as the core does
    if not knows_lowest(read_tables(metadata, players)):
        widened[:, scoring_column()] = 0
    tensors["input.weight"] = widened
    blocks = sum(name.startswith("blocks.") for name in tensors) // 2
    model = PolicyValueNet(players, len(weights), blocks)
    model.load_state_dict(tensors)
    return model


def score_columns() -> list[int]:
    """Inputs that say something about scores."""
    blocks = (block for block in encoding_blocks() if block.name in ("score", "score_share"))
    return [column for block in blocks for column in range(block.start, block.stop)]


def scoring_column() -> int:
    """The input that says that the lowest score wins."""
    [switches] = (block for block in encoding_blocks() if block.name == "switches")
    return switches.start + int(_core.SCORING_SWITCH)


def input_scales() -> Tensor:
    """Factors of the bytes of a row."""
    return torch.tensor([1.0 / block.unit for block in encoding_blocks() for _ in range(block.start, block.stop)])
