"""One round of the game, rule by rule."""

from collections.abc import Callable, Mapping

from .cards import WILD, WILD_DRAW_FOUR, cards_to_draw, color_of, rank_of
from .score import fewest_points, points_after_going_out
from .table import Table


class Round(Table):
    """The rules: what may be done, and what follows from it."""

    def __init__(
        self,
        rules: Mapping[str, object],
        deck: list[str],
        dealer: int,
        scores: list[int],
        round_number: int,
        reshuffle: Callable[[list[str], int], list[str]],
    ) -> None:
        """Deals, turns up the first card and applies it."""
        super().__init__(rules, deck, dealer, scores, round_number, reshuffle)
        self.player = dealer  # who played the top card
        self.hand_at_play: list[str] = []  # the rest of that seat's hand just after the play
        self.still_to_ask: list[int] = []  # in an open window, the asked seat first
        self.committed = False  # the asked seat declared in a jump-in window
        self.seat_after_window = dealer

        self._deal()
        self._apply_turned_up(self._turn_up())

    # ---- 2 Deal ----

    def _apply_turned_up(self, card: str) -> None:
        """Lets the turned-up card take effect on the first seat."""
        # Rule 2.2
        first = self._after(self.dealer)
        self.discard_pile.append(card)
        self.active_color = color_of(card)
        rank = rank_of(card)
        if card == WILD:
            self.phase, self.seat = "name_color", first
        elif rank == "R":
            self.direction = -1
            if self.players == 2:
                self._lose_turn(first)
            self._begin_turn(self.dealer)
        elif rank in ("S", "+2"):
            if rank == "+2":
                self._take(first, 2)
            self._lose_turn(first)
            self._begin_turn(self._after(first))
        else:
            self._begin_turn(first)

    def _name_color(self, seat: int, color: str) -> None:
        """Gives the turned-up Wild its color, and the same seat its turn."""
        # Rule 2.2
        self.active_color = color
        self.history.tell_all(f"{seat} names {color}")
        self._begin_turn(seat)

    # ---- 3 Turn ----

    def _matches(self, card: str) -> bool:
        """Tells whether a card other than a Wild Draw Four fits on the top card."""
        # Rule 3.1
        return card == WILD or card[0] == self.active_color or rank_of(card) == rank_of(self.discard_pile[-1])

    def _playable(self, seat: int, card: str) -> bool:
        """Tells whether a seat may play a card in its turn."""
        # Rules 3.1 and 6.2
        if card == WILD_DRAW_FOUR:
            return self._wild_draw_four_allowed(seat, self._matches)
        return self._matches(card)

    def _may_draw(self, can_play: bool) -> bool:
        """Tells whether a seat may draw in its turn."""
        # Rules 3.2, 5.2 and 10.3
        return not can_play or not (self.switches.must_play or self._nothing_to_draw())

    def _draw(self, seat: int) -> None:
        """Draws in a turn, which continues with the drawn card or ends."""
        # Rules 3.2, 3.3, 10.2 and 10.4
        self.declarations.discard(seat)  # Rule 7.1
        if self._nothing_to_draw():
            self._pass_stuck(seat)
            return
        taken = self._take_until_playable(seat) if self.switches.draw_until_playable else self._take(seat, 1)
        if self.switches.drawn_card == "end_turn":
            self._begin_turn(self._after(seat))
        else:
            self.phase, self.drawn_card = "drawn", taken[-1]

    def _may_keep(self, seat: int, card: str) -> bool:
        """Tells whether the drawn card may be kept."""
        # Rules 3.3, 6.5 and 10.4
        if self.switches.drawn_card == "may_play" or not self._playable(seat, card):
            return True
        return card == WILD_DRAW_FOUR and not self._without_active_color(self.hands[seat])

    def _keep(self, seat: int) -> None:
        """Ends the turn with the drawn card in hand."""
        # Rule 3.3
        self.declarations.discard(seat)  # Rule 7.1
        self.drawn_card = None
        self.history.tell_all(f"{seat} keeps")
        self._begin_turn(self._after(seat))

    def _play(self, seat: int, action: str, verb: str) -> None:
        """Puts a card on the discard pile, then opens the catch window or lets the card take effect."""
        # Rules 3.1, 3.4 and 7.3
        card, _, named = action.partition(":")
        hand = self.hands[seat]
        hand.remove(card)
        self.discard_pile.append(card)
        self.last_color, self.active_color = self.active_color, named or color_of(card)
        self.draw_sum += cards_to_draw(card)
        self.drawn_card = None
        self.player = self.top_player = seat
        self.hand_at_play = list(hand)
        self.history.tell_all(f"{seat} {verb} {action}")
        if self._forgot_uno(seat):
            self._open_window("catch", [seat, *self._others_from(seat)])
        else:
            self._take_effect()

    # ---- 4 Action cards ----

    def _take_effect(self) -> None:
        """Lets the played top card do what it does."""
        seat, card = self.player, self.discard_pile[-1]
        rank = rank_of(card)
        if not self.hands[seat]:
            self._go_out(seat, card)
        elif cards_to_draw(card):
            self._make_next_draw(seat, card)
        elif rank == "S":
            self._skip_next(seat)
        elif rank == "R":
            self._reverse(seat)
        elif rank == "7" and self.switches.seven_zero:
            self.phase, self.seat = "swap", seat
        elif rank == "0" and self.switches.seven_zero:
            self._pass_hands(seat)
        else:
            self._resolved(self._after(seat))

    def _skip_next(self, seat: int) -> None:
        """Makes the next seat lose its turn."""
        # Rule 4.1
        skipped = self._after(seat)
        self._lose_turn(skipped)
        self._resolved(self._after(skipped))

    def _reverse(self, seat: int) -> None:
        """Flips the direction; with two players the other seat loses its turn."""
        # Rule 4.2
        self.direction = -self.direction
        if self.players == 2:
            self._skip_next(seat)
        else:
            self._resolved(self._after(seat))

    def _make_next_draw(self, seat: int, card: str) -> None:
        """Asks the next seat where it has a choice, else makes it draw and lose its turn."""
        # Rules 4.3, 4.4, 6.3 and 10.1
        victim = self._after(seat)
        if self.switches.stacking != "none" or self._can_be_challenged(card):
            self.phase, self.seat = "answer", victim
        else:
            self._draw_sum_and_lose_turn(victim, 0)

    def _draw_sum_and_lose_turn(self, victim: int, extra: int) -> None:
        """Makes a seat draw the sum and lose its turn, unless the draw card was a last card."""
        # Rules 4.3, 4.4 and 8.2
        self.declarations.discard(victim)  # Rule 7.1
        self._take(victim, self.draw_sum + extra)
        self.draw_sum = 0
        if self.hands[self.player]:
            self._lose_turn(victim)
            self._resolved(self._after(victim))
        else:
            self._win(self.player)

    # ---- 5 Stuck rounds ----

    def _pass_stuck(self, seat: int) -> None:
        """Passes because there is nothing to draw; a full circle of this blocks the round."""
        # Rules 5.2 and 5.3
        self._tell_draws(seat, [])
        self.stuck_passes += 1
        if self.stuck_passes == self.players:
            self._end_by_fewest_points("blocked")
        else:
            self._begin_turn(self._after(seat))

    # ---- 6 Wild Draw Four ----

    def _without_active_color(self, hand: list[str]) -> bool:
        """Tells whether a hand holds no card of the active color."""
        # Rule 6.1
        return all(card[0] != self.active_color for card in hand)

    def _wild_draw_four_allowed(self, seat: int, fits: Callable[[str], bool]) -> bool:
        """Tells whether the switch lets a seat play a Wild Draw Four; `fits` judges its other cards."""
        # Rule 6.2
        hand = self.hands[seat]
        if self.switches.wild_draw_four == "strict":
            return self._without_active_color(hand)
        if self.switches.wild_draw_four == "last_resort":
            return not any(fits(card) for card in hand if card != WILD_DRAW_FOUR)
        return True

    def _can_be_challenged(self, card: str) -> bool:
        """Tells whether the seat that would draw may challenge the card."""
        # Rule 6.3
        return card == WILD_DRAW_FOUR and self.switches.wild_draw_four == "bluff"

    def _challenge(self, seat: int) -> None:
        """Settles a challenge by the hand and the color at the moment of the play."""
        # Rules 6.3, 6.4 and 10.1
        guilty = any(card[0] == self.last_color for card in self.hand_at_play)
        verdict = "guilty" if guilty else "innocent"
        self.history.tell_with_cards(f"{seat} challenges {self.player}: {verdict}", {seat: self.hand_at_play})
        if guilty:
            self._take(self.player, self.draw_sum)
            self.draw_sum = 0
            self._begin_turn(seat)
        else:
            self._draw_sum_and_lose_turn(seat, 2)

    # ---- 7 Calling UNO ----

    def _may_declare(self, seat: int, can_play: bool) -> bool:
        """Tells whether a seat may declare, or declare late what it has forgotten."""
        # Rules 7.1 and 7.3
        if self.phase == "catch":
            return seat == self.player
        undeclared = self.switches.uno_penalty > 0 and seat not in self.declarations
        return can_play and undeclared and len(self.hands[seat]) == 2

    def _declare(self, seat: int) -> None:
        """Notes a declaration; it commits a seat to jump in, and closes a catch window."""
        # Rules 7.1 and 7.3
        self.declarations.add(seat)
        self.committed = self.phase == "jump_in"
        self.history.tell_all(f"{seat} calls uno")
        if self.phase == "catch":
            self._take_effect()

    def _forgot_uno(self, seat: int) -> bool:
        """Tells whether a play has left one card undeclared."""
        # Rule 7.3
        return self.switches.uno_penalty > 0 and len(self.hands[seat]) == 1 and seat not in self.declarations

    def _catch(self, seat: int) -> None:
        """Makes the offender draw the penalty, after which the effect goes on."""
        # Rule 7.3
        self.history.tell_all(f"{seat} catches {self.player}")
        self._take(self.player, self.switches.uno_penalty)
        self._take_effect()

    # ---- 8 Going out and 9 Scoring ----

    def _go_out(self, seat: int, card: str) -> None:
        """Ends the round, after the draw of a last draw card."""
        # Rules 8.1 and 8.2
        if self._can_be_challenged(card):
            self.phase, self.seat = "answer", self._after(seat)
        elif cards_to_draw(card):
            self._draw_sum_and_lose_turn(self._after(seat), 0)
        else:
            self._win(seat)

    def _win(self, winner: int) -> None:
        """Ends a round won by going out."""
        # Rules 8.1 and 9.1
        points = points_after_going_out(self.hands, winner, self.switches.scoring)
        self._end(winner, "went_out", points)

    def _end_by_fewest_points(self, reason: str) -> None:
        """Ends a blocked or overlong round."""
        # Rules 5.3 and 5.4
        winner, points = fewest_points(self.hands, self.switches.scoring)
        self._end(winner, reason, points)

    def _end(self, winner: int | None, reason: str, points: list[int]) -> None:
        """Closes the round and adds its points to the scores."""
        self.phase, self.seat, self.drawn_card = "over", None, None
        self.scores = [score + more for score, more in zip(self.scores, points, strict=True)]
        self.outcome = {"winner": winner, "reason": reason, "points": points}

    # ---- 10 House rules ----

    def _stackable(self, card: str) -> bool:
        """Tells whether a card other than a Wild Draw Four can be stacked on the top card."""
        # Rule 10.1
        return rank_of(card) == "+2" and rank_of(self.discard_pile[-1]) == "+2"

    def _may_stack(self, seat: int, card: str) -> bool:
        """Tells whether a seat may answer the top card with a card."""
        # Rule 10.1
        if self.switches.stacking == "none" or not self.hands[self.player]:
            return False
        if card != WILD_DRAW_FOUR:
            return self._stackable(card)
        fits = self.discard_pile[-1] == WILD_DRAW_FOUR or self.switches.stacking == "any_up"
        return fits and self._wild_draw_four_allowed(seat, self._stackable)

    def _accept(self, seat: int) -> None:
        """Draws the sum and loses the turn."""
        # Rule 10.1
        self.history.tell_all(f"{seat} accepts {self.draw_sum}")
        self._draw_sum_and_lose_turn(seat, 0)

    def _take_until_playable(self, seat: int) -> list[str]:
        """Draws until a card is playable or none are left."""
        # Rule 10.2
        all_cards = len(self.draw_pile) + len(self.discard_pile)
        return self._take(seat, all_cards, lambda card: self._playable(seat, card))

    def _swap(self, seat: int, other: int) -> None:
        """Swaps two hands after a 7."""
        # Rule 10.5
        self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]
        self.declarations -= {seat, other}  # Rule 7.1
        shown = {seat: self.hands[seat], other: self.hands[other]}
        self.history.tell_with_cards(f"{seat} swaps with {other}", shown)
        self._resolved(self._after(seat))

    def _pass_hands(self, seat: int) -> None:
        """Passes every hand to the next seat after a 0."""
        # Rule 10.5
        received = {self._after(giver): hand for giver, hand in enumerate(self.hands)}
        self.hands = [received[taker] for taker in range(self.players)]
        self.declarations.clear()  # Rule 7.1
        self.history.tell_with_cards("hands pass", received)
        self._resolved(self._after(seat))

    def _resolved(self, next_seat: int) -> None:
        """Opens the jump-in window if someone can jump in, else begins the next turn."""
        # Rule 10.6
        card = self.discard_pile[-1]
        holders: list[int] = []
        if self.switches.jump_in and color_of(card) is not None:
            holders = [seat for seat in self._others_from(self.player) if card in self.hands[seat]]
        if holders:
            self.seat_after_window = next_seat
            self._open_window("jump_in", holders)
        else:
            self._begin_turn(next_seat)

    def _open_window(self, phase: str, seats: list[int]) -> None:
        """Asks the first of the seats that have a reaction."""
        # Rule 10.7
        self.phase, self.seat = phase, seats[0]
        self.still_to_ask = seats
        self.committed = False

    def _pass(self, seat: int) -> None:
        """Asks the next seat, or closes the window and goes on."""
        # Rule 10.7
        self.history.tell_one(seat, f"{seat} passes")
        self.still_to_ask = self.still_to_ask[1:]
        if self.still_to_ask:
            self.seat = self.still_to_ask[0]
        elif self.phase == "catch":
            self._take_effect()
        else:
            self._begin_turn(self.seat_after_window)
