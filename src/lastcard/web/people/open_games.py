"""Open games of one person: whose turn it is, without loading a game into memory."""

from __future__ import annotations

from typing import Any

from lastcard.errors import RequestError
from lastcard.observation import observe
from lastcard.rules import format_rules
from lastcard.store.sitting_rows import StoredSitting
from lastcard.store.store import Store
from lastcard.web.games.live_game import LiveGame
from lastcard.web.games.settings import Person
from lastcard.web.games.setup import read_holders, read_resigned, read_seats
from lastcard.web.hashes import hash_token

Described = dict[str, Any]


def describe_loaded(game: LiveGame, token: str) -> Described:
    """A game in memory, from what its player was sent last."""
    try:
        seat = game.presence.identify(token)
    except RequestError:
        return {"game": game.key, "state": "gone"}
    if seat is None:
        return {"game": game.key, "state": "gone"}
    if game.is_over:
        return {"game": game.key, "state": "over"}
    view = game.view(seat)
    table = {
        "seat": seat,
        "rules": view["rules"]["text"],
        "length": view["length"],
        "round": view["round"],
        "phase": _name_phase(is_gathering=view["phase"] == "gathering", is_over=view["outcome"] is not None),
        "to_act": None if view["phase"] == "gathering" else view["to_act"],
        "seats": [{name: each[name] for name in ("name", "is_person", "is_open", "score")} for each in view["seats"]],
    }
    return {"game": game.key, "state": "open", "table": table}


def describe_stored(store: Store, key: str, token: str) -> Described:
    """A game that is only in the store; reads it."""
    sitting = store.find_sitting(key)
    seat = None if sitting is None else find_seat(sitting, token)
    if sitting is None or seat is None:
        return {"game": key, "state": "gone"}
    if sitting.is_finished:
        return {"game": key, "state": "over"}
    return {"game": key, "state": "open", "table": _describe_table(store, sitting, seat)}


def find_seat(sitting: StoredSitting, token: str) -> int | None:
    """The seat that the token holds, if any."""
    hashed = hash_token(token)
    return next((seat for seat, holder in read_holders(sitting).items() if holder.owns(hashed)), None)


def _describe_table(store: Store, sitting: StoredSitting, seat: int) -> Described:
    infos, holders, resigned = read_seats(sitting), read_holders(sitting), read_resigned(sitting)
    table = store.read_table(sitting.game, [Person()] * len(infos))
    if table.state.round_number < sitting.round:
        table.next_round()
    seen, is_gathering = observe(table.state, seat), sitting.round == 0
    return {
        "seat": seat,
        "rules": format_rules(table.rules),
        "length": sitting.settings.get("length", "game"),
        "round": seen.round_number,
        "phase": _name_phase(is_gathering=is_gathering, is_over=seen.outcome is not None),
        "to_act": None if is_gathering else seen.seat,
        "seats": [
            {
                "name": holders[number].name if number in holders else info.name,
                "is_person": number in holders,
                "is_open": info.is_person and number not in holders and number not in resigned,
                "score": seen.scores[number],
            }
            for number, info in enumerate(infos)
        ],
    }


def _name_phase(*, is_gathering: bool, is_over: bool) -> str:
    return "gathering" if is_gathering else "round over" if is_over else "playing"
