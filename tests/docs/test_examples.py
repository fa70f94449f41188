"""Every shell command in the README and the docs is run, in the order of its page and with counts made small.

`sh` blocks have to succeed. `console` blocks (`$ command`, then what it prints) also have to print what they show, as
in a doctest: `...` stands for anything. UPDATE_GOLDEN=1 writes their output again where nothing is left out. Python
examples are doctests, which `make doctest` runs.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from docs.reference.make_cli import commands
from lastcard.cli.commands import main
from tests.docs.pages import PAGES, ROOT, blocks, read_page, shell_lines

Captured = pytest.CaptureFixture[str]

CAPS = {
    "--games": 8,
    "--deals": 10,
    "--generations": 1,
    "--population": 4,
    "--simulations": 50,
    "--seconds": 0.01,
    "--engine-seconds": 1,
}
"""The most that a command of a page is given of something; `simulations=` inside an agent's name likewise."""
USUALLY = {
    "analyse": {"--agent": "halving:simulations=20"},
    "arena": {"--games": "8"},
    "bench": {"--seconds": "0.01"},
    "train": {"--updates": "1", "--hidden": "16", "--blocks": "1", "--num-envs": "16", "--measured-deals": "10"},
    "tune": {"--generations": "1", "--population": "4", "--elite": "2", "--deals": "10"},
}
"""Options for commands that do not give them, unless they resume something."""

ONLY_READ = {
    r"^serve\b": "listens until it is stopped",
    r"^engine\b": "waits for what a table says",
    r"--ray\b": "needs a cluster",
    r"\./my_engine|net:FILE": "is the reader's own",
    r"/var/(lib|backups)/": "is of a server's machine",
    r"postgresql://": "needs a PostgreSQL; tests of the store and of the guide run them on one",
    r"-completion\b": "writes into the home folder",
    r"^train (?!.*mini)": "takes long; the lesson trains on mini",
    r"^exploit\b": "takes long",
    r"net:mine": "is what such a training leaves",
}
"""Commands whose words are checked, and that are not run."""
NO_WONDER = re.compile(r"every match in \S+ is finished")
"""Errors that small counts may cause: a match is over before it is resumed."""
BEFORE = {
    "docs/reference/cli.md": [
        "watch random first_legal --record game.txt",
        "arena frequency random --games 8 --store games.db",
    ],
}
"""Commands to run first, where a page takes their results for granted."""
PROGRAMS = (
    *("ray", "cd", "source", "curl", "git", "npm", "pipx", "python3", "uvx"),
    *("createdb", "createuser", "install", "mkdir", "mv", "systemctl"),
)
"""Programs of others, which are not run."""


@pytest.mark.parametrize("page", [page for page in PAGES if shell_lines(read_page(page))])
def test_the_commands_of_a_page_work(
    page: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(tmp_path, monkeypatch)
    for line in BEFORE.get(page, ()):
        run_line(shlex.split(line), capsys, monkeypatch)
    for line in shell_lines(read_page(page)):
        words = shlex.split(line, comments=True)
        while re.match(r"[A-Z_]+=", words[0]):
            monkeypatch.setenv(*words.pop(0).split("=", 1))
        program = words[0].removeprefix(".venv/bin/")
        if program == "lastcard":
            run_line(words[1:], capsys, monkeypatch)
        elif program == "make":
            makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
            wanted = [word for word in words[1:] if "=" not in word]
            assert [word for word in wanted if f"\n{word}:" not in makefile] == []
        elif program == "pip":
            check_extras(words)
        elif program == "python":
            assert words[1] != "-m" or find_spec(words[2]), line
        elif program == "podman":
            check_container(words)
        else:
            assert program in PROGRAMS, line


@pytest.mark.parametrize("page", [page for page in PAGES if any(blocks(read_page(page), "console"))])
def test_the_sessions_of_a_page_are_as_shown(
    page: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(tmp_path, monkeypatch)
    text = read_page(page)
    for block in blocks(text, "console"):
        shown = block
        for command, expected in read_session(block):
            printed = show(command, capsys, monkeypatch)
            if os.environ.get("UPDATE_GOLDEN") and "..." not in expected:
                shown = shown.replace(f"$ {command}\n{expected}", f"$ {command}\n{printed}")
            else:
                assert doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS), printed
        text = text.replace(block, shown)
    if os.environ.get("UPDATE_GOLDEN"):
        PAGES[page].write_text(text, encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in PAGES if "`lastcard " in read_page(page)])
def test_commands_within_a_sentence_exist(page: str) -> None:
    for words in re.findall(r"`lastcard ([a-z][^`]*)`", read_page(page)):
        check_names(words.split())


@pytest.mark.parametrize("words", ["nonsense", "games list --store FILE", "serve --nothing"])
def test_a_command_within_a_sentence_that_does_not_exist_is_noticed(words: str) -> None:
    with pytest.raises(AssertionError, match="there is no lastcard"):
        check_names(words.split())


def test_a_session_is_read_as_commands_and_what_they_print() -> None:
    assert read_session("$ lastcard a\none\ntwo\n$ lastcard b\n") == [("lastcard a", "one\ntwo\n"), ("lastcard b", "")]


def test_a_wrong_option_in_a_page_is_noticed(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in ("serve --nothing", "rules --nothing", "arena heuristic random --ray auto --nothing"):
        with pytest.raises(AssertionError, match="nothing"):
            run_line(shlex.split(command), capsys, monkeypatch)


def test_a_wrong_option_in_a_container_is_noticed() -> None:
    check_container(shlex.split("podman run --name lastcard --publish 8000:8000 lastcard"))
    with pytest.raises(AssertionError, match="nothing"):
        check_container(shlex.split("podman run --rm lastcard serve --nothing"))


def enter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Works in an empty folder that has the repository's examples."""
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "docs" / "images").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERMINAL_WIDTH", "80")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))


def run_line(words: list[str], capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    words, output = (words[:-2], words[-1]) if ">" in words else (words, "")
    line = " ".join(words)
    if any(re.search(pattern, line) for pattern in ONLY_READ):
        check_words(words)
        return
    code, out, err = run(make_small(words), capsys, monkeypatch)
    assert code == 0 or NO_WONDER.search(err), f"lastcard {line}: {err}"
    if output:
        Path(output).write_text(out, encoding="utf-8")


def run(words: list[str], capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> tuple[object, str, str]:
    monkeypatch.setattr(sys, "argv", ["lastcard", *words])
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(SystemExit) as left:
        main()
    told = capsys.readouterr()
    return left.value.code, told.out, told.err


def make_small(words: list[str]) -> list[str]:
    """The same command with every count below its cap."""
    small = list(words)
    for index, word in enumerate(words):
        if word in CAPS and index + 1 < len(words):
            small[index + 1] = str(min(float(words[index + 1]), CAPS[word])).removesuffix(".0")
        small[index] = re.sub(r"(simulations)=\d+", r"\1=20", small[index])
        if word == "--level":
            small[index + 1] = "beginner"
    if "--resume" not in words:
        for option, value in USUALLY.get(words[0], {}).items():
            small += [] if option in words else [option, value]
    return small


def check_names(words: list[str]) -> None:
    """Checks that the command and its options exist, even if a sentence leaves out the rest."""
    known = dict(commands())
    name, *rest = f"lastcard {words[0]}", *words[1:]
    assert name in known, f"there is no {name}"
    is_group = any(other.startswith(f"{name} ") for other in known)
    if is_group and rest and rest[0].isalpha():
        name = f"{name} {rest.pop(0)}"
        assert name in known, f"there is no {name}"
    options = {"-h", "--help"}.union(*(parameter.opts + parameter.secondary_opts for parameter in known[name].params))
    for word in rest:
        assert not re.match(r"--?[a-z]", word) or word in options, f"there is no {name} {word}"


def check_words(words: list[str]) -> None:
    """Reads a command without running it."""
    if words[0].startswith("--"):
        _, root = next(commands())
        assert any(words[0] in parameter.opts for parameter in root.params), words[0]
        return
    name, command = max(
        ((name, command) for name, command in commands() if f"lastcard {' '.join(words)} ".startswith(f"{name} ")),
        key=lambda found: len(found[0]),
    )
    try:
        command.make_context(name, words[len(name.split()) - 1 :])
    except Exception as error:
        raise AssertionError(f"{' '.join(words)}: {error}") from error


def check_extras(words: list[str]) -> None:
    """Checks that the extras exist that pip is asked for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for word in words:
        for extra in re.findall(r"\[([\w,]+)\]", word):
            assert set(extra.split(",")) <= set(project["optional-dependencies"]), word


def check_container(words: list[str]) -> None:
    """Reads the command that a container is started with, behind the name of its image."""
    command = words[len(words) - words[::-1].index("lastcard") :] if words[1] == "run" else []
    if command:
        check_words(command)


def read_session(block: str) -> list[tuple[str, str]]:
    """The commands of a `console` block, each with what it should print."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def show(command: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> str:
    """Returns the output of a command; `cat FILE` works, too."""
    name, *words = shlex.split(command, comments=True)
    if name == "cat":
        return Path(words[0]).read_text(encoding="utf-8")
    assert name == "lastcard", command
    _, out, err = run(words, capsys, monkeypatch)
    return out + err
