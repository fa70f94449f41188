"""Schedule of a tournament: pairings, deals, and numbered chunks."""

from __future__ import annotations

import dataclasses
import itertools
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from lastcard.agents import AgentLike
from lastcard.arena.core_match import Contestant, is_searching
from lastcard.arena.entrants import OwnEntrant, enter, find_contestant
from lastcard.arena.sprt import SprtConfig
from lastcard.errors import AgentError, LastcardError, RecordError, require_int, shorten
from lastcard.rules import Rules, format_rules, parse_rules
from lastcard.seeds import fresh_seed, seed_bytes, split_seed

MOST_AGENTS: Final = 26  # the cross table names its columns by letters
MOST_DEALS: Final = 10**9
_ONE_TABLE: Final = 2**31  # no pair of agents has this number
_POLICY_DEALS: Final = 10_000  # policies play so fast that handing out smaller chunks would take longer
_TESTED_DEALS: Final = 500  # between two looks of the sequential test
_SLOW_ROUNDS: Final = 16  # agents that search, or play through Python


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some deals of a pairing; their results depend on the seed and the numbers of the deals alone."""

    pairing: int
    number: int
    first: int
    num_deals: int
    seed: int
    """Seed of all deals of the pairing."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Agents that play together: with two players one against another, with more one against copies of another."""

    number: int
    seating: tuple[int, ...]
    """The agent in each place, by its number in the tournament."""
    ordinal: int
    """Seed of its deals; it does not depend on the other agents."""


@dataclass(frozen=True)
class Tournament:
    """A tournament: everything that determines its results.

    >>> cup = Tournament(("heuristic", "random", "frequency"), Rules.preset("official"), num_deals=500, seed=7)
    >>> [pairing.seating for pairing in cup.pairings]
    [(0, 1), (0, 2), (1, 2)]
    """

    agents: tuple[str, ...]
    """Names with options. Objects, classes and functions can be given as well: they are kept in `own`, by name."""
    rules: Rules
    num_deals: int
    """Mirrored deals of each pairing; each is played once from every seat."""
    seed: int = field(default_factory=fresh_seed)
    """Fixes every deal and every agent; a fresh random one if not given."""
    one_table: bool = False
    """All agents at one table instead of in pairs."""
    to_score: bool = False
    """Games to the target score instead of rounds (Rule 9.2)."""
    sprt: SprtConfig | None = None
    """Ends a pairing as soon as this test decides it."""
    own: Mapping[str, OwnEntrant] = field(default_factory=dict, compare=False, repr=False)
    """The agents that do not come with this package."""

    if TYPE_CHECKING:

        def __init__(
            self,
            agents: Sequence[AgentLike],
            rules: Rules,
            num_deals: int,
            seed: int = ...,
            one_table: bool = ...,
            to_score: bool = ...,
            sprt: SprtConfig | None = ...,
            own: Mapping[str, OwnEntrant] = ...,
        ) -> None:
            """The agents given may be more than the names that are kept."""

    def __post_init__(self) -> None:
        if len(self.agents) < 2:
            raise AgentError(f"a match takes at least two agents, not {len(self.agents)}")
        if len(self.agents) > MOST_AGENTS:
            raise AgentError(f"a tournament takes at most {MOST_AGENTS} agents, not {len(self.agents)}")
        names, own = enter(self.agents, self.own)
        object.__setattr__(self, "agents", names)
        object.__setattr__(self, "own", own)
        if self.one_table and self.rules.players != len(self.agents):
            raise AgentError(
                f"{len(self.agents)} agents at one table need as many seats, not {self.rules.players};"
                " leave out the number of players"
            )
        if self.one_table and self.sprt:
            raise AgentError("a sequential test compares two agents; it cannot be used with all at one table")
        require_int("num_deals", self.num_deals, 1, MOST_DEALS, AgentError)
        seed_bytes(self.seed)

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """Every pair once; with more than two players, each agent of a pair once alone against the others."""
        numbers, players = range(len(self.agents)), self.rules.players
        if self.one_table:
            return (Pairing(0, tuple(numbers), _ONE_TABLE),)
        pairs = itertools.combinations(numbers, 2) if players == 2 else itertools.permutations(numbers, 2)
        return tuple(
            # The ordinal, and with it the seed, does not depend on the number of agents: one more leaves the other
            # pairings alone.
            Pairing(number, (one, *[other] * (players - 1)), one * MOST_AGENTS + other)
            for number, (one, other) in enumerate(pairs)
        )

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """Every chunk to play, in an order in which all pairings advance evenly."""
        made: list[tuple[float, Chunk]] = []
        for pairing in self.pairings:
            seed, size = split_seed(self.seed, "pairing", pairing.ordinal), self._chunk_deals(pairing)
            for number, first in enumerate(range(0, self.num_deals, size)):
                count = min(size, self.num_deals - first)
                chunk = Chunk(pairing.number, number, first, count, seed)
                made.append((first / self.num_deals, chunk))
        # By progress, not by pairing: a tournament that is stopped early has played about as much of every pairing.
        made.sort(key=lambda item: (item[0], item[1].pairing))
        return tuple(chunk for _, chunk in made)

    def contestants(self, pairing: Pairing) -> list[Contestant] | None:
        """Agents by place, if they can all play inside the core."""
        if self.to_score:
            return None
        names = [self.agents[agent] for agent in pairing.seating]
        found = [None if name in self.own else find_contestant(name, self.rules.players) for name in names]
        known = [contestant for contestant in found if contestant is not None]
        return known if len(known) == len(found) else None

    def _chunk_deals(self, pairing: Pairing) -> int:
        contestants = self.contestants(pairing)
        if contestants is None or any(map(is_searching, contestants)):
            return max(_SLOW_ROUNDS // self.rules.players, 1)
        return _TESTED_DEALS if self.sprt else _POLICY_DEALS

    def to_dict(self) -> dict[str, object]:
        """Returns JSON values."""
        return {
            "agents": list(self.agents),
            "rules": format_rules(self.rules),
            "players": self.rules.players,
            "deals": self.num_deals,
            "seed": self.seed,
            "one_table": self.one_table,
            "to_score": self.to_score,
            "sprt": [self.sprt.elo0, self.sprt.elo1] if self.sprt else None,
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, object], agents: Sequence[AgentLike] = ()) -> Tournament:
        """Reads what `to_dict` wrote. Nothing is imported for a name that it holds.

        Args:
            fields: The fields from a file.
            agents: The agents of your own that take part: objects, classes and functions.

        Raises:
            RecordError: if that is no tournament.

        >>> cup = Tournament(("random", "random"), Rules.preset("mini"), num_deals=5)
        >>> Tournament.from_dict(cup.to_dict()) == cup
        True
        """
        names, rules, deals = fields.get("agents"), fields.get("rules"), fields.get("deals")
        seed, sprt = fields.get("seed"), fields.get("sprt")
        one_table, to_score = fields.get("one_table"), fields.get("to_score")
        is_sound = (
            isinstance(names, Sequence)
            and all(isinstance(name, str) for name in names)
            and isinstance(rules, str)
            and isinstance(deals, int)
            and isinstance(seed, int)
            and isinstance(one_table, bool)
            and isinstance(to_score, bool)
            and (sprt is None or (isinstance(sprt, Sequence) and len(sprt) == 2))
        )
        if not is_sound:
            raise RecordError(f"not a tournament: {shorten(fields)}")
        try:
            test = SprtConfig(*sprt) if sprt else None  # type: ignore[misc]
            made = parse_rules(rules)  # type: ignore[arg-type]
            own = enter(agents, {})[1]
            return cls(tuple(names), made, deals, seed, one_table, to_score, test, own)  # type: ignore[arg-type]
        except LastcardError as error:
            raise RecordError(f"not a tournament that can be played here: {error}") from None


def pack_tournament(tournament: Tournament) -> bytes:
    """Pickles a tournament for another process, without its cached properties.

    Raises:
        AgentError: if an agent of your own cannot be pickled.
    """
    # A copy has no cached chunks, of which a long tournament has very many.
    bare = dataclasses.replace(tournament)
    try:
        return pickle.dumps(bare)
    except Exception as error:
        raise AgentError(_cannot_travel(tournament, error)) from None


def unpack_tournament(packed: bytes) -> Tournament:
    """Unpacks the result of `pack_tournament` in another process.

    Raises:
        AgentError: if an agent of your own cannot be found there.
    """
    try:
        return pickle.loads(packed)  # type: ignore[no-any-return]
    except Exception as error:
        raise AgentError(_cannot_travel(None, error)) from None


def _cannot_travel(tournament: Tournament | None, error: Exception) -> str:
    names = ", ".join(tournament.own) if tournament else "an agent of your own"
    return (
        f"{names} cannot be sent to other processes ({type(error).__name__}: {error}); define the class or function at"
        " the top of a module that can be imported, or play with one job"
    )
