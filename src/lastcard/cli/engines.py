"""Engines at the terminal: seating them, and saying what happened to one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Annotated

import typer

from lastcard.agents import is_built_in, make_agent
from lastcard.agents.own import GuardedAgent
from lastcard.cli.human_agent import YOU
from lastcard.cli.screen import Screen
from lastcard.cli.shared_options import admit_agents
from lastcard.engine.agent_server import run_engine
from lastcard.engine.client import EngineAgent, EngineConfig
from lastcard.engine.forfeit import Forfeit
from lastcard.seeds import split_seed

EngineOption = Annotated[
    list[str] | None,
    typer.Option(
        "--engine",
        metavar="COMMAND",
        help="Program that speaks the engine protocol, seated after the agents. Repeatable.",
    ),
]
EngineSecondsOption = Annotated[
    float | None,
    typer.Option(
        "--engine-seconds", metavar="S", help="Seconds an engine may take per decision; by default its own choice."
    ),
]


def engine(
    agent: Annotated[str, typer.Option("--agent", "-a", metavar="AGENT", help="Agent that decides.")] = "halving",
) -> None:
    """Run an agent as an engine that speaks the engine protocol.

    Reads commands from standard input and answers on standard output. Commands with --engine start it.

    Example: lastcard watch heuristic --engine "lastcard engine --agent halving"
    """
    admit_agents(agent)
    run_engine(agent)


@contextmanager
def seat_agents(
    agents: Sequence[str], commands: Sequence[str], seconds: float | None, seed: int, seats: range
) -> Iterator[list[str | EngineAgent | GuardedAgent]]:
    """Seats an agent by name, or its own engine process, in each seat; engines end with the block.

    Raises:
        AgentError: if there is no such agent.
        EngineError: if an engine cannot be started.
    """
    config = EngineConfig(seconds=seconds or 0.0)
    with ExitStack() as stack:
        seated: list[str | EngineAgent | GuardedAgent] = []
        for index, seat in enumerate(seats):
            which = index % (len(agents) + len(commands))
            if which < len(agents):
                seated.append(_seat(agents[which], split_seed(seed, "agent", seat)))
                continue
            engine = EngineAgent(commands[which - len(agents)], config, split_seed(seed, "agent", seat))
            seated.append(stack.enter_context(engine))
            stack.callback(_say_overruns, engine)
            engine.start()
        yield seated


def _say_overruns(engine: EngineAgent) -> None:
    if engine.overruns:
        time = "times" if engine.overruns > 1 else "time"
        message = f"{engine.name} took longer than its {engine.config.decision_seconds:g} s {engine.overruns:,} {time}"
        typer.echo(f"{message}.", err=True)


def _seat(name: str, seed: int) -> str | GuardedAgent:
    """Returns the name, which a table seats; or an agent of another package, whose errors become one line."""
    return name if is_built_in(name) else GuardedAgent(name, make_agent(name, seed))


def say_forfeit(screen: Screen, names: Sequence[str], forfeit: Forfeit, indent: int = 0) -> None:
    """Prints who lost by rule, the reason, and the winner."""
    winner = names[forfeit.winner]
    result = "You win the round." if winner == YOU else f"{winner} wins the round."
    screen.say()
    screen.say(f"{names[forfeit.seat]} loses this round by rule: {forfeit.reason}", indent=indent, hang=2)
    screen.say(result, indent=indent)
