"""Play that a number fixes, on any machine and with any version of Python."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from lastcard.actions import DRAW, Action
from lastcard.rules import Rules
from lastcard.state import State, deal

HERE = Path(__file__).parent


class Dice:
    """A linear congruential generator: poor dice, but they never change."""

    def __init__(self, seed: int) -> None:
        self.state = seed * 2_862_933_555_777_941_757 + 3_037_000_493

    def roll(self, sides: int) -> int:
        """A number from 0 to sides - 1."""
        self.state = (self.state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % 2**64
        return (self.state >> 33) % sides

    def pick(self, legal: Sequence[Action]) -> Action:
        """Any action, but a draw only when there is nothing else or, one time in eight, by choice."""
        others = [action for action in legal if action is not DRAW]
        return others[self.roll(len(others))] if others and self.roll(8) else legal[self.roll(len(legal))]


def play_on(state: State, dice: Dice) -> Iterator[tuple[State, Action, State]]:
    """The round ply by ply: before, the action, after."""
    while not state.is_over:
        action = dice.pick(state.legal_actions)
        after = state.after(action)
        yield state, action, after
        state = after


def position(rules: Rules, seed: int, plies: int) -> tuple[State, list[Action]]:
    """The state after so many plies of play, or at the end of the round, and how it came about."""
    state = deal(rules, seed)
    actions: list[Action] = []
    dice = Dice(seed)
    for _, action, after in play_on(state, dice):
        if len(actions) == plies:
            break
        state = after
        actions.append(action)
    return state, actions
