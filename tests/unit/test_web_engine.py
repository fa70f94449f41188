"""The engine for browsers: served as WebAssembly, compressed, under a policy that allows it; never committed."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from lastcard.web import engine_files
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
        assert (await client.get("/engine/official-2.safetensors")).status == 200
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self' 'wasm-unsafe-eval';" in policy
        assert "unsafe-inline" not in policy
        assert "'unsafe-eval'" not in policy

    run(folder, scenario)


def test_nothing_beside_the_engine_is_sent(folder: Path) -> None:
    async def scenario(client: Client) -> None:
        for path in ("web.db", "../web.db", "%2e%2e/web.db", "", "official-9.safetensors"):
            assert (await client.get(f"/engine/{path}")).status == 404, path

    run(folder, scenario)


def test_a_server_without_the_engine_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert make_catalog(Limits())["device"] is True
    monkeypatch.setattr(engine_files, "ENGINE", Path("nowhere"))

    async def scenario(client: Client) -> None:
        assert (await client.get("/api/catalog")).json["device"] is False
        assert (await client.get("/engine/lastcard.wasm")).status == 404

    run(folder, scenario)
