"""The figure of a tournament: a ladder of ratings and the cross table as a heat map."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lastcard.arena.printing import CEILING_MARK
from lastcard.arena.summary import Summary
from lastcard.figures import STYLE, check_plot, save_figure
from lastcard.rules import format_rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK: Final = "#1f4e79"


def draw(summary: Summary, path: Path) -> None:
    """Draws the figure into a file; the suffix sets the format.

    Raises:
        AgentError: as `check_plot`.
    """
    check_plot(path)
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    order = sorted(range(len(summary.standings)), key=lambda agent: -_strength(summary, agent)[0])
    names = [_name(summary, agent, 26) for agent in order]
    with matplotlib.rc_context(STYLE):
        side = 0.55 * len(order) + 0.4
        is_crossed = not summary.tournament.one_table
        figure = Figure(figsize=(3.8 + (1.2 * side + 0.4 if is_crossed else 0.0), side + 1.1), layout="constrained")
        FigureCanvasAgg(figure)
        ladder, *others = figure.subplots(1, 2 if is_crossed else 1, squeeze=False).flat
        _draw_ladder(ladder, summary, order, names)
        for axes in others:
            _draw_cross_table(axes, summary, order)
        num_deals = sum(meeting.num_deals for meeting in summary.meetings)
        rules = format_rules(summary.tournament.rules)
        note = f"{rules}; {num_deals:,} mirrored deals; bars and ± are 95 % intervals"
        if any(standing.ceiling for standing in summary.standings):
            note += f"; {CEILING_MARK} sees hidden cards: a ceiling, not rated"
        figure.supxlabel(note, fontsize=7.5, color="0.35")
        save_figure(figure, path, dpi=200)


def _strength(summary: Summary, agent: int) -> tuple[float, float]:
    """Position on the ladder; above all others if only it has no rating."""
    standing = summary.standings[agent]
    if standing.rating:
        return standing.rating.value, standing.rating.error
    if _is_rated(summary):
        return math.inf, 0.0
    return 100 * standing.share.value, 100 * standing.share.error


def _is_rated(summary: Summary) -> bool:
    return any(standing.rating for standing in summary.standings)


def _draw_ladder(axes: Axes, summary: Summary, order: list[int], names: list[str]) -> None:
    for row, agent in enumerate(order):
        value, error = _strength(summary, agent)
        fill = "white" if summary.standings[agent].ceiling else _INK
        if math.isfinite(value):
            axes.errorbar(
                [value], [row], xerr=[error], fmt="o", color=_INK, mfc=fill, markersize=4, capsize=2.5, linewidth=1
            )
        else:
            axes.annotate("not rated", (0.5, row), xycoords=("axes fraction", "data"), ha="center", va="center")
    axes.set_yticks(range(len(order)), names)
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("rating (Elo scale)" if _is_rated(summary) else "rounds won, %")
    axes.set_title("Ladder")
    axes.margins(x=0.12)


def _draw_cross_table(axes: Axes, summary: Summary, order: list[int]) -> None:
    fair = 1 / summary.tournament.rules.players
    shares = [[summary.find(row, column) if row != column else None for column in order] for row in order]
    farthest = max((abs(cell.value - fair) for row in shares for cell in row if cell), default=0.0) or 0.01
    grid = [[float("nan") if cell is None else (cell.value - fair) / farthest for cell in row] for row in shares]
    axes.imshow(grid, cmap="RdBu", vmin=-1.8, vmax=1.8, aspect="auto")
    for row, cells in enumerate(shares):
        for column, cell in enumerate(cells):
            if cell is not None:
                axes.text(column, row - 0.12, f"{100 * cell.value:.1f}", ha="center", va="center", fontsize=8.5)
                error = f"± {100 * cell.error:.1f}"
                axes.text(column, row + 0.22, error, ha="center", va="center", fontsize=6.5, color="0.25")
    ticks = range(len(order))
    names = [_name(summary, agent, 16) for agent in order]
    axes.set_xticks(ticks, names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks([])  # the rows are those of the ladder
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    for edge in ticks:
        axes.axhline(edge + 0.5, color="white", linewidth=1.2)
        axes.axvline(edge + 0.5, color="white", linewidth=1.2)
    axes.set_title("Rounds won by row against column, %")


def _name(summary: Summary, agent: int, longest: int) -> str:
    standing = summary.standings[agent]
    name = f"{CEILING_MARK} {standing.name}" if standing.ceiling else standing.name
    return name if len(name) <= longest else f"{name[: longest - 1]}…"
