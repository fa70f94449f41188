"""A program that speaks the engine protocol: its pipes, its faults and its end."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import time
import weakref
from collections import deque
from collections.abc import Sequence
from enum import Enum
from typing import Final, NoReturn

from lastcard.engine.protocol import (
    MAX_REPLY,
    Command,
    ProtocolError,
    Quit,
    Reply,
    decode_line,
    format_line,
    parse_reply,
)
from lastcard.errors import LastcardError, shorten
from lastcard.processes import Family, guard, mark_environment

_CHUNK: Final = 65_536
# Only the last line is reported; a program may write to standard error without end.
_STDERR_BYTES: Final = 4096
_MOST_UNHEARD: Final = 4_194_304
"""Bytes that a program may say while it does not read."""
_END_SECONDS: Final = 0.5
"""Time for a program that closed its output to exit."""
_BURY_SECONDS: Final = 5.0


class Fault(Enum):
    """The fault of an engine."""

    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    ILLEGAL = "illegal answer"
    GARBLED = "garbled line"
    REFUSED = "refused"


class EngineError(LastcardError):
    """An engine hung, died, or sent something illegal; by rule it loses the round."""

    def __init__(self, message: str, fault: Fault) -> None:
        super().__init__(message)
        self.fault = fault


class Program:
    """A running program, spoken to in lines and never waited for beyond a deadline."""

    def __init__(self, command: Sequence[str]) -> None:
        """Starts it, in a process group of its own.

        Raises:
            EngineError: if it cannot be started.
        """
        if not hasattr(os, "waitid"):
            needed = "playing against engines needs Linux, or macOS with Python 3.13 or newer"
            raise EngineError(f"cannot be started: {needed}", Fault.CRASHED)
        try:
            mark, environment = mark_environment()
            process = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,  # the selector sees only bytes that no buffer holds back
                start_new_session=True,  # Ctrl-C is for the table, and the whole group can be killed
            )
        except (OSError, ValueError) as error:
            raise EngineError(f"cannot be started: {getattr(error, 'strerror', '') or error}", Fault.CRASHED) from None
        guard.watch(process.pid)
        self._process = process
        self._family = Family([process.pid], mark)
        # Also at exit, and if nobody closes it: a forgotten engine must not keep a core busy.
        self._kill = weakref.finalize(self, _kill_program, process, self._family)
        pipes = (process.stdin, process.stdout, process.stderr)
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in pipes if pipe)
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)  # a program that does not read must not block the table
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._unsent = b""
        self._unread = b""
        self._lines: deque[bytes] = deque()
        self._received = 0
        self._complaints = b""
        self._is_closed = False

    def say(self, commands: Sequence[Command], deadline: float) -> None:
        """Writes lines and reads the program's output meanwhile.

        Raises:
            EngineError: if it dies or does not read them in time.
        """
        self._unsent += "".join(f"{format_line(command)}\n" for command in commands).encode()
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        most = self._received + _MOST_UNHEARD
        try:
            while self._unsent:
                self._wait(deadline, "read its input")
                if self._received > most:
                    raise EngineError("floods its output without reading its input", Fault.GARBLED)
        finally:
            self._selector.unregister(self._stdin)

    def hear(self, deadline: float, what: str) -> Reply:
        """The next line.

        Raises:
            EngineError: if none comes in time, or it is not of the protocol.
        """
        while not self._lines:
            if self._is_closed:
                self._report_end()
            self._wait(deadline, what)
        if time.monotonic() > deadline:  # lines keep coming, but the right one does not
            raise EngineError(f"did not {what} in time", Fault.TIMED_OUT)
        try:
            return parse_reply(decode_line(self._lines.popleft()))
        except ProtocolError as error:
            raise EngineError(f"sent an invalid protocol line: {error}", Fault.GARBLED) from None

    def leave(self, seconds: float) -> None:
        """Sends `quit`, waits for the given time, and kills the remaining processes."""
        deadline = time.monotonic() + seconds
        # Before `quit`: when the leader has exited, its children can no longer be found by their parent.
        self._family.hold()
        with contextlib.suppress(EngineError):  # one that cannot be asked to leave is killed below
            self.say([Quit()], deadline)
            while not self._is_closed:
                self._lines.clear()
                self._wait(deadline, "quit")
        self.kill()

    def kill(self) -> None:
        """Kills the program and whatever it started."""
        self._selector.close()
        self._kill()

    def _wait(self, deadline: float, what: str) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise EngineError(f"did not {what} in time", Fault.TIMED_OUT)
        for key, _ in self._selector.select(left):
            if key.fd == self._stdin:
                self._send()
            elif key.fd == self._stderr:
                self._complain(self._read(self._stderr))
            else:
                self._receive(self._read(self._stdout))

    def _send(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._stdin, self._unsent[:_CHUNK]) :]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent = b""
            self._report_end()

    def _receive(self, data: bytes | None) -> None:
        if data is None:
            return
        self._is_closed = not data
        self._received += len(data)
        *lines, self._unread = (self._unread + data).split(b"\n")
        if max(map(len, (*lines, self._unread))) >= MAX_REPLY:
            raise EngineError(f"sent a line longer than {MAX_REPLY} bytes", Fault.GARBLED)
        self._lines += [line for line in lines if line.strip()]

    def _complain(self, data: bytes | None) -> None:
        self._complaints = (self._complaints + (data or b""))[-_STDERR_BYTES:]

    def _read(self, pipe: int) -> bytes | None:
        """Reads the available output: empty at the end, None if there is nothing yet."""
        try:
            data = os.read(pipe, _CHUNK)
        except BlockingIOError:
            return None
        except OSError:  # the other end is gone: as good as an end of file
            data = b""
        if not data and pipe in self._selector.get_map():
            self._selector.unregister(pipe)
        return data

    def _report_end(self) -> NoReturn:
        """Describes how it ended, as far as known: its status, and its last line on standard error."""
        deadline = time.monotonic() + _END_SECONDS
        while (status := _peek_status(self._process.pid)) is None and time.monotonic() < deadline:
            time.sleep(0.01)  # the pipe closes a moment before the status can be read
        while data := self._read(self._stderr):
            self._complain(data)
            if time.monotonic() > deadline:
                break
        last = self._complaints.decode("utf-8", "replace").strip().rpartition("\n")[2].strip()
        said = f"; last line on standard error: {shorten(last, 200)}" if last else ""
        raise EngineError(f"{status or 'closed its output'}{said}", Fault.CRASHED)


def _peek_status(pid: int) -> str | None:
    """Exit status of a child, without reaping it: until then its process id cannot be reused."""
    with contextlib.suppress(ChildProcessError):
        found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is not None:
            how = "status" if found.si_code == os.CLD_EXITED else "signal"
            return f"ended with {how} {found.si_status}"
    return None


def _kill_program(process: subprocess.Popen[bytes], family: Family) -> None:
    # Before the leader is waited for: until then its process id, and so the group's, cannot go to another process.
    family.kill()
    guard.forget(process.pid)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_BURY_SECONDS)
