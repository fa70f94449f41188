"""A learning curve as lines of text, for whoever waits."""

from __future__ import annotations

import sys
from typing import Final

from lastcard.learning.run import Progress, Tick

_BAR: Final = 16


def format_progress(point: Progress, players: int) -> str:
    """One point of the curve in a line of at most 80 columns; the bar is the share against `random` above even."""
    even = 1 / players
    height = min(max((point.against_random - even) / (1 - even), 0.0), 1.0)
    bar = "█" * round(_BAR * height)
    return (
        f"{format_minutes(point.seconds):>6}  random {100 * point.against_random:4.1f} ± "
        f"{100 * point.against_random_error:.1f}  heuristic {100 * point.against_heuristic:4.1f} ± "
        f"{100 * point.against_heuristic_error:.1f}  {bar:<{_BAR}}{'*' if point.is_promoted else ' '}"
        f" {format_minutes(point.seconds_left)} left"
    )


def format_tick(tick: Tick) -> str:
    """How far a run is, in a few words."""
    speed = tick.decisions / max(tick.seconds, 1e-9)
    return f"update {tick.update:,}, {speed:,.0f} decisions a second, {format_minutes(tick.seconds_left)} left"


class StatusLine:
    """The last words on a terminal, written over again and again; nothing where there is no terminal."""

    def __init__(self) -> None:
        self._is_shown = sys.stderr.isatty()

    def show(self, tick: Tick) -> None:
        """Says how far a run is."""
        if self._is_shown:
            print(f"\r{format_tick(tick):<79}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Makes way for a line that stays."""
        if self._is_shown:
            print(f"\r{'':<79}\r", end="", file=sys.stderr, flush=True)


def format_minutes(seconds: float) -> str:
    """Minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
