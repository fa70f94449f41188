"""The core as WebAssembly in Chromium: the same decisions and counts as in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.static_host import Host
from tests.wasm.cases import MODULE, ROOT, compare
from tests.wasm.counting import check_perft, check_signature

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="the module is not built: run make wasm")

START = """async () => {
    const { Engine } = await import("/wasm/lastcard.js");
    const agreement = await import("/tests/wasm/agreement.mjs");
    const engine = await Engine.load(fetch("/build/wasm/lastcard.wasm"));
    for (const name of agreement.NETWORKS) {
        const file = await fetch(`/src/lastcard/networks/${name}.safetensors`);
        engine.loadNetwork(name, new Uint8Array(await file.arrayBuffer()));
    }
    Object.assign(globalThis, { engine, agreement });
}"""

Ask = Callable[[str, Any], Any]


@pytest.fixture(scope="module")
def ask(browser: Browser) -> Iterator[Ask]:
    """Calls a function of agreement.mjs in a page that has the engine."""
    host = Host(ROOT, "wasm")
    host.start()
    page = browser.new_context().new_page()
    page.set_default_timeout(0)
    page.goto(host.url)
    page.evaluate(START)
    yield lambda name, asked: page.evaluate(f"(asked) => agreement.{name}(engine, asked)", asked)
    page.context.close()
    host.stop()


def test_agents_decide_alike_in_chromium(ask: Ask) -> None:
    check_decisions(ask, 300)


@pytest.mark.slow
def test_ten_thousand_decisions_are_alike_in_chromium(ask: Ask) -> None:
    check_decisions(ask, 10_000)


def check_decisions(ask: Ask, number: int) -> None:
    choices, differences = compare(number, lambda cases: ask("agree", cases))
    assert not differences, differences[0]
    assert choices >= number


def test_counts_agree_in_chromium(ask: Ask) -> None:
    check_perft(lambda asked: ask("count", asked))
    check_signature(lambda asked: ask("count", asked))
