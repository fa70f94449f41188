"""`lastcard tune`: weights for `heuristic`, by self-play."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lastcard.cli.screen import Screen
from lastcard.cli.shared_options import JsonOption
from lastcard.errors import AgentError
from lastcard.files import check_output
from lastcard.rules import parse_rules
from lastcard.shell import command

if TYPE_CHECKING:
    from lastcard.learning.tune import Generation
    from lastcard.weights import Weights


def tune(
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="File for the weights.")] = None,
    players: Annotated[
        int | None, typer.Option("--players", "-n", help="Number of players.", show_default="as the rules say")
    ] = None,
    rules: Annotated[str, typer.Option("--rules", "-r", metavar="RULES", help="A preset and changes.")] = "official",
    generations: Annotated[int, typer.Option("--generations", help="Number of generations.")] = 40,
    population: Annotated[int, typer.Option("--population", help="Candidates per generation.")] = 48,
    elite: Annotated[int, typer.Option("--elite", help="Candidates that form the next mean.")] = 10,
    deals: Annotated[int, typer.Option("--deals", help="Mirrored deals per candidate.")] = 4000,
    threads: Annotated[int, typer.Option("--threads", help="Number of threads; does not affect the weights.")] = 1,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="SEED", help="Seed of the run.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Tune the weights of heuristic by self-play, one line per generation.

    Ctrl-C stops with the weights so far. With --json: one line per generation, then the weights.

    Example: lastcard tune --players 4 --out weights.json
    """
    from lastcard.learning.tune import TuneConfig
    from lastcard.learning.tune import tune as search

    seats = parse_rules(rules).players if players is None else players
    try:
        config = TuneConfig(seats, rules, generations, population, elite, deals, seed, threads)
    except AgentError as error:
        raise AgentError(f"--{error}") from None
    if out and "," in str(out):
        raise AgentError(f"--out {out}: expected a file name without a comma, which separates an agent's options")
    if out:
        check_output(out, AgentError, "--out")
    progress = _Progress(generations, as_json)
    was_stopped = False
    try:
        weights: Weights | None = search(config, progress)
    except KeyboardInterrupt:
        weights, was_stopped = progress.weights, True
        if weights is None:
            raise
        progress.say(f"Stopped after {progress.done} of {generations} generations; these are the weights so far.")
    assert weights is not None
    if out:
        try:
            weights.save(out)
        except AgentError:
            print(json.dumps(weights.to_dict()))  # nothing is lost
            raise
        play = command("play", "--against", f"heuristic:weights={out}")
        progress.say(f"Wrote {out}. Play it with: {play}")
    if as_json or not out:
        print(json.dumps(weights.to_dict(), indent=None if as_json else 1))
    if was_stopped:
        raise typer.Exit(130)


class _Progress:
    """Reports each generation, and keeps the weights in case the run is stopped early."""

    def __init__(self, generations: int, as_json: bool) -> None:
        self.done = 0
        self.weights: Weights | None = None
        self._generations = generations
        self._screen = None if as_json else Screen()
        self._start = time.monotonic()

    def __call__(self, generation: Generation) -> None:
        self.done, self.weights = generation.number, generation.weights
        spent = time.monotonic() - self._start
        left = spent / generation.number * (self._generations - generation.number)
        if self._screen is None:
            line = {
                "generation": generation.number,
                "best": round(generation.best, 6),
                "against_random": round(generation.against_random, 6),
                "against_random_error": round(generation.against_random_error, 6),
                "seconds_left": round(left, 1),
            }
            print(json.dumps(line), flush=True)
            return
        share, error = 100 * generation.against_random, 100 * generation.against_random_error
        self.say(
            f"{generation.number:>4} of {self._generations}   best {100 * generation.best:.1f} %"
            f"   against random {share:.1f} ± {error:.1f} %   {_minutes(left)} left"
        )

    def say(self, text: str) -> None:
        """Prints to a person; JSON is for programs."""
        if self._screen is not None:
            self._screen.say(text, whole=True)


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
