"""Names that the server makes up, so that strangers never see what another has typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

_FIRST: Final = (
    "Brave",
    "Calm",
    "Clever",
    "Gentle",
    "Happy",
    "Jolly",
    "Kind",
    "Lucky",
    "Merry",
    "Quick",
    "Quiet",
    "Witty",
)
_SECOND: Final = ("Badger", "Crane", "Falcon", "Fox", "Heron", "Lynx", "Otter", "Owl", "Panda", "Robin", "Seal", "Wolf")


def make_name(pick: Callable[[int], int]) -> str:
    """A name such as `Brave Otter`.

    Args:
        pick: Returns a number below the one it is given.

    >>> make_name(lambda below: 0)
    'Brave Badger'
    """
    return f"{_FIRST[pick(len(_FIRST))]} {_SECOND[pick(len(_SECOND))]}"
