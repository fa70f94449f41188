"""Random rounds in bulk, inside the core."""

from __future__ import annotations

from dataclasses import dataclass
from operator import add
from typing import Final

from lastcard import _core
from lastcard.errors import StateError, require_int, shorten
from lastcard.rules import Rules

_PART: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class RandomGames:
    """Results of a batch of random rounds.

    >>> games = play_random_games(Rules.preset("official"), num_games=100, seed=1)
    >>> sum(games.wins) + games.draws
    100
    """

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
    """Plays single rounds of random play (drawing only when nothing else is legal) without holding the GIL.

    The result depends on rules, number and seed, not on the number of threads. Draw piles have no order here,
    so the same seed gives other rounds than `deal`.

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
    threads = min(threads, max(num_games, 1))
    total = RandomGames(0, (0,) * rules.players, 0, 0, (0,) * rules.players, 0)
    while total.num_games < num_games:  # in parts, so that Ctrl-C is heard
        part = min(_PART, num_games - total.num_games)
        try:
            # Rounds are numbered across parts, and the number selects the random stream: the parts do not change the
            # result.
            tally = _core.play_random_games(rules._compiled, total.num_games, part, seed, threads)
        except RuntimeError as error:
            raise StateError(f"threads={threads} cannot be started here: {error}") from None
        total = RandomGames(
            total.num_games + part,
            tuple(map(add, total.wins, tally.wins)),
            total.draws + tally.drawn,
            total.plies + tally.plies,
            tuple(map(add, total.points, tally.points)),
            # A sum, like all figures of a tally, so that neither parts nor threads change it.
            (total.signature + tally.signature) % 2**64,
        )
    return total
