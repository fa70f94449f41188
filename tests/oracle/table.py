"""The table of one round: seats, hands, piles and what lies open."""

from bisect import insort
from collections.abc import Callable, Mapping

from .cards import ORDER, WILD_DRAW_FOUR, in_order, rank_of
from .history import History
from .switches import read_switches

COMMANDS = ("name_color", "answer", "swap", "catch")


class Table:
    """The state of one round and how cards move between piles and hands."""

    def __init__(
        self,
        rules: Mapping[str, object],
        deck: list[str],
        dealer: int,
        scores: list[int],
        round_number: int,
        reshuffle: Callable[[list[str], int], list[str]],
    ) -> None:
        """Puts the deck on the table, with nothing dealt yet."""
        self.switches = read_switches(rules)
        self.players = self.switches.players
        self.round_number = round_number
        self.dealer = dealer
        self.scores = list(scores)
        self.reshuffle = reshuffle
        self.reshuffles = 0
        self.history = History(self.players)

        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.draw_pile = list(deck)
        self.discard_pile: list[str] = []

        self.phase = "turn"
        self.seat: int | None = None
        self.direction = 1
        self.active_color: str | None = None
        self.last_color: str | None = None
        self.draw_sum = 0
        self.last_actor: int | None = None
        self.drawn_card: str | None = None
        self.declarations: set[int] = set()
        self.top_player: int | None = None
        self.stuck_passes = 0
        self.ply = 0
        self.outcome: dict[str, object] | None = None

    # ---- Seats ----

    def _after(self, seat: int) -> int:
        """Returns the next seat in the direction of play."""
        return (seat + self.direction) % self.players

    def _others_from(self, seat: int) -> list[int]:
        """Returns the other seats in the direction of play, starting after the given one."""
        return [(seat + step * self.direction) % self.players for step in range(1, self.players)]

    def _acting(self) -> int:
        """Returns the seat to act."""
        assert self.seat is not None
        return self.seat

    def _begin_turn(self, seat: int) -> None:
        """Gives a seat its turn."""
        self.phase, self.seat = "turn", seat

    def _lose_turn(self, seat: int) -> None:
        """Tells everyone that a seat is skipped."""
        self.history.tell_all(f"{seat} is skipped")

    # ---- Piles ----

    def _deal(self) -> None:
        """Deals one card at a time from the seat after the dealer onwards."""
        # Rule 2.1
        order = [*self._others_from(self.dealer), self.dealer]
        for _ in range(self.switches.hand_size):
            for seat in order:
                self._put_in_hand(seat, self.draw_pile.pop())
        for seat in order:
            hand = self.hands[seat]
            self.history.tell_with_cards(f"{seat} is dealt {len(hand)}", {seat: hand})

    def _turn_up(self) -> str:
        """Turns up cards until one is no Wild Draw Four."""
        # Rule 2.2
        card = self.draw_pile.pop()
        self.history.tell_all(f"turned up {card}")
        while card == WILD_DRAW_FOUR:
            self._shuffle_into_draw_pile([*self.draw_pile, card])
            card = self.draw_pile.pop()
            self.history.tell_all(f"turned up {card}")
        return card

    def _put_in_hand(self, seat: int, card: str) -> None:
        """Puts a card in its place in a hand."""
        insort(self.hands[seat], card, key=ORDER.__getitem__)

    def _nothing_to_draw(self) -> bool:
        """Tells whether there is neither a draw pile nor a discard under the top card."""
        # Rule 5.2
        return not self.draw_pile and len(self.discard_pile) <= 1

    def _shuffle_into_draw_pile(self, cards: list[str]) -> None:
        """Makes a new draw pile of the given cards."""
        # Rule 5.1
        self.reshuffles += 1
        self.draw_pile = list(self.reshuffle(in_order(cards), self.reshuffles))
        self.history.tell_all(f"reshuffled {len(self.draw_pile)}")

    def _renew_draw_pile(self) -> None:
        """Shuffles the discards except the top card into a new draw pile."""
        # Rule 5.1
        *under, top = self.discard_pile
        self.discard_pile = [top]
        self._shuffle_into_draw_pile(under)

    def _tell_draws(self, seat: int, cards: list[str]) -> None:
        """Tells everyone how many cards a seat drew, and that seat which ones."""
        self.history.tell_with_cards(f"{seat} draws {len(cards)}", {seat: cards} if cards else {})

    def _take(self, seat: int, count: int, enough: Callable[[str], bool] | None = None) -> list[str]:
        """Draws one by one as many cards as wanted or as there are, and returns them."""
        # Rules 5.1 and 5.2
        taken: list[str] = []
        told = 0
        while len(taken) < count and not self._nothing_to_draw():
            if not self.draw_pile:
                if told < len(taken):
                    self._tell_draws(seat, taken[told:])
                    told = len(taken)
                self._renew_draw_pile()
            card = self.draw_pile.pop()
            self._put_in_hand(seat, card)
            taken.append(card)
            if enough is not None and enough(card):
                break
        if told < len(taken) or not taken:
            self._tell_draws(seat, taken[told:])
        if taken:
            self.declarations.discard(seat)  # Rule 7.1
        return taken

    # ---- The truth, and a seat's view of it ----

    def _declared(self) -> list[int]:
        """Returns the seats that count as having declared."""
        # Rule 7.2
        if self.switches.uno_penalty == 0:
            return [seat for seat, hand in enumerate(self.hands) if len(hand) == 1]
        return sorted(self.declarations)

    def truth(self) -> dict[str, object]:
        """Returns the whole state."""
        return {
            "round": self.round_number,
            "dealer": self.dealer,
            "hands": [list(hand) for hand in self.hands],
            "scores": list(self.scores),
            "draw_pile": list(self.draw_pile),
            "discard_pile": list(self.discard_pile),
            "seat": self.seat,
            "phase": self.phase,
            "direction": self.direction,
            "active_color": self.active_color,
            "last_color": self.last_color,
            "draw_sum": self.draw_sum,
            "last_actor": self.last_actor,
            "drawn_card": self.drawn_card,
            "declared_uno": self._declared(),
            "stuck_passes": self.stuck_passes,
            "ply": self.ply,
            "reshuffles": self.reshuffles,
            "outcome": self.outcome,
        }

    def _skip_pending(self) -> bool:
        """Tells whether the next seat is about to lose its turn."""
        if self.phase == "catch":
            rank = rank_of(self.discard_pile[-1])
            return rank in ("S", "+2", WILD_DRAW_FOUR) or (rank == "R" and self.players == 2)
        return self.phase == "answer"

    def _live_view(self, seat: int, legal: list[str]) -> dict[str, object]:
        """Returns what a seat sees of the state as it is."""
        return {
            "observer": seat,
            "round": self.round_number,
            "dealer": self.dealer,
            "hand": list(self.hands[seat]),
            "hand_sizes": [len(hand) for hand in self.hands],
            "top_player": self.top_player,
            "scores": list(self.scores),
            "top_card": self.discard_pile[-1],
            "discards": list(self.discard_pile),
            "draw_pile_size": len(self.draw_pile),
            "seat": self.seat,
            "phase": self.phase,
            "direction": self.direction,
            "active_color": self.active_color,
            "last_color": self.last_color,
            "draw_sum": self.draw_sum,
            "last_actor": self.last_actor,
            "drawn_card": self.drawn_card if seat == self.seat else None,
            "declared_uno": self._declared(),
            "command_pending": self.phase in COMMANDS,
            "skip_pending": self._skip_pending(),
            "legal_actions": legal,
            "outcome": self.outcome,
            "history": list(self.history.of_seat[seat]),
        }
