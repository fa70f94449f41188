"""`lastcard train`: a network for `net`, by self-play."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from lastcard.cli.shared_options import JsonOption
from lastcard.cli.training import (
    FolderOption,
    ResumeOption,
    TrainingScreen,
    choose_given,
    option_errors,
    resume_options,
    training_options,
)
from lastcard.learning.doors import HELP


@training_options(
    *("rules", "players", "tables", "games", "minutes", "updates", "start", "seed", "response_minutes"),
    *("random_share", "heuristic_share", "rivals", "reference", "reference_updates", "price", "entropy"),
    *("last_entropy", "learning_rate", "warmup", "trace", "critic", "averaging", "hidden", "blocks"),
    *("evaluations", "measured_deals", "device", "threads", "num_envs"),
)
def train(
    context: typer.Context,
    out: FolderOption,
    recipe: Annotated[str | None, typer.Option("--recipe", help=HELP["recipe"], show_default=False)] = None,
    resume: ResumeOption = False,
    as_json: JsonOption = False,
    **options: Any,
) -> None:
    """Train a network by self-play, one line per measurement.

    A line has the share of complete rounds (with --games: games) won against random and heuristic, and the plies and
    the share cut short against heuristic. A run of eight minutes or more ends with a best response: for one minute,
    another network learns to beat the finished one. What it wins says how easily the network can be beaten; set
    --response-minutes for more time or 0 for none. Ctrl-C saves everything; --resume continues. With --json: one line
    per measurement.

    Example: lastcard train --players 2 --minutes 8 --out my-network
    """
    from lastcard.learning.folder import CHECKPOINT, Folder
    from lastcard.learning.recipes import configure_training
    from lastcard.learning.run import train as run

    screen = TrainingScreen(as_json)
    with option_errors():
        config = configure_training(recipe, choose_given(options), Folder(out) if resume else None)
    try:
        path = run(config, out, screen.show, resume=resume, tick=screen.tick)
    except KeyboardInterrupt:
        if (out / CHECKPOINT).exists():
            screen.note("Stopped. Resume with", ["train", *resume_options(context)])
        raise
    changed = [] if config.rules == "official" else ["--rules", config.rules]
    seats = [] if config.tables else [*changed, "--players", str(config.players)]
    screen.note(f"Wrote {path}. Play it with", ["play", *seats, "--against", f"net:{path}"])
