"""River crossings by brute force: every way to ferry is written down first and tested afterwards."""

from collections.abc import Iterator

Ferrying = tuple[str, ...]
"""Passengers of each crossing; an empty text where the boat goes alone."""
Situation = tuple[frozenset[str], bool]
"""Everyone on the left bank, and True if the boat is there."""


def all_ferryings(
    items: str, left: frozenset[str], is_boat_left: bool, done: list[Situation]
) -> Iterator[tuple[Ferrying, list[Situation]]]:
    """Yields every ferrying that ends with all on the right and meets no situation twice, with its situations."""
    done = [*done, (left, is_boat_left)]
    if not left and not is_boat_left:
        yield (), done
        return
    here = left if is_boat_left else frozenset(items) - left
    for passenger in ("", *sorted(here)):
        after = left - {passenger} if is_boat_left else left | ({passenger} - {""})
        if (after, not is_boat_left) not in done:
            for rest, situations in all_ferryings(items, after, not is_boat_left, done):
                yield (passenger, *rest), situations


def is_safe(items: str, situation: Situation, quarrels: list[tuple[str, str]]) -> bool:
    """Returns True if no two who quarrel are on the bank without the boat."""
    left, is_boat_left = situation
    alone = frozenset(items) - left if is_boat_left else left
    return all(one not in alone or other not in alone for one, other in quarrels)


def safe_ferryings(items: str, quarrels: list[tuple[str, str]]) -> list[Ferrying]:
    """Every ferrying during which nothing happens."""
    return [
        ferrying
        for ferrying, situations in all_ferryings(items, frozenset(items), True, [])
        if all(is_safe(items, situation, quarrels) for situation in situations)
    ]
