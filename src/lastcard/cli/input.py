"""Typed input: what a person may type when asked, and what it means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from lastcard.actions import PASS, Action, ActionKind, parse_action
from lastcard.cards import Card, Color
from lastcard.errors import NotationError, shorten
from lastcard.observation import Observation
from lastcard.phase import Phase, is_uno_called


class Command(Enum):
    """Commands that a person can type instead of an action."""

    HELP = "help"
    HAND = "hand"
    HINT = "hint"
    LOG = "log"
    RULES = "rules"
    UNDO = "undo"
    SAVE = "save"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose by its key; a Wild has an action for each color."""

    key: str
    actions: tuple[Action, ...]

    @property
    def card(self) -> Card | None:
        """The card that would be played."""
        return self.actions[0].card


@dataclass(frozen=True, slots=True)
class Wish:
    """A command with what follows it."""

    command: Command
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Complaint:
    """The reason why an answer is refused."""

    text: str


Answer = Action | Choice | Wish | Complaint
_BACK: Final = ("exit", "bye")
_PREFIX: Final = re.compile(r"^\s*(?:play\s+(?=\S))?(?:([rygb])\s+(?=\S))?", re.IGNORECASE)
"""Text in front of a card that changes nothing: `play r5` and `r 5` are `r5`."""


def list_choices(observation: Observation) -> list[Choice]:
    """Lists the choices: cards and seats by number, words and colors by letter."""
    plays: dict[Card, list[Action]] = {}
    for action in observation.legal_actions:
        if action.card:
            plays.setdefault(action.card, []).append(action)
    choices = [Choice(str(number), tuple(actions)) for number, actions in enumerate(plays.values(), 1)]
    for action in observation.legal_actions:
        if action.kind is ActionKind.SWAP:
            choices.append(Choice(str(action.seat), (action,)))
        elif action.kind is ActionKind.COLOR and action.color:
            choices.append(Choice(action.color.letter, (action,)))
        elif not action.card:
            choices.append(Choice(action.text[0], (action,)))
    return choices


def default_action(observation: Observation) -> Action | None:
    """Returns the action for Enter alone: pass, or the only legal action."""
    legal = observation.legal_actions
    if PASS in legal:
        return PASS
    return legal[0] if len(legal) == 1 else None


def read_answer(text: str, observation: Observation) -> Answer:
    """Works out what a person meant."""
    words = _PREFIX.sub(r"\1", text).split()
    if not words:
        return default_action(observation) or Complaint(f"Please choose: {list_legal(observation)}.")
    choices = list_choices(observation)
    word = words[0].lower()
    if len(words) == 1:
        for choice in choices:
            if choice.key == word or (choice.card and choice.card.text.lower() == word):
                return choice.actions[0] if len(choice.actions) == 1 else choice
    spoken = ":".join(words).lower()
    for action in observation.legal_actions:
        if action.text.lower() == spoken:
            return action
    meant = _complete(word, observation)
    if len(meant) > 1:
        return Complaint(f"{word} could be {' or '.join(str(m.argument) for m in meant)}.")
    if meant and isinstance(meant[0].command, Command) and (len(words) == 1 or meant[0].command is Command.SAVE):
        return Wish(meant[0].command, " ".join(words[1:]))
    if meant and meant[0].action and len(words) == 1:
        return meant[0].action
    return Complaint(f"{_why_not(text.strip(), spoken, observation)} You may choose {list_legal(observation)}.")


@dataclass(frozen=True, slots=True)
class _Meaning:
    argument: str
    command: Command | None = None
    action: Action | None = None


def _complete(word: str, observation: Observation) -> list[_Meaning]:
    """The words that begin so; what can be done now comes before everything else."""
    if word == "?":
        return [_Meaning("help", command=Command.HELP)]
    if word in _BACK:
        return [_Meaning("quit", command=Command.QUIT)]
    acts = [
        _Meaning(name, action=action)
        for action in observation.legal_actions
        if not action.card
        for name in [action.color.word if action.color else action.text]
        if name.startswith(word)
    ]
    if acts:
        return acts
    # Where UNO must be called, u is never undo.
    if not is_uno_called(observation.rules) and "uno".startswith(word):
        return []
    return [_Meaning(c.value, command=c) for c in Command if c.value.startswith(word)]


def read_color(text: str) -> Color | None:
    """The color whose name begins so."""
    word = text.strip().lower()
    return next((color for color in Color if word and color.word.startswith(word)), None)


def list_legal(observation: Observation) -> str:
    """The legal actions in a row, Wilds without their colors."""
    names = list(
        dict.fromkeys(action.card.text if action.card else action.text for action in observation.legal_actions)
    )
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _why_not(typed: str, spoken: str, observation: Observation) -> str:
    if spoken.isdigit():
        return f"There is no number {spoken[:6]}."
    wild = spoken in ("w", "w+4")
    try:
        action = parse_action(f"{spoken}:r" if wild else spoken)
    except NotationError:
        return f"{shorten(typed, 30)} is not understood (? explains)."
    card = action.card
    if card is None:
        return f"{action} is not possible now."
    if card not in observation.hand:
        return f"You do not hold {card}."
    color = observation.active_color
    if observation.phase is Phase.DRAWN:
        return f"Only the card just drawn may be played now, not {card}."
    if observation.phase is Phase.ANSWER:
        return f"{card} cannot be stacked on {observation.top_card}."
    if observation.phase is not Phase.TURN or color is None:
        return f"{card} cannot be played now."
    if not card.is_wild:
        return f"{card} does not match {observation.top_card}" + (
            f" ({color.word} is active)." if observation.top_card.is_wild else "."
        )
    held = "any other card that fits" if observation.rules.wild_draw_four == "last_resort" else f"a {color.word} card"
    return f"{card} may not be played while you hold {held}."
