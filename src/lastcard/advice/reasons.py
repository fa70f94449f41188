"""Reasons for the best action, in words made from the numbers of a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lastcard.actions import CHALLENGE, Action, ActionKind
from lastcard.belief import Belief
from lastcard.cards import Card, Color, Rank
from lastcard.observation import Observation
from lastcard.phase import Phase
from lastcard.search.report import ActionValue, SearchReport

UNLIKELY: Final = 0.35
"""A seat that holds a color with at most this probability "probably lacks" it."""
_CLEARLY_LESS: Final = 0.15
"""Least difference in probability between a color and the active one that is worth a word."""
_FEW: Final = 2
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


def seat_names(observation: Observation, names: Sequence[str] = ()) -> list[str]:
    """Returns the names of the seats: as given, or by number; the observer is "you"."""
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


def list_reasons(
    observation: Observation, report: SearchReport, belief: Belief, names: Sequence[str] = ()
) -> list[str]:
    """Lists the reasons for the best action, each a clause without its full stop."""
    return _Reasons(observation, report, belief, seat_names(observation, names)).found


class _Reasons:
    def __init__(self, observation: Observation, report: SearchReport, belief: Belief, names: list[str]) -> None:
        self.seen = observation
        self.belief = belief
        self.names = names
        self.found: list[str] = []
        if len(observation.legal_actions) == 1:
            self.found.append("it is all that the rules allow")
            return
        best = report.best
        if best.card is not None and best.color is not None:
            self._play(best.card, best.color)
        else:
            self._other(best)
        self._compare(report)
        if report.by_policy is not best:
            self.found.append(
                f"without looking ahead one would {describe_action(report.by_policy, observation, names)}"
            )

    def _play(self, card: Card, color: Color) -> None:
        rest = list(self.seen.hand)
        rest.remove(card)
        if not rest:
            self.found.append("it is your last card")
            return
        self._say_color(card, color, sum(held.color is color for held in rest))
        if len(rest) == 1:
            self.found.append(f"leaves you one card, {rest[0]}")
        who = self._say_effect(card)
        self._say_lack(who, color)

    def _say_color(self, card: Card, color: Color, held: int) -> None:
        verb = "names" if card.is_wild else "keeps" if color is self.seen.active_color else "turns to"
        if held:
            more = "" if card.is_wild else " more"
            self.found.append(f"{verb} {color.word}, of which you hold {held}{more}")
        elif card.is_wild or color is not self.seen.active_color:
            self.found.append(f"{verb} {color.word}, of which you hold no other")
        else:
            self.found.append(f"uses up your last {color.word} card")

    def _say_effect(self, card: Card) -> int:
        """Says what befalls the next seat; returns who acts afterwards."""
        players, rules = len(self.names), self.seen.rules
        backwards = card.rank is Rank.REVERSE
        step = -self.seen.direction if backwards else self.seen.direction
        target = (self.seen.observer + step) % players
        after = (target + step) % players
        few = f", which holds only {self._cards(target)}" if self.seen.hand_sizes[target] <= _FEW else ""
        cards = {Rank.DRAW_TWO: 2, Rank.WILD_DRAW_FOUR: 4}.get(card.rank, 0)
        if cards:
            total = cards + self.seen.draw_sum
            ways = ["stacks"] if rules.stacking != "none" else []
            ways += ["wins a challenge"] if rules.wild_draw_four == "bluff" and card.is_wild else []
            unless = f" unless it {' or '.join(ways)}" if ways else ""
            self.found.append(f"costs {self.names[target]} {total} cards and its turn{unless}{few}")
            return target if ways else after
        if card.rank is Rank.SKIP or (backwards and players == 2):
            self.found.append(f"costs {self.names[target]} its turn{few}")
            return after
        if backwards:
            passed = (self.seen.observer - step) % players
            fewer = f" ({self._cards(passed)})" if self.seen.hand_sizes[passed] <= _FEW else ""
            self.found.append(f"turns the direction to {self.names[target]}, away from {self.names[passed]}{fewer}")
        elif few:
            self.found.append(f"{self.names[target]} is next and holds only {self._cards(target)}")
        return target

    def _cards(self, seat: int) -> str:
        size = self.seen.hand_sizes[seat]
        return f"{size} card{'s' if size != 1 else ''}"

    def _say_lack(self, seat: int, color: Color) -> None:
        if seat == self.seen.observer:
            return
        chance, active = self.belief.probability(seat, color=color), self.seen.active_color
        if chance <= UNLIKELY:
            self.found.append(f"{self.names[seat]} probably lacks {color.word} ({_percent(chance)} to hold any)")
        elif active is not None and active is not color:
            usual = self.belief.probability(seat, color=active)
            if chance <= usual - _CLEARLY_LESS:
                less = f"{color.word} ({_percent(chance)}) than {active.word} ({_percent(usual)})"
                self.found.append(f"{self.names[seat]} is less likely to hold {less}")

    def _other(self, action: Action) -> None:
        seen = self.seen
        match action.kind:
            case ActionKind.DRAW:
                playable = [play.card for play in seen.legal_actions if play.card]
                if all(card.is_wild for card in playable):
                    self.found.append("only a Wild fits, and that is worth more later")
                else:
                    self.found.append("nothing that fits is worth playing yet")
            case ActionKind.KEEP:
                self.found.append("the card is worth more later")
            case ActionKind.CHALLENGE | ActionKind.ACCEPT:
                self._say_guilt(action.kind is ActionKind.CHALLENGE)
            case ActionKind.UNO:
                self.found.append(f"a player caught without it draws {seen.rules.uno_penalty}")
            case ActionKind.CATCH:
                self.found.append(f"it costs {self.names[seen.last_actor or 0]} {seen.rules.uno_penalty} cards")
            case ActionKind.SWAP:
                self.found.append(f"gives you {self._cards(action.seat or 0)} for your {len(seen.hand)}")
            case ActionKind.COLOR:
                held = sum(card.color is action.color for card in seen.hand)
                self.found.append(f"you hold {held} of that color")

    def _say_guilt(self, challenges: bool) -> None:
        seen, player, color = self.seen, self.seen.top_player, self.seen.last_color
        if CHALLENGE not in seen.legal_actions or player is None or color is None:
            return
        due, chance = seen.draw_sum, self.belief.probability(player, color=color)
        guilty = f"{self.names[player]} holds {color.word} with {_percent(chance)}"
        self.found.append(f"{guilty}, and then draws {due}" if challenges else guilty)
        self.found.append(f"a challenge that fails costs you {due + 2} cards")

    def _compare(self, report: SearchReport) -> None:
        """Compares with the next best action, as far as the errors allow."""
        rivals = sorted(report.actions[1:], key=lambda value: -value.value)
        if not report.actions or not rivals:
            return
        best, next_best = report.actions[0], rivals[0]
        if best.value <= next_best.value or are_level(best, next_best):
            self.found.append(f"{self._name(next_best.action)} is as good within the error")
        else:
            more = f"{100 * (best.value - next_best.value):.1f} %"
            self.found.append(f"wins {more} more of the rounds than {self._name(next_best.action)}, the next best")

    def _name(self, action: Action) -> str:
        """The action as a noun, cards in notation."""
        match action.kind:
            case ActionKind.SWAP:
                return f"swapping hands with {self.names[action.seat or 0]}"
            case ActionKind.COLOR if action.color:
                return f"naming {action.color.word}"
        return _NOUNS.get(action.kind, action.text)


def are_level(one: ActionValue, other: ActionValue) -> bool:
    """Returns True if the intervals of two values overlap."""
    return abs(one.value - other.value) <= one.error + other.error


def _percent(chance: float) -> str:
    return f"{round(100 * chance)} %"
