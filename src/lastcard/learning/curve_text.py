"""Learning curves as lines of text."""

from __future__ import annotations

import sys
from pathlib import Path

from lastcard.learning.exploit import SCRATCH, Response, ResponsePoint, Responses
from lastcard.learning.run import Progress
from lastcard.learning.session import Tick


def format_point(point: Progress | ResponsePoint | Response) -> list[str]:
    """A point of a curve, or the result of a best response, as lines."""
    if isinstance(point, Progress):
        return [format_progress(point)]
    return [format_response_point(point) if isinstance(point, ResponsePoint) else format_response(point)]


def format_progress(point: Progress) -> str:
    """One point of the curve in a line of at most 80 columns; the plies and the share cut short are v heuristic."""
    shares = (
        f"random {100 * point.against_random:.1f} ± {100 * point.against_random_error:.1f}",
        f"heuristic {100 * point.against_heuristic:.1f} ± {100 * point.against_heuristic_error:.1f}",
        f"{point.plies:.0f} plies",
    )
    return (
        f"{format_minutes(point.seconds):>6} {shares[0]:<18} {shares[1]:<21} {shares[2]:<10}"
        f" {100 * point.unfinished:.0f}% cut {format_minutes(point.seconds_left)} left"
    )


def format_response_point(point: ResponsePoint) -> str:
    """A point of a best response in one line; a * marks the best so far."""
    return (
        f"{format_minutes(point.seconds):>6}  wins {100 * point.share:.1f} ± {100 * point.error:.1f} %"
        f"{'*' if point.is_best else ' '}  {point.plies:.0f} plies  {100 * point.unfinished:.0f} % cut"
        f"  {format_minutes(point.seconds_left)} left  {Path(point.start).stem}"
    )


def format_response(response: Response) -> str:
    """Result of a best response, in two sentences."""
    start = "from scratch" if response.start == SCRATCH else f"from {response.start}"
    decided = "none" if response.decided is None else f"{100 * response.decided:.1f} %"
    return (
        f"The best response to {response.agent}, trained {start} for {format_minutes(response.seconds)}, wins"
        f" {100 * response.share:.1f} ± {100 * response.error:.1f} % of rounds ({response.num_deals:,} mirrored deals,"
        f" {response.plies:.0f} plies a round). {100 * response.unfinished:.1f} % are unfinished; of the others it wins"
        f" {decided}."
    )


def format_responses(responses: Responses) -> str:
    """Results of several runs, in two sentences on the best of them."""
    if len(responses.runs) == 1:
        return format_response(responses.best)
    return f"Best of {len(responses.runs)} runs, on new deals: {format_response(responses.best)}"


def format_tick(tick: Tick) -> str:
    """Progress of a run, in a few words."""
    speed = tick.decisions / max(tick.seconds, 1e-9)
    return f"update {tick.update:,}, {speed:,.0f} decisions a second, {format_minutes(tick.seconds_left)} left"


class StatusLine:
    """A status line on a terminal, rewritten again and again; nothing without a terminal."""

    def __init__(self) -> None:
        self._is_shown = sys.stderr.isatty()

    def show(self, tick: Tick) -> None:
        """Shows the progress of a run."""
        if self._is_shown:
            print(f"\r{format_tick(tick):<79}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Makes way for a line that stays."""
        if self._is_shown:
            print(f"\r{'':<79}\r", end="", file=sys.stderr, flush=True)


def format_minutes(seconds: float) -> str:
    """Minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
