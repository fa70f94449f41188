"""The table as text and as pixels."""

from __future__ import annotations

import numpy as np
import pytest

from lastcard.actions import parse_action
from lastcard.envs.pictures import paint_table, render_table, write_table
from lastcard.rules import Rules
from lastcard.state import deal, parse_state
from tests.unit.helpers import play

RED, YELLOW, GREEN, BLUE = (205, 45, 45), (225, 180, 20), (45, 150, 70), (45, 95, 200)


def count(picture: np.ndarray, color: tuple[int, int, int]) -> int:
    """Counts the pixels of that color."""
    return int((picture == np.array(color, np.uint8)).all(axis=2).sum())


def test_text_says_who_is_to_act_and_who_has_won() -> None:
    state = parse_state("top r5 | seat 0: r7 | seat 1: yR g1 g1")
    assert write_table(state).splitlines()[1:] == ["> seat 0  r7", "  seat 1  yR g1 g1"]
    assert write_table(state.after(parse_action("r7"))).splitlines()[-1] == "seat 0 wins"


def test_text_says_the_color_of_a_wild_and_the_direction() -> None:
    state = play(parse_state("top r5 | seat 0: w r2 | seat 1: g1 gR yR | seat 2: b1 b2"), "w:g gR")
    assert write_table(state).splitlines()[0].endswith("turns descend")
    assert "top w, green" in write_table(play(parse_state("top r5 | seat 0: w r2 | seat 1: g1 g1"), "w:g"))


@pytest.mark.parametrize("players", range(2, 11))
def test_all_pictures_of_as_many_players_have_one_size(players: int) -> None:
    rules = Rules.preset("official", players=players)
    picture = paint_table(deal(rules, seed=1))
    assert picture.dtype == np.uint8
    assert picture.shape == (4 * (4 + 13 * (players + 1)), 596, 3)


def test_cards_are_painted_in_their_colors() -> None:
    picture = paint_table(parse_state("top r5 | seat 0: y7 y8 | seat 1: b1"))
    assert count(picture, YELLOW) > count(picture, BLUE) > 0 == count(picture, GREEN)
    assert count(picture, RED) > 0
    other = paint_table(parse_state("top r5 | seat 0: y7 y9 | seat 1: b1"))
    assert not np.array_equal(picture, other)


def test_the_named_color_frames_the_top_card() -> None:
    before = parse_state("top r5 | seat 0: w r1 r2 | seat 1: r1")
    named = [paint_table(before.after(parse_action(action))) for action in ("w:g", "w:b")]
    assert count(named[0], GREEN) > count(named[1], GREEN)


def test_a_long_hand_overlaps_but_shows_every_card() -> None:
    state = deal(Rules.preset("official", hand_size=40), seed=1)
    assert paint_table(state).shape == paint_table(deal(Rules(), seed=1)).shape


def test_modes(capsys: pytest.CaptureFixture[str]) -> None:
    state = deal(Rules(), seed=1)
    assert render_table(state, "ansi") == write_table(state)
    assert render_table(state, "human") is None
    assert capsys.readouterr().out.startswith("top ")
    assert isinstance(render_table(state, "rgb_array"), np.ndarray)
