"""`lastcard watch`: agents play each other."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from lastcard.cli.completion import complete_agents
from lastcard.cli.engines import EngineOption, EngineSecondsOption, say_forfeit, seat_agents
from lastcard.cli.lines import Lines
from lastcard.cli.narration import Teller, short_names
from lastcard.cli.screen import Screen
from lastcard.cli.shared_options import (
    JsonOption,
    RecordOption,
    RulesOption,
    SeedOption,
    admit_agents,
    check_networks,
    fresh_seed,
)
from lastcard.engine.forfeit import judge_forfeit
from lastcard.engine.program import EngineError
from lastcard.errors import AgentError, RecordError
from lastcard.events import format_event
from lastcard.files import check_output
from lastcard.rules import format_rules, parse_rules
from lastcard.seeds import seed_bytes
from lastcard.shell import command
from lastcard.table import Table


def watch(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT AGENT...",
            help="One agent per seat (see lastcard agents).",
            autocompletion=complete_agents,
        ),
    ] = None,
    rules: RulesOption = "official",
    seed: SeedOption = None,
    game: Annotated[bool, typer.Option("--game", help="Play rounds to the target score, not just one round.")] = False,
    record: RecordOption = None,
    engine: EngineOption = None,
    engine_seconds: EngineSecondsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Watch agents play each other, one line per turn.

    With --json: one line per ply (events, including private cards), then the outcome.

    Example: lastcard watch heuristic random --seed 7
    """
    named = agents or []
    admit_agents(*named)
    seats = len(named) + len(engine or ())
    if seats < 2:
        example = command("watch", "heuristic", "random")
        raise AgentError(f"watch needs an agent for each seat, at least two: {example}")
    chosen = parse_rules(rules)
    if "players=" in rules and chosen.players != seats:
        raise AgentError(f"{seats} agents for the {chosen.players} seats that --rules asks for")
    seated_rules = chosen.replace(players=seats)
    check_networks(seated_rules, *named)
    seed = fresh_seed() if seed is None else seed
    seed_bytes(seed)
    with seat_agents(named, engine or (), engine_seconds, seed, range(seats)) as seated:
        table = Table(seated_rules, seated, seed)
        if record:
            check_output(record, RecordError, "--record")
        try:
            if as_json:
                print_json(table, game)
            else:
                print_lines(Screen(), table, game)
        finally:
            if record:
                table.record.save(record)


def print_lines(screen: Screen, table: Table, game: bool) -> None:
    """Plays the round in progress, or the game, one line per turn; both end if an engine forfeits."""
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
            try:
                table.play_ply()
            except EngineError as error:
                assert state.seat is not None
                say_forfeit(screen, names, judge_forfeit(state, state.seat, error))
                return
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
    """Plays the round in progress, or the game, a JSON object a ply; both end where an engine forfeits."""
    while True:
        state, seen = table.state, 0
        while not state.is_over:
            seat = state.seat
            assert seat is not None
            try:
                action = table.play_ply()
            except EngineError as error:
                forfeit = judge_forfeit(state, seat, error)
                print(json.dumps({"round": state.round_number, "forfeit": forfeit.to_dict(), "seed": table.seed}))
                return
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
