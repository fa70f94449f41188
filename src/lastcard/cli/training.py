"""Options and output that `lastcard train`, `exploit` and `tune` share."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from lastcard.cli.screen import Screen
from lastcard.errors import AgentError
from lastcard.rules import parse_rules
from lastcard.shell import command

if TYPE_CHECKING:
    from lastcard.learning import TrainConfig

FolderOption = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Folder for the files of the run.")]
RulesOption = Annotated[str, typer.Option("--rules", "-r", metavar="RULES", help="A preset and changes.")]
PlayersOption = Annotated[
    int | None, typer.Option("--players", "-n", help="Number of players.", show_default="as the rules say")
]
MinutesOption = Annotated[float, typer.Option("--minutes", "-m", help="Training time in total.")]
UpdatesOption = Annotated[
    int, typer.Option("--updates", help="Train for this many updates instead of --minutes, if not 0.")
]
PriceOption = Annotated[
    float, typer.Option("--price", help="Cost of a decision, where a win is worth 1. Shortens rounds.")
]
CriticOption = Annotated[str, typer.Option("--critic", help="Critic in training: own, or all_hands (sees every hand).")]
DeviceOption = Annotated[str, typer.Option("--device", help="cpu, cuda, or auto: a GPU if there is one.")]
ThreadsOption = Annotated[int, typer.Option("--threads", help="CPU threads.")]
EnvsOption = Annotated[int, typer.Option("--envs", help="Number of parallel environments; 0 picks a default.")]
HiddenOption = Annotated[int, typer.Option("--hidden", help="Width of the network's layers.")]
BlocksOption = Annotated[int, typer.Option("--blocks", help="Residual blocks.")]
SeedOption = Annotated[int, typer.Option("--seed", "-s", metavar="SEED", help="Seed of cards and exploration.")]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Resume the run in the folder, with its options unless others are given.")
]


class _Row(Protocol):
    def to_dict(self) -> dict[str, Any]: ...


def count_players(rules: str, players: int | None) -> int:
    """Returns the number of players: as asked, or as the rules say."""
    return parse_rules(rules).players if players is None else players


def make_config(
    context: typer.Context,
    renamed: Mapping[str, str] = MappingProxyType({}),
    *,
    resumed: Path | None = None,
    **fixed: Any,
) -> TrainConfig:
    """Makes a config of training from the options of a command that are fields of it; None is the field's default.

    `renamed` has the fields of options with other names, and `fixed` what the command does not ask for. A run that is
    `resumed` from its folder keeps every parameter whose option is not given.

    Raises:
        AgentError: if a value is refused, naming the option.
    """
    from lastcard.learning import TrainConfig
    from lastcard.learning.folder import Folder

    fields = {"envs": "num_envs", **renamed}
    params = context.params
    asked = {option: params[option] for option in params if resumed is None or is_given(context, option)}
    if resumed is None:
        asked["players"] = count_players(asked["rules"], asked["players"])
    given = {fields.get(option, option): value for option, value in asked.items()}
    known = {field.name for field in dataclasses.fields(TrainConfig)}
    chosen = {name: value for name, value in given.items() if name in known and value is not None}
    try:
        return TrainConfig(**chosen, **fixed) if resumed is None else Folder(resumed).resume_config(chosen)
    except AgentError as error:
        name, _, rest = str(error).partition(" ")
        if name not in known:
            raise
        options = {field: option for option, field in fields.items()}
        raise AgentError(f"--{options.get(name, name.replace('_', '-'))} {rest}") from None


def is_given(context: typer.Context, name: str) -> bool:
    """Returns whether a parameter of the command was given."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def resume_options(context: typer.Context) -> list[str]:
    """Returns the options to resume a run with: `--resume`, and those that the command was given."""
    return ["--resume", *given_options(context)]


def given_options(context: typer.Context) -> list[str]:
    """Returns the options that the command was given, except `--resume`."""
    words: list[str] = []
    for parameter in context.command.params:
        name, value = parameter.name or "", context.params.get(parameter.name or "")
        if parameter.param_type_name != "option" or name == "resume" or not is_given(context, name):
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

    def show(self, row: _Row, lines: Iterable[str], *, whole: bool = True) -> None:
        """Prints a row of the run; its lines are wrapped between words unless `whole`."""
        self._status.clear()
        if self._as_json:
            print(json.dumps(row.to_dict()), flush=True)
            return
        for line in lines:
            self._screen.say(line, whole=whole)

    def note(self, text: str, words: Sequence[str] = ()) -> None:
        """Prints a sentence, which may end with a command of these words, unless the output is JSON."""
        self._status.clear()
        if not self._as_json:
            self._screen.say(f"{text}: {command(*words)}" if words else f"{text}.", whole=bool(words))
