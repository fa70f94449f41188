"""Measures a champion: `python -m benchmarks.strength.champion [FILE] [--only TEXT] [--rounds N] [--jobs N] [--save]`.

Every line of the table of targets, for one network's file: complete rounds of `official` with two players on mirrored
deals that no training has seen, a round that reaches `max_plies` counts as half. Parts that were played are kept in a
folder of their own, so that a run that was stopped goes on. `--quick` plays a twentieth of the rounds, `--rounds` as
many as it says: the first ones are the same. `--save` writes benchmarks/results/champion.jsonl.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.strength.json_lines import add_line, read_lines
from benchmarks.strength.lineup import LINES, RESULTS, SEED, Line
from benchmarks.strength.options import at_least
from lastcard import Rules
from lastcard.agents import make_agent
from lastcard.arena.chunks import play_chunk
from lastcard.arena.core_match import NetContestant, play_deals
from lastcard.arena.schedule import Tournament
from lastcard.arena.statistics import NOBODY, count_scores, estimate_share
from lastcard.network import SHIPPED, Network, shipped_file
from lastcard.observation import Observation
from lastcard.seeds import split_seed
from lastcard.table import Table

CHAMPION: Final = Path(str(shipped_file(SHIPPED["champion"]["official"])))
SAVED: Final = RESULTS / "champion.jsonl"
_RULES: Final = Rules.preset("official")
_QUICK: Final = 20


@dataclass(frozen=True, slots=True)
class Part:
    """Some deals of a line; what they come to depends on the network and on this alone."""

    network: str
    line: Line
    number: int
    num_deals: int

    @property
    def seed(self) -> int:
        """Seed of the part's deals."""
        return split_seed(split_seed(SEED, "pairing", LINES.index(self.line)), "chunk", self.number)


@dataclass(frozen=True, slots=True)
class PartResult:
    """Result of a part."""

    line: str
    number: int
    deals: dict[str, int]
    """Number of deals with each result, as `lastcard.arena.statistics` writes it."""
    plies: int
    unfinished: int
    cpu_seconds: float


def play_part(part: Part) -> PartResult:
    """Plays every deal of a part once from every seat."""
    start = time.process_time()
    if part.line.to_score:
        cup = Tournament((f"net:{part.network}", part.line.rival), _RULES, part.num_deals, part.seed, to_score=True)
        played = [play_chunk(cup, chunk) for chunk in cup.chunks]
        deals = sum((Counter(chunk.deals) for chunk in played), Counter())
        plies, unfinished = sum(chunk.plies for chunk in played), sum(chunk.unfinished for chunk in played)
    else:
        seating = [NetContestant(part.network), part.line.contestant]
        rounds = play_deals(_RULES, seating, part.num_deals, part.seed % 2**64)
        won = [NOBODY if cut else str(winner) for winner, cut in zip(rounds.winners, rounds.unfinished, strict=True)]
        deals = Counter(map("".join, zip(*[iter(won)] * 2, strict=True)))
        plies, unfinished = rounds.plies, sum(rounds.unfinished)
    return PartResult(part.line.name, part.number, dict(deals), plies, unfinished, time.process_time() - start)


def split_line(network: str, line: Line, num_deals: int) -> list[Part]:
    """The parts of a line; a shorter run plays the first of them."""
    size = line.part_deals
    return [
        Part(network, line, number, min(size, num_deals - first))
        for number, first in enumerate(range(0, num_deals, size))
    ]


class Kept:
    """The parts that were played before, in a file of the network's own."""

    def __init__(self, folder: Path, network: Path) -> None:
        digest = hashlib.sha256(network.read_bytes()).hexdigest()[:16]
        self._path = folder / f"{network.stem}-{digest}.jsonl"

    def read(self) -> dict[tuple[str, int, int], PartResult]:
        """Reads the results by line, number and deals; a line that was cut off by a crash is left out."""
        results = (PartResult(**fields) for fields in read_lines(self._path))
        return {(result.line, result.number, sum(result.deals.values())): result for result in results}

    def add(self, result: PartResult) -> None:
        """Keeps one more."""
        add_line(self._path, {name: getattr(result, name) for name in PartResult.__slots__})


def play_parts(parts: Sequence[Part], kept: Kept, jobs: int, seconds: float) -> Iterator[PartResult]:
    """All that were played before, then the others in so many processes, until the seconds are over: none for 0."""
    known = kept.read()
    missing = []
    for part in parts:
        before = known.get((part.line.name, part.number, part.num_deals))
        if before is not None:
            yield before
        elif seconds > 0:
            missing.append(part)
    end = time.monotonic() + seconds
    with ExitStack() as stack:
        played: Iterable[PartResult] = map(play_part, missing)
        if jobs > 1 and missing:
            pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(jobs))
            played = pool.imap_unordered(play_part, missing)
        for result in played:
            kept.add(result)
            yield result
            if time.monotonic() > end:
                return


def summarize(network: str, line: Line, played: Sequence[PartResult]) -> dict[str, Any]:
    """A line of the table, from its parts."""
    deals = sum((Counter(result.deals) for result in played), Counter())
    rounds = 2 * deals.total()
    share = estimate_share(count_scores(deals, 0), 2)
    return {
        "name": line.name,
        "network": network,
        "share": round(share.value, 5),
        "error": round(share.error, 5),
        "rounds": rounds,
        "plies": round(sum(result.plies for result in played) / rounds, 1),
        "unfinished": round(sum(result.unfinished for result in played) / rounds, 5),
        "must": line.must,
        "goal": line.goal,
        "cpu_seconds": round(sum(result.cpu_seconds for result in played), 1),
    }


class _Watcher:
    """Plays as an agent does and keeps what it saw."""

    def __init__(self, name: str) -> None:
        self.seen: list[Observation] = []
        self._agent = make_agent(name, seed=1)

    def choose(self, observation: Observation) -> Any:
        """Picks one of `observation.legal_actions`."""
        if len(observation.legal_actions) > 1:
            self.seen.append(observation)
        return self._agent.choose(observation)


def time_decision(file: Path) -> float:
    """Microseconds of CPU time that a decision of the network takes on one core."""
    watcher = _Watcher(f"net:{file}")
    for seed in range(3):
        Table(_RULES, [watcher, make_agent("heuristic", seed=2)], seed).play_round()
    network = Network.find(str(file), _RULES)
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for observation in watcher.seen:
            network.choose(observation)
        best = min(best, (time.process_time() - start) / len(watcher.seen))
    return 1e6 * best


def measure(network: Path, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Every line that was asked for, printed as it is known."""
    kept, rows = Kept(options.work, network), []
    for line in LINES:
        if options.only not in line.name:
            continue
        num_deals = max((options.rounds or line.rounds) // 2 // (_QUICK if options.quick else 1), 1)
        parts = split_line(str(network), line, num_deals)
        played = list(play_parts(parts, kept, options.jobs, options.seconds))
        if played:
            rows.append(summarize(network.name, line, played))
            print(format_row(rows[-1]), flush=True)
    return rows


def format_row(row: dict[str, Any]) -> str:
    """A line of the table as text."""
    share = f"{100 * row['share']:5.1f} ± {100 * row['error']:.1f}"
    must = "" if row["must"] is None else f"must {row['must']:g}"
    unit = "games" if "games to" in row["name"] else "rounds"
    kind = f"{row['rounds']:,} {unit}, {row['plies']:.0f} plies, {100 * row['unfinished']:.2f} % unfinished"
    return f"{row['name']:<34} {share:<12} {must:<8} {kind}, {row['cpu_seconds']:.0f} s"


def save(rows: Sequence[dict[str, Any]], file: Path = SAVED) -> None:
    """Writes the lines, in the place of earlier ones of the same name and network."""
    before = [json.loads(text) for text in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    new = {(row["name"], row["network"]) for row in rows}
    lines = [row for row in before if (row["name"], row["network"]) not in new] + list(rows)
    file.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in lines), encoding="utf-8")


def main() -> None:
    """Reads the options, plays, prints and writes."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.champion", description=__doc__)
    parser.add_argument("network", nargs="?", type=Path, default=CHAMPION, help="the network's file")
    parser.add_argument("--only", default="", help="lines whose name holds this text")
    parser.add_argument("--quick", action="store_true", help=f"one round in {_QUICK}")
    parser.add_argument("--rounds", type=at_least(2), help="rounds or games of a line; by default those of its target")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play")
    parser.add_argument(
        "--seconds",
        type=float,
        default=1e9,
        help="stop a line after so long, with what was played by then; 0: play nothing new",
    )
    parser.add_argument("--work", type=Path, default=Path("build/champion"), help="folder of the parts played")
    parser.add_argument("--save", action="store_true", help=f"write {SAVED.name}")
    options = parser.parse_args()
    rows = measure(options.network, options)
    if not options.only:
        micros = time_decision(options.network)
        print(f"{'decision on one core':<34} {micros:.1f} µs")
        rows.append({"name": "decision on one core", "network": options.network.name, "microseconds": round(micros, 1)})
    if options.save:
        save(rows)


if __name__ == "__main__":
    main()
