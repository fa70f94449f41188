"""Looks whether everything that a server acknowledged has happened: exactly once, and in a legal order.

Every client keeps a ledger of the actions sent and acknowledged. The store is then replayed by the
rules, and compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from lastcard.observation import observe
from lastcard.record import Record
from lastcard.store import open_store


@dataclass
class Ledger:
    """One person's messages in one game, and the server's answers."""

    game: str
    seat: int
    sent: dict[int, list[str]] = field(default_factory=dict)
    """Every action sent, by ply."""
    acknowledged: dict[int, str] = field(default_factory=dict)
    """The action that the server acknowledged, by ply."""

    def send(self, ply: int, action: str) -> None:
        """Notes an action before it is sent."""
        self.sent.setdefault(ply, []).append(action)

    def acknowledge(self, ply: int, action: str) -> None:
        """Notes that the server acknowledged an action.

        Raises:
            AssertionError: if it acknowledged another for the same ply before.
        """
        before = self.acknowledged.setdefault(ply, action)
        assert before == action, f"game {self.game}, ply {ply}: {before} was acknowledged, and now {action}"


def list_deeds(record: Record, seat: int) -> list[tuple[int, str]]:
    """Lists a seat's actions in the record, each with the ply at which it was asked: how much it had seen in the game.

    >>> from lastcard.rules import Rules
    >>> from lastcard.table import Table
    >>> record = Table(Rules.preset("official"), ["heuristic", "random"], seed=7).play_round()
    >>> plies = [ply for ply, _ in list_deeds(record, 0)]
    >>> plies == sorted(set(plies))
    True
    """
    deeds, earlier = [], 0
    for index, played in enumerate(record.rounds):
        states = list(record.states(index))  # which raises an error where an action is not legal
        for state, action in zip(states, played.actions, strict=False):
            if state.seat == seat:
                deeds.append((earlier + len(observe(state, seat).history), action.text))
        earlier += len(observe(states[-1], seat).history)
    return deeds


def check_ledger(ledger: Ledger, record: Record) -> int:
    """Compares what was acknowledged with what happened; returns how many actions that were.

    Raises:
        AssertionError: if something is lost, doubled, or was never sent.
    """
    where = f"game {ledger.game}, seat {ledger.seat}"
    deeds = list_deeds(record, ledger.seat)
    happened = dict(deeds)
    assert len(happened) == len(deeds), f"{where}: two actions at one ply"
    assert [ply for ply, _ in deeds] == sorted(happened), f"{where}: out of order"
    for ply, action in ledger.acknowledged.items():
        assert happened.get(ply) == action, f"{where}, ply {ply}: {action} was acknowledged, {happened.get(ply)} kept"
    for ply, action in happened.items():
        assert action in ledger.sent.get(ply, ()), f"{where}, ply {ply}: {action} happened and was not sent"
    return len(ledger.acknowledged)


def check_store(store: str | Path, ledgers: Iterable[Ledger]) -> int:
    """Compares ledgers with a store, which may be in use; returns how many actions were acknowledged.

    Raises:
        AssertionError: if something is lost, doubled, or was never sent.
    """
    with open_store(store, read_only=True) as opened:
        numbers = {game.key: game.number for game in opened.list_games()}
        return sum(check_ledger(ledger, opened.read_record(numbers[ledger.game])) for ledger in ledgers)
