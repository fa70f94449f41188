"""Random rounds in bulk, inside the core."""

from __future__ import annotations

from dataclasses import dataclass

from lastcard import _core
from lastcard.errors import StateError, require_int, shorten
from lastcard.rules import Rules


@dataclass(frozen=True, slots=True)
class RandomGames:
    """What a batch of random rounds came to."""

    num_games: int
    wins: tuple[int, ...]
    """Rounds won, by seat."""
    draws: int
    """Rounds without a winner."""
    plies: int
    points: tuple[int, ...]
    """Points scored, by seat."""
    signature: int
    """Changes when the course of any round does."""


def play_random_games(rules: Rules, num_games: int, seed: int = 0, threads: int = 1) -> RandomGames:
    """Plays single rounds of random play (drawing only when nothing else is legal) without the interpreter lock.

    The result depends on rules, number and seed, not on the number of threads. Piles are sets here: the same seed
    gives other rounds than `deal`.

    Raises:
        StateError: naming the argument that is out of range.

    >>> play_random_games(Rules.preset("official"), num_games=1000, seed=1) == play_random_games(
    ...     Rules.preset("official"), num_games=1000, seed=1, threads=2
    ... )
    True
    """
    if not isinstance(rules, Rules):
        raise StateError(f"rules must be Rules, not {shorten(rules)}; make them with Rules.preset(...)")
    require_int("num_games", num_games, 0, 10**12, StateError)
    require_int("seed", seed, 0, 2**64 - 1, StateError)
    require_int("threads", threads, 1, 1024, StateError)
    tally = _core.play_random_games(rules._compiled, num_games, seed, threads)
    return RandomGames(
        num_games,
        tuple(tally.wins[: rules.players]),
        tally.drawn,
        tally.plies,
        tuple(tally.points[: rules.players]),
        tally.signature,
    )
