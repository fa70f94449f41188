"""Workflows, hooks and templates name only what exists."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ROOT

yaml = pytest.importorskip("yaml", reason="PyYAML comes with the extra docs")

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = [file for file in sorted((GITHUB / "ISSUE_TEMPLATE").glob("*.yml")) if file.name != "config.yml"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def commands(workflow: Any) -> Iterator[str]:
    """The lines that the steps of a workflow run."""
    for job in workflow["jobs"].values():
        for step in job.get("steps", ()):
            yield from step.get("run", "").splitlines()


def unknown_targets(workflow: Any) -> set[str]:
    lines = "\n".join(commands(workflow))
    return set(re.findall(r"^\s*make ([\w-]+)", lines, re.MULTILINE)) - make_targets()


def unknown_extras(workflow: Any) -> set[str]:
    asked = re.findall(r"(?:\.|lastcard)\[([\w,]+)\]", "\n".join(commands(workflow)))
    return {extra for extras in asked for extra in extras.split(",")} - set(PROJECT["project"]["optional-dependencies"])


def missing_files(workflow: Any) -> set[str]:
    named = re.findall(r"\b(?:tests|tools|docs|benchmarks|\.ci)/[\w./*-]+", "\n".join(commands(workflow)))
    return {path for path in named if not any(ROOT.glob(path))}


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_a_workflow_names_what_exists(file: Path) -> None:
    workflow = read(file)
    assert unknown_targets(workflow) == set()
    assert unknown_extras(workflow) == set()
    assert missing_files(workflow) == set()


@pytest.mark.parametrize(
    ("find", "line", "name"),
    [
        (unknown_targets, "make nothing", "nothing"),
        (unknown_extras, "pip install '.[web,nothing]'", "nothing"),
        (missing_files, "pytest tests/unit/test_nothing_*.py", "tests/unit/test_nothing_*.py"),
    ],
)
def test_what_does_not_exist_is_noticed(find: Any, line: str, name: str) -> None:
    assert find({"jobs": {"one": {"steps": [{"run": f"true\n{line}"}]}}}) == {name}


@pytest.mark.parametrize(
    ("schema", "files"),
    [("github-workflows", WORKFLOWS), ("github-issue-forms", FORMS), ("dependabot", [GITHUB / "dependabot.yml"])],
)
def test_files_for_github_follow_its_schemas(schema: str, files: list[Path]) -> None:
    pytest.importorskip("check_jsonschema", reason="comes with the extra dev")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, files)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_a_workflow_may_do_little_and_not_forever(file: Path) -> None:
    workflow = read(file)
    assert workflow["permissions"] == {"contents": "read"}
    assert [name for name, job in workflow["jobs"].items() if "timeout-minutes" not in job] == []


def test_the_tests_run_on_every_supported_python_and_system() -> None:
    workflow = read(GITHUB / "workflows" / "tests.yml")
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    runners = " ".join(str(job["runs-on"]) for job in workflow["jobs"].values())
    runners += " ".join(workflow["jobs"]["quick"]["strategy"]["matrix"]["os"])
    assert [name for name in ("ubuntu", "macos", "windows") if name not in runners] == []
    for name in ("quick", "windows"):
        assert workflow["jobs"][name]["strategy"]["matrix"]["python"][0] == oldest


@pytest.mark.parametrize("file", FORMS, ids=lambda file: file.name)
def test_an_issue_form_asks_for_something(file: Path) -> None:
    form = read(file)
    assert set(form) == {"name", "description", "labels", "body"}
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields)
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_every_step_of_make_lint_has_a_hook() -> None:
    hooks = {
        hook["id"]: hook
        for repository in read(ROOT / ".pre-commit-config.yaml")["repos"]
        for hook in repository["hooks"]
    }
    found = re.search(r"^lint: ([^#\n]*)", MAKEFILE, re.MULTILINE)
    assert found
    assert [step for step in found[1].split() if step not in hooks] == []
    for hook in hooks.values():
        for tool in re.findall(r"\.venv/bin/([\w-]+)", hook["entry"]):
            assert f"$(BIN)/{tool}" in MAKEFILE, tool
        for target in re.findall(r"make ([\w-]+)", hook["entry"]):
            assert target in make_targets(), target


def test_the_docs_need_nothing_but_their_extra() -> None:
    """The engine of the live boards takes a compiler of its own and a minute."""
    found = re.search(r"^docs: (.*?) ##.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert found
    assert found[1] == ".venv/.docs"
    assert "$(MAKE)" not in found[2]
    assert "make wasm docs" in commands(read(GITHUB / "workflows" / "docs.yml"))  # the published site has it


def test_updates_are_looked_for_where_versions_are() -> None:
    updates = read(GITHUB / "dependabot.yml")["updates"]
    assert {each["package-ecosystem"] for each in updates} == {"docker", "github-actions", "npm", "pip"}
    assert [each["directory"] for each in updates if not (ROOT / each["directory"].lstrip("/")).is_dir()] == []


def test_published_wheels_contain_the_engine_for_browsers() -> None:
    jobs = read(GITHUB / "workflows" / "wheels.yml")["jobs"]
    assert jobs["wheels"]["needs"] == "shared"
    assert "make wasm site" in [step.get("run") for step in jobs["shared"]["steps"]]
    fetched = [step["with"] for step in jobs["wheels"]["steps"] if "download-artifact" in step.get("uses", "")]
    assert fetched == [{"name": "shared", "path": "build"}]


@pytest.mark.parametrize("name", ["deploy", "run-the-server"])
def test_a_guide_to_the_server_says_how_to_get_the_engine_for_browsers(name: str) -> None:
    guide = (ROOT / "docs" / "how-to" / f"{name}.md").read_text(encoding="utf-8")
    first = guide.index("pip install '.[web")
    assert guide.startswith("pip install '.[web,wasm]'", first)
    assert "python -m wasm.make_engine" in guide[first:]


def test_editors_break_lines_where_ruff_does() -> None:
    config = (ROOT / ".editorconfig").read_text(encoding="utf-8")
    assert f"max_line_length = {PROJECT['tool']['ruff']['line-length']}\n" in config


def test_lines_of_the_core_are_as_short_as_those_of_python() -> None:
    """clang-format leaves long comments alone."""
    most = PROJECT["tool"]["ruff"]["line-length"]
    files = [file for file in (ROOT / "core").rglob("*") if file.suffix in (".hpp", ".cpp")]
    assert files
    long = [file for file in files if max(map(len, file.read_text(encoding="utf-8").splitlines())) > most]
    assert [file.name for file in long] == []


def test_git_tracks_no_compiled_module() -> None:
    """`make wasm` builds it, as `make play` builds the core for Python."""
    index = ROOT / ".git" / "index"
    if not index.exists():
        pytest.skip("not a git clone")
    names = index.read_bytes()  # git itself need not be installed
    assert b"src/lastcard/version.py\0" in names
    assert [ending for ending in (b".wasm\0", b".so\0") if ending in names] == []
