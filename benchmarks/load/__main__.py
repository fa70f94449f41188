"""Loads a real server: `python -m benchmarks.load [NAME ...] [--scale PART] [--save]`.

games    500 live games at one action a second, against 50 in the same run
flood    50 games while one address holds 2,300 connections without a whole request, against none in the same run
starve   20 games against `hard` while one user has 25 tables of nine agents with 200,000 simulations each
processes   200 games for each process, on one with SQLite, on one and two with PostgreSQL: processor time per action
knee     more and more actions a second on one process, until p95 is above 50 ms
kills    200 SIGKILLs under load; nothing acknowledged is lost or doubled, and games are back within 2 s
take-overs  200 SIGKILLs of one of two processes on PostgreSQL; every game continues on the other within 5 s
drops    10,000 connections cut off; everybody comes back to the same seat
tokens   100,000 tokens guessed, stale or from other games; nothing private is shown

`--plan` plans for a million players again from the knee that was saved, at other prices if they are given.

Without a name, all of them. `--scale 0.01` runs a hundredth of each, for a first look. A promise that is not kept ends
it with status 1.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from benchmarks.load.costs import COSTS, KNEE_MS, Prices, measure_knee, measure_processes, measure_traffic, plan
from benchmarks.load.measures import (
    LONG_ROUNDS,
    RESUME_SECONDS,
    TAKE_OVER_SECONDS,
    check_drops,
    check_kills,
    check_take_overs,
    measure_flood,
    measure_games,
    measure_starving,
)
from benchmarks.load.postgres import Server
from benchmarks.load.tokens import try_tokens
from benchmarks.pages import RESULTS

FILE: Final = RESULTS / "load.json"
FEW, MANY, MOST_RATIO = 50, 500, 2.0
FLOODED_GAMES, CONNECTIONS, MOST_FLOOD_RATIO = 50, 2_300, 1.5
STARVED_GAMES, STARVING_TABLES = 20, 25
COST_GAMES, MOST_COST_RATIO = 200, 1.25
SECONDS, LEAST_SECONDS = 40.0, 4.0
KILLS, KILLED_GAMES = 200, 20
DROPS, DROPPED_GAMES = 10_000, 50
TOKENS = 100_000
KNEE_FIGURES = (
    "knee_per_second",
    "cpu_ms",
    "memory_kb_per_game",
    "store_bytes_per_action",
    "network_bytes_per_action",
)
TRAFFIC_SECONDS = 5.0
Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Measure:
    """Something to measure at a part of its full count, and what it comes to in words."""

    run: Callable[[str, float, Callable[[str], None]], Found]
    load: Callable[[Found], str]
    asked: str
    found: Callable[[Found], str]
    is_kept: Callable[[Found], bool] = lambda _: True
    """Returns True if the target was met; checks that must hold in any case fail by themselves."""


def _part(whole: int, scale: float, least: int = 1) -> int:
    return max(round(whole * scale), least)


def _seconds(scale: float) -> float:
    return max(SECONDS * scale, LEAST_SECONDS)


MEASURES: Final = {
    "games": Measure(
        lambda store, scale, tell: measure_games(
            store, _part(FEW, scale, 2), _part(MANY, scale, 4), _seconds(scale), tell
        ),
        lambda found: f"{found['many']['games']} games against {found['few']['games']}, one action a second each",
        f"p95 at most {MOST_RATIO:g} times",
        lambda found: (
            f"{found['ratio']:.2f} times: {_milliseconds(found['many'])} against"
            f" {_milliseconds(found['few'])}, at {found['many']['per_second']:,.0f} actions a second"
        ),
        lambda found: found["ratio"] <= MOST_RATIO,
    ),
    "flood": Measure(
        lambda store, scale, tell: measure_flood(
            store, _part(FLOODED_GAMES, scale, 4), CONNECTIONS, _seconds(scale), tell
        ),
        lambda found: (
            f"{found['quiet']['games']} games while one address opens {found['connections']:,} connections, idle or"
            " with half a request, and opens each again when it is closed; against none"
        ),
        f"p95 at most {MOST_FLOOD_RATIO:g} times",
        lambda found: (
            f"{found['ratio']:.2f} times: {_milliseconds(found['flooded'])} against"
            f" {_milliseconds(found['quiet'])}; {found['opened']:,} connections opened,"
            f" {found['closed']:,} of them closed by the server"
        ),
        lambda found: found["ratio"] <= MOST_FLOOD_RATIO,
    ),
    "starve": Measure(
        lambda store, scale, tell: measure_starving(
            store, _part(STARVED_GAMES, scale, 2), _part(STARVING_TABLES, scale, 2), _seconds(scale), tell
        ),
        lambda found: (
            f"{found['quiet']['games']} games against `hard` while one user has {found['tables']} tables of nine agents"
            " with 200,000 simulations each"
        ),
        f"p95 of the agents' answers at most {MOST_RATIO:g} times",
        lambda found: (
            f"{found['ratio']:.2f} times: {_milliseconds(found['starved'])} against {_milliseconds(found['quiet'])}"
        ),
        lambda found: found["ratio"] <= MOST_RATIO,
    ),
    "processes": Measure(
        lambda store, scale, tell: _on_postgres(
            lambda server: measure_processes(store, server, _part(COST_GAMES, scale, 4), _seconds(scale), tell)
        ),
        lambda found: (
            f"{found['sqlite']['games']} games for each process, one action a second each, on one with SQLite, and on"
            " one and two with PostgreSQL"
        ),
        f"processor time per action on two at most {MOST_COST_RATIO:g} times that on one",
        lambda found: (
            f"{found['ratio']:.2f} times: {found['two']['cpu_ms']:.2f} ms against {found['one']['cpu_ms']:.2f} ms"
            f" ({found['one']['database_cpu_ms']:.2f} ms of it the database's), p95 {_milliseconds(found['two'])}"
            f" against {_milliseconds(found['one'])}; SQLite {found['sqlite']['cpu_ms']:.2f} ms, p95"
            f" {_milliseconds(found['sqlite'])}; {found['mixed_ratio']:.2f} times if half of the sockets are forwarded;"
            f" {found['two']['lock_waits']:.0f} waits for locks;"
            f" p95 of the disk alone at most {max(found[name]['disk_p95_ms'] for name in COSTS):.1f} ms"
        ),
        lambda found: found["ratio"] <= MOST_COST_RATIO,
    ),
    "knee": Measure(
        lambda store, scale, tell: measure_knee(store, _part(COST_GAMES, scale, 4), _seconds(scale / 3), tell),
        lambda found: (
            f"{found['curve'][0]['games']} games on one process, more actions every second until p95 is {KNEE_MS:g} ms"
        ),
        "as many as possible",
        lambda found: (
            f"{found['knee_per_second']:,.0f} actions a second; p95 at "
            + ", ".join(f"{each['per_second']:,.0f}: {each['p95_ms']:.1f} ms" for each in found["curve"])
        ),
    ),
    "kills": Measure(
        lambda store, scale, tell: check_kills(store, _part(KILLS, scale), KILLED_GAMES, tell, most_seconds=math.inf),
        lambda found: f"{found['kills']:,} SIGKILLs, {found['games']} games of up to {LONG_ROUNDS} rounds at a time",
        f"no acknowledged action lost or doubled, all games back within {RESUME_SECONDS:g} s",
        lambda found: f"none of {found['acknowledged']:,}; the slowest back after {found['slowest_resume_s']:.2f} s",
        lambda found: found["slowest_resume_s"] <= RESUME_SECONDS,
    ),
    "take-overs": Measure(
        lambda _, scale, tell: _on_postgres(
            lambda server: check_take_overs(
                server.make_url(), _part(KILLS, scale), KILLED_GAMES, tell, most_seconds=math.inf
            )
        ),
        lambda found: f"{found['kills']:,} SIGKILLs of one of two processes on PostgreSQL, {found['games']} games",
        f"no acknowledged action lost or doubled, all games continue within {TAKE_OVER_SECONDS:g} s",
        lambda found: (
            f"none of {found['acknowledged']:,}; the slowest continued after {found['slowest_take_over_s']:.2f} s"
        ),
        lambda found: found["slowest_take_over_s"] <= TAKE_OVER_SECONDS,
    ),
    "drops": Measure(
        lambda store, scale, tell: check_drops(store, _part(DROPS, scale), DROPPED_GAMES, tell),
        lambda found: f"{found['drops']:,} connections cut off",
        "all come back to the same seat, hand and turn",
        lambda found: f"all; none of {found['acknowledged']:,} acknowledged actions lost or doubled",
    ),
    "tokens": Measure(
        lambda store, scale, tell: try_tokens(store, _part(TOKENS, scale), tell),
        lambda found: f"{found['attempts']:,} tokens guessed, stale or from other games",
        "nothing private is seen",
        lambda _: "nothing",
    ),
}


def _on_postgres(run: Callable[[Server], Found]) -> Found:
    server = Server(is_durable=True)
    try:
        return run(server)
    finally:
        server.stop()


def _milliseconds(latency: Found) -> str:
    return f"{latency['p95_ms']:.1f} ms"


def make_row(name: str, found: Found) -> dict[str, Any]:
    """Returns the result of a measure, in words and in figures."""
    measure = MEASURES[name]
    words = {"load": measure.load(found), "asked": measure.asked, "found": measure.found(found)}
    return {"measure": name, **words, "cores": os.cpu_count(), "figures": found}


def save(row: dict[str, Any], file: Path = FILE) -> None:
    """Enters a row into the results, in the place of what it was before."""
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    rows = {each["measure"]: each for each in [*known, row]}
    ordered = [rows[name] for name in MEASURES if name in rows]
    file.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if row["measure"] == "knee":
        figures = {"figures": list_figures(row["figures"])}
        text = json.dumps(figures, indent=1, ensure_ascii=False) + "\n"
        file.with_name(f"{file.stem}-knee.json").write_text(text, encoding="utf-8")


def plan_again(prices: Prices, file: Path = FILE) -> None:
    """Plans again from the knee that was measured, and measures the bytes of an action if they are not known.

    Raises:
        ValueError: if no knee was measured.
    """
    rows = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    row = next((each for each in rows if each["measure"] == "knee"), None)
    if row is None:
        raise ValueError(f"{file.name} has no knee; run `python -m benchmarks.load knee --save`")
    found = row["figures"]
    if "network_bytes_per_action" not in found:
        with _new_store(is_postgres=False) as store:
            found["network_bytes_per_action"] = measure_traffic(store, TRAFFIC_SECONDS)
    save({**row, "figures": plan(found, prices)}, file)


def list_figures(knee: Found) -> dict[str, float]:
    """Figures of the knee, by names that begin with the table they belong to."""
    million = {f"million: {name.replace('_', ' ')}": value for name, value in knee["million"].items()}
    game = {f"game: {name}": value for name, value in knee["game"].items()}
    single = {f"process: {name.replace('_', ' ')}": knee[name] for name in KNEE_FIGURES}
    return {**single, **game, **million}


@contextmanager
def _new_store(*, is_postgres: bool) -> Iterator[str]:
    """A place for a store, for as long as the `with` lasts."""
    if not is_postgres:
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder, "web.db"))
        return
    server = Server(is_durable=True)
    try:
        yield server.make_url()
    finally:
        server.stop()


def main() -> None:
    """Prints a line of JSON for each measure."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.load", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(MEASURES)}; all if none is given")
    parser.add_argument("--scale", type=float, default=1.0, help="part of the full counts (default 1)")
    parser.add_argument("--save", action="store_true", help=f"enter the results into benchmarks/results/{FILE.name}")
    parser.add_argument("--plan", action="store_true", help="only plan for a million players, from the saved knee")
    for field in fields(Prices):
        price = f"--{field.name.replace('_', '-')}"
        parser.add_argument(price, type=float, default=field.default, help="assumed for --plan (default %(default)s)")
    parser.add_argument("--postgres", action="store_true", help="keep the store in a PostgreSQL, which is started")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in MEASURES]
    if unknown:
        parser.error(f"no measure {unknown[0]}; there are: {', '.join(MEASURES)}")
    if options.save and options.scale < 1:
        parser.error(f"--save is for full counts, not for a part of {options.scale:g}")
    if options.save and options.postgres:
        parser.error("--save is for stores in SQLite; processes and take-overs start a PostgreSQL themselves")

    if options.plan:
        plan_again(Prices(**{field.name: getattr(options, field.name) for field in fields(Prices)}))
        return

    def tell(text: str) -> None:
        print(f"\r{text}  ", end="", file=sys.stderr, flush=True)

    broken = []
    for name in options.names or MEASURES:
        with _new_store(is_postgres=options.postgres) as store:
            row = make_row(name, MEASURES[name].run(store, options.scale, tell))
        print("\r", end="", file=sys.stderr)
        print(json.dumps(row, ensure_ascii=False), flush=True)
        if options.save:
            save(row)
        if not MEASURES[name].is_kept(row["figures"]):
            broken.append(f"{name}: asked for was {row['asked']}, found {row['found']}")
    if broken:
        sys.exit("\n".join(broken))


if __name__ == "__main__":
    main()
