"""Consequences of an action by the rules that no event has told yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lastcard.advice.public_table import PublicTable
from lastcard.advice.retelling import YOU, refuse
from lastcard.events import Event, EventKind


class Dues:
    """Events that the core has let happen and that the history must tell next. A skip may be left unsaid."""

    def __init__(self, table: PublicTable) -> None:
        """Begins with nothing due."""
        self.events: list[Event] = []
        self.skipped: int | None = None
        """Seat that lost its turn because of the top card."""
        self._table = table

    def replace(self, events: Sequence[Event]) -> None:
        """Takes what follows from the last action."""
        self.events = list(events)

    def tell(self, event: Event, *, may_be_more: bool) -> bool:
        """Returns True if an event tells what is due; `may_be_more` cards than the table knows of.

        Raises:
            StateError: if something else is due.
        """
        while self.events:
            due = self.events[0]
            is_it = due.kind is event.kind and due.seat == event.seat
            if due.kind is EventKind.DREW:
                if is_it:
                    self._draw(event, due, may_be_more)
                    return True
                if event.kind is not EventKind.SKIPPED or event.seat != due.seat:
                    refuse(f"seat {due.seat} has to draw {due.count} first", event)
                self._table.resize(due.seat or 0, -(due.count or 0))  # Rule 5.2: there was nothing more to draw
            elif due.kind is EventKind.HANDS_PASSED and not is_it:
                refuse("after a 0 'hands pass' comes first", event)
            elif due.kind is EventKind.SKIPPED:
                self.skipped = due.seat
            del self.events[0]
            if is_it:
                return True
        return False

    def _draw(self, event: Event, due: Event, may_be_more: bool) -> None:
        left = (due.count or 0) - (event.count or 0)
        if left < 0 and not may_be_more:
            refuse(f"seat {event.seat} has to draw {due.count}", event)
        if left < 0:
            self._table.resize(due.seat or 0, -left)
        self.events[:1] = [replace(due, count=left)] if left > 0 else []

    def finish(self) -> None:
        """Makes sure that all was told.

        Raises:
            StateError: if something is left.
        """
        for due in self.events:
            if due.kind is EventKind.HANDS_PASSED:
                refuse("after a 0, add 'hands pass'")
            if due.kind is EventKind.DREW and due.seat == YOU:
                refuse(f"at its end you have to draw {due.count}, without a choice; add '0 draws {due.count}'")
            if due.kind is EventKind.DREW:
                refuse(f"at its end seat {due.seat} has to draw {due.count} first")
