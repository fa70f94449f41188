"""Coalesced writes: messages of one turn of the event loop are sent together.

Each write wakes the reader, which costs more than making the message; an acknowledgment and the view that it leads to
are made in one turn.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class CoalescingProtocol(WebSocketsSansIOProtocol):
    """uvicorn's own protocol over a transport that coalesces writes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wraps the transport of the connection."""
        super().connection_made(transport)
        self.transport = CoalescingTransport(self.transport, self.loop)


class CoalescingTransport(asyncio.Transport):
    """Collects the writes of one turn of the loop and sends them at its end, in order; passes on all else."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._collected: list[bytes] = []

    def write(self, data: Any) -> None:
        """Writes at the end of this turn of the loop."""
        if not self._collected:
            self._loop.call_soon(self.flush)
        self._collected.append(bytes(data))

    def flush(self) -> None:
        """Sends the collected writes now."""
        if self._collected:
            data, self._collected = b"".join(self._collected), []
            if not self._transport.is_closing():  # a client that has gone reads nothing more
                self._transport.write(data)

    def close(self) -> None:
        """Closes after everything is sent."""
        self.flush()
        self._transport.close()

    def abort(self) -> None:
        """Closes immediately."""
        self._transport.abort()

    def is_closing(self) -> bool:
        """True if it is closed, or about to be."""
        return self._transport.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Information of the transport."""
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Pauses reading."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Resumes reading."""
        self._transport.resume_reading()
