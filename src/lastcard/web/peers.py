"""Peers: other processes that serve the same store, and requests that are passed on to them.

Each process listens at a private address, where it answers only those who know its secret. Both are in the store. The
secret itself is never sent: requests and answers carry codes that are made with it.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import h11
import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from lastcard.errors import RequestError
from lastcard.store.lease_rows import Peer
from lastcard.web.refusals import REFUSALS

KEY_HEADER: Final = "lastcard-key"
"""Header of a request: a number that is used once, and a code of it and of the user."""
USER_HEADER: Final = "lastcard-user"
PROOF_HEADER: Final = "lastcard-proof"
"""Header of an answer: a code that only the process with the secret can give for this request. Another program may
listen at the address of one that has died."""
RELAYED: Final = "lastcard.relayed"
"""In the scope of a request that another process has passed on, and has counted for its user: the proof to answer
with."""
_CONNECT_SECONDS: Final = 1.0
_CHUNK_BYTES: Final = 65_536
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RelayedClient:
    """The client's side of a WebSocket that is relayed."""

    receive: Callable[[], Awaitable[str]]
    """Gives the next message; what it raises ends the relay."""
    send: Callable[[str], Awaitable[None]]


class MovedError(RequestError):
    """The game is moving to another process: the client has to ask again."""

    def __init__(self) -> None:
        refusal = REFUSALS["moving"]
        super().__init__(refusal.text, status=refusal.status, retry_after_seconds=1.0, code="moving")


@dataclass(frozen=True, slots=True)
class Answer:
    """A response of another process."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def read(self) -> Any:
        """The JSON values in it.

        Raises:
            RequestError: with the status and the message, if it is an error.
        """
        values = orjson.loads(self.body)
        if self.status >= 400:
            problem = values["error"]
            known = {name: problem[name] for name in ("field", "code", "values") if name in problem}
            raise RequestError(problem["message"], status=self.status, **known)
        return values


class Peers:
    """Passes requests on, and gives up waiting for a process that has died. Use it in one event loop."""

    def __init__(self) -> None:
        self.secret = secrets.token_urlsafe(32)
        """Secret that others have to know to be answered."""
        self._waiting: dict[int, set[asyncio.Future[None]]] = {}
        """Requests that wait for each process."""

    def admit(self, key: str, user: str) -> str | None:
        """Returns the proof to answer with if the key was made with the secret of this process, else None."""
        number, _, code = key.partition(" ")
        if not hmac.compare_digest(code.encode(), _sign(self.secret, "ask", number, user).encode()):
            return None
        return _sign(self.secret, "answer", number)

    def note_living(self, numbers: Iterable[int]) -> None:
        """Notes which processes live: others are not waited for any longer, as one that is paused never answers."""
        for number in set(self._waiting) - set(numbers):
            for waiting in self._waiting[number]:
                if not waiting.done():
                    waiting.set_result(None)

    async def answers(self, peer: Peer) -> bool:
        """Returns whether the process accepts connections."""
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                _, writer = await asyncio.open_connection(*_split(peer.address))
        except (OSError, TimeoutError):
            return False
        writer.close()
        return True

    async def ask(
        self, peer: Peer, user: str, method: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> Answer:
        """The response of that process to a request of the user.

        Raises:
            MovedError: if it ends meanwhile, or another program answers in its place.
        """
        own, proof = _introduce(peer, user)
        known = {**headers, **own, "host": peer.address, "connection": "close"}
        if body:
            known["content-length"] = str(len(body))
        request = h11.Request(method=method, target=target, headers=list(known.items()))
        try:
            answer = await self._while_it_lives(peer, _send(peer.address, request, body))
        except (OSError, h11.RemoteProtocolError):
            raise MovedError from None
        if answer.headers.get(PROOF_HEADER) != proof:
            raise MovedError
        return answer

    async def ask_json(self, peer: Peer, user: str, target: str, values: object) -> Any:
        """Posts JSON values, and returns those of the response; raises as `ask` and `Answer.read`."""
        headers = {"content-type": "application/json"}
        return (await self.ask(peer, user, "POST", target, headers, orjson.dumps(values))).read()

    async def relay(self, peer: Peer, user: str, first: str, client: RelayedClient) -> int | None:
        """Relays a WebSocket until either side ends it; returns the code with which the other process did.

        Args:
            peer: The process.
            user: The user.
            first: The message that the client has sent already.
            client: The client's side.
        """
        own, proof = _introduce(peer, user)
        opening = connect(
            f"ws://{peer.address}/ws",
            additional_headers=own,
            compression=None,
            ping_interval=None,
            max_size=None,
            open_timeout=_CONNECT_SECONDS,
            close_timeout=_CONNECT_SECONDS,  # a paused process never says goodbye
            proxy=None,
        )
        try:
            async with opening as socket:
                if socket.response is None or socket.response.headers.get(PROOF_HEADER) != proof:
                    return None
                await socket.send(first)
                return await self._while_it_lives(peer, _relay_both_ways(socket, client))
        except (OSError, TimeoutError, WebSocketException, MovedError):
            return None

    async def _while_it_lives(self, peer: Peer, work: Awaitable[T]) -> T:
        task, death = asyncio.ensure_future(work), asyncio.get_running_loop().create_future()
        self._waiting.setdefault(peer.number, set()).add(death)
        try:
            await asyncio.wait((task, death), return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise MovedError
            return task.result()
        finally:
            self._waiting[peer.number].discard(death)
            if not self._waiting[peer.number]:
                del self._waiting[peer.number]
            task.cancel()


async def _relay_both_ways(socket: ClientConnection, client: RelayedClient) -> int | None:
    async def pass_up() -> None:
        while True:
            await socket.send(await client.receive())

    async def pass_down() -> None:
        while True:
            text = await socket.recv(decode=True)
            assert isinstance(text, str)
            await client.send(text)

    tasks = [asyncio.create_task(pass_up()), asyncio.create_task(pass_down())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        done.pop().result()
    except ConnectionClosed as closed:
        if closed.rcvd:
            return closed.rcvd.code
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return None


async def _send(address: str, request: h11.Request, body: bytes) -> Answer:
    async with asyncio.timeout(_CONNECT_SECONDS):
        reader, writer = await asyncio.open_connection(*_split(address))
    try:
        connection = h11.Connection(h11.CLIENT)
        for event in (request, *((h11.Data(data=body),) if body else ()), h11.EndOfMessage()):
            writer.write(connection.send(event) or b"")
        await writer.drain()
        status, headers, parts = 0, dict[str, str](), list[bytes]()
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                connection.receive_data(await reader.read(_CHUNK_BYTES))
            elif isinstance(event, h11.Response):
                status = event.status_code
                headers = {name.decode(): value.decode("latin-1") for name, value in event.headers}
            elif isinstance(event, h11.Data):
                parts.append(bytes(event.data))
            elif isinstance(event, h11.EndOfMessage):
                return Answer(status, headers, b"".join(parts))
    finally:
        writer.close()


def _introduce(peer: Peer, user: str) -> tuple[dict[str, str], str]:
    """Headers of a request to the process, and the proof that its answer must carry."""
    number = secrets.token_urlsafe(12)
    headers = {KEY_HEADER: f"{number} {_sign(peer.secret, 'ask', number, user)}", USER_HEADER: user}
    return headers, _sign(peer.secret, "answer", number)


def _sign(secret: str, *words: str) -> str:
    return hmac.new(secret.encode(), "\n".join(words).encode(), hashlib.sha256).hexdigest()


def _split(address: str) -> tuple[str, int]:
    """Host and port.

    >>> _split("127.0.0.1:8001"), _split("[::1]:8001")
    (('127.0.0.1', 8001), ('::1', 8001))
    """
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)
