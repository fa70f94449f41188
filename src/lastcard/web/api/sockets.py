"""The socket: one seat's view as it changes, and its actions."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress
from typing import Any, Final

import orjson
from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from lastcard.errors import LastcardError, RequestError
from lastcard.store.lease_rows import Peer
from lastcard.web.api.problems import problem_of, status_of, validation_error
from lastcard.web.contract.messages import (
    MESSAGES,
    Act,
    Back,
    Delegate,
    Join,
    Message,
    Next,
    Ping,
    React,
)
from lastcard.web.games.live_game import LiveGame
from lastcard.web.games.presence import Audience
from lastcard.web.hashes import hash_token
from lastcard.web.limits import user_of
from lastcard.web.metrics import ACTION_SECONDS, FORWARDED, MESSAGES_REFUSED, SOCKETS_CLOSED
from lastcard.web.peers import RELAYED, MovedError, RelayedClient
from lastcard.web.refusals import refuse
from lastcard.web.service import Service

_MOST_WAITING: Final = 64
"""Messages that may wait to be sent; a client that does not read is disconnected."""
_POLICY_VIOLATION: Final = 1008
_TOO_BIG: Final = 1009
_SERVICE_RESTART: Final = 1012
_TRY_AGAIN: Final = 1013


class _Closing(Exception):  # noqa: N818 - how a conversation ends
    """The server ends the conversation, after sending the reason."""

    def __init__(self, error: LastcardError, code: int = _POLICY_VIOLATION) -> None:
        super().__init__(str(error))
        self.problem = problem_of(error)
        self.code = code
        self.is_too_much = isinstance(error, RequestError) and error.status == 429


class _Moving(Exception):  # noqa: N818 - how a conversation ends
    """Another process has the game: the client has to connect again, and is told nothing that it would show."""


async def serve_socket(socket: WebSocket, service: Service) -> None:
    """Serves one client until either side leaves."""
    user = user_of(socket.client.host if socket.client else None)
    is_counted = RELAYED not in socket.scope
    await socket.accept()
    try:
        if is_counted:
            service.sockets.take(user)
    except RequestError as error:
        await service.throttle(user)
        await _leave(socket, _Closing(error, _TRY_AGAIN))
        return
    try:
        await _Conversation(socket, service, user).run()
    except _Closing as closing:
        if closing.is_too_much:
            await service.throttle(user)
        await _leave(socket, closing)
    except _Moving:
        SOCKETS_CLOSED.labels(str(_SERVICE_RESTART)).inc()
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(_SERVICE_RESTART)
    except WebSocketDisconnect:
        pass
    finally:
        if is_counted:
            service.sockets.give_back(user)


async def _leave(socket: WebSocket, closing: _Closing) -> None:
    SOCKETS_CLOSED.labels(str(closing.code)).inc()
    with suppress(WebSocketDisconnect, RuntimeError):  # the client has left
        await socket.send_text(_to_text({"type": "error", "error": closing.problem}))
        await socket.close(closing.code)


class _Conversation:
    """One socket from `join` to the end. One task reads, one writes."""

    def __init__(self, socket: WebSocket, service: Service, user: str) -> None:
        self._socket = socket
        self._service = service
        self._user = user
        self._waiting: deque[dict[str, Any]] = deque()
        self._news = asyncio.Event()
        self._has_view = False
        self._sent_ply = 0
        self._audience: Audience = None
        self._token_hash = ""

    async def run(self) -> None:
        """Joins a game and stays."""
        join, text = await self._expect_join()
        try:
            peer = await self._service.ownership.locate(join.game)
            if peer is not None:
                await self._relay(peer, text)
                return
            game, self._audience = await self._service.find(join.game, join.token, self._user)
        except MovedError:
            raise _Moving from None
        except LastcardError as error:
            raise _Closing(error) from None
        self._sent_ply = join.since
        self._token_hash = hash_token(join.token)
        game.join(self._audience, self._mark_changed)
        game.reactions.listen(self._hear)
        self._mark_changed()
        writing = asyncio.create_task(self._write(game))
        reading = asyncio.create_task(self._read(game))
        try:
            done, _ = await asyncio.wait((reading, writing), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            game.leave(self._audience, self._mark_changed)
            game.reactions.stop_listening(self._hear)
            for task in (reading, writing):
                task.cancel()
            await asyncio.gather(reading, writing, return_exceptions=True)

    async def _expect_join(self) -> tuple[Join, str]:
        """The first message, and its text."""
        try:
            text = await asyncio.wait_for(self._receive_text(), self._service.limits.join_seconds)
            message = self._read_message(text)
        except TimeoutError:
            raise _Closing(RequestError("expected a join first", status=408)) from None
        except RequestError as error:
            raise _Closing(error) from None
        if not isinstance(message, Join):
            raise _Closing(RequestError(f"expected a join first, not {message.type}", status=409, field="type"))
        return message, text

    async def _relay(self, peer: Peer, text: str) -> None:
        """Lets the process that has the game talk to the client."""
        FORWARDED.labels("socket").inc()
        client = RelayedClient(self._receive_text, self._socket.send_text)
        code = await self._service.peers.relay(peer, self._user, text, client)
        if code in (None, 1005, 1006):
            raise _Moving
        with suppress(WebSocketDisconnect, RuntimeError):
            await self._socket.close(code)

    def _check_seat(self, game: LiveGame) -> None:
        """Ends the conversation of a person who has left the seat, perhaps on another device."""
        if not game.presence.holds(self._audience, self._token_hash):
            raise _Closing(refuse("left_seat"))

    # Reading

    async def _receive(self) -> Message:
        """The next message.

        Raises:
            RequestError: if it is not one.
            _Closing: if it is too long, no text, or one too many.
        """
        return self._read_message(await self._receive_text())

    async def _receive_text(self) -> str:
        received = await self._socket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received.get("code", 1000))
        text = received.get("text")
        if text is None:
            raise _Closing(RequestError("frames must be text", status=400))
        most = self._service.limits.max_frame_bytes
        # Characters first: a text that is far too long is not encoded to find that out.
        if len(text) > most or len(text.encode("utf-8", "surrogatepass")) > most:
            raise _Closing(RequestError(f"frames must be at most {most} bytes", status=413), _TOO_BIG)
        return str(text)

    def _read_message(self, text: str) -> Message:
        try:
            self._service.requests.take(self._user)
        except RequestError as error:
            raise _Closing(error, _TRY_AGAIN) from None
        return read_message(text)

    async def _read(self, game: LiveGame) -> None:
        while True:
            try:
                message = await self._receive()
            except RequestError as error:
                self._refuse(None, error)
                continue
            self._check_seat(game)
            game.used = self._service.clock()
            identity = getattr(message, "id", None)
            try:
                await self._service.ownership.make_sure()
                await self._answer(game, message)
            except LastcardError as error:
                if game.is_moved or isinstance(error, MovedError):
                    raise _Moving from None
                if isinstance(error, RequestError) and error.status == 429:
                    await self._service.throttle(self._user)
                self._refuse(identity, error)

    async def _answer(self, game: LiveGame, message: Message) -> None:
        match message:
            case Act():
                ack, begun = {"type": "ack", "id": message.id, "ply": message.ply}, time.perf_counter()

                def acknowledge() -> None:
                    ACTION_SECONDS.observe(time.perf_counter() - begun)
                    self._queue(ack)

                await game.act(self._audience, message.ply, message.action, acknowledge)
            case Next():
                game.observation(self._audience)
                await game.next_round()
            case Back():
                game.welcome(self._audience)
            case Delegate():
                await game.delegate(self._audience)
            case React():
                game.react(self._audience, message.reaction)
            case Ping():
                self._queue({"type": "pong"})
            case Join():
                raise RequestError(
                    "this socket has joined a game already; open another socket", status=409, field="type"
                )

    # Writing

    def _mark_changed(self) -> None:
        """Listens to the game: there is something new to send."""
        self._has_view = True
        self._news.set()

    def _queue(self, message: dict[str, Any]) -> None:
        self._waiting.append(message)
        self._news.set()

    def _hear(self, reaction: dict[str, Any]) -> None:
        """Queues a reaction, unless the client reads so slowly that it would be out of place."""
        if len(self._waiting) < _MOST_WAITING // 2:
            self._queue(reaction)

    def _refuse(self, identity: str | int | None, error: LastcardError) -> None:
        MESSAGES_REFUSED.labels(str(status_of(error))).inc()
        self._queue({"type": "refused", "id": identity, "error": problem_of(error)})

    async def _write(self, game: LiveGame) -> None:
        """Sends waiting messages, then the view if it has changed."""
        # The game only marks the view as changed, and it is made when the client is ready for it: a slow client skips
        # views, but its next one has all events since the last.
        while True:
            await self._news.wait()
            self._news.clear()
            if len(self._waiting) > _MOST_WAITING:
                raise _Closing(RequestError("the client does not read", status=408))
            while self._waiting:
                await self._socket.send_text(_to_text(self._waiting.popleft()))
            # After a pause the game may be at another process; once that is known, there is news.
            if self._has_view and (game.failure or self._service.lease.is_sure):
                await self._write_view(game)

    async def _write_view(self, game: LiveGame) -> None:
        # Messages that came meanwhile go first: an action is acknowledged before its result is shown.
        while self._waiting:
            await self._socket.send_text(_to_text(self._waiting.popleft()))
        self._check_seat(game)
        try:
            view = game.view(self._audience, self._sent_ply)
        except RequestError as error:
            is_moving = game.is_moved or isinstance(error, MovedError)
            raise (_Moving() if is_moving else _Closing(error, _TRY_AGAIN)) from None
        self._has_view = False
        self._sent_ply = view["ply"]
        await self._socket.send_text(_to_text({"type": "view", "view": view}))


def read_message(text: str) -> Message:
    """Reads a message of a client.

    Raises:
        RequestError: with status 422, if it is not one.

    >>> read_message('{"type": "ping"}')
    Ping(type='ping')
    """
    try:
        return MESSAGES.validate_python(orjson.loads(text))
    except orjson.JSONDecodeError:
        raise refuse("bad_request", reason="a message must be a JSON object") from None
    except ValidationError as error:
        raise validation_error(error.errors(include_url=False, include_context=False, include_input=False)) from None


def _to_text(message: dict[str, Any]) -> str:
    return orjson.dumps(message).decode()
