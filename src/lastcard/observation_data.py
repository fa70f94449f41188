"""An observation as data: its fields, and what the core makes of them."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, cast

from lastcard import _core
from lastcard.cards import CARDS, Card, parse_cards
from lastcard.errors import LastcardError, StateError, require_int, shorten
from lastcard.events import Event, EventKind, format_event, pack_events, parse_event
from lastcard.phase import Phase
from lastcard.rules import Rules
from lastcard.state_data import check_scores, rebuild_position

POSITION_FIELDS: Final = (
    "observer",
    "round",
    "dealer",
    "hand",
    "hand_sizes",
    "top_player",
    "scores",
    "top_card",
    "discards",
    "draw_pile_size",
    "seat",
    "phase",
    "direction",
    "active_color",
    "last_color",
    "draw_sum",
    "last_actor",
    "drawn_card",
    "declared_uno",
    "command_pending",
    "skip_pending",
    "legal_actions",
    "outcome",
    "history",
    "ply",
    "next_seat",
    "stuck_passes",
)
"""Fields of an observation besides its rules, in the order of `Observation.to_dict`."""

_OWN_CARDS: Final = (EventKind.DEALT, EventKind.DREW, EventKind.CHALLENGED)


def read_core(fields: Mapping[str, object], rules: Rules) -> _core.Observation:
    """The core's observation with these fields; what follows from others (legal actions, say) is not looked at.

    Raises:
        StateError: naming the field that is missing, impossible, or contradicted by the others.
    """
    missing = [name for name in POSITION_FIELDS if name not in fields]
    unknown = [name for name in fields if name not in POSITION_FIELDS]
    if missing or unknown:
        what = f"field {missing[0]!r} is missing" if missing else f"there is no field {shorten(unknown[0])}"
        raise StateError(f"position: {what}; expected {', '.join(POSITION_FIELDS)}")
    observer = require_int("observer", fields["observer"], 0, rules.players - 1, StateError)
    hand, discards = _read_cards(fields, "hand"), _read_cards(fields, "discards")
    sizes = _read_sizes(fields, rules)
    history = _read_history(fields, observer)
    scores, points = _read_scores(fields, rules)
    _check_cards(rules, hand, discards, sizes, observer)
    turn = _rebuild_turn(fields, rules, observer, hand, discards, sizes, history)
    number = require_int("round", fields["round"], 1, 1_000_000, StateError)
    dealer = require_int("dealer", fields["dealer"], 0, rules.players - 1, StateError)
    return _core.imagine(
        rules=rules._compiled,
        observer=observer,
        hand=[card.index for card in hand],
        hand_sizes=list(sizes),
        discards=[card.index for card in discards],
        events=pack_events(history),
        turn=turn,
        scores=[score - point for score, point in zip(scores, points, strict=True)],
        points=list(points),
        dealer=dealer,
        number=number,
    )


def check_same(said: Mapping[str, object], found: Mapping[str, object]) -> None:
    """Refuses a position whose derived fields (legal actions, say) are not what the others make them."""
    for name in POSITION_FIELDS:
        if said[name] != found[name]:
            raise StateError(f"position: {name} is {shorten(said[name])}, but by the rest {shorten(found[name], 200)}")


def _read_list(fields: Mapping[str, object], name: str) -> Sequence[object]:
    value = fields[name]
    if not isinstance(value, list):
        raise StateError(f"{name} must be a list, not {shorten(value)}")
    return value


def _read_cards(fields: Mapping[str, object], name: str) -> tuple[Card, ...]:
    words = _read_list(fields, name)
    if not all(isinstance(word, str) for word in words):
        raise StateError(f"{name} must be a list of cards such as ['r5', 'w'], not {shorten(words)}")
    try:
        cards = parse_cards(" ".join(cast(Sequence[str], words)))
    except LastcardError as error:
        raise StateError(f"{name}: {error}") from None
    if name == "discards" and not cards:
        raise StateError("discards must hold at least the top card")
    return cards


def _read_sizes(fields: Mapping[str, object], rules: Rules) -> tuple[int, ...]:
    sizes = _read_list(fields, "hand_sizes")
    if len(sizes) != rules.players:
        raise StateError(f"hand_sizes must have one number for each of {rules.players} seats, not {shorten(sizes)}")
    return tuple(require_int("hand_sizes", size, 0, rules.deck.num_cards, StateError) for size in sizes)


def _read_scores(fields: Mapping[str, object], rules: Rules) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Scores and what the round added to them."""
    scores = check_scores(rules, cast(Sequence[int], _read_list(fields, "scores")))
    outcome = fields["outcome"]
    if outcome is None:
        return scores, (0,) * rules.players
    points = outcome.get("points") if isinstance(outcome, dict) else None
    if not isinstance(points, list):
        raise StateError(f"outcome must be null or have a list of points, not {shorten(outcome)}")
    return scores, check_scores(rules, points)


def _read_history(fields: Mapping[str, object], observer: int) -> tuple[Event, ...]:
    """Events with their private cards, which can only be the observer's."""
    events = []
    for text in _read_list(fields, "history"):
        try:
            event = parse_event(text)  # type: ignore[arg-type]
        except LastcardError as error:
            raise StateError(f"history: {error}") from None
        if event.hands:
            theirs = event.kind in _OWN_CARDS and event.seat != observer
            if theirs or len(event.hands) > 1:
                raise StateError(f"history: {shorten(text)} shows cards that seat {observer} cannot have seen")
            event = dataclasses.replace(event, hands=((observer, event.hands[0][1]),))
        events.append(event)
    return tuple(events)


def _check_cards(
    rules: Rules, hand: tuple[Card, ...], discards: tuple[Card, ...], sizes: tuple[int, ...], observer: int
) -> None:
    """Checks Rule 1.3, as far as the observer can tell."""
    if sizes[observer] != len(hand):
        raise StateError(f"hand has {len(hand)} cards, but hand_sizes says {sizes[observer]}")
    for card, count in Counter([*hand, *discards]).items():
        if count > rules.deck.get(card, 0):
            raise StateError(f"hand and discards have {count} {card}, but the deck has {rules.deck.get(card, 0)}")
    total = sum(sizes) + len(discards)
    if total > rules.deck.num_cards:
        raise StateError(f"hand_sizes and discards make {total} cards, but the deck has {rules.deck.num_cards}")


def _rebuild_turn(
    fields: Mapping[str, object],
    rules: Rules,
    observer: int,
    hand: tuple[Card, ...],
    discards: tuple[Card, ...],
    sizes: tuple[int, ...],
    history: tuple[Event, ...],
) -> _core.Turn:
    """The turn, checked by building a round that looks like this one."""
    unseen = Counter({card: rules.deck.get(card, 0) for card in CARDS})
    unseen.subtract([*hand, *discards])
    hidden = list(unseen.elements())
    hands = []
    for seat, size in enumerate(sizes):
        if seat == observer:
            hands.append(hand)
        else:
            hands.append(tuple(hidden[:size]))
            hidden = hidden[size:]
    described = {
        "rules": rules.to_dict(),
        "players": [{"hand": " ".join(card.text for card in cards)} for cards in hands],
        "draw_pile": " ".join(card.text for card in hidden),
        "discard_pile": " ".join(card.text for card in discards),
        "history": [format_event(event) for event in history],
        "player": fields["top_player"],
        "declared": fields["declared_uno"],
        **{name: fields[name] for name in _SAME},
    }
    drawer = fields["seat"] if fields["phase"] == Phase.DRAWN.value else observer
    is_theirs = isinstance(drawer, int) and drawer != observer and drawer in range(rules.players)
    if is_theirs:
        if fields["drawn_card"] is not None:
            raise StateError(f"drawn_card is one that seat {observer} cannot have seen")
        described["drawn_card"] = " ".join(card.text for card in hands[cast(int, drawer)][:1])
    turn = rebuild_position(described).core.turn
    return turn.replace(drawn=None) if is_theirs else turn


_SAME: Final = (
    *("seat", "phase", "direction", "active_color", "last_color", "draw_sum", "drawn_card", "last_actor"),
    *("outcome", "ply", "next_seat", "stuck_passes"),
)
