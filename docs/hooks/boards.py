"""Live boards: pages with one load its scripts, and the site holds the core that they call.

A board is an element such as `<div data-board="halving">`; `docs/boards/` has a script for each kind. Its contents are
shown without scripts, and if the core was not built (`make wasm`).
"""

from __future__ import annotations

import base64
import gzip
import json
import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url

from lastcard.network import SHIPPED, shipped_file

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

log = logging.getLogger("mkdocs.hooks.boards")

ROOT: Final = Path(__file__).parents[2]
MODULE: Final = ROOT / "build" / "wasm" / "lastcard.wasm"
ADVISOR: Final = SHIPPED["advisor"]["official"]
"""The network that `halving` asks by the rules of the boards."""
_BOARD: Final = re.compile(r'data-board="([a-z]+)"')
_MODULE_ONLY: Final = re.compile(r"^(import .*;\n|export )", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the core and the network that advises as scripts."""
    if MODULE.is_file():
        files.append(File.generated(config, "boards/engine.js", content=make_script()))
        files.append(File.generated(config, f"boards/{ADVISOR}.js", content=make_network_script()))
    else:
        log.info("the boards show their fixed tables: build the core with `make wasm`")
    return files


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Adds the scripts of the boards on a page."""
    addresses = [get_relative_url(script, page.url) for script in list_scripts(html)]
    return html + "".join(f'<script src="{address}" defer></script>\n' for address in addresses)


def list_scripts(html: str) -> list[str]:
    """The scripts of the boards on a page, in the order in which they need each other."""
    kinds = dict.fromkeys(_BOARD.findall(html))
    return [f"boards/{name}.js" for name in ("board", *kinds)] if kinds else []


def make_script() -> str:
    """A worker with the core. Pages that are opened as files run it as a script, and make a worker of its function."""
    sources = (ROOT / "wasm" / "lastcard.js", ROOT / "docs" / "boards" / "worker.js")
    code = _MODULE_ONLY.sub("", "".join(source.read_text(encoding="utf-8") for source in sources))
    return (
        f'function lastcardWorker(wasm) {{\n"use strict";\n{code}answerBoards(self, wasm);\n}}\n'
        f"var lastcardWasm = {json.dumps(_pack(MODULE))};\n"
        'if (typeof document === "undefined") lastcardWorker(lastcardWasm);\n'
    )


def make_network_script() -> str:
    """A script with the network, which a board loads when it is first needed."""
    packed = _pack(Path(str(shipped_file(ADVISOR))))
    return f"(globalThis.lastcardNetworks ??= {{}})[{json.dumps(ADVISOR)}] = {json.dumps(packed)};\n"


def _pack(file: Path) -> str:
    return base64.b64encode(gzip.compress(file.read_bytes(), mtime=0)).decode("ascii")
