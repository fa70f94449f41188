"""Tournaments: the same results however they are played, and nothing lost."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lastcard.arena.chunks import play_chunk
from lastcard.arena.ledger import Ledger
from lastcard.arena.printing import pairing_lines
from lastcard.arena.results import ChunkResult, DecisionTimes, Results
from lastcard.arena.schedule import Tournament
from lastcard.arena.sprt import SprtConfig
from lastcard.arena.summary import summarize
from lastcard.arena.tournament_run import run_tournament
from lastcard.errors import AgentError, LastcardError, RecordError
from lastcard.locks import lock_file
from lastcard.rules import Rules, parse_rules
from lastcard.table import Table
from lastcard.weights import Weights

OFFICIAL = Rules.preset("official")
MIXED = Tournament(("heuristic", "frequency", "halving:simulations=4,hypotheses=8"), OFFICIAL, num_deals=12, seed=3)


def told(results: Results) -> dict[str, object]:
    """Everything but the times."""
    fields = summarize(results).to_dict()
    del fields["timing"]
    return fields


# The schedule


def test_every_pair_meets_once_and_with_more_players_both_ways() -> None:
    names = ("random", "heuristic", "frequency")
    assert [pairing.seating for pairing in Tournament(names, OFFICIAL, 1).pairings] == [(0, 1), (0, 2), (1, 2)]
    three = Tournament(names, OFFICIAL.replace(players=3), 1)
    assert [pairing.seating for pairing in three.pairings][:3] == [(0, 1, 1), (0, 2, 2), (1, 0, 0)]
    assert len(three.pairings) == 6
    table = Tournament(names, OFFICIAL.replace(players=3), 1, one_table=True)
    assert [pairing.seating for pairing in table.pairings] == [(0, 1, 2)]


@pytest.mark.parametrize("num_deals", [1, 7, 8, 9, 25_000])
def test_chunks_are_all_deals_and_none_comes_twice(num_deals: int) -> None:
    cup = Tournament(("random", "heuristic", "frequency"), OFFICIAL, num_deals)
    for pairing in range(3):
        chunks = [chunk for chunk in cup.chunks if chunk.pairing == pairing]
        ends = [chunk.first + chunk.num_deals for chunk in chunks]
        assert [chunk.first for chunk in chunks] == [0, *ends[:-1]]
        assert ends[-1] == num_deals
        assert len({chunk.seed for chunk in chunks}) == 1
    assert len({chunk.seed for chunk in cup.chunks}) == 3


def test_deals_of_a_pair_do_not_depend_on_who_else_plays() -> None:
    two = Tournament(("random", "heuristic"), OFFICIAL, 50, seed=9)
    three = Tournament(("random", "heuristic", "frequency"), OFFICIAL, 50, seed=9)
    assert two.chunks == tuple(chunk for chunk in three.chunks if chunk.pairing == 0)


@pytest.mark.parametrize(
    ("agents", "changes", "part"),
    [
        (("random",), {}, "at least two"),
        (("random",) * 27, {}, "at most 26"),
        (("random", "nobody"), {}, "no agent 'nobody'"),
        (("random", "halving:depth=2"), {}, "no option 'depth=2'"),
        (("random", "random"), {"num_deals": 0}, "num_deals"),
        (("random", "random"), {"seed": -1}, "seed"),
        (("random",) * 3, {"one_table": True}, "need as many seats"),
        (("random",) * 2, {"one_table": True, "sprt": SprtConfig(0, 5)}, "sequential test"),
    ],
)
def test_impossible_tournaments_are_refused(agents: tuple[str, ...], changes: dict[str, object], part: str) -> None:
    with pytest.raises(LastcardError, match=part):
        Tournament(agents, OFFICIAL, **{"num_deals": 5, **changes})  # type: ignore[arg-type]


# Play


def test_every_rotation_has_the_same_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    decks: list[object] = []
    agents: list[tuple[object, ...]] = []
    play_round = Table.play_round

    def spy(table: Table) -> object:
        assert table.state.ply == 0
        decks.append(table.record.rounds[0].deck)
        agents.append(tuple(getattr(agent, "name", None) for agent in table.agents))
        return play_round(table)

    monkeypatch.setattr(Table, "play_round", spy)
    cup = Tournament(("frequency", "first_legal"), OFFICIAL.replace(players=3), num_deals=2, seed=4)
    play_chunk(cup, cup.chunks[0])
    assert decks[0] == decks[1] == decks[2] != decks[3] == decks[4] == decks[5]
    assert agents[:3] == [
        ("frequency", "first_legal", "first_legal"),
        ("first_legal", "frequency", "first_legal"),
        ("first_legal", "first_legal", "frequency"),
    ]


@pytest.mark.parametrize("rules", ["official", "tournament", "house", "official scoring=lowest", "mini"])
def test_the_table_and_the_core_agree_on_how_strong_agents_are(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The agents' luck differs, so shares are compared: 4 standard errors apart once in 16,000 times."""
    cup = Tournament(("heuristic", "random"), parse_rules(rules).replace(players=2), num_deals=120, seed=2)
    inside = summarize(run_tournament(cup)).meetings[0]
    monkeypatch.setattr(Tournament, "contestants", lambda *_: None)
    outside = summarize(run_tournament(Tournament(cup.agents, cup.rules, 120, 2))).meetings[0]
    spread = (inside.shares[0].error ** 2 + outside.shares[0].error ** 2) ** 0.5 / 1.96
    assert abs(inside.shares[0].value - outside.shares[0].value) < 4 * spread
    for place in (0, 1):
        assert abs(inside.points[place] - outside.points[place]) < 0.35 * (inside.points[place] + 10)


def test_points_of_a_game_are_final_scores() -> None:
    cup = Tournament(("heuristic", "random"), OFFICIAL.replace(target_score=100), 4, to_score=True)
    [pairing] = run_tournament(cup).pairings
    assert sum(pairing.points) >= 8 * 100
    assert sum(pairing.deals.values()) == 4


def test_times_are_of_decisions_with_a_choice() -> None:
    results = run_tournament(Tournament(("frequency", "random"), OFFICIAL, 4))
    for times in results.pairings[0].decisions:
        assert times.count > 20
        assert times.mean is not None
        assert 1e-7 < times.mean < 0.1


def test_quantiles_of_times() -> None:
    times, other = DecisionTimes(), DecisionTimes()
    for i in range(1, 51):
        times.add(i / 100)
        other.add((i + 50) / 100)
    times.merge(other)
    assert times.quantile(0.95) == pytest.approx(0.95, rel=0.05)
    assert times.quantile(0.5) == pytest.approx(0.5, rel=0.05)
    assert times.mean == pytest.approx(0.505)
    assert DecisionTimes.from_dict(json.loads(json.dumps(times.to_dict()))) == times
    assert (DecisionTimes().mean, DecisionTimes().quantile(0.5)) == (None, None)


# The same results however they are played


def test_results_do_not_depend_on_jobs() -> None:
    one = told(run_tournament(MIXED, jobs=1))
    assert told(run_tournament(MIXED, jobs=2)) == one
    assert told(run_tournament(MIXED, jobs=3)) == one


def test_results_do_not_depend_on_the_order_of_chunks() -> None:
    cup = Tournament(("heuristic", "random"), OFFICIAL, 2500, sprt=SprtConfig(100, 160), seed=1)
    chunks = [play_chunk(cup, chunk) for chunk in cup.chunks]
    forward, backward = Results(cup, chunks), Results(cup, chunks[::-1])
    assert told(forward) == told(backward)
    assert forward.pairings[0].num_deals == backward.pairings[0].num_deals


def test_a_sequential_test_ends_at_the_same_chunk_at_any_speed() -> None:
    cup = Tournament(("heuristic", "random"), OFFICIAL, 20_000, sprt=SprtConfig(130, 170), seed=1)
    one, two = run_tournament(cup, jobs=1), run_tournament(cup, jobs=2)
    assert one.pairings[0].decision is not None
    assert one.is_complete
    assert one.num_deals < 20_000
    assert told(one) == told(two)


def test_an_error_in_another_process_is_told(tmp_path: Path) -> None:
    weights = tmp_path / "weights.json"
    Weights.shipped(2).save(weights)
    cup = Tournament((f"heuristic:weights={weights}", "first_legal"), OFFICIAL, 30)
    assert cup.chunks
    weights.write_text("{}")
    with pytest.raises(AgentError, match="weights"):
        run_tournament(cup, jobs=2)


# Ctrl-C, the ledger, and going on


class StopAfter:
    """Ctrl-C after so many chunks."""

    def __init__(self, chunks: int) -> None:
        self.left = chunks

    def __call__(self, results: Results) -> None:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_what_was_played_and_resume_goes_on(jobs: int, tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    with Ledger.create(file, MIXED) as ledger:
        stopped = run_tournament(MIXED, jobs, ledger, StopAfter(3))
    assert (stopped.was_stopped, stopped.is_complete) == (True, False)
    assert 0 < stopped.progress < 1
    assert summarize(stopped).meetings
    with Ledger.resume(file) as ledger:
        assert ledger.tournament == MIXED
        assert len(ledger.chunks) == 3
        finished = run_tournament(ledger.tournament, 1, ledger)
    assert told(finished) == told(run_tournament(MIXED))
    with Ledger.resume(file) as ledger:
        assert told(Results(MIXED, ledger.chunks)) == told(finished)


def test_a_torn_last_line_is_dropped_and_played_again(tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    with Ledger.create(file, MIXED) as ledger:
        whole = run_tournament(MIXED, 1, ledger)
    data = file.read_bytes()
    for cut in (1, 2, 40):
        file.write_bytes(data[:-cut])
        with Ledger.resume(file) as ledger:
            assert "cut off" in ledger.note
            assert len(ledger.chunks) == len(MIXED.chunks) - 1
            again = run_tournament(MIXED, 1, ledger)
        assert told(again) == told(whole)
        assert file.read_bytes().count(b"\n") == data.count(b"\n")


def test_killed_at_random_moments_nothing_is_lost_or_counted_twice(tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    command = [sys.executable, "-m", "lastcard.cli", "arena", "--jobs", "2"]
    first = ["frequency", "first_legal", "--games", "300", "--seed", "6", "--out", str(file)]
    acknowledged = 0
    for delay in (0.05, 0.3):
        process = subprocess.Popen(
            [*command, *(["--resume", str(file)] if file.exists() else first)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None and count_lines(file) <= acknowledged + 1:
            time.sleep(0.01)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert count_lines(file) > acknowledged
        acknowledged = count_lines(file)
    with Ledger.resume(file) as ledger:
        finished = run_tournament(ledger.tournament, 1, ledger)
    assert told(finished) == told(run_tournament(Tournament(("frequency", "first_legal"), OFFICIAL, 150, 6)))


def count_lines(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


def test_a_dead_process_is_told_and_what_was_finished_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"

    def kill_one(results: Results) -> None:
        pid = multiprocessing.active_children()[0].pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    cup = Tournament(("frequency", "first_legal"), OFFICIAL, 400)
    with Ledger.create(file, cup) as ledger, pytest.raises(AgentError, match="has died"):
        run_tournament(cup, 2, ledger, kill_one)
    with Ledger.resume(file) as ledger:
        assert ledger.chunks


def test_a_file_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    file.write_text("precious")
    with pytest.raises(RecordError, match="already exists"):
        Ledger.create(file, MIXED)
    assert file.read_text() == "precious"
    with pytest.raises(RecordError, match="cannot write"):
        Ledger.create(tmp_path / "none" / "cup.jsonl", MIXED)


HEADER = json.dumps({"format": "lastcard-arena", "version": 1, "tournament": MIXED.to_dict()})


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "not the file of a tournament"),
        ("[1]\n", "not the file of a tournament"),
        ('{"format": "other"}\n', "not the file of a tournament"),
        (HEADER.replace('"version": 1', '"version": 2') + "\n", "version 2"),
        (HEADER.replace("frequency", "nobody") + "\n", "no agent 'nobody'"),
        (HEADER.replace('"deals": 12', '"deals": "12"') + "\n", "not a tournament"),
        (HEADER + "\n{broken\n{}\n", "line 2 is damaged"),
        (HEADER + "\n{}\n", "not a chunk"),
    ],
)
def test_foreign_and_damaged_files_are_refused_and_stay_as_they_are(text: str, part: str, tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    file.write_text(text)
    with pytest.raises(RecordError, match=part):
        Ledger.resume(file)
    assert file.read_text() == text


def test_two_cannot_go_on_with_the_same_file(tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    with Ledger.create(file, MIXED), pytest.raises(RecordError, match="in use"):
        Ledger.resume(file)
    Ledger.resume(file).close()


def test_what_another_process_appends_before_the_lock_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other process finishes between the moment the file is opened and the moment it is locked."""
    file, lock = tmp_path / "cup.jsonl", "lastcard.arena.ledger.lock_file"
    Ledger.create(file, MIXED).close()

    def lock_late(number: int) -> None:
        monkeypatch.setattr(lock, lock_file)
        with Ledger.resume(file) as other:
            run_tournament(MIXED, 1, other)
        lock_file(number)

    monkeypatch.setattr(lock, lock_late)
    with Ledger.resume(file) as resumed:
        assert len(resumed.chunks) == len(MIXED.chunks)


def test_chunks_of_another_tournament_do_not_count() -> None:
    chunk = play_chunk(MIXED, MIXED.chunks[0])
    with pytest.raises(RecordError, match="comes twice"):
        Results(MIXED, [chunk, chunk])
    other = Tournament(("heuristic", "random"), OFFICIAL, num_deals=5)
    with pytest.raises(RecordError, match="does not belong here"):
        Results(other, [chunk])
    with pytest.raises(RecordError, match="of 3 players"):
        ChunkResult.from_dict(chunk.to_dict(), players=3)


# How long rounds are


@pytest.mark.parametrize("rival", ["random", "frequency"])
def test_rounds_that_reach_max_plies_are_counted(rival: str) -> None:
    """Inside the core against `random`, at a table against `frequency`; nothing is unfinished without a limit."""
    short = Tournament(("heuristic", rival), parse_rules("official max_plies=20"), num_deals=6, seed=5)
    results = run_tournament(short)
    meeting = summarize(results).meetings[0]
    assert 0.2 < meeting.unfinished <= 1
    assert meeting.plies <= 20
    assert results.pairings[0].unfinished == round(12 * meeting.unfinished)
    assert "% unfinished" in pairing_lines(summarize(results))[0]
    chunk = play_chunk(short, short.chunks[0])
    assert ChunkResult.from_dict(chunk.to_dict(), 2).unfinished == chunk.unfinished > 0
    before = {name: value for name, value in chunk.to_dict().items() if name != "unfinished"}
    assert ChunkResult.from_dict(before, 2).unfinished == 0  # a ledger from before this was counted
    usual = Tournament(("heuristic", "random"), OFFICIAL, num_deals=6, seed=5)
    assert summarize(run_tournament(usual)).meetings[0].unfinished == 0
