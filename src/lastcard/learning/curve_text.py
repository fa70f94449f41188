"""Learning curves as lines of text."""

from __future__ import annotations

import sys

from lastcard.learning.exploit import Response, ResponsePoint
from lastcard.learning.league import PhaseReport
from lastcard.learning.run import Progress
from lastcard.learning.session import Tick


def format_progress(point: Progress) -> list[str]:
    """One point of the curve in two lines of at most 80 columns.

    The plies and the unfinished rounds of the first line are those v `heuristic`; the second line has those v `random`,
    and the promotion match.
    """
    shares = (
        f"random {100 * point.against_random:.1f} ± {100 * point.against_random_error:.1f}",
        f"heuristic {100 * point.against_heuristic:.1f} ± {100 * point.against_heuristic_error:.1f}",
        f"{point.plies:.0f} plies{'*' if point.is_promoted else ''}",
    )
    return [
        f"{format_minutes(point.seconds):>6} {shares[0]:<18} {shares[1]:<21} {shares[2]:<10}"
        f" {100 * point.unfinished:.0f}% cut {format_minutes(point.seconds_left)} left",
        f"       v random {point.against_random_plies:.0f} plies, {100 * point.against_random_unfinished:.0f}% cut;"
        f" match {100 * point.match_share:.1f} ± {100 * point.match_error:.1f},"
        f" {point.match_plies:.0f} plies, {100 * point.match_unfinished:.0f}% cut",
    ]


def format_response_point(point: ResponsePoint) -> str:
    """A point of a best response in one line; a * marks the best so far."""
    return (
        f"{format_minutes(point.seconds):>6}  wins {100 * point.share:.1f} ± {100 * point.error:.1f} %"
        f"{'*' if point.is_best else ' '}  {point.plies:.0f} plies  {100 * point.unfinished:.0f} % cut"
        f"  {format_minutes(point.seconds_left)} left"
    )


def format_response(response: Response) -> str:
    """Result of a best response, in one sentence."""
    start = f"from {response.start}" if response.start else "from scratch"
    return (
        f"The best response to {response.agent}, trained {start} for {format_minutes(response.seconds)}, wins"
        f" {100 * response.share:.1f} ± {100 * response.error:.1f} % of rounds ({response.num_deals:,} mirrored deals,"
        f" {response.plies:.0f} plies a round, {100 * response.unfinished:.1f} % unfinished)."
    )


def format_phase(report: PhaseReport) -> list[str]:
    """Results of a phase of a league: one line for the phase and one per opponent."""
    end = f"joined as {report.joined}" if report.joined else "did not join"
    lines = [f"run {report.run}, {report.phase}: {format_minutes(report.seconds)}, {report.updates} updates, {end}"]
    for name, score in report.scores.items():
        lines.append(
            f"  v {name:<20} {100 * score.share:5.1f} ± {100 * score.error:.1f} %  {score.plies:5.0f} plies"
            f"  {100 * score.unfinished:.1f} % cut"
        )
    return lines


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
