"""Refusals have a code, which the page turns into a sentence in the person's language."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lastcard.errors import RequestError
from lastcard.web.api.problems import problem_of
from lastcard.web.api.sockets import read_message
from lastcard.web.contract.base import Problem
from lastcard.web.peers import Answer, MovedError
from lastcard.web.refusals import REFUSALS, refuse

ROOT = Path(__file__).parents[2]
MESSAGES = sorted((ROOT / "frontend" / "src" / "messages").glob("*.json"))
VALUE = re.compile(r"{(\w+)")
CODE = re.compile(r"[\"'`](\w+)[\"'`]")


@pytest.mark.parametrize("file", MESSAGES, ids=lambda file: file.stem)
def test_every_code_has_a_message_with_values_that_the_server_sends(file: Path) -> None:
    messages = json.loads(file.read_text(encoding="utf-8"))
    said = {key.removeprefix("refusal."): text for key, text in messages.items() if key.startswith("refusal.")}
    assert set(said) == set(REFUSALS)
    for code, text in said.items():
        # What a choice shows stands in braces as well, but is not one small word.
        used = set(re.findall(r"{([a-z_]+)[,}]", text))
        assert used <= set(VALUE.findall(REFUSALS[code].text)), code


def test_six_languages_are_checked() -> None:
    assert [file.stem for file in MESSAGES] == ["ar", "de", "en", "es", "fr", "zh"]


def test_every_code_is_used_and_documented() -> None:
    web = ROOT / "src" / "lastcard" / "web"
    sources = [file.read_text(encoding="utf-8") for file in web.rglob("*.py") if file.name != "refusals.py"]
    used = set(CODE.findall("\n".join(sources)))
    assert set(REFUSALS) - used == set()
    documented = set(CODE.findall((ROOT / "docs" / "reference" / "web-api.md").read_text(encoding="utf-8")))
    assert set(REFUSALS) - documented == set()


def test_a_refusal_names_its_code_and_values() -> None:
    problem = problem_of(refuse("bad_name", most=20, name="'\udc80'"))
    assert problem == {
        "message": "name must be 1 to 20 characters that can be printed, not '\\udc80'",
        "field": "name",
        "code": "bad_name",
        "values": {"most": 20, "name": "'\\udc80'"},
    }
    Problem.model_validate(problem)


def test_a_value_of_the_wrong_type_is_refused_with_a_code() -> None:
    with pytest.raises(RequestError) as refused:
        read_message('{"type": "join", "game": "a", "token": 3}')
    problem = problem_of(refused.value)
    assert (problem["code"], problem["field"]) == ("bad_request", "join.token")
    assert problem["values"] == {"reason": problem["message"]}
    with pytest.raises(RequestError, match="must be a JSON object") as refused:
        read_message("[")
    assert refused.value.code == "bad_request"


def test_a_refusal_passes_through_another_process_unchanged() -> None:
    sent = problem_of(refuse("too_many", what="requests", seconds=3))
    answer = Answer(429, {}, json.dumps({"error": sent}).encode())
    with pytest.raises(RequestError) as read:
        answer.read()
    assert problem_of(read.value) == sent
    assert problem_of(MovedError())["code"] == "moving"
