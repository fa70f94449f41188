"""Plays games to the target score: `python -m benchmarks.strength.games --a FILE --b FILE [--games N] [--save]`.

Does a network that was trained for games win more of them than one that was trained for rounds? `a` plays `b`, then
each plays `heuristic`. Every deal is played from every seat, round by round; a round that reaches `max_plies` gives no
points. `--rounds` plays as many single rounds as well, where the scores are always 0. `--save` writes
benchmarks/results/games.jsonl.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.strength.champion import format_row, save
from benchmarks.strength.lineup import RESULTS
from benchmarks.strength.options import at_least, refuse_in_one_line
from lastcard import Rules, format_rules, parse_rules
from lastcard.arena.core_match import Contestant, HeuristicContestant, NetContestant, play_match
from lastcard.network import Network

SAVED: Final = RESULTS / "games.jsonl"
SEED: Final = 20_261_118
"""Seed of the deals; no training has them."""


def list_matches(a: Path, b: Path) -> Iterator[tuple[Path, str, Contestant]]:
    """Each match: the network that is measured, its rival's name, and the rival."""
    yield a, b.stem, NetContestant(str(b))
    for network in (a, b):
        yield network, "heuristic", HeuristicContestant()


def measure(network: Path, rival: str, contestant: Contestant, options: argparse.Namespace, *, to_score: bool) -> Any:
    """Plays a match of games, or of rounds, and returns its line."""
    rules: Rules = options.rules
    seating = [NetContestant(str(network)), *[contestant] * (rules.players - 1)]
    deals, begin = max(options.games // rules.players, 2), time.process_time()
    match = play_match(rules, seating, deals, SEED, options.threads, splits_unfinished=True, to_score=to_score)
    played = deals * rules.players
    kind = f"games to {rules.target_score}" if to_score else "rounds"
    return {
        "name": f"{format_rules(rules)}: {kind} v {rival}",
        "network": network.name,
        "share": round(match.shares[0], 5),
        "error": round(match.errors[0], 5),
        "rounds": played,
        "plies": round(match.plies / played, 1),
        "unfinished": round(match.unfinished / played, 5),
        "must": None,
        "cpu_seconds": round(time.process_time() - begin, 1),
    }


def main() -> None:
    """Reads the options, plays, prints and writes."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.games", description=__doc__)
    parser.add_argument("--a", type=Path, required=True, metavar="FILE", help="the network trained for games")
    parser.add_argument("--b", type=Path, required=True, metavar="FILE", help="the network trained for rounds")
    parser.add_argument("--rules", type=parse_rules, default=parse_rules("family"), help="default family")
    parser.add_argument("--games", type=at_least(1), default=20_000, help="games of each match; default 20,000")
    parser.add_argument("--rounds", action="store_true", help="play single rounds as well")
    parser.add_argument("--threads", type=at_least(1), default=1, help="CPU threads")
    parser.add_argument("--save", action="store_true", help=f"write {SAVED.name}")
    options = parser.parse_args()
    with refuse_in_one_line(parser):
        measure_all(options)


def measure_all(options: argparse.Namespace) -> None:
    """Plays all matches, prints and writes.

    Raises:
        LastcardError: if a file is no network for these rules.
    """
    for file in (options.a, options.b):
        Network.find(str(file), options.rules)
    rows = []
    for to_score in (True, False) if options.rounds else (True,):
        for network, rival, contestant in list_matches(options.a, options.b):
            rows.append(measure(network, rival, contestant, options, to_score=to_score))
            print(f"{network.stem:<20} {format_row(rows[-1])}", flush=True)
    if options.save:
        save(rows, SAVED)


if __name__ == "__main__":
    main()
