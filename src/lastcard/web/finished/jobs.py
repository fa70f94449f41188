"""Judging: the value of every decision of a finished game, computed once, one game at a time, and stored.

A thread of its own does it, whose searches run at idle priority; each round is stored before the next is judged, so
that nothing is lost and nothing is done twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from lastcard.agents import format_agent
from lastcard.analysis import ANALYST, analyse, count_choices
from lastcard.errors import RequestError, StoppedError
from lastcard.record import Record
from lastcard.search.priority import give_way
from lastcard.search.stopping import StopFlag, stopped_by
from lastcard.store.store import Store
from lastcard.web.finished.game import FinishedGame
from lastcard.web.limits import Limits, Share

SEED: Final = 0
"""The default seed of `lastcard analyse`."""
ANALYST_KEY: Final = f"{format_agent(ANALYST)} seed={SEED}"
"""Key of the stored judgement: every option of the judge, so that another judge starts from scratch."""
MOST_SHOWN: Final = 12
"""Number of costly decisions in a summary."""
_LOG: Final = logging.getLogger(__name__)
State = Literal["none", "waiting", "running", "stopped", "done"]


@dataclass(slots=True)
class Job:
    """A game that is judged or waits for it."""

    game: int
    record: Record
    missing: list[int]
    """The numbers of the rounds that are not judged yet."""
    total: int
    done: int
    is_running: bool = False
    flag: StopFlag = field(default_factory=StopFlag)
    """Set when no client waits for the result any more."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class Judging:
    """The games that are judged. Use it in one event loop."""

    def __init__(self, store: Store, limits: Limits, clock: Callable[[], float]) -> None:
        self._store = store
        self._limits = limits
        self._clock = clock
        self._share = Share("games to judge", 1 + limits.max_studies_waiting, limits.max_studies_per_user)
        self._pool = ThreadPoolExecutor(1, "lastcard study", give_way)
        self._jobs: dict[int, Job] = {}
        self._stopped: set[int] = set()
        """Games that took too long."""

    def prepare(self, study: FinishedGame) -> Job:
        """Returns the job that judges the rest of a game; reads the store.

        Raises:
            RequestError: with status 422, if there is nothing to judge or too much.
        """
        game, record = study.stored.game, study.record
        finished = [played.number for played in record.rounds if played.outcome]
        if not finished:
            raise RequestError("no round of this game was played to its end", status=422)
        judged = {part["round"] for part in self._store.read_analyses(game, ANALYST_KEY)}
        missing = [number for number in finished if number not in judged]
        total = count_choices(record)
        left = count_choices(record, rounds=missing) if missing else 0
        most = self._limits.max_study_decisions
        if left > most:
            raise RequestError(
                f"this game has {left} decisions to judge; this server judges at most {most} per game", status=422
            )
        return Job(game, record, missing, total, total - left)

    def begin(self, job: Job, user: str) -> None:
        """Has a game judged, unless it is being judged or nothing of it is left.

        Raises:
            RequestError: with status 429, over a limit.
        """
        if job.game in self._jobs or not job.missing:
            return
        self._share.take(user)
        self._stopped.discard(job.game)
        self._jobs[job.game] = job
        work = asyncio.get_running_loop().run_in_executor(self._pool, self._judge, job)
        work.add_done_callback(lambda future: self._end(job, user, future))

    def _judge(self, job: Job) -> None:
        """Judges a game, in the thread."""
        job.is_running = True
        begun, before = self._clock(), job.done

        def tell(judged: int) -> None:
            job.done = before + judged
            if job.flag.is_set or self._clock() - begun > self._limits.max_study_seconds:
                raise StoppedError("cancelled, or it takes too long")

        for number in job.missing:
            with stopped_by(job.flag):
                made = analyse(job.record, ANALYST, rounds=[number], seed=SEED, tell=tell)
            before = job.done
            self._store.add_analysis(job.game, ANALYST_KEY, number, made.rounds[0].to_dict()).result()

    def _end(self, job: Job, user: str, future: asyncio.Future[None]) -> None:
        self._share.give_back(user)
        self._jobs.pop(job.game, None)
        job.ended.set()
        if future.cancelled():
            return
        error = future.exception()
        if isinstance(error, StoppedError):
            if not job.flag.is_set:
                self._stopped.add(job.game)
        elif error is not None:
            self._stopped.add(job.game)
            # A message may name a card; after the end that is no secret, but logs have none.
            _LOG.error("game %d could not be judged: %s", job.game, type(error).__name__)

    async def cancel(self, game: int) -> None:
        """Stops judging a game, and waits until nothing more is written of it."""
        self._stopped.discard(game)
        job = self._jobs.get(game)
        if job is not None:
            job.flag.set()
            await job.ended.wait()

    async def close(self) -> None:
        """Stops everything; rounds that are judged are kept."""
        jobs = list(self._jobs.values())
        for job in jobs:
            job.flag.set()
        self._pool.shutdown(wait=False, cancel_futures=True)
        for job in jobs:
            await job.ended.wait()

    def tell(self, study: FinishedGame) -> dict[str, Any]:
        """Returns the progress of the job and its judgements so far, as JSON values; reads the store."""
        game, record = study.stored.game, study.record
        job = self._jobs.get(game)  # before the store: a job that ends meanwhile has stored its rounds
        parts = self._store.read_analyses(game, ANALYST_KEY)
        finished = sum(played.outcome is not None for played in record.rounds)
        judged = sum(len(part["decisions"]) for part in parts)
        state: State = "none"
        if job is not None:
            state = "running" if job.is_running else "waiting"
        elif parts and len(parts) == finished:
            state = "done"
        elif parts or game in self._stopped:
            state = "stopped"
        return {
            "state": state,
            "done": job.done if job else judged,
            "total": job.total if job else judged if state == "done" else None,
            "analyst": ANALYST,
            "seed": SEED,
            "seats": [_sum_up(parts, seat) for seat in range(record.rules.players)],
            "costliest": _find_costliest(parts),
            "rounds": [{"round": part["round"], "plies": part["plies"], "curves": part["curves"]} for part in parts],
        }

    def tell_round(self, study: FinishedGame, number: int) -> dict[str, Any]:
        """Every decision of a round, as `lastcard analyse --json` has it; reads the store.

        Raises:
            RequestError: with status 404, if it is not judged.
        """
        study.find_round(number)
        for part in self._store.read_analyses(study.stored.game, ANALYST_KEY):
            if part["round"] == number:
                return part
        raise RequestError(f"round {number} is not judged yet", status=404, field="round")


def _decisions(parts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{"round": part["round"], **decision} for part in parts for decision in part["decisions"]]


def _sum_up(parts: Sequence[Mapping[str, Any]], seat: int) -> dict[str, Any]:
    """Sums up a seat's decisions."""
    made = [decision for decision in _decisions(parts) if decision["seat"] == seat]
    given = sum(decision["cost"] for decision in made)
    return {
        "seat": seat,
        "decisions": len(made),
        "agreed": sum(decision["played"] == decision["best"] for decision in made),
        "mean_cost": round(given / len(made), 6) if made else 0.0,
    }


def _find_costliest(parts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    costly = sorted((each for each in _decisions(parts) if each["cost"] > 0), key=lambda each: -each["cost"])
    return [{name: value for name, value in each.items() if name != "actions"} for each in costly[:MOST_SHOWN]]
