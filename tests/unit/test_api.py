"""The public face of the package: its names, its docstrings, and that nothing of the core shows."""

import dataclasses
import enum
import inspect
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

import lastcard

NAMES = lastcard.__all__


def order_of(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, each sorted."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_all_is_sorted_and_without_doubles() -> None:
    assert sorted(NAMES, key=order_of) == NAMES
    assert len(set(NAMES)) == len(NAMES)


def test_all_is_everything_public() -> None:
    found = {
        name for name, value in vars(lastcard).items() if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert found == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_exists_and_belongs_to_the_package(name: str) -> None:
    value = getattr(lastcard, name)
    module = getattr(value, "__module__", None)
    if callable(value):
        assert module is not None
        assert module.startswith("lastcard.")
        assert "_core" not in module
        assert value.__name__ == name


def documented() -> Iterator[tuple[str, object]]:
    """Every public class and function, and the public methods and properties of the classes."""
    for name in NAMES:
        value = getattr(lastcard, name)
        if not (inspect.isclass(value) or inspect.isfunction(value)):
            continue
        yield name, value
        if not inspect.isclass(value):
            continue
        for attribute, member in vars(value).items():
            if attribute.startswith("_") or isinstance(member, enum.Enum):
                continue
            if inspect.isfunction(member) or isinstance(member, property | classmethod | staticmethod):
                yield f"{name}.{attribute}", member


DOCUMENTED = dict(documented())


def test_members_are_found() -> None:
    assert {"State.legal_actions", "State.seat", "Rules.preset", "Action.play", "observe", "Table"} <= set(DOCUMENTED)
    assert len(DOCUMENTED) > 120


@pytest.mark.parametrize("name", DOCUMENTED)
def test_everything_public_has_a_docstring(name: str) -> None:
    """Its own, not one that a dataclass or a base class made up."""
    member = DOCUMENTED[name]
    text = (getattr(member, "__func__", member)).__doc__ or ""
    assert len(text.split()) >= 2
    assert not text[0].islower()
    assert text.split("\n")[0].rstrip()[-1] in ".:?)"
    assert not text.startswith(f"{name}(")


def test_the_package_and_its_modules_say_what_they_are() -> None:
    modules = [value for name, value in sys.modules.items() if name.startswith("lastcard") and "_core" not in name]
    assert len(modules) > 12
    for module in modules:
        assert (module.__doc__ or "").strip(), module.__name__


# Nothing of the core shows through


def reachable() -> Iterator[tuple[str, object]]:
    """Yields the results of the main functions, by name."""
    rules = lastcard.Rules.preset("tournament")
    state = lastcard.deal(rules, seed=7)
    table = lastcard.Table(rules, ["random"] * 4, seed=3)
    record = table.play_round()
    later = lastcard.deal(rules, seed=7)
    for _ in range(20):
        later = later.after(later.legal_actions[0])
    yield from {
        "rules": rules,
        "replaced": rules.replace(players=3),
        "deck": rules.deck,
        "state": state,
        "later": later,
        "copy": state.copy(),
        "parsed": lastcard.parse_state("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR"),
        "over": list(record.states())[-1],
        "observation": lastcard.observe(later, 1),
        "record": record,
        "round": record.rounds[0],
        "table": table,
        "game": lastcard.Table(lastcard.Rules.preset("mini", target_score=3), ["random"] * 2).play_game(),
        "batch": lastcard.play_random_games(rules, 10),
        "agent": lastcard.make_agent("random"),
        "infos": lastcard.list_agents(),
        "order": lastcard.deck_order(rules, 1),
        "reshuffled": lastcard.reshuffled(lastcard.CARDS, 1, 1),
        "seed": lastcard.split_seed(1, "agent"),
        "perft": state.perft(2),
        "card": lastcard.parse_card("r5"),
        "action": lastcard.parse_action("w:g"),
        "event": lastcard.parse_event("0 plays r5"),
    }.items()


def check(name: str, value: object, seen: set[int], depth: int = 0) -> None:
    """Walks what is public in a value; nothing may be of the core's own types."""
    if id(value) in seen or depth > 6:
        return
    seen.add(id(value))
    kind = type(value)
    assert "_core" not in kind.__module__, f"{name} is a {kind.__module__}.{kind.__qualname__}"
    if isinstance(value, dict | list | tuple | set | frozenset):
        for item in (*value, *value.values()) if isinstance(value, dict) else value:
            check(f"an item of {name}", item, seen, depth + 1)
    if not kind.__module__.startswith("lastcard"):
        return
    for attribute in dir(value):
        if attribute.startswith("_"):
            continue
        member = getattr(value, attribute)
        if inspect.ismethod(member) and member.__self__ is value and takes_nothing(member):
            if attribute not in (
                "play_ply",
                "next_round",
                "play_round",
                "play_game",
                "check",
            ):  # these change the table
                check(f"{name}.{attribute}()", member(), seen, depth + 1)
        elif not callable(member):
            check(f"{name}.{attribute}", member, seen, depth + 1)


def takes_nothing(method: object) -> bool:
    """Returns True if it can be called without arguments."""
    parameters = inspect.signature(method).parameters.values()  # type: ignore[arg-type]
    return all(parameter.default is not parameter.empty for parameter in parameters)


@pytest.mark.parametrize(("name", "value"), list(reachable()), ids=[name for name, _ in reachable()])
def test_nothing_of_the_core_shows_through(name: str, value: object) -> None:
    check(name, value, set())


def test_the_check_finds_what_shows_through() -> None:
    state = lastcard.deal(lastcard.Rules())

    @dataclasses.dataclass
    class Leaky:
        inner: object

    Leaky.__module__ = "lastcard.leaky"
    with pytest.raises(AssertionError, match=r"leak\.inner is a lastcard\._core\.Round"):
        check("leak", Leaky(state._round), set())


def test_public_signatures_do_not_name_the_core() -> None:
    for name in NAMES:
        value = getattr(lastcard, name)
        if inspect.isfunction(value):
            annotations = " ".join(map(str, inspect.get_annotations(value).values()))
            assert "_core" not in annotations, name


# Importing


HEAVY = ("rich", "typer", "click", "pydantic", "numpy", "hypothesis", "pytest", "rlcard", "torch")


def test_importing_is_light() -> None:
    program = "import sys, lastcard; print(' '.join(sorted({name.partition('.')[0] for name in sys.modules})))"
    run = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert "lastcard" in loaded
    assert not set(loaded) & set(HEAVY)
    assert run.stderr == ""


def test_what_the_package_docstring_shows_works() -> None:
    state = lastcard.deal(lastcard.Rules.preset("official"), seed=7)
    obs = lastcard.observe(state, seat=0)
    assert lastcard.make_agent("random", seed=3).choose(obs) in obs.legal_actions
