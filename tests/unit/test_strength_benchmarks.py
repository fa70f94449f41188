"""Benchmarks that count decisions: what they count, and that a mistake is refused in one line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.strength import bluffing, games, scores
from lastcard import Rules, deal, observe
from lastcard.actions import ActionKind
from lastcard.agents import make_agent
from lastcard.network import Network, shipped_file

GAMES = Path(__file__).parents[2] / "benchmarks" / "networks" / "family-games.safetensors"
FAMILY_2 = Path(str(shipped_file("family-2")))
ANY = Path(str(shipped_file("any")))


# Bluffs and challenges


@pytest.mark.parametrize("players", [2, 4])
def test_bluffs_and_challenges_are_those_of_the_network(players: int) -> None:
    """The same counts from the true hands: a bluff had a card of the color, and a challenge of a bluff is won."""
    rules = Rules.preset("tournament", players=players)
    own, rival = make_agent("heuristic").choose, make_agent("frequency").choose
    found, wanted = Counter[str](), Counter[str]()
    for seed in range(30 * players):
        seat = seed % players
        bluffing.play_round(rules, seed, seat, own, rival, found)
        state, is_bluff, four_by = deal(rules, seed=seed), False, None
        while state.seat is not None:
            action = (own if state.seat == seat else rival)(observe(state, state.seat))
            if action.card is not None and action.card.text == "w+4":
                is_bluff = any(card.color is state.active_color for card in state.hand(state.seat))
                four_by = state.seat
                wanted.update({"fours": four_by == seat, "bluffs": four_by == seat and is_bluff})
            answers = action.kind in (ActionKind.CHALLENGE, ActionKind.ACCEPT) and len(state.legal_actions) > 1
            is_challenge = answers and action.kind is ActionKind.CHALLENGE
            if answers and state.seat == seat:
                wanted.update({action.kind.value: 1, "challenges won": is_challenge and is_bluff})
            wanted["challenged"] += is_challenge and state.seat != seat and four_by == seat
            state = state.after(action)
    names = ("fours", "bluffs", "challenge", "accept", "challenged", "challenges won")
    assert {name: found[name] for name in names} == {name: wanted[name] for name in names}
    assert min(wanted[name] for name in names if name != "accept") > 0
    assert wanted["challenges won"] < wanted["challenge"]


def test_rows_on_bluffing_are_saved_by_network_and_players(tmp_path: Path) -> None:
    file, network = tmp_path / "bluffing.json", Network.load(str(ANY))
    for players in (2, 4, 2):
        rules = Rules.preset("tournament", players=players)
        bluffing.save([bluffing.measure(rules, "any", network, "itself", 3)], file)
    rows = json.loads(file.read_text(encoding="utf-8"))
    assert [(row["network"], row["players"], row["against"]) for row in rows] == [
        ("any", 4, "itself"),
        ("any", 2, "itself"),
    ]
    assert [row["share"] for row in rows] == [0.25, 0.5]  # mirrored deals against itself


def test_copies_always_challenge_or_never() -> None:
    rules, network = Rules.preset("tournament", players=2), Network.load(str(ANY))
    always, never = (
        bluffing.measure(rules, "any", network, f"itself, {how} challenging", 12) for how in ("always", "never")
    )
    assert (always["challenged"], never["challenged"]) == (1, 0)


# Scores


def test_only_a_network_for_games_plays_by_the_score() -> None:
    counts = [scores.count_changes(Network.load(str(file)), "family", 3, scores.SCORES) for file in (GAMES, FAMILY_2)]
    assert all(count["decisions"] > 50 for count in counts)
    changes = [sum(count[scores.format_pair(pair)] for pair in scores.SCORES) for count in counts]
    assert changes[0] > 0
    assert changes[1] == 0


# Mistakes


@pytest.mark.parametrize(
    ("main", "options", "message"),
    [
        (games.main, ["--a", "nope", "--b", "nope"], "net: cannot read 'nope'"),
        (games.main, ["--a", f"{GAMES}", "--b", f"{ANY}", "--rules", "family players=3"], "is for 2 players, not 3"),
        (games.main, ["--a", f"{GAMES}", "--b", f"{ANY}", "--games", "-5"], "must be a whole number from 1 on"),
        (scores.main, ["nope"], "net: cannot read 'nope'"),
        (scores.main, [f"{GAMES}", "--rules", "chess"], "no rules preset 'chess'"),
        (bluffing.main, ["--network", "nope"], "net: cannot read 'nope'"),
        (bluffing.main, ["--players", "11"], "players must be from 2 to 10"),
        (bluffing.main, ["--deals", "0"], "must be a whole number from 1 on"),
    ],
)
def test_a_mistake_is_refused_in_one_line(
    main: Callable[[], None],
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given: list[Any] = [str(tmp_path / "out") if option == "OUT" else option for option in options]
    monkeypatch.setattr("sys.argv", ["benchmark", *given])
    with pytest.raises(SystemExit):
        main()
    error = capsys.readouterr().err.splitlines()[-1]
    assert message in error
    assert not (tmp_path / "out").exists()
