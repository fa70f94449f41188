"""Makes the tables of docs/explanation/ladder.md, and the ladder of the web page, from the results of matches."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from benchmarks.matches import Row, read_results
from lastcard.arena.ceilings import CEILINGS, find_ceiling
from lastcard.arena.printing import CEILING_MARK, format_share, format_time
from lastcard.arena.statistics import Estimate, elo_of_share
from lastcard.rules import parse_rules

WEB: Final = Path(__file__).parents[1] / "src" / "lastcard" / "web" / "api" / "ladder.json"
TABLES: Final = ("ladder", "ladder-family")
"""The web page shows the first."""


def group_rows(table: str, rows: Sequence[Row]) -> list[tuple[int, list[Row]]]:
    """The rows of one ladder by number of players, the strongest first."""
    own = [row for row in rows if row["table"] == table]
    grouped = groupby(sorted(own, key=count_players), key=count_players)
    return [(players, sorted(group, key=lambda row: -float(row["share"]))) for players, group in grouped]


def count_players(row: Row) -> int:
    """Number of players."""
    return parse_rules(row["rules"]).players


def estimate(row: Row) -> Estimate:
    """The share of rounds with its interval."""
    return Estimate(row["share"], row["low"], row["high"])


def make_tables(rows: Sequence[Row]) -> str:
    """The tables of the page, one for each number of players by each rules."""
    parts = []
    games = {row["agent"]: format_share(estimate(row)) for row in rows if row["table"] == "ladder-games"}
    for table in TABLES:
        for players, own in group_rows(table, rows):
            title = name_players(players)
            title = title if table == TABLES[0] else f"Family rules, {title.lower()}"
            parts.append(f"## {title}\n\n{_make_table(own, players, games if table == TABLES[0] else {})}\n")
    played = [row for row in rows if row["table"] in TABLES]
    machines, commits = (sorted({row[name] for row in played}) for name in ("machine", "commit"))
    return "\n".join([*parts, f"Played at commit {', '.join(commits)}; times on: {'; '.join(machines)}."])


def name_players(players: int) -> str:
    """A heading.

    >>> name_players(2)
    'Two players'
    """
    return f"{ {2: 'Two', 3: 'Three', 4: 'Four'}.get(players, players) } players"


def _make_table(rows: Sequence[Row], players: int, games: dict[str, str]) -> str:
    kinds = {row["agent"]: ceiling.kind for row in rows if (ceiling := find_ceiling(row["agent"]))}
    ceilings = {kind: estimate(row) for kind in CEILINGS for row in rows if kinds.get(row["agent"]) == kind}
    against = "" if players == 2 else f"{players - 1} "
    head = ["agent", f"won against {against}`{rows[0]['rival']}`, %", "Elo"]
    head += [f"of `{kind}`'s edge, %" for kind in ceilings]
    head += ["plies a round", "unfinished, %", "games to 500 won, %", "CPU a round", "rounds"]
    lines = [head, ["---", *["---:"] * (len(head) - 1)]]
    for row in rows:
        agent, share = row["agent"], estimate(row)
        cells = [f"`{agent}`{f' {CEILING_MARK}' if agent in kinds else ''}", format_share(share)]
        cells.append(f"{elo_of_share(share.value, players):+.0f}")
        cells += [
            "100" if kinds.get(agent) == kind else _tell_edge(share_of_edge(share, ceiling, players))
            for kind, ceiling in ceilings.items()
        ]
        cells += [f"{row['plies']:.0f}", f"{100 * row['unfinished']:.1f}", games.get(agent, "-")]
        lines.append([*cells, format_time(row["cpu_seconds"] / row["rounds"]), f"{row['rounds']:,}"])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _tell_edge(edge: Estimate) -> str:
    return f"{100 * edge.value:.0f} ± {max(100 * edge.error, 1):.0f}"


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


def make_web(rows: Sequence[Row]) -> str:
    """Returns the web page's table as JSON: the strongest first, and the rival where an even match is."""
    standings = []
    for players, own in group_rows(TABLES[0], rows):
        even = dict.fromkeys(("value", "low", "high"), 1 / players)
        rival = {"agent": own[0]["rival"], "share": even, "elo": 0.0, "rounds": 0, "round_seconds": 0.0, "sees": None}
        rungs = sorted([*map(_tell_rung, own), rival], key=lambda rung: -rung["share"]["value"])
        standings.append({"players": players, "rules": own[0]["rules"], "rungs": rungs})
    played = [row for row in rows if row["table"] in TABLES]
    ladder = {
        "rival": played[0]["rival"],
        "seed": played[0]["seed"],
        "commits": sorted({row["commit"] for row in played}),
        "machines": sorted({row["machine"] for row in played}),
        "standings": standings,
    }
    return json.dumps(ladder, indent=1) + "\n"


def _tell_rung(row: Row) -> dict[str, Any]:
    ceiling = find_ceiling(row["agent"])
    return {
        "agent": row["agent"],
        "share": {"value": row["share"], "low": row["low"], "high": row["high"]},
        "elo": round(elo_of_share(row["share"], count_players(row)), 1),
        "rounds": row["rounds"],
        "round_seconds": float(f"{row['cpu_seconds'] / row['rounds']:.3g}"),
        "sees": ceiling.sees if ceiling else None,
    }


def write_web() -> None:
    """Rewrites the data of the web page."""
    WEB.write_text(make_web(read_results()), encoding="utf-8")
