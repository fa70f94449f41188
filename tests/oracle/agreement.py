"""Plays a round in the core and in the rulebook, and compares everything after every ply."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from operator import add
from typing import cast

from lastcard import _core
from lastcard.actions import ACTIONS, DRAW, Action
from lastcard.cards import CARDS, Card, Color, parse_card
from lastcard.events import format_event, unpack_events
from lastcard.observation import observe
from lastcard.phase import ENDINGS, PHASES
from lastcard.rules import PRESETS, Rules, list_choices
from lastcard.state import Outcome, State, deal, deck_order, reshuffled
from tests.oracle.rulebook import Rulebook

UNIFORM_SHARE = 0.02
DECLINE_SHARE = 0.1

SWITCHES = list_choices(uno_penalty=(0, 1, 2, 4), max_plies=(400, 400, 60), hand_size=(7, 7, 7, 3, 1))


def random_rules(rng: random.Random) -> Rules:
    """A preset as it is, or with one switch changed, or any combination of switches; 2 to 10 players."""
    name = rng.choice(list(PRESETS))
    players = min(2 + int(rng.expovariate(0.6)), 4 if name == "mini" else 10)
    rules = Rules.preset(name, players=players)
    how = rng.random()
    if how < 0.25:
        return rules
    fields = dict.fromkeys(SWITCHES) if how > 0.5 else [rng.choice(list(SWITCHES))]
    changes = {field: rng.choice(SWITCHES[field]) for field in fields}
    if name == "mini":
        changes["max_plies"] = 40
        changes["hand_size"] = min(2, int(str(changes.get("hand_size", 2))))
    until = changes.get("draw_until_playable", rules.draw_until_playable)
    if until and changes.get("drawn_card", rules.drawn_card) == "end_turn":
        changes.update(draw_until_playable=True, drawn_card="may_play")
    return rules.replace(**changes)


def choose_at_random(rng: random.Random, legal: Sequence[Action], is_uniform: bool) -> Action:
    """Declines to play one time in ten; in a few rounds any action is as likely as any other."""
    if is_uniform or len(legal) == 1:
        return rng.choice(legal)
    if DRAW in legal and rng.random() < DECLINE_SHARE:
        return DRAW
    return rng.choice([action for action in legal if action is not DRAW])


def open_rulebook(state: State, deck: Sequence[Card]) -> Rulebook:
    """The rulebook at the same deal."""

    def reshuffle(cards: list[str], ordinal: int) -> list[str]:
        return [card.text for card in reshuffled([parse_card(text) for text in cards], state.seed, ordinal)]

    return Rulebook(
        {name: value for name, value in state.rules.to_dict().items() if name != "deck"},
        [card.text for card in deck],
        dealer=state.dealer,
        scores=list(state.scores),
        round_number=state.round_number,
        reshuffle=reshuffle,
    )


# Read straight from the core's numbers, since this runs for every seat after every ply; in `PUBLIC_SHARE` of plies
# the public properties must say the same.
_TEXT = [card.text for card in CARDS]
_LETTERS = [color.letter for color in Color]
_PHASES = [phase.value for phase in PHASES]
PUBLIC_SHARE = 0.05


def _letter(color: int | None) -> str | None:
    return None if color is None else _LETTERS[color]


def truth_of(state: State) -> dict[str, object]:
    """The state in the rulebook's words."""
    core = state._round
    turn = core.turn
    outcome = state.outcome
    return {
        "round": state.round_number,
        "dealer": state.dealer,
        "hands": [[_TEXT[i] for i in core.hand(seat)] for seat in range(state.rules.players)],
        "scores": list(state.scores),
        "draw_pile": [_TEXT[i] for i in core.draw_pile],
        "discard_pile": [_TEXT[i] for i in core.discard_pile],
        "seat": turn.seat,
        "phase": _PHASES[turn.phase],
        "direction": turn.direction,
        "active_color": _letter(turn.active_color),
        "last_color": _letter(turn.last_color),
        "draw_sum": turn.draw_sum,
        "last_actor": turn.last_actor,
        "drawn_card": None if turn.drawn is None else _TEXT[turn.drawn],
        "declared_uno": core.declared,
        "stuck_passes": turn.stuck_passes,
        "ply": turn.ply,
        "reshuffles": core.reshuffles,
        "outcome": outcome and outcome.to_dict(),
    }


def public_truth_of(state: State) -> dict[str, object]:
    """The same by way of the public properties."""
    color, last, drawn, outcome = state.active_color, state.last_color, state.drawn_card, state.outcome
    return {
        "round": state.round_number,
        "dealer": state.dealer,
        "hands": [[card.text for card in player.hand] for player in state.players],
        "scores": list(state.scores),
        "draw_pile": [card.text for card in state.draw_pile],
        "discard_pile": [card.text for card in state.discard_pile],
        "seat": state.seat,
        "phase": state.phase.value,
        "direction": state.direction,
        "active_color": color and color.letter,
        "last_color": last and last.letter,
        "draw_sum": state.draw_sum,
        "last_actor": state.last_actor,
        "drawn_card": drawn and drawn.text,
        "declared_uno": list(state.declared_uno),
        "stuck_passes": state.stuck_passes,
        "ply": state.ply,
        "reshuffles": state.reshuffles,
        "outcome": outcome and outcome.to_dict(),
    }


def facts_of(core: _core.Observation) -> dict[str, object]:
    """An observation without its history in the rulebook's words."""
    discards = [_TEXT[i] for i in core.discards]
    turn, points = core.turn, core.points
    ending = ENDINGS[turn.ending]
    outcome = Outcome(turn.winner, ending, tuple(points)) if ending else None
    return {
        "observer": core.observer,
        "round": core.number,
        "dealer": core.dealer,
        "hand": [_TEXT[i] for i in core.hand],
        "hand_sizes": core.hand_sizes,
        "top_player": turn.player,
        "scores": list(map(add, core.scores, points)),
        "top_card": discards[-1],
        "discards": discards,
        "draw_pile_size": core.draw_pile_size,
        "seat": turn.seat,
        "phase": _PHASES[turn.phase],
        "direction": turn.direction,
        "active_color": _letter(turn.active_color),
        "last_color": _letter(turn.last_color),
        "draw_sum": turn.draw_sum,
        "last_actor": turn.last_actor,
        "drawn_card": None if turn.drawn is None else _TEXT[turn.drawn],
        "declared_uno": list(turn.declared),
        "command_pending": core.command_pending,
        "skip_pending": core.skip_pending,
        "legal_actions": [ACTIONS[i].text for i in core.legal()],
        "outcome": outcome and outcome.to_dict(),
    }


@lru_cache(maxsize=100_000)
def _spoken(packed: tuple[int, ...], seat: int) -> list[str]:
    return [format_event(event) for event in unpack_events(packed, seat)]


def require_equal(what: str, core: object, rulebook: object) -> None:
    """Raises an AssertionError that shows what differs."""
    assert core == rulebook, f"{what} differs: {_difference(core, rulebook)}"


def _difference(core: object, rulebook: object) -> str:
    if isinstance(core, dict) and isinstance(rulebook, dict):
        keys = [key for key in {**core, **rulebook} if core.get(key) != rulebook.get(key)]
        return "; ".join(f"{key}: core {core.get(key)!r}, rulebook {rulebook.get(key)!r}" for key in keys)
    return f"core {core!r}, rulebook {rulebook!r}"


class Comparison:
    """Compares the two after every ply; histories by what they have grown, and now and then in full at the end."""

    def __init__(self, players: int) -> None:
        self.seen = [(0, 0)] * players

    def check(self, state: State, book: Rulebook, is_public: bool) -> None:
        require_equal("truth", truth_of(state), book.truth())
        require_equal("legal actions", [ACTIONS[i].text for i in state._round.legal()], book.legal())
        for seat in range(state.rules.players):
            core = _core.observe(state._round, seat)
            view = book.view(seat)
            told = cast(list[str], view["history"])
            num_packed, num_told = self.seen[seat]
            packed = tuple(core.events(num_packed))
            facts = facts_of(core)
            facts["history"] = told  # told apart below
            if facts != view:
                require_equal(f"view of seat {seat}", facts, view)
            if _spoken(packed, seat) != told[num_told:]:
                require_equal(f"news for seat {seat}", _spoken(packed, seat), told[num_told:])
            self.seen[seat] = (num_packed + len(packed), len(told))
        if is_public:
            self._check_public(state, book)

    def _check_public(self, state: State, book: Rulebook) -> None:
        require_equal("public truth", public_truth_of(state), book.truth())
        require_equal("public legal actions", [action.text for action in state.legal_actions], book.legal())
        for seat in range(state.rules.players):
            obs, view = observe(state, seat), dict(book.view(seat))
            if state.is_over:
                require_equal(f"history of seat {seat}", list(map(format_event, obs.history)), view["history"])
            del view["history"]
            require_equal(f"public view of seat {seat}", obs.facts(), view)


def agree_on_round(seed: int) -> int:
    """Plays one random round under random rules in both; returns its plies.

    Raises:
        AssertionError: at the first difference, with all it takes to see it again.
    """
    rng = random.Random(seed)
    rules = random_rules(rng)
    is_uniform = rng.random() < UNIFORM_SHARE
    if is_uniform:
        rules = rules.replace(max_plies=min(rules.max_plies, 200))
    dealer = rng.randrange(rules.players)
    scores = [rng.randrange(300) for _ in range(rules.players)]
    state = deal(rules, seed=seed, dealer=dealer, scores=scores, round_number=rng.randrange(1, 9))
    book = open_rulebook(state, deck_order(rules, seed))
    comparison = Comparison(rules.players)
    actions: list[Action] = []
    while True:
        try:
            comparison.check(state, book, rng.random() < PUBLIC_SHARE)
        except AssertionError as error:
            played = " ".join(map(str, actions))
            raise AssertionError(f"seed {seed}, rules {rules}, after {played}: {error}") from None
        if state.is_over:
            return state.ply
        action = choose_at_random(rng, state.legal_actions, is_uniform)
        actions.append(action)
        state.apply_in_place(action)
        book.apply(action.text)
