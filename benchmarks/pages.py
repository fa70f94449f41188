"""Puts measured results into the pages that tell of them: `python -m benchmarks.pages`.

In a Markdown file the lines between `<!-- from FILE -->` and `<!-- end -->` are a table of benchmarks/results/FILE;
`<!-- from FILE: WORDS -->` takes the rows whose name begins with WORDS. Within a line, what stands between
`<!-- FILE: NAME -->` and `<!-- -->` is the figure of that row alone. After a new measurement, run this or `make docs`,
and the pages have the new figures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
RESULTS: Final = Path(__file__).parent / "results"
_BLOCK: Final = re.compile(
    r"(?P<begin><!-- from (?P<file>[\w.-]+)(?:: (?P<words>[^>]*?))? -->\n).*?(?P<end><!-- end -->)", re.DOTALL
)
_FIGURE: Final = re.compile(r"(?P<begin><!-- (?P<file>[\w-]+\.json): (?P<name>[^>]+?) -->)[^\n]*?(?P<end><!-- -->)")
_COMMANDS: Final = {
    "expectiminimax": "python -m benchmarks.strength.expectiminimax {table} --save",
    "trees": "python -m benchmarks.strength.trees {table} --save",
    "strength": "python -m benchmarks.strength {table} --save",
    "load": "python -m benchmarks.load --save",
    "champion": "python -m benchmarks.strength.champion --save",
    "hoarding": "python -m benchmarks.strength.hoarding",
    "bluffing": "python -m benchmarks.strength.bluffing --save",
    "long": "python -m benchmarks.strength.long_rounds NAME --save",
    "tables": "python -m benchmarks.strength.tables --save",
    "games": "python -m benchmarks.strength.games --a FILE --b FILE --rounds --save",
    "hands": "python -m benchmarks.strength.hands compare FILE --save",
}
Row = Mapping[str, Any]


def list_pages() -> list[Path]:
    """Every page that may hold results."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def fill_page(text: str, results: Path = RESULTS) -> str:
    """The page with the tables and figures that its results make."""

    def fill_block(found: re.Match[str]) -> str:
        return f"{found['begin']}\n{make_table(results / found['file'], found['words'] or '')}\n\n{found['end']}"

    def fill_figure(found: re.Match[str]) -> str:
        return f"{found['begin']}{find_figure(results / found['file'], found['name'])}{found['end']}"

    filled, blocks = _BLOCK.subn(fill_block, text)
    if blocks != text.count("<!-- from "):
        raise ValueError("a block <!-- from FILE --> has no <!-- end -->")
    return _FIGURE.sub(fill_figure, filled)


def find_figure(file: Path, name: str) -> str:
    """The figure of the row with that name."""
    read = json.loads(file.read_text(encoding="utf-8"))
    found = read.get("figures") or read["game"] if isinstance(read, dict) else {row["name"]: row for row in read}
    if name not in found:
        raise ValueError(f"{file.name} has no row {name!r}")
    return format_figure(found[name]) if isinstance(read, dict) else format_share(found[name])


def make_table(file: Path, words: str = "") -> str:
    """Formats a file of results as a Markdown table; a missing file gives the command that makes it."""
    if not file.exists():
        return _tell_missing(file)
    read = _read(file)
    if isinstance(read, dict) and "figures" in read:
        figures = {name: value for name, value in read["figures"].items() if name.startswith(words)}
        return _lay_out(["figure", "measured"], ([name, format_figure(value)] for name, value in figures.items()))
    rows: Sequence[Row] = read["agents"] if isinstance(read, dict) else read
    for columns in _LAYOUTS:
        chosen = [row for row in rows if set(columns) <= set(row) and str(row[next(iter(columns))]).startswith(words)]
        if chosen:
            return _lay_out(
                [head for head, _ in columns.values()],
                ([write(row) for _, write in columns.values()] for row in chosen),
            )
    raise ValueError(f"{file.name} has no row that a table can be made of")


def _read(file: Path) -> Any:
    """The contents of a file of results: JSON, or JSON lines."""
    text = file.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if file.suffix == ".jsonl" else json.loads(text)


def format_figure(value: float) -> str:
    """A figure with as many digits as say something.

    >>> format_figure(1365242.99), format_figure(21), format_figure(29.28), format_figure(1.99)
    ('1,365,243', '21', '29.3', '1.99')
    """
    if abs(value) >= 100 or isinstance(value, int):
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def format_share(row: Row) -> str:
    """Rounds won with the 95 % interval.

    >>> format_share({"share": 0.583, "error": 0.01299})
    '58.3 ± 1.3 %'
    """
    return f"{100 * row['share']:.1f} ± {100 * row['error']:.1f} %"


def _plain(name: str, digits: int) -> Callable[[Row], str]:
    return lambda row: f"{row[name]:.{digits}f}"


def _percent(name: str) -> Callable[[Row], str]:
    return lambda row: f"{100 * row[name]:.0f} %"


_LAYOUTS: Final[Sequence[Mapping[str, tuple[str, Callable[[Row], str]]]]] = (
    {
        "network": ("network", lambda row: f"`{row['network'].removesuffix('.safetensors')}`"),
        "name": ("", lambda row: str(row["name"])),
        "share": ("won", format_share),
        "must": ("target", lambda row: "" if row["must"] is None else f"{row['must']} %"),
        "rounds": ("rounds or games", lambda row: f"{row['rounds']:,}"),
        "plies": ("plies", _plain("plies", 0)),
        "unfinished": ("unfinished", lambda row: f"{100 * row['unfinished']:.2f} %"),
    },
    {
        "match": ("match", lambda row: " v ".join(f"`{name}`" for name in row["match"].split(" v "))),
        "table": ("table", lambda row: f"`{row['table']}`"),
        "network": ("network", lambda row: f"`{row['network']}`" if row["network"] else ""),
        "multiple": ("multiple of the even share", lambda row: f"{row['multiple']:.3f} ± {row['error']:.3f}"),
        "rounds": ("rounds", lambda row: f"{row['rounds']:,}"),
        "plies": ("plies a round", _plain("plies", 0)),
        "unfinished": ("unfinished", lambda row: f"{100 * row['unfinished']:.1f} %"),
    },
    {
        "rules": ("rules", lambda row: f"`{row['rules']}`"),
        "belief": ("belief", lambda row: f"`{row['belief']}`"),
        "log_loss": ("log loss", _plain("log_loss", 5)),
        "worse": ("worse than `particle` by", lambda row: f"{row['worse']:.5f} ± {row['error']:.5f}"),
        "rounds": ("rounds", lambda row: f"{row['rounds']:,}"),
    },
    {
        "network": ("network", lambda row: f"`{row['network']}`"),
        "players": ("players", lambda row: str(row["players"])),
        "against": ("against", lambda row: str(row["against"])),
        "share": ("rounds won", format_share),
        "bluffs": ("of its Wild Draw Fours, bluffs", _percent("bluffs")),
        "challenged": ("challenged", _percent("challenged")),
        "challenges": ("of the others' it challenges", _percent("challenges")),
        "challenges_won": ("and is right", _percent("challenges_won")),
        "deals": ("deals", lambda row: f"{row['deals']:,}"),
    },
    {
        "agent": ("against", lambda row: f"`{row['agent']}`"),
        "rules": ("rules", lambda row: f"`{row['rules']}`"),
        "start": ("start", lambda row: Path(row["start"]).stem),
        "seconds": ("minutes", lambda row: f"{row['seconds'] / 60:.1f}"),
        "share": ("rounds won", format_share),
        "unfinished": ("unfinished", lambda row: f"{100 * row['unfinished']:.1f} %"),
        "decided": ("decided", lambda row: "" if row["decided"] is None else f"{100 * row['decided']:.1f} %"),
        "plies": ("plies a round", lambda row: "" if row["plies"] is None else f"{row['plies']:.0f}"),
        "num_deals": ("deals", lambda row: f"{row['num_deals']:,}"),
    },
    {
        "name": ("", lambda row: str(row["name"])),
        "share": ("rounds won", format_share),
        "deals": ("deals", lambda row: f"{row['deals']:,}"),
        "plies": ("plies a round", _plain("plies", 0)),
        "points_won": ("points of a round won", _plain("points_won", 0)),
        "points_lost": ("points of a round lost", _plain("points_lost", 0)),
    },
    {
        "name": ("", lambda row: str(row["name"])),
        "share": ("rounds won", format_share),
        "deals": ("deals", lambda row: f"{row['deals']:,}"),
        "plies": ("plies a round", _plain("plies", 0)),
        "unfinished": ("unfinished", lambda row: f"{100 * row['unfinished']:.1f} %"),
    },
    {
        "name": ("", lambda row: str(row["name"])),
        "share": ("rounds won", format_share),
        "deals": ("deals", lambda row: f"{row['deals']:,}"),
    },
    {
        "load": ("load", lambda row: str(row["load"])),
        "asked": ("target", lambda row: str(row["asked"])),
        "found": ("measured", lambda row: str(row["found"])),
    },
    {
        "term": ("term", lambda row: str(row["term"])),
        "bound": ("bound", _plain("bound", 3)),
        "measured": ("measured", _plain("measured", 3)),
    },
    {
        "agent": ("agent", lambda row: f"`{row['agent']}`"),
        "exploitability": ("exploitability", _plain("exploitability", 4)),
        "mean_loss": ("loss a decision", _plain("mean_loss", 4)),
        "round_loss": ("loss a round", _plain("round_loss", 4)),
        "bluffs": ("bluffs", _percent("bluffs")),
        "challenges": ("challenges", _percent("challenges")),
    },
    {
        "choice": ("choice", lambda row: str(row["choice"])),
        "hand": ("hand", lambda row: f"`{row['hand']}`"),
        "color": ("active color", lambda row: str(row["color"])),
        "before": ("before", lambda row: str(row["before"])),
        "odds": ("how often", _percent("odds")),
    },
    {
        "agent": ("agent", lambda row: f"`{row['agent']}`"),
        "exploitability": ("exploitability", _plain("exploitability", 4)),
        "mean_loss": ("loss a decision", _plain("mean_loss", 4)),
        "round_loss": ("loss a round", _plain("round_loss", 4)),
    },
    {
        "policy": ("policy", lambda row: f"`{row['policy']}`"),
        "ours": ("NashConv, `lastcard.exact`", _plain("ours", 6)),
        "openspiel": ("NashConv, OpenSpiel", _plain("openspiel", 6)),
        "cpu_seconds": ("OpenSpiel, CPU seconds", _plain("cpu_seconds", 0)),
    },
)
"""The columns of a table, by the fields that its rows have: the head, and how a row fills it."""


def _lay_out(head: Sequence[str], rows: Iterator[list[str]]) -> str:
    table = [list(head), ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in table)


def _tell_missing(file: Path) -> str:
    kind, _, table = file.stem.partition("-")
    command = _COMMANDS[kind].format(table=table)
    return f"Not played in full yet; `{command}` plays it, and this table follows."


def main() -> None:
    """Rewrites every page whose results have changed."""
    for page in list_pages():
        text = page.read_text(encoding="utf-8")
        filled = fill_page(text)
        if filled != text:
            page.write_text(filled, encoding="utf-8")
            print(f"wrote {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
