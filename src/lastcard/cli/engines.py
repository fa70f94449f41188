"""Engines at the terminal: seating them, and saying what happened to one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Annotated

import typer

from lastcard.agents import is_built_in, make_agent
from lastcard.agents.own import GuardedAgent
from lastcard.cli.human_agent import YOU
from lastcard.cli.options import admit_agents
from lastcard.cli.screen import Screen
from lastcard.engine.client import EngineAgent, EngineConfig
from lastcard.engine.forfeit import Forfeit
from lastcard.engine.server import run_engine
from lastcard.seeds import split_seed

EngineOption = Annotated[
    list[str] | None,
    typer.Option(
        "--engine",
        metavar="COMMAND",
        help="Seat a program that speaks the engine protocol, after the agents; may be given again.",
    ),
]
EngineSecondsOption = Annotated[
    float | None,
    typer.Option("--engine-seconds", metavar="S", help="Time for each decision of an engine, if not its own."),
]


def engine(
    agent: Annotated[str, typer.Option("--agent", "-a", metavar="AGENT", help="Who decides.")] = "halving",
) -> None:
    """Speak the engine protocol for an agent.

    Reads commands from standard input and answers on standard output, for a table that started it.

    Example: lastcard watch heuristic --engine "lastcard engine --agent halving"
    """
    admit_agents(agent)
    run_engine(agent)


@contextmanager
def seat_agents(
    agents: Sequence[str], commands: Sequence[str], seconds: float | None, seed: int, seats: range
) -> Iterator[list[str | EngineAgent | GuardedAgent]]:
    """An agent by name or an engine of its own for each seat, in order and over again; engines are let go in the end.

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
            engine.start()
        yield seated


def _seat(name: str, seed: int) -> str | GuardedAgent:
    """The name, which a table seats; or an agent of another package, whose faults are said in one line."""
    return name if is_built_in(name) else GuardedAgent(name, make_agent(name, seed))


def say_forfeit(screen: Screen, names: Sequence[str], forfeit: Forfeit, indent: int = 0) -> None:
    """Says who lost by rule, why, and who wins."""
    winner = names[forfeit.winner]
    result = "You win the round." if winner == YOU else f"{winner} wins the round."
    screen.say()
    screen.say(f"{names[forfeit.seat]} loses this round by rule: {forfeit.reason}", indent=indent, hang=2)
    screen.say(result, indent=indent)
