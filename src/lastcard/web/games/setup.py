"""A request for a game as rules, settings and seats; and how the store keeps them to load the game again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from lastcard.agents import Agent, make_agent
from lastcard.errors import RulesError
from lastcard.rules import Rules, parse_rules
from lastcard.seeds import split_seed
from lastcard.store.sitting_rows import StoredSitting
from lastcard.table import Table
from lastcard.web.contract.games import NewGame
from lastcard.web.games.presence import Holder
from lastcard.web.games.seating import SeatInfo
from lastcard.web.games.settings import GameSettings, Person, Players
from lastcard.web.hashes import hash_token
from lastcard.web.limits import Limits, make_window_agent
from lastcard.web.refusals import refuse


def read_rules(wanted: NewGame) -> Rules:
    """Rules of a request, with its number of players.

    Raises:
        RequestError: with status 422, if there are no such rules.
    """
    try:
        rules = parse_rules(wanted.rules)
        if "players=" in wanted.rules and rules.players != wanted.players:
            raise refuse("players_differ", in_rules=rules.players, players=wanted.players)
        return rules.replace(players=wanted.players)
    except RulesError as error:
        raise refuse("bad_rules", reason=str(error)) from None


def make_settings(wanted: NewGame, seats: tuple[SeatInfo, ...]) -> GameSettings:
    """Settings of a request, with its seats."""
    return GameSettings(seats, wanted.length, wanted.pace, wanted.window, wanted.turn)


def seat_agents(seats: Sequence[SeatInfo]) -> list[str | Agent]:
    """Agents for a table, with a placeholder in the seats of people."""
    return [Person() if info.is_person else info.agent for info in seats]


def make_players(table: Table, seats: Sequence[SeatInfo], limits: Limits) -> Players:
    """Agents that play at the table: its own, and in the seats of people those that stand in."""
    seeds = [split_seed(table.seed, "agent", seat) for seat in range(len(seats))]
    return Players(
        tuple(
            make_agent(info.stand_in, seed) if info.is_person else agent
            for info, seed, agent in zip(seats, seeds, table.agents, strict=True)
        ),
        tuple(
            make_window_agent(info.stand_in if info.is_person else info.agent, seed, limits)
            for info, seed in zip(seats, seeds, strict=True)
        ),
    )


def to_stored(wanted: NewGame, seats: Sequence[SeatInfo], holder: Holder, invite: str) -> dict[str, Any]:
    """Settings as the store keeps them beside the game."""
    return {
        **wanted.model_dump(),
        "seats": [asdict(info) for info in seats],
        "called": holder.name,
        "invite_hash": hash_token(invite),
    }


def read_request(sitting: StoredSitting) -> NewGame:
    """The request that began a stored game."""
    fields = {name: value for name, value in sitting.settings.items() if name in NewGame.model_fields}
    return NewGame.model_validate(fields)


def read_seats(sitting: StoredSitting) -> tuple[SeatInfo, ...]:
    """Seats of a stored game."""
    return tuple(SeatInfo(**info) for info in sitting.settings["seats"])


def read_holders(sitting: StoredSitting) -> dict[int, Holder]:
    """People who hold seats of a stored game."""
    called = sitting.settings.get("called", NewGame().name)
    first = {} if sitting.token_hash in sitting.departed else {sitting.seat: Holder(called, sitting.token_hash)}
    holders = first | {holder.seat: Holder(holder.name, holder.token_hash) for holder in sitting.holders}
    further = {seat: tuple(each for place, each in sitting.further if place == seat) for seat in holders}
    return {seat: replace(holder, further=further[seat]) for seat, holder in holders.items()}


def read_resigned(sitting: StoredSitting) -> set[int]:
    """Seats of a stored game that agents keep, because their players have resigned."""
    return {seat for seat, how in sitting.departed.values() if how == "resigned"}
