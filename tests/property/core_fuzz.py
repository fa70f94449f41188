"""Calls everything in `_core` with senseless arguments: `python -m tests.property.core_fuzz [--calls N] [--seed N]`.

It may raise whatever it likes, but it must come back: a crash ends the process, and with it the test that started it.
Arguments are drawn from what real calls take and from everything else, so that some of them get past the first check.
Every call runs under a stop flag, which ends what would take long.
"""

from __future__ import annotations

import argparse
import copy
import faulthandler
import random
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import numpy as np

from lastcard import _core
from lastcard.agents import make_agent
from lastcard.belief import BeliefConfig
from lastcard.envs.encoding import encoding_size
from lastcard.network import Network
from lastcard.observation import observe
from lastcard.options import fill_record
from lastcard.rules import Rules
from lastcard.search import ExpectiminimaxConfig, HalvingConfig, IsmctsConfig, MctsConfig, PomcpConfig
from lastcard.seeds import seed_bytes
from lastcard.state import State, deal
from lastcard.table import Table
from lastcard.weights import FEATURES, Weights

CALL_SECONDS: Final = 0.02
"""Time after which the flag ends a call."""
INTEGERS: Final = (
    *(-(2**63), -(2**31), -256, -1, 0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 15, 51, 53, 54, 55, 59, 60, 61, 66, 80, 81),
    *(100, 108, 112, 255, 256, 65_535, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**70),
)
INFINITY: Final = float("inf")
FLOATS: Final = (-1e308, -1.0, -0.0, 0.0, 1e-300, 0.2, 0.5, 1.0, 1.5, 1e9, 1e308, INFINITY, -INFINITY, float("nan"))
MOST_KEPT: Final = 200
SEARCHES: Final = (
    HalvingConfig(simulations=8, hypotheses=8),
    IsmctsConfig(simulations=8, hypotheses=8),
    MctsConfig(simulations=8, hypotheses=8),
    PomcpConfig(simulations=8, hypotheses=8),
    ExpectiminimaxConfig(determinizations=2),
)
RECORDED: Final = Rules.preset("mini")
PRESETS: Final = ("official", "official players=4", "tournament", "house", "house players=10", "mini", "numbers")


class Fuzzer:
    """Makes calls at random and counts how they ended."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        record = Table(RECORDED, ["random", "random"], seed=3).play_round()
        self.ended: Counter[str] = Counter()
        self.pool: list[Any] = []
        """Real objects of the core."""
        self.kept: deque[Any] = deque(maxlen=MOST_KEPT)
        """Latest return values of calls."""
        self.weights = list(Weights.shipped(2).values)
        self.texts = [record.to_text(), record.to_json_lines()]
        self._watch = _Watch()
        self._fill_pool()
        self.calls = list(self._list_calls())
        self.right = list(right_calls(self.pool, self.weights))

    def run(self, num_calls: int) -> None:
        """Makes that many calls."""
        with self._watch:
            for _ in range(num_calls):
                self._call()

    # Everything that can be called

    def _list_calls(self) -> Iterator[Callable[..., Any]]:
        for name, value in vars(_core).items():
            if isinstance(value, type) or (callable(value) and name not in ("give_way", "use_stop_flag")):
                yield value

    def _fill_pool(self) -> None:
        settings = BeliefConfig(hypotheses=8).compile(Rules.preset("official"))
        compiled = [config.compile(Rules.preset("official")) for config in SEARCHES]
        network = Network.shipped(Rules.preset("official"))._compiled
        self.pool += [settings, network, _core.Trace([0, 1]), _core.DeterminizationTrace(1, 2), *compiled]
        self.pool += [_core.search_contestant(each) for each in compiled]
        self.pool += [_core.network_contestant(network), _core.first_legal_contestant(), _core.StopFlag()]
        self.pool += _list_recorded()
        rules = Rules.preset("official")._compiled
        who, num_envs = [255, 0], 3
        self.pool += [
            _core.VectorEnv(
                rules=rules,
                who=who,
                weights=self.weights,
                num_envs=num_envs,
                seed=1,
                observes=observes,
                encoding=encoding,
                threads=1,
                splits_unfinished=False,
                games=encoding == 2,
            )
            for observes, encoding in ((False, 1), (True, 1), (True, 2))
        ]
        self.pool[-1].reset(None, None, None, None, None, None)
        self.pool.append(_core.positions_of_rounds(rules, [deal(Rules.preset("official"), seed=1)._round]))
        for text in PRESETS:
            preset, _, change = text.partition(" ")
            law = Rules.preset(preset, **({"players": int(change[8:])} if change else {}))
            self.pool += [law._compiled, *self._play_a_round(deal(law, seed=self.rng.randrange(99)))]

    def _play_a_round(self, state: State) -> Iterator[Any]:
        agent = make_agent("random", seed=self.rng.randrange(99))
        for _ in range(self.rng.randrange(3, 60)):
            if state.seat is None:
                break
            state = state.after(agent.choose(observe(state, state.seat)))
        seat = 0 if state.seat is None else state.seat
        seen = observe(state, seat)._core
        yield state._round
        yield seen
        yield _core.observe(state._round, -1)
        yield _core.believe(seen, BeliefConfig(hypotheses=8).compile(state.rules), 1)

    # One call

    def _call(self) -> None:
        target = self.rng.choice(self.calls)
        if self.rng.random() < 0.3:
            target, arguments, named = spoil(self.rng, *self.rng.choice(self.right))
        else:
            if self.rng.random() < 0.5:
                target = self._pick_method() or target
            arguments, named = self._make_arguments(target)
        try:
            with self._watch.limit():
                result = target(*arguments, **named)
                if not isinstance(result, list | int | float | bytes | str | type(None)):
                    self._look_at(result)
        except Exception as error:  # anything but a crash is right
            self.ended[type(error).__name__] += 1
        else:
            self.ended["returned"] += 1
            self._keep(result)

    def _pick_method(self) -> Callable[..., Any] | None:
        thing = self._pick(object)
        names = [name for name in dir(thing) if not name.startswith("_")]
        if not names:
            return None
        try:
            value = getattr(thing, self.rng.choice(names))
        except Exception:
            return None
        return value if callable(value) else None

    def _look_at(self, thing: Any) -> None:
        for name in dir(thing):
            if not name.startswith("_"):
                getattr(thing, name)
        if isinstance(thing, _core.Round):
            self._play_on(thing.copy())
        elif isinstance(thing, _core.Observation):
            self._think(thing)

    def _play_on(self, made: Any) -> None:
        """Plays a state that got past the checks, which must be fit to play."""
        for _ in range(30):
            legal = made.legal()
            if not legal:
                return
            seen = _core.observe(made, made.seat)
            made.apply_in_place(self.rng.choice(legal))
        self._think(seen)

    def _think(self, seen: Any) -> None:
        _core.believe(seen, self._pick(_core.BeliefSettings), 1)
        _core.search_by_halving(seen, self._pick(_core.HalvingSettings), 1)
        _core.search_by_ismcts(seen, self._pick(_core.IsmctsSettings), 1)

    def _keep(self, result: Any) -> None:
        if not type(result).__module__.endswith("_core") or isinstance(result, _core.VectorEnv | _core.Positions):
            return  # those can be large, and the pool keeps what it gets
        self.kept.append(result)

    def _make_arguments(self, target: Callable[..., Any]) -> tuple[list[Any], dict[str, Any]]:
        signature = (getattr(target, "__doc__", "") or getattr(target.__init__, "__doc__", "") or "").splitlines()
        line = signature[0] if signature else ""
        inside = line[line.find("(") + 1 : line.rfind(") ->")] if "(" in line else ""
        parts = [part for part in _split(inside) if part and part not in ("self", "/")]
        arguments, named, by_name = list[Any](), dict[str, Any](), False
        for part in parts:
            if part == "*":
                by_name = True
                continue
            name, _, kind = part.partition(":")
            value = self._value(kind.partition("=")[0].strip())
            if by_name:
                named[name.strip()] = value
            else:
                arguments.append(value)
        if self.rng.random() < 0.05:
            arguments.append(self._anything())
        if arguments and self.rng.random() < 0.05:
            arguments.pop()
        return arguments, named

    # Values

    def _value(self, kind: str) -> Any:
        """Something of the kind that the signature asks for, or anything."""
        rng = self.rng
        if rng.random() < 0.06:
            return self._anything()
        kind = kind.removesuffix(" | None")
        if "ndarray" in kind.lower():
            return self._array(kind)
        if kind.startswith(("collections.abc.Sequence[", "Sequence[", "list[")):
            return self._sequence(kind[kind.find("[") + 1 : -1])
        if kind.startswith("tuple["):
            return tuple(self._value(each.strip()) for each in _split(kind[6:-1]))
        if kind == "int":
            return rng.choice(INTEGERS[14:28]) if rng.random() < 0.7 else rng.choice(INTEGERS)
        if kind == "float":
            return rng.choice(FLOATS[4:8]) if rng.random() < 0.7 else rng.choice(FLOATS)
        if kind == "bool":
            return rng.random() < 0.5
        if kind == "bytes":
            return seed_bytes(rng.randrange(9)) if rng.random() < 0.8 else rng.randbytes(rng.randrange(40))
        if kind == "str":
            return rng.choice(self.texts) if rng.random() < 0.5 else "x" * rng.randrange(4)
        wanted = getattr(_core, kind.rpartition(".")[2], None)
        return self._pick(wanted) if isinstance(wanted, type) else self._anything()

    def _pick(self, kind: type) -> Any:
        """A real object of the core of that type, or one that came of a call."""
        found = [each for each in (*self.pool, *self.kept) if isinstance(each, kind)]
        return self.rng.choice(found) if found else None

    def _sequence(self, kind: str) -> list[Any]:
        rng = self.rng
        if kind == "float" and rng.random() < 0.6:
            return self.weights if rng.random() < 0.7 else [0.6, 0.2, 0.2]
        if kind == "int" and rng.random() < 0.5:
            return self._numbers()
        return [self._value(kind) for _ in range(rng.choice((0, 1, 2, 3, 4, 10, 11, 15, len(FEATURES), 54)))]

    def _numbers(self) -> list[int]:
        """A deck, packed events or cards, of something real or nearly so."""
        rng = self.rng
        real = self._pick(_core.Round)
        numbers = rng.choice((real.events, lambda: real.draw_pile, lambda: real.discard_pile, lambda: real.hand(0)))()
        if rng.random() < 0.2:
            numbers = [2] * 52 + [4, 4]
        if numbers and rng.random() < 0.5:
            numbers[rng.randrange(len(numbers))] = rng.choice(INTEGERS)
        return list(numbers)

    def _array(self, kind: str) -> Any:
        rng = self.rng
        names = {"uint8": np.uint8, "float32": np.float32, "int64": np.int64, "uint64": np.uint64}
        wanted = next((value for name, value in names.items() if name in kind), np.uint8)
        dtype = wanted if rng.random() < 0.9 else rng.choice(list(names.values()))
        sizes = (0, 1, 2, 3, 4, 81, 162, encoding_size(2), encoding_size(4))
        shape = tuple(rng.choice(sizes) for _ in range(rng.choice((1, 1, 2, 2, 3))))
        if np.prod(shape, dtype=np.float64) > 1e6:
            shape = shape[:1]
        return np.zeros(shape, dtype)

    def _anything(self) -> Any:
        rng = self.rng
        values = [None, True, "text", b"bytes", [], {}, (), object(), [None], [[1], [2]], 1.5, rng.choice(INTEGERS)]
        return rng.choice([*values, rng.choice(FLOATS), self._pick(object), [self._pick(object)]])


Call = tuple[Callable[..., Any], list[Any], dict[str, Any]]


def right_calls(pool: list[Any], weights: list[float]) -> Iterator[Call]:
    """Calls that the core answers, of everything that takes many arguments."""
    yield _core.read_rules, [Rules.preset("house").to_dict()], {}
    of_each = {kind: [each for each in pool if isinstance(each, kind)] for kind in {type(each) for each in pool}}
    compiled = of_each[_core.Rules]
    for made, seen in zip(of_each[_core.Round], of_each[_core.Observation][::2], strict=True):
        law = compiled[of_each[_core.Round].index(made)]
        players = len(seen.hand_sizes)
        hands = [made.hand(seat) for seat in range(players)]
        turn, key = made.turn, seed_bytes(1)
        yield _core.deal, [law, key, _core.deck_order(law, key), [made.discard_pile], 0, 1, [0] * players], {}
        yield _core.read_state, [_core.describe_state(made, [True] * players)], {}
        yield _core.read_observation, [_core.describe_observation(seen)], {}
        sizes, events = seen.hand_sizes, seen.events()
        yield _core.imagine, [law, seen.observer, seen.hand, sizes, seen.discards, events, turn], {}
        yield _core.Turn, [], turn.__getstate__()
        yield _core.index_of_action, [seen, 60], {}
        yield _core.action_of_index, [seen, 60], {}
        yield _core.believe, [seen, of_each[_core.BeliefSettings][0], 1], {}
        yield _core.log_weight, [seen, of_each[_core.BeliefSettings][0], hands], {}
        yield _core.encode_observation, [seen, np.zeros(encoding_size(players), np.uint8)], {}
        tree = fill_record(
            _core.TreeSettings, IsmctsConfig(), IsmctsConfig().translate(Rules.preset("official", players=players))
        )
        yield _core.SimulatedRounds, [seen, tree, [hands], [[0] * players], [1.0], True, 1], {}
        seating = [0] * players
        yield _core.play_match, [law, of_each[_core.Contestant][:1], seating, 0, 1, 1, 1], {}
    yield from _recorded_calls()
    env = {"rules": compiled[0], "who": [255, 0], "weights": weights, "num_envs": 2, "seed": 1, "observes": True}
    yield _core.VectorEnv, [], {**env, "encoding": 2, "threads": 1}
    for config in (BeliefConfig(), *SEARCHES):
        fields = type("Fields", (dict,), {"FIELDS": config.RECORD.FIELDS})
        yield config.RECORD, [], fill_record(fields, config, config.translate(Rules.preset("official")))


def spoil(rng: random.Random, target: Callable[..., Any], arguments: list[Any], named: dict[str, Any]) -> Call:
    """The same call with one or two values changed, however deep they lie."""
    arguments, named = copy.copy(arguments), dict(named)
    for _ in range(rng.choice((0, 1, 1, 2))):
        if named:
            name = rng.choice(list(named))
            named[name] = _spoiled(rng, named[name])
        else:
            at = rng.randrange(len(arguments))
            arguments[at] = _spoiled(rng, arguments[at])
    return target, arguments, named


def _spoiled(rng: random.Random, value: Any) -> Any:
    if isinstance(value, list) and value and rng.random() < 0.9:
        value = list(value)
        at = rng.randrange(len(value))
        if rng.random() < 0.2:
            del value[at]
        elif rng.random() < 0.1:
            value *= rng.choice((2, 50))
        else:
            value[at] = _spoiled(rng, value[at])
        return value
    if isinstance(value, str):
        at = rng.randrange(len(value) + 1)
        put = rng.choice(("", "0", "9" * 90, "[", '"', "\n", "\\", "\ud800", "é", "null"))
        return value[:at] + put + value[at + 1 :]
    if isinstance(value, _core.Turn):
        name = rng.choice(list(value.__getstate__()))
        with suppress(Exception):
            return value.replace(**{name: rng.choice((*INTEGERS, None, [0, 1], [15]))})
    return rng.choice(FLOATS) if isinstance(value, float) else rng.choice((*INTEGERS, None, []))


def _list_recorded() -> list[Any]:
    """A record, its rounds, a replay and a referee."""
    record = Table(RECORDED, ["random", "random"], seed=3).play_round()._compile()
    played, key = record.rounds[0], seed_bytes(1)
    referees = [
        _core.Referee(rules=RECORDED._compiled, seed=key, tells_seed=True),
        _core.Referee.resume(record, key, None),
    ]
    return [record, played, _core.Replay(RECORDED._compiled, played), *referees]


def _recorded_calls() -> Iterator[Call]:
    record = Table(RECORDED, ["random", "random"], seed=3).play_round()
    core, law, key = record._compile(), RECORDED._compiled, seed_bytes(1)
    played = core.rounds[0]
    read_rules: Callable[[str, bool], Any] = lambda told, is_json: law  # noqa: E731
    names = ("number", "dealer", "scores", "seed", "deck", "reshuffles", "actions", "ending", "winner", "points")
    for _ in range(3):  # a record has many fields to spoil
        yield _core.PlayedRound, [], {name: getattr(played, name) for name in names}
        yield _core.parse_text, [record.to_text(), read_rules], {}
        yield _core.parse_json_lines, [record.to_json_lines(), read_rules], {}
    fields = {"rules": law, "agents": ["a", "b"], "people": [0], "seed": key, "rounds": core.rounds}
    yield _core.GameRecord, [], fields
    referee = _core.Referee(rules=law, seed=key, tells_seed=False)
    yield referee.apply, [60], {}
    yield referee.undo, [0], {}
    yield _core.explain_refusal, [referee.round, 60], {}
    yield _core.judge_game, [law, [500, 3]], {}
    yield _core.list_choices, [law, played], {}
    values = [_core.Valued(action=60, value=0.5, error=0.1)]
    yield _core.find_cost, [values, 60], {}
    told: dict[str, Any] = {"round": 1, "ply": 1, "seat": 0, "played": 60, "best": 61, "best_value": 0.5, "cost": 0.1}
    yield _core.Decision, [], told
    yield _core.make_curve, [[_core.Decision(**told)]], {"seat": 0, "plies": 9, "winner": None, "players": 2}


class _Watch:
    """Sets the flag of calls that take too long."""

    def __init__(self) -> None:
        self._flag: Any = None
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    @contextmanager
    def limit(self) -> Iterator[None]:
        flag = _core.StopFlag()
        with self._lock:
            self._flag = flag
        _core.use_stop_flag(flag)
        try:
            yield
        finally:
            _core.use_stop_flag(None)

    def _run(self) -> None:
        last: Any = None
        while not self._ended.wait(CALL_SECONDS):
            with self._lock:
                flag = self._flag
            if flag is not None and flag is last:
                flag.set()
            last = flag


def _split(text: str) -> list[str]:
    """Splits at commas that are in no bracket."""
    parts, depth, start = list[str](), 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def main() -> None:
    """Prints how the calls ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    faulthandler.enable()
    fuzzer = Fuzzer(arguments.seed)
    fuzzer.run(arguments.calls)
    print(f"{sum(fuzzer.ended.values()):,} calls: {dict(fuzzer.ended.most_common())}", file=sys.stdout)


if __name__ == "__main__":
    main()
