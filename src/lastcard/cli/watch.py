"""`lastcard watch`: agents play each other."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from lastcard.cli.lines import Lines
from lastcard.cli.options import JsonOption, RecordOption, RulesOption, SeedOption, fresh_seed
from lastcard.cli.screen import Screen
from lastcard.cli.words import Teller, short_names
from lastcard.errors import AgentError
from lastcard.events import format_event
from lastcard.rules import format_rules, parse_rules
from lastcard.table import Table


def watch(
    agents: Annotated[list[str], typer.Argument(metavar="AGENT AGENT...", help="One agent for each seat.")],
    rules: RulesOption = "official",
    seed: SeedOption = None,
    game: Annotated[bool, typer.Option("--game", help="Rounds to the target score, not just one.")] = False,
    record: RecordOption = None,
    as_json: JsonOption = False,
) -> None:
    """Watch agents play each other, a line a turn.

    With --json: a line a ply (what happened, private cards included), then the outcome.

    Example: lastcard watch heuristic random --seed 7
    """
    if len(agents) < 2:
        raise AgentError("watch needs an agent for each seat, at least two: lastcard watch heuristic random")
    chosen = parse_rules(rules)
    if "players=" in rules and chosen.players != len(agents):
        raise AgentError(f"{len(agents)} agents for the {chosen.players} seats that --rules asks for")
    table = Table(chosen, agents, fresh_seed() if seed is None else seed)
    if record:
        table.record.save(record)
    try:
        if as_json:
            print_json(table, game)
        else:
            print_lines(Screen(), table, game)
    finally:
        if record:
            table.record.save(record)


def print_lines(screen: Screen, table: Table, game: bool) -> None:
    """Plays the round in progress, or the game, a line a turn."""
    names = short_names(table.names)
    screen.say(f"{' against '.join(table.names)}: {format_rules(table.rules)}, seed {table.seed}")
    while True:
        state = table.state
        if game:
            screen.say()
            screen.rule(f"Round {state.round_number}")
        lines = Lines(screen, Teller(table.rules, names))
        lines.follow(state)
        while not state.is_over:
            table.play_ply()
            state = table.state
            lines.follow(state)
        assert state.outcome
        lines.result(state.outcome, state.scores)
        if not game or table.game_outcome:
            break
        table.next_round()
    if table.game_outcome and game:
        winner = table.game_outcome.winner
        screen.say("Nobody wins the game." if winner is None else f"{names[winner]} wins the game.")


def print_json(table: Table, game: bool) -> None:
    """Plays the round in progress, or the game, a JSON object a ply."""
    while True:
        state, seen = table.state, 0
        while not state.is_over:
            seat = state.seat
            assert seat is not None
            action = table.play_ply()
            state = table.state
            history = state.history
            line = {
                "round": state.round_number,
                "ply": state.ply,
                "seat": seat,
                "agent": table.names[seat],
                "action": action.text,
                "events": [format_event(event) for event in history[seen:]],
                "hand_sizes": [len(player.hand) for player in state.players],
            }
            seen = len(history)
            print(json.dumps(line))
        assert state.outcome
        end = {"round": state.round_number, "outcome": state.outcome.to_dict(), "scores": state.scores}
        print(json.dumps({**end, "seed": table.seed}))
        if not game or table.game_outcome:
            break
        table.next_round()
    if game and table.game_outcome:
        print(json.dumps({"winner": table.game_outcome.winner, "scores": table.scores, "seed": table.seed}))
