"""The page sums up results over time; its sums are run by Node, as the browser runs them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

FRONTEND = Path(__file__).parents[2] / "frontend"
ESBUILD = FRONTEND / "node_modules" / ".bin" / "esbuild"
LEVELS = ["beginner", "easy", "medium", "hard", "hardest"]
CALL = """
if (!Array.prototype.toSorted) {  // Node 18
  Array.prototype.toSorted = function (order) { return [...this].sort(order); };
  Array.prototype.toReversed = function () { return [...this].reverse(); };
}
console.log(JSON.stringify(JSON.parse(process.argv[1]).map((games) => sumUp(games, JSON.parse(process.argv[2])))));
"""

pytestmark = pytest.mark.skipif(not ESBUILD.exists(), reason="needs the page's tools: make frontend")


def sum_up(*many: list[dict[str, Any]]) -> list[dict[str, Any]]:
    node = shutil.which("node")
    assert node, "the page's tools need Node"
    command = [str(ESBUILD), "--loader=ts", "--format=cjs"]
    source = (FRONTEND / "src" / "lib" / "history.ts").read_text(encoding="utf-8")
    plain = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    command = [node, "-e", plain + CALL, json.dumps(many), json.dumps(LEVELS)]
    found: list[dict[str, Any]] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def make_game(number: int, *, won: bool, level: str = "hard", players: int = 2, **more: Any) -> dict[str, Any]:
    ended = f"2026-01-01T{number:02}:00:00Z"
    fields = {"game": f"game-{number}", "seat": 0, "ended": ended, "players": players, "level": level, "won": won}
    return {**fields, "resigned": False, "finished": True, **more}


def test_history_has_intervals_streaks_and_a_level_that_fits() -> None:
    games = [make_game(number, won=number != 3) for number in range(12)]
    lost = [make_game(number, won=False) for number in range(12)]
    even = [make_game(number, won=number % 2 == 0) for number in range(12)]
    won, down, fits, few, none = sum_up(games, lost, even, games[:4], [])
    [share] = won["levels"]
    assert (share["wins"], share["games"], share["even"]) == (11, 12, 0.5)
    assert share["low"] == pytest.approx(0.646, abs=0.001)
    assert share["high"] == pytest.approx(0.985, abs=0.001)
    assert won["streak"] == {"kind": "won", "length": 8, "longest": 8}
    assert won["advice"] == {"level": "hardest", "reason": "up", "played": "hard"}
    assert down["advice"] == {"level": "medium", "reason": "down", "played": "hard"}
    assert down["streak"] == {"kind": "lost", "length": 12, "longest": 0}
    assert fits["advice"] == {"level": "hard", "reason": "fits", "played": "hard"}
    assert few["advice"] is None
    assert none["streak"] == {"kind": "none", "length": 0, "longest": 0}


def test_games_of_server_and_device_are_one_history() -> None:
    """They come one list after the other, and count in the order in which they ended."""
    server = [make_game(5, won=True, level="friends", players=4), make_game(9, won=False, level="easy", resigned=True)]
    device = [make_game(2, won=True, level="hard", game="device-2"), make_game(7, won=True, level="mixed", players=3)]
    [found] = sum_up([*server, *device])
    assert (found["games"], found["wins"], found["resigned"]) == (4, 3, 1)
    assert found["recent"] == [True, True, True, False]
    assert found["streak"] == {"kind": "lost", "length": 1, "longest": 3}
    assert [wins["name"] for wins in found["levels"]] == ["easy", "hard", "friends", "mixed"]
    assert [(wins["name"], wins["games"]) for wins in found["tables"]] == [("2", 2), ("3", 1), ("4", 1)]
    assert [each["game"] for each in found["finished"]] == ["game-9", "game-7", "game-5", "device-2"]
