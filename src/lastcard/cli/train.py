"""`lastcard train`: a network for `net`, by self-play."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from lastcard.cli.options import JsonOption
from lastcard.cli.screen import Screen
from lastcard.errors import AgentError
from lastcard.rules import parse_rules

if TYPE_CHECKING:
    from lastcard.learning import Progress, TrainConfig

_OPTIONS: Final = {"num_envs": "envs", "gate_deals": "deals", "measured_deals": "measured"}


def train(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Folder for the files of the run.")],
    rules: Annotated[str, typer.Option("--rules", "-r", metavar="RULES", help="A preset and changes.")] = "official",
    players: Annotated[
        int | None, typer.Option("--players", "-n", help="Number of players.", show_default="as the rules say")
    ] = None,
    minutes: Annotated[float, typer.Option("--minutes", "-m", help="Time for training.")] = 8.0,
    updates: Annotated[int, typer.Option("--updates", help="Number of updates instead of minutes; 0 for none.")] = 0,
    device: Annotated[str, typer.Option("--device", help="cpu, cuda, or auto: a GPU if there is one.")] = "auto",
    threads: Annotated[int, typer.Option("--threads", help="CPU threads.")] = 1,
    envs: Annotated[int, typer.Option("--envs", help="Number of parallel environments; 0 picks a default.")] = 0,
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
        str, typer.Option("--start", metavar="FILE", help="Start from this network; net: the shipped one.")
    ] = "",
    price: Annotated[
        float, typer.Option("--price", help="Cost of a decision, where a win is worth 1. Shortens rounds.")
    ] = 0.0,
    critic: Annotated[
        str, typer.Option("--critic", help="Critic in training: own, or all_hands (sees every hand).")
    ] = "own",
    league: Annotated[
        bool, typer.Option("--league", help="Run a league: a main network, a population, and exploiters that join.")
    ] = False,
    members: Annotated[
        list[Path] | None, typer.Option("--member", metavar="FILE", help="A network that joins the league first.")
    ] = None,
    averaging: Annotated[
        float, typer.Option("--averaging", help="Decay of the moving average of the weights; 0 turns it off.")
    ] = 0.0,
    hidden: Annotated[int, typer.Option("--hidden", help="Width of the network's layers.")] = 512,
    blocks: Annotated[int, typer.Option("--blocks", help="Residual blocks.")] = 2,
    measured: Annotated[int, typer.Option("--measured", help="Mirrored deals per measurement.")] = 500,
    deals: Annotated[int, typer.Option("--deals", help="Mirrored deals per promotion match.")] = 2000,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="SEED", help="Seed of cards and exploration.")] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in the folder.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Train a network by self-play or against others, one line per measurement.

    Each line has the share of complete rounds won against random and heuristic, the plies per round and the share of
    rounds cut short; a * marks a network that won a match against the last promoted one. Ctrl-C saves everything;
    --resume continues. With --league, every run adds to the population in the folder. With --json: one line per
    measurement.

    Example: lastcard train --players 2 --minutes 8 --out my-network
    """
    from lastcard.learning import TrainConfig
    from lastcard.learning import train as run
    from lastcard.learning.files import CHECKPOINT
    from lastcard.learning.report import StatusLine, format_progress

    seats = parse_rules(rules).players if players is None else players
    if members and not league:
        raise AgentError("--member needs --league: it names a network that joins the league")
    try:
        config = TrainConfig(
            rules=rules,
            players=seats,
            minutes=minutes,
            updates=updates,
            seed=seed,
            device=device,
            threads=threads,
            num_envs=envs,
            random_share=random_share,
            heuristic_share=heuristic_share,
            rivals=rivals,
            start=start,
            price=price,
            critic=critic,
            averaging=averaging,
            hidden=hidden,
            blocks=blocks,
            gate_deals=deals,
            measured_deals=measured,
        )
    except AgentError as error:
        raise name_option(error) from None
    screen, status = Screen(), StatusLine()
    if league:
        run_league(config, out, members or [], as_json=as_json)
        return

    def tell(point: Progress) -> None:
        status.clear()
        if as_json:
            print(json.dumps(point.to_dict()), flush=True)
        else:
            screen.say(format_progress(point), whole=True)

    try:
        path = run(config, out, tell, resume=resume, tick=status.show)
    except KeyboardInterrupt:
        status.clear()
        if not as_json and (out / CHECKPOINT).exists():
            screen.say(f"Stopped. Resume with: {shlex.join(['lastcard', 'train', '--resume', '--out', str(out)])}")
        raise
    if not as_json:
        play = shlex.join(["lastcard", "play", "--players", str(seats), "--against", f"net:{path}"])
        screen.say(f"Wrote {path}. Play it with: {play}")


def name_option(error: AgentError) -> AgentError:
    """The complaint about a parameter of training, as one about the option that sets it."""
    field, _, rest = str(error).partition(" ")
    return AgentError(f"--{_OPTIONS.get(field, field.replace('_', '-'))} {rest}")


def run_league(config: TrainConfig, out: Path, members: list[Path], *, as_json: bool) -> None:
    """Runs a league once, a line for each opponent of a phase."""
    from lastcard.learning.league import LeagueConfig, PhaseReport, train_league
    from lastcard.learning.report import StatusLine, format_phase

    screen, status = Screen(), StatusLine()

    def tell(report: PhaseReport) -> None:
        status.clear()
        if as_json:
            print(json.dumps(report.to_dict()), flush=True)
        else:
            for line in format_phase(report):
                screen.say(line, whole=True)

    path = train_league(LeagueConfig(config), out, members, tell, tick=status.show)
    if not as_json:
        play = shlex.join(["lastcard", "play", "--players", str(config.players), "--against", f"net:{path}"])
        screen.say(f"Wrote {path}. Run it again to continue, or play against it with: {play}")
