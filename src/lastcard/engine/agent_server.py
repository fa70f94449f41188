"""An engine made of any of our agents: reads commands, writes replies."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import os
import threading
from collections.abc import Callable
from typing import Any, BinaryIO, Final

from lastcard.actions import Action
from lastcard.agents import AgentInfo, make_agent, split_name
from lastcard.agents.interface import Agent
from lastcard.engine.position import read_position
from lastcard.engine.protocol import (
    MAX_COMMAND,
    MAX_ERROR,
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
    parse_command,
)
from lastcard.errors import LastcardError, StoppedError
from lastcard.observation import Observation
from lastcard.options import list_options, option_help, set_options
from lastcard.rules import Rules
from lastcard.search.expectiminimax import MOST_DETERMINIZATIONS
from lastcard.search.halving import MOST_SECONDS, MOST_SIMULATIONS
from lastcard.search.report import SearchReport
from lastcard.search.stopping import StopFlag, stopped_by
from lastcard.seeds import split_seed

SEED: Final = Option("seed", "int", 0, "Fixes what the engine chooses at random.")
LOOKS: Final = (64, 8)
"""Parts of the budget that a search gets first, so that there is something to report, and to stop with."""
SMALLEST_LOOK: Final = 500  # a look at fewer simulations says too little to be worth its report
UNITS: Final = {"simulations": MOST_SIMULATIONS, "determinizations": MOST_DETERMINIZATIONS}
"""Options that count budgets, and the maximum of each; every action is simulated once per determinization."""
MOST_ABANDONED: Final = 8  # searches that were stopped and have not ended yet; beyond that `go` has to wait
INTERRUPTED: Final = 130  # 128 + SIGINT, as shells report it
_TYPE_NAMES: Final = {bool: "bool", int: "int", float: "float", str: "text"}


class Thinking:
    """One `go` in its own thread: reports progress, then answers once."""

    def __init__(self, agents: list[Agent], observation: Observation, say: Callable[[Reply], None]) -> None:
        self._agents = agents
        self._observation = observation
        self._say = say
        self._lock = threading.Lock()
        self._report: SearchReport | None = None
        self._has_answered = False
        self._flag = StopFlag()
        self.thread = threading.Thread(target=self._run, daemon=True)  # `quit` does not wait for a search

    @property
    def is_over(self) -> bool:
        """True if the answer has been sent."""
        with self._lock:
            return self._has_answered

    def stop(self) -> None:
        """Answers with the best found so far, and stops what is still running."""
        with self._lock:
            # Without a report the search has not finished its first look; the heuristic answers instantly.
            best = self._report.best if self._report else None
        self._answer(Best(best or make_agent("heuristic").choose(self._observation)))
        self._flag.set()

    def _run(self) -> None:
        try:
            with stopped_by(self._flag):
                self._answer(Best(self._choose()))
        except StoppedError:
            pass  # `stop` has answered
        except Exception as error:  # the table has to hear of it, whatever it is
            self._answer(make_failure(f"{type(error).__name__}: {error}"))

    def _choose(self) -> Action:
        for agent in self._agents:
            search = getattr(agent, "search", None)
            if search is None:
                return agent.choose(self._observation)
            self._tell(search(self._observation))
        assert self._report is not None
        return self._report.best

    def _tell(self, report: SearchReport) -> None:
        with self._lock:
            self._report = report
            if not self._has_answered:
                self._say(Info.of(report))

    def _answer(self, reply: Reply) -> None:
        with self._lock:
            if not self._has_answered:
                self._has_answered = True
                self._say(reply)


class Server:
    """Speaks the protocol for one agent, line by line.

    >>> said = []
    >>> server = Server("first_legal", said.append)
    >>> server.hear("lastcard 1"), server.hear("ready")
    (True, True)
    >>> said
    ['name first_legal', 'option {"name": "seed", "type": "int", "default": 0, ...', 'lastcard 1', 'ready']
    """

    def __init__(self, agent: str, say: Callable[[str], None]) -> None:
        """Sets up the agent.

        Args:
            agent: A name with options, as `make_agent` reads it.
            say: Called with each line, without its end; from several threads, one at a time.

        Raises:
            AgentError: if there is no such agent or option.
        """
        info, options = split_name(agent)
        self._info: AgentInfo = info
        self._config: Any = info.read_options(options)
        self._write = say
        self._lock = threading.Lock()
        self._seed = 0
        self._agent = self._make(self._config, self._seed)
        self._is_greeted = False
        self._rules: Rules | None = None
        self._observation: Observation | None = None
        self._thinking: Thinking | None = None
        self._abandoned: list[threading.Thread] = []

    @property
    def is_thinking(self) -> bool:
        """True if a search is running, even if its answer is no longer wanted."""
        running = [*self._abandoned, *([self._thinking.thread] if self._thinking else [])]
        return any(thread.is_alive() for thread in running)

    def hear(self, line: str) -> bool:
        """Obeys one line; a line that cannot be obeyed is answered with an error.

        Returns:
            False after `quit`.
        """
        try:
            command = parse_command(line)
            if isinstance(command, Quit):
                return False
            self._obey(command)
        except LastcardError as error:
            self.refuse(str(error))
        return True

    def refuse(self, reason: str) -> None:
        """Answers with an error."""
        self._say(make_failure(reason))

    def _obey(self, command: Command) -> None:
        if not self._is_greeted and not isinstance(command, Hello):
            raise ProtocolError(f"expected 'lastcard {VERSION}' before anything else")
        if isinstance(command, SetOption | NewRound | Position | Go) and self._thinking and not self._thinking.is_over:
            raise ProtocolError("still choosing; expected stop, ready or quit before 'best' is sent")
        match command:
            case Hello():
                self._greet(command)
            case Ready():
                self._say(Ready())
            case SetOption():
                self._set(command.name, command.value)
            case NewRound():
                self._rules, self._observation = command.rules, None
            case Position():
                if self._rules is None:
                    raise ProtocolError("expected 'new' with the rules before 'position'")
                self._observation = None  # if the new one is refused, nobody wants an answer to the one before
                self._observation = read_position(command.fields, self._rules)
            case Go():
                self._go(command)
            case Stop():
                if self._thinking:
                    self._thinking.stop()
                    self._abandoned.append(self._thinking.thread)
                    self._thinking = None

    def _greet(self, hello: Hello) -> None:
        if hello.version != VERSION:
            raise ProtocolError(f"version {hello.version} is not spoken here; expected 'lastcard {VERSION}'")
        self._is_greeted = True
        self._say(Name(self._info.name))
        for option in self._list_options():
            self._say(option)
        self._say(Hello())

    def _list_options(self) -> list[Option]:
        helps = option_help(self._info.config)
        values = list_options(self._config)
        own = [Option(name, _TYPE_NAMES[type(value)], value, helps[name]) for name, value in values.items()]
        return [SEED, *own]

    def _set(self, name: str, value: OptionValue) -> None:
        option = next((option for option in self._list_options() if option.name == name), None)
        if option is None:
            known = ", ".join(option.name for option in self._list_options())
            raise ProtocolError(f"set: there is no option {name}; expected one of {known}")
        checked = check_value(f"set {name}", option.type, value)
        seed, config = self._seed, self._config
        if option is SEED:
            seed = int(checked)
        else:
            config = set_options(config, {name: checked})
        self._agent = self._make(config, seed)
        self._seed, self._config = seed, config

    def _make(self, config: Any, seed: int) -> Agent:
        return self._info.make(config, split_seed(seed, "agent"))

    def _go(self, go: Go) -> None:
        if self._observation is None:
            raise ProtocolError("expected 'position' before 'go'")
        if not self._observation.legal_actions:
            raise ProtocolError(f"seat {self._observation.observer} has nothing to decide in this position")
        agents = self._list_looks(go)
        self._abandoned = [thread for thread in self._abandoned if thread.is_alive()]
        if len(self._abandoned) >= MOST_ABANDONED:
            self._abandoned.pop(0).join()
        self._thinking = Thinking(agents, self._observation, self._say)
        self._thinking.thread.start()

    def _list_looks(self, go: Go) -> list[Agent]:
        """The agent with parts of its budget, then with the rest; agents without a budget as they are."""
        unit = next((unit for unit in UNITS if unit in self._info.options), None)
        if unit is None:
            return [self._agent]
        config = self._config
        if go.simulations is not None:
            config = dataclasses.replace(config, **{unit: self._count_units(unit, go.simulations), "seconds": 0.0})
        if go.seconds is not None:
            config = dataclasses.replace(config, seconds=min(go.seconds, MOST_SECONDS))
        if config.seconds > 0:
            parts = [config.seconds / share for share in LOOKS]
            budgets = [{"seconds": part} for part in (*parts, config.seconds - sum(parts))]
        else:
            whole = getattr(config, unit)
            looks = [whole // share for share in LOOKS]
            budgets = [{unit: look} for look in looks if look >= SMALLEST_LOOK]
            # The last search gets the whole budget, so that the looks before it do not change the choice.
            budgets.append({unit: whole})
        return [self._make(dataclasses.replace(config, **budget), self._seed) for budget in budgets]

    def _count_units(self, unit: str, simulations: int) -> int:
        """Number of budget units that come closest to the given number of simulations."""
        assert self._observation is not None
        each = 1 if unit == "simulations" else len(self._observation.legal_actions)
        return min(max(simulations // each, 1), UNITS[unit])

    def _say(self, reply: Reply) -> None:
        with self._lock:
            self._write(format_line(reply))


def make_failure(text: str) -> Failure:
    """An `error` line with as much of the text as a line can hold."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return Failure(" ".join(printable.split())[:MAX_ERROR].strip() or "something went wrong")


def serve(server: Server, reader: BinaryIO) -> None:
    """Speaks the protocol until `quit` or the end of the input."""
    while data := reader.readline(MAX_COMMAND):
        if len(data) == MAX_COMMAND and not data.endswith(b"\n"):
            skip_line(reader)
            server.refuse(f"a line is longer than the {MAX_COMMAND} bytes that it may have")
            continue
        try:
            line = decode_line(data)
        except ProtocolError as error:
            server.refuse(str(error))
            continue
        if line.strip() and not server.hear(line):
            break


def skip_line(reader: BinaryIO) -> None:
    """Reads on to the end of the line."""
    while (data := reader.readline(io.DEFAULT_BUFFER_SIZE)) and not data.endswith(b"\n"):
        pass


def run_engine(agent: str) -> None:
    """Speaks the protocol on standard input and output, then ends the process.

    Raises:
        AgentError: if there is no such agent or option.
    """
    with os.fdopen(os.dup(0), "rb") as reader, os.fdopen(os.dup(1), "wb") as writer:

        def say(line: str) -> None:
            with contextlib.suppress(BrokenPipeError):  # the table has left; the end of its commands follows
                writer.write(line.encode() + b"\n")
                writer.flush()

        server = Server(agent, say)
        try:
            serve(server, reader)
        except KeyboardInterrupt:
            _leave_search(server, INTERRUPTED)
            raise
        _leave_search(server, 0)


def _leave_search(server: Server, code: int) -> None:
    """Ends the process if a search is still running. Otherwise the search would write to a closed output."""
    if server.is_thinking:
        os._exit(code)
