"""Commands for the person who reads a message: how to start lastcard, and how to install what it lacks, here."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Final

_EXTRA: Final = re.compile(r"(?:;| and) *extra == ['\"]([\w-]+)['\"]")
"""The part of a requirement that names its extra."""


def command(*words: str) -> str:
    """Returns a command of lastcard, or the program alone, as this program was started.

    >>> command("play", "--resume", "my game.txt").partition("lastcard ")[2]
    "play --resume 'my game.txt'"
    """
    return " ".join([_program(), *map(shlex.quote, words)])


def install_extra(extra: str) -> str:
    """Returns the command that installs the packages of an extra where this lastcard runs.

    It names the packages, not lastcard: no index has it, and a clone would compile it again.
    """
    try:
        asked = requires("lastcard") or ()
    except PackageNotFoundError:
        asked = ()
    found = [_EXTRA.sub("", each) for each in asked if extra in _EXTRA.findall(each)]
    return install(*(found or [f"lastcard[{extra}]"]))


def install(*packages: str) -> str:
    """Returns the command that installs packages where this lastcard runs: with pipx, uv or pip."""
    python, home = sys.executable, Path(sys.prefix)
    if Path.cwd() in Path(python).parents:
        python = os.path.relpath(python)
    if (home / "pipx_metadata.json").exists():
        words = ["pipx", "inject", home.name]
    elif PathFinder.find_spec("pip") is None:
        words = ["uv", "pip", "install", "--python", python]
    else:
        words = [python, "-m", "pip", "install"]
    return shlex.join([*words, *packages])


def _program() -> str:
    """Returns the script `lastcard` as it was started, by its name alone if the path finds it; else Python's module."""
    started = sys.argv[0]
    if os.path.basename(started) not in ("lastcard", "lastcard.exe"):
        return f"{shlex.quote(sys.orig_argv[0])} -m lastcard"
    found = shutil.which("lastcard")
    if not os.path.dirname(started) or (found and os.path.exists(started) and os.path.samefile(found, started)):
        return "lastcard"
    return shlex.quote(started)
