"""A round as a game of OpenSpiel, registered as `python_lastcard`; every card is a chance node.

Its number is the outcome. Hands are dealt seat by seat and in ascending order, so that each comes about in one way: all
of `mini` is 97,747 histories, few enough for OpenSpiel's best responses.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from lastcard.actions import ACTIONS, Action
from lastcard.agents import Agent
from lastcard.cards import CARDS, Card
from lastcard.envs.encoding import NUM_ACTIONS, encoding_blocks, index_of_action
from lastcard.envs.inputs import Inputs
from lastcard.envs.rounds import read_action, reward_of
from lastcard.envs.unfolding import after, begin
from lastcard.errors import IllegalActionError, StateError, require_int, shorten
from lastcard.observation import Observation, observe
from lastcard.rules import MAX_PLAYERS, Rules, format_rules, parse_rules
from lastcard.state import State

GAME_NAME = "python_lastcard"
_CHANCE = int(pyspiel.PlayerId.CHANCE)
_OVER = int(pyspiel.PlayerId.TERMINAL)

GAME_TYPE = pyspiel.GameType(
    short_name=GAME_NAME,
    long_name="Python lastcard",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "mini"},
)


def write_parameter(rules: Rules) -> str:
    """Rules as a game parameter, without the signs that separate parameters.

    >>> write_parameter(Rules.preset("official", players=4))
    'official players:4'
    """
    return format_rules(rules).replace("=", ":").replace(",", "/")


def read_parameter(text: str) -> Rules:
    """The rules of a game parameter.

    >>> read_parameter("official players:4").players
    4
    """
    return parse_rules(text.replace(":", "=").replace("/", ","))


def write_information(observation: Observation) -> str:
    """All that the observer has seen: the information state that it decides in.

    >>> from lastcard.state import deal
    >>> write_information(observe(deal(Rules.preset("mini"), seed=1), seat=0))
    'seat 0: 0 is dealt 2 (r0 y1); 1 is dealt 2; turned up y2'
    """
    return f"seat {observation.observer}: " + "; ".join(map(str, observation.history))


class RoundGame(pyspiel.Game):  # type: ignore[misc]
    """One round: 1 to the winner, -1 shared by the others."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Reads the parameter `rules`.

        Raises:
            RulesError: if there are no such rules.
        """
        values = {"rules": "mini", **(params or {})}
        self.rules = read_parameter(values["rules"])
        self.inputs = Inputs()
        decisions = self.rules.max_plies * self.rules.players
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=len(CARDS),
            num_players=self.rules.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=decisions,
        )
        super().__init__(GAME_TYPE, info, values)
        self.root = begin(self.rules)

    def new_initial_state(self) -> RoundState:
        """Returns the state before the deal."""
        return RoundState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RoundObserver:
        """Writes observations and information states for algorithms."""
        return RoundObserver(
            self.inputs, self.rules.players, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params
        )

    def max_chance_nodes_in_history(self) -> int:
        """Every card can be drawn once a decision, at the most."""
        return int(self.max_game_length()) + self.rules.deck.num_cards


def _read_card(number: int) -> Card:
    """The card that a chance outcome stands for."""
    require_int("outcome", number, 0, len(CARDS) - 1, IllegalActionError)
    return CARDS[number]


class RoundState(pyspiel.State):  # type: ignore[misc]
    """A moment of the round, as OpenSpiel asks about it."""

    def __init__(self, game: RoundGame) -> None:
        super().__init__(game)
        self.now = game.root

    @property
    def truth(self) -> State | None:
        """The round so far; None before all is dealt."""
        return self.now.truth

    def observe(self, seat: int) -> Observation | None:
        """Observation of a seat; None before the deal is complete."""
        return None if self.truth is None else observe(self.truth, seat)

    def current_player(self) -> int:
        """The seat to act, or chance."""
        if self.now.chances:
            return _CHANCE
        return _OVER if self.now.seat is None else self.now.seat

    def is_terminal(self) -> bool:
        """True if the round is over."""
        return not self.now.chances and self.now.seat is None

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The numbers of the cards that may come next, and how likely each is."""
        return [(card.index, chance) for card, chance in self.now.chances]

    def returns(self) -> list[float]:
        """Rewards of each seat; zero before the end."""
        players = self.get_game().num_players()
        return [reward_of(self.truth, seat) if self.truth else 0.0 for seat in range(players)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.now.actions)

    def _apply_action(self, action: int) -> None:
        self.now = after(self.now, _read_card(action) if self.now.chances else self._name(self.now.seat, action))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {_read_card(action)}" if player < 0 else str(self._name(player, action))

    def _name(self, player: int | None, action: int) -> Action:
        if player is None or player != self.now.seat:
            return ACTIONS[action]
        if action in self.now.actions:
            return self.now.actions[action]
        assert self.truth is not None
        return read_action(observe(self.truth, player), action)  # says why not

    def __str__(self) -> str:
        if self.truth is None:
            return "dealt " + " ".join(map(str, self.now.chosen))
        waits = f", drawing for {self.now.action}" if self.now.chances else ""
        return f"{self.truth}{waits}"


class RoundObserver:
    """The encoding as a tensor, in a network's units, and observations and histories as text."""

    def __init__(self, inputs: Inputs, players: int, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise StateError(f"params of an observer must be empty, not {shorten(params)}")
        self._recalls = bool(iig_obs_type.perfect_recall)
        self._inputs = inputs
        self.tensor = np.zeros(inputs.size, np.float32)
        blocks = encoding_blocks()
        self.dict = {each.name: self.tensor[each.start : each.stop] for each in blocks}

    def set_from(self, state: RoundState, player: int) -> None:
        """Writes what the seat sees into `tensor`; zeros before all is dealt."""
        if self._recalls:
            raise StateError("the encoding does not recall a whole history; ask for it as text, or for observations")
        seen = state.observe(player)
        self.tensor[:] = 0 if seen is None else self._inputs.read(seen)

    def string_from(self, state: RoundState, player: int) -> str:
        """Writes the observation of the seat, or everything it has seen."""
        seen = state.observe(player)
        if seen is None:
            return f"seat {player}"
        return write_information(seen) if self._recalls else str(seen)


class RoundBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our agents as a bot of OpenSpiel's, in any seat of our game; `openspiel_bot` makes it."""

    def __init__(self, agent: Agent) -> None:
        super().__init__()
        self.agent = agent

    def restart_at(self, state: RoundState) -> None:
        """Nothing is kept that another state could contradict: an observation holds all that a seat has seen."""

    def step(self, state: RoundState) -> int:
        """Returns the action of the seat to act, which gets only its own observation.

        Raises:
            StateError: if the state is of another game, or nobody is to act.
        """
        if not isinstance(state, RoundState):
            raise StateError(f"state must be one of the game {GAME_NAME}, not {shorten(state)}")
        if state.now.seat is None or state.now.chances or state.truth is None:
            raise StateError("state must be a decision; a card comes next or the round is over")
        seen = observe(state.truth, state.now.seat)
        return index_of_action(seen, self.agent.choose(seen))

    def inform_action(self, state: RoundState, player: int, action: int) -> None:
        """Does nothing: the next observation contains the action."""

    def provides_policy(self) -> bool:
        """Its choice, as a policy that is certain."""
        return True

    def get_policy(self, state: RoundState) -> list[tuple[int, float]]:
        """Every legal action, with probability 1 for the one it takes."""
        return self.step_with_policy(state)[0]

    def step_with_policy(self, state: RoundState) -> tuple[list[tuple[int, float]], int]:
        """The policy, and the action."""
        chosen = self.step(state)
        return [(action, float(action == chosen)) for action in state.legal_actions()], chosen


pyspiel.register_game(GAME_TYPE, RoundGame)
