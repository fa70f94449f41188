"""Histories of all seats, as event strings."""

from collections.abc import Mapping


class History:
    """One growing list of events per seat."""

    def __init__(self, players: int) -> None:
        """Starts with empty lists."""
        self.of_seat: list[list[str]] = [[] for _ in range(players)]

    def tell_all(self, event: str) -> None:
        """Adds an event that every seat sees alike."""
        for events in self.of_seat:
            events.append(event)

    def tell_one(self, seat: int, event: str) -> None:
        """Adds an event that only one seat sees."""
        self.of_seat[seat].append(event)

    def tell_with_cards(self, event: str, shown: Mapping[int, list[str]]) -> None:
        """Adds an event that some seats see with cards in brackets and the others without."""
        for seat, events in enumerate(self.of_seat):
            if seat in shown:
                events.append(f"{event} ({' '.join(shown[seat])})")
            else:
                events.append(event)
