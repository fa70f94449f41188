"""The counts of positions.txt: a change in the legal actions of any reachable position shows here."""

import copy
from dataclasses import dataclass

import pytest

from lastcard.rules import PRESETS, Rules, parse_rules
from lastcard.state import deal, deck_order
from tests.counts import ALL
from tests.golden.make_perft import FEW, MOST, PATH, lines
from tests.golden.seeded import position
from tests.oracle.agreement import open_rulebook
from tests.oracle.rulebook import Rulebook

PARTS = 16


@dataclass(frozen=True)
class Line:
    text: str
    rules: Rules
    seed: int
    plies: int
    depth: int
    count: int


def read() -> list[Line]:
    found = []
    for text in PATH.read_text(encoding="utf-8").splitlines():
        rules, *numbers = text.split("; ")
        found.append(Line(text, parse_rules(rules), *map(int, numbers)))
    return found


LINES = read()
SMALL = [line for line in LINES if line.count <= FEW]


def test_there_are_enough_positions() -> None:
    assert len(LINES) >= 300
    assert len(set(LINES)) == len(LINES)
    assert all(100 <= line.count <= 1_000_000 for line in LINES)
    assert max(line.count for line in LINES) > MOST / 2
    assert {line.rules.players for line in LINES} >= {2, 3, 4, 7, 10}
    assert {line.text.split()[0].rstrip(";") for line in LINES} == set(PRESETS)
    assert len({line.plies for line in LINES}) >= 5
    phases = {position(line.rules, line.seed, line.plies)[0].phase.value for line in LINES}
    assert len(phases) >= 5


@pytest.mark.parametrize("part", range(PARTS))
def test_counts(part: int) -> None:
    for line in LINES[part::PARTS]:
        state, _ = position(line.rules, line.seed, line.plies)
        assert f"{state.perft(line.depth)}" == f"{line.count}", line.text


@pytest.mark.parametrize("part", range(PARTS))
def test_counting_ply_by_ply_gives_the_same(part: int) -> None:
    """The count in one go leaves nothing out that `after` does."""
    for line in LINES[part::PARTS]:
        state, _ = position(line.rules, line.seed, line.plies)
        below = sum(state.after(action).perft(line.depth - 1) for action in state.legal_actions)
        assert below == line.count, line.text


def count(book: Rulebook, depth: int) -> int:
    """The same count in the rulebook."""
    legal = book.legal()
    if not legal:
        return 1
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        after = copy.deepcopy(book)
        after.apply(action)
        total += count(after, depth - 1)
    return total


def test_enough_are_small_enough_for_the_rulebook() -> None:
    assert len(SMALL) >= 30
    assert {line.text.split()[0].rstrip(";") for line in SMALL} == set(PRESETS)


@pytest.mark.slow
@pytest.mark.parametrize("line", SMALL if ALL else SMALL[::5], ids=lambda line: line.text)
def test_the_rulebook_counts_alike(line: Line) -> None:
    _, actions = position(line.rules, line.seed, line.plies)
    book = open_rulebook(deal(line.rules, line.seed), deck_order(line.rules, line.seed))
    for action in actions:
        book.apply(action.text)
    book.history.of_seat = [[] for _ in book.hands]  # what nobody reads need not be copied
    assert count(book, line.depth) == line.count


def test_the_script_would_write_the_first_lines_again() -> None:
    written = lines()
    assert [next(written) for _ in range(5)] == [line.text for line in LINES[:5]]
