"""Puts measured results into the pages that tell of them: `python -m benchmarks.pages`.

In a Markdown file the lines between `<!-- from FILE -->` and `<!-- end -->` are a table of benchmarks/results/FILE;
`<!-- from FILE: WORDS -->` takes the rows whose name begins with WORDS. Within a line, what stands between
`<!-- FILE: NAME -->` and `<!-- -->` is the figure of that row alone. A match is named `TABLE: NAME`, as in
benchmarks/matches.toml. After a new measurement, run this or `make docs`, and the pages have the new figures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks import ladder, matches

ROOT: Final = Path(__file__).parents[1]
RESULTS: Final = Path(__file__).parent / "results"
_BLOCK: Final = re.compile(
    r"(?P<begin><!-- from (?P<file>[\w.-]+)(?:: (?P<words>[^>]*?))? -->\n).*?(?P<end><!-- end -->)", re.DOTALL
)
_FIGURE: Final = re.compile(r"(?P<begin><!-- (?P<file>[\w-]+\.jsonl?): (?P<name>[^>]+?) -->)[^\n]*?(?P<end><!-- -->)")
LADDER: Final = "ladder"
"""Stands for a file in the block of the ladder's tables."""
Row = Mapping[str, Any]


def list_pages() -> list[Path]:
    """Every page that may hold results."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def fill_page(text: str, results: Path = RESULTS) -> str:
    """The page with the tables and figures that its results make."""

    def fill_block(found: re.Match[str]) -> str:
        is_ladder, file = found["file"] == LADDER, results / found["file"]
        table = ladder.make_tables(matches.read_results()) if is_ladder else make_table(file, found["words"] or "")
        return f"{found['begin']}\n{table}\n\n{found['end']}"

    def fill_figure(found: re.Match[str]) -> str:
        return f"{found['begin']}{find_figure(results / found['file'], found['name'])}{found['end']}"

    filled, blocks = _BLOCK.subn(fill_block, text)
    if blocks != text.count("<!-- from "):
        raise ValueError("a block <!-- from FILE --> has no <!-- end -->")
    return _FIGURE.sub(fill_figure, filled)


def find_figure(file: Path, name: str) -> str:
    """The figure of the row with that name."""
    figures, rows = _read(file)
    if name in figures:
        return format_figure(figures[name])
    if found := [row for row in rows if _name(row) == name]:
        return format_share(found[0])
    raise ValueError(f"{file.name} has no row {name!r}")


def make_table(file: Path, words: str = "") -> str:
    """Formats a file of results, or those of its rows whose name begins with the words, as a Markdown table."""
    figures, read = _read(file)
    chosen = {name: value for name, value in figures.items() if name.startswith(words)}
    if chosen and not read:
        return _lay_out(["figure", "measured"], ([name, format_figure(value)] for name, value in chosen.items()))
    rows = [_derive(row) for row in read if _name(row).startswith(words)]
    for columns in _LAYOUTS:
        fields = [field for field, _, _ in columns]
        if rows and all(set(fields) <= set(row) for row in rows):
            cells = ([_format_cell(row[field], spec) for field, _, spec in columns] for row in rows)
            return _lay_out([head for _, head, _ in columns], cells)
    raise ValueError(f"{file.name} has no rows {words!r} that a table can be made of")


def _read(file: Path) -> tuple[Mapping[str, float], Sequence[Row]]:
    """The figures by name, and the rows, of a file of results: JSON, or JSON lines."""
    text = file.read_text(encoding="utf-8")
    read = [json.loads(line) for line in text.splitlines()] if file.suffix == ".jsonl" else json.loads(text)
    if isinstance(read, list):
        return {}, read
    return read.get("figures") or read["game"], read.get("agents", [])


def _name(row: Row) -> str:
    name = str(row["name"] if "name" in row else next(iter(row.values())))
    return f"{row['table']}: {name}" if "table" in row and "name" in row else name


def _derive(row: Row) -> Row:
    """The row with what is computed from it, and without what was not counted when a match was played."""
    more = {"won": format_share(row)} if "share" in row else {}
    if "seconds" in row:
        more |= {"minutes": row["seconds"] / 60, "begins": Path(row["start"]).stem}
    is_bare = "low" in row and row["plies"] is None
    return {key: value for key, value in row.items() if not (is_bare and value is None)} | more


def _format_cell(value: Any, spec: str) -> str:
    if value is None:
        return ""
    if spec == "`":
        return f"`{value}`"
    text = format(value, spec)
    return text.replace("%", " %") if spec.endswith("%") else text


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

    >>> format_share({"share": 0.583, "error": 0.01299}), format_share({"share": 0.5, "low": 0.4, "high": 0.6})
    ('58.3 ± 1.3 %', '50.0 ± 10.0 %')
    """
    error = row["error"] if "error" in row else (row["high"] - row["low"]) / 2
    return f"{100 * row['share']:.1f} ± {100 * error:.1f} %"


_LAYOUTS: Final = (
    (
        ("agent", "against", "`"),
        ("rules", "rules", "`"),
        ("begins", "start", ""),
        ("minutes", "minutes", ".1f"),
        ("won", "rounds won", ""),
        ("unfinished", "unfinished", ".1%"),
        ("decided", "decided", ".1%"),
        ("plies", "plies a round", ".0f"),
        ("num_deals", "deals", ","),
    ),
    *(
        (("name", "", ""), ("won", "rounds won", ""), (count, count, ","), *more)
        for count in ("rounds", "deals")
        for more in ((("plies", "plies a round", ".0f"), ("unfinished", "unfinished", ".1%")), ())
    ),
    (("load", "load", ""), ("asked", "target", ""), ("found", "measured", "")),
    (("term", "term", ""), ("bound", "bound", ".3f"), ("measured", "measured", ".3f")),
    *(
        (
            ("agent", "agent", "`"),
            ("exploitability", "exploitability", ".4f"),
            ("mean_loss", "loss a decision", ".4f"),
            ("round_loss", "loss a round", ".4f"),
            *more,
        )
        for more in ((("bluffs", "bluffs", ".0%"), ("challenges", "challenges", ".0%")), ())
    ),
    (
        ("choice", "choice", ""),
        ("hand", "hand", "`"),
        ("color", "active color", ""),
        ("before", "before", ""),
        ("odds", "how often", ".0%"),
    ),
    (
        ("policy", "policy", "`"),
        ("ours", "NashConv, `lastcard.exact`", ".6f"),
        ("openspiel", "NashConv, OpenSpiel", ".6f"),
        ("cpu_seconds", "OpenSpiel, CPU seconds", ".0f"),
    ),
)
"""The columns of a table, by the fields that all of its rows have: field, head, and format (` for code)."""


def _lay_out(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    table = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in table)


def main() -> None:
    """Rewrites every page whose results have changed, and the ladder of the web page."""
    ladder.write_web()
    for page in list_pages():
        text = page.read_text(encoding="utf-8")
        filled = fill_page(text)
        if filled != text:
            page.write_text(filled, encoding="utf-8")
            print(f"wrote {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
