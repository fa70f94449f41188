"""The figure of a tournament: a ladder of ratings and the cross table as a heat map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lastcard.arena.summary import Summary
from lastcard.figures import STYLE, check_plot
from lastcard.rules import format_rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(summary: Summary, path: Path) -> None:
    """Draws the figure into a file; the suffix says how.

    Raises:
        AgentError: as `check_plot`.
    """
    check_plot(path)
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    order = sorted(range(len(summary.standings)), key=lambda agent: -_strength(summary, agent)[0])
    names = [_shorten(summary.standings[agent].name) for agent in order]
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
        figure.supxlabel(
            f"{rules}; {num_deals:,} mirrored deals; bars and ± are 95 % intervals",
            fontsize=7.5,
            color="0.35",
        )
        figure.savefig(path, dpi=200, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


def _strength(summary: Summary, agent: int) -> tuple[float, float]:
    standing = summary.standings[agent]
    if standing.rating:
        return standing.rating.value, standing.rating.error
    return 100 * standing.share.value, 100 * standing.share.error


def _draw_ladder(axes: Axes, summary: Summary, order: list[int], names: list[str]) -> None:
    values, errors = zip(*(_strength(summary, agent) for agent in order), strict=True)
    rows = range(len(order))
    axes.errorbar(values, rows, xerr=errors, fmt="o", color="#1f4e79", markersize=4, capsize=2.5, linewidth=1)
    axes.set_yticks(rows, names)
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    is_rated = summary.standings[0].rating is not None
    axes.set_xlabel("rating (Elo scale)" if is_rated else "rounds won, %")
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
    names = [_shorten(summary.standings[agent].name, 16) for agent in order]
    axes.set_xticks(ticks, names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks([])  # the rows are those of the ladder
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    for edge in ticks:
        axes.axhline(edge + 0.5, color="white", linewidth=1.2)
        axes.axvline(edge + 0.5, color="white", linewidth=1.2)
    axes.set_title("Rounds won by row against column, %")


def _shorten(name: str, longest: int = 26) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"
