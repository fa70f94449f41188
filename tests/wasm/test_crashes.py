"""Crashes of the core and workers that end: every call fails, and none as a refusal."""

from typing import Any

import pytest

from tests.wasm.cases import MODULE, run_node
from tests.wasm.stub import EXIT_CODE, make_stub

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="the module is not built: run make wasm")

AGAIN = "Error: the core crashed in an earlier call: load the engine again"
EXIT = f"Error: the core stopped with code {EXIT_CODE}"


@pytest.fixture(scope="module")
def told() -> Any:
    """Answers of all calls, and their errors."""
    return run_node("crashes.mjs", {"exit": list(make_stub(traps=False)), "trap": list(make_stub(traps=True))})


def test_after_a_crash_the_engine_is_of_no_use(told: Any) -> None:
    assert told["unwritten"].startswith("LastcardError: the fields of deal cannot be written as JSON: ")
    assert told["goesOn"] == "official-2"
    assert told["trap"].startswith("RuntimeError: ")
    assert told["later"] == [AGAIN, AGAIN]
    assert told["exit"] == EXIT


def test_an_engine_that_is_not_found_names_the_address_and_the_status(told: Any) -> None:
    assert told["notFound"] == "LastcardError: the engine cannot be loaded from ADDRESS: status 404"


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("terminated", "Error: the worker ended with code 1"),
        ("closed", "Error: the engine was closed"),
        ("crashed", EXIT),
        ("failed", "Error: the worker failed: no memory"),
        ("missing", "Error: the worker failed: it cannot be loaded"),
        ("garbled", "Error: an answer of the worker cannot be read"),
        ("closedThere", "Error: the engine was closed"),
    ],
)
def test_a_call_fails_when_its_worker_ends(told: Any, how: str, words: str) -> None:
    said = told[how]
    assert (said["waiting"], said["later"], said["isDead"]) == (words, words, True)
    assert said.get("isTerminated", False) == (how == "closedThere")


@pytest.mark.parametrize(("how", "words"), [("unreadable", "WebAssembly"), ("broken", "the worker failed: no memory")])
def test_a_start_that_fails_is_told_to_the_first_call_and_ends_no_program(told: Any, how: str, words: str) -> None:
    said = told[how]
    assert said["later"].startswith("Error: ")
    assert words in said["later"]
    assert said["isDead"]
