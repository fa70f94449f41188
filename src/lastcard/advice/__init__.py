"""Advice: a real table as a person describes it, searched and explained."""

from lastcard.advice.reasons import describe_action, list_reasons
from lastcard.advice.situation import Situation, advise

__all__ = ["Situation", "advise", "describe_action", "list_reasons"]
