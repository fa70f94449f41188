"""Plays a chunk: inside the core where every agent can, otherwise at a table."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, NamedTuple

from lastcard import _core
from lastcard.actions import Action
from lastcard.agents import Agent, make_agent
from lastcard.agents.own import GuardedAgent
from lastcard.arena import core_match
from lastcard.arena.ceilings import Ceiling, find_ceiling
from lastcard.arena.core_match import Contestant
from lastcard.arena.entrants import find_engine
from lastcard.arena.results import ChunkResult, DecisionTimes, Forfeits
from lastcard.arena.schedule import Chunk, Pairing, Tournament
from lastcard.arena.statistics import NOBODY
from lastcard.engine.client import EngineAgent
from lastcard.engine.forfeit import Forfeit, judge_forfeit
from lastcard.engine.program import EngineError
from lastcard.observation import Observation
from lastcard.phase import Ending
from lastcard.record import Record
from lastcard.seeds import split_seed
from lastcard.store.entry import GameEntry
from lastcard.table import MAX_ROUNDS, Table

TIMED_DEALS: Final = 2
"""Deals of a pairing inside the core that are played at a table as well, to see how long decisions take."""


def play_chunk(tournament: Tournament, chunk: Chunk, *, keep_games: bool = False) -> ChunkResult:
    """Plays every deal of the chunk once from every seat.

    But for the times, the result depends on the tournament and the chunk alone, as far as other programs do. If the
    games are to be kept, they come with it.

    >>> from lastcard.rules import Rules
    >>> cup = Tournament(("heuristic", "random"), Rules.preset("official"), num_deals=100)
    >>> play_chunk(cup, cup.chunks[0]).num_deals
    100
    """
    pairing = tournament.pairings[chunk.pairing]
    contestants = tournament.contestants(pairing)
    places = _Places(tournament, pairing, chunk)
    if contestants is None:
        return _play_at_table(chunk, places, keep_games=keep_games)
    return _play_inside(chunk, contestants, places, keep_games=keep_games)


def _play_inside(chunk: Chunk, contestants: list[Contestant], places: _Places, *, keep_games: bool) -> ChunkResult:
    rules, players = places.tournament.rules, places.players
    start = time.perf_counter()
    rounds = core_match.play_deals(
        rules, contestants, chunk.num_deals, chunk.seed % 2**64, first=chunk.first, keeps_records=keep_games
    )
    seconds = time.perf_counter() - start
    counted = Counter(zip(*[iter(rounds.winners)] * players, strict=True))
    deals = {"".join(map(_name_place, winners)): times for winners, times in counted.items()}
    points = [0] * players
    for (winner, taken), times in Counter(zip(rounds.winners, rounds.points, strict=True)).items():
        if winner != core_match.NOBODY:
            points[winner] += taken * times
    # Single decisions inside the core are too short to time, so a few rounds of each pairing are timed at a table.
    if chunk.number == 0:
        for deal in range(chunk.first, chunk.first + min(TIMED_DEALS, chunk.num_deals)):
            _play_deal(chunk, deal, places)
    for number, played in enumerate(rounds.records):
        names = tuple(places.names[place] for place in places.seats(number % players))
        places.games.append(GameEntry.of(Record(rules, names, (played,), played.seed)))
    return places.result(chunk, deals, points, rounds.plies, seconds, sum(rounds.unfinished))


def _play_at_table(chunk: Chunk, places: _Places, *, keep_games: bool) -> ChunkResult:
    deals: Counter[str] = Counter()
    points, plies, unfinished = [0] * places.players, 0, 0
    start = time.perf_counter()
    with places.running():
        for deal in range(chunk.first, chunk.first + chunk.num_deals):
            ends = _play_deal(chunk, deal, places, keep_games=keep_games)
            deals["".join(NOBODY if end.winner is None else str(end.winner) for end in ends)] += 1
            points = [sum(scored) for scored in zip(points, *(end.points for end in ends), strict=True)]
            plies += sum(end.plies for end in ends)
            unfinished += sum(end.unfinished for end in ends)
    return places.result(chunk, deals, points, plies, time.perf_counter() - start, unfinished)


def _play_deal(chunk: Chunk, deal: int, places: _Places, *, keep_games: bool = False) -> list[_End]:
    """Plays one deal from every seat: how it ended each time, by place."""
    rules, ends = places.tournament.rules, []
    deal_round = partial(core_match.deal_round, rules, chunk.seed % 2**64, deal)
    for rotation in range(places.players):
        # Agents get new luck in each rotation: only the cards repeat.
        agents_seed = split_seed(split_seed(chunk.seed, "round", deal), "agent", rotation)
        seats = places.seats(rotation)
        agents = [places.seat(place, split_seed(agents_seed, "agent", place)) for place in seats]
        table = Table.deal(rules, agents, deal_round(1, (0,) * places.players))
        places.show(table)
        forfeits = [places.forfeits[place] for place in seats]
        to_score = places.tournament.to_score
        end = _play_game(table, forfeits, deal_round) if to_score else _play_round(table, forfeits)
        if keep_games:
            places.games.append(GameEntry.of(table.record, end.ruling))
        points = [end.points[seat] for seat in sorted(range(places.players), key=seats.__getitem__)]
        ends.append(end._replace(winner=None if end.winner is None else seats[end.winner], points=points))
    return ends


class _End(NamedTuple):
    """The outcome of a round or game, by seat or place."""

    winner: int | None
    points: Sequence[int]
    plies: int
    ruling: tuple[int, Sequence[int]] | None = None
    """Winner and scores where it was not played out."""
    unfinished: int = 0
    """Rounds that reached `max_plies`."""


def _play_round(table: Table, forfeits: Sequence[Forfeits]) -> _End:
    forfeit = _finish_round(table, forfeits)
    end = forfeit or table.state.outcome
    assert end
    ruling = (forfeit.winner, forfeit.points) if forfeit else None
    points = _count_points(end.winner, end.points)
    return _End(end.winner, points, table.state.ply, ruling, _is_cut(table))


def _play_game(
    table: Table, forfeits: Sequence[Forfeits], deal_round: Callable[[int, Sequence[int]], _core.PlayedRound]
) -> _End:
    plies = unfinished = 0
    for number in range(1, MAX_ROUNDS + 1):
        if number > 1:
            table.take_round(deal_round(number, table.scores))
        forfeit = _finish_round(table, forfeits)
        plies += table.state.ply
        unfinished += _is_cut(table)
        if forfeit:
            scores = [sum(both) for both in zip(table.scores, forfeit.points, strict=True)]
            return _End(forfeit.winner, scores, plies, (forfeit.winner, scores), unfinished)
        if table.game_outcome:
            return _End(table.game_outcome.winner, table.scores, plies, None, unfinished)
    return _End(None, table.scores, plies, None, unfinished)


def _is_cut(table: Table) -> bool:
    outcome = table.state.outcome
    return outcome is not None and outcome.reason is Ending.MAX_PLIES


def _finish_round(table: Table, forfeits: Sequence[Forfeits]) -> Forfeit | None:
    """Plays the next round to its end; what it comes to by Rule 9.4, if the program of a seat fails."""
    try:
        table.play_round()
    except EngineError as error:
        seat = table.state.seat
        assert seat is not None
        forfeits[seat].add(error.fault.value, str(error))
        return judge_forfeit(table.state, seat, error)
    return None


def _count_points(winner: int | None, points: tuple[int, ...]) -> list[int]:
    """Points of a win: if every seat keeps its own points, those that the others keep."""
    counted = [0] * len(points)
    if winner is not None:
        counted[winner] = max(points[winner] or sum(points), 0)
    return counted


def _name_place(place: int) -> str:
    return NOBODY if place == core_match.NOBODY else str(place)


class _Places:
    """Agents of a chunk by place: agents are created again for every round, programs run through all of them."""

    def __init__(self, tournament: Tournament, pairing: Pairing, chunk: Chunk) -> None:
        self.tournament = tournament
        self.games: list[GameEntry] = []
        self.players = tournament.rules.players
        self.names = [tournament.agents[agent] for agent in pairing.seating]
        self.decisions = tuple(DecisionTimes() for _ in self.names)
        self.forfeits = tuple(Forfeits() for _ in self.names)
        seed = split_seed(chunk.seed, "chunk", chunk.number)
        self._programs = {
            place: _Program(entrant.make(split_seed(seed, "agent", place)))
            for place, entrant in enumerate(map(find_engine, self.names))
            if entrant
        }
        self._seers = {place: _Seer(ceiling) for place, ceiling in enumerate(map(find_ceiling, self.names)) if ceiling}

    def seat(self, place: int, seed: int) -> Agent:
        """Returns the agent for the next round."""
        name, guest = self.names[place], self._programs.get(place) or self._seers.get(place)
        if guest:
            guest.prepare(seed)
        agent: Agent | None = guest
        if agent is None and name in self.tournament.own:
            agent = GuardedAgent(name, self.tournament.own[name].make(seed))
        return _TimedAgent(name, agent or make_agent(name, seed), self.decisions[place])

    def show(self, table: Table) -> None:
        """Hands the truth to those who may see it."""
        for seer in self._seers.values():
            seer.table = table

    def seats(self, rotation: int) -> list[int]:
        """The place in each seat: from one round of a deal to the next, all move on by one."""
        return [(seat - rotation) % self.players for seat in range(self.players)]

    @contextmanager
    def running(self) -> Iterator[None]:
        """Ends the programs; none outlives the block."""
        try:
            yield
        except BaseException:  # no time for a polite `quit`: the caller is being stopped
            for program in self._programs.values():
                program.engine.kill()
            raise
        for program in self._programs.values():
            program.engine.close()

    def result(
        self, chunk: Chunk, deals: dict[str, int], points: list[int], plies: int, seconds: float, unfinished: int
    ) -> ChunkResult:
        """Returns the results of the chunk."""
        for place, program in self._programs.items():
            self.decisions[place].overruns = program.engine.overruns
        forfeits = self.forfeits if any(forfeits.count for forfeits in self.forfeits) else ()
        return ChunkResult(
            chunk.pairing,
            chunk.number,
            chunk.num_deals,
            dict(deals),
            tuple(points),
            plies,
            seconds,
            self.decisions,
            forfeits,
            unfinished,
            tuple(self.games),
        )


class _Program:
    """An engine over many rounds: restarted after a fault, but not if it fails to introduce itself."""

    def __init__(self, engine: EngineAgent) -> None:
        self.engine = engine
        self._failure: EngineError | None = None

    def prepare(self, seed: int) -> None:
        """Makes sure that it runs, so that starting is no part of a decision; it has a seed for all its rounds."""
        # A program that cannot even start would cost its time limit again in every round.
        if self._failure is None:
            try:
                self.engine.start()
            except EngineError as error:
                self._failure = error

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        if self._failure:
            raise self._failure
        return self.engine.choose(observation)


class _Seer:
    """A ceiling at a table: it decides by the truth."""

    def __init__(self, ceiling: Ceiling) -> None:
        self.table: Table | None = None
        self._ceiling = ceiling
        self._agent = ceiling.make(seed=0)

    def prepare(self, seed: int) -> None:
        """Creates it again for the next round."""
        self._agent = self._ceiling.make(seed)

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        assert self.table
        return self._agent.choose(self.table.state)


class _TimedAgent:
    """Plays as the agent does, and keeps the time."""

    def __init__(self, name: str, agent: Agent, times: DecisionTimes) -> None:
        self.name = name
        self._agent = agent
        self._times = times

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        if len(observation.legal_actions) == 1:  # forced actions would make every agent look fast
            return self._agent.choose(observation)
        start = time.perf_counter()
        action = self._agent.choose(observation)
        self._times.add(time.perf_counter() - start)
        return action
