"""Plays a chunk: inside the core where every agent can, otherwise at a table."""

from __future__ import annotations

import time
from collections import Counter
from typing import Final

from lastcard.actions import Action
from lastcard.agents import Agent, make_agent
from lastcard.arena.results import ChunkResult, DecisionTimes
from lastcard.arena.schedule import Chunk, Pairing, Tournament
from lastcard.arena.statistics import NOBODY
from lastcard.observation import Observation
from lastcard.record import Record
from lastcard.search import match
from lastcard.search.match import Contestant
from lastcard.seeds import split_seed
from lastcard.store.entry import GameEntry
from lastcard.table import MAX_ROUNDS, Table

TIMED_DEALS: Final = 2
"""Deals of a pairing inside the core that are played at a table as well, to see how long decisions take."""


def play_chunk(tournament: Tournament, chunk: Chunk, *, keep_games: bool = False) -> ChunkResult:
    """Plays every deal of the chunk once from every seat.

    But for the times, the result depends on the tournament and the chunk alone. If the games are to be kept and were
    played at a table, they come with it.

    >>> from lastcard.rules import Rules
    >>> cup = Tournament(("heuristic", "random"), Rules.preset("official"), num_deals=100)
    >>> play_chunk(cup, cup.chunks[0]).num_deals
    100
    """
    pairing = tournament.pairings[chunk.pairing]
    contestants = tournament.contestants(pairing)
    return (
        _play_at_table(tournament, pairing, chunk, [] if keep_games else None)
        if contestants is None
        else _play_inside(tournament, pairing, chunk, contestants)
    )


def _play_inside(tournament: Tournament, pairing: Pairing, chunk: Chunk, contestants: list[Contestant]) -> ChunkResult:
    rules, players = tournament.rules, tournament.rules.players
    start = time.perf_counter()
    rounds = match.play_deals(rules, contestants, chunk.num_deals, chunk.seed % 2**64)
    seconds = time.perf_counter() - start
    counted = Counter(zip(*[iter(rounds.winners)] * players, strict=True))
    deals = {"".join(map(_name_place, winners)): times for winners, times in counted.items()}
    points = [0] * players
    for (winner, taken), times in Counter(zip(rounds.winners, rounds.points, strict=True)).items():
        if winner != match.NOBODY:
            points[winner] += taken * times
    decisions = tuple(DecisionTimes() for _ in range(players))
    if chunk.number == 0:
        for deal in range(min(TIMED_DEALS, chunk.num_deals)):
            _play_deal(tournament, pairing, split_seed(chunk.seed, "round", deal), decisions)
    return ChunkResult(
        pairing.number, chunk.number, chunk.num_deals, deals, tuple(points), rounds.plies, seconds, decisions
    )


def _play_at_table(tournament: Tournament, pairing: Pairing, chunk: Chunk, records: list[Record] | None) -> ChunkResult:
    players = tournament.rules.players
    deals: Counter[str] = Counter()
    points, plies = [0] * players, 0
    decisions = tuple(DecisionTimes() for _ in range(players))
    start = time.perf_counter()
    for deal in range(chunk.num_deals):
        seed = split_seed(chunk.seed, "round", deal)
        winners, scored, more = _play_deal(tournament, pairing, seed, decisions, records)
        deals[winners] += 1
        points = [sum(both) for both in zip(points, scored, strict=True)]
        plies += more
    seconds = time.perf_counter() - start
    games = tuple(map(GameEntry.of, records or ()))
    return ChunkResult(
        pairing.number, chunk.number, chunk.num_deals, dict(deals), tuple(points), plies, seconds, decisions, games
    )


def _play_deal(
    tournament: Tournament,
    pairing: Pairing,
    seed: int,
    decisions: tuple[DecisionTimes, ...],
    records: list[Record] | None = None,
) -> tuple[str, list[int], int]:
    """Plays one deal from every seat: who won each time, what each place scored, and the plies."""
    players = tournament.rules.players
    won, points, plies = "", [0] * players, 0
    for rotation in range(players):
        agents_seed = split_seed(seed, "agent", rotation)
        seats: list[Agent] = []
        for seat in range(players):
            place = (seat - rotation) % players
            name = tournament.agents[pairing.seating[place]]
            agent = make_agent(name, split_seed(agents_seed, "agent", place))
            seats.append(_TimedAgent(name, agent, decisions[place]))
        table = Table(tournament.rules, seats, seed)
        winner, scored, more = _play_game(table) if tournament.to_score else _play_round(table)
        won += NOBODY if winner is None else str((winner - rotation) % players)
        for seat in range(players):
            points[(seat - rotation) % players] += scored[seat]
        plies += more
        if records is not None:
            records.append(table.record)
    return won, points, plies


def _play_round(table: Table) -> tuple[int | None, list[int], int]:
    table.play_round()
    outcome = table.state.outcome
    assert outcome
    points = [0] * table.rules.players
    if outcome.winner is not None:
        # Where every seat keeps its own points, what the others keep is what winning was worth.
        points[outcome.winner] = max(outcome.points[outcome.winner] or sum(outcome.points), 0)
    return outcome.winner, points, table.state.ply


def _play_game(table: Table) -> tuple[int | None, list[int], int]:
    plies = 0
    for _ in range(MAX_ROUNDS):
        table.play_round()
        plies += table.state.ply
        if table.game_outcome:
            return table.game_outcome.winner, list(table.scores), plies
    return None, list(table.scores), plies


def _name_place(place: int) -> str:
    return NOBODY if place == match.NOBODY else str(place)


class _TimedAgent:
    """Plays as the agent does, and keeps the time."""

    def __init__(self, name: str, agent: Agent, times: DecisionTimes) -> None:
        self.name = name
        self._agent = agent
        self._times = times

    def choose(self, observation: Observation) -> Action:
        """Picks one of `observation.legal_actions`."""
        if len(observation.legal_actions) == 1:
            return self._agent.choose(observation)
        start = time.perf_counter()
        action = self._agent.choose(observation)
        self._times.add(time.perf_counter() - start)
        return action
