"""Description of an agent: its name, its options, and how to make it."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lastcard.agents.interface import Agent
from lastcard.errors import AgentError, shorten, suggest
from lastcard.rules import Rules
from lastcard.seeds import split_seed


def _plays_any(rules: Rules) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """An agent that can be used by name.

    >>> from lastcard.agents import find_agent
    >>> find_agent("halving").options["simulations"]
    1000
    """

    name: str
    summary: str
    config: type[Any]
    make: Callable[[Any, int], Agent]
    main_option: str = ""
    """The option that can be given without its name: `net:FILE`."""
    can_play: Callable[[Rules], bool] = _plays_any
    """Returns True for rules that it plays without further options."""
    about: str = ""
    """One or two sentences on how it plays; if empty, the docstring of its class or function."""

    @property
    def options(self) -> dict[str, object]:
        """Each option with its default."""
        return {field.name: field.default for field in dataclasses.fields(self.config)}

    @property
    def published(self) -> dict[str, object]:
        """The options that `as_published` sets otherwise; empty if the agent has no published form.

        >>> from lastcard.agents import find_agent
        >>> find_agent("mcts").published["max_depth"]
        20
        """
        if not hasattr(self.config, "as_published"):
            return {}
        values = dataclasses.asdict(self.config.as_published())
        return {name: value for name, value in values.items() if value != self.options[name]}

    @property
    def explanation(self) -> str:
        """Describes in one or two sentences how it plays."""
        if self.about:
            return self.about
        made_by = getattr(self.make, "source", self.make)  # an agent of your own, behind what calls it
        return " ".join((inspect.getdoc(made_by) or self.summary).split())

    def read_options(self, text: str) -> Any:
        """Its config with the options given as text: `simulations=5000,threads=2`.

        Raises:
            AgentError: if it has no such option or value.
        """
        return read_config(self.name, self.config, text, self.main_option)

    def build(self, options: str = "", seed: int = 0) -> Agent:
        """Makes the agent with the options given as text.

        Raises:
            AgentError: if it has no such option or value, or cannot be made.
        """
        return self.make(self.read_options(options), split_seed(seed, "agent"))


def option_help(config: type[Any]) -> dict[str, str]:
    """Returns the help of each option: the docstrings below the fields of an agent's config.

    >>> from lastcard.search import HalvingConfig
    >>> option_help(HalvingConfig)["simulations"]
    'Simulations per decision, shared by all actions.'
    """
    found = {field.name: "" for field in dataclasses.fields(config)}
    for kind in reversed([kind for kind in config.__mro__ if dataclasses.is_dataclass(kind)]):
        try:
            body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
        except (OSError, SyntaxError):
            continue  # typed at a prompt, say
        if not isinstance(body, ast.ClassDef):
            continue
        for field, below in itertools.pairwise(body.body):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
                found[field.target.id] = " ".join(str(ast.literal_eval(below.value)).split())
    return found


def format_option(value: object) -> str:
    """The value as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_config(name: str, config: type[Any], text: str, main_option: str = "") -> Any:
    """A config of that type with the options given as text; what names none is the value of the main one.

    Raises:
        AgentError: if it has no such option or value, under the name of whom it is for.

    >>> from lastcard.search import HalvingConfig
    >>> read_config("halving", HalvingConfig, "simulations=5000").simulations
    5000
    """
    defaults = {field.name: field.default for field in dataclasses.fields(config)}
    parts = text.split(",") if text.strip() else []
    values: dict[str, object] = {}
    if parts and parts[0].strip() == "as_published" and hasattr(config, "as_published"):
        values = dataclasses.asdict(config.as_published())
        parts = parts[1:]
    given: set[str] = set()
    for part in parts:
        option, separator, value = (word.strip() for word in part.partition("="))
        if main_option and option not in defaults:
            option, separator, value = main_option, "=", part.strip()
        if not separator or option not in defaults:
            known = ", ".join(defaults) or "none"
            meant = suggest(option, defaults) if separator else ""
            raise AgentError(f"{name} has no option {shorten(part.strip())}; there are: {known}{meant}")
        if option in given:
            raise AgentError(f"{name}: {option} is given twice")
        given.add(option)
        default = defaults[option]
        try:
            values[option] = _read_like(default, value)
        except ValueError:
            raise AgentError(f"{name}: {option} must be {_wanted_like(default)}, not {shorten(value)}") from None
    try:
        return config(**values)
    except AgentError as error:
        raise AgentError(f"{name}: {str(error).removeprefix(f'{name}: ')}") from None


def _wanted_like(default: object) -> str:
    if isinstance(default, bool):
        return "true or false"
    return f"a whole number such as {default}" if isinstance(default, int) else f"a number such as {default}"


def _read_like(default: object, text: str) -> object:
    """Reads an option's value as what its default is."""
    if isinstance(default, bool):
        if text.lower() not in ("true", "false"):
            raise ValueError(text)
        return text.lower() == "true"
    if isinstance(default, int):
        if not re.fullmatch(r"-?[0-9]{1,18}", text):
            raise ValueError(text)
        return int(text)
    return float(text) if isinstance(default, float) else text
