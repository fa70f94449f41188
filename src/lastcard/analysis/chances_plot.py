"""The figure of an analysis: how likely each seat was to win, ply by ply, with the costliest decisions marked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lastcard.analysis.judge import Analysis, RoundAnalysis
from lastcard.errors import AgentError
from lastcard.figures import STYLE, check_plot, save_figure
from lastcard.rules import format_rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROUNDS: Final = 12
"""Beyond, the figure would be too tall to look at."""


def check_figure(path: Path, num_rounds: int) -> None:
    """Checks that a figure of that many rounds could be drawn there, before they are judged.

    Raises:
        AgentError: as `check_plot`, or if there are more rounds than fit.
    """
    check_plot(path)
    if num_rounds > MOST_ROUNDS:
        raise AgentError(f"a plot has room for {MOST_ROUNDS} rounds, not {num_rounds}; choose one of them")


def draw(analysis: Analysis, path: Path, *, seats: Sequence[int], top: int) -> None:
    """Draws the figure into a file; the suffix sets the format.

    Raises:
        AgentError: as `check_figure`.
    """
    check_figure(path, len(analysis.rounds))
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(6.4, 2.4 * len(analysis.rounds) + 0.4), layout="constrained")
        FigureCanvasAgg(figure)
        panels = figure.subplots(len(analysis.rounds), 1, squeeze=False)[:, 0]
        marked = {(each.round_number, each.ply) for each in analysis.costliest(top)}
        for axes, part in zip(panels, analysis.rounds, strict=True):
            _draw_round(axes, part, analysis.record.agents, seats, marked)
        panels[0].legend(frameon=False, fontsize=8)
        panels[-1].set_xlabel("ply")
        figure.supxlabel(
            f"{format_rules(analysis.record.rules)}; by {analysis.analyst}, seed {analysis.seed}",
            fontsize=7.5,
            color="0.35",
        )
        save_figure(figure, path, dpi=200)


def _draw_round(
    axes: Axes, part: RoundAnalysis, names: Sequence[str], seats: Sequence[int], marked: set[tuple[int, int]]
) -> None:
    for seat in seats:
        plies, values = zip(*part.curve(seat), strict=True)
        shares = [100 * value for value in values]
        (line,) = axes.plot(plies, shares, marker="o", markersize=2.5, linewidth=1, label=f"seat {seat}: {names[seat]}")
        for each in part.judgments:
            played = each.played_value
            if each.seat == seat and played is not None and (part.number, each.ply) in marked:
                axes.plot(
                    [each.ply, each.ply],
                    [100 * each.best_value.value, 100 * played.value],
                    color=line.get_color(),
                    linewidth=0.8,
                )
                note = f"{each.played} (best {each.report.best})"
                box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.8}
                axes.annotate(note, (each.ply, 100 * played.value), fontsize=6.5, ha="center", va="top", bbox=box)
    axes.set_ylim(-8, 104)
    axes.set_ylabel("win probability, %")
    axes.set_title(f"Round {part.number}")
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
