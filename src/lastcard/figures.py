"""What all figures share: the look, and whether one can be drawn at all."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from lastcard.errors import AgentError

SUFFIXES: Final = (".png", ".svg")
STYLE: Final[Any] = {
    "font.family": "serif",
    "font.serif": ["STIX Two Text", "STIXGeneral", "DejaVu Serif"],
    "mathtext.fontset": "stix",
    "font.size": 9,
    "axes.linewidth": 0.6,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "svg.fonttype": "none",
    "svg.hashsalt": "lastcard",
}
"""Settings of matplotlib."""


def check_plot(path: Path) -> None:
    """Makes sure that a figure could be drawn there, before hours are spent on what it shows.

    Raises:
        AgentError: if the name does not end in .png or .svg, or matplotlib is not installed.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise AgentError(f"a plot is a .png or .svg file, not {path.name}")
    if find_spec("matplotlib") is None:
        raise AgentError("plots need matplotlib: pip install 'lastcard[arena]'")
