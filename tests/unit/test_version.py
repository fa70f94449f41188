"""The version is written in one place, and the same everywhere."""

import re
import subprocess
import sys
from pathlib import Path

import lastcard
from lastcard.version import __version__

ROOT = Path(__file__).parents[2]


def test_the_package_has_it() -> None:
    assert lastcard.__version__ == __version__
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)


def test_python_m_lastcard_prints_it() -> None:
    ran = subprocess.run([sys.executable, "-m", "lastcard", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout == f"lastcard {__version__}\n"


def test_the_citation_has_it() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
