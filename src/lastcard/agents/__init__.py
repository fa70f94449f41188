"""Agents: they get an `Observation` and answer with an `Action`, and see nothing else."""

from lastcard.agents.base import Agent
from lastcard.agents.registry import AgentInfo, list_agents, make_agent

__all__ = ["Agent", "AgentInfo", "list_agents", "make_agent"]
