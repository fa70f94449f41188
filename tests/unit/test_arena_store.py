"""Tournaments in a store: every game is there once, and going on counts nothing twice."""

from collections import Counter
from pathlib import Path

import pytest

from lastcard.arena.chunks import play_chunk
from lastcard.arena.core_match import deal_round
from lastcard.arena.results import ChunkResult, Results
from lastcard.arena.schedule import Tournament
from lastcard.arena.stored import KeptMatch
from lastcard.arena.summary import summarize
from lastcard.arena.tournament_run import run_tournament
from lastcard.errors import RecordError, StoreError
from lastcard.record import Record
from lastcard.round_record import read_round
from lastcard.rules import Rules, parse_rules
from lastcard.store import open_store
from lastcard.store.reading import GameFilter

MINI = Rules.preset("mini")
MIXED = Tournament(("heuristic", "random", "frequency"), MINI, num_deals=20, seed=4)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def told(results: Results) -> dict[str, object]:
    summary = summarize(results).to_dict()
    del summary["timing"]
    return summary


class StopAfter:
    def __init__(self, chunks: int) -> None:
        self.left = chunks

    def __call__(self, results: Results) -> None:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_store_changes_no_result_and_holds_every_game(jobs: int, file: Path) -> None:
    with open_store(file) as store:
        kept = KeptMatch.begin(store, MIXED)
        results = run_tournament(MIXED, jobs, kept)
        assert told(results) == told(run_tournament(MIXED))
        assert len(store.read_chunks(kept.number)) == len(MIXED.chunks)
        games = list(store.list_games(GameFilter(match=kept.number)))
        assert told(Results(MIXED, KeptMatch.resume(store, 1).chunks)) == told(results)
    pairs = Counter(tuple(sorted(seat.name for seat in game.seats)) for game in games)
    assert pairs == dict.fromkeys([("heuristic", "random"), ("frequency", "heuristic"), ("frequency", "random")], 40)
    assert Counter(Counter(game.seed for game in games).values()) == {2: 60}, "each deal from both seats"
    wins = Counter(game.seats[game.winner].name for game in games if game.winner is not None)
    expected: Counter[str] = Counter()
    for pairing in results.pairings:
        for winners, times in pairing.deals.items():
            for place in winners.replace("-", ""):
                expected[MIXED.agents[pairing.pairing.seating[int(place)]]] += times
    assert wins == expected


@pytest.mark.parametrize(
    ("agents", "rules", "num_deals"),
    [
        (("heuristic", "random"), "official", 200),
        (("heuristic", "random"), "house players=3", 60),
        (("net", "heuristic"), "official", 30),
        (("halving:simulations=4,hypotheses=4", "random"), "tournament players=3", 10),
        (("sees_hands:simulations=4", "net"), "official", 4),
    ],
)
def test_the_deals_and_games_of_a_seed_are_the_same_whoever_plays(
    agents: tuple[str, str], rules: str, num_deals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Tournament(agents, parse_rules(rules), num_deals, seed=5)
    inside = [play_chunk(cup, chunk, keep_games=True) for chunk in cup.chunks]
    assert [chunk.deals for chunk in inside] == [play_chunk(cup, chunk).deals for chunk in cup.chunks]
    players = cup.rules.players
    for chunk in inside:
        seated = [cup.agents[agent] for agent in cup.pairings[chunk.pairing].seating]
        winners, names = "", []
        for number, game in enumerate(chunk.games):
            seats = [(seat - number) % players for seat in range(players)]
            winners += "-" if game.winner is None else str(seats[game.winner])
            names.append([seat.name for seat in game.seats] == [seated[place] for place in seats])
        assert all(names)
        deals = Counter(winners[at : at + players] for at in range(0, len(winners), players))
        assert deals == chunk.deals, "records tell what was counted"
        assert sum(game.plies for game in chunk.games) == chunk.plies
    monkeypatch.setattr(Tournament, "contestants", lambda *_: None)
    at_table = Tournament(agents, cup.rules, num_deals, seed=5)
    outside = [play_chunk(at_table, chunk, keep_games=True) for chunk in at_table.chunks]

    def deals_of(chunks: list[ChunkResult]) -> list[tuple[int, object, object]]:
        records = [(chunk.pairing, Record.from_text(game.text)) for chunk in chunks for game in chunk.games]
        return [(pairing, record.rounds[0].deck, record.rounds[0].seed) for pairing, record in records]

    # Chunks are of other sizes at a table, so the pairings take turns otherwise.
    assert sorted(deals_of(inside), key=lambda deal: deal[0]) == sorted(deals_of(outside), key=lambda deal: deal[0])


def test_games_to_a_score_have_the_deals_of_the_core() -> None:
    """Round by round: the core deals every round of a game by its number, whatever was played before."""
    rules = MINI.replace(target_score=20)
    cup = Tournament(("heuristic", "random"), rules, num_deals=3, seed=1, to_score=True)
    games = [game for chunk in cup.chunks for game in play_chunk(cup, chunk, keep_games=True).games]
    for number, game in enumerate(games):
        for played in Record.from_text(game.text).rounds:
            dealt = deal_round(rules, cup.chunks[0].seed % 2**64, number // 2, played.number, played.scores)
            assert read_round(dealt).deck == played.deck


def test_games_to_a_score_are_stored_whole(file: Path) -> None:
    cup = Tournament(("heuristic", "random"), MINI.replace(target_score=20), num_deals=3, seed=1, to_score=True)
    with open_store(file) as store:
        results = run_tournament(cup, 1, KeptMatch.begin(store, cup))
        games = list(store.list_games())
        assert len(games) == 6
        assert sum(game.plies for game in games) == results.pairings[0].plies
        assert sum(sum(seat.points for seat in game.seats) for game in games) == sum(results.pairings[0].points)
        assert all(store.read_record(game.number).rounds for game in games)


@pytest.mark.parametrize("jobs", [1, 2])
def test_stopped_and_resumed_nothing_is_counted_twice(jobs: int, file: Path) -> None:
    whole = run_tournament(MIXED)
    with open_store(file) as store:
        stopped = run_tournament(MIXED, jobs, KeptMatch.begin(store, MIXED), StopAfter(3))
        assert stopped.was_stopped
    with open_store(file) as store:
        kept = KeptMatch.resume(store)
        assert len(kept.chunks) == 3
        assert kept.tournament == MIXED
        finished = run_tournament(kept.tournament, 1, kept)
        assert told(finished) == told(whole)
        assert store.count_games() == 120
        kept.rate([None, None, None], is_complete=finished.is_complete)
        again = KeptMatch.resume(store, 1)
        assert told(run_tournament(MIXED, 1, again)) == told(whole)
        assert store.count_games() == 120


def test_which_match_to_resume(file: Path) -> None:
    with open_store(file) as store:
        with pytest.raises(StoreError, match="holds no match"):
            KeptMatch.resume(store)
        first, second = KeptMatch.begin(store, MIXED), KeptMatch.begin(store, MIXED)
        with pytest.raises(StoreError, match="several unfinished matches: choose one with --match: 1, 2"):
            KeptMatch.resume(store)
        first.rate([], is_complete=True)
        assert KeptMatch.resume(store).number == second.number
        second.rate([], is_complete=True)
        with pytest.raises(StoreError, match=r"every match .* is finished; --match 2 shows the last one"):
            KeptMatch.resume(store)
        with pytest.raises(StoreError, match="there is no match 3"):
            KeptMatch.resume(store, 3)


def test_a_match_that_cannot_be_played_here_is_told(file: Path) -> None:
    with open_store(file) as store:
        store.begin_match({**MIXED.to_dict(), "agents": ["nobody", "random"]}, ["nobody", "random"]).result()
        with pytest.raises(RecordError, match="no agent 'nobody'"):
            KeptMatch.resume(store, 1)
        kept = KeptMatch.begin(store, MIXED)
        store.add_chunk(kept.number, 0, 0, {"nonsense": 1}).result()
        with pytest.raises(RecordError, match="not a chunk"):
            KeptMatch.resume(store, kept.number)


def test_a_chunk_carries_games_only_if_they_are_kept() -> None:
    chunk = next(chunk for chunk in MIXED.chunks if chunk.pairing == 1)
    assert play_chunk(MIXED, chunk).games == ()
    kept = play_chunk(MIXED, chunk, keep_games=True)
    assert len(kept.games) == chunk.num_deals * 2
    assert kept.without_games().games == ()
    assert "games" not in kept.to_dict()
