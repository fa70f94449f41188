"""Makes the page of the ladder from its results: `python -m benchmarks.strength.ladder_page`.

The tables in docs/explanation/ladder.md, the figure, and what the web page shows hold what
benchmarks/results/ladder.jsonl holds, and no more.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.strength.standing import Line, find_ceilings, read_lines, share_of_edge
from lastcard.arena.ceilings import find_ceiling
from lastcard.arena.printing import CEILING_MARK, format_share, format_time
from lastcard.arena.statistics import Estimate, elo_of_share
from lastcard.figures import STYLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = DOCS / "explanation" / "ladder.md"
FIGURES: Final = {"official": DOCS / "images" / "ladder.svg", "family": DOCS / "images" / "ladder-family.svg"}
"""A figure for each ladder. The web page shows the first."""
WEB: Final = DOCS.parent / "src" / "lastcard" / "web" / "api" / "ladder.json"
BEGIN: Final = "<!-- made by benchmarks/strength/ladder_page.py -->"
END: Final = "<!-- end -->"
_INK: Final = "#1f4e79"


def make_tables(lines: Sequence[Line]) -> str:
    """The tables of the page, one for each number of players by each rules, the strongest first."""
    parts = []
    for preset in FIGURES:
        for players, rows in _group(lines, preset):
            title = (
                _title(players) if preset == "official" else f"{preset.capitalize()} rules, {_title(players).lower()}"
            )
            parts.append(f"## {title}\n\n{_make_table(rows, players)}\n")
    machines = sorted({f"{line.machine['cpu']}, {line.machine['cores']} cores" for line in lines})
    commits = sorted({line.commit or "unknown" for line in lines})
    parts.append(f"Played at commit {', '.join(commits)}; times on: {'; '.join(machines)}.\n")
    return "\n".join(parts)


def _group(lines: Sequence[Line], preset: str) -> list[tuple[int, list[Line]]]:
    """The lines of one ladder by number of players, the strongest first."""
    own = sorted((line for line in lines if line.preset == preset), key=lambda line: line.players)
    grouped = groupby(own, key=lambda line: line.players)
    return [(players, sorted(group, key=lambda line: -line.share["value"])) for players, group in grouped]


def _title(players: int) -> str:
    words = {2: "Two", 3: "Three", 4: "Four"}
    return f"{words.get(players, players)} players"


def _make_table(rows: Sequence[Line], players: int) -> str:
    ceilings = find_ceilings(rows, players)
    against = "" if players == 2 else f"{players - 1} "
    head = [
        "agent",
        f"won against {against}`{rows[0].rival}`, %",
        "Elo",
        *(f"of `{kind}`'s edge, %" for kind in ceilings),
    ]
    last = ["plies a round", "unfinished, %", "games to 500 won, %", "CPU a round", "rounds"]
    table = [[*head, *last], ["---", *["---:"] * (len(head) + len(last) - 1)]]
    for line in rows:
        edges = [_tell_edge(line, kind, ceiling) for kind, ceiling in ceilings.items()]
        name = f"`{line.agent}`{f' {CEILING_MARK}' if line.ceiling else ''}"
        elo = f"{elo_of_share(line.share['value'], players):+.0f}"
        time = format_time(line.cpu_seconds / line.rounds)
        length = ["-" if line.plies is None else f"{line.plies:.0f}", _tell_unfinished(line), _tell_games(line)]
        table.append([name, format_share(line.estimate), elo, *edges, *length, time, f"{line.rounds:,}"])
    return "\n".join(f"| {' | '.join(row)} |" for row in table)


def _tell_unfinished(line: Line) -> str:
    return "-" if line.unfinished is None else f"{100 * line.unfinished:.1f}"


def _tell_games(line: Line) -> str:
    if line.games is None:
        return "-"
    return format_share(Estimate(line.games["value"], line.games["low"], line.games["high"]))


def _tell_edge(line: Line, kind: str, ceiling: Estimate) -> str:
    if line.ceiling == kind:
        return "100"
    edge = share_of_edge(line.estimate, ceiling, line.players)
    return f"{100 * edge.value:.0f} ± {max(100 * edge.error, 1):.0f}"


def fill_page(page: str, tables: str) -> str:
    """The page with its tables exchanged."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{tables}\n{END}{after}"


def draw_figure(lines: Sequence[Line], path: Path) -> None:
    """Draws the shares of wins of one ladder as SVG, one panel for each number of players."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    panels = _group(lines, lines[0].preset)
    most = max(len(rows) for _, rows in panels)
    with matplotlib.rc_context({**STYLE, "svg.fonttype": "path"}):  # long names keep their place in every viewer
        figure = Figure(figsize=(7.6, 0.3 * most + 1.1), layout="constrained")
        FigureCanvasAgg(figure)
        for axes, (players, rows) in zip(figure.subplots(1, len(panels), squeeze=False).flat, panels, strict=True):
            _draw_panel(axes, rows, players)
        note = f"bars are 95 % intervals; the dotted line is an even match; {CEILING_MARK} sees hidden cards: a ceiling"
        figure.supxlabel(note, fontsize=7.5, color="0.35")
        figure.savefig(path, metadata={"Date": None})


def _draw_panel(axes: Axes, rows: Sequence[Line], players: int) -> None:
    for row, line in enumerate(rows):
        fill = "white" if line.ceiling else _INK
        value, error = 100 * line.share["value"], 100 * line.estimate.error
        axes.errorbar(
            [value], [row], xerr=[error], fmt="o", color=_INK, mfc=fill, markersize=4, capsize=2.5, linewidth=1
        )
    axes.axvline(100 / players, color="0.4", linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(rows)), [f"{CEILING_MARK} {line.agent}" if line.ceiling else line.agent for line in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(f"rounds won against {rows[0].rival}, %")
    axes.set_title(_title(players))


def make_web(lines: Sequence[Line]) -> str:
    """Returns the web page's table as JSON: the strongest first, and the rival where an even match is."""
    standings = []
    for players, rows in _group(lines, next(iter(FIGURES))):
        rungs = [_tell_rung(line) for line in rows]
        even = 1 / players
        rival = {"agent": rows[0].rival, "share": dict.fromkeys(("value", "low", "high"), even), "elo": 0.0}
        rungs.append({**rival, "rounds": 0, "round_seconds": 0.0, "sees": None})
        rungs.sort(key=lambda rung: -rung["share"]["value"])
        standings.append({"players": players, "rules": rows[0].rules, "rungs": rungs})
    ladder = {
        "rival": lines[0].rival,
        "seed": lines[0].seed,
        "commits": sorted({line.commit or "unknown" for line in lines}),
        "machines": sorted({f"{line.machine['cpu']}, {line.machine['cores']} cores" for line in lines}),
        "standings": standings,
    }
    return json.dumps(ladder, indent=1) + "\n"


def _tell_rung(line: Line) -> dict[str, Any]:
    ceiling = find_ceiling(line.agent)
    return {
        "agent": line.agent,
        "share": dict(line.share),
        "elo": round(elo_of_share(line.share["value"], line.players), 1),
        "rounds": line.rounds,
        "round_seconds": float(f"{line.cpu_seconds / line.rounds:.3g}"),
        "sees": ceiling.sees if ceiling else None,
    }


def write_page() -> None:
    """Rewrites the page, the figure and the data of the web page."""
    lines = read_lines()
    WEB.write_text(make_web(lines), encoding="utf-8")
    PAGE.write_text(fill_page(PAGE.read_text(encoding="utf-8"), make_tables(lines)), encoding="utf-8")
    for preset, figure in FIGURES.items():
        if own := [line for line in lines if line.preset == preset]:
            draw_figure(own, figure)


if __name__ == "__main__":
    write_page()
