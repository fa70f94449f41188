"""`lastcard advise`: advice for a real table, from what a person can see."""

from __future__ import annotations

import json
import re
from typing import Annotated

import typer
from rich.text import Text

from lastcard.advice import Situation, make_config
from lastcard.advice import advise as search_situation
from lastcard.advice.asking import HYPOTHESES
from lastcard.agents import is_built_in, make_agent
from lastcard.agents.own import GuardedAgent
from lastcard.belief import Belief, BeliefConfig
from lastcard.cli.reports import say_actions, say_belief, say_best, say_choice, say_line, say_reasons, say_tree
from lastcard.cli.screen import Screen
from lastcard.cli.shared_options import JsonOption, RulesOption, admit_agents
from lastcard.errors import AgentError, LastcardError, require_int
from lastcard.search.dispatch import SearchConfig
from lastcard.search.expectiminimax import ExpectiminimaxConfig
from lastcard.search.report import MOST_DEPTH, SearchReport


def advise(
    hand: Annotated[str, typer.Option("--hand", metavar="CARDS", help="Your cards, such as 'r5 bR y+2 w w+4'.")],
    top: Annotated[str, typer.Option("--top", metavar="CARD", help="The top card.")],
    opponents: Annotated[
        str,
        typer.Option("--opponents", metavar="N,N...", help="Hand sizes of seats 1, 2 ...; you are seat 0."),
    ],
    rules: RulesOption = "official",
    called: Annotated[
        str, typer.Option("--called", metavar="COLOR", help="The color named with a Wild on top: r, y, g or b.")
    ] = "",
    discards: Annotated[
        str,
        typer.Option("--discards", metavar="CARDS", help="Cards played before --history."),
    ] = "",
    history: Annotated[
        str,
        typer.Option(
            "--history",
            metavar="EVENTS",
            help="Latest events, oldest first, such as '1 draws 1; 2 plays g7'. Its plays are discards too. Start with"
            " 'turned up CARD' to name the top card before; otherwise events before the first play only count cards.",
        ),
    ] = "",
    drawn: Annotated[
        str, typer.Option("--drawn", metavar="CARD", help="You have just drawn this card of --hand and may play it.")
    ] = "",
    direction: Annotated[
        str, typer.Option("--direction", metavar="WAY", help="forward: seat 1 is next; reversed: the last seat is.")
    ] = "forward",
    owed: Annotated[
        int, typer.Option("--owed", metavar="N", help="Cards you must draw unless you stack or challenge.")
    ] = 0,
    agent: Annotated[
        str,
        typer.Option("--agent", "-a", metavar="AGENT", help="Agent that searches, such as 'ismcts:simulations=50000'."),
    ] = "halving",
    simulations: Annotated[
        int | None,
        typer.Option("--simulations", metavar="N", help="Rounds to simulate; by default 20000 with halving."),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", help="Search for this long instead of --simulations, if not 0.")
    ] = 0.0,
    belief: Annotated[
        str,
        typer.Option("--belief", metavar="KIND", help="Kind of belief: particle, constrained or uniform."),
    ] = "",
    tree: Annotated[
        int, typer.Option("--tree", metavar="DEPTH", help="Show the search tree to this depth; 0 hides it.")
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="SEED", help="Seed of the simulations.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Show what to play at a real table, and what the others may hold.

    With --json: the situation, every action with its win probability and error, the principal line, the belief, and the
    tree if asked for.

    Example: lastcard advise --hand "r5 bR y+2 w w+4" --top g7 --opponents 7,5,3
    """
    chosen = _choose_agent(agent, simulations, seconds, belief, seed)
    require_int("--seed", seed, 0, 2**64 - 1, AgentError)
    require_int("--tree", tree, 0, MOST_DEPTH, AgentError)
    try:
        situation = Situation.parse(
            hand,
            top,
            opponents,
            rules=rules,
            called=called,
            discards=discards,
            history=history,
            drawn=drawn,
            direction=direction,
            owed=owed,
        )
    except LastcardError as error:
        raise type(error)(name_options(str(error))) from None
    report = search_situation(situation, chosen, seed)
    if as_json:
        branches = {"tree": [node.to_dict() for node in report.tree(tree)]} if tree else {}
        print(json.dumps({"situation": situation.to_dict(), **report.to_dict(), **branches}))
    else:
        show(Screen(), situation, report, _choose_belief(chosen), seed, tree)


def _choose_agent(
    agent: str, simulations: int | None, seconds: float, belief: str, seed: int
) -> SearchConfig | GuardedAgent:
    """Returns the search, or an agent of another package, which does not have these options."""
    try:
        admit_agents(agent)
        if is_built_in(agent):
            return make_config(agent, simulations, seconds, belief)
        if simulations is not None or seconds or belief:
            raise AgentError(f"`simulations`, `seconds` and `belief` are not options of {agent}")
    except AgentError as error:
        message = str(error) if str(error).startswith("`") else f"`agent`: {error}"
        raise AgentError(name_options(message)) from None
    return GuardedAgent(agent, make_agent(agent, seed))


def _choose_belief(chosen: SearchConfig | GuardedAgent) -> BeliefConfig:
    if isinstance(chosen, GuardedAgent):
        return BeliefConfig(hypotheses=HYPOTHESES)
    return chosen.belief_config() if isinstance(chosen, ExpectiminimaxConfig) else chosen.belief


def name_options(message: str) -> str:
    """The message with the names in backticks written as options.

    >>> name_options("`hand` is empty")
    '--hand is empty'
    """
    return re.sub(r"`(\w+)`", r"--\1", message)


def show(
    screen: Screen,
    situation: Situation,
    report: SearchReport,
    config: BeliefConfig,
    seed: int,
    depth: int = 0,
) -> None:
    """Prints the whole report."""
    observation = situation.observation
    belief = report.belief or Belief(observation, config, seed)
    say_best(screen, observation, report)
    say_reasons(screen, observation, report, belief)
    screen.say()
    if report.actions:
        say_actions(screen, report)
        say_choice(screen, report)
        say_line(screen, report)
        screen.say()
        if depth:
            say_tree(screen, report, depth)
            screen.say()
    say_belief(screen, belief)
    screen.say()
    source = "exact" if belief.is_exact else f"{belief.num_hypotheses} hypotheses"
    screen.say(Text(f"{report.simulations:,} simulations, belief {belief.config.kind} ({source}), seed {seed}", "dim"))
