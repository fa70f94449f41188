"""The terminal where it is narrow or plain, and what it quotes."""

from __future__ import annotations

import io
import sys

import pytest

from lastcard.cli import screen
from lastcard.cli.commands import main
from lastcard.cli.human_agent import Person
from lastcard.cli.input import Complaint, read_answer
from lastcard.observation import observe
from lastcard.state import parse_state

Captured = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def run(words: list[str], capsys: Captured, monkeypatch: Patch) -> str:
    monkeypatch.setattr(sys, "argv", ["lastcard", *words])
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(SystemExit) as left:
        main()
    told = capsys.readouterr()
    assert (left.value.code, told.err) == (0, "")
    return told.out


@pytest.mark.parametrize("columns", [60, 72, 80])
@pytest.mark.parametrize("opponents", ["7", "7,5", "7,5,3", "7,5,3,2"])
def test_the_tables_of_advise_fit(columns: int, opponents: str, capsys: Captured, monkeypatch: Patch) -> None:
    monkeypatch.setattr(screen, "is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    words = ["advise", "--hand", "r5 bR y+2 w w+4", "--top", "g7", "--opponents", opponents, "--simulations", "50"]
    lines = run(words, capsys, monkeypatch).splitlines()
    assert max(map(len, lines)) <= columns
    heads = [line for line in lines if line.endswith("w     w+4") or line.endswith("w        w+4")]
    assert len(heads) == 1
    rows = [line for line in lines if line.startswith("  seat ") and "cards" in line]
    assert len(rows) == len(opponents.split(","))
    assert all(line.endswith("%") and line.count("%") == 6 for line in rows)


@pytest.mark.parametrize("names", [["heuristic", "random"], ["heuristic", "random", "frequency", "random"]])
def test_the_rows_of_watch_fit(names: list[str], capsys: Captured, monkeypatch: Patch) -> None:
    monkeypatch.setattr(screen, "is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    rules = [] if len(names) == 2 else ["--rules", "house"]
    lines = run(["watch", *names, "--seed", "7", *rules], capsys, monkeypatch).splitlines()
    start = next(i for i, line in enumerate(lines) if line.endswith("hands"))
    table = lines[start : lines.index("", start)]
    assert max(map(len, lines)) <= 60
    wrapped = [line for line in table if line.startswith(" " * 10)]
    assert len(wrapped) <= len(table) / 10


@pytest.mark.parametrize(
    ("left", "right", "line"),
    [
        ("Round 1, turn 1", "you 0 · Ann 0 · to 500", "── Round 1, turn 1 ──── you 0 · Ann 0 · to 500 ──"),
        ("Round 1, turn 1", "you 0 · heuristic 0 · to 500", "── Round 1, turn 1 ─────── you 0 · heuristic 0 ──"),
        ("Round 1: win probability of each seat", "halving won", f"── Round 1: win probability of each seat {'─' * 8}"),
    ],
)
def test_a_title_drops_what_does_not_fit(
    left: str, right: str, line: str, capsys: Captured, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(screen, "is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "49")
    screen.Screen().rule(left, right)
    assert capsys.readouterr().out == f"{line}\n"


def test_a_prompt_is_wrapped_between_words(capsys: Captured, monkeypatch: Patch) -> None:
    monkeypatch.setattr(screen, "is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "50")
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return "p"

    monkeypatch.setattr("builtins.input", answer)
    shown = screen.Screen()
    assert shown.ask("  You hold gR as well. Jump in, or pass? (Enter: pass) ") == "p"
    assert capsys.readouterr().out == "  You hold gR as well. Jump in, or pass? (Enter:\n"
    assert shown.ask("  Your turn: ") == "p"
    assert asked == ["  pass) ", "  Your turn: "]


def test_a_line_that_hangs_far_to_the_right_fits(capsys: Captured, monkeypatch: Patch) -> None:
    monkeypatch.setattr(screen, "is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "50")
    told = "easy-3   6 cards   score 0     plays r7 and swaps hands with you"
    screen.Screen().say(told, indent=2, hang=31)
    first, second = capsys.readouterr().out.splitlines()
    assert (first.split() + second.split(), max(len(first), len(second)) <= 50) == (told.split(), True)


def test_the_help_of_a_game_keeps_its_columns(capsys: Captured, monkeypatch: Patch) -> None:
    monkeypatch.setattr(screen, "is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "50")
    answers = iter(["?", "d"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    position = parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1")
    Person(screen.Screen(), ("you", "Ann")).choose(observe(position, 0))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 50
    assert "          Reverse · b+2 blue Draw Two" in lines
    assert "                  happened this round" in lines


COLORED = ["advise", "--hand", "r5 r9", "--top", "r7", "--opponents", "1", "--simulations", "5"]


@pytest.mark.parametrize(
    ("environment", "is_colored"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        ({"FORCE_COLOR": ""}, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colors_can_be_forced_and_forbidden(
    environment: dict[str, str], is_colored: bool, capsys: Captured, monkeypatch: Patch
) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in run(COLORED, capsys, monkeypatch)) is is_colored


@pytest.mark.parametrize("typed", ["red 5", "  Red   5 ", "R:5", "play"])
def test_what_was_typed_is_quoted_as_it_was_typed(typed: str) -> None:
    observation = observe(parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1"), 0)
    answer = read_answer(typed, observation)
    assert isinstance(answer, Complaint)
    assert answer.text.startswith(f"{typed.strip()!r} is not understood")
