"""Searches that give way find what others find, and tell of the same faults."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from lastcard import _core
from lastcard.agents import make_agent
from lastcard.belief import Belief, BeliefConfig
from lastcard.observation import Observation, observe, spectate
from lastcard.rules import Rules
from lastcard.search.priority import give_way
from lastcard.state import deal

SEARCHERS = ["halving", "ismcts", "mcts", "pomcp", "expectiminimax"]


@pytest.fixture
def seen() -> Observation:
    state = deal(Rules.preset("official"), seed=7)
    assert state.seat is not None
    return observe(state, state.seat)


def in_a_thread_that_gives_way(work: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1, initializer=give_way) as threads:
        return threads.submit(work).result()


@pytest.mark.parametrize("name", SEARCHERS)
def test_a_search_that_gives_way_finds_the_same(name: str, seen: Observation) -> None:
    def search() -> Any:
        searcher: Any = make_agent(
            f"{name}:determinizations=20" if name == "expectiminimax" else f"{name}:simulations=300"
        )
        report = searcher.search(seen)
        return report.best, [(value.action, value.value) for value in report.actions]

    assert in_a_thread_that_gives_way(search) == search()


def test_a_belief_that_gives_way_is_the_same(seen: Observation) -> None:
    assert in_a_thread_that_gives_way(lambda: Belief(seen).marginals()) == Belief(seen).marginals()


def test_what_is_wrong_is_told_all_the_same() -> None:
    spectated = spectate(deal(Rules.preset("official"), seed=7))._core
    settings = BeliefConfig().compile(Rules.preset("official"))
    with pytest.raises(ValueError, match="no such seat"):
        in_a_thread_that_gives_way(lambda: _core.believe(spectated, settings, 0))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing has a lower priority")
def test_only_the_search_has_the_lowest_priority(seen: Observation) -> None:
    policies: set[int] = set()
    done = threading.Event()

    def search() -> int:
        searcher: Any = make_agent("halving:simulations=50000")
        searcher.search(seen)
        return os.sched_getscheduler(0)

    def watch() -> None:
        while not done.is_set():
            for thread in os.listdir("/proc/self/task"):
                try:
                    policies.add(os.sched_getscheduler(int(thread)))
                except ProcessLookupError:
                    continue
            time.sleep(0.002)

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        assert in_a_thread_that_gives_way(search) == os.SCHED_OTHER, "who asked can take Python's lock at any time"
    finally:
        done.set()
        watching.join()
    assert os.SCHED_IDLE in policies
