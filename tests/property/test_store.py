"""Whatever is stored comes back, and whatever is tried again or contradicts changes nothing."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastcard.actions import DRAW, KEEP, Action, parse_action
from lastcard.errors import StoreError
from lastcard.observation import Observation
from lastcard.record import Record
from lastcard.rules import Rules, parse_rules
from lastcard.store import open_store
from lastcard.store.store import Store
from lastcard.store.writing import actions_of
from lastcard.table import Table
from tests.postgres import start_server
from tests.unit.helpers import VARIED_RULES


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "games.db") if request.param == "sqlite" else start_server().make_url()
        with open_store(place) as opened:
            yield opened


class Player:
    """Plays any action, as its dice fall."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self._state = seed

    def choose(self, observation: Observation) -> Action:
        self._state = self._state * 6_364_136_223_846_793_005 % 2**64 + 1
        return observation.legal_actions[(self._state >> 33) % len(observation.legal_actions)]


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None)
@given(
    text=st.sampled_from(VARIED_RULES),
    seed=st.integers(0, 2**256 - 1),
    name=NAMES,
    plies=st.integers(0, 120),
    person=st.booleans(),
)
def test_any_record_comes_back(store: Store, text: str, seed: int, name: str, plies: int, person: bool) -> None:
    rules = parse_rules(text)
    seats = [Player(name if seat == 0 else f"player {seat}", seed + seat) for seat in range(rules.players)]
    table = Table(rules.replace(target_score=1), seats, seed, people=[0] if person else [])
    for _ in range(plies):
        if table.state.is_over and table.game_outcome:
            break
        if table.state.is_over:
            table.next_round()
        table.play_ply()
    record = table.record
    if "\0" in name and store.name.startswith("postgresql:"):
        with pytest.raises(StoreError, match="cannot hold this"):
            store.add_game(record).result()
        return
    number = store.add_game(record, key=f"{text} {seed} {name} {plies} {person}").result()
    assert store.read_record(number) == record
    assert Record.from_text(store.read_text(number)) == record
    assert store.add_game(record, key=f"{text} {seed} {name} {plies} {person}").result() == number


ACTIONS = (DRAW, KEEP, parse_action("r5"))
TRIES = st.tuples(st.integers(1, 3), st.integers(1, 4), st.integers(0, 1), st.sampled_from(ACTIONS))


@settings(max_examples=40, deadline=None)
@given(tries=st.lists(TRIES, max_size=30))
def test_actions_grow_one_by_one_and_never_change(store: Store, tries: list[tuple[int, int, int, Action]]) -> None:
    """Against a model: what is next is taken, what is there already is left, anything else is refused."""
    game = store.begin_game(Rules.preset("mini"), ["a", "b"], seed=1).result()
    model: dict[tuple[int, int], tuple[int, Action]] = {}
    last = (0, 0)
    for played, number, seat, action in tries:
        future = store.append_action(game, action, round_number=played, number=number, seat=seat)
        at = (played, number)
        if at in model:
            if model[at] == (seat, action):
                assert future.result() is False
            else:
                assert isinstance(future.exception(), StoreError)
        elif at in ((last[0], last[1] + 1), (last[0] + 1, 1)):
            assert future.result() is True
            model[at], last = (seat, action), at
        else:
            assert isinstance(future.exception(), StoreError)
    stored = store._read(lambda connection: actions_of(connection, game))
    assert stored == [(*at, seat, action.text) for at, (seat, action) in sorted(model.items())]
