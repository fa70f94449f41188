"""The Containerfile is understood whole, and its steps become a shell script."""

from __future__ import annotations

import fnmatch
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docs.reference.make_cli import commands
from tools.containerfile import ROOT, ContainerfileError, parse, read_ignored, write_script

TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8")
SENT = read_ignored(IGNORED)
PROGRAM = ROOT / "tools" / "containerfile.py"


def test_the_container_runs_as_a_user_with_its_store_in_the_volume() -> None:
    build, run = parse(TEXT)
    assert (build.name, run.name) == ("build", "run")
    assert run.settings["USER"] not in ("root", "0")
    words = run.command()
    assert words[words.index("--store") + 1].startswith(run.settings["VOLUME"])
    assert words[words.index("--port") + 1] == run.settings["EXPOSE"]
    assert f"127.0.0.1:{run.settings['EXPOSE']}/health" in run.health()[-1]
    assert "curl" not in TEXT


def test_the_command_of_the_container_exists() -> None:
    name, command, *rest = parse(TEXT)[-1].command()
    options = {option for parameter in dict(commands())[f"{name} {command}"].params for option in parameter.opts}
    assert {word for word in rest if word.startswith("--")} <= options


def test_everything_that_pip_needs_is_sent_to_the_build() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = [project["project"]["readme"], *project["project"]["license-files"], "CMakeLists.txt", "core", "src"]
    assert {Path(name).parts[0] for name in needed} <= set(SENT)


def test_the_image_has_the_engine_for_browsers() -> None:
    """Without it the page offers no hints, no analysis and no judging."""
    steps = [step for instruction, step in parse(TEXT)[0].steps if instruction == "RUN"]
    install, engine, clean = steps[-3:]
    assert re.search(r"pip install .*\[web,postgres,wasm\]", install)
    assert engine == "/opt/lastcard/bin/python -m wasm.make_engine"
    assert "ziglang" in clean
    assert {"wasm", "core"} <= set(SENT)


def test_nothing_that_the_build_makes_is_sent_to_it() -> None:
    lines = IGNORED.splitlines()
    made = [
        "src/lastcard/_core.pyi",
        "src/lastcard/_configs.py",
        "src/lastcard/_core.cpython-311-x86_64-linux-gnu.so",
        "src/lastcard/__pycache__",
    ]
    made += ["wasm/lastcard.wasm", "wasm/types"]
    patterns = [line.replace("**/", "*/") for line in lines if line != "*" and line[:1] not in "#!"]
    for path in made:
        assert any(fnmatch.fnmatch(path, pattern) for pattern in patterns), path


def test_the_script_has_every_step_and_is_shell(tmp_path: Path) -> None:
    script = write_script(parse(TEXT), SENT)
    for line in re.findall(r"^RUN (.*)$", TEXT, re.MULTILINE):
        assert line.replace("'", "'\"'\"'") in script
    file = tmp_path / "steps.sh"
    file.write_text(script, encoding="utf-8")
    subprocess.run(["sh", "-n", file], check=True)
    assert "no engine for browsers" in script


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("EXPOSE 8000", "ONBUILD RUN true", "unknown instruction ONBUILD"),
        ("RUN apt", "run apt", "unknown instruction run"),
        ("COPY --from=build", "COPY --chown=1 --from=build", "no option but --from"),
        ("COPY . .", "COPY src src", "expected COPY . and a folder"),
        ("COPY --from=build", "COPY --from=nowhere", "there is no stage nowhere"),
        ('CMD ["serve"', 'CMD serve ["', "expected a JSON list of words"),
        ("debian:12-slim AS run", "alpine:3 AS run", "only Debian 12 can be run here"),
        ("debian:12-slim AS run", "debian:12-slim run", "expected an image, and AS with a name"),
        ('CMD ["python3"', 'NONE ["python3"', "HEALTHCHECK: expected CMD"),
        ("FROM docker.io/library/debian:12-slim AS build\n", "", "RUN before the first FROM"),
    ],
)
def test_a_line_that_cannot_be_run_is_refused(old: str, new: str, complaint: str) -> None:
    assert old in TEXT
    with pytest.raises(ContainerfileError, match=re.escape(complaint)):
        write_script(parse(TEXT.replace(old, new, 1)), SENT)


def test_a_list_of_what_to_leave_out_is_refused() -> None:
    with pytest.raises(ContainerfileError, match="expected \\* first"):
        read_ignored("build\n.venv\n")


def test_the_program_says_in_one_line_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "Containerfile"
    file.write_text("FROM docker.io/library/debian:12-slim\nSHELL x\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, PROGRAM, "--shell", "--file", file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(r"error: Containerfile: unknown instruction SHELL.*\n", done.stderr)
