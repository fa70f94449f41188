"""Narration: events gathered into turns and told in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from rich.text import Text

from lastcard.agents import find_agent
from lastcard.cards import Card, Color
from lastcard.cli.screen import color_ink, ink
from lastcard.errors import AgentError
from lastcard.events import Aftermath, Event, EventFollower, EventKind
from lastcard.phase import Ending, Phase, can_come_up, is_uno_called
from lastcard.rules import Rules
from lastcard.state import Outcome

_PLAYS: Final = (EventKind.PLAYED, EventKind.JUMPED_IN)
_PASSED_ON: Final = "all hands move on"
_BEGINNINGS: Final = (EventKind.CALLED_UNO, EventKind.NAMED_COLOR, *_PLAYS)


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that happened, without the name of the seat that it happened to."""

    seat: int | None
    """The seat to name before it, if any."""
    text: Text
    short: Text
    """The same in fewer words; empty if another clause says it, too."""
    is_deed: bool
    """True if the seat whose turn it is did it, and False if it came of that."""


@dataclass(slots=True)
class Turn:
    """One seat's go: what it did, and what came of it."""

    number: int
    """Number of the turn, from 1; 0 for the deal."""
    seat: int | None
    on: Text
    """The card it was played on, with the active color."""
    clauses: list[Clause] = field(default_factory=list)
    """Everything that happened, in order."""
    sizes: tuple[int, ...] = ()
    """Hand sizes of all seats after the turn."""
    is_open: bool = True
    """True while the seat may still add to it: it has drawn or called UNO, but not played or kept."""

    @property
    def deeds(self) -> list[Text]:
        """Actions of the seat, without its name."""
        return [clause.text for clause in self.clauses if clause.is_deed]

    @property
    def short_deeds(self) -> list[Text]:
        """The same in fewer words."""
        return [clause.short for clause in self.clauses if clause.is_deed and clause.short]

    @property
    def effects(self) -> list[tuple[int, list[Text]]]:
        """Effects on the seats: each seat with what happened to it."""
        effects = [
            (clause.seat, clause.text) for clause in self.clauses if clause.seat is not None and not clause.is_deed
        ]
        return [(seat, [text for _, text in group]) for seat, group in groupby(effects, lambda effect: effect[0])]


@dataclass(slots=True)
class _Draw:
    """A draw being told, which a reshuffle may interrupt."""

    seat: int
    count: int
    cards: tuple[Card, ...]
    forced: bool
    clause: Text
    short: Text


class Teller:
    """Turns a history, told bit by bit, into turns. It knows only what the events say."""

    def __init__(self, rules: Rules, names: Sequence[str], you: int | None = None) -> None:
        self.rules = rules
        self.names = names
        self.you = you
        self.turns: list[Turn] = [Turn(0, None, Text())]
        self._told = 0
        self._follower = EventFollower(rules)
        self._after = Aftermath((0,) * rules.players, is_forced=False)
        self._top: tuple[Card, Color | None] | None = None
        self._reshuffled = False
        self._drawing: _Draw | None = None
        self._last_count = 0

    def hear(self, history: Sequence[Event]) -> None:
        """Takes in what is new in a history."""
        for event in history[self._told :]:
            self._hear(event)
        self._told = len(history)

    def news(self, history: Sequence[Event]) -> list[Text]:
        """Takes in what is new, and says only that: a sentence for each turn that is new or has gone on."""
        known, said = len(self.turns) - 1, len(self.turns[-1].clauses)
        self.hear(history)
        told = [self.sentence(self.turns[known], said), *map(self.sentence, self.turns[known + 1 :])]
        return [sentence for sentence in told if sentence]

    # Names and verbs

    def name(self, seat: int) -> str:
        """Returns the name of a seat in the middle of a sentence."""
        return "you" if seat == self.you else self.names[seat]

    def _verb(self, seat: int, theirs: str, yours: str) -> str:
        return yours if seat == self.you else theirs

    # Sentences

    def sentence(self, turn: Turn, start: int = 0) -> Text:
        """The turn, from a clause on, as a sentence: "heuristic plays b+2; you draw 2 (r5 g1) and are skipped."."""
        parts = []
        for (seat, _), clauses in groupby(turn.clauses[start:], lambda clause: (clause.seat, clause.is_deed)):
            name = () if seat is None else (self.name(seat), " ")
            parts.append(Text.assemble(*name, _and(clause.text for clause in clauses)))
        text = Text("; ").join(parts)
        plain = text.plain
        if plain.startswith(("you ", _PASSED_ON)):
            text = Text.assemble(plain[0].upper(), text[1:])
        if plain and not plain.endswith("!"):
            text.append(".")
        return text

    def latest(self, seat: int) -> Text | None:
        """Returns what a seat did last, or what happened to it since then, if anything."""
        for turn in reversed(self.turns):
            clauses = [clause.text for clause in turn.clauses if clause.seat == seat]
            if clauses:
                return _and(clauses)
        return None

    def result(self, outcome: Outcome) -> str:
        """Tells the result of a round in one sentence."""
        winner = outcome.winner
        why = {
            Ending.WENT_OUT: "",
            Ending.BLOCKED: "Nobody can play or draw any more: the round is blocked. ",
            Ending.MAX_PLIES: f"The round ends after {self.rules.max_plies} plies. ",
        }[outcome.reason]
        if winner is None:
            return f"{why}Nobody wins."
        who = self.name(winner)
        how = self._verb(winner, "goes out", "go out") if not why else self._verb(winner, "wins", "win")
        if self.rules.scoring == "winner":
            how += f" and {self._verb(winner, 'scores', 'score')} {outcome.points[winner]}"
        return f"{why}{who[0].upper() + who[1:] if winner == self.you else who} {how}."

    def scores(self, scores: Sequence[int]) -> str:
        """Every seat's score."""
        return ", ".join(f"{self.name(seat)} {score}" for seat, score in enumerate(scores))

    # Events

    def _hear(self, event: Event) -> None:
        kind, seat = event.kind, event.seat
        before, self._after = self._after, self._follower.hear(event)
        if kind is EventKind.RESHUFFLED:
            self._reshuffled = self._top is not None
        elif kind is EventKind.TURNED_UP and event.card:
            self._turn_up(event.card)
        elif seat is None:
            self._add(None, Text(_PASSED_ON))
        elif kind in _BEGINNINGS:
            is_late = kind is EventKind.CALLED_UNO and before.hand_sizes[seat] == 1  # Rule 7.3
            if not is_late:
                self._begin(seat)
            self._do(event, seat, is_late)
        elif kind is EventKind.DREW:
            self._draw(event, seat)
        else:
            self._befall(event, seat)
        if kind not in (EventKind.DREW, EventKind.RESHUFFLED):
            self._drawing = None
        self.turns[-1].sizes = self._after.hand_sizes

    def _begin(self, seat: int) -> Turn:
        """The turn in which the seat acts now: a new one, unless its last is still open."""
        turn = self.turns[-1]
        if turn.seat != seat or not turn.is_open:
            on = ink(*self._top) if self._top else Text()
            turn = Turn(len(self.turns), seat, on)
            self.turns.append(turn)
        return turn

    def _turn_up(self, card: Card) -> None:
        self._top = (card, card.color)
        self._add(None, Text.assemble(ink(card), " is turned up", self._reshuffle()))

    def _do(self, event: Event, seat: int, is_late: bool) -> None:
        turn = self.turns[-1]
        if event.kind is EventKind.CALLED_UNO:
            late = " late" if is_late else ""
            self._add(seat, Text(self._verb(seat, "calls UNO", "call UNO") + late, "bold"))
        elif event.kind is EventKind.NAMED_COLOR and event.color and self._top:
            self._top = (self._top[0], event.color)
            self._add(seat, Text.assemble(self._verb(seat, "names ", "name "), color_ink(event.color)))
        elif event.action and event.action.card and event.action.color:
            card, color = event.action.card, event.action.color
            jumps = event.kind is EventKind.JUMPED_IN
            verb = self._verb(seat, "jumps in with ", "jump in with ") if jumps else self._verb(seat, "plays ", "play ")
            naming = [Text.assemble(self._verb(seat, "names ", "name "), color_ink(color))] if card.is_wild else []
            drawn = self._drawing.cards if self._drawing and self._drawing.seat == seat and not jumps else ()
            said = [Text.assemble(verb, "it" if drawn == (card,) else ink(card)), *naming]
            short = Text.assemble(verb.replace("with ", ""), ink(card, color))
            self._top = (card, color)
            turn.is_open = False
            exclaim, left = "", self._after.hand_sizes[seat]
            if left == 1 and is_uno_called(self.rules):
                exclaim = "UNO!"
            elif left == 0:
                exclaim = "the last card!"
            if exclaim:
                for text in (said[-1], short):
                    text.append(": ").append(exclaim, "bold")
            for text in said:
                self._add(seat, text, short if text is said[0] else Text())

    def _draw(self, event: Event, seat: int) -> None:
        count = event.count or 0
        cards = dict(event.hands).get(seat, ()) if seat == self.you else ()
        forced = self._after.is_forced
        draw = self._drawing
        if draw and (draw.seat, draw.forced) == (seat, forced):
            # A reshuffle had come between.
            draw.count += count
            draw.cards += cards
        else:
            if not forced:
                self._begin(seat).is_open = count > 0 and can_come_up(Phase.DRAWN, self.rules)
            draw = self._drawing = _Draw(seat, count, cards, forced, Text(), Text())
            self._add(seat, draw.clause, draw.short, is_deed=not forced)
        self._say_draw(draw)

    def _say_draw(self, draw: _Draw) -> None:
        self._last_count = draw.count
        shown = Text(" ").join([ink(card) for card in draw.cards])
        verb = self._verb(draw.seat, "draws", "draw")
        if draw.forced:
            text = Text(f"{verb} {draw.count}")
        elif draw.count == 0:
            text = Text(self._verb(draw.seat, "finds", "find") + " nothing to draw")
        elif draw.cards and draw.count == 1:
            text, shown = Text.assemble(verb, " ", shown), Text()
        else:
            text = Text(f"{verb} a card" if draw.count == 1 else f"{verb} {draw.count} cards")
        if shown:
            text.append(" (").append_text(shown).append(")")
        text.append(self._reshuffle())
        draw.short.plain = f"{verb} {draw.count}"
        draw.clause.plain = ""
        draw.clause.append_text(text)

    def _reshuffle(self) -> str:
        """Returns a note if the draw pile was reshuffled since the last time."""
        note, self._reshuffled = " (reshuffled)" if self._reshuffled else "", False
        return note

    def _befall(self, event: Event, seat: int) -> None:
        kind, target = event.kind, event.target
        turn = self.turns[-1]
        if kind is EventKind.KEPT:
            self._add(seat, Text(f"{self._verb(seat, 'keeps', 'keep')} {'it' if self._last_count == 1 else 'them'}"))
            turn.is_open = False
        elif kind is EventKind.SKIPPED:
            self._add(seat, Text(self._verb(seat, "is skipped", "are skipped")), is_deed=False)
        elif kind is EventKind.CAUGHT and target is not None:
            clause = Text(f"{self._verb(target, 'is', 'are')} caught by {self.name(seat)}")
            self._add(target, clause, is_deed=False)
        elif kind is EventKind.CHALLENGED and target is not None:
            verdict = "guilty" if event.guilty else "innocent"
            clause = Text(f"{self._verb(seat, 'challenges', 'challenge')}: {verdict}")
            shown = dict(event.hands).get(seat) if seat == self.you else None
            if shown:
                clause.append(" (shown ").append_text(Text(" ").join([ink(card) for card in shown])).append(")")
            self._add(seat, clause, is_deed=False)
        elif kind is EventKind.SWAPPED and target is not None:
            swaps, partner = self._verb(seat, "swaps", "swap"), self.name(target)
            self._add(seat, Text(f"{swaps} hands with {partner}"), Text(f"{swaps} with {partner}"))

    def _add(self, seat: int | None, text: Text, short: Text | None = None, *, is_deed: bool = True) -> None:
        self.turns[-1].clauses.append(Clause(seat, text, text if short is None else short, is_deed))


def _and(clauses: Iterable[Text]) -> Text:
    """Joins clauses with commas and a last "and"."""
    *first, last = clauses
    return Text.assemble(Text(", ").join(first), " and ", last) if first else last.copy()


def short_names(agents: Sequence[str]) -> tuple[str, ...]:
    """Names fit for a column: without options, and with the seat where two are alike."""
    bare = [_bare_name(agent)[:16] for agent in agents]
    return tuple(name if bare.count(name) == 1 else f"{name}-{seat}" for seat, name in enumerate(bare))


def _bare_name(agent: str) -> str:
    """Returns the agent's name without options, and only the class of `module:Class`."""
    try:
        return find_agent(agent).name.rpartition(":")[2]
    except AgentError:
        return agent.partition(":")[0]
