"""`lastcard advise`: what it prints, and what it says of bad input."""

import json
import re

import pytest

from lastcard.advice import HYPOTHESES, Situation, advise, make_config
from lastcard.belief import BeliefConfig
from lastcard.cards import CARDS
from lastcard.cli.reports import LEGEND, SHADES, shade
from lastcard.search import HalvingConfig, IsmctsConfig, PomcpConfig
from tests.unit.test_cli_commands import Captured, run

HAND = "r5 r9 g2 bR y+2 w w+4"
TABLE = ["--hand", HAND, "--top", "g7", "--opponents", "7,5,3"]
QUICK = ["--simulations", "500"]


def test_the_example_works(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run(capsys, monkeypatch, "advise", *TABLE)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in out
    assert lines[0].startswith("Play g2: that wins ")
    assert "simulations, belief particle (exact), seed 0" in lines[-1]


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("halving", r"a network prefers {best}|{best} was ahead when .* dropped out"),
        ("halving:advisor=heuristic", r"the heuristic prefers {best}|{best} was ahead when .* dropped out"),
        ("ismcts", r"the search tried {best} most"),
    ],
)
def test_a_higher_number_than_that_of_the_best_action_is_explained(
    agent: str, why: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = False
    for seed in range(20):
        words = ["--hand", "r5 bR y+2 w w+4", "--top", "g7", "--opponents", "7,5,3", "--simulations", "400"]
        out = run(capsys, monkeypatch, "advise", *words, "--agent", agent, "--seed", str(seed))[1]
        rows = re.findall(r"^  (\S+) +([0-9.]+) ± +[0-9.]+ %", out, re.MULTILINE)
        higher = [name for name, value in rows if float(value) > float(rows[0][1])]
        told = " ".join(out.split())
        best, names = re.escape(rows[0][0]), re.escape(" and ".join(", ".join(higher).rsplit(", ", 1)))
        level = rf"{best} is level with {names}, and|{names} ha(s a|ve) higher values? than {best}, but"
        assert not higher or re.search(rf"({level}) ({why.format(best=best)})\.", told), told
        seen = seen or bool(higher)
    assert seen


def test_the_numbers_are_those_of_the_search(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    history = "2 plays g7; 3 draws 1"
    code, out, _ = run(capsys, monkeypatch, "advise", *TABLE, *QUICK, "--history", history, "--seed", "5", "--json")
    told = json.loads(out)
    situation = Situation.parse(HAND, "g7", "7,5,3", history=history)
    report = advise(situation, HalvingConfig(simulations=500, belief=BeliefConfig(hypotheses=HYPOTHESES)), seed=5)
    expected = report.to_dict()
    assert code == 0
    assert told["situation"] == situation.to_dict()
    for name in ("best", "actions", "by_policy", "simulations", "belief"):
        assert told[name] == expected[name]
    assert set(told) == {"situation", *expected}
    assert set(told["belief"]["marginals"]) == {"1", "2", "3"}


def test_a_seed_fixes_it_and_the_usual_one_is_0(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, zero, one = (
        run(capsys, monkeypatch, "advise", *TABLE, *QUICK, *seed)[1] for seed in ([], ["-s", "0"], ["-s", "1"])
    )
    assert usual == zero
    assert usual.splitlines()[5:] != one.splitlines()[5:]


@pytest.mark.parametrize("belief", ["uniform", "constrained", "particle"])
def test_every_belief_can_be_asked_for(belief: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    history = ["--history", "1 plays g7; 2 draws 1; 3 draws 1"]
    out = run(capsys, monkeypatch, "advise", *TABLE, *QUICK, *history, "--belief", belief)[1]
    source = "4096 hypotheses" if belief == "particle" else "exact"
    assert f"belief {belief} ({source})" in out


@pytest.mark.parametrize("agent", ["expectiminimax:as_published", "mcts:as_published", "pomcp:as_published"])
def test_every_published_form_tells_what_it_believes_after_a_draw(
    agent: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = ["--hand", "g5 g2", "--top", "g1", "--opponents", "7", "--rules", "numbers"]
    history = ["--history", "turned up g1; 1 draws 1"]
    code, out, err = run(capsys, monkeypatch, "advise", *table, *history, "--agent", agent)
    assert (code, err) == (0, "")
    assert "Cards they may hold" in out


@pytest.mark.parametrize(
    ("opponents", "grids"), [("3", 1), ("3,4", 2), ("3,4,5", 3), ("3,4,5,6", 0), ("1,2,3,4,5,6,7,8,9", 0)]
)
def test_few_opponents_get_a_map_of_every_card(
    opponents: str, grids: int, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = run(capsys, monkeypatch, "advise", "--hand", "r5 g2", "--top", "g7", "--opponents", opponents, *QUICK)[1]
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("  seat ") and "card" in line for line in lines) == opponents.count(",") + 1
    # With color letters in front, so that it can be read without color.
    rows = [line for line in lines if line.startswith("  b ")]
    assert len(rows) == (1 if grids else 0)
    if rows:
        assert rows[0].count("b ") == grids


def test_a_card_that_nobody_can_hold_is_a_dot(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    hand = ["--hand", "b9 b9 g2", "--top", "g7", "--opponents", "4"]
    row = next(
        line for line in run(capsys, monkeypatch, "advise", *hand, *QUICK)[1].splitlines() if line.startswith("  b ")
    )
    ranks = list(dict.fromkeys(card.rank for card in CARDS))
    assert row[4 + 2 * [rank.value for rank in ranks].index("9")] == "·"


def test_shades_rise_and_the_legend_tells_them() -> None:
    assert [shade(chance) for chance in (0, 0.05, 0.15, 0.4, 0.41, 1)] == list("·░▒▓██")
    assert all(mark in LEGEND for _, mark in SHADES)


def test_where_there_is_no_choice_the_belief_is_shown_all_the_same(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = ["--hand", "b9", "--top", "g7", "--opponents", "4"]
    out = run(capsys, monkeypatch, "advise", *hand)[1]
    assert out.startswith("Draw a card.\n  It is all that the rules allow.\n\nCards they may hold")
    told = json.loads(run(capsys, monkeypatch, "advise", *hand, "--json")[1])
    assert (told["best"], told["actions"], told["belief"]) == ("draw", [], None)


@pytest.mark.parametrize("agent", ["halving", "ismcts", "mcts", "mcts:as_published", "pomcp:patience=1"])
def test_any_search_can_be_asked(agent: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["advise", *TABLE, "--agent", agent, "--simulations", "600", "--tree", "2"]
    code, out, err = run(capsys, monkeypatch, *asked)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert "seat 0: " in out
    told = json.loads(run(capsys, monkeypatch, *asked, "--json")[1])
    assert told["line"][0] == told["best"]
    assert sum(node["simulations"] for node in told["tree"]) == told["simulations"]
    assert len(told["tree"]) == len(told["actions"])
    assert any(node["children"] for node in told["tree"]) == (agent != "halving")


def test_options_of_the_command_go_before_those_of_the_agent() -> None:
    made = make_config("ismcts:simulations=50,patience=3", None, 0.0, "uniform")
    assert made == IsmctsConfig(simulations=50, patience=3, belief=BeliefConfig("uniform", hypotheses=HYPOTHESES))
    assert make_config("pomcp:hypotheses=9", 70, 0.5, "") == PomcpConfig(
        simulations=70, seconds=0.5, belief=BeliefConfig(hypotheses=9)
    )
    assert make_config("halving", None, 0.0, "") == HalvingConfig(
        simulations=20_000, belief=BeliefConfig(hypotheses=HYPOTHESES)
    )


def test_house_rules_are_taken(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    given = ["--hand", "r+2 b1", "--top", "g+2", "--opponents", "4,2", "--owed", "4", "--direction", "reversed"]
    told = json.loads(
        run(capsys, monkeypatch, "advise", *given, *QUICK, "--rules", "official stacking=same", "--json")[1]
    )
    assert told["situation"]["phase"] == "answer"
    assert told["situation"]["legal_actions"] == ["r+2", "accept"]
    assert told["situation"]["rules"] == "official players=3 stacking=same"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--hand", "r5 r5 x"], "--hand: 'x' is not a card; expected a color r, y, g or b with 0-9"),
        (["--hand", "r5 r5", "--discards", "r5"], "the deck has 2 r5, but --hand and --discards have 3"),
        (["--hand", "r5 r5", "--top", "r5"], "the deck has 2 r5, but --hand and --top have 3"),
        (["--hand", ""], "--hand is empty"),
        (["--top", "w"], "--called is missing: with --top w, give the color"),
        (["--called", "r"], "--called r needs a Wild on top, not --top g7"),
        (["--drawn", "b1"], "--drawn b1 must be one of the cards in --hand"),
        (["--owed", "2"], "--owed 2 needs a Draw Two"),
        (["--opponents", "7,0"], "--opponents: seat 2 holds 0 cards"),
        (["--opponents", "1,1,1,1,1,1,1,1,1,1"], "--opponents must be 1 to 9 hands, not 10"),
        (["--opponents", "99,7"], "the deck has 108 cards, but --hand and --opponents have 113"),
        (["--history", "1 plays r5"], "--history: at its end it is the turn of seat 2, not yours"),
        (["--history", "2 plays r5; 3 plays g7"], "--history: '3 plays g7' cannot be: g7 does not match r5"),
        (["--direction", "up"], "--direction: expected forward or reversed"),
        (["--rules", "official stacking=maybe"], "--rules: stacking must be one of"),
        (["--simulations", "0"], "--simulations must be from 1 to"),
        (["--seconds", "100"], "--seconds must be a number from 0 to 60"),
        (["--belief", "blind"], "--belief must be one of uniform, constrained, particle"),
        (["--seed", "-1"], "--seed must be from 0 to"),
        (["--agent", "chess"], "--agent: no agent 'chess'; there are random"),
        (
            ["--agent", "random"],
            "--agent must be one that searches (halving, expectiminimax, ismcts, mcts, pomcp), not 'random'",
        ),
        (["--agent", "ismcts:depth=3"], "--agent: ismcts has no option 'depth=3'"),
        (["--tree", "17"], "--tree must be from 0 to 16"),
    ],
)
def test_bad_input_is_named(arguments: list[str], part: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run(capsys, monkeypatch, "advise", *TABLE, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert part in err
    assert err.count("\n") == 1
    assert "`" not in err


def test_what_is_missing_is_named(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, _, err = run(capsys, monkeypatch, "advise", "--hand", "r5", "--top", "r1")
    assert code == 2
    assert "--opponents" in err
