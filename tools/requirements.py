"""Print the packages that pyproject.toml names, one per line, for pip's `-r`.

`pip install '.[docs]'` would build lastcard again only to install what an extra adds; this leaves it as it is.

Example: python tools/requirements.py docs web
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"


def requirements(extras: Mapping[str, Sequence[str]], name: str) -> Iterator[str]:
    """Yield what an extra names, with the extras of lastcard that it includes spelled out."""
    for requirement in extras[name]:
        included = re.fullmatch(r"lastcard\[([^]]*)]", requirement)
        if included is None:
            yield requirement
        else:
            for other in included[1].split(","):
                yield from requirements(extras, other)


def main() -> None:
    """Print the requirements of the build (`--build`) or of the extras named."""
    project = tomllib.loads(PROJECT.read_text())
    if sys.argv[1:] == ["--build"]:
        found = list(project["build-system"]["requires"])
    else:
        extras = project["project"]["optional-dependencies"]
        found = [line for name in sys.argv[1:] for line in requirements(extras, name)]
    print(*dict.fromkeys(found), sep="\n")


if __name__ == "__main__":
    main()
