"""Files that the page needs to play on a person's device: the core as WebAssembly, and the shipped networks."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lastcard.network import SHIPPED, shipped_file

ENGINE: Final = Path(__file__).parent / "engine" / "lastcard.wasm"
"""The core as `make wasm` builds it. Wheels contain it; a source tree has none."""


def has_engine() -> bool:
    """Returns True if the engine was built."""
    return ENGINE.is_file()


def list_engine_files() -> dict[str, Path]:
    """The files by name; empty without the engine.

    >>> set(list_engine_files()) <= {"lastcard.wasm", *(f"{stem}.safetensors" for stem in _STEMS)}
    True
    """
    if not has_engine():
        return {}
    networks = {f"{stem}.safetensors": Path(str(shipped_file(stem))) for stem in _STEMS}
    return {ENGINE.name: ENGINE, **networks}


_STEMS: Final = sorted({stem for by_table in SHIPPED.values() for stem in by_table.values()})
