"""Legal actions and knowledge of a seat in a round."""

from collections.abc import Callable, Mapping

from .cards import COLORS, color_of
from .round import Round

WINDOWS = ("catch", "jump_in")


class Rulebook(Round):
    """A round as its players meet it: legal actions, their application, and views."""

    def __init__(
        self,
        rules: Mapping[str, object],
        deck: list[str],
        *,
        dealer: int,
        scores: list[int],
        round_number: int,
        reshuffle: Callable[[list[str], int], list[str]],
    ) -> None:
        """Deals, turns up the first card and applies it."""
        super().__init__(rules, deck, dealer, scores, round_number, reshuffle)
        self._legal: list[str] | None = None
        self._views: list[dict[str, object] | None] = [None] * self.players
        self._seen_before_window: list[dict[str, object]] | None = None

    # ---- Actions ----

    def _plays(self, seat: int) -> list[str]:
        """Returns the cards a seat may play now, in order, Wilds with each color."""
        faces = list(dict.fromkeys(self.hands[seat]))
        if self.phase == "turn":
            faces = [card for card in faces if self._playable(seat, card)]
        elif self.phase == "answer":
            faces = [card for card in faces if self._may_stack(seat, card)]
        elif self.phase == "drawn":
            faces = [card for card in faces if card == self.drawn_card and self._playable(seat, card)]
        elif self.phase == "jump_in":
            faces = [self.discard_pile[-1]]
        else:
            return []
        plays: list[str] = []
        for card in faces:
            plays += [card] if color_of(card) else [f"{card}:{color}" for color in COLORS]
        return plays

    def legal(self) -> list[str]:
        """Returns the legal actions of the seat to act, in the documented order."""
        if self._legal is None:
            self._legal = [] if self.seat is None else self._legal_of(self.seat)
        return list(self._legal)

    def _legal_of(self, seat: int) -> list[str]:
        """Returns what the seat to act may do in this phase."""
        actions = self._plays(seat)
        can_play = bool(actions)
        if self.phase == "turn" and self._may_draw(can_play):
            actions.append("draw")
        if self.phase == "drawn" and self.drawn_card is not None and self._may_keep(seat, self.drawn_card):
            actions.append("keep")
        if self.phase == "answer":
            actions.append("accept")
            if self._can_be_challenged(self.discard_pile[-1]):
                actions.append("challenge")
        if self._may_declare(seat, can_play):
            actions.append("uno")
        if self.phase == "catch" and seat != self.player:
            actions.append("catch")
        if self.phase in WINDOWS and not self.committed:
            actions.append("pass")
        if self.phase == "swap":
            actions += [f"swap:{other}" for other in range(self.players) if other != seat]
        if self.phase == "name_color":
            actions += [f"color:{color}" for color in COLORS]
        return actions

    def apply(self, action: str) -> None:
        """Applies a legal action of the seat to act."""
        legal = self.legal()
        if action not in legal:
            raise ValueError(f"{action!r} is not legal for seat {self.seat} in phase {self.phase}: {legal}")
        seen = self._views_before_ply()
        seat = self._acting()
        if not (action == "draw" and self._nothing_to_draw()):
            self.stuck_passes = 0
        if action != "pass":
            self.last_actor = seat
            self.ply += 1  # Rule 5.4
        self._do(seat, action)
        if self.ply >= self.switches.max_plies and self.phase != "over":
            self._end_by_fewest_points("max_plies")  # Rule 5.4
        self._legal = None
        self._views = [None] * self.players
        self._seen_before_window = seen if self.phase in WINDOWS else None

    def _do(self, seat: int, action: str) -> None:
        """Hands an action to the rule that carries it out."""
        if action == "draw":
            self._draw(seat)
        elif action == "keep":
            self._keep(seat)
        elif action == "accept":
            self._accept(seat)
        elif action == "challenge":
            self._challenge(seat)
        elif action == "uno":
            self._declare(seat)
        elif action == "catch":
            self._catch(seat)
        elif action == "pass":
            self._pass(seat)
        elif action.startswith("swap:"):
            self._swap(seat, int(action[5:]))
        elif action.startswith("color:"):
            self._name_color(seat, action[6:])
        elif self.phase == "jump_in":
            self._play(seat, action, "jumps in")
        else:
            self._play(seat, action, "plays")

    # ---- What a seat may know ----

    def view(self, seat: int) -> dict[str, object]:
        """Returns what a seat may know; while a window is open, what it last saw unless it is being asked."""
        # Rule 10.7
        if self._seen_before_window is not None and seat != self.seat:
            return self._seen_before_window[seat]
        view = self._views[seat]
        if view is None:
            view = self._views[seat] = self._live_view(seat, self.legal() if seat == self.seat else [])
        return view

    def _views_before_ply(self) -> list[dict[str, object]] | None:
        """Returns what every seat sees now, where the rules have windows at all."""
        # Rule 10.7
        if self.switches.jump_in or self.switches.uno_penalty > 0:
            return [self.view(seat) for seat in range(self.players)]
        return None
