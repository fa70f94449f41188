"""A league: one main network learns against a population, and exploiters that beat it join.

A run of it has two phases. First the main network learns against itself and against the members that beat it most
often. Then an exploiter learns against the frozen main network only; if it wins its match, it becomes a member. All
state is in the folder, so that the next run continues from there.

Only the main network pays for time, so that two networks that wait do not wait forever; an exploiter has to be free to
find what its target does wrong. Exploiters start in turn from the main network's weights, from scratch and from the
newest exploiter, so that the league has rivals of every kind.

O. Vinyals et al., "Grandmaster level in StarCraft II using multi-agent reinforcement learning" (2019).
"""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lastcard.arena.core_match import NetContestant
from lastcard.errors import AgentError, require_float, require_int
from lastcard.learning.config import TrainConfig, format_rivals
from lastcard.learning.exploit import START_RECIPE, TRACE
from lastcard.learning.folder import CHECKPOINT, LATEST, Folder
from lastcard.learning.measure import Measurement, Score
from lastcard.learning.population import LEAGUE, NUM_POLICIES, Member, Population
from lastcard.learning.run import require_torch
from lastcard.learning.session import Session, Tick
from lastcard.network import NETWORK_AGENTS, Network
from lastcard.seeds import split_seed

MAIN: Final = "main.safetensors"
PRICE: Final = 0.0003
"""Cost of a decision for the main network, as in the runs that led to the champion."""
_MEMBERS: Final = "members"
_PHASE: Final = "phase"
_PHASE_FILE: Final = "phase.json"
_MACHINE: Final = ("device", "threads")
"""Options that count immediately, also for an interrupted phase: it may continue on another machine."""


@dataclass(frozen=True, slots=True)
class LeagueConfig:
    """Division of a league's time and rounds."""

    training: TrainConfig
    """The recipe of both phases; `minutes` is the time of a run, `trace` is that of the main network."""
    price: float = PRICE
    """Cost of a decision for the main network; exploiters pay nothing."""
    exploiter_share: float = 0.25
    """Share of the time for the exploiter."""
    self_share: float = 0.2
    """Share of the main network's rounds against itself; with 1, against nobody else."""
    most_rivals: int = 8
    """Members that it meets in one phase; `random` and `heuristic` are always among them."""

    def __post_init__(self) -> None:
        require_float("price", self.price, 0.0, 0.1, AgentError)
        require_float("exploiter_share", self.exploiter_share, 0.0, 0.9, AgentError)
        require_float("self_share", self.self_share, 0.0, 1.0, AgentError)
        require_int("most_rivals", self.most_rivals, NUM_POLICIES, 64, AgentError)
        if self.training.rivals or self.training.random_share or self.training.heuristic_share:
            raise AgentError("a league divides the rounds itself: leave rivals, random_share and heuristic_share alone")
        if self.training.price:
            raise AgentError("a league has a price of its own, for the main network only: leave that of training alone")


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """Results of a phase."""

    run: int
    phase: str
    """`main` or `exploiter`."""
    seconds: float
    """Spent on training, without the matches after it."""
    updates: int
    scores: dict[str, Score]
    """Share that the network of the phase won against each member, or against the main network."""
    joined: str
    """The name under which it joined; empty if it did not."""

    def to_dict(self) -> dict[str, Any]:
        """Returns JSON values."""
        scores = {
            name: [round(value, 5) for value in (score.share, score.error, score.plies, score.unfinished)]
            for name, score in self.scores.items()
        }
        return {
            "run": self.run,
            "phase": self.phase,
            "seconds": round(self.seconds, 1),
            "updates": self.updates,
            "scores": scores,
            "joined": self.joined,
        }


def train_league(
    config: LeagueConfig,
    out: Path,
    members: Sequence[Path] = (),
    progress: Callable[[PhaseReport], None] | None = None,
    *,
    tick: Callable[[Tick], None] | None = None,
    note: Callable[[str], None] | None = None,
) -> Path:
    """Runs a league once more, or creates it, and returns the file of its main network.

    `members` are files of networks that join first. An interrupted phase is resumed with the options that it began
    with; `note` is told if they differ.

    Raises:
        AgentError: if torch is missing, a file is no network for these rules, or the folder holds another league.
    """
    require_torch()
    if config.training.start and note and (out / MAIN).exists():
        note(f"The league continues from its main network; --start {config.training.start} is ignored")
    league = _League(config, out, tick, note)
    league.welcome(members)
    for phase in ("main", "exploiter"):
        report = league.play_phase(phase)
        if report and progress:
            progress(report)
    return out / MAIN


class _League:
    def __init__(
        self,
        config: LeagueConfig,
        out: Path,
        tick: Callable[[Tick], None] | None,
        note: Callable[[str], None] | None,
    ) -> None:
        self.config = config
        self.folder = Folder(out)
        self.tick = tick
        self.note = note
        recipe = config.training
        self.rules = recipe.compiled_rules()
        Folder(out / _MEMBERS).make()
        if (out / LEAGUE).exists():
            self.population = Population.read(out / LEAGUE)
            for name in ("rules", "players"):
                old, new = getattr(self.population, name), getattr(recipe, name)
                if old != new:
                    raise AgentError(f"{out / LEAGUE}: {name} was {old}, not {new}; a league keeps its settings")
        else:
            self.population = Population.found(recipe.rules, recipe.players)
        self._save()

    def welcome(self, members: Sequence[Path]) -> None:
        """Lets networks join that are not members yet."""
        known = {member.name for member in self.population.members}
        for path in members:
            if path.stem not in known:
                network = Network.find(str(path), self.rules)
                self._join(path.stem, path, {"file": path.name, **network.made})
                self._save()

    def play_phase(self, phase: str) -> PhaseReport | None:
        """Runs a phase to its end, or resumes an interrupted one; None if there is nothing to do in it now."""
        place, number = self.folder.path / _PHASE, len(self.population.history)
        started = _read_phase(place)
        if started and started.get("number", number) < number:
            # Stopped after its results were saved: only its folder is left.
            shutil.rmtree(place)
            started = None
        if phase == "main" and not started and self._is_exploiter_due():
            return None
        if started and started["phase"] != phase:
            return None
        if started:
            machine = {name: getattr(self.config.training, name) for name in _MACHINE}
            recipe = TrainConfig.from_dict({**started["config"], **machine})
            self._tell_differences(started)
        elif phase == "exploiter" and not self.config.exploiter_share:
            return None
        else:
            recipe = self._recipe(phase)
            shutil.rmtree(place, ignore_errors=True)
            Folder(place).make()
            fields = {"phase": phase, "number": number, "config": recipe.to_dict(), "given": self._given()}
            Folder(place).write(_PHASE_FILE, json.dumps(fields).encode())
        session = Session(self._locate(recipe), Folder(place, "league"), self.tick, resume=bool(started))
        session.go_on(lambda _: session.save_latest())
        session.save_latest()
        report = self._finish(phase, session, place / LATEST)
        shutil.rmtree(place)
        return report

    def _is_exploiter_due(self) -> bool:
        """Returns true if the last run was stopped between its two phases."""
        history = self.population.history
        return bool(history and history[-1]["phase"] == "main" and self.config.exploiter_share)

    def _given(self) -> dict[str, Any]:
        """The options of the run, and the members before a phase."""
        fields = dataclasses.asdict(self.config)
        # The price of the league replaces that of training.
        return {**fields.pop("training"), **fields, "members": [member.name for member in self.population.members]}

    def _tell_differences(self, started: Mapping[str, Any]) -> None:
        """Says which options do not count yet, because an interrupted phase keeps its own."""
        now = {name: value for name, value in self._given().items() if name not in _MACHINE}
        before = {**now, **started.get("given", {})}
        new = [name for name in now.pop("members") if name not in before["members"]]
        words = [f"{name} {before[name]} instead of {now[name]}" for name in now if before[name] != now[name]]
        words += [f"no rounds against {name}" for name in new if started["phase"] == "main"]
        if words and self.note:
            self.note(f"The interrupted {started['phase']} phase ends as it began, with {', '.join(words)}")

    def _recipe(self, phase: str) -> TrainConfig:
        """The training of a phase: against the population, or against the main network alone.

        Its networks are named as the league's folder has them: the folder may move before the phase ends.
        """
        config, recipe = self.config, self.config.training.to_dict()
        share = config.exploiter_share
        label = len(self.population.history)
        # With the seed of the league itself, every phase would play the deals of the first.
        recipe["seed"] = split_seed(config.training.seed, "agent", label) % 2**32
        if phase == "exploiter":
            recipe |= {"minutes": max(recipe["minutes"] * share, 0.01), "rivals": format_rivals([(MAIN, 1.0)])}
            # It may go wherever its target can be beaten.
            recipe |= {"reference": 0.0, "reference_updates": 0}
            return _keep_start({**recipe, "start": self._exploiter_start(), "trace": TRACE})
        if (self.folder.path / MAIN).exists():
            recipe["start"] = MAIN
        elif recipe["start"] and recipe["start"] not in NETWORK_AGENTS:
            recipe["start"] = str(Path(recipe["start"]).absolute())
        recipe |= {"minutes": max(recipe["minutes"] * (1 - share), 0.01), "price": config.price}
        shares = self.population.divide(1 - config.self_share, config.most_rivals)
        files = {member.name: member.file for member in self.population.members}
        rivals = format_rivals((files[name], part) for name, part in shares.items() if files[name])
        recipe |= {"rivals": rivals} | {f"{name}_share": part for name, part in shares.items() if not files[name]}
        return _keep_start(recipe)

    def _locate(self, recipe: TrainConfig) -> TrainConfig:
        """The recipe with the paths of the networks from here."""

        def find(name: str) -> str:
            return name if name in ("", *NETWORK_AGENTS) else str(self.folder.path / name)

        rivals = format_rivals((find(name), share) for name, share in recipe.rival_shares().items())
        return dataclasses.replace(recipe, start=find(recipe.start), rivals=rivals)

    def _exploiter_start(self) -> str:
        """The start of the next exploiter, by its number: the main network, scratch, the newest exploiter."""
        ended = [entry for entry in self.population.history if entry["phase"] == "exploiter"]
        joined = [_member_file(entry["joined"]) for entry in ended if entry["joined"]]
        return (MAIN, "", joined[-1] if joined else MAIN)[len(ended) % 3]

    def _finish(self, phase: str, session: Session, network: Path) -> PhaseReport:
        config, seconds = session.config, session.seconds
        measurement = Measurement((self.rules,), config.measured_deals, config.threads, config.games)
        run = sum(entry["phase"] == "main" for entry in self.population.history) + (phase == "main")
        seed = split_seed(config.seed, "round", run) % 2**64
        joined = ""
        if phase == "main":
            self.folder.write(MAIN, network.read_bytes())
            scores = {
                member.name: measurement.play(network, member.contestant(self.folder.path), seed)
                for member in self.population.members
            }
            self.population.rate(scores)
            joined = self._join(f"main-{run}", network, Network.load(str(network)).made)
        else:
            main = NetContestant(str(self.folder.path / MAIN))
            is_won, score = measurement.is_won(network, main, seed)
            scores = {f"main-{run}": score}
            if is_won:
                joined = self._join(f"exploiter-{run}", network, Network.load(str(network)).made)
        report = PhaseReport(run, phase, seconds, session.update, scores, joined)
        self.population.history.append(report.to_dict())
        # Member, results and history in one file at once: a run that is killed before finishes the phase again.
        self._save()
        return report

    def _join(self, name: str, network: Path, made: Any) -> str:
        file = _member_file(name)
        self.folder.write(file, network.read_bytes())
        self.population.add(Member(name, file, dict(made)))
        return name

    def _save(self) -> None:
        self.folder.write(LEAGUE, self.population.to_bytes())


def _member_file(name: str) -> str:
    return f"{_MEMBERS}/{name}.safetensors"


def _keep_start(recipe: dict[str, Any]) -> TrainConfig:
    """The training with the small steps of `lastcard exploit --start` if it has a start; values that are set stay."""
    usual = TrainConfig()
    steps = {name: value for name, value in START_RECIPE.items() if recipe[name] == getattr(usual, name)}
    return TrainConfig.from_dict({**recipe, **(steps if recipe["start"] else {})})


def _read_phase(place: Path) -> dict[str, Any] | None:
    """The phase that was stopped in a folder after its first update, if any."""
    path = place / _PHASE_FILE
    if not path.exists() or not (place / CHECKPOINT).exists():
        return None
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except ValueError:
        raise AgentError(f"{path} is damaged; remove {place}, and the phase begins again") from None
