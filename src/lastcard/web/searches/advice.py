"""Advice about a real table: the numbers of `lastcard advise`, and the reason in a sentence."""

from __future__ import annotations

import re
from typing import Any

from lastcard.advice import Situation, advise, describe_action, list_reasons, make_config
from lastcard.belief import Belief
from lastcard.errors import LastcardError, RequestError
from lastcard.search.report import belief_to_dict
from lastcard.web.contract.advice import AdviceBody
from lastcard.web.limits import Limits
from lastcard.web.searches.analysis import Question, ask, make_sentence

_TREE_DEPTH = 4


def read_situation(asked: AdviceBody) -> Situation:
    """Reads the table that was described.

    Raises:
        RequestError: with status 422, naming the field and the contradiction.

    >>> read_situation(AdviceBody(hand=["r5"], top="w", opponents=[3]))
    Traceback (most recent call last):
        ...
    lastcard.errors.RequestError: called is missing: with top w the color that was named must be told
    """
    try:
        return Situation.parse(
            " ".join(asked.hand),
            asked.top,
            ",".join(map(str, asked.opponents)),
            rules=asked.rules,
            called=asked.called or "",
            discards=" ".join(asked.discards),
            history=";".join(asked.history),
            drawn=asked.drawn or "",
            direction=asked.direction,
            owed=asked.owed,
        )
    except LastcardError as error:
        raise _refuse(error) from None


def ask_for_advice(asked: AdviceBody, limits: Limits) -> Question:
    """Reads who searches, and for how long.

    Raises:
        RequestError: as `ask`.
    """
    return ask(asked.analyst, asked.simulations, asked.seconds, limits)


def give_advice(situation: Situation, question: Question, seed: int) -> dict[str, Any]:
    """The best action, the value of each, the reason, and cards that the others may hold, as JSON values."""
    config = make_config(question.analyst, question.simulations, question.seconds or 0.0)
    report = advise(situation, config, seed)
    observation = situation.observation
    belief = report.belief or Belief(observation, config.belief_config(), seed)
    return {
        "situation": situation.to_dict(),
        **report.to_dict(),
        "words": describe_action(report.best, observation),
        "reason": make_sentence(list_reasons(observation, report, belief)),
        "belief": belief_to_dict(belief),
        "tree": [node.to_dict() for node in report.tree(_TREE_DEPTH)] if report.outline is not None else [],
    }


def _refuse(error: LastcardError) -> RequestError:
    """The error without backticks; the first name in backticks is the field."""
    message = str(error)
    named = re.search(r"`(\w+)`", message)
    return RequestError(message.replace("`", ""), status=422, field=named[1] if named else None)
