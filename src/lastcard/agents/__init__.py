"""Agents: they get an `Observation` and answer with an `Action`, and see nothing else."""

from lastcard.agents.info import AgentInfo
from lastcard.agents.interface import Agent, ExplainingAgent
from lastcard.agents.levels import LEVELS, Level, find_level
from lastcard.agents.own import AgentLike
from lastcard.agents.plugins import load_agent
from lastcard.agents.registry import (
    add_agent,
    find_agent,
    format_agent,
    is_built_in,
    list_agents,
    make_agent,
    make_explaining_agent,
    remove_agent,
    seat_agent,
    split_name,
)
from lastcard.options import option_help

__all__ = [
    "LEVELS",
    "Agent",
    "AgentInfo",
    "AgentLike",
    "ExplainingAgent",
    "Level",
    "add_agent",
    "find_agent",
    "find_level",
    "format_agent",
    "is_built_in",
    "list_agents",
    "load_agent",
    "make_agent",
    "make_explaining_agent",
    "option_help",
    "remove_agent",
    "seat_agent",
    "split_name",
]
