"""Tables, records and studies of the WebAssembly module: the same games, texts, views and judgments as in Python."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

import pytest

from lastcard.analysis import ANALYST, Analysis, analyse, count_choices
from lastcard.errors import RecordError
from lastcard.observation import observe
from lastcard.record import Record, RoundRecord, parse_record
from lastcard.rules import Rules, format_rules, parse_rules
from lastcard.store.studies import StoredStudy
from lastcard.table import Table
from lastcard.web.finished.finished_game import branch_off, describe_game, list_frames, make_finished_game
from lastcard.web.games.seating import SeatInfo
from lastcard.web.games.view import TableFacts, make_view
from tests.wasm.cases import MODULE, run_node

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="the module is not built: run make wasm")

WATCH = 1


@dataclass(frozen=True)
class Case:
    """A game among agents."""

    rules: str
    agents: tuple[str, ...]
    seed: int
    length: str = "game"
    most: int = 10_000


CASES = (
    Case("official target_score=120", ("heuristic", "random"), 7),
    Case("tournament players=3 target_score=60", ("frequency", "heuristic", "random"), 2**200 + 5),
    Case("house players=4", ("random", "heuristic", "frequency", "random"), 11, "round"),
    Case("family players=3 jump_in=true uno_penalty=2", ("heuristic", "random", "heuristic"), 3, "round"),
    Case("official", ("halving:simulations=40", "champion"), 5, "round", 25),
)


def play_here(case: Case) -> tuple[Table, list[dict[str, Any]]]:
    """The same game with the table of the package, with what a seat is sent after every ply."""
    table = Table(parse_rules(case.rules), case.agents, case.seed)
    views = [_view(table, case, 0)]
    earlier = 0
    while len(views) < case.most and not views[-1]["game_outcome"]:
        if views[-1]["outcome"]:
            earlier += observe(table.state, WATCH).num_events
            table.next_round()
        else:
            table.play_ply()
        while table.state.phase.value in ("catch", "jump_in"):  # which nobody else may notice
            table.play_ply()
        views.append(_view(table, case, earlier))
    return table, views


def _view(table: Table, case: Case, earlier: int) -> dict[str, Any]:
    state, players = table.state, len(case.agents)
    outcome = state.outcome if case.length == "round" else table.game_outcome
    is_over = state.is_over and outcome is not None
    public = TableFacts(
        game="g",
        length=case.length,  # type: ignore[arg-type]
        seats=tuple(SeatInfo(f"seat {seat}", "", agent, False) for seat, agent in enumerate(case.agents)),
        names=[f"seat {seat}" for seat in range(players)],
        held=(False,) * players,
        open=(False,) * players,
        here=(False,) * players,
        connected=(True,) * players,
        is_gathering=False,
        has_acted=False,
        has_rematch=False,
        deal_hash="",
        is_over=is_over,
        winner=outcome.winner if is_over and outcome else None,
        seed=table.seed if is_over else None,
        hands=tuple(state.hand(seat) for seat in range(players)) if state.is_over else None,
    )
    return make_view(observe(state, WATCH), public, earlier=earlier)


@cache
def played() -> list[tuple[Table, list[dict[str, Any]]]]:
    return [play_here(case) for case in CASES]


@cache
def answers() -> dict[str, Any]:
    """Everything asked of the module in one go: starting it takes longer than most answers."""
    games = [
        {
            "rules": case.rules,
            "agents": case.agents,
            "seed": hex(case.seed)[2:],
            "length": case.length,
            "most": case.most,
            "watch": WATCH,
        }
        for case in CASES
    ]
    records = [{"text": record().to_text(), "seat": WATCH, "plies": plies(), "ply": 3}]
    texts = [*BAD.values(), record().to_json_lines()]
    ends = [each.to_text() for each in list_ends()]
    found: dict[str, Any] = run_node("tables.mjs", {"games": games, "records": records, "ends": ends, "bad": texts})
    return found


@cache
def record() -> Record:
    return played()[1][0].record


@cache
def list_ends() -> list[Record]:
    """One game, which has three rounds or more, as far as different places."""
    game = played()[0][0].record
    first, second = game.rounds[:2]
    cut = replace(second, actions=second.actions[:3], reshuffles=(), outcome=None)
    ends = [(first,), (first, second), (first, cut), (replace(cut, number=1),), game.rounds]
    return [replace(game, rounds=rounds) for rounds in ends]


def judge_some(judge: str) -> Analysis:
    """The first three decisions of the first round."""

    def stop(done: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    return analyse(record(), judge, rounds=[record().rounds[0].number], tell=stop)


@cache
def plies() -> list[int]:
    return [each.ply for each in judge_some("halving:simulations=2").judgments]


def test_tables_play_the_same_games() -> None:
    for case, (table, views), found in zip(CASES, played(), answers()["games"], strict=True):
        assert found["text"] == table.record.to_text(), case
        assert len(found["views"]) == len(views), case
        for number, (ours, theirs) in enumerate(zip(views, found["views"], strict=True)):
            assert theirs == ours, (case, number)
        assert all(events == told for events, told in found["heard"]), case


def test_studies_show_the_same() -> None:
    number = record().rounds[0].number
    stored = StoredStudy(1, datetime(2026, 1, 1), True, True, False, (), {}, {})
    study = make_finished_game("g", stored, record())
    about = describe_game(study)
    analysis = judge_some(ANALYST)
    wanted: list[dict[str, Any]] = [each.to_dict() for each in analysis.judgments]
    (found,) = answers()["records"]
    for name in ("rules", "players", "rounds", "winner", "is_over", "scores", "seed"):
        assert found["about"][name] == about[name], name
    assert found["frames"] == list_frames(study, 0, WATCH)
    assert found["truth"] == list_frames(study, 0, None)
    assert found["judged"] == wanted
    assert len(found["choices"]) == count_choices(record(), rounds=[number])
    assert found["choices"][: len(wanted)] == [each["ply"] for each in wanted]
    for told in found["sums"]["seats"]:
        sums = analysis.sum_up(told["seat"])
        assert (told["decisions"], told["agreed"]) == (sums.decisions, sums.agreed)
        assert told["mean_cost"] == pytest.approx(sums.mean_cost, abs=1e-6)
    costliest = [(number, each.ply) for each in analysis.costliest()]
    assert [(each["round"], each["ply"]) for each in found["sums"]["costliest"]] == costliest
    branched = branch_off(study, 0, 3, 0, record().agents)
    assert Record.from_text(found["branch"]).rounds == branched.rounds


def test_a_record_that_stops_before_the_end_has_no_winner() -> None:
    stored = StoredStudy(1, datetime(2026, 1, 1), True, True, False, (), {}, {})
    for part, found in zip(list_ends(), answers()["ends"], strict=True):
        about = describe_game(make_finished_game("g", stored, part))
        assert (found["winner"], found["is_over"]) == (about["winner"], about["is_over"])
    assert [found["is_over"] for found in answers()["ends"]] == [True, False, False, False, True]
    assert [found["winner"] is None for found in answers()["ends"]] == [False, True, True, True, False]


TEXT = """[Lastcard "1"]
[Rules "mini"]
[Seat0 "random"]
[Seat1 "random"]
"""
BAD = {
    "empty": "",
    "version": '[Lastcard "2"]\n',
    "garbage": "hello\n",
    "rules": '[Lastcard "1"]\n[Rules "offcial"]\n',
    "seat": '[Lastcard "1"]\n[Rules "mini"]\n[Seat0 "random"]\n',
    "twice": TEXT + '[Seat1 "random"]\n',
    "unknown": TEXT + '[Mood "good"]\n',
    "action": "",
    "illegal": "",
    "result": "",
    "deck": "",
    "json": '{"lastcard": 1, "rules": 5}\n',
}


def _spoil() -> None:
    good = Table(Rules.preset("mini"), ["random", "random"], seed=7).play_round().to_text()
    BAD["action"] = good.replace("0: ", "0: jump ", 1)
    BAD["illegal"] = good.replace("0: ", "0: challenge ", 1)
    BAD["result"] = good.replace("went_out", "blocked")
    BAD["deck"] = good.replace('[Deck "', '[Deck "w w w w w ')


_spoil()


def test_a_damaged_record_is_refused_as_in_python() -> None:
    *refusals, whole = answers()["bad"]
    assert whole == "accepted"  # JSON lines
    for (name, text), message in zip(BAD.items(), refusals, strict=True):
        with pytest.raises(RecordError) as caught:
            parse_record(text)
        assert message == str(caught.value), name
        assert message.startswith("line "), name


def test_a_branch_is_a_record_of_one_round() -> None:
    (branch,) = Record.from_text(answers()["records"][0]["branch"]).rounds
    assert isinstance(branch, RoundRecord)
    assert (len(branch.actions), format_rules(record().rules)) == (3, answers()["records"][0]["about"]["rules"])


def test_nobody_acts_for_an_agent() -> None:
    assert answers()["meddling"] == "an agent is to act"
