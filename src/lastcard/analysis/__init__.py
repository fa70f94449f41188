"""Study after the end: what every decision of a round was worth, from the knowledge of the seat that made it."""

from lastcard.analysis.judge import (
    ANALYST,
    Analysis,
    Judgment,
    RoundAnalysis,
    analyse,
    choose_rounds,
    count_choices,
    make_analyst,
)

__all__ = [
    "ANALYST",
    "Analysis",
    "Judgment",
    "RoundAnalysis",
    "analyse",
    "choose_rounds",
    "count_choices",
    "make_analyst",
]
