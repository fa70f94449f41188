"""Options of agents, as dataclasses: given by name, in text as well, and checked by the limits that the core states.

Those of beliefs and searches stand in the tables of core/search, from which the build makes `lastcard._configs`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, overload

from lastcard.errors import AgentError, require, require_float, require_int, shorten
from lastcard.network import Network, is_shipped_for
from lastcard.rules import Rules
from lastcard.weights import Weights

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Value = TypeVar("_Value")
_Config = TypeVar("_Config")


def option(default: _Value, told: str) -> _Value:
    """Declares a field of a config with its default and its help."""
    return dataclasses.field(default=default, metadata={"help": told})


class Options:
    """A config that the core knows as a record."""

    RECORD: ClassVar[Any]
    """The core's struct."""

    def __post_init__(self) -> None:
        """Checks every option.

        Raises:
            AgentError: naming the option, what was read and what was expected.
        """
        for name, (_, limits, _) in self.RECORD.OPTIONS.items():
            # The kind of a belief is called `belief`, as in the text of an agent.
            own = type(self).__name__.removesuffix("Config").lower() if name == "kind" else name
            _check_option(own, getattr(self, name), limits)

    def compile(self, rules: Rules) -> Any:
        """Returns the core's record for these rules."""
        return self.RECORD(**self.resolve(rules))

    def resolve(self, rules: Rules) -> dict[str, Any]:
        """Returns the core's fields, with everything that comes from a file, a network or the rules."""
        values = {name: getattr(self, name) for name in self.RECORD.OPTIONS}
        for name, value in values.items():
            if isinstance(value, Options):
                values[name] = value.compile(rules)
            elif name == "weights":
                values[name] = Weights.named(value, rules.players).values
            elif name == "advisor":
                is_network = value == "network" and is_shipped_for(rules, "advisor")
                values[name] = Network.shipped(rules, "advisor")._compiled if is_network else None
        return values


def list_options(config: DataclassInstance | type[DataclassInstance]) -> dict[str, Any]:
    """Returns each option with its value, or of a type with its default, by the name that it has in text.

    The options of a nested config are among them; its `kind` goes by the name of its field.
    """
    return {name: value for name, value, _ in _walk(config)}


def option_help(config: type[DataclassInstance]) -> dict[str, str]:
    """Returns the help of each option: `help` in the metadata of its field.

    >>> from lastcard.search import HalvingConfig
    >>> option_help(HalvingConfig)["simulations"]
    'Simulations per decision, shared by all actions.'
    """
    require("config", config, type, AgentError)
    return {name: told for name, _, told in _walk(config)}


@overload
def set_options(config: type[_Config], options: Mapping[str, object]) -> _Config: ...
@overload
def set_options(config: _Config, options: Mapping[str, object]) -> _Config: ...
def set_options(config: Any, options: Mapping[str, object]) -> Any:
    """Returns the config, or the default of that type, with options changed that are named as in text."""
    given: dict[str, Any] = {}
    for field, value in _list_fields(config):
        if dataclasses.is_dataclass(value):
            inner = {own.name: field.name if own.name == "kind" else own.name for own in dataclasses.fields(value)}
            if changes := {own: options[name] for own, name in inner.items() if name in options}:
                given[field.name] = dataclasses.replace(value, **changes)  # type: ignore[type-var]
        elif field.name in options:
            given[field.name] = options[field.name]
    return config(**given) if isinstance(config, type) else dataclasses.replace(config, **given)


def highest(record: Any, name: str) -> Any:
    """Returns the most that an option may be."""
    return record.OPTIONS[name][1][1]


def _list_fields(config: Any) -> Iterator[tuple[dataclasses.Field[Any], Any]]:
    for field in dataclasses.fields(config):
        yield field, field.default if isinstance(config, type) else getattr(config, field.name)


def _walk(config: Any, outer: str = "") -> Iterator[tuple[str, Any, str]]:
    """Yields the name, value and help of each option."""
    for field, value in _list_fields(config):
        if dataclasses.is_dataclass(value):
            yield from _walk(value, field.name)
        else:
            yield outer if outer and field.name == "kind" else field.name, value, field.metadata.get("help", "")


def _check_option(name: str, value: object, limits: Any) -> None:
    """Checks a value by its limits or words, the record that it is, or None for a file of weights."""
    if isinstance(limits, type):
        if not isinstance(value, Options) or value.RECORD is not limits:
            wanted = limits.__name__.replace("Settings", "Config")
            raise AgentError(f"{name} must be a {wanted}, not {shorten(value)}")
    elif limits is None:
        if not isinstance(value, str):
            raise AgentError(f"{name} must be the name of a file, not {shorten(value)}")
        if value:
            Weights.load(value)
    elif isinstance(limits[0], bool):
        if not isinstance(value, bool):
            raise AgentError(f"{name} must be True or False, not {shorten(value)}")
    elif isinstance(limits[0], str):
        if value not in limits:
            wanted = " or ".join(limits) if len(limits) == 2 else f"one of {', '.join(limits)}"
            raise AgentError(f"{name} must be {wanted}, not {shorten(value)}")
    elif isinstance(limits[0], int):
        require_int(name, value, limits[0], limits[1], AgentError)
    else:
        require_float(name, value, limits[0], limits[1], AgentError)
