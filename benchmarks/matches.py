"""Plays the matches of benchmarks/matches.toml that have no result yet: `python -m benchmarks.matches [--only TEXT]`.

A match is one line of that file: an agent against copies of its rival, complete rounds or games on mirrored deals. A
round that reaches `max_plies`, or a game of 100 rounds, counts as even. The result is one line of
benchmarks/results/matches.jsonl. Parts are kept in build/matches, so a match that was stopped resumes. To play a match
again, delete its result. A new network is measured by the lines of another: `--only champion --agent net:FILE`. Then
`python -m benchmarks.pages` copies the results into the pages.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import platform
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from lastcard import Rules, Table, format_rules, make_agent, parse_rules
from lastcard.arena.core_match import NOBODY, Contestant, FirstLegalContestant, is_searching, play_deals
from lastcard.arena.entrants import find_contestant
from lastcard.arena.statistics import estimate_share
from lastcard.errors import AgentError, LastcardError
from lastcard.network import NETWORK_AGENTS, find_shipped
from lastcard.phase import Ending
from lastcard.seeds import split_seed

HERE: Final = Path(__file__).parent
TABLE: Final = HERE / "matches.toml"
RESULTS: Final = HERE / "results" / "matches.jsonl"
WORK: Final = HERE.parent / "build" / "matches"
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Match:
    """A line of the table."""

    table: str
    name: str
    agent: str
    rival: str
    rules: str
    """With the number of players."""
    seed: int
    to_score: bool
    """Games to the target score (Rule 9.2) instead of rounds."""
    alternates: bool
    """The agent has every second seat instead of one."""
    rounds: int
    """Rounds or games; as many as the deals give, each played from every seat."""

    @property
    def players(self) -> int:
        """Number of players."""
        return parse_rules(self.rules).players

    @property
    def places(self) -> list[bool]:
        """Tells for each place whether it is the agent's."""
        step = 2 if self.alternates else self.players
        return [place % step == 0 for place in range(self.players)]

    @property
    def network(self) -> str:
        """The shipped networks of the match, and a digest of each file that it names."""
        names = (self.agent, self.rival)
        shipped = [find_shipped(parse_rules(self.rules), name) or "" for name in names if name in NETWORK_AGENTS]
        for name in names:
            find_contestant(name, self.players)  # names a file that is missing, in one line
        files = [Path(name[4:]).read_bytes() for name in names if name.startswith("net:")]
        return " ".join([*shipped, *(hashlib.sha256(data).hexdigest()[:16] for data in files)])

    def is_told_by(self, row: Row) -> bool:
        """Returns True if this is the match's result, with the networks of today."""
        told = {**asdict(self), "network": self.network}
        return all(row[name] == value for name, value in told.items())


def read_table(file: Path = TABLE) -> list[Match]:
    """Every match, in the order of the file. Lists of `rules` and `players` make a match of each pair."""
    matches = []
    for table, fields in tomllib.loads(file.read_text(encoding="utf-8")).items():
        lines = fields.pop("lines")
        for line in lines:
            told = {"to_score": False, "alternates": False, **fields, **line}
            counts, presets = told.pop("players", None), told.pop("rules")
            name, adds_rules = told.pop("name", told["agent"]), counts or ("rules" in line and "name" not in line)
            for rules in [presets] if isinstance(presets, str) else presets:
                for players in counts or [parse_rules(rules).players]:
                    text = format_rules(parse_rules(rules).replace(players=players))
                    match = Match(table, f"{name}, {text}" if adds_rules else name, **told, rules=text)
                    matches.append(replace(match, rounds=max(match.rounds // players, 1) * players))
    return matches


def read_results(file: Path = RESULTS) -> list[Row]:
    """The results so far."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def save(row: Row, matches: Sequence[Match], file: Path = RESULTS) -> None:
    """Writes a result in the place of an earlier one; results whose match has left the table drop out."""
    known = {(old["table"], old["name"]): old for old in [*read_results(file), row]}
    rows = [known[key] for match in matches if (key := (match.table, match.name)) in known]
    beside = file.with_suffix(".tmp")
    beside.write_text("".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in rows), encoding="utf-8")
    os.replace(beside, file)


@dataclass(frozen=True, slots=True)
class Part:
    """Some deals of a match; what they come to depends on the match and on `first` alone, but for the time."""

    first: int
    deals: Mapping[str, int]
    """Number of deals with each result: a 1 for a round that the agent won, a 0 for one that it lost, - for neither."""
    plies: int
    unfinished: int
    cpu_seconds: float


def seat(name: str, players: int) -> Contestant | None:
    """The agent as the core plays it; None if it needs Python."""
    return FirstLegalContestant() if name == "first_legal" else find_contestant(name, players)


def play_part(match: Match, span: tuple[int, int]) -> Part:
    """Plays the deals from the first up to the last, each from every seat."""
    first, end = span
    begin, rules = time.process_time(), parse_rules(match.rules)
    found = [seat(match.agent if own else match.rival, match.players) for own in match.places]
    seating = [contestant for contestant in found if contestant is not None]
    if len(seating) == match.players:
        text, plies, unfinished = _play_in_core(match, rules, seating, first, end)
    else:
        text, plies, unfinished = _play_at_tables(match, rules, first, end)
    deals = Counter(map("".join, zip(*[iter(text)] * match.players, strict=True)))
    return Part(first, dict(deals), plies, unfinished, round(time.process_time() - begin, 3))


def _play_in_core(
    match: Match, rules: Rules, seating: Sequence[Contestant], first: int, end: int
) -> tuple[str, int, int]:
    played = play_deals(rules, seating, end - first, match.seed, first=first, to_score=match.to_score)
    places, cuts = match.places, played.unfinished
    text = (
        "-" if cut or winner == NOBODY else str(int(places[winner]))
        for winner, cut in zip(played.winners, cuts, strict=True)
    )
    return "".join(text), played.plies, sum(cuts)


def _play_at_tables(match: Match, rules: Rules, first: int, end: int) -> tuple[str, int, int]:
    if match.to_score:
        raise AgentError(f"{match.name}: only agents of the core play games here; leave out to_score")
    text, plies, unfinished, players = "", 0, 0, rules.players
    for deal in range(first, end):
        seed = split_seed(match.seed, "deal", deal)
        for turn in range(players):
            own = [match.places[(seat - turn) % players] for seat in range(players)]
            names = [match.agent if is_own else match.rival for is_own in own]
            agents = [make_agent(name, split_seed(seed, "agent", seat)) for seat, name in enumerate(names)]
            table = Table(rules, agents, seed)
            table.play_round()
            outcome = table.state.outcome
            winner = outcome.winner if outcome and outcome.reason is not Ending.MAX_PLIES else None
            is_cut = winner is None
            text += "-" if winner is None else str(int(own[winner]))
            plies += table.state.ply
            unfinished += is_cut
    return text, plies, unfinished


def split_match(match: Match) -> list[tuple[int, int]]:
    """The parts of a match, so small that little is lost if it is stopped; a shorter match has the same first ones."""
    found = [seat(name, match.players) for name in (match.agent, match.rival)]
    is_slow = any(contestant is None or is_searching(contestant) for contestant in found)
    size = max((16 if is_slow else 200 if match.to_score else 4000) // match.players, 1)
    deals = match.rounds // match.players
    return [(first, min(first + size, deals)) for first in range(0, deals, size)]


class Kept:
    """The parts of a match that were played before with the same code and networks, in a file of its own."""

    def __init__(self, match: Match, folder: Path) -> None:
        told = {**asdict(match), "rounds": 0, "network": match.network, "commit": find_commit()}
        self._path = folder / f"{hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]}.jsonl"

    def read(self) -> dict[tuple[int, int], Part]:
        """The parts by their first deal and the one after their last; a line cut off by a crash is left out."""
        parts = []
        for text in self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else ():
            with suppress(ValueError):
                parts.append(Part(**json.loads(text)))
        return {(part.first, part.first + sum(part.deals.values())): part for part in parts}

    def add(self, part: Part) -> None:
        """Keeps one more, on a line of its own also after one that was cut off."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"\n{json.dumps(asdict(part))}")


def play(match: Match, jobs: int = 1, work: Path = WORK) -> Row:
    """Plays what is missing of a match in so many processes, and returns its result."""
    kept = Kept(match, work)
    spans, known = split_match(match), kept.read()
    missing = [span for span in spans if span not in known]
    with ExitStack() as stack:
        played: Iterator[Part] = map(partial(play_part, match), missing)
        if jobs > 1 and len(missing) > 1:
            pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(jobs))
            played = pool.imap(partial(play_part, match), missing)
        for span, part in zip(missing, played, strict=True):
            kept.add(part)
            known[span] = part
    return summarize(match, [known[span] for span in spans])


def summarize(match: Match, parts: Sequence[Part]) -> Row:
    """The result of a match."""
    even, scores = sum(match.places) / match.players, Counter[float]()
    for part in parts:
        for text, times in part.deals.items():
            scores[(text.count("1") + even * text.count("-")) / match.players] += times
    share = estimate_share(scores, match.players)
    return {
        **asdict(match),
        "network": match.network,
        "share": round(share.value, 5),
        "low": round(share.low, 5),
        "high": round(share.high, 5),
        "plies": round(sum(part.plies for part in parts) / match.rounds, 1),
        "unfinished": round(sum(part.unfinished for part in parts) / match.rounds, 5),
        "cpu_seconds": float(f"{sum(part.cpu_seconds for part in parts):.4g}"),
        "commit": find_commit(),
        "machine": name_machine(),
    }


def find_commit() -> str | None:
    """The commit that is checked out, with a plus if the code differs from it; None where git does not say."""
    try:
        commit, changes = (
            subprocess.run(["git", *words], cwd=HERE.parent, capture_output=True, text=True, check=True).stdout.strip()
            for words in (["rev-parse", "--short=10", "HEAD"], ["status", "--porcelain", "--", "core", "src"])
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{commit}+" if changes else commit


def name_machine() -> str:
    """The kind of processor and the number of cores."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def format_row(row: Row) -> str:
    """A result in one line."""
    share = f"{100 * row['share']:5.1f} ± {50 * (row['high'] - row['low']):.1f} %"
    rest = f"{row['plies']:.0f} plies, {100 * row['unfinished']:.2f} % unfinished, {row['cpu_seconds']:.0f} s of CPU"
    return f"{row['table'] + ': ' + row['name']:<60} {share} of {row['rounds']:>7,}, {rest}"


def choose(matches: Sequence[Match], options: argparse.Namespace) -> list[Match]:
    """The matches to play: those without a result, or all that were asked for if this is a trial."""
    rows = {(row["table"], row["name"]): row for row in read_results(options.results)}
    chosen = []
    for match in matches:
        if not f"{match.table}: {match.name}".startswith(options.only):
            continue
        if not (options.rounds or options.agent):
            row = rows.get((match.table, match.name))
            if row is None or not match.is_told_by(row):
                chosen.append(match)
            continue
        deals = min(options.rounds or match.rounds, match.rounds) // match.players
        chosen.append(replace(match, agent=options.agent or match.agent, rounds=max(deals, 1) * match.players))
    return chosen


def main(words: Sequence[str] | None = None) -> None:
    """Plays, prints and saves."""
    parser = argparse.ArgumentParser(prog="benchmarks.matches", description=__doc__)
    parser.add_argument("--only", default="", help="matches whose 'TABLE: NAME' begins with this")
    parser.add_argument("--rounds", type=int, default=0, help="a trial: at most so many rounds of each, nothing saved")
    parser.add_argument("--agent", default="", help="a trial: this agent in place of each match's own, nothing saved")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play")
    parser.add_argument("--table", type=Path, default=TABLE, help="the matches")
    parser.add_argument("--results", type=Path, default=RESULTS, help="their results")
    options = parser.parse_args(words)
    if options.rounds < 0 or options.jobs < 1:
        parser.error("--rounds and --jobs must not be negative, and --jobs not 0")
    try:
        matches = read_table(options.table)
        for match in choose(matches, options):
            row = play(match, options.jobs)
            print(format_row(row), flush=True)
            if not (options.rounds or options.agent):
                save(row, matches, options.results)
    except LastcardError as error:
        parser.error(str(error))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Stopped. The same command resumes.")
