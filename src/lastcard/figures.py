"""Shared parts of all figures: the style, a check that drawing is possible, and the file."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lastcard.errors import AgentError
from lastcard.files import write_file
from lastcard.shell import install_extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
        raise AgentError(f"plots need matplotlib: {install_extra('arena')}")


def save_figure(figure: Figure, path: Path, *, dpi: int) -> None:
    """Writes a figure; the suffix sets the format, and the same figure gives the same bytes.

    Raises:
        AgentError: naming the file, if it cannot be written.
    """
    form = path.suffix.lower().removeprefix(".")
    drawn = io.BytesIO()
    figure.savefig(drawn, format=form, dpi=dpi, metadata={"Date": None} if form == "svg" else None)
    write_file(path, drawn.getvalue(), AgentError)
