"""The command `lastcard`."""

from __future__ import annotations

import re
import signal
import sys
import threading
from typing import Annotated, Any, Final

import typer

from lastcard.cli.advise import advise
from lastcard.cli.agents import agents
from lastcard.cli.analyse import analyse
from lastcard.cli.arena import arena
from lastcard.cli.bench import bench
from lastcard.cli.engines import engine
from lastcard.cli.explain import explain
from lastcard.cli.exploit import exploit
from lastcard.cli.games import games
from lastcard.cli.play import play
from lastcard.cli.puzzle import puzzle
from lastcard.cli.replay import replay
from lastcard.cli.rules import rules
from lastcard.cli.serve import serve
from lastcard.cli.site import site
from lastcard.cli.store import store_commands
from lastcard.cli.streams import describe_output_error, drop_output, prepare_streams
from lastcard.cli.train import train
from lastcard.cli.tune import tune
from lastcard.cli.watch import watch
from lastcard.errors import LastcardError, shorten
from lastcard.shell import command
from lastcard.version import __version__

_WANTED: Final = {"int_parsing": "be a whole number", "float_parsing": "be a number"}

app = typer.Typer(
    name="lastcard",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lastcard {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def lastcard(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Play UNO against agents that reason about hidden cards, and study how they do it.

    New here? `lastcard play` starts a game, `lastcard advise` helps at a real table, and any command with --help
    explains itself with an example.

    Example: lastcard play
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for function in (
    *(play, serve, site, advise, watch, arena, replay, analyse, explain),
    *(rules, agents, tune, train, exploit, bench, engine, puzzle),
):
    app.command()(function)


app.add_typer(games, name="games")
app.add_typer(store_commands, name="store")


def main() -> None:
    """Runs the command line and prints errors in one line; SIGTERM stops a command as Ctrl-C does."""
    prepare_streams()
    group = typer.main.get_command(app)
    _name_program(group)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        # Not standalone: typer would print errors itself, over several lines.
        code = group(prog_name="lastcard", standalone_mode=False)
        # Here, where a full disk or a closed pipe can still be reported; Python flushes again only when it exits.
        sys.stdout.flush()
    except typer.TyperException as error:
        code = _fail(_point_to_help(error))
    except BrokenPipeError:
        drop_output()
        code = 1
    except LastcardError as error:
        code = _fail(str(error))
    except OSError as error:
        code = _fail(describe_output_error(error))
    except (KeyboardInterrupt, typer.Abort):
        # 128 + SIGINT, as shells report a command that Ctrl-C ended.
        code = 130
    sys.exit(code if isinstance(code, int) else 0)


def _name_program(group: Any) -> None:
    """Lets the commands in the help start with the path that started this program, and keeps examples on one line."""
    for told in (group, *group.params):
        if getattr(told, "help", None):
            told.help = re.sub(r"\blastcard(?= [a-z])", lambda _: command(), told.help)
            told.help = told.help.replace("Example: ", "\b\nExample: ")  # this sign keeps its line whole
    for each in getattr(group, "commands", {}).values():
        _name_program(each)


def _point_to_help(error: typer.TyperException) -> str:
    """Describes an error and, for wrong arguments, names the help to read."""
    message = _name_bad_value(error) or error.format_message()
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    end = "" if message.endswith((".", "?")) else "."
    return f"{message}{end} See {command(*context.command_path.split()[1:], '--help')}"


def _name_bad_value(error: typer.TyperException) -> str:
    """Names the option, what it wants and what was given; empty if the error is not about a value."""
    parameter, list_errors = getattr(error, "param", None), getattr(error.__cause__, "errors", None)
    if parameter is None or list_errors is None:
        return ""
    found = list_errors()[0]
    wanted = _WANTED.get(found["type"], found["msg"].removeprefix("Input should "))
    return f"{max(parameter.opts, key=len)} must {wanted}, not {shorten(found['input'])}"


def _fail(message: str) -> int:
    line = " ".join(message.split())
    print(f"error: {line}", file=sys.stderr)
    return 2
