"""The catalog: all that can be chosen before a game."""

from __future__ import annotations

from typing import Any

from lastcard.agents import LEVELS, find_agent
from lastcard.network import ANY, SHIPPED
from lastcard.rules import PRESET_SUMMARIES, PRESETS, Rules, describe_fields, format_rules, parse_rules
from lastcard.version import __version__
from lastcard.web.contract.games import NewGame
from lastcard.web.engine_files import has_engine
from lastcard.web.limits import Limits, list_analysts, list_guests


def make_catalog(limits: Limits) -> dict[str, Any]:
    """Presets, switches, levels, analysts and limits, as JSON values."""
    return {
        "version": __version__,
        "presets": [
            {
                "name": name,
                "summary": PRESET_SUMMARIES[name],
                "players": Rules.preset(name).players,
                "text": format_rules(Rules.preset(name)),
                "values": {field: value for field, value in Rules.preset(name).to_dict().items() if field != "players"},
            }
            for name in PRESETS
        ],
        "switches": [field for field in describe_fields() if field["name"] != "players"],
        "levels": [
            *(_describe_level(level.name, level.agent, level.summary) for level in LEVELS.values()),
            *(_describe_level(name, name, summary) for name, summary in list_guests().items()),
        ],
        "analysts": [
            {"name": name, "agent": name, "summary": summary, "budgets": _list_budgets(name)}
            for name, summary in list_analysts().items()
        ],
        "limits": {"max_simulations": limits.max_simulations, "max_seconds": limits.max_seconds},
        "defaults": NewGame().model_dump(),
        "device": has_engine(),
    }


def _describe_level(name: str, agent: str, summary: str) -> dict[str, Any]:
    """A level with the only tables that it plays, where a network for any rules does not come with the package."""
    tables = SHIPPED.get(agent, {ANY: ""})
    only = None if ANY in tables else [_format_table(parse_rules(table)) for table in tables]
    return {"name": name, "agent": agent, "summary": summary, "tables": only}


def _format_table(rules: Rules) -> str:
    """The rules with their number of players, also where it is the usual one."""
    text = format_rules(rules)
    return text if "players=" in text else f"{text} players={rules.players}"


def _list_budgets(analyst: str) -> list[str]:
    """Units in which the analyst's budget can be given."""
    return [kind for kind in ("simulations", "seconds") if kind in find_agent(analyst).options]
