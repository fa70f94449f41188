"""Run the tests that belong to the files changed since `main`: `make quick CHANGED=1`.

A changed test runs itself; a changed module runs the tests that import it or bear its name; the core runs the engine's
tests and a page the tests of the documentation. Tests that need a package that is missing here are named and left out.
"""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

ENGINE = ("lastcard.state", "lastcard.rules", "lastcard.batch", "lastcard.observation")


def git(*arguments: str) -> list[str]:
    """Return the lines that git prints."""
    run = subprocess.run(["git", *arguments], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def find_base() -> str:
    """Return the commit where this branch left `main`, which a fresh clone may have as `origin/main` only."""
    for branch in ("main", "origin/main"):
        with suppress(subprocess.CalledProcessError):
            return git("merge-base", branch, "HEAD")[0]
    sys.exit("There is no branch main to compare with; fetch it: git fetch origin main:main")


def changed_files() -> list[str]:
    """List what differs from where this branch left `main`: committed, uncommitted and new files."""
    base = find_base()
    return sorted({*git("diff", "--name-only", base), *git("ls-files", "--others", "--exclude-standard")})


def imports(path: Path) -> set[str]:
    """Name the modules that a file imports, `from a import b` as both `a` and `a.b`."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def module_of(file: str) -> str:
    """Return the dotted name of a Python file of the package or of the tests."""
    parts = PurePosixPath(file).with_suffix("").parts
    return ".".join(part for part in parts if part not in ("src", "__init__"))


def belongs(test: Path, imported: set[str], file: str) -> bool:
    """Tell whether a test should run because a file changed."""
    if file == str(test):
        return True
    if file.startswith("core/"):
        return bool(imported.intersection(ENGINE))
    if file.endswith(".md"):
        return test.is_relative_to("tests/docs")
    if file.endswith(".py") and file.startswith(("src/", "tests/", "benchmarks/")):
        module = module_of(file)
        named = module.replace("lastcard.", "", 1).replace(".", "_")
        return module in imported or test.stem == f"test_{named}"
    return False


def missing_package(test: Path) -> str | None:
    """Name a package that a test needs and that is not installed here."""
    try:
        for path in (test.parent / "conftest.py", test):
            if path.exists():
                importlib.import_module(module_of(str(path)))
    except ModuleNotFoundError as error:
        return error.name
    return None


def select(files: list[str], tests: Mapping[Path, set[str]]) -> Iterator[Path]:
    """Yield the tests that belong to the files and can run here."""
    for test, imported in tests.items():
        if not any(belongs(test, imported, file) for file in files):
            continue
        if missing := missing_package(test):
            print(f"left out: {test} needs {missing}; make test runs it")
        else:
            yield test


def main() -> None:
    """Run pytest on what the changes call for."""
    files = changed_files()
    tests = {path: imports(path) for path in sorted(Path("tests").rglob("test_*.py"))}
    chosen = [str(path) for path in select(files, tests)]
    print(f"== pytest: {len(chosen)} test files belong to {len(files)} changed files")
    if chosen:
        sys.exit(subprocess.run([sys.executable, "-m", "pytest", "-q", "-n", "2", *chosen], check=False).returncode)


if __name__ == "__main__":
    main()
