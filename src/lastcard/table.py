"""The table: it asks each agent for its action. The core's referee holds the full state and keeps the record."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.agents import AgentLike, seat_agent
from lastcard.agents.own import name_own
from lastcard.errors import AgentError, IllegalActionError, RecordError, StateError, ask_core, require_int, shorten
from lastcard.observation import observe
from lastcard.record import Record, RoundRecord, check_people
from lastcard.round_record import read_round
from lastcard.rules import MAX_PLAYERS, Rules
from lastcard.seeds import fresh_seed, seed_bytes, split_seed
from lastcard.state import State

MAX_ROUNDS: Final = 100_000  # agents that never win would otherwise play a game forever


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The outcome of a game.

    >>> GameOutcome(winner=1, scores=(120, 512)).winner
    1
    """

    winner: int | None
    """The seat that won the game; None if the lowest score is shared (Rule 9.3)."""
    scores: tuple[int, ...]


def judge_game(rules: Rules, scores: tuple[int, ...]) -> GameOutcome | None:
    """Returns the outcome of a game with these scores after a round (Rules 9.2 and 9.3); None if it continues.

    >>> judge_game(Rules.preset("official"), (120, 512)).winner
    1
    """
    known = [require_int("scores", score, -(10**9), 10**9, StateError) for score in scores]
    end = ask_core(StateError, _core.judge_game, rules._compiled, known)
    return GameOutcome(end.winner, scores) if end.is_over else None


class Table:
    """A table with agents: it deals, asks for actions, refuses illegal ones, and keeps the score and the record.

    Deals, reshuffles and each seat's agent have separate random streams, which a keyed generator derives from the seed:
    no stream reveals anything about another. But a small seed can be guessed: an agent that tries seeds from 0 on finds
    the one that deals its hand, and with it the whole deck. If that matters, give no seed: the table then draws one of
    256 bits, which `seed` and the record hold.

    >>> table = Table(Rules.preset("official"), agents=["heuristic", "random"], seed=7)
    >>> table
    <Table of heuristic and random: official, round 1, ply 0, seed 7>
    >>> record = table.play_round()
    >>> record.rounds[0].outcome.winner in (0, 1)
    True
    """

    def __init__(
        self, rules: Rules, agents: Sequence[AgentLike], seed: int | None = None, people: Collection[int] = ()
    ) -> None:
        """Seats the agents.

        Args:
            rules: Rules of the game.
            agents: For each seat a name, an object with `choose(observation)`, or a class or function that makes one.
                If that has a parameter `seed`, it gets a seed for this seat.
            seed: Fixes every deal, and the agents that are made here; random if not given.
            people: Seats that people play; only states and records mention it.

        Raises:
            AgentError: if an agent is unknown or cannot choose, or there is not one agent per player.
        """
        if not isinstance(rules, Rules):
            raise StateError(f"rules must be Rules, not {shorten(rules)}; make them with Rules.preset(...)")
        if isinstance(agents, str) or not isinstance(agents, Sequence) or not 2 <= len(agents) <= MAX_PLAYERS:
            raise AgentError(f"agents must be 2 to {MAX_PLAYERS}, one for each seat, not {shorten(agents)}")
        if len(agents) != rules.players:
            raise AgentError(
                f"got {len(agents)} agents, but rules.players is {rules.players}; give one agent for each seat, or"
                f" rules.replace(players={len(agents)})"
            )
        seed = fresh_seed() if seed is None else seed
        seed_bytes(seed)
        self.rules = rules
        self.people = check_people(people, len(agents))
        self.seed = seed
        self._seed_told: int | None = seed  # what records say; a resumed record may withhold it
        self.names = tuple(agent if isinstance(agent, str) else name_own(agent) for agent in agents)
        self.agents = tuple(seat_agent(agent, split_seed(seed, "agent", seat)) for seat, agent in enumerate(agents))
        self._finished: list[RoundRecord] = []
        self._referee: _core.Referee | None = None
        self._state: State | None = None  # around the referee's round
        self._shown: State | None = None  # the frozen copy given out since the last action

    # The round in progress

    @property
    def state(self) -> State:
        """The current state; deals the first round if none was dealt yet.

        It is a snapshot: it does not change with the table, and cannot be changed. Use `apply` to act.
        """
        if self._shown is None:
            self._shown = self._truth().frozen()
        return self._shown

    def _truth(self) -> State:
        """The state that `apply` changes."""
        return self._state or self._follow(self._dealt_referee)

    @property
    def _dealt_referee(self) -> _core.Referee:
        """The referee, who has dealt at least one round."""
        if self._referee is None:
            tells_seed = self._seed_told is not None
            self._referee = _core.Referee(rules=self.rules._compiled, seed=seed_bytes(self.seed), tells_seed=tells_seed)
        return self._referee

    def _follow(self, referee: _core.Referee) -> State:
        """Takes up the round that the referee has dealt or gone back to."""
        bots = tuple(seat not in self.people for seat in range(self.rules.players))
        self._referee, self._shown = referee, None
        self._state = State(referee.round, self.rules, bots)
        return self._state

    @property
    def scores(self) -> tuple[int, ...]:
        """Each seat's score so far."""
        return self._state.scores if self._state else (0,) * self.rules.players

    @property
    def actions(self) -> tuple[Action, ...]:
        """Actions of this round."""
        return tuple([ACTIONS[i] for i in self._referee.actions]) if self._referee else ()

    @property
    def num_actions(self) -> int:
        """Number of actions of this round."""
        return self._referee.num_actions if self._referee else 0

    def play_ply(self) -> Action:
        """Asks the seat to act, applies its answer and returns it.

        Raises:
            AgentError: if the answer is not an action or not legal; the round stays where it is.
        """
        state = self._truth()
        seat = state.seat
        if seat is None:
            raise IllegalActionError("the round is over; start the next with next_round()")
        observation = observe(state, seat)
        answer = self.agents[seat].choose(observation)
        if not isinstance(answer, Action) or answer not in observation.legal_actions:
            legal = " ".join(map(str, observation.legal_actions))
            raise AgentError(f"seat {seat} ({self.names[seat]}) answered {shorten(answer)}; legal were: {legal}")
        self.apply(answer)
        return answer

    def apply(self, action: Action) -> None:
        """Applies an action of the seat to act.

        Raises:
            IllegalActionError: if it is not legal.
        """
        state = self._truth()
        if not isinstance(action, Action):
            raise state._refusal(action)
        if self._shown:
            state._history, self._shown = self._shown._history, None  # events that were read need not be read again
        try:
            self._dealt_referee.apply(action.index)
        except ValueError as refusal:
            raise IllegalActionError(str(refusal)) from None

    def undo(self, to_action: int) -> None:
        """Takes the round back to the position after that many of its `actions`."""
        require_int("to_action", to_action, 0, self.num_actions, StateError)
        if self._referee:
            self._referee.undo(to_action)
            self._follow(self._referee)

    def next_round(self) -> State:
        """Deals the next round of the game and returns it.

        Raises:
            StateError: if the round in progress or the game is not at that point.
        """
        referee, finished = self._dealt_referee, self._round_record()
        ask_core(StateError, referee.next_round)
        self._finished.append(finished)
        self._follow(referee)
        return self.state

    @classmethod
    def deal(cls, rules: Rules, agents: Sequence[AgentLike], dealt: _core.PlayedRound) -> Table:
        """Returns a table with a round that a match of the arena has dealt; its seed becomes the table's."""
        assert dealt.seed is not None
        table = cls(rules, agents, int.from_bytes(dealt.seed, "little"))
        table.take_round(dealt)
        return table

    def take_round(self, dealt: _core.PlayedRound) -> None:
        """Takes the next round from a match of the arena, instead of dealing it."""
        if self._referee:
            self._finished.append(self._round_record())
        record = _core.GameRecord(
            rules=self.rules._compiled, agents=[], people=[], seed=seed_bytes(self.seed), rounds=[dealt]
        )
        self._follow(_core.Referee.resume(record, seed_bytes(self.seed), None))

    # Whole rounds and games

    def play_round(self) -> Record:
        """Plays the round in progress to its end (or, if it is over, the next) and returns the record of that round."""
        if self._truth().is_over:
            self.next_round()
        while not self._truth().is_over:
            self.play_ply()
        return Record(self.rules, self.names, (self._round_record(),), self._seed_told, self.people)

    def play_game(self) -> Record:
        """Plays rounds until a score reaches the target (Rule 9.2) and returns the record of all of them."""
        if not self.game_outcome:
            self.play_round()
        while not self.game_outcome and self._truth().round_number < MAX_ROUNDS:
            self.play_round()
        return self.record

    @property
    def record(self) -> Record:
        """Everything so far, including the round in progress."""
        started = (self._round_record(),) if self._referee else ()
        return Record(self.rules, self.names, (*self._finished, *started), self._seed_told, self.people)

    @property
    def game_outcome(self) -> GameOutcome | None:
        """The outcome of the game, or None while it is played."""
        end = self._referee.find_end() if self._referee else None
        return GameOutcome(end.winner, self.scores) if end and end.is_over else None

    @classmethod
    def resume(
        cls, record: Record, agents: Sequence[AgentLike] | None = None, people: Collection[int] | None = None
    ) -> Table:
        """Returns a table that continues where the record stops, with the same agents and people or others.

        Agents start from scratch: their random numbers differ from those of an uninterrupted game. If the record
        withholds its seed, later rounds are dealt from a fresh one, which is also withheld.

        Raises:
            RecordError: if the record does not replay.
        """
        if not isinstance(record, Record):
            raise RecordError(f"expected a Record, not {shorten(record)}; read one with Record.load")
        record.check()
        if agents is not None and (not isinstance(agents, Sequence) or len(agents) != record.rules.players):
            raise AgentError(f"agents must name one for each of {record.rules.players} seats, not {shorten(agents)}")
        table = cls(
            record.rules,
            record.agents if agents is None else agents,
            record.seed,
            record.people if people is None else people,
        )
        table._seed_told = record.seed
        if not record.rounds:
            return table
        table._finished = list(record.rounds[:-1])
        table._resume(record)
        return table

    def _resume(self, record: Record, round_key: bytes | None = None) -> None:
        """Takes the last round of the record for the one in progress."""
        self._follow(_core.Referee.resume(record._compile(), seed_bytes(self.seed), round_key))

    def __getstate__(self) -> dict[str, object]:
        """Parts of a pickle or a copy: the round as its record, from which it is replayed."""
        held = {name: value for name, value in vars(self).items() if name not in ("_referee", "_state", "_shown")}
        if self._referee is None:
            return held
        return {**held, "round": self._round_record(), "round_key": self._referee.key}

    def __setstate__(self, held: dict[str, Any]) -> None:
        played, round_key = held.pop("round", None), held.pop("round_key", None)
        vars(self).update(held)
        self._referee = self._state = self._shown = None
        if played is not None:
            self._resume(Record(self.rules, self.names, (played,), self._seed_told, self.people), round_key)

    def __repr__(self) -> str:
        number, ply = (self._state.round_number, self._state.ply) if self._state else (1, 0)
        seats = " and ".join(self.names)
        return f"<Table of {seats}: {self.rules}, round {number}, ply {ply}, seed {self.seed}>"

    def _round_record(self) -> RoundRecord:
        return read_round(self._dealt_referee.played)
