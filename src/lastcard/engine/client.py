"""Any program that speaks the engine protocol, as an agent."""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import subprocess
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NoReturn

from lastcard.actions import Action
from lastcard.engine.position import write_position
from lastcard.engine.processes import Family, mark_environment
from lastcard.engine.protocol import (
    MAX_REPLY,
    MOST_OPTIONS,
    MOST_SECONDS,
    MOST_SIMULATIONS,
    VERSION,
    Best,
    Command,
    Failure,
    Go,
    Hello,
    Info,
    Name,
    NewRound,
    Option,
    OptionValue,
    Position,
    ProtocolError,
    Quit,
    Ready,
    Reply,
    SetOption,
    Stop,
    check_value,
    decode_line,
    format_line,
    parse_reply,
)
from lastcard.errors import AgentError, LastcardError, require_float, require_int, shorten
from lastcard.observation import Observation, check_decision

_CHUNK: Final = 65_536
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


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """Budget of an engine, and timeouts."""

    simulations: int = 0
    """Simulations a decision; 0: as the engine likes."""
    seconds: float = 0.0
    """Time for a decision instead, if more than 0."""
    patience_seconds: float = 10.0
    """Time for an answer beyond `seconds`; after that `stop` is sent."""
    stop_seconds: float = 2.0
    """Time for an answer after `stop`; after that the engine has lost."""
    start_seconds: float = 30.0
    """Time for the introduction."""

    def __post_init__(self) -> None:
        require_int("simulations", self.simulations, 0, MOST_SIMULATIONS, AgentError)
        require_float("seconds", self.seconds, 0, MOST_SECONDS, AgentError)
        for name in ("patience_seconds", "stop_seconds", "start_seconds"):
            require_float(name, getattr(self, name), 0.001, MOST_SECONDS, AgentError)

    def make_go(self) -> Go:
        """The `go` command with the budget."""
        if self.seconds > 0:
            return Go(seconds=self.seconds)
        return Go(simulations=self.simulations) if self.simulations else Go()


class EngineAgent:
    """An agent that plays with the program behind a command; like any other agent, except for its errors.

    The program is started when it is first needed, and again after an error. No call waits longer than the config
    allows, and all processes that the program started are killed with it.

    >>> agent = EngineAgent("python my_engine.py", EngineConfig(seconds=0.5))
    >>> agent.name
    'python my_engine.py'
    """

    def __init__(
        self,
        command: str | Sequence[str],
        config: EngineConfig | None = None,
        seed: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> None:
        """Prepares the agent; nothing is started yet.

        Args:
            command: The program with its arguments; as one text, it is split as a shell would, but no shell runs.
            config: Budget and patience.
            seed: What the engine's option `seed` is set to, if it has one.
            options: Options of the engine to set.

        Raises:
            AgentError: if there is no command in it, or the config or an option is none.
        """
        if not isinstance(config, EngineConfig | None):
            raise AgentError(f"config must be an EngineConfig, not {shorten(config)}")
        self.command = _split(command)
        self.config = config or EngineConfig()
        self.seed = seed
        self.options = dict(options or {})
        self.name = command if isinstance(command, str) else shlex.join(command)
        """Name that the engine sent; before it is started, its command."""
        self.info: Info | None = None
        """The last `info` of the engine about its current choice."""
        self.on_info: Callable[[Info], None] | None = None
        """Called with each of these."""
        self._program: Program | None = None
        self._told: Observation | None = None

    def start(self) -> None:
        """Starts the program and lets it introduce itself, unless it is running.

        Raises:
            EngineError: if it cannot be started or does not speak the protocol.
        """
        if self._program is not None:
            return
        self._told = None
        try:
            self._program = Program(self.command)
            self._introduce(self._program, time.monotonic() + self.config.start_seconds)
        except EngineError as error:
            self.kill()
            raise EngineError(f"engine {shorten(self.name)} {error}", error.fault) from None
        except BaseException:  # Ctrl-C as well: no program may outlive a start that was given up
            self.kill()
            raise

    def choose(self, observation: Observation) -> Action:
        """Returns the engine's choice of `observation.legal_actions`.

        Raises:
            EngineError: if it hangs, dies, or answers with anything else; the program is killed.
        """
        check_decision(observation)
        self.start()
        assert self._program is not None
        try:
            return self._ask(self._program, observation)
        except EngineError as error:
            self.kill()
            raise EngineError(f"engine {shorten(self.name)} {error}", error.fault) from None
        except BaseException:
            self.kill()  # an answer may still come, and would be taken for the next one
            raise

    def close(self) -> None:
        """Lets the program go; one that does not is killed."""
        if self._program is not None:
            self._program.leave(self.config.stop_seconds)
            self._program = None

    def kill(self) -> None:
        """Ends the program immediately."""
        if self._program is not None:
            self._program.kill()
            self._program = None

    def __enter__(self) -> EngineAgent:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _introduce(self, program: Program, deadline: float) -> None:
        program.say([Hello()], deadline)
        offered: dict[str, Option] = {}
        name = ""
        while not isinstance(reply := program.hear(deadline, "introduce itself"), Hello):
            if isinstance(reply, Name):
                name = reply.name
            elif isinstance(reply, Option) and len(offered) < MOST_OPTIONS:
                offered[reply.name] = reply
            else:
                _refuse(reply, f"name, at most {MOST_OPTIONS} options and lastcard {VERSION}")
        if reply.version != VERSION:
            raise EngineError(f"speaks version {reply.version} of the protocol, not {VERSION}", Fault.GARBLED)
        if not name:
            raise EngineError("did not send its name", Fault.GARBLED)
        self.name = name
        program.say(self._choose_options(offered), deadline)
        self._await_ready(program, deadline)

    def _await_ready(self, program: Program, deadline: float) -> None:
        program.say([Ready()], deadline)
        if not isinstance(reply := program.hear(deadline, "get ready"), Ready):
            _refuse(reply, "ready")

    def _choose_options(self, offered: Mapping[str, Option]) -> list[Command]:
        wanted = dict(self.options)
        if self.seed is not None and "seed" in offered:
            # Engines in other languages read JSON integers as signed 64-bit numbers.
            wanted.setdefault("seed", self.seed % 2**63)
        lines: list[Command] = []
        for name, value in wanted.items():
            if name not in offered:
                known = ", ".join(offered) or "none"
                raise EngineError(f"has no option {shorten(name)}; there are: {known}", Fault.REFUSED)
            try:
                lines.append(SetOption(name, check_value(name, offered[name].type, value)))
            except ProtocolError as error:
                raise EngineError(str(error), Fault.REFUSED) from None
        return lines

    def _ask(self, program: Program, observation: Observation) -> Action:
        self.info = None
        budget = self.config.make_go()
        lines: list[Command] = [Position(write_position(observation)), budget]
        if not self._goes_on(observation):
            lines.insert(0, NewRound(observation.rules))
        self._told = observation
        deadline = time.monotonic() + (budget.seconds or 0.0) + self.config.patience_seconds
        self._await_ready(program, deadline)  # a late answer to the last question would arrive here
        program.say(lines, deadline)
        try:
            return self._await_best(program, observation, deadline)
        except EngineError as error:
            if error.fault is not Fault.TIMED_OUT:
                raise
        deadline = time.monotonic() + self.config.stop_seconds
        program.say([Stop()], deadline)
        return self._await_best(program, observation, deadline)

    def _await_best(self, program: Program, observation: Observation, deadline: float) -> Action:
        while not isinstance(reply := program.hear(deadline, "choose"), Best):
            if not isinstance(reply, Info):
                _refuse(reply, "info or best")
            self.info = reply
            if self.on_info:
                self.on_info(reply)
        if reply.action not in observation.legal_actions:
            legal = " ".join(map(str, observation.legal_actions))
            raise EngineError(f"answered {reply.action}, which is not legal; legal were: {legal}", Fault.ILLEGAL)
        return reply.action

    def _goes_on(self, observation: Observation) -> bool:
        """Returns whether this is a later position of the round that the engine was last asked about."""
        told = self._told
        # The history is compared too: an undo or another table can come back to the same round number.
        return (
            told is not None
            and (told.rules, told.round_number, told.observer)
            == (observation.rules, observation.round_number, observation.observer)
            and len(told.history) < len(observation.history)
            and told.history == observation.history[: len(told.history)]
        )


class Program:
    """A running program, spoken to in lines and never waited for beyond a deadline."""

    def __init__(self, command: Sequence[str]) -> None:
        """Starts it, in a process group of its own.

        Raises:
            EngineError: if it cannot be started.
        """
        mark, environment = mark_environment()
        try:
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
        self._process = process
        self._family = Family(process.pid, mark)
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


def _refuse(reply: Reply, expected: str) -> NoReturn:
    if isinstance(reply, Failure):
        raise EngineError(f"reports: {shorten(reply.text, 300)}", Fault.REFUSED)
    raise EngineError(f"sent {shorten(format_line(reply))}; expected {expected}", Fault.GARBLED)


def _kill_program(process: subprocess.Popen[bytes], family: Family) -> None:
    family.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_BURY_SECONDS)


def _split(command: str | Sequence[str]) -> tuple[str, ...]:
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except (ValueError, TypeError) as error:
        raise AgentError(f"{shorten(command)} is not a command: {error}") from None
    if not words or not all(isinstance(word, str) for word in words):
        raise AgentError(f"{shorten(command)} is not a command; expected a program and its arguments")
    return tuple(words)
