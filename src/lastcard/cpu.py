"""Chooses the compiled core: a wheel has one for every x86-64 CPU and a faster one for newer CPUs."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

VARIABLE: Final = "LASTCARD_CPU"
"""Environment variable that names the code path to run."""


def find_core() -> str | None:
    """Returns the folder of the core to load; None for a development build, which has one core next to the sources.

    Raises:
        ImportError: if the CPU cannot run any core of this build, or `LASTCARD_CPU` does not name one that it can.
    """
    cores = Path(__file__).parent / "_cores"
    wanted = os.environ.get(VARIABLE, "")
    try:
        if cores.is_dir():
            from lastcard import _probe

            built = sorted(folder.name for folder in cores.iterdir())
            return str(cores / choose_code_path(built, _probe.code_paths(), wanted))
        if wanted:
            from lastcard import _core

            choose_code_path([_core.CPU], [_core.CPU], wanted)
    except ImportError as error:
        _print_in_one_line(error)
        raise
    return None


def choose_code_path(built: Collection[str], runnable: Sequence[str], wanted: str = "") -> str:
    """Returns the fastest code path that is built and runnable, or the wanted one.

    Args:
        built: Code paths of this installation.
        runnable: Code paths that the CPU can run, the fastest last.
        wanted: The only acceptable one; empty for any.

    Raises:
        ImportError: if there is none.

    >>> choose_code_path(["baseline", "x86-64-v3"], ["baseline", "x86-64-v3"])
    'x86-64-v3'
    >>> choose_code_path(["baseline", "x86-64-v3"], ["baseline", "x86-64-v3"], wanted="baseline")
    'baseline'
    """
    usable = [name for name in runnable if name in built]
    if wanted and wanted not in built:
        raise ImportError(f"{VARIABLE} must be {_join(built)} in this installation, not {wanted!r}")
    if not usable:
        raise ImportError(
            f"this lastcard was built for {_join(built)}, which this CPU does not support;"
            " install a wheel, or build lastcard on this machine"
        )
    if wanted and wanted not in usable:
        raise ImportError(f"{VARIABLE}={wanted}: this CPU does not support it; use {_join(usable)}")
    return wanted or usable[-1]


def _join(names: Collection[str]) -> str:
    return " or ".join(names)


def _print_in_one_line(error: ImportError) -> None:
    """Makes Python print this error without a traceback: its cause is a setting of the user, not a line of code.

    The command line cannot catch it: Python imports this package before the command runs.
    """
    previous = sys.excepthook

    def print_error(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
        if value is not error:
            previous(kind, value, trace)
            return
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)

    sys.excepthook = print_error
