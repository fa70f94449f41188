"""Draws the figures of the pages from the committed results: `python -m docs.images.make_figures`, or `make docs`.

Each figure notes a digest of the results it was drawn from, so that a test can tell when it is out of date.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from benchmarks import ladder, matches
from lastcard.arena.ceilings import find_ceiling
from lastcard.arena.printing import CEILING_MARK
from lastcard.figures import STYLE
from lastcard.rules import Rules, format_rules

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE.parents[1] / "benchmarks" / "results"
_INK: Final = "#1f4e79"
_SECOND_INK: Final = "#b8472a"


def draw_ingredients(figure: Figure, results: list[dict[str, Any]]) -> None:
    """Draws the share that `halving` wins without each of its ingredients."""
    axes, rows = figure.subplots(), [results[0], *sorted(results[1:], key=lambda row: -row["share"])]
    for row, line in enumerate(rows):
        fill = _INK if row == 0 else "white"
        value, error = 100 * line["share"], 100 * ladder.estimate(line).error
        axes.errorbar(
            [value], [row], xerr=[error], fmt="o", color=_INK, mfc=fill, markersize=4, capsize=2.5, linewidth=1
        )
    axes.axvline(100 * rows[0]["share"], color="0.4", linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(rows)), [row["name"] for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("rounds won against heuristic, %; bars are 95 % intervals")
    axes.set_title("halving, 1,000 simulations, two players")


def draw_hoarding(figure: Figure, results: list[dict[str, Any]]) -> None:
    """A round in which `champion` hoards against `heuristic`."""
    axes, plies = figure.subplots(), [row["ply"] for row in results]
    for name, place, ink in (("cards", 0, _INK), ("cards", 1, _SECOND_INK), ("action_cards", 0, _INK)):
        style = "-" if name == "cards" else "--"
        who = ("champion", "heuristic")[place]
        label = f"cards of {who}" if name == "cards" else f"of them, {who}'s cards that keep the turn"
        axes.plot(plies, [row[name][place] for row in results], style, color=ink, linewidth=1.2, label=label)
    chance = axes.twinx()
    chances = [100 * row["chance"] for row in results]
    chance.plot(plies, chances, color="0.6", linewidth=1, label="chance to win, as champion rates it (right)")
    chance.set_ylim(0, 105)
    chance.set_ylabel("chance to win, %")
    axes.set_ylim(0, None)
    axes.set_xlabel("ply")
    axes.set_ylabel("cards")
    handles = [*axes.get_lines(), *chance.get_lines()]
    axes.legend(handles=handles, fontsize=7, loc="lower center", frameon=False, bbox_to_anchor=(0.5, 1.0), ncols=2)
    for each in (axes, chance):
        each.spines["top"].set_visible(False)


def draw_tables(figure: Figure, results: list[dict[str, Any]]) -> None:
    """Draws what `net` wins against copies of `heuristic` at 24 tables, as a multiple of the even share."""
    axes, found = figure.subplots(), {row["rules"]: row for row in results}
    presets, players = ("official", "family", "tournament", "house"), (2, 3, 4, 5, 7, 10)
    texts = [[format_rules(Rules.preset(preset, players=count)) for count in players] for preset in presets]
    shares = [[ladder.estimate(found[text]) for text in line] for line in texts]
    multiples = [[share.value * count for share, count in zip(line, players, strict=True)] for line in shares]
    most = max(abs(value - 1) for line in multiples for value in line)
    image = axes.imshow(multiples, cmap="RdBu", vmin=1 - most, vmax=1 + most, aspect="auto")
    for down, line in enumerate(multiples):
        for across, value in enumerate(line):
            text = f"{value:.2f}\n± {shares[down][across].error * players[across]:.2f}"
            ink = "white" if abs(value - 1) > 0.6 * most else "black"
            axes.text(across, down, text, ha="center", va="center", fontsize=7, color=ink)
    axes.set_xticks(range(len(players)), [str(count) for count in players])
    axes.set_yticks(range(len(presets)), presets)
    axes.set_xlabel("players")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title("Rounds that net wins against heuristic, as a multiple of the even share")
    figure.colorbar(image, ax=axes, shrink=0.9)


def draw_ladder(figure: Figure, results: list[dict[str, Any]]) -> None:
    """Draws the shares of wins of one ladder, one panel for each number of players."""
    panels = ladder.group_rows(results[0]["table"], results)
    for axes, (players, rows) in zip(figure.subplots(1, len(panels), squeeze=False).flat, panels, strict=True):
        names = []
        for row, line in enumerate(rows):
            share, sees = ladder.estimate(line), find_ceiling(line["agent"]) is not None
            names.append(f"{CEILING_MARK} {line['agent']}" if sees else line["agent"])
            look = {"fmt": "o", "color": _INK, "mfc": "white" if sees else _INK, "markersize": 4, "capsize": 2.5}
            axes.errorbar([100 * share.value], [row], xerr=[100 * share.error], linewidth=1, **look)
        axes.axvline(100 / players, color="0.4", linewidth=0.8, linestyle=":")
        axes.set_yticks(range(len(rows)), names)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.grid(axis="x", color="0.9", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(f"rounds won against {rows[0]['rival']}, %")
        axes.set_title(ladder.name_players(players))
    note = f"bars are 95 % intervals; the dotted line is an even match; {CEILING_MARK} sees hidden cards: a ceiling"
    figure.supxlabel(note, fontsize=7.5, color="0.35")


Draw = Callable[[Figure, list[dict[str, Any]]], None]
FIGURES: Final[Mapping[str, tuple[str, tuple[float, float], Draw]]] = {
    "ingredients.svg": ("ingredients", (6.4, 3.0), draw_ingredients),
    "tables.svg": ("tables", (6.4, 2.8), draw_tables),
    "ladder.svg": ("ladder", (7.6, 5.9), draw_ladder),
    "ladder-family.svg": ("ladder-family", (7.6, 4.1), draw_ladder),
    "hoarding.svg": ("hoarding-round.jsonl", (6.4, 3.6), draw_hoarding),
}
"""Each figure with the table of matches, or the file, that it shows, its size in inches, and what draws it."""


def digest(shown: str) -> str:
    """Returns the digest of results that a figure notes."""
    return sha256(json.dumps(read_results(shown)).encode()).hexdigest()[:16]


def read_results(shown: str) -> list[dict[str, Any]]:
    """The rows of a table of matches, or of a file of results."""
    if (RESULTS / shown).suffix:
        return [json.loads(line) for line in (RESULTS / shown).read_text(encoding="utf-8").splitlines()]
    return [row for row in matches.read_results() if row["table"] == shown]


def main() -> None:
    """Draws every figure whose results have changed."""
    for name, (shown, size, draw) in FIGURES.items():
        target = HERE / name
        if target.exists() and digest(shown) in target.read_text(encoding="utf-8"):
            continue
        with matplotlib.rc_context({**STYLE, "svg.fonttype": "path"}):  # long labels keep their place in every viewer
            figure = Figure(figsize=size, layout="constrained")
            FigureCanvasAgg(figure)
            draw(figure, read_results(shown))
            figure.savefig(target, metadata={"Date": None, "Description": f"{shown} {digest(shown)}"})
        print(f"wrote {target.relative_to(HERE.parents[1])}")


if __name__ == "__main__":
    main()
