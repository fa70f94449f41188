"""Games on a server: who sits there is kept with the game."""

from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from lastcard.errors import StoreError
from lastcard.rules import Rules
from lastcard.store import open_store
from lastcard.store.store import Store

TOLD = {"pace": 0.5, "opponents": ["hard"]}


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    with open_store(place) as opened:
        yield opened


def begin(store: Store, token_hash: str = "ff", seed: int = 7) -> Future[int]:
    agents = ("human", "random")
    return store.begin_sitting(
        Rules.preset("official"), agents, seed, seat=0, key="abc", token_hash=token_hash, settings=TOLD
    )


def test_a_sitting_is_found_by_the_key_of_its_game(store: Store) -> None:
    game = begin(store).result()
    sitting = store.find_sitting("abc")
    assert sitting is not None
    assert (sitting.game, sitting.seat, sitting.token_hash, sitting.round) == (game, 0, "ff", 1)
    assert (sitting.settings, sitting.is_finished) == (TOLD, False)
    assert store.find_sitting("other") is None
    assert store.find_game(game).seats[0].is_person


def test_a_sitting_knows_the_round_dealt_last(store: Store) -> None:
    game = begin(store).result()
    store.note_round(game, 2).result()
    sitting = store.find_sitting("abc")
    assert sitting is not None
    assert sitting.round == 2
    with pytest.raises(StoreError, match=f"game {game + 1} has no sitting"):
        store.note_round(game + 1, 2).result()


def test_a_sitting_is_begun_once(store: Store) -> None:
    assert begin(store).result() == begin(store).result()
    with pytest.raises(StoreError, match="another person holds game"):
        begin(store, token_hash="ee").result()
    with pytest.raises(StoreError, match="the key 'abc' belongs to another game"):
        begin(store, seed=8).result()
    assert store.count_games() == 1
