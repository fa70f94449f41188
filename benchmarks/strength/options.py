"""Options that several benchmarks have."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lastcard.errors import LastcardError


def at_least(low: int) -> Callable[[str], int]:
    """Makes a type of an option: a whole number that is not smaller.

    >>> at_least(1)("5")
    5
    """

    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < low:
            raise argparse.ArgumentTypeError(f"must be a whole number from {low} on, not {text!r}")
        return int(text)

    return read


@contextmanager
def refuse_in_one_line(parser: argparse.ArgumentParser) -> Iterator[None]:
    """Ends the program with one line if a file, a table or an agent is refused."""
    try:
        yield
    except LastcardError as error:
        parser.error(str(error))
