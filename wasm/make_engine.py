"""Compiles the core for browsers and Node: `python -m wasm.make_engine [FILE]`, in the folder of lastcard.

The Python that runs it needs lastcard and the extra `wasm`. Without FILE the engine goes into the installed lastcard,
where the server looks for it; wheels contain it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from lastcard.web.engine_files import ENGINE
from wasm.make_tables import write_tables

CORE: Final = Path("core")
BUILD: Final = Path("build", "wasm")
LEFT_OUT: Final = ("check_encoding", "simulated_rounds")
"""Searches that are Python's alone: checks of environments and single simulations."""
ROUND: Final = ("batch", "leaves", "observation", "random_play", "round", "threads")
CPU: Final = "generic+bulk_memory+nontrapping_fptoint+sign_ext+simd128"
"""Every browser since March 2023 has these, and Node since 16."""
OPTIONS: Final = (
    *("-target", "wasm32-wasi", f"-mcpu={CPU}", "-mexec-model=reactor", "-std=c++20", "-O2", "-DNDEBUG", "-s"),
    *("-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-ffp-contract=off", "-fno-exceptions", "-fno-rtti"),
    *("-Wl,--export=__stack_pointer", f"-I{CORE}", f"-I{BUILD}"),
)


def compile_engine() -> Path:
    """Compiles the core; returns the file."""
    BUILD.mkdir(parents=True, exist_ok=True)
    write_tables(BUILD / "tables.hpp")
    pomcp = CORE / "search" / "pomcp.cpp"
    searches = [path for path in (CORE / "search").glob("*.cpp") if path.stem not in LEFT_OUT and path != pomcp]
    games = [path for folder in ("game", "wasm") for path in sorted((CORE / folder).glob("*.cpp"))]
    calls = [*(CORE / "round" / f"{name}.cpp" for name in ROUND), pomcp, *games]
    # Two files of includes, compiled side by side: reading the headers of every file would take longer than the rest.
    sources = [_include("searches", sorted(searches)), _include("calls", calls)]
    made = BUILD / "lastcard.wasm"
    # zig keeps its libraries as well as our objects in its cache.
    caches = dict.fromkeys(("ZIG_LOCAL_CACHE_DIR", "ZIG_GLOBAL_CACHE_DIR"), str(BUILD / "cache"))
    command = [sys.executable, "-m", "ziglang", "c++", *OPTIONS, *map(str, sources), "-o", str(made)]
    subprocess.run(command, env=os.environ | caches, check=True)
    return made


def _include(name: str, files: Iterable[Path]) -> Path:
    """Writes a file that includes others."""
    source = BUILD / f"{name}.cpp"
    source.write_text("".join(f'#include "{path.relative_to(CORE).as_posix()}"\n' for path in files), encoding="utf-8")
    return source


def main() -> int:
    """Compiles the engine and puts it where it is wanted."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ENGINE
    try:
        made = compile_engine()
    except subprocess.CalledProcessError as error:
        print(f"error: the engine for browsers could not be compiled (status {error.returncode})", file=sys.stderr)
        return 1
    if target != made:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
