"""Tables of a summary, as lines of text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from string import ascii_uppercase
from typing import Final

from lastcard.arena.statistics import Estimate
from lastcard.arena.summary import Meeting, Summary
from lastcard.rules import format_rules

CEILING_MARK: Final = "†"
"""Mark of agents that see hidden cards."""
_LONGEST_NAME: Final = 32


def head_lines(summary: Summary) -> list[str]:
    """Lists the agents."""
    tournament = summary.tournament
    players = tournament.rules.players
    unit = "games" if tournament.to_score else "rounds"
    rounds = f"{tournament.num_deals:,} mirrored deals, {tournament.num_deals * players:,} {unit}"
    if tournament.one_table:
        who = f"{players} agents at one table: {rounds}"
    else:
        pairings = len(tournament.pairings)
        many = "1 pairing of " if pairings == 1 else f"{pairings} pairings, each of "
        who = f"{many}{'at most ' if tournament.sprt else ''}{rounds}"
        if players > 2:
            who += f", one against {players - 1} alike"
    return [f"{format_rules(tournament.rules)}, seed {tournament.seed}", who]


def full_names(summary: Summary) -> list[str]:
    """The names that the tables may have to cut off."""
    return [label for label in _labels(summary) if len(label) > _LONGEST_NAME]


def agent_lines(summary: Summary, width: int) -> list[str]:
    """Each agent with its share of the rounds, points, rating and times."""
    has_ratings = any(standing.rating for standing in summary.standings)
    unit = "game" if summary.tournament.to_score else "round"
    counts = {
        "overruns": [standing.times.overruns for standing in summary.standings],
        "forfeits": [standing.forfeits.count for standing in summary.standings],
    }
    faults = [title for title, by_agent in counts.items() if any(by_agent)]
    titles = ["won %", f"points/{unit}"] + (["rating"] if has_ratings else []) + ["decision", "p95", *faults]
    rows = []
    for agent, standing in enumerate(summary.standings):
        cells = [format_share(standing.share), f"{standing.points:.1f}"]
        if has_ratings:
            rating = standing.rating
            cells.append(f"{rating.value:.0f} ± {rating.error:.0f}" if rating else "ceiling")
        times = standing.times
        cells += [format_time(times.mean), format_time(times.quantile(0.95))]
        rows.append(cells + [f"{counts[title][agent]:,}" for title in faults])
    return _table(_labels(summary), titles, rows, width)


def cross_lines(summary: Summary, width: int) -> list[str]:
    """One row per agent, with its share against each other agent in columns, split into blocks that fit the width."""
    names, num_agents = _labels(summary), len(summary.standings)
    cells = [[_cross_cell(summary, row, column) for column in range(num_agents)] for row in range(num_agents)]
    widest = max(len(cell) for row in cells for cell in row)
    room = width - min(max(map(len, names)), _LONGEST_NAME)
    num_blocks = math.ceil(num_agents / max(room // (widest + 2), 1))
    columns = math.ceil(num_agents / num_blocks)
    lines: list[str] = []
    for first in range(0, num_agents, columns):
        part = slice(first, first + columns)
        letters = [_letter(summary, agent) for agent in range(num_agents)[part]]
        lines += [""] if lines else []
        lines += _table(names, letters, [row[part] for row in cells], width)
    return lines


def pairing_lines(summary: Summary) -> list[str]:
    """One sentence per pairing: the Elo difference, and the result of the sequential test."""
    lines = []
    for meeting in summary.meetings:
        if meeting.elo is not None:
            lines.append(_pairing_line(summary, meeting))
    return lines


def foot_lines(summary: Summary) -> list[str]:
    """Other notes: the first seat, the benefit of mirrored deals, ties, forfeits and ceilings."""
    if not summary.meetings:
        return []
    unit = "games" if summary.tournament.to_score else "rounds"
    fair = 1 / summary.tournament.rules.players
    edge = 100 * (summary.first_seat.value - fair)
    lines = [
        f"The seat that acts first won {format_share(summary.first_seat)} % of the {unit}, an edge of {edge:+.1f}"
        " points."
    ]
    if summary.worth is not None:
        lines.append(f"Playing each deal from every seat was worth {summary.worth:.2f} times as many {unit}.")
    tied = sum(meeting.num_tied for meeting in summary.meetings)
    if tied:
        lines.append(f"{tied:,} {unit} had no winner and count as shared.")
    return lines + _overrun_lines(summary) + _forfeit_lines(summary) + _ceiling_lines(summary)


def format_share(share: Estimate) -> str:
    """Formats a share in percent.

    >>> format_share(Estimate(0.723, 0.711, 0.735))
    '72.3 ± 1.2'
    """
    return f"{100 * share.value:.1f} ± {100 * share.error:.1f}"


def format_elo(elo: Estimate) -> str:
    """Formats an Elo difference with its interval, which is not symmetrical far from 0.

    >>> format_elo(Estimate(167.1, 164.2, 170.0))
    '+167 (+164 to +170)'
    """
    value, low, high = (f"{x:+.0f}" if math.isfinite(x) else "+∞" if x > 0 else "-∞" for x in _each(elo))
    return f"{value} ({low} to {high})"


def format_time(seconds: float | None) -> str:
    """Formats a time in the unit that fits, with two or three digits.

    >>> format_time(0.0123), format_time(2.5e-6), format_time(None)
    ('12 ms', '2.5 µs', '-')
    """
    if seconds is None:
        return "-"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale or unit == "µs":
            value = seconds / scale
            return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"
    raise AssertionError


def _each(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.value, estimate.low, estimate.high


def _labels(summary: Summary) -> list[str]:
    return [f"{_letter(summary, agent):<2} {standing.name}" for agent, standing in enumerate(summary.standings)]


def _letter(summary: Summary, agent: int) -> str:
    return ascii_uppercase[agent] + (CEILING_MARK if summary.standings[agent].ceiling else "")


def _cross_cell(summary: Summary, row: int, column: int) -> str:
    share = summary.find(row, column) if row != column else None
    return "-" if share is None else format_share(share)


def _pairing_line(summary: Summary, meeting: Meeting) -> str:
    assert meeting.elo is not None
    one, other = (_letter(summary, agent) for agent in meeting.seating[:2])
    unit = "game" if summary.tournament.to_score else "round"
    line = f"{one} against {other}: Elo {format_elo(meeting.elo)}, {meeting.num_deals:,} deals"
    line += f", {meeting.plies:.0f} plies per {unit}"
    if meeting.unfinished:
        line += f", {100 * meeting.unfinished:.1f} % unfinished"
    sprt = summary.tournament.sprt
    if sprt is None or meeting.llr is None:
        return line
    ratio = f"LLR {meeting.llr:+.2f} of {sprt.lower:.2f} to {sprt.upper:.2f}"
    if meeting.accepted is None:
        return f"{line}; undecided between Elo {sprt.elo0:g} and {sprt.elo1:g} ({ratio})"
    side = "at most" if meeting.accepted == sprt.elo0 else "at least"
    return f"{line}; {side} {meeting.accepted:g} accepted ({ratio})"


def _overrun_lines(summary: Summary) -> list[str]:
    lines = []
    for agent, standing in enumerate(summary.standings):
        times = standing.times
        if times.overruns:
            longest = format_time(times.quantile(1))
            lines.append(
                f"{_letter(summary, agent)} took longer than its time {times.overruns:,} times, {longest} at most."
            )
    return lines


def _forfeit_lines(summary: Summary) -> list[str]:
    lines = []
    unit = "games" if summary.tournament.to_score else "rounds"
    for agent, standing in enumerate(summary.standings):
        forfeits = standing.forfeits
        if forfeits.count:
            faults = ", ".join(f"{times:,} {fault}" for fault, times in sorted(forfeits.faults.items()))
            lost = f"{_letter(summary, agent)} lost {forfeits.count:,} {unit} by Rule 9.4 ({faults})"
            lines.append(f"{lost}; so: {forfeits.example}")
    return lines


def _ceiling_lines(summary: Summary) -> list[str]:
    return [
        f"{_letter(summary, agent)} sees {standing.ceiling.sees}: a ceiling, not a rival, and without a rating."
        for agent, standing in enumerate(summary.standings)
        if standing.ceiling
    ]


def _table(names: Sequence[str], titles: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Names to the left, the other columns to the right; names give way where it gets narrow."""
    widths = [max(len(title), *(len(row[i]) for row in rows)) for i, title in enumerate(titles)]
    room = max(width - sum(widths) - 2 * len(widths), 8)
    longest = min(max(map(len, names)), room)
    lines = ["".join([" " * longest, *(f"  {title:>{w}}" for title, w in zip(titles, widths, strict=True))])]
    for name, row in zip(names, rows, strict=True):
        shown = name if len(name) <= longest else f"{name[: longest - 1]}…"
        lines.append("".join([f"{shown:<{longest}}", *(f"  {cell:>{w}}" for cell, w in zip(row, widths, strict=True))]))
    return lines
