"""Cards and colors as notation strings."""

COLORS = ("r", "y", "g", "b")
RANKS = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "S", "R", "+2")
WILD = "w"
WILD_DRAW_FOUR = "w+4"

FACES = [color + rank for color in COLORS for rank in RANKS] + [WILD, WILD_DRAW_FOUR]
ORDER = {face: place for place, face in enumerate(FACES)}


def color_of(card: str) -> str | None:
    """Returns the color of a card, None for the Wilds."""
    return None if card[0] == "w" else card[0]


def rank_of(card: str) -> str:
    """Returns the number or symbol of a card; no colored card shares one with a Wild."""
    return card if card[0] == "w" else card[1:]


def in_order(cards: list[str]) -> list[str]:
    """Returns the cards sorted by color, then rank, then the Wilds."""
    return sorted(cards, key=ORDER.__getitem__)


def cards_to_draw(card: str) -> int:
    """Returns how many cards a card makes the next seat draw."""
    # Rules 4.3 and 4.4
    if card == WILD_DRAW_FOUR:
        return 4
    return 2 if rank_of(card) == "+2" else 0


def points_of(card: str) -> int:
    """Returns what a card left in a hand is worth."""
    # Rule 9.1
    if card[0] == "w":
        return 50
    rank = rank_of(card)
    return int(rank) if rank.isdigit() else 20
