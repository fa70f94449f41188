"""`lastcard analyse`: judging every decision of a record from what its seat knew."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from lastcard import Record, RoundRecord, Rules, Table, deal, make_agent, observe, parse_rules
from lastcard.analysis import Analysis, analyse, count_choices, make_analyst
from lastcard.cli.analyse import _Progress
from lastcard.cli.charts import draw_curve
from lastcard.errors import AgentError, RecordError, StateError
from lastcard.search.report import SearchReport
from tests.unit.test_cli_commands import Captured, run

QUICK = "halving:simulations=200,drop_losers=false"


@cache
def play(rules: str = "official", agents: tuple[str, ...] = ("heuristic", "random"), seed: int = 4) -> Record:
    return Table(parse_rules(rules), list(agents), seed=seed).play_round()


@cache
def judged() -> Analysis:
    return analyse(play(), QUICK)


def make_unfinished(record: Record) -> Record:
    """Returns the record without its last ply."""
    last = record.rounds[-1]
    cut = RoundRecord(last.number, last.dealer, last.scores, last.deck, last.actions[:-1], last.seed, last.reshuffles)
    return Record(record.rules, record.agents, (*record.rounds[:-1], cut), record.seed)


def test_every_choice_is_judged_as_its_seat_would_have() -> None:
    record = play()
    expected = []
    for state, action in zip(record.states(), record.rounds[0].actions, strict=False):
        assert state.seat is not None
        seen = observe(state, state.seat)
        if len(seen.legal_actions) > 1:
            report = make_analyst(QUICK).search(seen)
            expected.append((state.ply + 1, state.seat, action, report.actions, report.best))
    found = [(each.ply, each.seat, each.played, each.report.actions, each.report.best) for each in judged().judgments]
    assert found == expected
    assert len(found) == count_choices(record) > 10


def test_what_a_seat_could_not_know_does_not_count() -> None:
    """Two deals that look alike to seat 0 at its first choice: one card of seat 1 is swapped for the lowest."""
    rules = Rules.preset("official")
    record = play(seed=3)
    deck = list(record.rounds[0].deck)
    deck[0], deck[-2] = deck[-2], deck[0]
    worlds = [deal(rules, deck=order) for order in (record.rounds[0].deck, deck)]
    assert worlds[0].hand(1) != worlds[1].hand(1)
    assert worlds[0].seat == 0
    reports = []
    for state, order in zip(worlds, (record.rounds[0].deck, deck), strict=True):
        agent = make_agent("heuristic")
        actions = []
        after = state
        while not after.is_over:
            assert after.seat is not None
            actions.append(agent.choose(observe(after, after.seat)))
            after = after.after(actions[-1])
        whole = Record(rules, ("heuristic", "heuristic"), (RoundRecord.of(after, tuple(order), actions, None),))
        reports.append(analyse(whole, QUICK, seats=[0]).judgments[0].report)
    assert reports[0].actions == reports[1].actions
    assert reports[0].best is reports[1].best


def test_costs_are_what_the_best_action_wins_more() -> None:
    for each in judged().judgments:
        by_action = {value.action: value.value for value in each.report.actions}
        assert each.cost == max(by_action[each.report.best] - by_action[each.played], 0)
        assert (each.cost > 0) <= (each.played is not each.report.best)
    costs = [each.cost for each in judged().costliest()]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > 0.05
    assert len(judged().costliest(top=2)) == 2


def test_the_curve_ends_with_the_result() -> None:
    (part,) = judged().rounds
    for seat in (0, 1):
        *points, (last, end) = part.curve(seat)
        assert [ply for ply, _ in points] == [each.ply for each in part.judgments if each.seat == seat]
        assert last == part.num_plies + 1
        assert end == float(part.outcome.winner == seat)


def test_a_tie_ends_in_the_middle() -> None:
    for seed in range(30):
        record = play("mini max_plies=2 must_play=off", ("random", "random"), seed=seed)
        if record.rounds[0].outcome and record.rounds[0].outcome.winner is None:
            assert analyse(record, QUICK).rounds[0].curve(0)[-1][1] == 0.5
            return
    pytest.fail("no tie among thirty rounds")


def test_seats_and_rounds_can_be_chosen() -> None:
    record = Table(parse_rules("mini target_score=8"), ["random", "random"], seed=4).play_game()
    assert len(record.rounds) > 2
    assert [part.number for part in analyse(record, QUICK).rounds] == [played.number for played in record.rounds]
    second = analyse(record, QUICK, rounds=[2])
    assert [part.number for part in second.rounds] == [2]
    assert {each.seat for each in analyse(record, QUICK, seats=[1]).judgments} == {1}


def test_an_interruption_keeps_what_was_judged() -> None:
    def stop(done: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    part = analyse(play(), QUICK, tell=stop)
    assert not part.is_complete
    assert [each.report.actions for each in part.judgments] == [each.report.actions for each in judged().judgments[:3]]


def test_what_cannot_be_analysed_is_refused() -> None:
    with pytest.raises(RecordError, match="expected a Record, not 'game'"):
        analyse("game")  # type: ignore[arg-type]
    with pytest.raises(RecordError, match="the record holds no round"):
        analyse(Record(Rules(), ("a", "b"), ()))
    with pytest.raises(RecordError, match="the record holds round 1, which is not finished"):
        analyse(make_unfinished(play()))
    with pytest.raises(RecordError, match="round 1 is not finished"):
        analyse(make_unfinished(play()), rounds=[1])
    with pytest.raises(RecordError, match="no round 5 in the record; there are: 1"):
        analyse(play(), rounds=[5])
    with pytest.raises(StateError, match="seat must be from 0 to 1, not 2"):
        analyse(play(), seats=[2])
    with pytest.raises(AgentError, match="heuristic only chooses"):
        analyse(play(), "heuristic")
    with pytest.raises(AgentError, match="no agent 'nobody'"):
        analyse(play(), "nobody")


def test_an_action_that_the_judge_left_out_costs_nothing() -> None:
    record = play(agents=("heuristic", "heuristic"), seed=3)
    strict = analyse(record, "halving:simulations=50,consider_drawing=false")
    left_out = [each for each in strict.judgments if each.played_value is None]
    assert left_out
    assert all(each.cost == each.error == 0 and each.to_dict()["value"] is None for each in left_out)


# The command


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "round.txt"
    play().save(path)
    return str(path)


def test_the_costliest_come_first(file: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run(capsys, monkeypatch, "analyse", file, "--agent", QUICK, "--top", "3")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    worst = judged().costliest(1)[0]
    assert worst.played_value is not None
    line = next(line for line in out.splitlines() if line.startswith("  ply "))
    assert f"ply {worst.ply}, " in line
    assert f"played {worst.played}: {100 * worst.played_value.value:.0f} %" in line
    assert f"best {worst.report.best}: {100 * worst.best_value.value:.0f} %" in line
    assert sum(line.startswith("  ply ") for line in out.splitlines()) == 3


def test_json_holds_every_decision(file: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, monkeypatch, "analyse", file, "--agent", QUICK, "--json")
    told = json.loads(out)
    assert code == 0
    assert told == json.loads(json.dumps(judged().to_dict()))
    assert told["is_complete"] is True
    assert {"ply", "seat", "played", "value", "best", "best_value", "cost", "actions"} <= set(
        told["rounds"][0]["decisions"][0]
    )


def test_one_seat(file: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    _, out, _ = run(capsys, monkeypatch, "analyse", file, "--agent", QUICK, "--seat", "0")
    starts = [line.partition(": ")[0] for line in out.splitlines() if "choices agree with the judge" in line]
    assert starts == ["heuristic"]
    assert "random, plies" not in out


@pytest.mark.parametrize("rules", ["house players=4", "tournament players=10"])
def test_many_seats_fit(rules: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "many.txt"
    play(rules, ("random",) * parse_rules(rules).players, 2).save(path)
    code, out, _ = run(capsys, monkeypatch, "analyse", str(path), "--agent", "halving:simulations=20")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    assert out.count("then the end") >= 4


def test_a_figure_is_drawn(file: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = tmp_path / "curve.png"
    code, _, _ = run(capsys, monkeypatch, "analyse", file, "--agent", QUICK, "--plot", str(picture))
    assert code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    drawing = tmp_path / "curve.svg"
    run(capsys, monkeypatch, "analyse", file, "--agent", QUICK, "--plot", str(drawing))
    text = drawing.read_text(encoding="utf-8")
    assert "win probability, %" in text
    assert f"best {judged().costliest(1)[0].report.best}" in text


def test_too_many_rounds_for_a_figure_are_refused_before_any_is_judged(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.txt"
    Table(parse_rules("mini target_score=60"), ["random", "random"], seed=4).play_game().save(path)
    code, _, err = run(capsys, monkeypatch, "analyse", str(path), "--plot", str(tmp_path / "curve.png"))
    assert code == 2
    assert "a plot has room for 12 rounds, not " in err


def test_ctrl_c_prints_what_there_is(file: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = type(make_analyst(QUICK))
    search, calls = agent.search, []

    def interrupted(self: object, observation: object) -> SearchReport:
        calls.append(observation)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return search(self, observation)  # type: ignore[arg-type]

    monkeypatch.setattr(agent, "search", interrupted)
    code, out, _ = run(capsys, monkeypatch, "analyse", file, "--agent", QUICK)
    assert code == 130
    assert f"Stopped: 4 of {count_choices(play())} decisions are judged." in out
    assert "Costliest decisions" in out or "Round 1" in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--seat", "2"], "--seat must be from 0 to 1, not 2"),
        (["--round", "9"], "no round 9 in the record; there are: 1"),
        (["--top", "-1"], "--top must be from 0"),
        (["--seed", "-1"], "--seed must be from 0"),
        (["--agent", "random"], "random only chooses"),
        (["--agent", "halving:x=1"], "halving has no option 'x=1'"),
        (["--plot", "curve.gif"], "a plot is a .png or .svg file"),
        (["--plot", "/nowhere/curve.png"], "--plot: cannot write '/nowhere/curve.png': there is no folder '/nowhere'"),
    ],
)
def test_bad_options_are_named(
    options: list[str], said: str, file: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = run(capsys, monkeypatch, "analyse", file, *options)
    assert (code, out) == (2, "")
    assert said in err


def test_bad_records_are_refused(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bad.txt"
    text = play().to_text()
    for bad, said in (
        ("hello", "not a lastcard record"),
        (text.replace('"official"', '"chess"'), "no rules preset 'chess'"),
        (text.replace(" went_out ", " blocked "), "the record says"),
        (make_unfinished(play()).to_text(), "which is not finished"),
    ):
        path.write_text(bad, encoding="utf-8")
        code, _, err = run(capsys, monkeypatch, "analyse", str(path))
        assert (code, said in err) == (2, True), err
    code, _, err = run(capsys, monkeypatch, "analyse", str(tmp_path / "none.txt"))
    assert (code, "cannot read" in err) == (2, True)


def test_one_of_several_games_is_chosen(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.txt"
    path.write_text(play("mini", seed=1).to_text() + "\n" + play("mini", seed=2).to_text(), encoding="utf-8")
    code, out, _ = run(capsys, monkeypatch, "analyse", str(path), "--game", "2", "--agent", QUICK, "--json")
    assert code == 0
    assert json.loads(out) == json.loads(json.dumps(analyse(play("mini", seed=2), QUICK).to_dict()))
    code, _, err = run(capsys, monkeypatch, "analyse", str(path))
    assert (code, "holds 2 games; choose one with --game" in err) == (2, True)


def test_progress_is_told_where_nobody_looks(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 5.0, 20.0, 21.0])
    monkeypatch.setattr("lastcard.cli.analyse.time", SimpleNamespace(monotonic=lambda: next(times)))
    progress = _Progress(10)
    for done in (1, 2, 3):
        progress(done)
    assert capsys.readouterr().err == "2 of 10 decisions, 80 s left\n"


# The chart


def test_a_chart_is_as_high_as_the_value() -> None:
    lines = draw_curve([(1, 0.0), (2, 0.5), (3, 1.0)], width=40, height=4)
    assert [line[7:] for line in lines] == ["  █", "  █", " ██", " ██"]


def test_a_long_curve_is_squeezed_and_keeps_its_end() -> None:
    points = [(ply, 0.0) for ply in range(1, 500)] + [(500, 1.0)]
    (line,) = draw_curve(points, width=40, height=1)
    assert len(line) == 40
    assert line.endswith(" █")
