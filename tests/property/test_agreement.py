"""The core and an independent rulebook agree on everything, ply by ply, over thousands of random rounds."""

from collections.abc import Callable

import pytest

import tests.oracle.cards
import tests.oracle.round
import tests.oracle.score
from tests.counts import counted
from tests.oracle.agreement import agree_on_round
from tests.oracle.rulebook import Rulebook

NUM_ROUNDS = counted(10_000)
CHUNKS = counted(20)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_core_agrees_with_the_rulebook(chunk: int) -> None:
    """Seeds from 0, dealt out over the chunks."""
    plies = sum(agree_on_round(seed) for seed in range(chunk, NUM_ROUNDS, CHUNKS))
    assert plies > 20 * NUM_ROUNDS / CHUNKS


def agree_on_rounds(count: int) -> None:
    for seed in range(count):
        agree_on_round(seed)


# Mistakes that a rulebook could make: rule, attribute to replace, its replacement.


def always(value: bool) -> Callable[..., bool]:
    return lambda *arguments: value


def reverse_without_a_turn(book: Rulebook, seat: int) -> None:
    book._resolved(book._after(seat))


def skip_nobody(book: Rulebook, seat: int) -> None:
    book._resolved(book._after(seat))


def pass_hands_backwards(book: Rulebook, seat: int) -> None:
    book.hands = [book.hands[book._after(taker)] for taker in range(book.players)]
    book.declarations.clear()
    book.history.tell_with_cards("hands pass", dict(enumerate(book.hands)))
    book._resolved(book._after(seat))


def challenge_by_the_present_color(book: Rulebook, seat: int) -> None:
    book.last_color = book.active_color
    CHALLENGE(book, seat)


def catch_without_penalty(book: Rulebook, seat: int) -> None:
    book.history.tell_all(f"{seat} catches {book.player}")
    book._take_effect()


def declare_late_in_vain(book: Rulebook, seat: int) -> None:
    late = book.phase == "catch"
    DECLARE(book, seat)
    if late:
        book.declarations.discard(seat)


def wilds_at_forty(card: str) -> int:
    return 40 if card[0] == "w" else POINTS_OF(card)


def ties_to_the_first(hands: list[list[str]], scoring: str) -> tuple[int | None, list[int]]:
    points = [tests.oracle.score.points_in(hand) for hand in hands]
    return points.index(min(points)), [0] * len(hands)


def show_everyone(self: object, event: str, shown: dict[int, list[str]]) -> None:
    for events in self.of_seat:  # type: ignore[attr-defined]
        events.append(f"{event} ({' '.join(next(iter(shown.values()), []))})" if shown else event)


CHALLENGE = Rulebook._challenge
DECLARE = Rulebook._declare
POINTS_OF = tests.oracle.cards.points_of

MISTAKES: dict[str, tuple[object, str, object]] = {
    "4.1 Skip skips nobody": (Rulebook, "_skip_next", skip_nobody),
    "4.2 Reverse does not turn": (Rulebook, "_reverse", reverse_without_a_turn),
    "5.3 ties go to the first": (tests.oracle.round, "fewest_points", ties_to_the_first),
    "6.1 a Wild Draw Four at any time": (Rulebook, "_without_active_color", always(True)),
    "6.4 challenges go by the named color": (Rulebook, "_challenge", challenge_by_the_present_color),
    "7.1 UNO cannot be declared": (Rulebook, "_may_declare", always(False)),
    "7.3 nobody is ever caught": (Rulebook, "_forgot_uno", always(False)),
    "7.3 a late call does not stand": (Rulebook, "_declare", declare_late_in_vain),
    "7.3 no penalty": (Rulebook, "_catch", catch_without_penalty),
    "9.1 Wilds count forty": (tests.oracle.score, "points_of", wilds_at_forty),
    "10.1 nothing is stacked": (Rulebook, "_stackable", always(False)),
    "10.4 drawn cards may be kept": (Rulebook, "_may_keep", always(True)),
    "10.5 hands pass backwards": (Rulebook, "_pass_hands", pass_hands_backwards),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_either_is_found(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted in the rulebook, within the first few hundred rounds; the message says how to see it again."""
    monkeypatch.setattr(*MISTAKES[mistake])
    with pytest.raises(AssertionError, match=r"seed \d+, rules .*, after .*: .* differs: ") as caught:
        agree_on_rounds(1_000)
    assert "rulebook" in str(caught.value)


def test_a_leak_in_the_history_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.oracle.history import History

    monkeypatch.setattr(History, "tell_with_cards", show_everyone)
    with pytest.raises(AssertionError, match=r"news for seat \d differs"):
        agree_on_rounds(100)
