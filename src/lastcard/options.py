"""Options of beliefs and searches: checked by the limits that the core states, and handed to the core by name.

An option is one line of a table in core/search, with its type and limits, and one field of a config, with its default
and help. A field that only one side has is an error here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from typing import Any, ClassVar, TypeVar

from lastcard.errors import AgentError, require_float, require_int, shorten
from lastcard.rules import Rules

_Record = TypeVar("_Record")


class CoreOptions:
    """A config that the core knows as a record."""

    RECORD: ClassVar[type[Any]]
    """The core's struct."""
    TRANSLATED: ClassVar[tuple[str, ...]] = ()
    """Options that the core knows in another form."""

    def __post_init__(self) -> None:
        """Checks every option that is not translated.

        Raises:
            AgentError: naming the option, what was read and what was expected.
            TypeError: if the core has no such field.
        """
        limits = _flatten(self.RECORD)
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            if field.name in self.TRANSLATED:
                continue
            if field.name not in limits:
                raise TypeError(
                    f"{type(self).__name__} has the option {field.name}, but the core's {self.RECORD.__name__} has no"
                    " such field: add it to the table in core/search"
                )
            _check_option(field.name, getattr(self, field.name), limits[field.name])

    def translate(self, rules: Rules) -> dict[str, object]:
        """Returns the core's fields that are no options of the same name."""
        return {}

    def compile(self, rules: Rules) -> Any:
        """Returns the core's record for these rules.

        Raises:
            TypeError: if the core has a field that the config lacks.
        """
        return fill_record(self.RECORD, self, self.translate(rules))


def fill_record(record: type[_Record], config: object, translated: Mapping[str, object]) -> _Record:
    """Makes a record of the core from the options of a config, and from what they are translated to.

    Raises:
        TypeError: if the core has a field that the config lacks.
    """
    values: dict[str, object] = {}
    for name, limits in _fields(record).items():
        if name in translated:
            values[name] = translated[name]
        elif isinstance(limits, type):
            values[name] = fill_record(limits, config, translated)
        elif hasattr(config, name):
            values[name] = getattr(config, name)
        else:
            raise TypeError(
                f"the core's {record.__name__} has the field {name}, but {type(config).__name__} has no such option:"
                " add it there, with its default and help"
            )
    return record(**values)


def require_choice(name: str, value: object, choices: Collection[str]) -> None:
    """Refuses a value that is none of the words.

    Raises:
        AgentError: naming the option, what was read and what was expected.
    """
    if value not in choices:
        wanted = " or ".join(choices) if len(choices) == 2 else f"one of {', '.join(choices)}"
        raise AgentError(f"{name} must be {wanted}, not {shorten(value)}")


def highest(record: type[Any], option: str) -> Any:
    """Returns the most that an option may be."""
    return _flatten(record)[option][1]


def _fields(record: type[Any]) -> dict[str, Any]:
    """Returns what the core knows of each field: limits, words, another record, or None."""
    fields: dict[str, Any] = record.FIELDS
    return fields


def _flatten(record: type[Any]) -> dict[str, Any]:
    """Limits of the options in a record and in the records that it holds."""
    limits: dict[str, Any] = {}
    for name, known in _fields(record).items():
        if isinstance(known, type):
            limits.update(_flatten(known))
        elif known is not None:
            limits[name] = known
    return limits


def _check_option(name: str, value: object, limits: tuple[Any, ...]) -> None:
    if isinstance(limits[0], bool):
        if not isinstance(value, bool):
            raise AgentError(f"{name} must be True or False, not {shorten(value)}")
    elif isinstance(limits[0], str):
        require_choice(name, value, limits)
    elif isinstance(limits[0], int):
        require_int(name, value, limits[0], limits[1], AgentError)
    else:
        require_float(name, value, limits[0], limits[1], AgentError)
