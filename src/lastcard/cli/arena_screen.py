"""The output of `lastcard arena`: progress while it runs, tables at the end."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Final

from rich.console import Console, Group
from rich.text import Text

from lastcard.cli.screen import MAX_WIDTH, Screen

if TYPE_CHECKING:
    from lastcard.arena.results import Results
    from lastcard.arena.schedule import Tournament
    from lastcard.arena.summary import Summary

_REFRESH_SECONDS: Final = 0.25
_QUIET_SECONDS: Final = 60.0  # between two lines without a terminal, so that a log stays short


class ArenaScreen:
    """The terminal output: progress while it runs, the tables at the end. JSON has standard output to itself."""

    def __init__(self, tournament: Tournament, before: float, as_json: bool) -> None:
        """Begins to keep the time; `before` is the share of the work that took none, because a file held it."""
        from rich.live import Live

        self._screen = Screen()
        self._as_json = as_json
        self._tournament = tournament
        self._start = self._told = time.monotonic()
        self._before = before
        beside = as_json or not self._screen.is_terminal
        self._console = Console(stderr=True, highlight=False) if beside else self._screen.console
        has_terminal = (sys.stderr if beside else sys.stdout).isatty()
        self._live = Live(console=self._console, auto_refresh=False, transient=True) if has_terminal else None

    def __enter__(self) -> ArenaScreen:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def note(self, text: str) -> None:
        """Something a person should know, which is not a result."""
        if self._as_json:
            print(text, file=sys.stderr)
        else:
            self._screen.say(text, whole=True)  # a path must stay in one piece

    def progress(self, results: Results) -> None:
        """Shows how far it is, now and then."""
        now, done = time.monotonic(), results.progress
        if now - self._told < (_REFRESH_SECONDS if self._live else _QUIET_SECONDS):
            return
        self._told = now
        spent, share = now - self._start, done - self._before
        left = f", {_clock(spent / share * (1 - done))} left" if share > 0 else ""
        lost = f", {results.num_forfeits:,} forfeits" if results.num_forfeits else ""
        line = f"{100 * done:.0f} %, {results.num_deals:,} deals, {_clock(spent)}{left}{lost}"
        if self._live:
            self._live.update(Group(*map(Text, [*self._tables(results), line])), refresh=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def _tables(self, results: Results) -> list[str]:
        from lastcard.arena.printing import agent_lines, cross_lines
        from lastcard.arena.summary import summarize

        summary = summarize(results)
        lines = agent_lines if self._tournament.one_table else cross_lines
        return [*lines(summary, min(self._console.width, MAX_WIDTH)), ""]

    def result(self, summary: Summary, results: Results) -> None:
        """Prints the whole result."""
        if self._as_json:
            print(json.dumps(summary.to_dict()))
            return
        from lastcard.arena.printing import agent_lines, cross_lines, foot_lines, full_names, head_lines, pairing_lines

        screen = self._screen
        for line in (*head_lines(summary), *full_names(summary)):
            screen.say(line)
        if not summary.is_complete:
            screen.say(f"So far {results.num_deals:,} deals, {100 * results.progress:.0f} % of it.")
        screen.say()
        self._block("Agents", agent_lines(summary, screen.width))
        if not self._tournament.one_table:
            unit = "Games" if self._tournament.to_score else "Rounds"
            self._block(f"{unit} won by row against column, %", cross_lines(summary, screen.width))
            for line in pairing_lines(summary):
                screen.say(line, hang=2)
            screen.say()
        for line in foot_lines(summary):
            screen.say(line)

    def _block(self, title: str, lines: list[str]) -> None:
        self._screen.rule(title)
        for number, line in enumerate(lines):
            self._screen.say(Text(line, "bold" if number == 0 else ""), whole=True)
        self._screen.say()


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return (
        f"{whole // 60}:{whole % 60:02}" if whole < 3600 else f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    )
