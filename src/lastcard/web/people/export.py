"""Export of the data that the server has about a person in one game, and nothing that the person may not see."""

from __future__ import annotations

from typing import Any

from lastcard.store.store import Store
from lastcard.web.contract.people import SeatKey
from lastcard.web.finished.finished_game import FinishedGame, describe_game
from lastcard.web.finished.finished_games import FinishedGames
from lastcard.web.games.loaded import LoadedGames
from lastcard.web.hashes import hash_token


async def export_game(
    store: Store, games: LoadedGames, finished: FinishedGames, seat: SeatKey, user: str
) -> dict[str, Any]:
    """A game as JSON values: an open one as the seat sees it, a finished one with its record."""
    [holding] = await finished.work(user, lambda: store.find_holdings([(seat.game, hash_token(seat.token))]))
    if holding is None:
        return {"game": seat.game, "how": "gone"}
    about = {"game": seat.game, "how": holding.how, "seat": holding.seat}
    if holding.is_finished:
        study = await finished.open(seat.game, user)
        return {**about, **await finished.work(user, lambda: _describe(store, study, holding.seat))}
    if holding.how != "held":
        return about
    game, audience = await games.find(seat.game, seat.token, user)
    view = game.view(audience)
    return {**about, "name": view["seats"][holding.seat]["name"], "view": view}


def _describe(store: Store, study: FinishedGame, seat: int | None) -> dict[str, Any]:
    return {
        "name": None if seat is None else study.names[seat],
        "study": describe_game(study),
        "record": study.record.to_text(),
    }
