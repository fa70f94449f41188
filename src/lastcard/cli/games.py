"""`lastcard games`: what a store holds."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from lastcard.cli.screen import Screen
from lastcard.cli.shared_options import JsonOption
from lastcard.errors import RecordError, StoreError, require_int, shorten
from lastcard.files import Output, is_open_stream
from lastcard.store import open_store

if TYPE_CHECKING:
    from lastcard.store.match_rows import StoredMatch
    from lastcard.store.reading import GameFilter, StoredGame
    from lastcard.store.store import Store

STORE: Final = "games.db"
LIMIT: Final = 20
FORMATS: Final = ("text", "jsonl")

StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help=f"The store: a path, or postgresql://...  [default: ({STORE})]"),
]

games = typer.Typer(invoke_without_command=True, subcommand_metavar="[show GAME | matches]", rich_markup_mode=None)


@games.callback()
def list_games(
    context: typer.Context,
    store: StoreOption = None,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent", "-a", metavar="AGENT", help="Only games of this agent, with these options if any are given."
        ),
    ] = None,
    winner: Annotated[str | None, typer.Option("--winner", metavar="AGENT", help="Only games this agent won.")] = None,
    rules: Annotated[
        str | None,
        typer.Option("--rules", "-r", metavar="RULES", help="Only games with these rules, for any number of players."),
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", "-n", metavar="N", help="Only games with this number of seats.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="TIME", help="Only games started since then (UTC), e.g. 2026-01-31."),
    ] = None,
    match: Annotated[int | None, typer.Option("--match", metavar="N", help="Only games of this match.")] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-l", metavar="N", help=f"Only the newest N.  [default: ({LIMIT}; all with --export)]"),
    ] = None,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help="Write the records to a file, for replay.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="FORMAT", help="text, or jsonl for JSON lines; by default from the file name."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the games of a store, newest first, or export their records.

    With --json: one line per game.

    Example: lastcard games --store games.db --agent heuristic --limit 5
    """
    context.obj = store
    if context.invoked_subcommand is not None:
        return
    if limit is not None:
        require_int("--limit", limit, 1, 10**9, StoreError)
    if form and not export:
        raise StoreError("--format is the format of --export FILE; give both")
    time = _read_time(since)
    with open_store(store or STORE, read_only=True) as opened:
        from lastcard.store.reading import GameFilter

        wanted = GameFilter(agent=agent, winner=winner, rules=rules, players=players, since=time, match=match)
        if export:
            _export(opened, wanted, limit, export, _choose_format(export, form))
            return
        damaged: list[StoreError] = []
        found = opened.list_games(wanted, LIMIT if limit is None else limit, damaged.append)
        if as_json:
            for game in found:
                print(json.dumps(game.to_dict()))
        else:
            _print_games(list(found), opened.count_games(wanted))
    _report(damaged)


@games.command()
def show(
    context: typer.Context,
    game: Annotated[int, typer.Argument(metavar="GAME", help="Number of the game in the list.")],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the record of a game.

    With --json: the entry of the list, and the record.

    Example: lastcard games show 7 > game.txt
    """
    with open_store(store or context.obj or STORE, read_only=True) as opened:
        text = opened.read_text(game)
        if as_json:
            print(json.dumps({**opened.find_game(game).to_dict(), "record": text}))
        else:
            print(text, end="")


@games.command()
def matches(context: typer.Context, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the matches of a store, newest first, with their ratings.

    With --json: one line per match.

    Example: lastcard games matches --store games.db
    """
    with open_store(store or context.obj or STORE, read_only=True) as opened:
        damaged: list[StoreError] = []
        found = opened.list_matches(damaged.append)
    screen = Screen()
    if not found and not as_json:
        screen.say("No matches.")
    for match in found:
        if as_json:
            print(json.dumps(match.to_dict()))
            continue
        for line in _match_lines(match):
            screen.say(line, hang=2)
    _report(damaged)


def _report(damaged: list[StoreError]) -> None:
    """Reports the damaged rows that were left out.

    Raises:
        StoreError: if that is anything.
    """
    if damaged:
        count = "1 row is" if len(damaged) == 1 else f"{len(damaged):,} rows are"
        raise StoreError(f"{count} damaged and left out; the first: {damaged[0]}")


# The list


def _print_games(found: list[StoredGame], total: int) -> None:
    screen = Screen()
    if not found:
        screen.say("No games.")
        return
    rows = [("game", "when (UTC)", "rules", "plies", "who and points, the winner first")]
    rows += [_row(game) for game in found]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(4)]
    widths[2] = min(widths[2], 20)
    for number, (game, when, rules, plies, who) in enumerate(rows):
        line = f"{game:>{widths[0]}}  {when:<{widths[1]}}  {_fit(rules, widths[2])}  {plies:>{widths[3]}}  "
        room = max(screen.width - cell_len(line), 10)
        shown = who if cell_len(who) <= room else _fit(who, room)
        screen.say(Text(line + shown, "bold" if number == 0 else ""), whole=True)
    if total > len(found):
        screen.say(f"{len(found):,} of {total:,} games; list more with --limit.")


def _row(game: StoredGame) -> tuple[str, str, str, str, str]:
    when = game.began.strftime("%Y-%m-%d %H:%M")
    return str(game.number), when, game.rules, str(game.plies) if game.finished else "", _who(game)


def _who(game: StoredGame) -> str:
    if game.finished is None:
        return "in progress: " + ", ".join(_plain(seat.name) for seat in game.seats)
    order = sorted(range(len(game.seats)), key=lambda seat: (seat != game.winner, seat))
    told = ", ".join(f"{_plain(game.seats[seat].name)} {game.seats[seat].points}" for seat in order)
    return told if game.winner is not None else f"nobody won: {told}"


def _plain(name: str) -> str:
    """A name that cannot upset the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def _fit(text: str, width: int) -> str:
    """Exactly so wide, cut if need be."""
    return set_cell_size(text, width) if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"


def _match_lines(match: StoredMatch) -> Iterator[str]:
    when, rules = match.began.strftime("%Y-%m-%d %H:%M"), match.tournament["rules"]
    end = "" if match.finished else ", unfinished"
    deals, seed = match.tournament.get("deals", 0), match.tournament["seed"]
    yield f"Match {match.number}, {when} UTC: {rules}, {deals:,} deals per pairing, seed {seed}{end}"
    for name, rating, error in match.agents:
        told = "" if rating is None or error is None else f"  {rating:.0f} ± {error:.0f}"
        yield f"  {_plain(name)}{told}"


# The export


def _export(store: Store, wanted: GameFilter, limit: int | None, file: Path, form: str) -> None:
    total = store.count_games(wanted)
    total = total if limit is None else min(total, limit)
    damaged: list[StoreError] = []
    count = 0
    with Output(file, RecordError) as output:
        for text in _with_progress(_texts(store, wanted, limit, form, damaged), total):
            output.write(f"\n{text}" if count and form == "text" else text)
            count += 1
    told = f"{count:,} {'game' if count == 1 else 'games'} in {file}"
    print(told, file=sys.stderr if is_open_stream(file) else sys.stdout)
    _report(damaged)


def _texts(store: Store, wanted: GameFilter, limit: int | None, form: str, damaged: list[StoreError]) -> Iterator[str]:
    for game in store.list_games(wanted, limit, damaged.append):
        try:
            is_json = form == "jsonl"
            yield store.read_record(game.number).to_json_lines() if is_json else store.read_text(game.number)
        except StoreError as error:
            damaged.append(error)


def _with_progress(texts: Iterable[str], count: int) -> Iterator[str]:
    if not sys.stderr.isatty():
        yield from texts
        return
    with typer.progressbar(texts, length=count, label="Exporting", file=sys.stderr) as bar:
        yield from bar


def _choose_format(file: Path, form: str | None) -> str:
    if form is None:
        return "jsonl" if file.suffix == ".jsonl" else "text"
    if form not in FORMATS:
        raise StoreError(f"--format must be {' or '.join(FORMATS)}, not {shorten(form)}")
    return form


def _read_time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise StoreError(f"--since must be a day or time such as 2026-01-31T12:00, not {shorten(text)}") from None
