"""The errors lastcard raises: every one says what was read and what was expected."""

from __future__ import annotations


class LastcardError(ValueError):
    """Base of every error that lastcard raises on purpose."""


class NotationError(LastcardError):
    """A text is not a card, action, event or state."""


class RulesError(LastcardError):
    """A rules field has an impossible value, or two fields contradict each other."""


class StateError(LastcardError):
    """A deal or a position is impossible under its rules."""


class IllegalActionError(LastcardError):
    """An action is not legal where it was tried."""


class RecordError(LastcardError):
    """A record cannot be read or does not replay."""


class AgentError(LastcardError):
    """An agent is unknown, has no such option, or gave an unusable answer."""


class StoreError(LastcardError):
    """A store of games cannot be opened or written, or what it is given contradicts what it holds."""


class RequestError(LastcardError):
    """A server refuses what it is asked for; says which field it is about and which HTTP status that is."""

    def __init__(
        self, message: str, *, status: int, field: str | None = None, retry_after_seconds: float | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.field = field
        self.retry_after_seconds = retry_after_seconds


def shorten(value: object, limit: int = 60) -> str:
    """Quotes what was read, cut to a length fit for a message."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write out integers of thousands of digits
        text = f"a {type(value).__name__} too long to write"
    return text if len(text) <= limit else f"{text[:limit]}…"


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
