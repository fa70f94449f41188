"""Any program that speaks the engine protocol, as an agent."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from lastcard.actions import Action
from lastcard.engine.position import write_position
from lastcard.engine.program import EngineError, Fault, Program
from lastcard.engine.protocol import (
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
    Ready,
    Reply,
    SetOption,
    Stop,
    check_value,
    format_line,
)
from lastcard.errors import AgentError, require_float, require_int, shorten
from lastcard.observation import Observation, check_decision

_TOLERANCE_SECONDS: Final = 0.1
"""A line takes its time, too: an answer that is late by no more is in time."""
_QUIT_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """Budget of an engine, and timeouts."""

    simulations: int = 0
    """Simulations per decision; 0: as the engine likes."""
    seconds: float = 0.0
    """Time for a decision instead, if more than 0."""
    patience_seconds: float = 10.0
    """Time for a decision if `seconds` is 0; after that `stop` is sent."""
    stop_seconds: float = 10.0
    """Time for answers after `stop`, all those of a round together; after that the engine has lost."""
    start_seconds: float = 30.0
    """Time for the introduction."""

    def __post_init__(self) -> None:
        require_int("simulations", self.simulations, 0, MOST_SIMULATIONS, AgentError)
        require_float("seconds", self.seconds, 0, MOST_SECONDS, AgentError)
        for name in ("patience_seconds", "stop_seconds", "start_seconds"):
            require_float(name, getattr(self, name), 0.001, MOST_SECONDS, AgentError)

    @property
    def decision_seconds(self) -> float:
        """Time after which `stop` is sent."""
        return self.seconds + _TOLERANCE_SECONDS if self.seconds > 0 else self.patience_seconds

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
        self.overruns = 0
        """Decisions that took so long that `stop` was sent."""
        self._program: Program | None = None
        self._told: Observation | None = None
        self._reserve = 0.0

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
            self._program.leave(min(self.config.stop_seconds, _QUIT_SECONDS))
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
        lines: list[Command] = [Position(write_position(observation)), self.config.make_go()]
        if not self._goes_on(observation):
            lines.insert(0, NewRound(observation.rules))
            self._reserve = self.config.stop_seconds
        self._told = observation
        due = time.monotonic() + self.config.decision_seconds
        deadline = due + max(self._reserve, 0.0)
        try:
            self._await_ready(program, deadline)  # a late answer to the last question would arrive here
            program.say(lines, deadline)
            try:
                return self._await_best(program, observation, due)
            except EngineError as error:
                if error.fault is not Fault.TIMED_OUT:
                    raise
                self.overruns += 1
            if self._reserve > 0:
                program.say([Stop()], deadline)
            return self._await_best(program, observation, deadline)
        finally:
            self._reserve -= max(time.monotonic() - due, 0.0)

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


def _refuse(reply: Reply, expected: str) -> NoReturn:
    if isinstance(reply, Failure):
        raise EngineError(f"reports: {shorten(reply.text, 300)}", Fault.REFUSED)
    raise EngineError(f"sent {shorten(format_line(reply))}; expected {expected}", Fault.GARBLED)


def _split(command: str | Sequence[str]) -> tuple[str, ...]:
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except (ValueError, TypeError) as error:
        raise AgentError(f"{shorten(command)} is not a command: {error}") from None
    if not words or not all(isinstance(word, str) for word in words):
        raise AgentError(f"{shorten(command)} is not a command; expected a program and its arguments")
    return tuple(words)
