"""A round as an environment of RLCard, and agents of ours as agents of RLCard's."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rlcard.envs import Env
from rlcard.envs.registration import register, registry

from lastcard.actions import PASS, Action
from lastcard.agents import AgentLike, find_agent
from lastcard.envs.encoding import NUM_ACTIONS, actions_by_index, index_of_action
from lastcard.envs.inputs import Inputs
from lastcard.envs.rlcard_uno import RLCARD_RULES, UnoSeat, UnoView
from lastcard.envs.rounds import deal_round, read_action, read_agent, read_rules, reward_of
from lastcard.errors import StateError
from lastcard.observation import Observation, observe
from lastcard.phase import Phase
from lastcard.rules import Rules
from lastcard.state import State

ENV_ID = "lastcard"
"""Name for `rlcard.make`, once this module is imported."""

RlcardState = dict[str, Any]
_UNO_PLAYERS: Final = 2
_WINDOWS: Final = (Phase.CATCH, Phase.JUMP_IN)


class RoundGame:
    """A round as RLCard asks a game about it."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.allow_step_back = False
        self.np_random = np.random.RandomState()
        self.public_actions: list[tuple[int, str]] = []
        """Every seat and action that the whole table saw, once no window hides it."""
        self._truth: State | None = None
        self._before: list[tuple[State, int, list[int]]] = []
        self._num_seen = [0] * rules.players

    @property
    def truth(self) -> State:
        """The round in progress."""
        if self._truth is None:
            raise StateError("call reset() first: there is no round yet")
        return self._truth

    def init_game(self) -> tuple[Observation, int]:
        """Deals a round."""
        self._truth = deal_round(self.rules, int.from_bytes(self.np_random.bytes(32), "little"))
        self.public_actions, self._before = [], []
        self._num_seen = [0] * self.rules.players
        return self._ask()

    def step(self, action: Action) -> tuple[Observation, int]:
        """Takes an action of the seat to act."""
        truth, seat, phase = self.truth, self.truth.seat, self.truth.phase
        before = truth.copy() if self.allow_step_back else None
        truth.apply_in_place(action)
        if before is not None:
            self._before.append((before, len(self.public_actions), self._num_seen[:]))
        # Rule 10.7: who lets a window go by tells nobody that it was asked.
        if seat is not None and not (action is PASS and phase in _WINDOWS):
            self.public_actions.append((seat, action.text))
        self._show()
        return self._ask(seat)

    def step_back(self) -> bool:
        """Takes the last action back, if there is one."""
        if not self._before:
            return False
        self._truth, count, self._num_seen = self._before.pop()
        del self.public_actions[count:]
        return True

    def get_state(self, player_id: int) -> Observation:
        """Observation of that seat."""
        return observe(self.truth, player_id)

    def list_seen(self, seat: int) -> list[tuple[int, str]]:
        """The public actions that the seat has seen: while a window is open, just those it saw before."""
        return self.public_actions[: self._num_seen[seat]]

    def get_num_players(self) -> int:
        """Number of seats."""
        return self.rules.players

    def get_num_actions(self) -> int:
        """Number of action indices."""
        return NUM_ACTIONS

    def get_player_id(self) -> int | None:
        """The seat to act; None when the round is over."""
        return self.truth.seat

    def is_over(self) -> bool:
        """True if the round is over."""
        return self.truth.is_over

    def _show(self) -> None:
        """Rule 10.7: while a window is open, only the seat being asked sees what opened it."""
        truth, count = self.truth, len(self.public_actions)
        if truth.phase in _WINDOWS and truth.seat is not None:
            self._num_seen[truth.seat] = count
        else:
            self._num_seen = [count] * self.rules.players

    def _ask(self, last: int | None = None) -> tuple[Observation, int]:
        """State of the seat to act, or after the end of the seat that acted last."""
        seat = self.truth.seat if self.truth.seat is not None else last
        assert seat is not None
        return observe(self.truth, seat), seat


class RoundEnv(Env):  # type: ignore[misc]
    """One round at a time; `rlcard_env` makes it."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Reads `seed`, `allow_step_back`, `rules`, and `raw` of the observations."""
        self.name = ENV_ID
        rules = read_rules(config.get("rules", "official"))
        self.inputs = Inputs(raw=config.get("raw", False))
        self.game = RoundGame(rules)
        super().__init__(config)
        self.state_shape = [[self.inputs.size] for _ in range(rules.players)]
        self.action_shape = [None] * rules.players

    def get_payoffs(self) -> NDArray[np.float64]:
        """1 to the winner, -1 shared by the others."""
        return np.array([reward_of(self.game.truth, seat) for seat in range(self.num_players)])

    def get_perfect_information(self) -> dict[str, object]:
        """The truth, as JSON values."""
        return self.game.truth.to_dict()

    def _extract_state(self, state: Observation) -> RlcardState:
        legal = actions_by_index(state)
        return {
            "obs": self.inputs.read(state),
            "legal_actions": OrderedDict.fromkeys(legal),
            "raw_obs": state,
            "raw_legal_actions": [action.text for action in legal.values()],
            "action_record": self.game.list_seen(state.observer),
        }

    def _decode_action(self, action_id: int) -> Action:
        seat = self.game.get_player_id()
        if seat is None:
            raise StateError("call reset() first: the round is over")
        return read_action(self.game.get_state(seat), action_id)


class RlcardAgent:
    """One of our agents as an RLCard agent; `rlcard_agent` creates it."""

    use_raw = False

    def __init__(self, agent: AgentLike, seed: int = 0, rules: Rules | str | None = None) -> None:
        self.rules = _rules_for(agent) if rules is None else read_rules(rules)
        if self.rules.players != _UNO_PLAYERS:
            raise StateError(f"rules must be for two players, as RLCard's uno is, not {self.rules.players}")
        self.agent = read_agent(agent, seed, self.rules)
        self._seats: dict[int, UnoSeat] = {}

    def step(self, state: RlcardState) -> int:
        """The id of the action it takes, in `lastcard` and in RLCard's own `uno`.

        Raises:
            StateError: if the state is of another game.
        """
        seen = state.get("raw_obs") if isinstance(state, dict) else None
        if isinstance(seen, Observation):
            return index_of_action(seen, self.agent.choose(seen))
        view = UnoView.read(state)
        if view.seat not in self._seats:
            self._seats[view.seat] = UnoSeat(self.rules, self.agent, view.seat)
        return self._seats[view.seat].choose(view)

    def eval_step(self, state: RlcardState) -> tuple[int, dict[str, Any]]:
        """The same action, and the probability of every legal id: all on that action."""
        action = self.step(state)
        return action, {"probs": {index: float(index == action) for index in state["legal_actions"]}}


def _rules_for(agent: AgentLike) -> Rules:
    """The rules that come closest to RLCard's, or the official ones for an agent that plays no others."""
    if isinstance(agent, str) and ":" not in agent and not find_agent(agent).can_play(RLCARD_RULES):
        return Rules()
    return RLCARD_RULES


if ENV_ID not in registry.env_specs:
    register(ENV_ID, "lastcard.envs.with_rlcard:RoundEnv")
