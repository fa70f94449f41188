"""Rounds of two players as a game of OpenSpiel: cards come one by one, each a chance node, by the engine's rules.

Nothing here is shared with `lastcard.exact`: the deal is drawn card by card, copies are not merged, forced actions are
nodes like others, and a draw lays the pile by describing the state again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pyspiel

from lastcard import CARDS, Card, Observation, Rules, State, deal, format_cards, observe, reshuffled
from lastcard.actions import ACTIONS, DRAW, Action

GAME_TYPE = pyspiel.GameType(
    short_name="python_lastcard",
    long_name="Python lastcard",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
)


def information_text(observation: Observation) -> str:
    """Returns a seat's history as one text."""
    return f"{observation.observer}| " + "; ".join(map(str, observation.history))


class LastcardGame(pyspiel.Game):  # type: ignore[misc]
    """One round; a win is worth a half, a loss a half less than nothing."""

    def __init__(self, rules: Rules) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=len(ACTIONS),
            max_chance_outcomes=len(CARDS),
            num_players=2,
            min_utility=-0.5,
            max_utility=0.5,
            utility_sum=0.0,
            max_game_length=2 * rules.max_plies,
        )
        super().__init__(GAME_TYPE, info, {})
        self.root = Moment(rules)

    def new_initial_state(self) -> LastcardState:
        return LastcardState(self)


@dataclass(frozen=True)
class Moment:
    """Cards dealt so far, or the round itself, perhaps with a draw that waits for its card."""

    rules: Rules
    dealt: tuple[Card, ...] = ()
    truth: State | None = None
    is_drawing: bool = False
    children: dict[int, Moment] = field(default_factory=dict, repr=False)
    """Moments that followed so far, by number of card or action: algorithms walk the same ways again and again."""
    texts: dict[int, str] = field(default_factory=dict, repr=False)
    """History of each seat that was asked for."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Moment:
        """Itself, as it never changes: OpenSpiel copies a state for every child."""
        return self

    def pile(self) -> tuple[Card, ...]:
        """Returns the possible next cards."""
        if self.truth is None:
            return tuple((Counter(self.rules.deck.cards()) - Counter(self.dealt)).elements())
        return self.truth.draw_pile or self.truth.discard_pile[:-1]

    def after_chance(self, card: Card) -> Moment:
        """Returns the moment after that card is dealt or drawn."""
        if self.truth is not None:
            return Moment(self.rules, truth=with_next_card(self.truth, card).after(DRAW))
        dealt = Moment(self.rules, (*self.dealt, card))
        if len(dealt.dealt) <= 2 * self.rules.hand_size:
            return dealt
        return Moment(self.rules, truth=deal(self.rules, deck=[*dealt.pile(), *reversed(dealt.dealt)]))

    def after_action(self, action: Action) -> Moment:
        """Returns the moment after the action, before the card that a draw brings."""
        assert self.truth is not None
        if action is DRAW and self.pile():
            return Moment(self.rules, truth=self.truth, is_drawing=True)
        return Moment(self.rules, truth=self.truth.after(action))


class LastcardState(pyspiel.State):  # type: ignore[misc]
    """A moment, as OpenSpiel asks about it."""

    def __init__(self, game: LastcardGame) -> None:
        super().__init__(game)
        self.now = game.root

    @property
    def truth(self) -> State:
        assert self.now.truth is not None
        return self.now.truth

    def current_player(self) -> int:
        if self.now.truth is None or self.now.is_drawing:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.truth.seat is None else self.truth.seat

    def is_terminal(self) -> bool:
        return self.now.truth is not None and self.truth.is_over

    def _legal_actions(self, player: int) -> list[int]:
        return [action.index for action in self.truth.legal_actions]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        pile = self.now.pile()
        return [(card.index, number / len(pile)) for card, number in sorted(Counter(pile).items())]

    def _apply_action(self, action: int) -> None:
        children = self.now.children
        if action not in children:
            is_chance = self.current_player() == int(pyspiel.PlayerId.CHANCE)
            after = self.now.after_chance(CARDS[action]) if is_chance else self.now.after_action(ACTIONS[action])
            children[action] = after
        self.now = children[action]

    def information_state_string(self, player: int | None = None) -> str:
        seat = self.current_player() if player is None else player
        if seat not in self.now.texts:
            self.now.texts[seat] = information_text(observe(self.truth, seat))
        return self.now.texts[seat]

    def returns(self) -> list[float]:
        outcome = None if self.now.truth is None else self.truth.outcome
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [0.5, -0.5] if outcome.winner == 0 else [-0.5, 0.5]

    def _action_to_string(self, player: int, action: int) -> str:
        return str(CARDS[action] if player < 0 else ACTIONS[action])

    def __str__(self) -> str:
        return str(self.now)


def with_next_card(state: State, card: Card) -> State:
    """The state in which that card is drawn next: on top of the pile, or under a seed that shuffles it there."""
    fields = state.to_dict()
    if state.draw_pile:
        rest = list(state.draw_pile)
        rest.remove(card)
        fields["draw_pile"] = format_cards((*rest, card))
    else:
        pile = state.discard_pile[:-1]
        fields["seed"] = next(seed for seed in count() if reshuffled(pile, seed, state.reshuffles + 1)[-1] is card)
    return State.from_dict(fields)
