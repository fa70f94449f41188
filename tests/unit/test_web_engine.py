"""The engine for browsers: served as WebAssembly, compressed, under a policy that allows it; never committed."""

from __future__ import annotations

import asyncio
import gzip
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import brotli
import pytest

from lastcard.network import shipped_file
from lastcard.web import engine_files
from lastcard.web.api import page
from lastcard.web.api.app import STATIC
from lastcard.web.api.catalog import make_catalog
from lastcard.web.limits import Limits
from tests.unit.asgi import Client, serving

ROOT = Path(__file__).parents[2]
BYTES = b"\0asm" + bytes(5_000)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    engine = tmp_path / "lastcard.wasm"
    engine.write_bytes(BYTES)
    monkeypatch.setattr(engine_files, "ENGINE", engine)
    return tmp_path


def run(folder: Path, scenario: Callable[[Client], Awaitable[None]]) -> None:
    async def main() -> None:
        async with serving(folder) as client:
            await scenario(client)

    asyncio.run(main())


def test_the_engine_is_sent_compressed_and_with_its_type(folder: Path) -> None:
    async def scenario(client: Client) -> None:
        answer = await client.get("/engine/lastcard.wasm", **{"accept-encoding": "gzip"})
        assert (answer.status, answer.headers["content-type"]) == (200, "application/wasm")
        assert answer.headers["content-encoding"] == "gzip"
        assert gzip.decompress(answer.body) == BYTES
        network = await client.get("/engine/family-2.safetensors", **{"accept-encoding": "br"})
        assert (network.status, network.headers["content-encoding"]) == (200, "br")
        assert brotli.decompress(network.body) == shipped_file("family-2").read_bytes()
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self' 'wasm-unsafe-eval';" in policy
        assert "unsafe-inline" not in policy
        assert "'unsafe-eval'" not in policy

    run(folder, scenario)


def test_the_page_names_the_version_under_which_a_browser_may_keep_the_engine(folder: Path) -> None:
    async def scenario(client: Client) -> None:
        for accepted in ("br", "identity"):
            shown = await client.get("/", **{"accept-encoding": accepted})
            assert shown.headers["cache-control"] == "no-cache"
            text = (brotli.decompress(shown.body) if "content-encoding" in shown.headers else shown.body).decode()
            [version] = re.findall(r'<meta name="lastcard-engine" content="(\w+)" />', text)
        kept = await client.get(f"/engine/lastcard.wasm?v={version}")
        assert "immutable" in kept.headers["cache-control"]
        for query in ("", "?v=", "?v=other"):
            answer = await client.get(f"/engine/lastcard.wasm{query}")
            assert answer.headers["cache-control"] == "no-cache"
        again = await client.get("/", **{"if-none-match": shown.headers["etag"]})
        assert again.status == 304
        (folder / "lastcard.wasm").write_bytes(BYTES + b"more")
        changed = await client.get(f"/engine/lastcard.wasm?v={version}")
        assert (changed.headers["cache-control"], changed.headers["etag"] != kept.headers["etag"]) == ("no-cache", True)
        assert (await client.get("/", **{"if-none-match": shown.headers["etag"]})).status == 200

    run(folder, scenario)


def test_a_file_is_known_by_its_content_whenever_it_was_installed(folder: Path) -> None:
    async def scenario(client: Client) -> None:
        tag = (await client.get("/engine/lastcard.wasm")).headers["etag"]
        os.utime(folder / "lastcard.wasm", (1, 1))
        assert (await client.get("/engine/lastcard.wasm", **{"if-none-match": tag})).status == 304

    run(folder, scenario)


def test_the_page_is_compressed_before_anybody_asks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[str, str | None]] = []
    monkeypatch.setattr(page, "_encode", lambda version, encoding: done.append((version.path.suffix, encoding)))
    monkeypatch.setattr(page, "ENGINE", folder / "lastcard.wasm")
    page.compress_early(STATIC).join(60)
    assert {(suffix, encoding) for suffix in (".js", ".css", ".wasm") for encoding in ("br", "gzip")} <= set(done)


def test_every_font_is_kept_for_ever(tmp_path: Path) -> None:
    async def scenario(client: Client) -> None:
        fonts = [file.relative_to(STATIC) for file in STATIC.rglob("*.woff2")]
        assert len(fonts) == 2
        for font in fonts:
            assert "immutable" in (await client.get(f"/{font}")).headers["cache-control"]

    run(tmp_path, scenario)


def test_nothing_beside_the_engine_is_sent(folder: Path) -> None:
    async def scenario(client: Client) -> None:
        for path in ("web.db", "../web.db", "%2e%2e/web.db", "", "official-9.safetensors"):
            assert (await client.get(f"/engine/{path}")).status == 404, path

    run(folder, scenario)


def test_the_catalog_says_which_tables_a_level_plays() -> None:
    tables = {level["name"]: level["tables"] for level in make_catalog(Limits())["levels"]}
    assert tables.pop("champion") == ["official players=2"]
    assert set(tables.values()) == {None}


def test_a_server_without_the_engine_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert make_catalog(Limits())["device"] is True
    for module in (engine_files, page):
        monkeypatch.setattr(module, "ENGINE", Path("nowhere", "lastcard.wasm"))

    async def scenario(client: Client) -> None:
        assert (await client.get("/api/catalog")).json["device"] is False
        for name in ("lastcard.wasm", "family-2.safetensors", ""):
            assert (await client.get(f"/engine/{name}")).status == 404

    run(folder, scenario)
    assert not caplog.messages
