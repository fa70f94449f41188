"""A person at the terminal is told all events of the record, once and in order."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from lastcard.actions import DRAW, ActionKind
from lastcard.cards import format_cards, parse_card
from lastcard.cli.human_agent import YOU, Person
from lastcard.cli.narration import Teller
from lastcard.events import Event, EventKind
from lastcard.observation import Observation, observe
from lastcard.phase import is_uno_called
from lastcard.record import Record
from lastcard.rules import PRESETS, Rules, parse_rules
from lastcard.table import Table
from tests.counts import counted
from tests.unit.helpers import dealt, play
from tests.unit.test_cli_play import Script

ROUNDS = counted(200, least=12)
OFFERS = {
    "keep it?": {ActionKind.PLAY, ActionKind.KEEP},
    "Accept": {ActionKind.ACCEPT},
    "challenge": {ActionKind.CHALLENGE},
    "stack a card": {ActionKind.PLAY},
    "Jump in,": {ActionKind.PLAY},
    "pass?": {ActionKind.PASS},
    "Call it now": {ActionKind.UNO},
    "Catch,": {ActionKind.CATCH},
    "Swap hands": {ActionKind.SWAP},
    "Which color": {ActionKind.COLOR},
}
"""The actions that a question offers, by its words."""


class Listener(Person):
    """A person at random who keeps every sentence that they are told."""

    def __init__(self, rules: Rules, seed: int) -> None:
        rng = random.Random(seed)
        super().__init__(Script(self._answer), (YOU, *(f"random-{seat}" for seat in range(1, rules.players))))
        self._rng = rng
        self._seen: Observation | None = None
        self.told: list[str] = []

    def choose(self, observation: Observation):  # type: ignore[no-untyped-def]
        self._seen = observation
        return super().choose(observation)

    def tell(self, observation: Observation) -> None:
        said: list[str] = []
        say = self.screen.say
        self.screen.say = lambda text="", **_: said.append(str(text))  # type: ignore[method-assign]
        super().tell(observation)
        self.screen.say = say  # type: ignore[method-assign]
        self.told += [sentence for sentence in said if sentence]

    def show_table(self, observation: Observation) -> None:
        """Nobody looks."""

    show_hand = _show_words = show_table

    def _answer(self, question: str) -> str:
        assert self._seen
        legal = self._seen.legal_actions
        for words, kinds in OFFERS.items():
            if words in question:
                assert kinds <= {action.kind for action in legal}, question
        if "must play" in question:
            assert {action.card for action in legal if action.kind is not ActionKind.UNO} == {
                parse_card(question.split()[3].strip("."))
            }
        if "Nothing fits" in question:
            assert legal == (DRAW,)
        for enter in re.findall(r"Enter: (\S+)\)", question):
            assert enter in map(str, legal), question
        return str(self._rng.choice(legal))


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", [*PRESETS, "house must_play=true", "house drawn_card=must_play wild_draw_four=bluff jump_in=true"]
)
def test_every_event_is_told_once_and_in_order(text: str) -> None:
    rules = parse_rules(text).replace(max_plies=400)
    for seed in range(ROUNDS):
        person = Listener(rules, seed)
        table = Table(rules, [person, *["random"] * (rules.players - 1)], seed)
        table.play_round()
        person.tell(observe(table.state, 0))
        assert list(read(person.told, person.names)) == list(happened(table.record)), seed


def test_the_same_sentence_twice_running_is_two_turns() -> None:
    state = play(dealt(["b1 b2", "g1 g2"], "r5", "y1 y2 y3 y4 y6"), "draw keep")
    teller = Teller(state.rules, ("Ann", "Bob"), you=0)
    assert [str(told) for told in teller.news(observe(state, 0).history)] == [
        "r5 is turned up.",
        "You draw y1 and keep it.",
    ]


def read(sentences: list[str], names: tuple[str, ...]) -> Iterator[str]:
    """The clauses of the sentences, each with the seat that it is about and in the third person."""
    seats = {name: seat for seat, name in enumerate(names)} | {"you": 0, "You": 0}
    drawn = ""
    for part in "; ".join(sentence.removesuffix(".") for sentence in sentences).split("; "):
        name, _, rest = part.partition(" ")
        for clause in re.split(", | and ", rest if name in seats else part[0].lower() + part[1:]):
            verb, _, what = clause.partition(" ")
            if name in ("you", "You"):
                verb = "is" if verb == "are" else re.sub(r"^\w+", r"\g<0>s", verb)
            what = {"keeps": "cards", "calls": "UNO"}.get(verb, what)
            what = re.sub("^it\\b", drawn, what) if verb == "plays" else what
            what = re.sub(r"(?<=with |. by )\S+$", lambda found: str(seats.get(found[0], found[0])), what)
            drawn = what.removesuffix(" (reshuffled)") if verb == "draws" else drawn
            yield f"{seats[name]} {verb} {what}" if name in seats else clause


def happened(record: Record) -> Iterator[str]:
    """The clauses in which the events of a round should be told; a draw that a reshuffle interrupts is one."""
    states = list(record.states())
    for before, state, action in zip([None, *states], states, [None, *record.rounds[0].actions], strict=False):
        events, note = list(state.history[len(before.history) if before else 0 :]), ""
        for index, event in enumerate(events):
            later = events[index + 2 : index + 3]
            if event.kind is EventKind.RESHUFFLED:
                note = " (reshuffled)"
            elif event.kind is EventKind.DREW and [e.seat for e in later if e.kind is EventKind.DREW] == [event.seat]:
                later[0] = events[index + 2] = join_draws(event, later[0])
            else:
                left = 0 if before is None or event.seat is None else len(before.hand(event.seat)) - 1
                for clause in clauses_of(event, state.rules, left, chosen=action == DRAW):
                    yield clause + note
                    note = ""


def join_draws(first: Event, second: Event) -> Event:
    hands = tuple((seat, (*dict(first.hands)[seat], *cards)) for seat, cards in second.hands)
    return replace(second, count=(first.count or 0) + (second.count or 0), hands=hands)


def clauses_of(event: Event, rules: Rules, left: int, *, chosen: bool) -> Iterator[str]:
    """The clauses of an event: none of the deal and of passing, and accepting is the draw that follows."""
    seat, card = event.seat, event.action.card if event.action else event.card
    cards = f" ({format_cards(dict(event.hands)[0])})" if dict(event.hands).get(0) and seat == 0 else ""
    match event.kind:
        case EventKind.TURNED_UP:
            yield f"{card} is turned up"
        case EventKind.PLAYED | EventKind.JUMPED_IN:
            assert card
            color = event.action and event.action.color
            end = {0: ": the last card!", 1: ": UNO!" * is_uno_called(rules)}.get(left, "")
            verb = "plays" if event.kind is EventKind.PLAYED else "jumps in with"
            yield f"{seat} {verb} {card}{'' if card.is_wild else end}"
            if color and card.is_wild:
                yield f"{seat} names {color.word}{end}"
        case EventKind.DREW if not chosen:
            yield f"{seat} draws {event.count}{cards}"
        case EventKind.DREW if event.count == 1:
            yield f"{seat} draws {cards.strip(' ()') or 'a card'}"
        case EventKind.DREW:
            yield f"{seat} draws {event.count} cards{cards}" if event.count else f"{seat} finds nothing to draw"
        case EventKind.KEPT:
            yield f"{seat} keeps cards"
        case EventKind.NAMED_COLOR:
            assert event.color
            yield f"{seat} names {event.color.word}"
        case EventKind.CALLED_UNO:
            yield f"{seat} calls UNO"
        case EventKind.CAUGHT:
            yield f"{event.target} is caught by {seat}"
        case EventKind.CHALLENGED:
            shown = cards.replace("(", "(shown ")
            yield f"{seat} challenges: {'guilty' if event.guilty else 'innocent'}{shown}"
        case EventKind.SWAPPED:
            yield f"{seat} swaps hands with {event.target}"
        case EventKind.HANDS_PASSED:
            yield "all hands move on"
        case EventKind.SKIPPED:
            yield f"{seat} is skipped"
