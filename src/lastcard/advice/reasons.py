"""Reasons for the best action: the core finds them as data, this module puts them into English."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lastcard import _core
from lastcard.actions import ACTIONS, Action, ActionKind
from lastcard.belief import Belief
from lastcard.cards import CARDS, Card, Color
from lastcard.errors import AgentError, StateError, require, shorten
from lastcard.observation import Observation
from lastcard.phase import Phase
from lastcard.search.report import SearchReport

_NOUNS: Final = {
    ActionKind.DRAW: "drawing",
    ActionKind.KEEP: "keeping the card",
    ActionKind.ACCEPT: "accepting",
    ActionKind.CHALLENGE: "a challenge",
    ActionKind.UNO: "calling UNO",
    ActionKind.CATCH: "catching",
    ActionKind.PASS: "passing",
}
"""Actions without a card, as nouns."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason, as data. A field that does not apply to its kind has no value.

    `core/search/reasons.hpp` lists the kinds and the fields of each.
    """

    kind: str
    seat: int | None = None
    other: int | None = None
    """A second seat."""
    color: Color | None = None
    than: Color | None = None
    """The color that is compared with."""
    card: Card | None = None
    action: Action | None = None
    count: int | None = None
    cards: int | None = None
    """Cards in the hand of the seat (or of `other`), where they are few."""
    chance: float | None = None
    than_chance: float | None = None
    can_stack: bool = False
    can_challenge: bool = False


def seat_names(observation: Observation, names: Sequence[str] = ()) -> list[str]:
    """Returns the names of the seats: as given, or by number; the observer is "you"."""
    require("observation", observation, Observation, StateError)
    if names and (not isinstance(names, Sequence) or len(names) != len(observation.hand_sizes)):
        raise StateError(f"names must be one for each of {len(observation.hand_sizes)} seats, not {shorten(names)}")
    found = [names[seat] if names else f"seat {seat}" for seat in range(len(observation.hand_sizes))]
    found[observation.observer] = "you"
    return found


def describe_action(action: Action, observation: Observation, names: Sequence[str] = ()) -> str:
    """The action as a command to a person.

    >>> from lastcard.actions import parse_action
    >>> from lastcard.observation import observe
    >>> from lastcard.state import parse_state
    >>> shown = observe(parse_state("top r5 | seat 0: r7 w | seat 1: g1"), seat=0)
    >>> describe_action(parse_action("w:g"), shown)
    'play w and name green'
    """
    require("action", action, Action, AgentError)
    called = seat_names(observation, names)
    match action.kind:
        case ActionKind.PLAY:
            naming = f" and name {action.color.word}" if action.color and action.card and action.card.is_wild else ""
            return f"play {action.card}{naming}"
        case ActionKind.DRAW:
            return "draw a card"
        case ActionKind.KEEP:
            return f"keep the {observation.drawn_card}" if observation.drawn_card else "keep the card"
        case ActionKind.ACCEPT:
            return f"accept and draw {observation.draw_sum}"
        case ActionKind.CHALLENGE:
            return f"challenge {called[observation.top_player or 0]}"
        case ActionKind.UNO:
            return "call UNO before you are caught" if observation.phase is Phase.CATCH else "call UNO before you play"
        case ActionKind.CATCH:
            return f"catch {called[observation.last_actor or 0]}"
        case ActionKind.SWAP:
            return f"swap hands with {called[action.seat or 0]}"
        case ActionKind.COLOR if action.color:
            return f"name {action.color.word}"
    return action.text


def find_reasons(observation: Observation, report: SearchReport, belief: Belief) -> list[Reason]:
    """Finds the reasons for the best action, the weightiest first.

    >>> from lastcard.observation import observe
    >>> from lastcard.search import HalvingConfig, search_by_halving
    >>> from lastcard.state import parse_state
    >>> shown = observe(parse_state("top r5 | seat 0: r7 r2 b1 | seat 1: g1 g1 yR"), seat=0)
    >>> report = search_by_halving(shown, HalvingConfig(simulations=100))
    >>> find_reasons(shown, report, Belief(shown))[0].kind
    'keeps_color'
    """
    require("observation", observation, Observation, StateError)
    require("report", report, SearchReport, AgentError)
    require("belief", belief, Belief, AgentError)
    values = [(value.action.index, value.value, value.error) for value in report.actions]
    found = _core.list_reasons(observation._core, belief._core, report.best.index, report.by_policy.index, values)
    return [_read_reason(fields) for fields in found]


def _read_reason(fields: Mapping[str, object]) -> Reason:
    """A reason of the core, with cards and colors in place of their numbers."""
    makers: dict[str, Callable[[int], object]] = {
        "color": Color,
        "than": Color,
        "card": CARDS.__getitem__,
        "action": ACTIONS.__getitem__,
    }
    read = {name: makers[name](value) if name in makers else value for name, value in fields.items()}  # type: ignore[arg-type]
    return Reason(**read)  # type: ignore[arg-type]


def list_reasons(
    observation: Observation, report: SearchReport, belief: Belief, names: Sequence[str] = ()
) -> list[str]:
    """Lists the reasons for the best action in English, each a clause without its full stop."""
    require("report", report, SearchReport, AgentError)
    words = _Words(observation, seat_names(observation, names), report.best)
    return [words.describe(reason) for reason in find_reasons(observation, report, belief)]


class _Words:
    """English for reasons."""

    def __init__(self, observation: Observation, names: list[str], best: Action) -> None:
        self._seen = observation
        self._names = names
        self._best = best

    def describe(self, reason: Reason) -> str:
        """The reason as a clause."""
        pattern = PATTERNS[reason.kind]
        return pattern.format(
            seat=self._name(reason.seat),
            other=self._name(reason.other),
            color=reason.color and reason.color.word,
            than=reason.than and reason.than.word,
            card=reason.card,
            noun=reason.action and self._noun(reason.action),
            command=reason.action and describe_action(reason.action, self._seen, self._names),
            count=reason.count,
            held=_held(reason),
            cards="" if reason.cards is None else _cards(reason.cards),
            few="" if reason.cards is None else f", which holds only {_cards(reason.cards)}",
            fewer="" if reason.cards is None else f" ({_cards(reason.cards)})",
            unless=_unless(reason),
            chance=_percent(reason.chance or 0.0),
            than_chance=_percent(reason.than_chance or 0.0),
            more=f"{100 * (reason.chance or 0.0):.1f} percentage points",
        )

    def _name(self, seat: int | None) -> str:
        return "" if seat is None else self._names[seat]

    def _noun(self, action: Action) -> str:
        """The action as a noun, cards in notation."""
        match action.kind:
            case ActionKind.SWAP:
                return f"swapping hands with {self._name(action.seat)}"
            case ActionKind.COLOR if action.color:
                return f"naming {action.color.word}"
            case ActionKind.PLAY if action.color and action.card == self._best.card:
                return f"naming {action.color.word}"
        return _NOUNS.get(action.kind, action.text)


PATTERNS: Final = {
    "only_legal": "it is all that the rules allow",
    "last_card": "it is your last card",
    "names_color": "names {color}, of which you hold {held}",
    "keeps_color": "keeps {color}, of which you hold {held}",
    "turns_to": "turns to {color}, of which you hold {held}",
    "last_of_color": "uses up your last {color} card",
    "leaves_card": "leaves you one card, {card}",
    "costs_cards": "costs {seat} {count} cards and its turn{unless}{few}",
    "costs_turn": "costs {seat} its turn{few}",
    "reverses": "turns the direction to {seat}, away from {other}{fewer}",
    "next_has_few": "{seat} is next and holds only {cards}",
    "lacks_color": "{seat} probably lacks {color} ({chance} to hold any)",
    "less_likely": "{seat} is less likely to hold {color} ({chance}) than {than} ({than_chance})",
    "wild_later": "only a Wild fits, and that is worth more later",
    "nothing_worth": "nothing that fits is worth playing yet",
    "card_later": "the card is worth more later",
    "is_guilty": "{seat} holds {color} with {chance}, and then draws {count}",
    "may_be_guilty": "{seat} holds {color} with {chance}",
    "challenge_cost": "a challenge that fails costs you {count} cards",
    "uno_penalty": "a player caught without it draws {count}",
    "catch_costs": "it costs {seat} {count} cards",
    "swap_gives": "gives you {cards} for your {count}",
    "holds_color": "you hold {count} of that color",
    "is_level": "{noun} is about as good",
    "is_better": "wins {more} more often than {noun}, the next best",
    "by_policy": "at first glance you would {command}",
}
"""English clause of each kind of reason."""


def _held(reason: Reason) -> str:
    if not reason.count:
        return "no other"
    return str(reason.count) if reason.kind == "names_color" else f"{reason.count} more"


def _unless(reason: Reason) -> str:
    ways = ["stacks"] * reason.can_stack + ["wins a challenge"] * reason.can_challenge
    return f" unless it {' or '.join(ways)}" if ways else ""


def _cards(count: int) -> str:
    return f"{count} card{'s' if count != 1 else ''}"


def _percent(chance: float) -> str:
    return f"{round(100 * chance)} %"
