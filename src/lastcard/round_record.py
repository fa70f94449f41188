"""One recorded round: how it was dealt and what was done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypedDict

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.cards import CARDS, Card, number_cards, number_reshuffles
from lastcard.errors import RecordError, StateError, require_int, shorten
from lastcard.phase import ENDINGS
from lastcard.rules import MAX_PLAYERS
from lastcard.seeds import seed_bytes
from lastcard.state import Outcome, State


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round: how it was dealt and what was done.

    >>> import lastcard as lc
    >>> table = lc.Table(lc.Rules.preset("official"), ["random", "random"], seed=7)
    >>> first = table.play_round().rounds[0]
    >>> first.number, first.dealer, len(first.deck)
    (1, 1, 108)
    """

    number: int
    dealer: int
    scores: tuple[int, ...]
    """Before the round."""
    deck: tuple[Card, ...]
    """The order it was dealt from, top last."""
    actions: tuple[Action, ...]
    seed: int | None = None
    """The deal's seed, which also fixes reshuffles to come; None where it is withheld."""
    reshuffles: tuple[tuple[Card, ...], ...] = ()
    """The order, top last, of each reshuffle."""
    outcome: Outcome | None = None
    """None while the round is unfinished."""

    @property
    def winner(self) -> int | None:
        """The seat that won; None if nobody did, or the round is unfinished."""
        return self.outcome.winner if self.outcome else None

    @classmethod
    def of(cls, state: State, deck: tuple[Card, ...], actions: Iterable[Action], seed: int | None) -> RoundRecord:
        """The record of a round that has come to `state`; the seed may be withheld."""
        points = state.outcome.points if state.outcome else (0,) * state.rules.players
        before = tuple(score - point for score, point in zip(state.scores, points, strict=True))
        return cls(
            state.round_number,
            state.dealer,
            before,
            deck,
            tuple(actions),
            seed,
            state.reshuffle_orders,
            state.outcome,
        )


def compile_round(played: RoundRecord) -> _core.PlayedRound:
    """The round as the core reads it, which checks whether it fits the rules.

    Raises:
        RecordError: if a field is of another type.
    """
    try:
        return _compile(played)
    except StateError as error:
        raise RecordError(f"round {shorten(played.number)}: {error}") from None


class _OutcomeFields(TypedDict):
    ending: int
    winner: int | None
    points: list[int]


def _compile(played: RoundRecord) -> _core.PlayedRound:
    outcome = played.outcome
    if not isinstance(outcome, Outcome | None):
        raise StateError(f"outcome must be an Outcome, not {shorten(outcome)}")
    return _core.PlayedRound(
        number=require_int("round_number", played.number, -(10**9), 10**9, StateError),
        dealer=require_int("dealer", played.dealer, -(10**9), 10**9, StateError),
        scores=[require_int("scores", score, -(10**9), 10**9, StateError) for score in played.scores],
        seed=None if played.seed is None else seed_bytes(played.seed),
        deck=number_cards("deck", played.deck),
        reshuffles=number_reshuffles(played.reshuffles),
        actions=[_number_action(action) for action in played.actions],
        **_compile_outcome(outcome),
    )


def _compile_outcome(outcome: Outcome | None) -> _OutcomeFields:
    if outcome is None:
        return {"ending": ENDINGS.index(None), "winner": None, "points": []}
    if outcome.reason not in ENDINGS:
        raise StateError(f"outcome: reason must be an Ending, not {shorten(outcome.reason)}")
    winner = outcome.winner
    return {
        "ending": ENDINGS.index(outcome.reason),
        "winner": None if winner is None else require_int("winner", winner, 0, MAX_PLAYERS - 1, StateError),
        "points": [require_int("points", each, -(10**9), 10**9, StateError) for each in outcome.points],
    }


def _number_action(action: object) -> int:
    if not isinstance(action, Action):
        raise StateError(f"expected an Action, not {shorten(action)}; read text with parse_action")
    return action.index


def read_round(core: _core.PlayedRound) -> RoundRecord:
    """The round that the core has recorded."""
    ending = ENDINGS[core.ending]
    return RoundRecord(
        core.number,
        core.dealer,
        tuple(core.scores),
        tuple([CARDS[i] for i in core.deck]),
        tuple([ACTIONS[i] for i in core.actions]),
        None if core.seed is None else int.from_bytes(core.seed, "little"),
        tuple(tuple([CARDS[i] for i in order]) for order in core.reshuffles),
        None if ending is None else Outcome(core.winner, ending, tuple(core.points)),
    )
