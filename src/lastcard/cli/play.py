"""`lastcard play`: a person against agents; without a terminal, an agent sits in for the person."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from lastcard.agents import LEVELS, Level, find_level
from lastcard.agents.own import GuardedAgent
from lastcard.cli.completion import complete_agents, complete_levels, complete_rules
from lastcard.cli.engines import EngineOption, EngineSecondsOption, seat_agents
from lastcard.cli.human_agent import YOU, Person
from lastcard.cli.narration import short_names
from lastcard.cli.replay import read_record
from lastcard.cli.screen import Screen
from lastcard.cli.shared_options import JsonOption, RecordOption, SeedOption, admit_agents, check_networks, fresh_seed
from lastcard.cli.terminal_game import TerminalGame
from lastcard.cli.watch import print_json, print_lines
from lastcard.engine.client import EngineAgent
from lastcard.errors import AgentError, RecordError, RulesError, require_int
from lastcard.files import check_output
from lastcard.record import load_texts
from lastcard.rules import MAX_PLAYERS, Rules, parse_rules
from lastcard.seeds import seed_bytes
from lastcard.shell import command
from lastcard.table import Table

STAND_IN: Final = "heuristic"
STAND_INS_OPPONENT: Final = "random"
USUAL_LEVEL: Final = "hardest"


def play(
    players: Annotated[
        int | None,
        typer.Option("--players", "-n", help="Number of seats, including yours.", show_default="as the rules say"),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            "-a",
            metavar="AGENT",
            help="Opponent (see lastcard agents). Repeatable.",
            autocompletion=complete_agents,
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            "-l",
            metavar="LEVEL",
            help=f"Strength: {', '.join(LEVELS)}.",
            show_default=USUAL_LEVEL,
            autocompletion=complete_levels,
        ),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            "-r",
            metavar="RULES",
            help="Rules preset (see lastcard rules) and changes, such as 'official stacking=same'.",
            show_default="official",
            autocompletion=complete_rules,
        ),
    ] = None,
    seed: SeedOption = None,
    record: RecordOption = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Resume a recorded game and append to the file.")
    ] = None,
    game: Annotated[
        bool | None,
        typer.Option("--game/--round", help="Play rounds to the target score, or only one round.", show_default="game"),
    ] = None,
    engine: EngineOption = None,
    engine_seconds: EngineSecondsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play against agents; you sit in seat 0.

    When stdin is not a terminal, two agents play one round. Prints one line per turn; with --json, one object per ply,
    as in `watch`.

    Example: lastcard play --level medium --rules "official stacking=same"
    """
    if level is not None and against:
        raise AgentError("--level and --against both choose the opponent; give one of them")
    screen = Screen()
    if as_json and screen.is_terminal:
        example = command("watch", "--json")
        raise AgentError(f"--json does not work in a terminal game; to watch a game as JSON: {example}")
    chosen_level = find_level(level) if level is not None else None
    against = [chosen_level.agent] if chosen_level else against or []
    engines = engine or []
    admit_agents(*against)
    names_someone = bool(against or engines)
    loaded = None
    if resume:
        if players is not None or rules is not None or seed is not None:
            raise RecordError("--resume uses the --players, --rules and --seed of the record; omit them")
        loaded = read_record(resume, "".join(load_texts(resume)))
        chosen = loaded.rules
        opponents = against if names_someone else list(loaded.agents[1:])
        if not names_someone:
            chosen_level = next((each for each in LEVELS.values() if {each.agent} == set(opponents)), None)
    else:
        chosen = _seat_players(parse_rules(rules or "official"), players, len(against) + len(engines))
        if not names_someone and screen.is_terminal:
            chosen_level = find_level(USUAL_LEVEL)
        opponents = against if names_someone else [chosen_level.agent if chosen_level else STAND_INS_OPPONENT]
    if loaded and not screen.is_terminal and not record:
        raise RecordError("--resume needs a terminal, or --record FILE for the rest of the game")
    if seed is None:
        seed = loaded.seed if loaded and loaded.seed is not None else fresh_seed()
    seed_bytes(seed)
    check_networks(chosen, *opponents)  # before anything is printed
    if record:
        check_output(record, RecordError, "--record")
    with seat_agents(opponents, engines, engine_seconds, seed, range(1, chosen.players)) as others:
        person = Person(screen, (YOU, *short_names([YOU, *(_name_of(other, chosen_level) for other in others)])[1:]))
        people = (0,) if screen.is_terminal else ()
        agents = [person if screen.is_terminal else STAND_IN, *others]
        table = Table.resume(loaded, agents, people) if loaded else Table(chosen, agents, seed, people)
        if screen.is_terminal:
            TerminalGame(screen, table, person, record or resume, game is not False, chosen_level).run()
        else:
            _play_without_person(screen, table, record, to_score=bool(game), as_json=as_json)


def _play_without_person(screen: Screen, table: Table, record: Path | None, *, to_score: bool, as_json: bool) -> None:
    if table.state.is_over and not table.game_outcome:
        table.next_round()
    if as_json:
        print_json(table, to_score)
    else:
        print_lines(screen, table, to_score)
    if record:
        table.record.save(record)


def _name_of(opponent: str | EngineAgent | GuardedAgent, level: Level | None) -> str:
    if level and opponent == level.agent:
        return level.name
    return opponent if isinstance(opponent, str) else opponent.name


def _seat_players(rules: Rules, players: int | None, named: int) -> Rules:
    """The number of seats: as asked, or one for each opponent named, or as the rules say."""
    if players is not None:
        require_int("--players", players, 2, MAX_PLAYERS, RulesError)
    seats = players if players is not None else named + 1 if named > 1 else rules.players
    if named + 1 > seats:
        raise RulesError(
            f"--against and --engine name {named} opponents, but --players {seats} leaves {seats - 1} seats"
        )
    return rules.replace(players=seats)
