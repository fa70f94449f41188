"""The learning curve as a figure."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lastcard.figures import save_figure
from lastcard.learning.config import TrainConfig


def draw_curve(points: list[dict[str, Any]], config: TrainConfig, path: Path) -> bool:
    """Draws share of rounds won over minutes; False where matplotlib is not installed."""
    response = next((point["response"] for point in reversed(points) if "response" in point), None)
    points = [point for point in points if "response" not in point]
    if find_spec("matplotlib") is None or not points:
        return False
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    minutes = [point["seconds"] / 60 for point in points]
    for name, color in (("random", "#1f4e79"), ("heuristic", "#b8472a")):
        shares = [100 * point[f"against_{name}"] for point in points]
        errors = [100 * point[f"against_{name}_error"] for point in points]
        axes.errorbar(minutes, shares, yerr=errors, fmt="o-", color=color, markersize=3, linewidth=1, label=name)
    if response:
        label = "a best response wins"
        axes.errorbar(
            minutes[-1:], [100 * response["share"]], [100 * response["error"]], fmt="D", color="0.3", label=label
        )
    axes.axhline(50.0 if config.tables else 100 / config.players, color="0.6", linewidth=0.8, linestyle="--")
    axes.set_xlabel("minutes")
    axes.set_ylabel("rounds won, %")
    players = config.players
    table = "several tables, 50 % is even" if config.tables else f"{players} players, one against {players - 1}"
    axes.set_title(f"{table}; bars are 95 % intervals", fontsize=9, loc="left")
    axes.legend(title="against", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    save_figure(figure, path, dpi=150)
    return True
