"""`lastcard train`: a network for `net`, by self-play."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from lastcard.cli.shared_options import JsonOption
from lastcard.cli.training import (
    BlocksOption,
    CriticOption,
    DeviceOption,
    EnvsOption,
    FolderOption,
    HiddenOption,
    MinutesOption,
    PlayersOption,
    ResumeOption,
    RulesOption,
    SeedOption,
    ThreadsOption,
    TrainingScreen,
    UpdatesOption,
    given_options,
    is_given,
    make_config,
    resume_options,
)
from lastcard.errors import AgentError

if TYPE_CHECKING:
    from lastcard.learning import TrainConfig

_NOT_IN_A_LEAGUE: Final = {
    "tables": "a league plays at one table",
    **dict.fromkeys(("rivals", "random_share", "heuristic_share"), "a league divides the rounds itself"),
    "deals": "--measured sets the deals of its matches",
    "resume": "the same command again continues a league",
}


def train(
    context: typer.Context,
    out: FolderOption,
    rules: RulesOption = "official",
    players: PlayersOption = None,
    tables: Annotated[
        int, typer.Option("--tables", help="Train one network for all tables, on so many random ones at a time.")
    ] = 0,
    games: Annotated[
        bool, typer.Option("--games", help="Train for games to the target score instead of single rounds.")
    ] = False,
    minutes: MinutesOption = 8.0,
    updates: UpdatesOption = 0,
    device: DeviceOption = "auto",
    threads: ThreadsOption = 1,
    envs: EnvsOption = 0,
    random_share: Annotated[
        float, typer.Option("--random-share", help="Share of rounds against random; the rest is self-play.")
    ] = 0.0,
    heuristic_share: Annotated[
        float, typer.Option("--heuristic-share", help="Share of rounds against heuristic.")
    ] = 0.0,
    rivals: Annotated[
        str, typer.Option("--rivals", metavar="LIST", help="Shares of rounds against networks: FILE=0.25,net=0.25.")
    ] = "",
    start: Annotated[
        str,
        typer.Option(
            "--start",
            metavar="FILE",
            help="Start from this network; net: the shipped one. In a league: in its first run.",
        ),
    ] = "",
    price: Annotated[
        float | None,
        typer.Option(
            "--price",
            help="Cost of a decision, where a win is worth 1. Shortens rounds.",
            show_default="0, or 0.0003 with --league",
        ),
    ] = None,
    trace: Annotated[
        float, typer.Option("--trace", help="Lambda of advantage estimation; higher for plans that pay off late.")
    ] = 0.95,
    critic: CriticOption = "own",
    league: Annotated[
        bool,
        typer.Option(
            "--league", help="Train a main network, which pays --price, against a population that exploiters join."
        ),
    ] = False,
    members: Annotated[
        list[Path] | None,
        typer.Option("--member", metavar="FILE", help="Network that is in the league from the start. Repeatable."),
    ] = None,
    averaging: Annotated[
        float, typer.Option("--averaging", help="Decay of the moving average of the weights; 0 turns it off.")
    ] = 0.0,
    hidden: HiddenOption = 512,
    blocks: BlocksOption = 2,
    measured: Annotated[int, typer.Option("--measured", help="Mirrored deals per measurement.")] = 500,
    deals: Annotated[int, typer.Option("--deals", help="Mirrored deals per promotion match.")] = 2000,
    seed: SeedOption = 1,
    resume: ResumeOption = False,
    as_json: JsonOption = False,
) -> None:
    """Train a network by self-play or against others, two lines per measurement.

    The first line has the share of complete rounds (with --games: games) won against random and heuristic, the plies
    and the share cut short against heuristic; the second has the same against random and in the promotion match. A *
    marks a network that won this match against the last promoted one. Ctrl-C saves everything; --resume continues. With
    --league, every run adds to the population in the folder, or first ends the phase that was interrupted; exploiters
    pay no price, and their trace is 0.97. With --json: one line per measurement.

    Example: lastcard train --players 2 --minutes 8 --out my-network
    """
    for option, why in _NOT_IN_A_LEAGUE.items() if league else ():
        if is_given(context, option):
            raise AgentError(f"--{option.replace('_', '-')} does not go with --league: {why}")
    if members and not league:
        raise AgentError("--member needs --league: it names a network that joins the league")
    resumed = out if resume else None
    config = make_config(context, {"deals": "gate_deals", "measured": "measured_deals"}, resumed=resumed)
    screen = TrainingScreen(as_json)
    if league:
        path, again = (
            _run_league(context, config, out, members or [], screen),
            "Run it again to continue, or play against it",
        )
    else:
        path, again = _run(context, config, out, screen, resume=resume), "Play it"
    changed = [] if config.rules == "official" else ["--rules", config.rules]
    seats = [] if config.tables else [*changed, "--players", str(config.players)]
    play = ["play", *seats, "--against", f"net:{path}"]
    screen.note(f"Wrote {path}. {again} with", play)


def _run(context: typer.Context, config: TrainConfig, out: Path, screen: TrainingScreen, *, resume: bool) -> Path:
    """Trains by self-play, two lines per measurement."""
    from lastcard.learning import train as run
    from lastcard.learning.curve_text import format_progress
    from lastcard.learning.folder import CHECKPOINT

    try:
        return run(
            config,
            out,
            lambda point: screen.show(point, format_progress(point)),
            resume=resume,
            tick=screen.tick,
        )
    except KeyboardInterrupt:
        if (out / CHECKPOINT).exists():
            screen.note("Stopped. Resume with", ["train", *resume_options(context)])
        raise


def _run_league(
    context: typer.Context, config: TrainConfig, out: Path, members: list[Path], screen: TrainingScreen
) -> Path:
    """Runs a league once, one line for each opponent of a phase."""
    from lastcard.learning.curve_text import format_phase
    from lastcard.learning.league import PRICE, LeagueConfig, train_league
    from lastcard.learning.population import LEAGUE

    # The price is the main network's alone, so it is no part of the recipe that both phases have.
    price = PRICE if context.params["price"] is None else config.price
    league = LeagueConfig(dataclasses.replace(config, price=0.0), price)
    try:
        return train_league(
            league,
            out,
            members,
            lambda report: screen.show(report, format_phase(report)),
            tick=screen.tick,
            note=screen.note,
        )
    except KeyboardInterrupt:
        if (out / LEAGUE).exists():
            screen.note("Stopped. Continue with", ["train", *given_options(context)])
        raise
