"""The agent that asks the person at the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rich.text import Text

from lastcard.actions import CHALLENGE, Action, ActionKind
from lastcard.cards import Card
from lastcard.cli.input import Choice, Command, Complaint, Wish, default_action, list_choices, read_answer, read_color
from lastcard.cli.narration import Teller
from lastcard.cli.reports import say_hint
from lastcard.cli.rules import format_value
from lastcard.cli.screen import Screen, chip, color_ink, faded, in_columns
from lastcard.errors import LastcardError, shorten
from lastcard.observation import Observation
from lastcard.phase import Phase
from lastcard.rules import EXPLANATIONS, Rules, format_rules, leading_seat
from lastcard.search.halving import HalvingConfig, search_by_halving
from lastcard.shell import command

YOU: Final = "human"
MOST_ROWS: Final = 5
"""Most opponents that are listed one per line; more share one line."""
_OWN_TURN: Final = (Phase.TURN, Phase.ANSWER, Phase.NAME_COLOR)

HELP: Final = """\
Cards   r5 red 5 · yS yellow Skip · gR green Reverse · b+2 blue Draw Two
        w Wild · w+4 Wild Draw Four · w:g a Wild that names green
Play    the number before a card, or the card itself: 2, r5, w, w:g
Words   draw, keep, accept, challenge, uno, catch, pass, or the first letter
        Enter alone passes, or takes the only legal action
Also    hint    show the choice of a half-second search, and the reason
        undo    take back your last decision
        hand    show the table and your hand again
        log     show everything that has happened this round
        rules   show the rules of this game
        save FILE   write a record, which play --resume FILE resumes
        quit    leave (also Ctrl-C or Ctrl-D)"""


HINTS: Final = HalvingConfig(seconds=0.5)  # more simulations than the level `hardest`, and still no wait


class Leave(Exception):  # noqa: N818 - nothing went wrong
    """Raised when the person leaves."""


class TakeBack(Exception):  # noqa: N818 - nothing went wrong
    """Raised when the person wants to undo."""


def is_forced(observation: Observation) -> bool:
    """Returns True if there is nothing to decide: a drawn card that does not fit is kept without a question."""
    return observation.phase is Phase.DRAWN and len(observation.legal_actions) == 1


class Person:
    """Seat 0. Knows and shows only what its observation says."""

    name = YOU

    def __init__(self, screen: Screen, names: tuple[str, ...]) -> None:
        self.screen = screen
        self.names = names
        self.save: Callable[[Path], None] | None = None
        """Writes a record of everything so far."""
        self.may_undo = False
        """True if there is a decision to take back."""
        self.is_game = True
        """True if rounds are played to the target score."""
        self.hints = HINTS
        """Options of the search for hints."""
        self._teller: Teller | None = None
        self._told = 0
        self._round = 0

    @property
    def resume(self) -> tuple[str, ...]:
        """Words of the command that resumes a record: one round stays one."""
        return ("play", "--resume") if self.is_game else ("play", "--round", "--resume")

    # Asking

    def choose(self, observation: Observation) -> Action:
        """Shows the observation and asks until the answer is legal.

        Raises:
            Leave: if the person wants to stop.
            TakeBack: if the person wants to undo.
        """
        if is_forced(observation):
            return observation.legal_actions[0]
        self.tell(observation)
        if observation.phase in _OWN_TURN:
            self.show_table(observation)
        if observation.phase not in (Phase.DRAWN, Phase.CATCH):
            self.show_hand(observation)
        self._show_words(observation)
        while True:
            answer = read_answer(self._ask(self._question(observation)), observation)
            if isinstance(answer, Action):
                return answer
            if isinstance(answer, Choice):
                action = self._ask_color(answer)
                if action:
                    return action
            elif isinstance(answer, Complaint):
                self.screen.say(answer.text, indent=2)
            else:
                self._obey(answer, observation)

    def _ask(self, question: str) -> str:
        try:
            return self.screen.ask(f"  {question} ")
        except (EOFError, KeyboardInterrupt):
            self.screen.say()
            raise Leave from None

    def _ask_color(self, choice: Choice) -> Action | None:
        while text := self._ask("Which color, r, y, g or b? (Enter: choose another card)").strip():
            color = read_color(text)
            for action in choice.actions:
                if action.color is color:
                    return action
            self.screen.say(f"{shorten(text, 30)} is not a color.", indent=2)
        return None

    def _question(self, observation: Observation) -> str:
        last = observation.last_actor
        by = "" if last is None else self.names[last]
        enter = default_action(observation)
        hint = f" (Enter: {enter})" if enter else ""
        kinds = {action.kind for action in observation.legal_actions}
        cards = {action.card for action in observation.legal_actions if action.kind is not ActionKind.UNO}
        match observation.phase:
            case Phase.TURN | Phase.DRAWN | Phase.JUMP_IN if len(cards) == 1 and ActionKind.PLAY in kinds:
                return f"You must play {cards.pop()}.{hint}"
            case Phase.DRAWN:
                return f"Play the {observation.drawn_card} or keep it?{hint}"
            case Phase.NAME_COLOR:
                return "A Wild was turned up. Which color, r, y, g or b?"
            case Phase.ANSWER:
                ways = ["Accept"]
                ways += ["stack a card"] if ActionKind.PLAY in kinds else []
                ways += ["challenge"] if ActionKind.CHALLENGE in kinds else []
                return f"{' or '.join(ways)}?{hint}"
            case Phase.SWAP:
                return f"Swap hands with whom?{hint}"
            case Phase.CATCH if observation.top_player == observation.observer:
                return f"You forgot to call UNO. Call it now, or pass?{hint}"
            case Phase.CATCH:
                return f"{by} forgot to call UNO. Catch, or pass?{hint}"
            case Phase.JUMP_IN:
                return f"You hold {observation.top_card} as well. Jump in, or pass?{hint}"
        return f"Nothing fits.{hint}" if enter else "Your turn:"

    def _obey(self, wish: Wish, observation: Observation) -> None:
        match wish.command:
            case Command.QUIT:
                raise Leave
            case Command.UNDO:
                if self.may_undo:
                    raise TakeBack
                self.screen.say("There is nothing to take back in this round.", indent=2)
            case Command.HELP:
                for line in HELP.splitlines():
                    meaning = re.split(" {2,}", line)[-1]
                    self.screen.say(line, indent=2, hang=len(line) - len(meaning))
            case Command.HINT:
                report = search_by_halving(observation, self.hints)
                say_hint(self.screen, observation, report, self.names)
            case Command.LOG:
                self._show_log()
            case Command.RULES:
                self._show_rules(observation.rules)
            case Command.SAVE:
                self.keep(wish.argument)
            case Command.HAND:
                self.show_table(observation)
                self.show_hand(observation)
                self._show_words(observation)

    def keep(self, name: str) -> None:
        """Saves the record in the file of that name, and says so."""
        if not name:
            self.screen.say("Save where? Such as: save game.txt", indent=2)
            return
        try:
            assert self.save is not None
            path = Path(name).expanduser()
            self.save(path)
        except (LastcardError, OSError) as error:
            self.screen.say(f"Not saved: {error}", indent=2)
        else:
            self.screen.say(f"Saved. Resume with: {command(*self.resume, str(path))}", indent=2, whole=True)

    # Telling

    def forget(self) -> None:
        """Tells the round from the start, after an undo."""
        self._teller = None

    def tell(self, observation: Observation) -> None:
        """Says what has happened since the last time."""
        teller = self._teller
        first = teller is None or self._round != observation.round_number
        if teller is None or first:
            teller = self._teller = Teller(observation.rules, self.names, you=observation.observer)
            known = self._told if self._round == observation.round_number else 0
            self._told = min(known, len(observation.history))
            teller.hear(observation.history[: self._told])
            self._round = observation.round_number
        news = teller.news(observation.history)
        self._told = len(observation.history)
        if first or observation.phase in _OWN_TURN:
            self._show_title(observation, teller)
        for sentence in news:
            self.screen.say(sentence, indent=2)

    def _show_title(self, observation: Observation, teller: Teller) -> None:
        number = teller.turns[-1].number + (observation.phase is not Phase.OVER)
        scores, target = observation.scores, observation.rules.target_score
        shown = [observation.observer]
        if len(scores) == 2:
            shown = [0, 1]
        elif len(scores) > MOST_ROWS + 1:
            shown = sorted({observation.observer, leading_seat(observation.rules, scores)})
        score = " · ".join(f"{teller.name(seat)} {scores[seat]}" for seat in shown)
        score += f" · to {target}" if self.is_game else ""
        self.screen.say()
        self.screen.rule(f"Round {observation.round_number}, turn {number}", score)

    def _show_log(self) -> None:
        assert self._teller is not None
        for turn in self._teller.turns:
            number = Text(f"{turn.number or '':>3}  ", "dim")
            self.screen.say(Text.assemble(number, self._teller.sentence(turn)), indent=2)

    def _show_rules(self, rules: Rules) -> None:
        """The rules' name, and every field that is not as printed."""
        self.screen.say(format_rules(rules), indent=2)
        defaults = Rules().to_dict()
        for field, value in rules.to_dict().items():
            if value != defaults[field]:
                self.screen.say(f"{field}={format_value(value)}: {EXPLANATIONS[field]}", indent=4, hang=2)
        everything = command("rules", *format_rules(rules).split())
        self.screen.say(f"Everything: {everything}", indent=2, whole=True)

    def show_table(self, observation: Observation) -> None:
        """Shows the others, the top card and the draw pile."""
        self.screen.say()
        sizes, players = observation.hand_sizes, len(observation.hand_sizes)
        order = [(observation.observer + observation.direction * step) % players for step in range(1, players)]
        if players - 1 > MOST_ROWS:
            self._show_circle(order, sizes)
        else:
            self._show_rows(order, observation)
        if players > 2:
            way = "forward" if observation.direction == 1 else "reversed"
            self.screen.say(Text(f"next to play first, direction {way}", "dim"), indent=2)
        self.screen.say()
        line = Text.assemble("Top card ", chip(observation.top_card, observation.active_color))
        line.append("   ").append_text(self._to_match(observation))
        pile = f"draw pile {observation.draw_pile_size}"
        room = self.screen.width - 4 - line.cell_len - len(pile)
        if room >= 2:
            line.append(" " * room).append(pile, "dim")
        self.screen.say(line, indent=2)
        if room < 2:
            self.screen.say(Text(pile, "dim"), indent=2)

    def _show_rows(self, order: list[int], observation: Observation) -> None:
        assert self._teller is not None
        sizes, scores = observation.hand_sizes, observation.scores
        width = max(len(self.names[seat]) for seat in order)
        for seat in order:
            line = Text(f"{self.names[seat]:<{width}}  ")
            line.append(f"{sizes[seat]:>2} card{'s' if sizes[seat] != 1 else ' '}", "bold" if sizes[seat] == 1 else "")
            if len(order) > 1:
                line.append(f"   score {scores[seat]:<3}")
            line.append("   ")
            hang = line.cell_len
            latest = self._teller.latest(seat)
            if latest:
                latest.stylize("dim")
                line.append_text(latest)
            self.screen.say(line, indent=2, hang=hang)

    def _show_circle(self, order: list[int], sizes: tuple[int, ...]) -> None:
        cells = []
        for seat in order:
            size = sizes[seat]
            cells.append(Text.assemble(f"{self.names[seat]} ", (str(size), "bold reverse" if size == 1 else "bold")))
        for row in in_columns(cells, self.screen.width - 4, gap=3):
            self.screen.say(row, indent=2)

    def _to_match(self, observation: Observation) -> Text:
        top, color = observation.top_card, observation.active_color
        if observation.phase is Phase.ANSWER:
            due = Text(f"{observation.draw_sum} cards to draw", "bold")
            before = observation.last_color
            if before and CHALLENGE in observation.legal_actions:
                due = Text.assemble(due, "   before it ", color_ink(before), " was active")
            return due
        if color is None:
            return Text("no color named yet")
        if top.is_wild:
            return Text.assemble("match ", color_ink(color))
        symbol = {"S": "a Skip", "R": "a Reverse", "+2": "a Draw Two"}.get(top.rank.value, f"a {top.rank.value}")
        return Text.assemble("match ", color_ink(color), f" or {symbol}")

    def show_hand(self, observation: Observation) -> None:
        """Shows the hand, what can be played with its number."""
        self.screen.say()
        numbers = {choice.card: choice.key for choice in list_choices(observation) if choice.card}
        cells = []
        for card in dict.fromkeys(observation.hand):
            cells.append(_hand_cell(card, observation.hand.count(card), numbers.get(card)))
        count = len(observation.hand)
        self.screen.say(Text(f"Your hand ({count} card{'s' if count != 1 else ''})", "dim"), indent=2)
        for row in in_columns(cells, self.screen.width - 4):
            self.screen.say(row, indent=2, whole=True)

    def _show_words(self, observation: Observation) -> None:
        words = []
        for choice in list_choices(observation):
            action = choice.actions[0]
            if action.kind is ActionKind.SWAP and action.seat is not None:
                size = observation.hand_sizes[action.seat]
                words.append(Text(f"{choice.key}) {self.names[action.seat]} ({size})"))
            elif action.kind is ActionKind.COLOR and action.color:
                words.append(Text.assemble(f"{choice.key}) ", color_ink(action.color)))
            elif not action.card:
                words.append(Text(f"{choice.key}) {self._explained(action, observation)}"))
            elif observation.phase is Phase.DRAWN:
                words.append(Text.assemble(f"{choice.key}) ", chip(action.card)))
        row = Text("   ").join(words)
        for line in [row] if row.cell_len <= self.screen.width - 2 else words:
            self.screen.say(line, indent=2)

    def _explained(self, action: Action, observation: Observation) -> str:
        if action.kind is ActionKind.ACCEPT:
            return f"accept (draw {observation.draw_sum})"
        if action.kind is ActionKind.CHALLENGE and observation.top_player is not None:
            offender, due = self.names[observation.top_player], observation.draw_sum
            return f"challenge (guilty: {offender} draws {due}; innocent: you draw {due + 2})"
        is_late = observation.phase is Phase.CATCH
        if action.kind is ActionKind.UNO:
            return "uno (call it before you are caught)" if is_late else "uno (call it before you play)"
        return action.text


def _hand_cell(card: Card, copies: int, number: str | None) -> Text:
    copied = f"×{copies}" if copies > 1 else ""
    if number is None:
        return Text.assemble("    ", faded(card), (copied, "dim"))
    return Text.assemble(f"{number:>2}) ", chip(card), copied)
