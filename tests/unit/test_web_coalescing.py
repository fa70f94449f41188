"""Bytes that one turn of the event loop writes go out together, in order, and before the end."""

import asyncio
from collections.abc import Callable

from lastcard.web.api.coalescing import CoalescingTransport


class Recorder(asyncio.Transport):
    """Remembers what is written, and when it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[bytes | str] = []

    def write(self, data: object) -> None:
        assert isinstance(data, bytes)
        self.done.append(data)

    def close(self) -> None:
        self.done.append("closed")

    def is_closing(self) -> bool:
        return "closed" in self.done


def write(*steps: Callable[[CoalescingTransport, Recorder], None]) -> list[bytes | str]:
    """Returns the recorded writes of some steps, each followed by the end of a turn of the loop."""

    async def scenario() -> list[bytes | str]:
        recorder = Recorder()
        wire = CoalescingTransport(recorder, asyncio.get_running_loop())
        for step in steps:
            step(wire, recorder)
            await asyncio.sleep(0)
        return recorder.done

    return asyncio.run(scenario())


def test_writes_of_a_turn_go_out_together_and_in_order() -> None:
    def turn(wire: CoalescingTransport, recorder: Recorder) -> None:
        wire.write(b"ack ")
        wire.write(bytearray(b"view"))
        assert recorder.done == []

    assert write(turn, lambda wire, _: wire.write(b"next")) == [b"ack view", b"next"]


def test_what_is_gathered_is_written_before_it_closes() -> None:
    def turn(wire: CoalescingTransport, _: Recorder) -> None:
        wire.write(b"last words")
        wire.close()

    assert write(turn) == [b"last words", "closed"]


def test_nothing_is_written_to_a_closed_connection() -> None:
    """uvloop, unlike asyncio, raises an error where a connection is written to that the other side has cut off."""

    def turn(wire: CoalescingTransport, recorder: Recorder) -> None:
        wire.write(b"too late")
        recorder.close()

    assert write(turn) == ["closed"]
