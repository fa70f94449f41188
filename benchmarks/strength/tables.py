"""Measures an agent at 24 tables: `python -m benchmarks.strength.tables [--agent NAME] [--against NAME] [--save]`.

Four presets with 2, 3, 4, 5, 7 and 10 players. Against `heuristic` the agent has one seat, and `heuristic` has all
others; against `halving` they take every second seat. Every deal is played from every seat. The result is a multiple of
the even share: 1 means as good as the others. A round that reaches `max_plies` counts as even. `--held-out` plays
tables with switches that no training has seen instead. `--save` writes benchmarks/results/tables.jsonl, or another file
there, after each table, and does not play a match again that is there with the same network; `--rounds` plays fewer
rounds, or more. Where a search plays, every few deals are kept in the folder `--work`: a stopped run resumes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.strength.json_lines import add_line, read_lines
from benchmarks.strength.lineup import RESULTS
from benchmarks.strength.options import at_least, refuse_in_one_line
from lastcard import Rules, format_rules, make_agent, parse_rules
from lastcard.agents import is_built_in
from lastcard.arena.core_match import Contestant, is_searching, play_deals
from lastcard.arena.entrants import find_contestant, is_agent
from lastcard.arena.statistics import estimate_share
from lastcard.learning.tables import TRAINED, draw_held_out
from lastcard.network import find_shipped, shipped_file
from lastcard.seeds import split_seed

SAVED: Final = RESULTS / "tables.jsonl"
PLAYERS: Final = (2, 3, 4, 5, 7, 10)
HALVING: Final = "halving:simulations=1000"
SEED: Final = 20_261_117
"""Seed of the deals; no training has them."""
_PART_DEALS: Final = 4


@dataclass(frozen=True, slots=True)
class TableRow:
    """Result at one table."""

    match: str
    """The agent and its rival: `net v heuristic`."""
    table: str
    """Its rules, with the number of players."""
    network: str
    """The shipped network that `net` plays with, and a digest of each file that the match names."""
    multiple: float
    """Rounds won, as a multiple of the even share."""
    error: float
    """Half-width of its 95 % interval."""
    rounds: int
    plies: float
    """In a round."""
    unfinished: float
    """Share of rounds that reached `max_plies`."""
    cpu_seconds: float


def share_seats(players: int, rival: Contestant) -> list[bool]:
    """Tells for each seat whether it is the agent's: one of them, or every second one against a search."""
    step = 2 if is_searching(rival) else players
    return [seat % step == 0 for seat in range(players)]


def read_files(agent: str) -> list[bytes]:
    """The contents of the files of networks and weights that an agent's name has."""
    config = getattr(make_agent(agent), "config", None) if is_agent(agent) and is_built_in(agent) else None
    return [Path(file).read_bytes() for option in ("file", "weights") if (file := getattr(config, option, ""))]


def name_network(agent: str, against: str, rules: Rules) -> str:
    """Names the shipped network that `net` plays with, and each file of the match by its digest; others have none."""
    shipped = [find_shipped(rules) or ""] if agent == "net" else []
    digests = [hashlib.sha256(data).hexdigest()[:16] for name in (agent, against) for data in read_files(name)]
    return " ".join([*shipped, *digests])


@dataclass(frozen=True, slots=True)
class Part:
    """Rounds of some deals, one after the other."""

    first: int
    """The first of the deals."""
    winners: list[int]
    unfinished: list[int]
    plies: int
    cpu_seconds: float


class Kept:
    """Parts of a match that were played before, in a file of its own; none without a folder."""

    def __init__(self, folder: Path | None, agent: str, against: str, rules: Rules) -> None:
        stems = [find_shipped(rules, use) for use in ("net", "advisor")]
        networks = [shipped_file(stem).read_bytes() for stem in stems if stem]
        files = [*read_files(agent), *read_files(against)]
        told = [f"{agent} v {against}".encode(), format_rules(rules).encode(), *networks, *files]
        name = hashlib.sha256(b"\0".join(told)).hexdigest()[:16]
        self._path = folder / f"{name}.jsonl" if folder else None
        self.parts = [Part(**fields) for fields in read_lines(self._path)] if self._path else []

    def add(self, part: Part) -> None:
        """Keeps one more."""
        self.parts.append(part)
        if self._path:
            add_line(self._path, asdict(part))


def play_parts(rules: Rules, seating: Sequence[Contestant], num_deals: int, kept: Kept, size: int) -> list[Part]:
    """Plays the deals that are not kept, so many at a time."""
    known = {part.first: part for part in kept.parts if len(part.winners) == size * rules.players}
    parts = []
    for first in range(0, num_deals, size):
        part = known.get(first) if first + size <= num_deals else None
        if part is None:
            begin = time.process_time()
            seed = split_seed(SEED, "round", rules.players) % 2**64
            played = play_deals(rules, seating, min(size, num_deals - first), seed, first=first)
            seconds = round(time.process_time() - begin, 1)
            part = Part(first, list(played.winners), list(played.unfinished), played.plies, seconds)
            kept.add(part)
        parts.append(part)
    return parts


def measure(rules: Rules, agent: str, against: str, rounds: int, work: Path | None = None) -> TableRow:
    """Plays at one table."""
    player, rival = (find_contestant(name, rules.players) for name in (agent, against))
    assert player is not None
    assert rival is not None
    own = share_seats(rules.players, rival)
    seating = [player if is_own else rival for is_own in own]
    num_deals = max(rounds // rules.players, 2)
    searches = any(map(is_searching, seating))
    kept = Kept(work if searches else None, agent, against, rules)
    parts = play_parts(rules, seating, num_deals, kept, _PART_DEALS if searches else num_deals)
    winners = [winner for part in parts for winner in part.winners]
    unfinished = [cut for part in parts for cut in part.unfinished]
    even = sum(own) / rules.players
    won = [
        even if cut or winner >= rules.players else float(own[winner])
        for winner, cut in zip(winners, unfinished, strict=True)
    ]
    deals = Counter(sum(deal) / rules.players for deal in zip(*[iter(won)] * rules.players, strict=True))
    share = estimate_share(deals, rules.players)
    return TableRow(
        f"{agent} v {against}",
        format_rules(rules),
        name_network(agent, against, rules),
        round(share.value / even, 4),
        round(share.error / even, 4),
        len(won),
        round(sum(part.plies for part in parts) / len(won), 1),
        round(sum(unfinished) / len(won), 4),
        round(sum(part.cpu_seconds for part in parts), 1),
    )


def read_saved(file: Path = SAVED) -> list[dict[str, Any]]:
    """The rows that were measured before."""
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def find_key(row: Mapping[str, Any]) -> tuple[str, str]:
    """Names the match and the table."""
    return row["match"], row["table"]


def save(row: TableRow, file: Path = SAVED) -> None:
    """Writes a row, in the place of an earlier one of the same match; the 24 tables come first."""
    kept = [old for old in read_saved(file) if find_key(old) != find_key(asdict(row))]
    order = [format_rules(rules) for rules in list_tables(held_out=0)]
    rows = sorted([*kept, asdict(row)], key=lambda each: [*order, each["table"]].index(each["table"]))
    lines = [json.dumps(each, ensure_ascii=False) for each in rows]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def list_tables(*, held_out: int) -> Iterator[Rules]:
    """The 24 tables, or some that training never sees."""
    if held_out:
        yield from draw_held_out(held_out, SEED)
        return
    for preset in TRAINED:
        for players in PLAYERS:
            yield Rules.preset(preset, players=players)


def count_rounds(rules: Rules, against: str) -> int:
    """Returns the number of rounds to play if none is given: fewer against a search."""
    if "halving" not in against:
        return 20_000
    return 2_000 if rules.players <= 4 else 400


def main() -> None:
    """Reads the options, and plays."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.tables", description=__doc__)
    parser.add_argument("--agent", default="net", help=f"the agent: net, net:FILE, {HALVING}, ...")
    parser.add_argument("--against", default="heuristic", help=f"the rival: heuristic or {HALVING}")
    parser.add_argument("--tables", default="", help="only these, with commas between: 'house players=3,family'")
    parser.add_argument(
        "--held-out", type=at_least(0), default=0, metavar="N", help="N tables that no training has seen"
    )
    parser.add_argument(
        "--rounds", type=at_least(1), help="rounds at a table; default 20,000, against a search 2,000 or 400"
    )
    parser.add_argument(
        "--save", nargs="?", const=SAVED.name, metavar="FILE", help=f"write this file of results; default {SAVED.name}"
    )
    parser.add_argument(
        "--work", type=Path, default=Path("build/tables"), help="folder of the deals played by searches"
    )
    options = parser.parse_args()
    with refuse_in_one_line(parser):
        measure_all(options)


def measure_all(options: argparse.Namespace) -> None:
    """Plays at each table that was not played before, prints and writes.

    Raises:
        LastcardError: if a table or an agent is unknown, or the agent cannot play there.
    """
    named = [parse_rules(text.strip()) for text in options.tables.split(",") if text.strip()]
    file = RESULTS / options.save if options.save else None
    known = {(*find_key(row), row["network"]): row["rounds"] for row in read_saved(file)} if file else {}
    for rules in named or list_tables(held_out=options.held_out):
        rounds = options.rounds or count_rounds(rules, options.against)
        match = f"{options.agent} v {options.against}"
        if (
            known.get((match, format_rules(rules), name_network(options.agent, options.against, rules)), 0)
            > rounds - rules.players
        ):
            continue
        row = measure(rules, options.agent, options.against, rounds, options.work)
        print(
            f"{row.table:28} {row.match}: {row.multiple:.3f} ± {row.error:.3f} of the even share,"
            f" {row.rounds:,} rounds, {row.plies:.0f} plies, {100 * row.unfinished:.1f} % unfinished",
            flush=True,
        )
        if file:
            save(row, file)


if __name__ == "__main__":
    main()
