"""How messages reach the wire: those of one turn of the event loop together.

Each write wakes whoever reads it, which costs more than making the message; an acknowledgment and the view that it
leads to are made in one turn.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class CoalescingProtocol(WebSocketsSansIOProtocol):
    """uvicorn's own protocol over a transport that gathers."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Takes the connection over."""
        super().connection_made(transport)
        self.transport = CoalescingTransport(self.transport, self.loop)


class CoalescingTransport(asyncio.Transport):
    """Writes what is written in one turn of the loop at its end, in order; all else is the transport's doing."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._gathered: list[bytes] = []

    def write(self, data: Any) -> None:
        """Writes soon."""
        if not self._gathered:
            self._loop.call_soon(self.flush)
        self._gathered.append(bytes(data))

    def flush(self) -> None:
        """Writes now what was gathered."""
        if self._gathered:
            data, self._gathered = b"".join(self._gathered), []
            if not self._transport.is_closing():  # whoever has cut the connection off reads nothing more
                self._transport.write(data)

    def close(self) -> None:
        """Closes once everything is written."""
        self.flush()
        self._transport.close()

    def abort(self) -> None:
        """Closes at once."""
        self._transport.abort()

    def is_closing(self) -> bool:
        """Whether it is closed, or about to be."""
        return self._transport.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """What the transport knows of itself."""
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Reads no more for now."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Reads on."""
        self._transport.resume_reading()
