"""Plays a round in the core and in the rulebook at once, and compares everything after every ply."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import cast

from lastcard.actions import Action, ActionKind
from lastcard.cards import Card, parse_card
from lastcard.events import format_event, unpack_events
from lastcard.observation import Observation, observe
from lastcard.rules import PRESETS, Rules
from lastcard.state import State, deal, deck_order, reshuffled
from tests.oracle.rulebook import Rulebook

UNIFORM_SHARE = 0.02
DECLINE_SHARE = 0.1

SWITCHES: dict[str, tuple[object, ...]] = {
    "wild_draw_four": ("strict", "bluff", "free", "last_resort"),
    "uno_penalty": (0, 1, 2, 4),
    "stacking": ("none", "same", "any_up"),
    "draw_until_playable": (False, True),
    "must_play": (False, True),
    "drawn_card": ("may_play", "must_play", "end_turn"),
    "seven_zero": (False, True),
    "jump_in": (False, True),
    "scoring": ("winner", "lowest"),
    "max_plies": (1_000, 1_000, 60),
    "hand_size": (7, 7, 7, 3, 1),
}


def random_rules(rng: random.Random) -> Rules:
    """A preset as it is, or with one switch changed, or any combination of switches; 2 to 10 players."""
    name = rng.choice(list(PRESETS))
    players = min(2 + int(rng.expovariate(0.5)), 4 if name == "mini" else 10)
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
    plays = [action for action in legal if action.kind is not ActionKind.DRAW]
    declined = len(plays) < len(legal) and rng.random() < DECLINE_SHARE
    return rng.choice(legal if declined else plays)


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


def truth_of(state: State) -> dict[str, object]:
    """The state in the rulebook's words."""
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


def _difference(core: object, rulebook: object) -> str:
    if isinstance(core, dict) and isinstance(rulebook, dict):
        keys = [key for key in {**core, **rulebook} if core.get(key) != rulebook.get(key)]
        return "; ".join(f"{key}: core {core.get(key)!r}, rulebook {rulebook.get(key)!r}" for key in keys)
    return f"core {core!r}, rulebook {rulebook!r}"


class Comparison:
    """Compares the two after every ply; histories only by what they have grown, and in full at the end."""

    def __init__(self, players: int) -> None:
        self.seen = [(0, 0)] * players

    def check(self, state: State, book: Rulebook) -> None:
        pairs: list[tuple[str, object, object]] = [
            ("truth", truth_of(state), book.truth()),
            ("legal actions", [action.text for action in state.legal_actions()], book.legal()),
        ]
        for seat in range(state.rules.players):
            obs = observe(state, seat)
            view = dict(book.view(seat))
            told = cast(list[str], view.pop("history"))
            pairs.append((f"view of seat {seat}", obs.facts(), view))
            pairs.append((f"news for seat {seat}", self._news(obs), told[self.seen[seat][1] :]))
            if state.is_over:
                pairs.append((f"history of seat {seat}", list(map(format_event, obs.history)), told))
            self.seen[seat] = (len(obs._core.events()), len(told))
        for what, core, rulebook in pairs:
            assert core == rulebook, f"{what} differs: {_difference(core, rulebook)}"

    def _news(self, obs: Observation) -> list[str]:
        packed = obs._core.events()[self.seen[obs.observer][0] :]
        return [format_event(event) for event in unpack_events(packed, obs.observer)]


def agree_on_round(seed: int) -> int:
    """Plays one random round under random rules in both; returns its plies.

    Raises:
        AssertionError: at the first difference, with all it takes to see it again.
    """
    rng = random.Random(seed)
    rules = random_rules(rng)
    is_uniform = rng.random() < UNIFORM_SHARE
    if is_uniform:
        rules = rules.replace(max_plies=min(rules.max_plies, 1_000))
    dealer = rng.randrange(rules.players)
    scores = [rng.randrange(300) for _ in range(rules.players)]
    state = deal(rules, seed=seed, dealer=dealer, scores=scores, round_number=rng.randrange(1, 9))
    book = open_rulebook(state, deck_order(rules, seed))
    comparison = Comparison(rules.players)
    actions: list[Action] = []
    while True:
        try:
            comparison.check(state, book)
        except AssertionError as error:
            played = " ".join(map(str, actions))
            raise AssertionError(f"seed {seed}, rules {rules}, after {played}: {error}") from None
        if state.is_over:
            return state.ply
        action = choose_at_random(rng, state.legal_actions(), is_uniform)
        actions.append(action)
        state.apply_in_place(action)
        book.apply(action.text)
