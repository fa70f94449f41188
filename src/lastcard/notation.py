"""States in one line of text, such as `top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR`.

The line is parts separated by `|`. Only the top card (or `discards`) and the hands are required; the rest takes its
value at the start of a round. A state inside a window is followed by `<<` and the state before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, cast

from lastcard.errors import NotationError, RulesError, shorten
from lastcard.rules import MAX_BEFORE, Rules, format_rules, parse_rules

_Fields = dict[str, object]


def _number(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,80}", text):
        raise NotationError(f"{shorten(text)} is not a whole number")
    return int(text)


def _numbers(text: str) -> list[int]:
    return [_number(word) for word in text.split()]


def _text(text: str) -> str:
    return text


# How each field is written: its word, its name in the data, its value at the start of a round, how to read it.
_SIMPLE: Final[tuple[tuple[str, str, object, Callable[[str], object]], ...]] = (
    ("to act", "seat", 0, _number),
    ("phase", "phase", "turn", _text),
    ("direction", "direction", 1, _number),
    ("last color", "last_color", None, _text),
    ("draw sum", "draw_sum", 0, _number),
    ("drawn", "drawn_card", None, _text),
    ("played by", "player", None, _number),
    ("next", "next_seat", None, _number),
    ("acted", "last_actor", None, _number),
    ("declared", "declared", [], _numbers),
    ("shown", "shown_hand", "", _text),
    ("stuck", "stuck_passes", 0, _number),
    ("ply", "ply", 0, _number),
    ("round", "round", 1, _number),
    ("dealer", "dealer", None, _number),
    ("seed", "seed", 0, _number),
    ("reshuffles", "reshuffles", 0, _number),
    ("draw pile", "draw_pile", None, _text),
)
_BY_WORD: Final = {word: (name, read) for word, name, _, read in _SIMPLE}


def format_fields(fields: Mapping[str, object]) -> str:
    """Writes the data of a state in one line."""
    rules = Rules.from_dict(cast(Mapping[str, object], fields["rules"]))
    players = cast(list[Mapping[str, object]], fields["players"])
    parts = [f"rules {format_rules(rules)}", f"discards {fields['discard_pile']}"]
    if fields["active_color"]:
        parts.append(f"color {fields['active_color']}")
    parts += [f"seat {seat}: {player['hand']}".rstrip() for seat, player in enumerate(players)]
    for word, name, default, _ in _SIMPLE:
        value = fields[name]
        if value is not None and value != default:
            text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
            parts.append(f"{word} {text}".rstrip())
    if any(player["score"] for player in players):
        parts.append("scores " + " ".join(str(player["score"]) for player in players))
    if not all(player["bot"] for player in players):
        parts.append("people " + " ".join(str(seat) for seat, player in enumerate(players) if not player["bot"]))
    outcome = cast("Mapping[str, object] | None", fields["outcome"])
    if outcome:
        winner = "nobody" if outcome["winner"] is None else outcome["winner"]
        parts.append(f"won by {winner} {outcome['reason']}")
    if fields["history"]:
        parts.append("history " + "; ".join(cast(list[str], fields["history"])))
    line = " | ".join(parts)
    before = cast("Mapping[str, object] | None", fields["before"])
    return f"{line} << {format_fields(before)}" if before else line


def parse_fields(text: str) -> _Fields:
    """Reads what `format_fields` wrote, or any part of it that has a top card and hands.

    Raises:
        NotationError: if it cannot be read.
    """
    if not isinstance(text, str):
        raise NotationError(f"expected a state as text such as 'top r5 | seat 0: r7 | seat 1: g1', not {shorten(text)}")
    if text.count("<<") > MAX_BEFORE:
        raise NotationError(f"a state cannot have more than {MAX_BEFORE} states before it")
    line, _, before = text.partition("<<")
    parts = _Parts()
    for part in map(str.strip, line.split("|")):
        parts.read(part)
    fields = parts.finish()
    if before:
        fields["before"] = parse_fields(before)
    return fields


class _Parts:
    """The parts of one line, as they are read."""

    def __init__(self) -> None:
        self.fields: _Fields = {}
        self.hands: dict[int, str] = {}
        self.rules: Rules | None = None
        self.scores: list[int] = []
        self.people: list[int] = []
        self.given: set[str] = set()

    def read(self, part: str) -> None:
        word = next((w for w in _BY_WORD if part == w or part.startswith(w + " ")), None)
        hand = re.fullmatch(r"seat ([0-9]) ?:(.*)", part, re.DOTALL)
        head, _, rest = part.partition(" ")
        key = f"seat {hand[1]}" if hand else word or ("discards" if head == "top" else head)
        if key in self.given and part:
            raise NotationError(f"{shorten(part)}: '{key}' is given twice")
        self.given.add(key)
        if hand:
            self.hands[int(hand[1])] = hand[2].strip()
        elif word:
            name, read = _BY_WORD[word]
            self.fields[name] = read(part[len(word) :].strip())
        elif head in ("top", "discards"):
            self.fields["discard_pile"] = rest
        elif head == "color":
            self.fields["active_color"] = rest
        elif head == "rules":
            self.rules = parse_rules(rest)
        elif head == "scores":
            self.scores = _numbers(rest)
        elif head == "people":
            self.people = _numbers(rest)
        elif head == "won":
            self.fields["outcome"] = _parse_outcome(part)
        elif head == "history":
            self.fields["history"] = [event.strip() for event in rest.split(";")]
        elif part:
            raise NotationError(
                f"{shorten(part)} is not a part of a state; expected one such as 'top r5' or 'seat 0: r7 b2'"
            )

    def finish(self) -> _Fields:
        """Checks that the parts fit together, and returns them as fields."""
        hands, scores, fields = self.hands, self.scores, self.fields
        if sorted(hands) != list(range(len(hands))) or len(hands) < 2:
            raise NotationError(f"hands must be given for seats 0, 1 and so on, not {sorted(hands)}")
        if "discard_pile" not in fields:
            raise NotationError("the top card is missing; expected a part such as 'top r5'")
        rules = self.rules or Rules().replace(players=len(hands))
        if rules.players != len(hands):
            raise RulesError(f"players={rules.players} in the rules, but {len(hands)} hands")
        if any(not 0 <= seat < len(hands) for seat in self.people):
            raise NotationError(f"people names a seat beyond {len(hands) - 1}")
        if scores and len(scores) != len(hands):
            raise NotationError(f"{len(scores)} scores for {len(hands)} seats")
        fields["rules"] = rules.to_dict()
        fields["players"] = [
            {"hand": hands[seat], "score": scores[seat] if scores else 0, "bot": seat not in self.people}
            for seat in range(len(hands))
        ]
        if fields.get("phase") in ("over", "name_color"):
            fields.setdefault("active_color", None)
        return fields


def _parse_outcome(part: str) -> _Fields:
    found = re.fullmatch(r"won by (nobody|[0-9]) ([a-z_]+)", part)
    if not found:
        raise NotationError(f"{shorten(part)} is not an outcome; expected one such as 'won by 0 went_out'")
    return {"winner": None if found[1] == "nobody" else int(found[1]), "reason": found[2]}
