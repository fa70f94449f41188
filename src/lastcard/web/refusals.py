"""Refusals that a person at the page can meet: a code that never changes, and its English sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from lastcard.errors import RequestError


class Refusal(NamedTuple):
    """One kind of refusal."""

    status: int
    """The HTTP status."""
    text: str
    """The sentence in English, with the values in braces."""
    field: str | None = None
    """The field at fault."""


REFUSALS: Final[Mapping[str, Refusal]] = {
    "bad_request": Refusal(422, "{reason}"),
    # Tokens and games
    "no_token": Refusal(401, "Authorization must be Bearer and the token of the game"),
    "wrong_token": Refusal(403, "the token belongs to another game"),
    "no_game": Refusal(404, "there is no such game"),
    "no_link": Refusal(404, "this link was used or revoked, or it is older than ten minutes"),
    "no_seats_to_carry": Refusal(422, "there is no game to carry to another device", "seats"),
    "not_waiting": Refusal(404, "you are not waiting for a game"),
    # A new game
    "bad_name": Refusal(422, "name must be 1 to {most} characters that can be printed, not {name}", "name"),
    "bad_rules": Refusal(422, "{reason}", "rules"),
    "players_differ": Refusal(
        422, "rules say players={in_rules}, but players is {players}; leave one of them out", "players"
    ),
    "too_many_friends": Refusal(422, "friends must be at most {most} for {players} players, not {friends}", "friends"),
    "too_many_opponents": Refusal(
        422,
        "opponents must be at most {most} for {players} players with {friends} friends, not {opponents}",
        "opponents",
    ),
    "no_agent": Refusal(422, "{reason}", "opponents"),
    "agent_rules": Refusal(
        422, "{agent} does not play by these rules: {rules}; choose another opponent, such as hardest", "opponents"
    ),
    "agent_gone": Refusal(409, "this game is against {agent}, which this server does not offer any more"),
    # At the table
    "seats_taken": Refusal(409, "every seat is taken; you can spectate"),
    "has_seat": Refusal(409, "you have a seat at this table"),
    "left_seat": Refusal(403, "you have left this seat"),
    "players_only": Refusal(403, "only players at the table can do that"),
    "not_started": Refusal(409, "the game has not started: it waits for players"),
    "not_your_turn": Refusal(409, "it is not your turn"),
    "acted_already": Refusal(409, "you have acted at ply {ply} already", "ply"),
    "old_view": Refusal(409, "ply is {now} now, not {ply}; reload the view", "ply"),
    "illegal_action": Refusal(422, "{action} is not legal; legal actions: {legal}", "action"),
    "round_over": Refusal(409, "the round is over"),
    "round_not_over": Refusal(409, "the round is not over"),
    "game_over": Refusal(409, "the game is over"),
    "ask_rematch": Refusal(409, "the game is over; ask for a rematch"),
    "rematch_too_early": Refusal(409, "a rematch is possible when the game is over"),
    "all_resigned": Refusal(409, "this game ended when its last player resigned"),
    # Finished games
    "game_not_over": Refusal(409, "a game can be studied when it is over"),
    "record_too_early": Refusal(409, "the record is available when the game is over"),
    "bad_record": Refusal(422, "{reason}", "record"),
    "empty_record": Refusal(422, "the record has no round", "record"),
    "no_round": Refusal(404, "there is no round {round} in this game", "round"),
    "no_seat": Refusal(422, "seat must be from 0 to {most}, not {seat}", "seat"),
    "no_ply": Refusal(422, "ply must be from 0 to {most}, not {ply}", "ply"),
    "round_over_there": Refusal(409, "the round is over there; branch off earlier", "ply"),
    # A real table
    "bad_situation": Refusal(422, "{reason}"),
    # Limits
    "too_many": Refusal(429, "too many {what}; try again in {seconds} s"),
    "too_many_yours": Refusal(429, "too many {what} of yours at a time; try again in {seconds} s"),
    "too_many_here": Refusal(429, "too many {what} on this server at a time; try again in {seconds} s"),
    "too_large": Refusal(413, "a request may have at most {most} bytes"),
    "no_room": Refusal(503, "the server has no room for more games; try again later"),
    # The server
    "moving": Refusal(503, "this game is moving to another server; try again"),
    "game_stopped": Refusal(503, "the game stopped: something went wrong on the server; try again"),
    "agent_failed": Refusal(503, "the agent of seat {seat} gave an illegal answer"),
    "store_failed": Refusal(503, "the store cannot be written; try again later"),
    "store_away": Refusal(503, "the store cannot be reached; try again later"),
    "server_failed": Refusal(500, "something went wrong on the server"),
    "wrong_host": Refusal(421, "this server does not accept the host name {host}; open it by its own address"),
    "wrong_origin": Refusal(403, "pages of {origin} may not use this server; allow them with --origin"),
}
"""Every refusal by its code. The page has a message for each."""


def refuse(
    code: str, *, at: str | None = None, retry_after_seconds: float | None = None, **values: str | int
) -> RequestError:
    """The error of that code, with its values; `at` names another field than usual.

    >>> error = refuse("acted_already", ply=3)
    >>> str(error), error.status, error.code, error.values
    ('you have acted at ply 3 already', 409, 'acted_already', {'ply': 3})
    """
    status, text, field = REFUSALS[code]
    return RequestError(
        text.format(**values),
        status=status,
        field=at or field,
        retry_after_seconds=retry_after_seconds,
        code=code,
        values=values,
    )
