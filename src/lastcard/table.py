"""The table: the referee that holds the full state, asks each agent for its action, and keeps the record."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastcard.actions import Action
from lastcard.agents import AgentLike, seat_agent
from lastcard.agents.own import name_own
from lastcard.cards import Card
from lastcard.errors import AgentError, IllegalActionError, RecordError, StateError, require_int, shorten
from lastcard.observation import observe
from lastcard.record import Record, RoundRecord, check_people
from lastcard.rules import MAX_PLAYERS, Rules
from lastcard.seeds import fresh_seed, seed_bytes, split_seed
from lastcard.state import State, deal, deck_order

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
    if max(scores) < rules.target_score:
        return None
    best = max(scores) if rules.scoring == "winner" else min(scores)
    return GameOutcome(scores.index(best) if scores.count(best) == 1 else None, scores)


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
        self._state: State | None = None
        self.rules = rules
        self.people = check_people(people, len(agents))
        self.seed = seed
        self._seed_told: int | None = seed  # what records say; a resumed record may withhold it
        self._round_seed_told: int | None = None
        self.names = tuple(agent if isinstance(agent, str) else name_own(agent) for agent in agents)
        self.agents = tuple(seat_agent(agent, split_seed(seed, "agent", seat)) for seat, agent in enumerate(agents))
        self._finished: list[RoundRecord] = []
        self._dealt: State | None = None
        self._shown: State | None = None  # the frozen copy given out since the last action
        self._deck: tuple[Card, ...] = ()
        self._actions: list[Action] = []

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
        if self._state is None:
            self._deal()
        assert self._state is not None
        return self._state

    @property
    def scores(self) -> tuple[int, ...]:
        """Each seat's score so far."""
        return self._state.scores if self._state else (0,) * self.rules.players

    @property
    def actions(self) -> tuple[Action, ...]:
        """Actions of this round."""
        return tuple(self._actions)

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
        if self._shown:
            state._history, self._shown = self._shown._history, None  # events that were read need not be read again
        state.apply_in_place(action)
        self._actions.append(action)

    def undo(self, to_action: int) -> None:
        """Takes the round back to the position after that many of its `actions`."""
        require_int("to_action", to_action, 0, len(self._actions), StateError)
        if self._dealt is None:
            return
        # Replayed from the deal: the core cannot take an action back.
        actions, self._actions, self._state = self._actions[:to_action], [], self._dealt.copy()
        self._shown = None
        for action in actions:
            self.apply(action)

    def next_round(self) -> State:
        """Deals the next round of the game and returns it.

        Raises:
            StateError: if the round in progress or the game is not at that point.
        """
        state = self._truth()
        if not state.is_over:
            raise StateError("the round is not over")
        if self.game_outcome:
            raise StateError("the game is over")
        number, scores = state.round_number + 1, state.scores
        self._finished.append(self._round_record())
        self._start(number, scores)
        return self.state

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
        started = (self._round_record(),) if self._state else ()
        return Record(self.rules, self.names, (*self._finished, *started), self._seed_told, self.people)

    @property
    def game_outcome(self) -> GameOutcome | None:
        """The outcome of the game, or None while it is played."""
        return judge_game(self.rules, self.scores) if self._state and self._state.is_over else None

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
        if agents is not None and len(agents) != record.rules.players:
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
        last = record.rounds[-1]
        table._finished = list(record.rounds[:-1])
        table._replay(record)
        table._deck = last.deck
        table._round_seed_told = last.seed
        table._actions = list(last.actions)
        return table

    def __getstate__(self) -> dict[str, object]:
        """Parts of a pickle or a copy: the round as its record, from which it is replayed."""
        held = {name: value for name, value in vars(self).items() if name not in ("_dealt", "_state", "_shown")}
        if self._state is None:
            return held
        return {**held, "round": RoundRecord.of(self._state, self._deck, self._actions, self._state.seed)}

    def __setstate__(self, held: dict[str, Any]) -> None:
        played = held.pop("round", None)
        vars(self).update(held)
        self._dealt = self._state = self._shown = None
        if played is not None:
            self._replay(Record(self.rules, self.names, (played,), None, self.people))

    def _replay(self, record: Record) -> None:
        """Takes the last round of the record for the one in progress."""
        states = record.replay(len(record.rounds) - 1)
        # `replay` yields one state and changes it in place, so the deal has to be copied.
        self._dealt = self._state = next(states).copy()
        for state in states:
            self._state = state
        self._state = self._state.copy()

    def __repr__(self) -> str:
        number, ply = (self._state.round_number, self._state.ply) if self._state else (1, 0)
        seats = " and ".join(self.names)
        return f"<Table of {seats}: {self.rules}, round {number}, ply {ply}, seed {self.seed}>"

    def _deal(self) -> None:
        self._start(1, None)

    def _start(self, number: int, scores: Sequence[int] | None) -> None:
        # A stream of its own for each round: its cards do not depend on how many the rounds before it used.
        seed = split_seed(self.seed, "round", number)
        self._round_seed_told = None if self._seed_told is None else seed
        self._deck = deck_order(self.rules, seed)
        bots = [seat not in self.people for seat in range(self.rules.players)]
        self._dealt = deal(self.rules, seed, round_number=number, scores=scores, bots=bots)
        self._state = self._dealt.copy()
        self._shown = None
        self._actions = []

    def _round_record(self) -> RoundRecord:
        return RoundRecord.of(self._truth(), self._deck, self._actions, self._round_seed_told)
