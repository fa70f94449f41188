"""The engine protocol, version 1: every line, read and written. Nothing here runs or waits for a program.

A line is a command word and its argument: a word, a number, or JSON. `parse_command` reads lines from the table,
`parse_reply` lines from the engine, `format_line` writes either. docs/reference/engine-protocol.md explains
each line.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from lastcard.actions import Action, parse_action
from lastcard.errors import LastcardError, shorten
from lastcard.rules import Rules
from lastcard.search.report import ActionValue, SearchReport

VERSION: Final = 1
MAX_COMMAND: Final = 4_194_304
"""Maximum bytes of a line from the table, including its end; a position contains a whole round."""
MAX_REPLY: Final = 65_536
"""Bytes in a line from the engine, its end included."""
MAX_NAME: Final = 60
MAX_ERROR: Final = 500
MOST_SIMULATIONS: Final = 10**12
MOST_SECONDS: Final = 86_400.0
MOST_OPTIONS: Final = 100
OPTION_TYPES: Final[Mapping[str, type]] = {"bool": bool, "int": int, "float": float, "text": str}

OptionValue: TypeAlias = bool | int | float | str


class ProtocolError(LastcardError):
    """A line is not of the protocol."""


@dataclass(frozen=True, slots=True)
class Hello:
    """`lastcard 1`: the version; the table's first line, and the engine's last of its introduction."""

    version: int = VERSION


@dataclass(frozen=True, slots=True)
class Name:
    """`name NAME`: who the engine is."""

    name: str


@dataclass(frozen=True, slots=True)
class Option:
    """`option JSON`: something that can be set."""

    name: str
    type: str
    default: OptionValue
    help: str = ""


@dataclass(frozen=True, slots=True)
class SetOption:
    """`set NAME VALUE`: the value as JSON."""

    name: str
    value: OptionValue


@dataclass(frozen=True, slots=True)
class Ready:
    """`ready`: a question from the table; the same word is the answer, once all before it is done."""


@dataclass(frozen=True, slots=True)
class NewRound:
    """`new RULES`: another round, under these rules."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class Position:
    """`position JSON`: what the engine's seat knows; `read_position` makes an observation of it."""

    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Go:
    """`go`, `go simulations N` or `go seconds S`: choose an action; without a budget, by the engine's own."""

    simulations: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """`stop`: answer now."""


@dataclass(frozen=True, slots=True)
class Quit:
    """`quit`: leave."""


@dataclass(frozen=True, slots=True)
class Info:
    """`info JSON`: how far the choice has come."""

    simulations: int
    seconds: float
    actions: tuple[ActionValue, ...]

    @classmethod
    def of(cls, report: SearchReport) -> Info:
        """Progress report of a search."""
        rounded = (
            ActionValue(value.action, value.simulations, round(value.value, 6), round(value.error, 6))
            for value in report.actions
        )
        return cls(report.simulations, round(report.seconds, 6), tuple(rounded))


@dataclass(frozen=True, slots=True)
class Best:
    """`best ACTION`: the engine's choice."""

    action: Action


@dataclass(frozen=True, slots=True)
class Failure:
    """`error TEXT`: the engine cannot execute the command."""

    text: str


Command: TypeAlias = Hello | SetOption | Ready | NewRound | Position | Go | Stop | Quit
Reply: TypeAlias = Hello | Name | Option | Ready | Info | Best | Failure


def parse_command(line: str) -> Command:
    """Reads a line from a table.

    Raises:
        ProtocolError: saying what was read and what was expected.

    >>> parse_command("go seconds 0.5")
    Go(simulations=None, seconds=0.5)
    """
    return _parse(line, _COMMANDS, MAX_COMMAND)  # type: ignore[no-any-return]


def parse_reply(line: str) -> Reply:
    """Reads a line from an engine.

    Raises:
        ProtocolError: saying what was read and what was expected.

    >>> parse_reply("best w:g").action.color
    <Color.GREEN: 2>
    """
    return _parse(line, _REPLIES, MAX_REPLY)  # type: ignore[no-any-return]


def format_line(message: Command | Reply) -> str:
    """Writes a line, without its end, so that it is read back as an equal message.

    Raises:
        ProtocolError: if the message cannot be written in a line.

    >>> format_line(Go(simulations=500)), format_line(SetOption("weights", "mine.json"))
    ('go simulations 500', 'set weights "mine.json"')
    """
    write = _WRITERS.get(type(message))
    if write is None:
        raise ProtocolError(f"expected a line of the engine protocol, not {shorten(message)}")
    line = " ".join(write(message))
    most = MAX_COMMAND if type(message) in _COMMAND_TYPES else MAX_REPLY
    if len(line.encode("utf-8", "surrogatepass")) >= most:
        raise ProtocolError(f"{shorten(line)} is longer than the {most} bytes that a line may have")
    if not isinstance(message, NewRound | Position):  # these cannot break a line, and take long to read
        _parse(line, _COMMANDS if type(message) in _COMMAND_TYPES else _REPLIES, most)
    return line


def decode_line(data: bytes) -> str:
    """The text of a line as it came, without its end.

    Raises:
        ProtocolError: if it is not UTF-8.
    """
    try:
        return data.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise ProtocolError(f"{shorten(data)} is not text in UTF-8") from None


# Reading


def _parse(line: str, kinds: Mapping[str, Callable[[str], Any]], most: int) -> Any:
    if not isinstance(line, str):
        raise ProtocolError(f"expected a line of text, not {shorten(line)}")
    if len(line) >= most:
        raise ProtocolError(f"{shorten(line)} is longer than the {most} bytes that a line may have")
    word, _, rest = line.strip(" \t\r\n").partition(" ")
    read = kinds.get(word)
    if read is None:
        raise ProtocolError(f"{shorten(line)} is not understood; expected a line that begins with {', '.join(kinds)}")
    try:
        return read(rest.strip(" \t"))
    except ProtocolError:
        raise
    except LastcardError as error:
        raise ProtocolError(f"{word}: {error}") from None


def _parse_hello(rest: str) -> Hello:
    return Hello(_parse_int("lastcard", rest, 1, 999_999))


def _parse_int(word: str, text: str, low: int, high: int) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", text) or not low <= int(text) <= high:
        raise ProtocolError(f"{word}: expected a whole number from {low} to {high}, not {shorten(text)}")
    return int(text)


def _parse_name(rest: str) -> Name:
    return Name(_check_words("name", rest, MAX_NAME))


def _parse_failure(rest: str) -> Failure:
    return Failure(_check_words("error", rest, MAX_ERROR))


def _check_words(word: str, text: object, most: int, least: int = 1) -> str:
    if not isinstance(text, str) or not least <= len(text) <= most or not text.isprintable() or text != text.strip():
        raise ProtocolError(f"{word}: expected {least} to {most} printable characters, not {shorten(text)}")
    return text


def _check_option_name(word: str, name: object) -> str:
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]{0,59}", name):
        raise ProtocolError(f"{word}: expected the name of an option such as simulations, not {shorten(name)}")
    return name


def _parse_option(rest: str) -> Option:
    fields = _parse_object("option", rest, required=("name", "type", "default"), others=("help",))
    name = _check_option_name("option", fields["name"])
    kind = fields["type"]
    if not isinstance(kind, str) or kind not in OPTION_TYPES:
        raise ProtocolError(f"option {name}: type must be one of {', '.join(OPTION_TYPES)}, not {shorten(kind)}")
    default = check_value(f"option {name}: default", kind, fields["default"])
    return Option(name, kind, default, _check_words(f"option {name}: help", fields.get("help", ""), MAX_ERROR, least=0))


def check_value(what: str, kind: str, value: object) -> OptionValue:
    """The value, if an option of that type can have it; a whole number will do for a float.

    Raises:
        ProtocolError: naming it, if it cannot.
    """
    if kind == "float" and isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53:
        value = float(value)
    if type(value) is not OPTION_TYPES[kind]:
        raise ProtocolError(f"{what}: expected a value of type {kind}, not {shorten(value)}")
    if isinstance(value, str):
        return _check_words(what, value, MAX_ERROR, least=0)
    if isinstance(value, float) and not math.isfinite(value):
        raise ProtocolError(f"{what}: expected a number that is not infinite")
    if isinstance(value, int) and abs(value) >= 2**63:
        raise ProtocolError(f"{what}: expected a whole number of at most 63 bits, not {shorten(value)}")
    return value  # type: ignore[return-value]


def _parse_set(rest: str) -> SetOption:
    name, _, text = rest.partition(" ")
    _check_option_name("set", name)
    value = _parse_json(f"set {name}", text.strip(" \t"))
    kind = next((kind for kind, of in OPTION_TYPES.items() if type(value) is of), "text")
    return SetOption(name, check_value(f"set {name}", kind, value))


def _parse_new(rest: str) -> NewRound:
    return NewRound(Rules.from_dict(_parse_object("new", rest)))


def _parse_position(rest: str) -> Position:
    return Position(_parse_object("position", rest))


def _parse_go(rest: str) -> Go:
    kind, _, amount = rest.partition(" ")
    if not rest:
        return Go()
    if kind == "simulations":
        return Go(simulations=_parse_int("go simulations", amount.strip(" \t"), 1, MOST_SIMULATIONS))
    if kind == "seconds":
        return Go(seconds=_parse_seconds(amount.strip(" \t")))
    raise ProtocolError(f"go: expected simulations N, seconds S or nothing, not {shorten(rest)}")


def _parse_seconds(text: str) -> float:
    if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,9})?", text) and 0 < float(text) <= MOST_SECONDS:
        return float(text)
    raise ProtocolError(f"go seconds: expected a number above 0, at most {MOST_SECONDS:g}, not {shorten(text)}")


def _parse_info(rest: str) -> Info:
    fields = _parse_object("info", rest, required=("simulations", "seconds", "actions"))
    simulations = _check_count("info: simulations", fields["simulations"])
    seconds = _check_number("info: seconds", fields["seconds"], 0, math.inf)
    actions = fields["actions"]
    if not isinstance(actions, list) or len(actions) > 100:
        raise ProtocolError(f"info: actions must be a list of objects, not {shorten(actions)}")
    return Info(simulations, seconds, tuple(map(_read_action_value, actions)))


def _read_action_value(fields: object) -> ActionValue:
    checked = _check_fields("info: actions", fields, ("action", "simulations", "value", "error"))
    return ActionValue(
        parse_action(checked["action"]),
        _check_count("info: simulations of an action", checked["simulations"]),
        _check_number("info: value", checked["value"], -1e9, 1e9),
        _check_number("info: error", checked["error"], 0, 1e9),
    )


def _check_count(what: str, value: object) -> int:
    if type(value) is not int or not 0 <= value <= MOST_SIMULATIONS:
        raise ProtocolError(f"{what} must be a whole number from 0 to {MOST_SIMULATIONS}, not {shorten(value)}")
    return value


def _check_number(what: str, value: object, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high or value > 1e300:
        raise ProtocolError(f"{what} must be a number from {low:g} to {high:g}, not {shorten(value)}")
    return float(value)


def _parse_best(rest: str) -> Best:
    return Best(parse_action(rest))


def _nothing_more(word: str, message: Any) -> Callable[[str], Any]:
    def read(rest: str) -> Any:
        if rest:
            raise ProtocolError(f"{word}: expected nothing after it, not {shorten(rest)}")
        return message

    return read


def _parse_object(
    word: str, text: str, required: tuple[str, ...] | None = None, others: tuple[str, ...] = ()
) -> dict[str, Any]:
    fields = _parse_json(word, text)
    if required is not None:
        return _check_fields(word, fields, required, others)
    if not isinstance(fields, dict):
        raise ProtocolError(f"{word}: expected a JSON object, not {shorten(text)}")
    return fields


def _check_fields(what: str, fields: object, required: tuple[str, ...], others: tuple[str, ...] = ()) -> dict[str, Any]:
    if not isinstance(fields, dict) or not set(required) <= set(fields) <= {*required, *others}:
        raise ProtocolError(
            f"{what}: expected a JSON object with {', '.join((*required, *others))}, not {shorten(fields)}"
        )
    return fields


def _parse_json(word: str, text: str) -> object:
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise ProtocolError(f"{word}: expected JSON, not {shorten(text)}: {why[:200]}") from None


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a field is given twice")
    return fields


# Writing


def _write_option(option: Option) -> tuple[str, ...]:
    fields = {"name": option.name, "type": option.type, "default": option.default, "help": option.help}
    return "option", _json(fields)


def _write_go(go: Go) -> tuple[str, ...]:
    if go.simulations is not None:
        return "go", "simulations", str(go.simulations)
    if go.seconds is not None:
        return "go", "seconds", f"{go.seconds:.9f}".rstrip("0").rstrip(".")
    return ("go",)


def _write_info(info: Info) -> tuple[str, ...]:
    actions = [value.to_dict() for value in info.actions]
    return "info", _json({"simulations": info.simulations, "seconds": info.seconds, "actions": actions})


def _json(value: object) -> str:
    return json.dumps(value, allow_nan=False)


_COMMANDS: Final[Mapping[str, Callable[[str], Any]]] = {
    "lastcard": _parse_hello,
    "set": _parse_set,
    "ready": _nothing_more("ready", Ready()),
    "new": _parse_new,
    "position": _parse_position,
    "go": _parse_go,
    "stop": _nothing_more("stop", Stop()),
    "quit": _nothing_more("quit", Quit()),
}
_REPLIES: Final[Mapping[str, Callable[[str], Any]]] = {
    "lastcard": _parse_hello,
    "name": _parse_name,
    "option": _parse_option,
    "ready": _nothing_more("ready", Ready()),
    "info": _parse_info,
    "best": _parse_best,
    "error": _parse_failure,
}
_COMMAND_TYPES: Final = (Hello, SetOption, Ready, NewRound, Position, Go, Stop, Quit)
_WRITERS: Final[Mapping[type, Callable[[Any], tuple[str, ...]]]] = {
    Hello: lambda hello: ("lastcard", str(hello.version)),
    Name: lambda name: ("name", name.name),
    Option: _write_option,
    SetOption: lambda option: ("set", option.name, _json(option.value)),
    Ready: lambda _: ("ready",),
    NewRound: lambda new: ("new", _json(new.rules.to_dict())),
    Position: lambda position: ("position", _json(position.fields)),
    Go: _write_go,
    Stop: lambda _: ("stop",),
    Quit: lambda _: ("quit",),
    Info: _write_info,
    Best: lambda best: ("best", best.action.text),
    Failure: lambda failure: ("error", failure.text),
}
