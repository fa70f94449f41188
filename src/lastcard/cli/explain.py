"""`lastcard explain`: one decision of one algorithm, step by step."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from lastcard.advice import describe_action
from lastcard.agents import make_explaining_agent
from lastcard.cli.screen import Screen
from lastcard.cli.shared_options import JsonOption, admit_agents
from lastcard.errors import AgentError, StateError, require_int
from lastcard.explain.explanation import Cell, Step
from lastcard.observation import observe
from lastcard.rules import format_rules
from lastcard.state import parse_state


def explain(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Agent, with options after a colon.")],
    position: Annotated[
        str,
        typer.Option("--position", "-p", metavar="STATE", help="The top card and all hands, as in the example."),
    ],
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="SEED", help="Seed of the agent.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Show step by step how an agent reaches a decision.

    The agent sees only what the seat to act may know; the other hands only complete the position.

    Example: lastcard explain halving -p "top r5 | seat 0: r7 b5 | seat 1: g1"
    """
    require_int("--seed", seed, 0, 2**64 - 1, AgentError)
    admit_agents(agent)
    asked = make_explaining_agent(agent, seed)
    state = parse_state(position)
    if state.is_over:
        raise StateError("--position: the round is over, so there is nothing to decide")
    observation = observe(state)
    explanation = asked.explain(observation)
    if as_json:
        facts = {"agent": agent, "seed": seed, "rules": format_rules(state.rules), "observation": observation.facts()}
        print(json.dumps({**facts, **explanation.to_dict()}))
        return
    screen = Screen()
    screen.say(f"{agent} decides: {observation}.", hang=2)
    for number, step in enumerate(explanation.steps, 1):
        screen.say()
        screen.rule(f"{number}. {step.title}")
        _show(screen, step)
    screen.say()
    command = describe_action(explanation.best, observation)
    screen.say(Text(f"The choice: {command}.", "bold"))


def _show(screen: Screen, step: Step) -> None:
    screen.say(step.text, indent=2)
    if not step.rows:
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", width=None)
    for index, name in enumerate(step.columns):
        is_number = all(isinstance(row[index], int | float) for row in step.rows)
        table.add_column(name, justify="right" if is_number else "left", overflow="fold")
    for row in step.rows:
        table.add_row(*map(_cell, row))
    screen.say()
    with screen.console.capture() as caught:
        screen.console.print(table, width=screen.width - 2)
    for line in caught.get().splitlines():
        screen.say(Text.from_ansi(line.rstrip()), indent=2, whole=True)


def _cell(value: Cell) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else value
