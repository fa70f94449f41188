"""`lastcard analyse`: what every decision of a recorded round was worth, the costliest first."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.text import Text

from lastcard.analysis import ANALYST, Analysis, Judgment, RoundAnalysis, choose_rounds, count_choices, make_analyst
from lastcard.analysis import analyse as judge
from lastcard.cli.charts import draw_curve
from lastcard.cli.narration import short_names
from lastcard.cli.replay import load_game
from lastcard.cli.screen import Screen, ink
from lastcard.cli.shared_options import JsonOption, admit_agents
from lastcard.errors import AgentError, StateError, require_int
from lastcard.files import check_output
from lastcard.record import Record
from lastcard.rules import format_rules

_TELL_SECONDS: Final = 0.2  # a counter that changes more often cannot be read
_QUIET_SECONDS: Final = 10.0  # without a terminal, so that a log stays short
_TALL: Final = 5
"""Rows of a chart; with three seats or more, one."""


def analyse(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A record that play, watch or games wrote.")],
    seat: Annotated[int | None, typer.Option("--seat", metavar="SEAT", help="Only this seat's decisions.")] = None,
    number: Annotated[int | None, typer.Option("--round", metavar="ROUND", help="Only this round.")] = None,
    game: Annotated[
        int | None, typer.Option("--game", metavar="GAME", help="Number of the game, if the file holds several.")
    ] = None,
    top: Annotated[int, typer.Option("--top", metavar="N", help="Number of costliest decisions to show.")] = 5,
    agent: Annotated[
        str, typer.Option("--agent", metavar="AGENT", help="Agent that judges: a search and its budget.")
    ] = ANALYST,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="SEED", help="Seed of the simulations.")] = 0,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the win probabilities as PNG or SVG.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Judge every decision of a finished round by what its seat knew.

    Ctrl-C stops and prints the results so far. With --json: every decision with the value of every action.

    Example: lastcard analyse game.txt --seat 0
    """
    record = load_game(file, game)
    admit_agents(agent)
    _check(record, seat, top, seed, agent)
    seats = list(range(record.rules.players)) if seat is None else [seat]
    rounds = None if number is None else [number]
    if plot:
        _check_plot(plot, len(choose_rounds(record, rounds)))
    progress = _Progress(count_choices(record, seats, rounds))
    analysis = judge(record, agent, seats=seats, rounds=rounds, seed=seed, tell=progress)
    progress.close()
    if as_json:
        print(json.dumps(analysis.to_dict()))
    else:
        _show(Screen(), analysis, seats, top, progress)
    if plot and analysis.judgments:
        from lastcard.analysis.chances_plot import draw

        draw(analysis, plot, seats=seats, top=top)
    if not analysis.is_complete:
        raise typer.Exit(130)


def _check(record: Record, seat: int | None, top: int, seed: int, agent: str) -> None:
    """Finds what is wrong with the options before time is spent."""
    if seat is not None:
        require_int("--seat", seat, 0, record.rules.players - 1, StateError)
    require_int("--top", top, 0, 1_000_000, StateError)
    require_int("--seed", seed, 0, 2**64 - 1, AgentError)
    make_analyst(agent)


def _check_plot(path: Path, num_rounds: int) -> None:
    from lastcard.analysis.chances_plot import check_figure

    check_figure(path, num_rounds)
    check_output(path, AgentError, "--plot")


class _Progress:
    """Shows progress on standard error: on one line of a terminal, otherwise now and then."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self._is_terminal = sys.stderr.isatty()
        self._start = self._told = time.monotonic()

    def __call__(self, done: int) -> None:
        self.done = done
        now = time.monotonic()
        if now - self._told < (_TELL_SECONDS if self._is_terminal else _QUIET_SECONDS):
            return
        self._told = now
        left = (now - self._start) / done * (self.total - done)
        line = f"{done} of {self.total} decisions, {left:.0f} s left"
        print(f"\r{line}\x1b[K" if self._is_terminal else line, end="" if self._is_terminal else "\n", file=sys.stderr)
        sys.stderr.flush()

    def close(self) -> None:
        """Clears the line."""
        if self._is_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _show(screen: Screen, analysis: Analysis, seats: Sequence[int], top: int, progress: _Progress) -> None:
    record = analysis.record
    names = short_names(record.agents)
    screen.say(f"{' against '.join(record.agents)}: {format_rules(record.rules)}")
    screen.say(f"Judged by {analysis.analyst}, seed {analysis.seed}, from what each seat knew.")
    if not analysis.is_complete:
        screen.say(f"Stopped: {progress.done} of {progress.total} decisions are judged.")
    screen.say()
    for seat in seats:
        _say_seat(screen, analysis, names[seat], seat)
    screen.say()
    costly = analysis.costliest(top)
    if costly:
        screen.rule("Costliest decisions", "win probability")
        many = len(record.rounds) > 1
        for each in costly:
            _say_judgment(screen, names[each.seat], each, many_rounds=many)
        screen.say()
    for part in analysis.rounds:
        _say_curves(screen, part, names, seats)


def _say_seat(screen: Screen, analysis: Analysis, name: str, seat: int) -> None:
    sums = analysis.sum_up(seat)
    if not sums.decisions:
        screen.say(f"{name} had no choice that was judged.")
        return
    screen.say(
        f"{name}: {sums.agreed} of {sums.decisions} choices agree with the judge,"
        f" {100 * sums.mean_cost:.1f} % lost on average."
    )


def _say_judgment(screen: Screen, name: str, each: Judgment, *, many_rounds: bool) -> None:
    played = each.played_value
    assert played is not None
    on = ink(each.observation.top_card, each.observation.active_color)
    where = f"round {each.round_number}, ply {each.ply}" if many_rounds else f"ply {each.ply}"
    line = Text.assemble(
        f"{where}, {name} on ", on, ": played ", (each.played.text, "bold"), f": {100 * played.value:.0f} %; best "
    )
    line.append(each.report.best.text, "bold").append(f": {100 * each.best_value.value:.0f} %")
    line.append(f"  (cost {100 * each.cost:.0f} ± {max(100 * each.error, 1):.0f})", "dim")
    screen.say(line, indent=2, hang=4)


def _say_curves(screen: Screen, part: RoundAnalysis, names: Sequence[str], seats: Sequence[int]) -> None:
    winner = "nobody" if part.outcome.winner is None else names[part.outcome.winner]
    screen.rule(f"Round {part.number}: win probability of each seat", f"{winner} won")
    for seat in seats:
        curve = part.curve(seat)
        if len(curve) == 1:
            continue  # it had no choice
        screen.say(f"{names[seat]}, plies {curve[0][0]} to {curve[-1][0] - 1}, then the end", indent=2)
        for line in draw_curve(curve, screen.width - 2, _TALL if len(seats) <= 2 else 1):
            screen.say(Text(line), indent=2, whole=True)
    screen.say()
