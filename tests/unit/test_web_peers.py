"""Requests between processes: the secret is never sent, and only its owner can answer."""

from __future__ import annotations

import asyncio

import pytest

from lastcard.store.lease_rows import Peer
from lastcard.web.peers import KEY_HEADER, PROOF_HEADER, MovedError, Peers

SECRET = "the secret of a process that has died"


def test_a_program_that_repeats_what_it_was_told_is_not_believed() -> None:
    """It has taken the address of a dead process, and answers with the code of the request."""
    heard: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append((await reader.readuntil(b"\r\n\r\n")).decode())
        key = next(line for line in heard[-1].splitlines() if line.startswith(KEY_HEADER))
        for_sale = f"{PROOF_HEADER}: {key.split()[-1]}\r\ncontent-length: 2\r\nconnection: close\r\n"
        writer.write(f"HTTP/1.1 200 OK\r\n{for_sale}\r\n{{}}".encode())
        await writer.drain()
        writer.close()

    async def scenario() -> None:
        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            host, port = server.sockets[0].getsockname()
            peer = Peer(1, f"{host}:{port}", SECRET)
            with pytest.raises(MovedError):
                await Peers().ask(peer, "192.0.2.1", "GET", "/api/games/1", {}, b"")

    asyncio.run(scenario())
    assert heard
    assert SECRET not in heard[0]


def test_a_key_is_made_for_one_user_and_one_process() -> None:
    one, other = Peers(), Peers()
    for key in ("", "n", "n code", "\N{SNOWMAN} \N{SNOWMAN}"):
        assert one.admit(key, "192.0.2.1") is None
    assert one.secret != other.secret
