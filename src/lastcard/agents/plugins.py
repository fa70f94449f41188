"""Agents of other packages and modules: found by entry points or named `module:Class`, and imported only here.

`load_agent` is called with what a person typed or a program wrote, never with what a request, a record, a store or a
tournament's file says.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from lastcard.agents.info import AgentInfo
from lastcard.agents.registry import add_agent, find_agent, is_built_in
from lastcard.errors import AgentError, LastcardError, shorten

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "lastcard.agents"
"""The group of entry points that other packages declare."""

_OWN: Final = re.compile(r"(?P<module>[^\W\d]\w*(?:\.[^\W\d]\w*)*):(?P<path>[^\W\d]\w*(?:\.[^\W\d]\w*)*)")


@dataclass(frozen=True, slots=True)
class Plugin:
    """An agent that another package declares."""

    name: str
    source: str
    """The package and its version."""
    value: str
    """Location of the agent: `module:Class`."""


def list_plugins() -> tuple[Plugin, ...]:
    """The agents that installed packages declare, by name. Nothing is imported."""
    return tuple(_describe(point) for point in _find_points())


def load_agent(text: str) -> AgentInfo:
    """Imports an agent of another package (by its name) or module (`module:Class`) and adds it to the known ones.

    Options may follow after a colon; they are not looked at. An agent that is known already is only found.

    Raises:
        AgentError: if there is none, or it cannot be imported.

    >>> load_agent("heuristic").name
    'heuristic'
    >>> load_agent("no_such_module:Agent")
    Traceback (most recent call last):
    lastcard.errors.AgentError: no agent 'no_such_module:Agent': there is no module no_such_module ...
    """
    own = _find_own(text)
    try:
        known = find_agent(text)
        if known.name == own or own is None or is_built_in(text):
            return known
    except AgentError:
        if not isinstance(text, str):
            raise
    if own is not None:
        module, _, path = own.partition(":")
        return add_agent(_import(module, path, own), own)
    head = text.partition(":")[0].strip()
    points = [point for point in _find_points() if point.name == head]
    return load_plugin(_choose(points)) if points else find_agent(text)  # which says that there is none


def _find_own(text: str) -> str | None:
    """The `module:Class` that the text begins with; None if it is the name of a plug-in, with options or without."""
    found = _OWN.match(text.strip()) if isinstance(text, str) else None
    if found is None or is_built_in(text) or text.strip()[found.end() :].strip()[:1] not in ("", ":"):
        return None
    module = found["module"]
    is_plugin = any(point.name == module for point in _find_points())
    return None if is_plugin and find_spec(module.partition(".")[0]) is None else found[0]


def load_plugin(plugin: Plugin) -> AgentInfo:
    """Imports the agent that a package declares and adds it to the known ones.

    Raises:
        AgentError: if that fails, naming the package.
    """
    try:
        if is_built_in(plugin.name):
            raise AgentError("an agent of that name comes with lastcard")
        if not _OWN.fullmatch(plugin.value):
            raise AgentError(f"{shorten(plugin.value)} is not module:Class")
        module, _, path = plugin.value.partition(":")
        return add_agent(_import(module, path, plugin.value), plugin.name)
    except AgentError as error:
        raise AgentError(f"plug-in {shorten(plugin.name)} of {plugin.source}: {error}") from error.__cause__


def load_plugins() -> Iterator[AgentInfo | AgentError]:
    """Imports every agent that installed packages declare; a broken one comes as the error that says so."""
    seen: set[str] = set()
    for plugin in list_plugins():
        if plugin.name in seen:
            yield AgentError(f"plug-in {shorten(plugin.name)} of {plugin.source}: another package has that name")
            continue
        seen.add(plugin.name)
        try:
            yield load_plugin(plugin)
        except AgentError as error:
            yield error


def _find_points() -> list[EntryPoint]:
    """The entry points, each once: a package that is on the path twice is still one."""
    from importlib.metadata import entry_points  # too slow to import for those who need no plug-in

    found = {(point.name, point.value, _name_source(point)): point for point in entry_points(group=GROUP)}
    return [found[key] for key in sorted(found)]


def _describe(point: EntryPoint) -> Plugin:
    return Plugin(point.name, _name_source(point), point.value)


def _name_source(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown package"


def _choose(points: list[EntryPoint]) -> Plugin:
    if len(points) > 1:
        sources = " and ".join(map(_name_source, points))
        raise AgentError(f"plug-in {shorten(points[0].name)}: {sources} both have one; name it as {points[0].value}")
    return _describe(points[0])


def _import(module: str, path: str, text: str) -> object:
    try:
        found: object = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and (module == error.name or module.startswith(f"{error.name}.")):
            raise AgentError(f"no agent {shorten(text)}: there is no module {error.name} where Python looks") from None
        raise AgentError(f"{shorten(text)} cannot be imported: {error}") from error
    except LastcardError:
        raise
    except (Exception, SystemExit) as error:
        raise AgentError(f"{shorten(text)} cannot be imported: {type(error).__name__}: {error}") from error
    for name in path.split("."):
        if not hasattr(found, name):
            raise AgentError(f"no agent {shorten(text)}: {module} has no {name}")
        found = getattr(found, name)
    return found
