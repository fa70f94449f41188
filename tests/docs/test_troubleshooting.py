"""Every one-line error of the installation is on the page that explains it."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard.cli.commands import main
from lastcard.errors import LastcardError
from lastcard.store import open_store
from lastcard.web.server import bind
from tests.docs.pages import ROOT, read_page

PAGE = read_page("docs/how-to/troubleshooting.md")
_VARIABLE = re.compile(r"\$\{[^}]*\}|\$\([^)]*\)|\$\$?[\w*#?]+")


def messages(text: str) -> list[str]:
    """Returns the messages with which a shell script or Makefile gives up: a problem, a colon and the next step."""
    found = re.findall(r'(?:\bfail |\becho |\breason=)"([^"]+)"', text)
    return [
        message for message in dict.fromkeys(found) if ": " in message and not message.startswith(("==", "lastcard:"))
    ]


def fixed_parts(message: str) -> list[str]:
    """The words of a message that are always the same, without what stands in brackets at its end."""
    said, _, _ = message.partition("  (")
    return [part for part in map(str.strip, _VARIABLE.split(said)) if len(part) > 8]


def missing(text: str, page: str) -> list[str]:
    return [message for message in messages(text) if any(part not in page for part in fixed_parts(message))]


@pytest.mark.parametrize("file", ["tools/setup", "Makefile"])
def test_every_error_of_the_installation_is_explained(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert messages(text)
    assert missing(text, PAGE) == []


def test_an_error_that_is_not_explained_is_noticed() -> None:
    assert missing('    fail "the moon is full in $PWD: wait a day"\n', PAGE) == [
        "the moon is full in $PWD: wait a day"
    ]


def test_the_page_has_what_a_taken_port_says() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(LastcardError) as caught:
            bind("127.0.0.1", port)
    assert f"error: {caught.value}".replace(str(port), "8000") in PAGE


def test_the_page_has_what_a_locked_store_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["lastcard", "arena", "frequency", "random", "--games", "2", "--store", "games.db"]
    monkeypatch.setattr(sys, "argv", words)
    with open_store("games.db"), pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().err.strip() in PAGE


def test_the_page_has_what_a_missing_extra_says() -> None:
    program = "import sys; sys.modules['uvloop'] = None; from lastcard.cli.commands import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "serve", "--port", "0"], capture_output=True, text=True, check=False
    )
    problem, install, packages = done.stderr.partition(" -m pip install ")
    assert install
    assert f"{problem.rpartition(': ')[0]}: .venv/bin/python{install}{packages.partition(' ')[0]} ..." in PAGE
