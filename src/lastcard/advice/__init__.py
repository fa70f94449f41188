"""Advice: a real table as a person describes it, searched and explained."""

from lastcard.advice.asking import HYPOTHESES, SIMULATIONS, advise, make_config
from lastcard.advice.reasons import describe_action, find_reasons, list_reasons
from lastcard.advice.situation import Situation

__all__ = [
    "HYPOTHESES",
    "SIMULATIONS",
    "Situation",
    "advise",
    "describe_action",
    "find_reasons",
    "list_reasons",
    "make_config",
]
