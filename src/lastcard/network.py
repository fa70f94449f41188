"""Networks: files of weights that the core evaluates, without torch.

A file is in the safetensors format (a length, a JSON header, raw numbers); nothing in it is ever executed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import prod
from typing import Any, Final

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.cards import OFFICIAL
from lastcard.errors import AgentError, LastcardError, shorten
from lastcard.files import find_change, read_file
from lastcard.observation import Observation, check_decision
from lastcard.rules import MAX_PLAYERS, Rules, format_rules, parse_rules
from lastcard.shell import command

FORMAT: Final = "lastcard-network"
GAMES: Final = "games"
"""In `trained_for`: the network was trained to win games, and has seen scores."""
ANY: Final = "any"
"""In place of players and rules: the network was trained on tables of all kinds."""
SHIPPED: Final[Mapping[str, Mapping[str, str]]] = {
    "net": {
        "official": "official-2",
        "official players=4": "official-4",
        "family": "family-2",
        "family wild_draw_four=last_resort": "family-2",  # as RLCard plays
        "family players=3": "family-3-4",
        "family players=4": "family-3-4",
        "tournament players=2": "tournament-2",
        ANY: "any",
    },
    "champion": {"official": "champion-3"},
    "advisor": {"official": "advisor-2", "official players=4": "official-4", "family": "family-2", ANY: "any"},
}
"""The files that come with the package, by use and rules; `any` stands for all other rules of the official deck.
`advisor` advises `halving`."""
NETWORK_AGENTS: Final = ("net", "champion")
"""Agents that are a shipped network."""

_WIDTHS: Final = {"F16": 2, "F32": 4}
# Files come from strangers: nothing is allocated before its size is known to be sane.
_MOST_HEADER: Final = 1_000_000
_MOST_BYTES: Final = 256_000_000
_MOST_HIDDEN: Final = 4096
_MOST_BLOCKS: Final = 64
_MOST_DIMENSIONS: Final = 8


@dataclass(frozen=True, slots=True)
class Tensor:
    """A matrix or vector as a file holds it."""

    dtype: str
    """`F16` or `F32`."""
    shape: tuple[int, ...]
    data: bytes


@dataclass(frozen=True)
class Network:
    """A network ready to play.

    >>> network = Network.shipped(Rules.preset("official"))
    >>> network.players, network.hidden > 0
    (2, True)
    """

    players: int | None
    """Number of players it is for; None: any."""
    rules: Rules | None
    """The rules it was trained on; None: many."""
    tables: tuple[Rules, ...]
    """The tables it was trained on; empty: tables of all kinds."""
    hidden: int
    """Width of its layers."""
    blocks: int
    """Residual blocks after the first layer."""
    inputs: int
    """Number of bytes of an encoded observation that it reads: the first ones."""
    made: Mapping[str, str]
    """Parameters of its training, as recorded by the program that trained it."""
    _compiled: _core.Network = field(compare=False, repr=False)
    _data: bytes = field(repr=False)
    """The file it was read from: a pickle holds that."""

    def __reduce__(self) -> tuple[object, ...]:
        return Network.read, (self._data,)

    @classmethod
    def load(cls, path: str) -> Network:
        """Reads a file that `lastcard train` wrote.

        Raises:
            AgentError: if that is no network for this version, naming what is wrong with it.
        """
        return _load(path, find_change(path, AgentError))

    @classmethod
    def shipped(cls, rules: Rules, name: str = "net") -> Network:
        """Returns the network that comes with the package for these rules and this use: see `SHIPPED`.

        Raises:
            AgentError: if there is none.
        """
        stem = find_shipped(rules, name)
        if stem is None:
            train = f"train one with {command('train', '--rules', 'RULES')} and name its file: net:FILE"
            advice = "net plays by them" if is_shipped_for(rules) else train
            raise AgentError(f"{name}: no network is shipped for the rules {shorten(format_rules(rules))}; {advice}")
        return _load_shipped(stem)

    @classmethod
    def find(cls, path: str, rules: Rules, name: str = "net") -> Network:
        """The network of a file, or the one shipped for this use if there is no path; it must be made for the table.

        Raises:
            AgentError: if there is none for these rules.
        """
        if path:
            network = cls.load(path)
            if not network.fits(rules.players):
                raise AgentError(
                    f"net: {shorten(path)} is for {network.players} players, not {rules.players};"
                    " net without a file picks the network for the table"
                )
            return network
        return cls.shipped(rules, name)

    @classmethod
    def read(cls, data: bytes, name: str = "the network") -> Network:
        """Reads the contents of a file.

        Raises:
            AgentError: naming what is wrong with it.
        """
        try:
            metadata, tensors = read_safetensors(data)
            return _build(metadata, tensors, data)
        except AgentError as error:
            raise AgentError(f"{name}: {error}") from None

    def choose(self, observation: Observation) -> Action:
        """The legal action that it scores highest.

        Raises:
            AgentError: if the observation is of another number of players, or the observer has nothing to decide.
        """
        core = self._check(observation)
        check_decision(observation)
        return ACTIONS[_core.choose_by_network(core, self._compiled)]

    def evaluate(self, observation: Observation) -> tuple[float, dict[Action, float]]:
        """Returns the value of the position for the observer, from -1 to 1, and a score for every legal action.

        Raises:
            AgentError: if the observation is of another number of players.

        >>> from lastcard import deal, observe
        >>> rules = Rules.preset("official")
        >>> value, scores = Network.shipped(rules).evaluate(observe(deal(rules, seed=7), seat=0))
        >>> -1 <= value <= 1, len(scores) > 1
        (True, True)
        """
        scores = _core.evaluate_observation(self._compiled, self._check(observation))
        return scores.value, {ACTIONS[action]: score for action, score in scores.actions.items()}

    def fits(self, players: int) -> bool:
        """Returns whether it can play at a table of so many.

        >>> network = Network.shipped(Rules.preset("official"))
        >>> network.fits(2), network.fits(4)
        (True, False)
        """
        return self.players in (None, players)

    def learned(self, rules: Rules) -> bool:
        """Returns whether it was trained on these rules. It can play by others, but may play badly.

        Scoring and the score that ends a game make no difference, except to a network that was trained for games.

        >>> network = Network.shipped(Rules.preset("family"))
        >>> network.learned(Rules.preset("family")), network.learned(Rules.preset("house", players=2))
        (True, False)
        """
        if knows_scores(self.made) and rules.scoring not in ({table.scoring for table in self.tables} or {"winner"}):
            return False
        if not self.tables:
            return rules.deck == OFFICIAL
        return any(_is_same_table(rules, table) for table in self.tables)

    def _check(self, observation: Observation) -> _core.Observation:
        if not isinstance(observation, Observation):
            raise AgentError(f"expected an Observation, not {shorten(observation)}; use observe(state, seat)")
        players = observation.rules.players
        if not self.fits(players):
            raise AgentError(
                f"the network is for {self.players} players, the observation is of {players};"
                " Network.shipped(observation.rules) returns one for that table"
            )
        return observation._core


@lru_cache(maxsize=256)  # asked for every decision
def find_shipped(rules: Rules, name: str = "net") -> str | None:
    """Returns the name of the file that comes with the package for these rules and this use.

    Scoring and the score that ends a game make no difference: who wins a round does not depend on them.

    >>> find_shipped(Rules.preset("official", players=4)), find_shipped(Rules.preset("house", players=5))
    ('official-4', 'any')
    >>> find_shipped(Rules.preset("house"), "champion") is None
    True
    """
    for table, stem in SHIPPED[name].items():
        if table != ANY and _is_same_table(rules, parse_rules(table)):
            return stem
    return SHIPPED[name].get(ANY) if rules.deck == OFFICIAL else None


def _is_same_table(rules: Rules, table: Rules) -> bool:
    return rules == table.replace(target_score=rules.target_score, scoring=rules.scoring)


def is_shipped_for(rules: Rules, name: str = "net") -> bool:
    """Returns whether a network for these rules and this use comes with the package.

    >>> is_shipped_for(Rules.preset("official", players=4), "champion"), is_shipped_for(Rules.preset("house"))
    (False, True)
    """
    return find_shipped(rules, name) is not None


def read_safetensors(data: bytes) -> tuple[dict[str, str], dict[str, Tensor]]:
    """Takes a safetensors file apart: its metadata and its tensors.

    Raises:
        AgentError: unless it is whole and holds nothing but numbers of known types, each byte in just one tensor.
    """
    if len(data) < 8:
        raise AgentError(f"not a safetensors file: {len(data)} bytes")
    size = int.from_bytes(data[:8], "little")
    if size > _MOST_HEADER:
        raise AgentError("not a safetensors file: its header would be too long")
    if len(data) < 8 + size:
        raise AgentError(f"cut short: a header of {size} bytes was announced, {len(data) - 8} are there")
    try:
        header = json.loads(data[8 : 8 + size])
    except (ValueError, RecursionError):
        raise AgentError("not a safetensors file: its header is not JSON") from None
    if not isinstance(header, dict):
        raise AgentError("not a safetensors file: its header is not an object")
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise AgentError("__metadata__ must map names to texts")
    body = data[8 + size :]
    tensors, end = {}, 0
    # By position: a gap or an overlap then shows as a start that is not the end of the tensor before.
    for name, entry in sorted(header.items(), key=_begin):
        tensors[name] = _read_tensor(name, entry, body, end)
        end += len(tensors[name].data)
    if end != len(body):
        raise AgentError(f"{len(body) - end} bytes too many at its end")
    return metadata, tensors


def write_safetensors(metadata: Mapping[str, str], tensors: Mapping[str, Tensor]) -> bytes:
    """Puts a safetensors file together.

    >>> data = write_safetensors({"a": "b"}, {"x": Tensor("F32", (1,), bytes(4))})
    >>> read_safetensors(data) == ({"a": "b"}, {"x": Tensor("F32", (1,), bytes(4))})
    True
    """
    header: dict[str, object] = {"__metadata__": dict(metadata)}
    end = 0
    for name, tensor in tensors.items():
        offsets = [end, end + len(tensor.data)]
        header[name] = {"dtype": tensor.dtype, "shape": list(tensor.shape), "data_offsets": offsets}
        end = offsets[1]
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(tensor.data for tensor in tensors.values())


def make_metadata(rules: Rules | None, made: Mapping[str, str], inputs: int) -> dict[str, str]:
    """Metadata of a network file: format, encoding, rules and training.

    Without rules: for any table, or for those that `made` names as `tables`, with commas between them.
    """
    return {
        **made,
        "format": FORMAT,
        "encoding_version": str(_core.ENCODING_VERSION),
        "inputs": str(inputs),
        "players": str(rules.players) if rules else ANY,
        "rules": format_rules(rules) if rules else ANY,
    }


def tensor_names(blocks: int) -> list[str]:
    """The tensors of a network, in the order in which the core takes them."""
    layers = ["input", *(f"blocks.{i}" for i in range(blocks)), "policy", "value"]
    return [f"{layer}.{part}" for layer in layers for part in ("weight", "bias")]


def _begin(item: tuple[str, Any]) -> int:
    name, entry = item
    offsets = entry.get("data_offsets") if isinstance(entry, dict) else None
    # `type`, not isinstance: JSON's true is an int in Python.
    if not isinstance(offsets, list) or len(offsets) != 2 or not all(type(offset) is int for offset in offsets):
        raise AgentError(f"{shorten(name)} must have two data_offsets")
    return int(offsets[0])


def _read_tensor(name: str, entry: Mapping[str, Any], body: bytes, end: int) -> Tensor:
    dtype, shape, (start, stop) = entry.get("dtype"), entry.get("shape"), entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in _WIDTHS:
        raise AgentError(f"{shorten(name)} must be of type {' or '.join(_WIDTHS)}, not {shorten(dtype)}")
    if not isinstance(shape, list) or not all(type(size) is int and 0 < size <= 2**24 for size in shape):
        raise AgentError(f"{shorten(name)} must have a shape of whole numbers, not {shorten(shape)}")
    if len(shape) > _MOST_DIMENSIONS:  # the product of many would be a number of many thousand digits
        raise AgentError(f"{shorten(name)} must have at most {_MOST_DIMENSIONS} dimensions, not {len(shape)}")
    if start != end or stop - start != prod(shape) * _WIDTHS[dtype]:
        raise AgentError(f"{shorten(name)} must take bytes {end} to {end + prod(shape) * _WIDTHS[dtype]}")
    if stop > len(body):
        raise AgentError(f"cut short: {shorten(name)} should end at byte {stop}, there are {len(body)}")
    return Tensor(dtype, tuple(shape), body[start:stop])


def _build(metadata: Mapping[str, str], tensors: Mapping[str, Tensor], data: bytes) -> Network:
    if metadata.get("format") != FORMAT:
        raise AgentError(f"made for another program: format must be {FORMAT}, not {shorten(metadata.get('format'))}")
    check_encoding(metadata)
    inputs = _read_inputs(metadata)  # first: a file with more inputs may name rules that came later, too
    players = read_players(metadata)
    tables = read_tables(metadata, players)
    rules = tables[0] if players else None
    blocks = sum(1 for name in tensors if re.fullmatch(r"blocks\.[0-9]{1,2}\.bias", name))
    names = tensor_names(blocks)
    for name in names:
        if name not in tensors:
            raise AgentError(f"{name} is missing")
    for name in tensors:
        if name not in names:
            raise AgentError(f"unknown key {shorten(name)}")
    hidden = _check_shapes(tensors, inputs, blocks)
    try:
        stored = [
            _core.StoredTensor(name=name, is_half=tensors[name].dtype == "F16", data=tensors[name].data)
            for name in names
        ]
        compiled = _core.build_network(players or 0, hidden, stored, knows_scores(metadata), knows_lowest(tables))
    except ValueError as error:
        raise AgentError(str(error)) from None
    return Network(players, rules, tables, hidden, blocks, inputs, metadata, compiled, data)


def knows_scores(metadata: Mapping[str, str]) -> bool:
    """Returns whether the network of a file was trained for games; others never saw a score and ignore it."""
    return metadata.get("trained_for") == GAMES


def knows_lowest(tables: Iterable[Rules]) -> bool:
    """Returns whether a network has seen `scoring=lowest` in training; others never did and ignore that input."""
    return any(table.scoring == "lowest" for table in tables)


def check_encoding(metadata: Mapping[str, str]) -> None:
    """Refuses a file that was trained on another version of the encoding.

    Raises:
        AgentError: naming both versions.
    """
    version, known = metadata.get("encoding_version", ""), _core.ENCODING_VERSION
    if version != str(known):
        raise AgentError(
            f"encoding_version must be {known}, not {shorten(version)}; train it again with {command('train')}"
        )


def _read_inputs(metadata: Mapping[str, str]) -> int:
    text, least, known = metadata.get("inputs", ""), _core.LEAST_INPUTS, _core.encoding_blocks()[-1].stop
    if not re.fullmatch(r"[0-9]{1,6}", text) or int(text) < least:
        raise AgentError(
            f"inputs must be from {least} to {known}, not {shorten(text)}; train it again with {command('train')}"
        )
    if int(text) > known:
        raise AgentError(f"made by a later lastcard: it reads {text} inputs, this one writes {known}; upgrade lastcard")
    return int(text)


def read_players(metadata: Mapping[str, str]) -> int | None:
    """Returns the number of players that a file is for; None: any.

    Raises:
        AgentError: if there can be no such network.
    """
    text = metadata.get("players", "")
    if text == ANY:
        return None
    if not re.fullmatch(r"[0-9]{1,2}", text) or not 2 <= int(text) <= MAX_PLAYERS:
        raise AgentError(
            f"players must be from 2 to {MAX_PLAYERS}, not {shorten(text)}; train it again with {command('train')}"
        )
    return int(text)


def _read_rules(metadata: Mapping[str, str], players: int | None) -> Rules | None:
    text = metadata.get("rules", "")
    if players is None and text == ANY:
        return None
    try:
        rules = parse_rules(text)
    except LastcardError as error:
        raise AgentError(f"upgrade lastcard, which cannot read these rules: {error}") from None
    if rules.players != players:
        raise AgentError(f"players is {metadata['players']}, but its rules have {rules.players}")
    return rules


def read_tables(metadata: Mapping[str, str], players: int | None) -> tuple[Rules, ...]:
    """Returns the tables that a network was trained on; none: tables of all kinds.

    Raises:
        AgentError: if this package has no such rules.
    """
    rules = _read_rules(metadata, players)
    if rules:
        return (rules,)
    try:
        return tuple(parse_rules(text) for text in metadata.get("tables", "").split(",") if text.strip())
    except LastcardError as error:
        raise AgentError(f"upgrade lastcard, which cannot read these tables: {error}") from None


def _check_shapes(tensors: Mapping[str, Tensor], inputs: int, blocks: int) -> int:
    if blocks > _MOST_BLOCKS:
        raise AgentError(f"must have at most {_MOST_BLOCKS} blocks, not {blocks}")
    first = tensors["input.weight"].shape
    if len(first) != 2 or not 1 <= first[0] <= _MOST_HIDDEN:
        raise AgentError(f"input.weight must have a shape such as (512, {inputs}), not {first}")
    hidden = first[0]
    wanted = {"input": (hidden, inputs), "policy": (_core.NUM_ACTIONS, hidden), "value": (1, hidden)}
    for name, tensor in tensors.items():
        layer, _, part = name.rpartition(".")
        rows, columns = wanted.get(layer, (hidden, hidden))
        shape = (rows, columns) if part == "weight" else (rows,)
        if tensor.shape != shape:
            raise AgentError(f"{name} must have the shape {shape}, not {tensor.shape}")
    return hidden


@cache
def _load(path: str, _changed: int) -> Network:
    try:
        data = read_file(path, AgentError, _MOST_BYTES)
    except AgentError as error:
        raise AgentError(f"net: {error}") from None
    return Network.read(data, f"net: {shorten(path)}")


@cache
def _load_shipped(stem: str) -> Network:
    return Network.read(shipped_file(stem).read_bytes(), f"net: the shipped {stem}.safetensors")


def shipped_file(stem: str) -> Traversable:
    """The file of a shipped network: a value of `SHIPPED`."""
    return files("lastcard").joinpath("networks", f"{stem}.safetensors")
