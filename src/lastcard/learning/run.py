"""A training run from beginning to end: updates, measurements, promotions."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lastcard.arena.core_match import Contestant, HeuristicContestant, NetContestant, RandomContestant
from lastcard.errors import AgentError
from lastcard.learning.config import TrainConfig
from lastcard.learning.curve_plot import draw_curve
from lastcard.learning.folder import LATEST, PLOT, PROMOTED, Folder
from lastcard.learning.measure import Measurement, Score
from lastcard.learning.session import Session, Tick
from lastcard.seeds import split_seed
from lastcard.shell import install_extra

if TYPE_CHECKING:
    from lastcard.learning.ppo import Losses

BASELINES: Final[dict[str, Contestant]] = {"random": RandomContestant(), "heuristic": HeuristicContestant()}
"""Opponents of every measurement."""


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
    is_promoted: bool
    """True if it won the promotion match."""
    match_share: float
    """Result of that match."""
    match_error: float
    match_plies: float
    match_unfinished: float

    def to_dict(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {
            name: round(value, 5) if isinstance(value, float) else value
            for name, value in dataclasses.asdict(self).items()
        }


def train(
    config: TrainConfig,
    out: Path,
    progress: Callable[[Progress], None] | None = None,
    *,
    resume: bool = False,
    tick: Callable[[Tick], None] | None = None,
) -> Path:
    """Trains until time or updates are over and returns the file of the last promoted network.

    `progress` is called after every measurement, the first right after the first update, and `tick` after every update.
    It writes that network, the latest one, a checkpoint, the learning curve and a plot to `out`. Ctrl-C saves all of
    them, and `resume` continues from there.

    Raises:
        AgentError: if torch is missing, the folder holds another run, or no network was promoted.
    """
    require_torch()
    folder = Folder(out)
    folder.prepare(resume)
    session = Session(config, folder, tick, resume=resume)
    try:
        session.go_on(lambda losses: _report(session, losses, progress))
    finally:
        draw_curve(folder.read_curve(), config, out / PLOT)
    if not (out / PROMOTED).exists():
        raise AgentError(f"no network was promoted yet; the latest is {out / LATEST}. Continue training with --resume")
    return out / PROMOTED


def require_torch() -> None:
    """Makes sure that there is something to train with.

    Raises:
        AgentError: saying how to install it.
    """
    if find_spec("torch") is None:
        raise AgentError(f"training needs torch: {install_extra('learn')}")


def _report(session: Session, losses: Losses, progress: Callable[[Progress], None] | None) -> None:
    latest = session.save_latest()
    scores = measure_baselines(session, latest)
    is_promoted, match = _try_for_promotion(session, latest)
    if is_promoted:
        session.folder.write(PROMOTED, latest.read_bytes())
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
        is_promoted=is_promoted,
        match_share=match.share,
        match_error=match.error,
        match_plies=match.plies,
        match_unfinished=match.unfinished,
    )
    session.folder.add_to_curve(point.to_dict())
    if progress:
        progress(point)


def measure_baselines(session: Session, network: Path) -> dict[str, Score]:
    """Measures the network against `random` and against `heuristic`."""
    config = session.config
    measurement = Measurement(session.measured, config.measured_deals, config.threads, config.games)
    seed = split_seed(config.seed, "position", session.update) % 2**64
    return {name: measurement.play(network, rival, seed) for name, rival in BASELINES.items()}


def _try_for_promotion(session: Session, latest: Path) -> tuple[bool, Score]:
    """A match against the network promoted last, or `random` before there is one; it must be won for sure."""
    config, promoted = session.config, session.folder.path / PROMOTED
    rival: Contestant = NetContestant(str(promoted)) if promoted.exists() else RandomContestant()
    measurement = Measurement(session.measured, config.gate_deals, config.threads, config.games)
    # Another stream than that of the measurements, so other deals.
    return measurement.is_won(latest, rival, split_seed(config.seed, "round", session.update) % 2**64)
