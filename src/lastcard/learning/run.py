"""A training run from beginning to end: updates, measurements, and a best response to the result."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lastcard.arena.core_match import Contestant, HeuristicContestant, RandomContestant
from lastcard.learning.config import TrainConfig
from lastcard.learning.curve_plot import draw_curve
from lastcard.learning.exploit import OWN, Response, Target, configure_response, respond
from lastcard.learning.folder import NETWORK, PLOT, Folder
from lastcard.learning.measure import Measurement, Score
from lastcard.learning.session import Session, Tick, count_measuring_threads, require_torch
from lastcard.seeds import split_seed

if TYPE_CHECKING:
    from lastcard.learning.ppo import Losses

BASELINES: Final[dict[str, Contestant]] = {"random": RandomContestant(), "heuristic": HeuristicContestant()}
"""Opponents of every measurement."""
_RESPONSE: Final = "response"
"""Folder of the best response to the finished network."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A point of the learning curve. All figures are of complete rounds, or games if it is trained for them."""

    update: int
    seconds: float
    seconds_left: float
    decisions: int
    """Made so far, all rounds together."""
    policy_loss: float
    value_loss: float
    entropy: float
    against_random: float
    """Share of rounds or games won, one against all others; one that was cut short counts as an even share."""
    against_random_error: float
    """Half-width of its 95 % interval."""
    against_random_plies: float
    """In a round or game."""
    against_random_unfinished: float
    """Share of those that were cut short."""
    against_heuristic: float
    against_heuristic_error: float
    plies: float
    """In a round or game against `heuristic`."""
    unfinished: float
    """Share of those that were cut short."""

    def to_dict(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {
            name: round(value, 5) if isinstance(value, float) else value
            for name, value in dataclasses.asdict(self).items()
        }


def train(
    config: TrainConfig,
    out: Path,
    progress: Callable[[Progress | Response], None] | None = None,
    *,
    resume: bool = False,
    tick: Callable[[Tick], None] | None = None,
) -> Path:
    """Trains until time or updates are over and returns the file of the network.

    `progress` is called after every measurement, the first right after the first update, and with the best response
    to the finished network if the config asks for one; `tick` is called after every update. It writes the network, a
    checkpoint, the learning curve and a plot to `out`. Ctrl-C saves all of them, and `resume` continues from there.

    Raises:
        AgentError: if torch is missing, or the folder holds another run.
    """
    require_torch()
    folder = Folder(out)
    folder.prepare(resume)
    session = Session(config, folder, tick, resume=resume)
    try:
        session.go_on(lambda losses: _report(session, losses, progress))
        if config.response_minutes:
            response = _respond(config, out, tick)
            folder.add_to_curve({"update": session.update, "seconds": session.seconds, "response": response.to_dict()})
            if progress:
                progress(response)
    finally:
        draw_curve(folder.read_curve(), config, out / PLOT)
    return out / NETWORK


def _report(session: Session, losses: Losses, progress: Callable[[Progress | Response], None] | None) -> None:
    scores = measure_baselines(session, session.save_network())
    random, heuristic = scores["random"], scores["heuristic"]
    point = Progress(
        update=session.update,
        seconds=session.seconds,
        seconds_left=session.seconds_left,
        decisions=session.decisions,
        policy_loss=losses.policy,
        value_loss=losses.value,
        entropy=losses.entropy,
        against_random=random.share,
        against_random_error=random.error,
        against_random_plies=random.plies,
        against_random_unfinished=random.unfinished,
        against_heuristic=heuristic.share,
        against_heuristic_error=heuristic.error,
        plies=heuristic.plies,
        unfinished=heuristic.unfinished,
    )
    session.folder.add_to_curve(point.to_dict())
    if progress:
        progress(point)


def measure_baselines(session: Session, network: Path) -> dict[str, Score]:
    """Measures the network against `random` and against `heuristic`."""
    config = session.config
    measurement = Measurement(session.measured, config.measured_deals, count_measuring_threads(config), config.games)
    seed = split_seed(config.seed, "position", session.update) % 2**64
    return {name: measurement.play(network, rival, seed) for name, rival in BASELINES.items()}


def _respond(config: TrainConfig, out: Path, tick: Callable[[Tick], None] | None) -> Response:
    """Trains a short best response from the network's own weights, where its mistakes are found soonest."""
    target, folder = Target(f"net:{out / NETWORK}"), out / _RESPONSE
    shutil.rmtree(folder, ignore_errors=True)  # of the run before it was resumed
    kept = ("rules", "players", "games", "seed", "device", "threads", "num_envs")
    given = {name: getattr(config, name) for name in kept} | {"minutes": config.response_minutes}
    response_config = configure_response(target, OWN, given)
    return respond(target, response_config, folder, num_deals=config.measured_deals, tick=tick)
