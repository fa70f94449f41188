"""Agents: they get an `Observation` and answer with an `Action`, and see nothing else."""

from lastcard.agents.base import Agent, ExplainingAgent
from lastcard.agents.levels import LEVELS, Level, find_level
from lastcard.agents.registry import AgentInfo, find_agent, format_agent, list_agents, make_agent, option_help

__all__ = [
    "LEVELS",
    "Agent",
    "AgentInfo",
    "ExplainingAgent",
    "Level",
    "find_agent",
    "find_level",
    "format_agent",
    "list_agents",
    "make_agent",
    "option_help",
]
