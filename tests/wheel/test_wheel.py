"""The built wheel in an empty environment: no compiler, no source tree, nothing on the path but the environment.

`LASTCARD_WHEEL` names the wheel to install, or is `installed` where this very environment has it (cibuildwheel).
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

WHEEL = os.environ.get("LASTCARD_WHEEL", "")
MOST_BYTES = 20_000_000
HAND = ["--hand", "r5 bR w", "--top", "g7", "--opponents", "7,5"]

pytestmark = [
    pytest.mark.wheel,
    pytest.mark.skipif(not WHEEL, reason="needs a built wheel: make wheels"),
]


class Environment:
    """A Python environment with lastcard, and a folder to run commands in."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self.programs = programs
        self.variables = {"PATH": str(programs), "HOME": str(folder), "PYTHONWARNINGS": "error::ImportWarning"}
        if sys.platform == "win32":
            self.variables |= {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}

    def run(self, *command: str, cpu: str = "", code: int = 0) -> str:
        """Runs a command; returns its standard output, or the error if it has to fail."""
        variables = self.variables | ({"LASTCARD_CPU": cpu} if cpu else {})
        command = (str(self.programs / command[0]), *command[1:])
        ran = subprocess.run(
            command,
            check=False,
            cwd=self.folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert ran.returncode == code, ran.stderr
        return ran.stdout if code == 0 else ran.stderr


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    folder = tmp_path_factory.mktemp("empty")
    if WHEEL == "installed":
        return Environment(folder, Path(sys.executable).parent)
    wheel = Path(WHEEL).resolve()
    assert wheel.is_file(), f"LASTCARD_WHEEL={WHEEL} is not a file"
    venv.create(folder / "venv", with_pip=True)
    programs = folder / "venv" / "bin"
    # With the settings of pip that this machine needs; nothing may be compiled.
    pip = [str(programs / "python"), "-m", "pip", "-qq", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--only-binary", ":all:", f"{wheel}[arena,web]"], cwd=folder, check=True)
    return Environment(folder, programs)


def code_paths(env: Environment) -> list[str]:
    """Those that this CPU can run, of those that the wheel has."""
    program = "from lastcard import _probe; print(*_probe.code_paths())"
    return env.run("python", "-c", program).split()


def test_the_environment_is_empty(env: Environment) -> None:
    program = "import lastcard, shutil, sys; print(shutil.which('cc'), shutil.which('c++'), lastcard.__file__)"
    *compilers, file = env.run("python", "-c", program).split()
    if WHEEL != "installed":
        assert compilers == ["None", "None"]
    assert "site-packages" in file


def test_the_version_is_the_same_everywhere(env: Environment) -> None:
    program = "import importlib.metadata, lastcard; print(importlib.metadata.version('lastcard'), lastcard.__version__)"
    packaged, imported = env.run("python", "-c", program).split()
    assert packaged == imported
    assert env.run("lastcard", "--version") == f"lastcard {imported}\n"
    assert env.run("python", "-m", "lastcard", "--version") == f"lastcard {imported}\n"


def test_play(env: Environment) -> None:
    assert "goes out and scores" in env.run("lastcard", "play", "--seed", "7")


def test_advise(env: Environment) -> None:
    assert "of rounds like this" in env.run("lastcard", "advise", *HAND, "--seed", "1")


def test_analyse(env: Environment) -> None:
    env.run("lastcard", "watch", "heuristic", "random", "--seed", "4", "--record", "round.txt")
    assert env.run("lastcard", "analyse", "round.txt", "--seat", "0")


def test_arena(env: Environment) -> None:
    printed = env.run("lastcard", "arena", "heuristic", "random", "--games", "40", "--jobs", "2")
    assert "heuristic" in printed


@pytest.mark.skipif(sys.platform == "win32", reason="needs Ctrl-C as a signal")
def test_serve(env: Environment) -> None:
    command = [str(env.programs / "lastcard"), "serve", "--port", "0", "--store", "memory:"]
    with subprocess.Popen(
        command, cwd=env.folder, env=env.variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            printed = server.stdout.readline()
            address = re.search(r"http://\S+", printed)
            assert address, printed
            with urllib.request.urlopen(f"{address[0].rstrip('/')}/health", timeout=60) as answer:
                assert json.load(answer)["status"] == "ok"
            with urllib.request.urlopen(f"{address[0].rstrip('/')}/engine/lastcard.wasm", timeout=60) as answer:
                assert answer.read(4) == b"\0asm"
            server.send_signal(signal.SIGINT)
            assert server.wait(30) in (0, 130)
        finally:
            server.kill()


def test_every_code_path_plays_the_same(env: Environment) -> None:
    """Random play by its signature, and a search, whose every decision is printed."""
    names = code_paths(env)
    signatures, searches = set(), set()
    for name in names:
        figures = json.loads(env.run("lastcard", "bench", "--seconds", "0.01", "--json", cpu=name))
        assert figures["cpu"] == name
        signatures.add(figures["signature"])
        searches.add(env.run("lastcard", "watch", "halving:simulations=200", "net", "--seed", "5", "--json", cpu=name))
    assert len(signatures) == len(searches) == 1
    assert json.loads(env.run("lastcard", "bench", "--seconds", "0.01", "--json"))["cpu"] == names[-1]


def test_an_unknown_code_path_is_one_line(env: Environment) -> None:
    error = env.run("lastcard", "bench", cpu="pentium", code=2)
    assert error.startswith("error: LASTCARD_CPU must be baseline")
    assert error.endswith("not 'pentium'\n")
    assert error.count("\n") == 1


@pytest.mark.skipif(WHEEL == "installed", reason="the file is not there")
def test_what_is_in_the_wheel() -> None:
    with zipfile.ZipFile(WHEEL) as wheel:
        names = [name for name in wheel.namelist() if not name.endswith("/")]
        [metadata] = [wheel.read(name).decode() for name in names if name.endswith(".dist-info/METADATA")]
    assert Path(WHEEL).stat().st_size < MOST_BYTES
    assert not [name for name in names if re.fullmatch(r"lastcard/_core\..*so", name)]
    assert {"lastcard/_core.pyi", "lastcard/_configs.py", "lastcard/py.typed", "lastcard/web/static/index.html"} <= set(
        names
    )
    assert "lastcard/web/engine/lastcard.wasm" in names
    assert {"lastcard/web/docs/index.html", "lastcard/web/docs/boards/engine.js"} <= set(names)
    notices = {path.name for path in (Path(__file__).parents[2] / "licenses").iterdir()}
    assert {name.rpartition("/")[2] for name in names if ".dist-info/licenses/" in name} == {"LICENSE", *notices}
    assert "\nRequires-Python: >=3.11\n" in metadata
    assert all(f":: Python :: 3.{minor}\n" in metadata for minor in (11, 12, 13, 14))
    if "x86_64" in WHEEL:
        cores = {Path(name).parent.name for name in names if "/_cores/" in name}
        assert cores == {"baseline", "x86-64-v3"}


def test_the_static_site_has_the_documentation(env: Environment) -> None:
    assert "missing" not in env.run("lastcard", "site", "public")
    assert (env.folder / "public" / "docs" / "index.html").is_file()
