"""Seat ownership and presence of the people of one game."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lastcard.web.games.seating import YOU, SeatInfo, find_name
from lastcard.web.hashes import hash_token
from lastcard.web.refusals import refuse

Audience = int | None
"""A seat, or None for spectators."""
Listener = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Holder:
    """A person with a seat."""

    name: str
    token_hash: str
    further: tuple[str, ...] = ()
    """Hashes of the same person's tokens on other devices."""

    def owns(self, token_hash: str) -> bool:
        """True if the token is the person's; takes as long for any other."""
        # All are compared, each in constant time, so that the time taken does not tell how near a guess was.
        return sum(hmac.compare_digest(token_hash, each) for each in (self.token_hash, *self.further)) > 0


class Presence:
    """The people of one game.

    A person is present while a socket is open or was until a moment ago, and the time for a turn has not run out. An
    agent plays in open seats and for people who are away, as long as another person is present.
    """

    def __init__(
        self,
        seats: Sequence[SeatInfo],
        holders: Mapping[int, Holder],
        invite_hash: str,
        clock: Callable[[], float],
        away_seconds: float,
        resigned: Collection[int] = (),
    ) -> None:
        self._seats = seats
        self._holders = dict(holders)
        self._invite_hash = invite_hash
        self._clock = clock
        self._away_seconds = away_seconds
        self._listeners: dict[Audience, set[Listener]] = {}
        self._seen = dict.fromkeys(self._holders, clock())
        self._idle: set[int] = set()
        self._delegated: set[int] = set()
        self._resigned = set(resigned)
        self._leaving: dict[Audience, asyncio.TimerHandle] = {}

    # Tokens

    def identify(self, token: str) -> Audience:
        """The seat that the token holds; None for the invitation, which makes a spectator.

        Raises:
            RequestError: with status 403, if it belongs to another game.
        """
        given = hash_token(token)
        found = [seat for seat, holder in self._holders.items() if holder.owns(given)]
        is_invited = hmac.compare_digest(given, self._invite_hash)
        if not found and not is_invited:
            raise refuse("wrong_token")
        return found[0] if found else None

    def holds(self, audience: Audience, token_hash: str) -> bool:
        """True if the token still gives what it gave: the seat, or the place of a spectator."""
        holder = None if audience is None else self._holders.get(audience)
        return audience is None or (holder is not None and holder.owns(token_hash))

    def admit(self, seat: int, token_hash: str) -> None:
        """Lets a further token hold the seat of the same person."""
        holder = self._holders[seat]
        self._holders[seat] = replace(holder, further=(*holder.further, token_hash))

    # Seats

    @property
    def seats(self) -> tuple[int, ...]:
        """Seats for people, taken or open."""
        return tuple(seat for seat, info in enumerate(self._seats) if info.is_person)

    def is_for_person(self, seat: int | None) -> bool:
        """True if the seat is for a person, taken or open."""
        return seat is not None and self._seats[seat].is_person

    @property
    def open_seats(self) -> tuple[int, ...]:
        """Seats that can be taken."""
        return tuple(seat for seat in self.seats if seat not in self._holders and seat not in self._resigned)

    @property
    def held_seats(self) -> tuple[int, ...]:
        """Seats that people have taken."""
        return tuple(self._holders)

    def is_held(self, seat: int) -> bool:
        """True if a person has taken the seat."""
        return seat in self._holders

    def choose_seat(self, wanted: int | None = None) -> int:
        """Chooses a seat to take: the wanted one, if it is open, or another.

        Raises:
            RequestError: with status 409, if all are taken.
        """
        if not self.open_seats:
            raise refuse("seats_taken")
        return wanted if wanted in self.open_seats else self.open_seats[0]

    def take(self, seat: int, holder: Holder) -> None:
        """Gives a seat to a person."""
        self._holders[seat] = holder
        self._seen[seat] = self._clock()

    def holder(self, seat: int) -> Holder:
        """The person who holds the seat."""
        return self._holders[seat]

    def release(self, seat: int, *, is_resigned: bool) -> None:
        """Takes the seat from the person; others may take it, unless an agent keeps it after a resignation."""
        del self._holders[seat]
        self._idle.discard(seat)
        self._delegated.discard(seat)
        self.stop_watching(seat)
        if is_resigned:
            self._resigned.add(seat)

    def name(self, seat: int) -> str:
        """Name of the seat."""
        holder = self._holders.get(seat)
        return holder.name if holder else self._seats[seat].name

    def names(self, audience: Audience) -> list[str]:
        """Names of all seats in sentences for that audience; its own seat is "You"."""
        return [YOU if seat == audience else self.name(seat) for seat in range(len(self._seats))]

    def find_name(self, wanted: str) -> str:
        """The name, with a number if another seat has it.

        Raises:
            RequestError: with status 422, if it cannot be used.
        """
        return find_name(wanted, [self.name(seat) for seat in range(len(self._seats))])

    # Connections

    def add_listener(self, audience: Audience, listener: Listener) -> None:
        """Adds a listener, which is called whenever there is something new to send."""
        self._listeners.setdefault(audience, set()).add(listener)
        self.note(audience)

    def remove_listener(self, audience: Audience, listener: Listener) -> None:
        """Undoes `add_listener`."""
        self._listeners[audience].discard(listener)
        self.note(audience)

    def listeners(self, *, of: Sequence[Audience] | None = None, but: Sequence[Audience] = ()) -> Iterator[Listener]:
        """Listeners of the given audiences, or of all but some."""
        for audience, listeners in tuple(self._listeners.items()):
            if audience not in but and (of is None or audience in of):
                yield from tuple(listeners)

    def is_connected(self, audience: Audience) -> bool:
        """True if the audience has a socket open."""
        return bool(self._listeners.get(audience))

    @property
    def has_listeners(self) -> bool:
        """True if any socket is open."""
        return any(self._listeners.values())

    def note(self, audience: Audience) -> None:
        """Notes a sign of life."""
        if audience is not None:
            self._seen[audience] = self._clock()

    def note_idle(self, seat: int) -> None:
        """Notes that the person let the time for a turn run out."""
        self._idle.add(seat)

    def note_back(self, audience: Audience) -> bool:
        """Notes that the person is back; returns whether the person was away."""
        was_here = audience is None or self.is_here(audience)
        self.note(audience)
        if audience is not None:
            self._idle.discard(audience)
        return not was_here

    def delegate(self, seat: int) -> None:
        """Lets an agent play for a person who stays and watches, until `reclaim`."""
        self._delegated.add(seat)

    def reclaim(self, audience: Audience) -> None:
        """Gives the seat back to the person who delegated it."""
        if audience is not None:
            self._delegated.discard(audience)

    def watch_leaving(self, seat: int, notify: Callable[[], None]) -> None:
        """Calls `notify` when the person's time to come back is over; a sign of life prolongs it."""
        self.stop_watching(seat)
        gone_at = self.gone_at(seat)
        if gone_at is None:
            return
        left = gone_at - self._clock()
        if left > 0:
            loop = asyncio.get_running_loop()
            self._leaving[seat] = loop.call_later(left, self.watch_leaving, seat, notify)
        else:
            notify()

    def stop_watching(self, audience: Audience) -> None:
        """Undoes `watch_leaving`."""
        leaving = self._leaving.pop(audience, None)
        if leaving is not None:
            leaving.cancel()

    def close(self) -> None:
        """Stops watching all seats."""
        for seat in tuple(self._leaving):
            self.stop_watching(seat)

    # Presence

    def is_here(self, seat: int) -> bool:
        """True if a person decides for the seat."""
        if seat not in self._holders or seat in self._idle or seat in self._delegated:
            return False
        return self.is_connected(seat) or self._clock() < self._seen[seat] + self._away_seconds

    def gone_at(self, seat: int) -> float | None:
        """Time from which the person counts as away; None while a socket is open."""
        return None if self.is_connected(seat) else self._seen[seat] + self._away_seconds

    def is_played_for(self, seat: int) -> bool:
        """True if an agent plays for the seat: its person is not here, and someone is there to see it."""
        if self.is_here(seat):
            return False
        return self.num_here > 0 or any(map(self.is_connected, self._delegated))

    @property
    def is_attended(self) -> bool:
        """True if someone has a socket open, or a person was there a moment ago."""
        return self.has_listeners or self.num_here > 0

    @property
    def num_here(self) -> int:
        """Number of people present."""
        return sum(map(self.is_here, self._holders))

    @property
    def num_watching(self) -> int:
        """Number of people who see the table; all spectators count as one more."""
        return self.num_here + sum(map(self.is_connected, self._delegated)) + self.is_connected(None)
