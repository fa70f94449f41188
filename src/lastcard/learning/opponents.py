"""Opponents of a learner: itself, fixed policies and frozen networks, each in a share of the rounds."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import as_file
from pathlib import Path

import torch

from lastcard.errors import AgentError
from lastcard.learning.config import TrainConfig
from lastcard.learning.environments import Environment, MixedEnvironment, PaddedEnvironment, open_environment
from lastcard.learning.model import PolicyValueNet, import_network
from lastcard.learning.tables import draw_tables
from lastcard.network import NETWORK_AGENTS, Network, find_shipped, shipped_file
from lastcard.rules import Rules
from lastcard.seeds import split_seed


@dataclass(frozen=True, slots=True)
class Rival:
    """A frozen network and the environments in which it plays all seats but the learner's."""

    where: slice
    network: PolicyValueNet


@dataclass(frozen=True, slots=True)
class Opposition:
    """The environments to learn in, and the networks that play in some of them."""

    env: Environment
    rivals: tuple[Rival, ...] = ()


def open_opposition(device: torch.device, num_envs: int, seed: int, config: TrainConfig) -> Opposition:
    """Self-play, and shares of the rounds against frozen networks and fixed policies.

    Raises:
        AgentError: if a network's file cannot be read or is for another table.
    """
    if config.tables:
        return Opposition(MixedEnvironment(_open_tables(device, num_envs, seed, config)))
    rules = config.compiled_rules()
    parts, own = _open_parts(device, num_envs, rules, seed, config)
    rivals, first = [], 0
    for name, share in config.rival_shares().items():
        stop = min(first + round(share * num_envs), own)
        network = load_frozen(name, rules).to(device)
        rivals.append(Rival(slice(first, stop), network))
        first = stop
    return Opposition(parts[0] if len(parts) == 1 else MixedEnvironment(parts), tuple(rivals))


def _open_tables(device: torch.device, num_envs: int, seed: int, config: TrainConfig) -> list[Environment]:
    """Opens the same number of environments at every table."""
    opened: list[Environment] = []
    tables = draw_tables(config.tables, seed)
    for number, rules in enumerate(tables):
        count = num_envs * (number + 1) // len(tables) - num_envs * number // len(tables)
        own_seed = split_seed(seed, "round", number) % 2**64
        parts, _ = _open_parts(device, count, rules, own_seed, config)
        opened += [PaddedEnvironment(part, rules.players, device) for part in parts]
    return opened


def _open_parts(
    device: torch.device, num_envs: int, rules: Rules, seed: int, config: TrainConfig
) -> tuple[list[Environment], int]:
    """Environments at one table, those of self-play first, and how many those are."""
    counts = {"random": round(config.random_share * num_envs), "heuristic": round(config.heuristic_share * num_envs)}
    # Both shares may have been rounded up.
    counts["heuristic"] = min(counts["heuristic"], num_envs - counts["random"])
    own = num_envs - sum(counts.values())
    # The environments of self-play and of networks are one, so that one step serves all of them.
    parts = [open_environment(device, own, rules, seed, None, config.threads, games=config.games)] if own else []
    for label, (policy, count) in enumerate(counts.items(), start=1):
        if count:
            # A seed for each part, or all parts would play the same deals.
            part_seed = split_seed(seed, "agent", label) % 2**64
            env = open_environment(device, count, rules, part_seed, policy, config.threads, games=config.games)
            parts.append(env)
    return parts, own


def load_start(name: str, rules: Rules | None) -> PolicyValueNet:
    """The network of a file, or the shipped one for `net` or `champion`, that reads the rows that training writes.

    Without rules, for all tables: only the file of such a network will do.

    Raises:
        AgentError: if the file cannot be read or is for another number of players.
    """
    if rules is None:
        if name in NETWORK_AGENTS or Network.load(name).players is not None:
            raise AgentError(f"start must be the file of a network for all tables, not {name}")
        return import_network(Path(name))
    if name in NETWORK_AGENTS:
        Network.shipped(rules, name)  # checks that there is one
        with as_file(shipped_file(find_shipped(rules, name) or "")) as path:
            return import_network(path)
    Network.find(name, rules)  # checks everything and says what is wrong
    return import_network(Path(name))


def load_frozen(name: str, rules: Rules) -> PolicyValueNet:
    """Like `load_start`, but never trained."""
    return load_start(name, rules).requires_grad_(False)


def check_shape(model: PolicyValueNet, config: TrainConfig) -> None:
    """Makes sure that a network has the shape that the training asks for.

    Raises:
        AgentError: naming the parameter that differs.
    """
    for name, value in (("hidden", model.input.out_features), ("blocks", len(model.blocks))):
        if getattr(config, name) != value:
            raise AgentError(f"{name} must be {value}, as in {config.start}, not {getattr(config, name)}")
