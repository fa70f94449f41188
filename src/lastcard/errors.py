"""The errors of lastcard: every message names the input and what was expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ParamSpec, TypeVar

from lastcard import _core

_T = TypeVar("_T")
_P = ParamSpec("_P")


class LastcardError(ValueError):
    """Base of every error that lastcard raises on purpose.

    >>> import lastcard as lc
    >>> try:
    ...     lc.parse_card("x5")
    ... except lc.LastcardError as error:
    ...     print(type(error).__name__)
    NotationError
    """

    def __reduce__(self) -> tuple[object, ...]:
        return _remake, (type(self), self.args, self.__dict__)


def _remake(kind: type[LastcardError], arguments: tuple[object, ...], fields: dict[str, object]) -> LastcardError:
    """The error that was pickled; some take more than their message to be made."""
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(fields)
    return error


class NotationError(LastcardError):
    """A text is not a card, action, event or state.

    >>> import lastcard as lc
    >>> lc.parse_card("x5")
    Traceback (most recent call last):
    lastcard.errors.NotationError: ...
    """


class RulesError(LastcardError):
    """A rules field has an impossible value, or two fields contradict each other.

    >>> import lastcard as lc
    >>> lc.Rules.preset("official", players=11)
    Traceback (most recent call last):
    lastcard.errors.RulesError: players must be from 2 to 10, not 11
    """


class StateError(LastcardError):
    """A deal or a position is impossible under its rules.

    >>> import lastcard as lc
    >>> lc.parse_state("top r5 | seat 0: r5 r5 | seat 1: b2")
    Traceback (most recent call last):
    lastcard.errors.StateError: 3 of r5 are in use where the deck has 2
    """


class IllegalActionError(LastcardError):
    """An action is not legal where it was tried.

    >>> import lastcard as lc
    >>> lc.parse_state("top r5 | seat 0: b3 g7 | seat 1: b2 b4").after(lc.parse_action("b3"))
    Traceback (most recent call last):
    lastcard.errors.IllegalActionError: ...
    """


class RecordError(LastcardError):
    """A record cannot be read or does not replay.

    >>> import lastcard as lc
    >>> lc.Record.from_text("")
    Traceback (most recent call last):
    lastcard.errors.RecordError: ...
    """


class AgentError(LastcardError):
    """An agent is unknown, has no such option, or gave an unusable answer.

    >>> import lastcard as lc
    >>> lc.make_agent("hal")
    Traceback (most recent call last):
    lastcard.errors.AgentError: no agent 'hal'; there are ...
    """


class StoppedError(LastcardError):
    """A `StopFlag` ended a search before it had an answer."""


class PuzzleError(LastcardError):
    """A puzzle is unknown, impossible, or too large to list."""


class StoreError(LastcardError):
    """A store of games cannot be opened or written, or what it is given contradicts what it holds.

    >>> from lastcard.store import open_store
    >>> open_store("mysql://localhost/games")
    Traceback (most recent call last):
    lastcard.errors.StoreError: a store is in SQLite ...; mysql is not supported
    """


class RequestError(LastcardError):
    """A server refuses a request; names the field and the HTTP status.

    >>> RequestError("it is not your turn", status=409).status
    409
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        field: str | None = None,
        retry_after_seconds: float | None = None,
        code: str | None = None,
        values: Mapping[str, str | int] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.field = field
        self.retry_after_seconds = retry_after_seconds
        self.code = code
        """Stays the same when the message is reworded; a client makes its own sentence from it."""
        self.values = dict(values or {})
        """Values in the message, by name."""


def shorten(value: object, limit: int = 60) -> str:
    """Quotes what was read, cut to a length fit for a message."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write out integers of thousands of digits
        text = f"a {type(value).__name__} too long to write"
    return text if len(text) <= limit else f"{text[:limit]}…"


def suggest(name: object, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the known one that was probably meant, if any.

    >>> suggest("Offical", ["official", "house"]), suggest("chess", ["official", "house"])
    (" (did you mean 'official'?)", '')
    """
    return _core.suggest(name, list(known)) if isinstance(name, str) else ""


def require(name: str, value: object, kind: type, error: type[LastcardError]) -> None:
    """Refuses a value of another type.

    Raises:
        LastcardError: of the given type, naming the argument, what was read and what was expected.
    """
    if not isinstance(value, kind):
        raise error(f"{name} must be of type {kind.__name__}, not {shorten(value)}")


def require_int(name: str, value: object, low: int, high: int, error: type[LastcardError]) -> int:
    """Returns the value if it is a whole number within bounds.

    Raises:
        LastcardError: of the given type, naming the field, what was read and what was expected.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise error(f"{name} must be a whole number from {low} to {high}, not {shorten(value)}")
    if not low <= value <= high:
        raise error(f"{name} must be from {low} to {high}, not {shorten(value)}")
    return value


def require_float(name: str, value: object, low: float, high: float, error: type[LastcardError]) -> float:
    """Returns the value if it is a number within bounds.

    Raises:
        LastcardError: of the given type, naming the field, what was read and what was expected.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise error(f"{name} must be a number from {low:g} to {high:g}, not {shorten(value)}")
    return float(value)


def ask_core(error: type[LastcardError], call: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
    """Calls the core; what it refuses is raised as the given error, with the same message."""
    try:
        return call(*arguments, **named)
    except LastcardError:
        raise
    except ValueError as refusal:
        raise error(str(refusal)) from None
