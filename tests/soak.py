"""The long counts, run by hand: `python -m tests.soak [--rounds N] [--agreement N] [--truth N] ...`.

`make soak` runs all in full: 200,000,000 random rounds with every invariant checked after every ply; 300,000 rounds in
the core and in the rulebook at once; 10,000 rounds after every event of which the truth is part of what is believed;
100,000 decisions in worlds that look the same; the calibration of beliefs over 20,000 rounds; 50,000 rounds of RLCard's
own engine in which our answers must be legal; a match in a store, killed 200 times, and disturbed at 300 of its writes;
copies of a store on disks of 40 sizes, and with 40 faults; 100,000 pairs of worlds on the web; a server under load,
and one of two, killed 200 times; 100,000 calls of the core with arguments that make no sense; and 10,000 decisions in
WebAssembly (`make wasm` first). Ctrl-C stops and says how far it came.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvloop

from benchmarks.load.measures import check_kills, check_take_overs
from benchmarks.load.postgres import Server
from benchmarks.strength.calibration import Measure, measure_many
from tests.oracle.agreement import agree_on_round
from tests.property.beliefs import check_truth
from tests.property.copies import check_copies, fill_source
from tests.property.fairness import check_fairness
from tests.property.faults import LONG, check_faults
from tests.property.kills import KillCheck, undisturbed_table
from tests.property.rlcard_rounds import play_uno
from tests.property.rounds import check_rounds
from tests.property.web_worlds import ALONE, AMONG_FRIENDS, SPECTATING, count_differences, in_memory, patient
from tests.wasm.cases import compare

ROUNDS = 200_000_000
AGREEMENT = 300_000
TRUTH = 10_000
FAIRNESS = 100_000
CALIBRATION = 20_000
RLCARD = 50_000
KILLS = 200
FAULTS = 300
COPIES = 40
WEB_PAIRS = 100_000
DIRECTLY, OVER_TCP, FORWARDED = "directly", "over TCP", "forwarded"
WEB_CHUNK = {
    (ALONE, DIRECTLY): 220,
    (AMONG_FRIENDS, DIRECTLY): 80,
    (SPECTATING, DIRECTLY): 80,
    (ALONE, OVER_TCP): 60,
    (AMONG_FRIENDS, OVER_TCP): 20,
    (SPECTATING, OVER_TCP): 20,
    (ALONE, FORWARDED): 10,
    (AMONG_FRIENDS, FORWARDED): 5,
    (SPECTATING, FORWARDED): 5,
}
"""Pairs of worlds with each observer, without a network, over TCP, or over TCP through a second server on the same
PostgreSQL; servers are made for each, so few are a waste."""
CORE_CALLS = 100_000
CORE_CHUNK = 5_000
WASM = 10_000
KILLED_DEALS = 8_000
KILLED_GAMES = 20
CHUNK = 50
# By how much a share may differ from what was believed, in a tenth of the probabilities with that many cases.
TOLERANCE = 0.02
LEAST_CASES = 1_000


class Meter:
    """A line of progress with the time left."""

    def __init__(self, what: str, total: int, unit: str = "rounds") -> None:
        self.what = what
        self.total = total
        self.unit = unit
        self.start = time.monotonic()
        self.told = 0.0

    def tell(self, done: int, plies: int | None = None) -> None:
        """Prints at most once every five seconds, and at the end."""
        now = time.monotonic()
        if now - self.told < 5 and done < self.total:
            return
        self.told = now
        left = (now - self.start) / max(done, 1) * (self.total - done)
        steps = "" if plies is None else f", {plies:,} plies"
        line = f"{self.what}: {done:,} of {self.total:,} {self.unit}{steps}, {left / 60:.0f} min left"
        print(f"\r{line}  ", end="\n" if done >= self.total else "", file=sys.stderr, flush=True)


def agree_on_chunk(first: int) -> int:
    """Plies of a few rounds from `first` on."""
    gc.disable()  # nothing here makes cycles, and looking for them takes a tenth of the time
    return sum(agree_on_round(seed) for seed in range(first, first + CHUNK))


def believe_chunk(first: int) -> int:
    """Plies of a few rounds from `first` on, the truth believed after each."""
    return sum(check_truth(seed) for seed in range(first, first + CHUNK))


def play_uno_chunk(first: int) -> int:
    """Choices of ours in a few rounds of RLCard's, all of them legal there."""
    return play_uno(CHUNK, first)


def soak_chunks(
    chunk: Callable[[int], int],
    num_rounds: int,
    first_seed: int,
    jobs: int,
    progress: Callable[[int, int], None],
    size: int = CHUNK,
) -> int:
    """Plays that many rounds, a chunk at a time; returns their plies."""
    done = plies = 0
    with multiprocessing.Pool(jobs) as pool:
        for played in pool.imap_unordered(chunk, range(first_seed, first_seed + num_rounds, size)):
            done += size
            plies += played
            progress(done, plies)
    return plies


def soak_fairness(num_decisions: int, first_seed: int, jobs: int, progress: Callable[[int], None]) -> int:
    """Compares that many decisions, or a few more, in worlds that look the same; returns how many."""
    compared = seed = 0
    with multiprocessing.Pool(jobs) as pool:
        while compared < num_decisions:
            compared += sum(pool.imap_unordered(check_fairness, range(first_seed + seed, first_seed + seed + CHUNK)))
            seed += CHUNK
            progress(min(compared, num_decisions))
    return compared


def soak_calibration(preset: str, num_rounds: int, first_seed: int, jobs: int, progress: Callable[[int], None]) -> str:
    """Measures `particle` over that many rounds and returns in words how good it is.

    Raises:
        AssertionError: if what comes true differs from what was believed, or another kind of belief knows more.
    """
    measures: dict[str, Measure] = {}
    for done, so_far in measure_many(preset, num_rounds, jobs, first_seed):
        measures = so_far
        progress(done)
    losses = {kind: measure.loss for kind, measure in measures.items()}
    bins = [each for each in measures["particle"].bins if each.cases >= LEAST_CASES]
    gap = max(abs(each.gap) for each in bins)
    said = " ".join(f"{kind} {loss:.4f}" for kind, loss in losses.items())
    text = f"largest gap {gap:.3f} in {len(bins)} of 10 bins, log losses {said}"
    assert gap <= TOLERANCE, f"{preset}: {text}: {[each.to_dict() for each in bins]}"
    assert losses["particle"] < losses["uniform"], f"{preset}: {text}"
    return text


def soak_beliefs(options: argparse.Namespace) -> None:
    """Checks that beliefs give the truth weight, are fair, and come true as often as they say."""
    if options.truth:
        plies = soak_chunks(
            believe_chunk, options.truth, options.seed, options.jobs, Meter("truth", options.truth).tell
        )
        print(f"the truth is believed after every event of {options.truth:,} rounds, {plies:,} plies")
    if options.fairness:
        meter = Meter("fairness", options.fairness, "decisions")
        compared = soak_fairness(options.fairness, options.seed, options.jobs, meter.tell)
        print(f"agents answer alike in worlds that look alike, {compared:,} decisions")
    for preset in ("study", "official") if options.calibration else ():
        meter = Meter(f"calibration, {preset}", options.calibration)
        text = soak_calibration(preset, options.calibration, options.seed, options.jobs, meter.tell)
        print(f"beliefs are calibrated over {options.calibration:,} rounds of {preset}: {text}")


def soak_kills(place: str, num_kills: int, seed: int, progress: Callable[[int], None]) -> int:
    """Kills a match in a store that often, and returns how many of its chunks were acknowledged.

    Raises:
        AssertionError: if something acknowledged is lost, counted twice, or the table is not that of a quiet run.
    """
    check = KillCheck(place, seed, KILLED_DEALS)
    while check.num_kills < num_kills:
        check.kill_once()
        progress(check.num_kills)
    assert check.finish() == undisturbed_table(seed, KILLED_DEALS)
    return len(check.acknowledged)


def soak_copies(count: int) -> None:
    """Copies a store of each kind in every way, on disks of that many sizes and with that many faults.

    Raises:
        AssertionError: if a copy is neither whole nor absent.
    """
    with both_databases() as places:
        for kind, place in places.items():
            fill_source(place)
            with tempfile.TemporaryDirectory() as folder:
                copies = check_copies(Path(folder), place, count)
            print(f"{kind}: {copies:,} copies are whole, or say why there is none")


@contextmanager
def both_databases() -> Iterator[dict[str, str]]:
    """A place for a store in each kind of database, for as long as the `with` lasts."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(is_durable=True)
        try:
            yield {"SQLite": str(Path(folder, "games.db")), "PostgreSQL": server.make_url()}
        finally:
            server.stop()


def play_web_pairs(seed: int) -> int:
    """Counts the pairs of worlds on the web that look different, alone, among friends or to a spectator."""
    differences, server = 0, Server(is_durable=False)
    try:
        for number, ((company, way), pairs) in enumerate(WEB_CHUNK.items()):
            make_url = server.make_url if way == FORWARDED else None
            with in_memory() as folder, patient():
                work = count_differences(
                    folder, seed + number, pairs, company=company, over_tcp=way == OVER_TCP, make_url=make_url
                )
                differences += uvloop.run(work).differences
    finally:
        server.stop()
    return differences


def soak_web(num_pairs: int, first_seed: int, jobs: int, progress: Callable[[int, int], None]) -> dict[str, int]:
    """Plays that many pairs of worlds on the web; returns how many of them in each way.

    Raises:
        AssertionError: if any two look different.
    """
    size = sum(WEB_CHUNK.values())
    assert soak_chunks(play_web_pairs, num_pairs, first_seed, jobs, progress, size) == 0
    chunks = -(-num_pairs // size)
    ways = (DIRECTLY, OVER_TCP, FORWARDED)
    return {way: chunks * sum(pairs for (_, each), pairs in WEB_CHUNK.items() if each == way) for way in ways}


def soak_core(num_calls: int, first_seed: int, progress: Callable[[int], None]) -> None:
    """Calls the core that often with arguments that make no sense, each part in a process of its own.

    Raises:
        AssertionError: if a process did not live to tell.
    """
    for done in range(0, num_calls, CORE_CHUNK):
        calls = min(CORE_CHUNK, num_calls - done)
        command = ["-m", "tests.property.core_fuzz", "--calls", str(calls), "--seed", str(first_seed + done)]
        ended = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
        assert ended.returncode == 0, f"seed {first_seed + done}: {ended.stderr[-2000:]}"
        progress(done + calls)


def main() -> None:
    """Runs the counts and prints what was found."""
    parser = argparse.ArgumentParser(prog="tests.soak", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds with invariants (default {ROUNDS:,})")
    parser.add_argument("--agreement", type=int, default=AGREEMENT, help=f"rounds compared (default {AGREEMENT:,})")
    parser.add_argument("--truth", type=int, default=TRUTH, help=f"rounds of beliefs (default {TRUTH:,})")
    parser.add_argument("--fairness", type=int, default=FAIRNESS, help=f"decisions compared (default {FAIRNESS:,})")
    parser.add_argument(
        "--calibration", type=int, default=CALIBRATION, help=f"rounds of each preset (default {CALIBRATION:,})"
    )
    parser.add_argument("--rlcard", type=int, default=RLCARD, help=f"rounds of RLCard's (default {RLCARD:,})")
    parser.add_argument("--kills", type=int, default=KILLS, help=f"kills of a match in a store (default {KILLS:,})")
    parser.add_argument(
        "--faults", type=int, default=FAULTS, help=f"writes of a match that fail or kill it (default {FAULTS:,})"
    )
    parser.add_argument("--copies", type=int, default=COPIES, help=f"sizes of disks for copies (default {COPIES:,})")
    parser.add_argument(
        "--web", type=int, default=WEB_PAIRS, help=f"pairs of worlds on the web (default {WEB_PAIRS:,})"
    )
    parser.add_argument(
        "--web-kills", type=int, default=KILLS, help=f"kills of a server under load (default {KILLS:,})"
    )
    parser.add_argument(
        "--core-calls", type=int, default=CORE_CALLS, help=f"senseless calls of the core (default {CORE_CALLS:,})"
    )
    parser.add_argument("--wasm", type=int, default=WASM, help=f"decisions in WebAssembly (default {WASM:,})")
    parser.add_argument("--jobs", type=int, default=2, help="threads or processes (default 2)")
    parser.add_argument("--seed", type=int, default=1_000_000, help="where the seeds start")
    options = parser.parse_args()
    try:
        if options.rounds:
            plies = check_rounds(options.rounds, options.seed, options.jobs, Meter("invariants", options.rounds).tell)
            print(f"invariants hold over {options.rounds:,} rounds, {plies:,} plies")
        if options.agreement:
            meter = Meter("agreement", options.agreement)
            plies = soak_chunks(agree_on_chunk, options.agreement, options.seed, options.jobs, meter.tell)
            print(f"core and rulebook agree over {options.agreement:,} rounds, {plies:,} plies")
        soak_beliefs(options)
        if options.rlcard:
            meter = Meter("RLCard", options.rlcard)
            work = soak_chunks(
                play_uno_chunk, options.rlcard, options.seed, options.jobs, lambda done, _: meter.tell(done)
            )
            print(f"our answers are legal in {options.rlcard:,} rounds of RLCard's, {work:,} choices")
        if options.kills:
            with both_databases() as places:
                for kind, place in places.items():
                    meter = Meter(f"kills, {kind}", options.kills, "kills")
                    chunks = soak_kills(place, options.kills, options.seed, meter.tell)
                    print(f"{kind}: {options.kills:,} kills lose and double nothing, {chunks:,} chunks acknowledged")
        if options.faults:
            with tempfile.TemporaryDirectory() as folder:
                check_faults(Path(folder), LONG, options.faults, Meter("faults", options.faults, "points").tell)
            print(f"a store survives faults at {options.faults:,} points of a match, and the table stays the same")
        if options.copies:
            soak_copies(options.copies)
        if options.web:
            meter = Meter("web", options.web, "pairs")
            counts = soak_web(options.web, options.seed, options.jobs, lambda done, _: meter.tell(done))
            ways = ", ".join(f"{count:,} {way}" for way, count in counts.items())
            print(f"no byte tells {options.web:,} pairs of worlds on the web apart: {ways}")
        if options.web_kills:
            with both_databases() as places:
                for kind, place in places.items():
                    found = check_kills(place, options.web_kills, KILLED_GAMES, lambda _: None, options.seed)
                    print(f"{kind}: a server under load keeps its word through {options.web_kills:,} kills: {found}")
                found = check_take_overs(
                    places["PostgreSQL"], options.web_kills, KILLED_GAMES, lambda _: None, options.seed
                )
                print(f"two servers under load keep their word through {options.web_kills:,} kills: {found}")
        if options.core_calls:
            soak_core(options.core_calls, options.seed, Meter("core", options.core_calls, "calls").tell)
            print(f"no crash in {options.core_calls:,} senseless calls of the core")
        if options.wasm:
            compared, differences = compare(options.wasm)
            assert not differences, differences[0]
            print(f"WebAssembly decides as Python does in {compared:,} choices")
    except KeyboardInterrupt:
        print("\nstopped; nothing had failed so far", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
