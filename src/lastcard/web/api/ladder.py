"""The ladder: strength of the agents in the standing tournament, and which can be played here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from lastcard.agents import find_agent
from lastcard.errors import RequestError
from lastcard.rules import parse_rules
from lastcard.web.limits import Limits, check_agent

FILE: Final = Path(__file__).with_name("ladder.json")
"""Made from benchmarks/results/matches.jsonl by benchmarks/ladder.py."""


def make_ladder(limits: Limits) -> dict[str, Any]:
    """The ladder as JSON values."""
    ladder: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    for standing in ladder["standings"]:
        rules = f"{standing['rules'].partition(' ')[0]} players={standing['players']}"
        for rung in standing["rungs"]:
            rung["is_ceiling"] = rung.pop("sees") is not None
            rung["is_rival"] = rung["agent"] == ladder["rival"]
            rung["can_play"] = not rung["is_ceiling"] and _can_play(rung["agent"], rules, limits)
    return ladder


def _can_play(agent: str, rules: str, limits: Limits) -> bool:
    try:
        check_agent(agent, limits, "opponents")
    except RequestError:
        return False
    return find_agent(agent).can_play(parse_rules(rules))
