"""The standing tournament as data: `ladder.toml`, what came of it, and how one agent's part of it is played."""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import subprocess
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from lastcard.arena.ceilings import CEILINGS, find_ceiling
from lastcard.arena.chunks import play_chunk
from lastcard.arena.results import ChunkResult, Results
from lastcard.arena.schedule import Chunk, Tournament
from lastcard.arena.statistics import Estimate
from lastcard.arena.summary import summarize
from lastcard.rules import format_rules, parse_rules

HERE: Final = Path(__file__).parent
FILE: Final = HERE / "ladder.toml"
RESULTS: Final = HERE.parent / "results" / "ladder.jsonl"


@dataclass(frozen=True, slots=True)
class Entry:
    """An agent's part: so many rounds alone against copies of the rival."""

    agent: str
    rival: str
    rules: str
    players: int
    rounds: int
    seed: int
    games: int = 0
    """Games to 500 that it plays as well; 0 for none."""

    def tournament(self, rounds: int | None = None) -> Tournament:
        """Returns the tournament to play; only its first pairing counts, one against all others."""
        rules = parse_rules(self.rules).replace(players=self.players)
        return Tournament((self.agent, self.rival), rules, -(-(rounds or self.rounds) // self.players), self.seed)


def read_entries(file: Path = FILE) -> list[Entry]:
    """Every part of the standing tournament, in the order of the file."""
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    return [
        Entry(agent["name"], read["rival"], rules, players, agent["rounds"], read["seed"], agent.get("games", 0))
        for rules in read["rules"]
        for players in read["players"]
        for agent in read["agents"]
        if rules in agent.get("rules", read["rules"]) and players in agent.get("players", read["players"])
    ]


@dataclass(frozen=True, slots=True)
class Line:
    """Result of a part, and the machine that played it."""

    agent: str
    rival: str
    rules: str
    players: int
    seed: int
    rounds: int
    share: Mapping[str, float]
    """Rounds won: `value`, and the 95 % interval from `low` to `high`."""
    points: float
    """Points per round."""
    decision_seconds: float | None
    ceiling: str | None
    """Name of the ceiling, if the agent sees what its seat may not."""
    cpu_seconds: float
    """CPU time of all rounds, the rival's decisions included."""
    commit: str | None
    machine: Mapping[str, Any]
    plies: float | None = None
    """Plies per round; None for lines from before this was counted."""
    unfinished: float | None = None
    """Share of rounds that reached `max_plies`; likewise."""
    games: Mapping[str, float] | None = None
    """Games to 500 won, as `share`, and their `number`; None for an agent that plays none."""

    @property
    def preset(self) -> str:
        """The rules without the number of players."""
        return self.rules.split(" ")[0]

    @property
    def estimate(self) -> Estimate:
        """The share with its interval."""
        return Estimate(self.share["value"], self.share["low"], self.share["high"])

    def is_of(self, entry: Entry) -> bool:
        """Returns True if this is the entry's result, for any number of rounds."""
        asked = (entry.agent, entry.rival, entry.players, entry.seed)
        rules = format_rules(parse_rules(entry.rules).replace(players=entry.players))
        return (self.agent, self.rival, self.players, self.seed) == asked and self.rules == rules


def read_lines(file: Path = RESULTS) -> list[Line]:
    """Reads the lines so far; none if there is no file yet."""
    if not file.exists():
        return []
    return [Line(**json.loads(text)) for text in file.read_text(encoding="utf-8").splitlines()]


def write_lines(lines: Iterable[Line], file: Path = RESULTS) -> None:
    """Replaces the file in one go."""
    text = "".join(json.dumps(asdict(line), ensure_ascii=False) + "\n" for line in lines)
    beside = file.with_suffix(".tmp")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, file)


def keep_lines(entries: Iterable[Entry], lines: Iterable[Line]) -> list[Line]:
    """The last line of every entry, in the order of the entries; lines of other tournaments drop out."""
    known = list(lines)
    found = (next((line for line in reversed(known) if line.is_of(entry)), None) for entry in entries)
    return [line for line in found if line is not None]


def play_entry(
    entry: Entry, rounds: int | None = None, jobs: int = 1, progress: Callable[[float], None] | None = None
) -> Line:
    """Plays a part in so many processes and says what came of it; only the times depend on the machine."""
    cup = entry.tournament(rounds)
    chunks = [chunk for chunk in cup.chunks if chunk.pairing == 0]
    results, cpu_seconds = Results(cup), 0.0
    with multiprocessing.get_context("spawn").Pool(jobs, _remember, (cup,)) as pool:
        for played, seconds in pool.imap_unordered(_play, chunks):
            results.add(played)
            cpu_seconds += seconds
            if progress:
                progress(results.num_deals / cup.num_deals)
    summary = summarize(results, rated=False)
    meeting, share = summary.meetings[0], summary.meetings[0].shares[0]
    seconds_each = summary.standings[0].times.mean
    ceiling = find_ceiling(entry.agent)
    return Line(
        agent=entry.agent,
        rival=entry.rival,
        rules=format_rules(cup.rules),
        players=entry.players,
        seed=entry.seed,
        rounds=cup.num_deals * entry.players,
        share={name: round(getattr(share, name), 5) for name in ("value", "low", "high")},
        points=round(meeting.points[0], 2),
        decision_seconds=seconds_each and float(f"{seconds_each:.3g}"),
        ceiling=ceiling.kind if ceiling else None,
        cpu_seconds=float(f"{cpu_seconds:.4g}"),
        commit=find_commit(),
        machine=machine_class(),
        plies=round(meeting.plies, 1),
        unfinished=round(meeting.unfinished, 5),
        games=play_games(entry),
    )


def play_games(entry: Entry) -> dict[str, float] | None:
    """Plays the games of a part to their ends; None if it has none."""
    if not entry.games:
        return None
    rules = parse_rules(entry.rules).replace(players=entry.players)
    deals = -(-entry.games // entry.players)
    cup = Tournament((entry.agent, entry.rival), rules, deals, entry.seed, to_score=True)
    results = Results(cup)
    for chunk in cup.chunks:
        if chunk.pairing == 0:
            results.add(play_chunk(cup, chunk))
    share = summarize(results, rated=False).meetings[0].shares[0]
    won = {name: round(getattr(share, name), 5) for name in ("value", "low", "high")}
    return {**won, "number": deals * entry.players}


_cup: Tournament | None = None  # of a process that plays


def _remember(cup: Tournament) -> None:
    global _cup  # noqa: PLW0603 - one for each process, as it is started
    _cup = cup


def _play(chunk: Chunk) -> tuple[ChunkResult, float]:
    assert _cup
    start = time.process_time()
    return play_chunk(_cup, chunk), time.process_time() - start


def find_commit() -> str | None:
    """The commit that is checked out, with a plus if the code differs from it; None where git does not say."""
    root = HERE.parents[1]
    try:
        commit, changes = (
            subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout.strip()
            for words in (["rev-parse", "--short=10", "HEAD"], ["status", "--porcelain", "--", "core", "src"])
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{commit}+" if changes else commit


def machine_class() -> dict[str, object]:
    """Describes the kind of machine."""
    try:
        info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        info = ""
    names = [line.partition(":")[2].strip() for line in info.splitlines() if line.startswith("model name")]
    return {"cpu": names[0] if names else platform.machine(), "cores": os.cpu_count()}


def share_of_edge(won: Estimate, ceiling: Estimate, players: int) -> Estimate:
    """Share of a ceiling's edge over an even match that an agent reaches, with the errors of both.

    >>> share = share_of_edge(Estimate(0.62, 0.61, 0.63), Estimate(0.90, 0.89, 0.91), players=2)
    >>> f"{share.value:.2f} ± {share.error:.3f}"
    '0.30 ± 0.026'
    """
    even = 1 / players
    value = (won.value - even) / (ceiling.value - even)
    error = (won.error**2 + (value * ceiling.error) ** 2) ** 0.5 / (ceiling.value - even)
    return Estimate(value, value - error, value + error)


def find_ceilings(lines: Iterable[Line], players: int) -> dict[str, Estimate]:
    """Returns the ceilings' shares with that many players, the lower one first."""
    found = {line.ceiling: line.estimate for line in lines if line.players == players}
    return {kind: found[kind] for kind in CEILINGS if kind in found}
