"""A name of a module means one thing throughout the package."""

from collections import defaultdict
from pathlib import Path
from typing import Final

PACKAGE = Path(__file__).parents[2] / "src" / "lastcard"

SHARED: Final = {
    "agents": "the agents, and the command that lists them",
    "arena": "the arena, and the command that runs it",
    "batch": "random rounds in bulk: on the CPU, on a GPU",
    "catalog": "the catalog: how it is made, and its schema",
    "dispatch": "any search by its config: run, or explained",
    "explain": "explanations, and the command that prints them",
    "exploit": "best responses, and the command that trains them",
    "finished": "finished games on the server, and their schema",
    "games": "games: in the store, on the server, in requests, and the command that lists them",
    "ladder": "the ladder: how it is made, and its schema",
    "people": "a person across games: in the store, on the server, in requests",
    "playouts": "playouts in bulk: on the CPU, on a GPU",
    "rules": "the rules, and the command that prints them",
    "site": "the static site, and the command that writes it",
    "situations": "real tables: how they are read, and their schema",
    "store": "the store, its class, and the command that keeps it healthy",
    "tune": "tuning, and the command that runs it",
    "vector": "parallel environments: on the CPU, on a GPU",
    "view": "the view of a game: how it is made, and its schema",
}
"""Names that several modules share, and the one thing they mean."""


def modules_by_name() -> dict[str, list[str]]:
    found = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        module = path.parent if path.stem == "__init__" else path.with_suffix("")
        if not module.name.startswith("__"):
            found[module.name].append(module.relative_to(PACKAGE.parent).as_posix())
    return found


def test_two_modules_share_a_name_only_for_one_thing() -> None:
    shared = {name: paths for name, paths in modules_by_name().items() if len(paths) > 1}
    assert {name: paths for name, paths in shared.items() if name not in SHARED} == {}
    assert sorted(shared) == sorted(SHARED)
