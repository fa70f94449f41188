"""Real tables, as players describe them. The client searches them by itself."""

from __future__ import annotations

import re

from lastcard.advice import Situation
from lastcard.errors import LastcardError, RequestError
from lastcard.web.contract.situations import SituationBody
from lastcard.web.refusals import refuse


def read_situation(asked: SituationBody) -> Situation:
    """Reads the table that was described.

    Raises:
        RequestError: with status 422, naming the field and the contradiction.

    >>> read_situation(SituationBody(hand=["r5"], top="w", opponents=[3]))
    Traceback (most recent call last):
        ...
    lastcard.errors.RequestError: called is missing: with top w, give the color that was named
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


def _refuse(error: LastcardError) -> RequestError:
    """The error without backticks; the first name in backticks is the field."""
    message = str(error)
    named = re.search(r"`(\w+)`", message)
    return refuse("bad_situation", at=named[1] if named else None, reason=message.replace("`", ""))
