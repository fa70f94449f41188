"""Limits of a server: what one user, and all users together, may ask for."""

from __future__ import annotations

from lastcard.web.limits.networks import networks_of, user_of
from lastcard.web.limits.offered_agents import check_agent, list_analysts, list_guests, make_window_agent
from lastcard.web.limits.rates import Rate, Share, SharedLimit, too_many
from lastcard.web.limits.values import RECORDS_PATH, Limits, read_limits

__all__ = [
    "RECORDS_PATH",
    "Limits",
    "Rate",
    "Share",
    "SharedLimit",
    "check_agent",
    "list_analysts",
    "list_guests",
    "make_window_agent",
    "networks_of",
    "read_limits",
    "too_many",
    "user_of",
]
