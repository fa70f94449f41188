"""A file of JSON objects, one a line, that grows while something is played."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of the file, none if there is no file; a line that was cut off by a crash is left out."""
    for text in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        with suppress(ValueError):
            yield json.loads(text)


def add_line(path: Path, fields: Mapping[str, Any]) -> None:
    """Appends an object, on a line of its own also after one that was cut off."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{json.dumps(fields)}")
