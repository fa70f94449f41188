"""The points of a finished round."""

from .cards import points_of


def points_in(hand: list[str]) -> int:
    """Returns what a whole hand is worth."""
    # Rule 9.1
    return sum(points_of(card) for card in hand)


def all_to(winner: int, points: int, players: int) -> list[int]:
    """Returns the points of each seat when the winner gets them all."""
    return [points if seat == winner else 0 for seat in range(players)]


def points_after_going_out(hands: list[list[str]], winner: int, scoring: str) -> list[int]:
    """Returns what each seat adds to its score when a seat has gone out."""
    points = [points_in(hand) for hand in hands]
    if scoring == "lowest":
        return points  # Rule 9.3
    return all_to(winner, sum(points), len(hands))  # Rule 9.1


def fewest_points(hands: list[list[str]], scoring: str) -> tuple[int | None, list[int]]:
    """Returns the winner of a round that nobody went out of, and what each seat adds to its score."""
    # Rules 5.3 and 5.4
    points = [points_in(hand) for hand in hands]
    fewest = min(points)
    if points.count(fewest) > 1:
        return None, [0] * len(hands)
    winner = points.index(fewest)
    if scoring == "lowest":
        return winner, points  # Rule 9.3
    return winner, all_to(winner, sum(points) - fewest - fewest, len(hands))
