"""Options and output that `lastcard train` and `exploit` share."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, Protocol, TypeVar

import typer

from lastcard.cli.screen import Screen
from lastcard.errors import AgentError
from lastcard.learning.doors import HELP, list_options
from lastcard.shell import command

FolderOption = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Folder for the files of the run.")]
ResumeOption = Annotated[bool, typer.Option("--resume", help=HELP["resume"])]
_SHORT: Final = {"rules": "-r", "players": "-n", "minutes": "-m", "seed": "-s"}
_METAVARS: Final = {"rules": "RULES", "seed": "SEED", "rivals": "LIST", "start": "FILE"}
_Command = TypeVar("_Command", bound=Callable[..., Any])


class _Row(Protocol):
    def to_dict(self) -> dict[str, Any]: ...


def training_options(*names: str) -> Callable[[_Command], _Command]:
    """Gives a command options for these fields of `TrainConfig` in place of its `**options`; None is not given."""

    def add(command: _Command) -> _Command:
        signature = inspect.signature(command, eval_str=True)
        own = [part for part in signature.parameters.values() if part.kind is not inspect.Parameter.VAR_KEYWORD]
        known = list_options()
        added = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=Annotated[
                    known[name].kind | None,
                    typer.Option(
                        known[name].flag,
                        *[short for field, short in _SHORT.items() if field == name],
                        metavar=_METAVARS.get(name),
                        help=known[name].help,
                        show_default=known[name].default or False,
                    ),
                ],
            )
            for name in names
        ]
        parameters = [*own, *added]
        command.__annotations__ = {part.name: part.annotation for part in parameters}
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return command

    return add


@contextmanager
def option_errors() -> Iterator[None]:
    """Names the option instead of the field in errors about a value."""
    try:
        yield
    except AgentError as error:
        name, _, rest = str(error).partition(" ")
        option = list_options().get(name)
        if option is None:
            raise
        raise AgentError(f"{option.flag} {rest}") from None


def choose_given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def resume_options(context: typer.Context) -> list[str]:
    """Returns the options to resume a run with: `--resume`, and those that the command was given."""
    words = ["--resume"]
    for parameter in context.command.params:
        name, value = parameter.name or "", context.params.get(parameter.name or "")
        source = context.get_parameter_source(name)
        is_given = source is not None and source.name == "COMMANDLINE"
        if parameter.param_type_name != "option" or name == "resume" or not is_given:
            continue
        option = max(parameter.opts, key=len)
        for each in value if isinstance(value, (list, tuple)) else [value]:
            words += [option] if each is True else [option, str(each)]
    return words


class TrainingScreen:
    """The output of a run: a status line, and rows as text or as JSON."""

    def __init__(self, as_json: bool) -> None:
        from lastcard.learning.curve_text import StatusLine

        self._as_json = as_json
        self._screen = Screen()
        self._status = StatusLine()
        self.tick = self._status.show

    def show(self, row: _Row) -> None:
        """Prints a row of the run; sentences are wrapped between words."""
        from lastcard.learning import curve_text
        from lastcard.learning.exploit import Response

        self._print(row, curve_text.format_point(row), whole=not isinstance(row, Response))  # type: ignore[arg-type]

    def end(self, result: _Row, text: str) -> None:
        """Prints the result of the run."""
        self._print(result, [text], whole=False)

    def _print(self, row: _Row, lines: Iterable[str], *, whole: bool) -> None:
        self._status.clear()
        if self._as_json:
            print(json.dumps(row.to_dict()), flush=True)
            return
        for line in lines:
            self._screen.say(line, whole=whole)

    def note(self, text: str, words: Sequence[str]) -> None:
        """Prints a sentence that ends with a command of these words, unless the output is JSON."""
        self._status.clear()
        if not self._as_json:
            self._screen.say(f"{text}: {command(*words)}", whole=True)
