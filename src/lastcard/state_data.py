"""States as data: checking that a described round is possible, and rebuilding it in the core."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lastcard import _core
from lastcard.cards import CARDS, Card, Color, Rank, format_cards, parse_cards, parse_color
from lastcard.errors import LastcardError, StateError, require_int, shorten
from lastcard.events import pack_events, parse_event
from lastcard.phase import Ending, Phase, can_come_up, make_turn
from lastcard.rules import MAX_BEFORE, Rules
from lastcard.seeds import STREAMS, seed_bytes


@dataclass(frozen=True, slots=True)
class Position:
    """A described round, checked and rebuilt."""

    core: _core.Round
    rules: Rules
    seed: int
    dealer: int
    round_number: int
    scores: tuple[int, ...]
    bots: tuple[bool, ...]


def check_scores(rules: Rules, scores: Sequence[int] | None) -> tuple[int, ...]:
    """One whole number for each seat, 0 where none are given."""
    if scores is None:
        return (0,) * rules.players
    if not isinstance(scores, Sequence) or len(scores) != rules.players:
        raise StateError(f"scores must have one number for each of {rules.players} seats, not {shorten(scores)}")
    return tuple(require_int("scores", score, -10_000_000, 10_000_000, StateError) for score in scores)


def check_bots(rules: Rules, bots: Sequence[bool] | None) -> tuple[bool, ...]:
    """One flag for each seat, True where none are given."""
    if bots is None:
        return (True,) * rules.players
    if not isinstance(bots, Sequence) or len(bots) != rules.players or not all(isinstance(bot, bool) for bot in bots):
        raise StateError(f"bots must be True or False for each of {rules.players} seats, not {shorten(bots)}")
    return tuple(bots)


def check_cards(what: str, cards: Iterable[Card], rules: Rules) -> None:
    """Refuses cards that are not exactly the deck (Rule 1.3)."""
    counts: Counter[Card] = Counter()
    for card in cards:
        if not isinstance(card, Card):
            raise StateError(f"{what} must hold cards, not {shorten(card)}; read them with parse_cards")
        counts[card] += 1
    deck = dict(rules.deck)
    if dict(counts) == deck:
        return
    for card in CARDS:
        have, want = counts[card], deck.get(card, 0)
        if have != want:
            raise StateError(f"{what}: {have} of {card} where the deck has {want}")


def number_cards(what: str, cards: Iterable[Card]) -> list[int]:
    """The core's number of each card."""
    if not isinstance(cards, Sequence):
        raise StateError(f"{what} must be a list of cards, top last, not {shorten(cards)}")
    for card in cards:
        if not isinstance(card, Card):
            raise StateError(f"{what} must hold cards, not {shorten(card)}; read them with parse_cards")
    return [card.index for card in cards]


def number_reshuffles(reshuffles: Sequence[Sequence[Card]]) -> list[list[int]]:
    """The core's number of each card of each order."""
    if not isinstance(reshuffles, Sequence) or not all(isinstance(order, Sequence) for order in reshuffles):
        raise StateError(f"reshuffles must be lists of cards, top last, not {shorten(reshuffles)}")
    return [number_cards("reshuffles", order) for order in reshuffles]


class _Fields:
    """Reads typed fields out of untrusted data, naming the field in every complaint."""

    def __init__(self, fields: object) -> None:
        if not isinstance(fields, Mapping):
            raise StateError(f"a state must be a mapping of fields, not {shorten(fields)}")
        self.fields: Mapping[object, object] = fields

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        return require_int(name, self.fields.get(name, default), low, high, StateError)

    def seat(self, name: str, players: int, default: int | None = None) -> int | None:
        value = self.fields.get(name, default)
        return None if value is None else require_int(name, value, 0, players - 1, StateError)

    def cards(self, name: str) -> tuple[Card, ...]:
        return self.parsed(name, self.fields.get(name, ""))

    def parsed(self, name: str, value: object) -> tuple[Card, ...]:
        try:
            return parse_cards(value)  # type: ignore[arg-type]
        except LastcardError as error:
            raise StateError(f"{name}: {error}") from None

    def card(self, name: str) -> Card | None:
        value = self.fields.get(name)
        if value is None:
            return None
        cards = self.parsed(name, value)
        if len(cards) != 1:
            raise StateError(f"{name} must be one card, not {shorten(value)}")
        return cards[0]

    def color(self, name: str, default: Color | None) -> Color | None:
        value = self.fields.get(name, default and default.letter)
        if value is None:
            return None
        try:
            return parse_color(value)  # type: ignore[arg-type]
        except LastcardError as error:
            raise StateError(f"{name}: {error}") from None

    def items(self, name: str) -> Sequence[object]:
        value = self.fields.get(name, ())
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise StateError(f"{name} must be a list, not {shorten(value)}")
        return value

    def seats(self, name: str, players: int) -> tuple[int, ...]:
        return tuple(require_int(name, seat, 0, players - 1, StateError) for seat in self.items(name))


def rebuild_position(data: object, depth: int = 0) -> Position:
    """Checks a described round and rebuilds it in the core.

    Fields left out of the data take their value at the start of a round; a draw pile left out is the rest of the deck,
    shuffled by the seed.

    Raises:
        StateError: naming the field that is impossible.
    """
    fields = _Fields(data)
    rules_data = fields.fields.get("rules", {})
    rules = Rules.from_dict(rules_data)  # type: ignore[arg-type]
    players = rules.players
    hands, scores, bots = _read_players(fields, rules)
    seed = fields.integer("seed", 0, 0, (1 << 256) - 1)
    discards = fields.cards("discard_pile")
    if not discards:
        raise StateError("discard_pile must hold at least the top card")
    draw_pile = _read_draw_pile(fields, rules, hands, discards, seed)
    dealer = fields.integer("dealer", players - 1, 0, players - 1)
    turn = _read_turn(fields, rules, hands, discards[-1])
    before = fields.fields.get("before")
    number = fields.integer("round", 1, 1, 1_000_000)
    core = _core.restore(
        rules=rules._compiled,
        seed=seed_bytes(seed),
        hands=[[card.index for card in hand] for hand in hands],
        draw_pile=[card.index for card in draw_pile],
        discard_pile=[card.index for card in discards],
        shown=_read_shown(fields, rules),
        events=_read_history(fields, players),
        scores=list(scores),
        dealer=dealer,
        number=number,
        reshuffles=fields.integer("reshuffles", 0, 0, 1_000_000),
        turn=turn,
        before=None if before is None else _rebuild_before(before, rules, depth + 1),
    )
    return Position(core, rules, seed, dealer, number, scores, bots)


def _rebuild_before(data: object, rules: Rules, depth: int) -> _core.Round:
    if depth > MAX_BEFORE:
        raise StateError(f"before: a state cannot have more than {MAX_BEFORE} states before it")
    before = rebuild_position(data, depth)
    if before.rules != rules:
        raise StateError("before: the state before has other rules")
    return before.core


def _read_shown(fields: _Fields, rules: Rules) -> list[int]:
    shown = Counter(fields.cards("shown_hand"))
    for card, count in shown.items():
        if count > rules.deck.get(card, 0):
            raise StateError(f"shown_hand: {count} of {card} where the deck has {rules.deck.get(card, 0)}")
    return sorted(card.index for card in shown.elements())


def _read_players(fields: _Fields, rules: Rules) -> tuple[list[tuple[Card, ...]], tuple[int, ...], tuple[bool, ...]]:
    players = fields.items("players")
    if len(players) != rules.players:
        raise StateError(f"players: {len(players)} hands where the rules have players={rules.players}")
    parts = [_Fields(player) for player in players]
    hands = [part.parsed(f"hand of seat {seat}", part.fields.get("hand", "")) for seat, part in enumerate(parts)]
    scores = check_scores(rules, [part.fields.get("score", 0) for part in parts])  # type: ignore[misc]
    bots = check_bots(rules, [part.fields.get("bot", True) for part in parts])  # type: ignore[misc]
    return hands, scores, bots


def _read_draw_pile(
    fields: _Fields, rules: Rules, hands: list[tuple[Card, ...]], discards: tuple[Card, ...], seed: int
) -> tuple[Card, ...]:
    known = [card for hand in hands for card in hand] + list(discards)
    if "draw_pile" in fields.fields:
        pile = fields.cards("draw_pile")
        check_cards("hands, draw_pile and discard_pile together", [*known, *pile], rules)
        return pile
    rest = Counter({card: rules.deck.get(card, 0) for card in CARDS})
    rest.subtract(known)
    for card, count in rest.items():
        if count < 0:
            raise StateError(
                f"{rules.deck.get(card, 0) - count} of {card} are in use where the deck has {rules.deck.get(card, 0)}"
            )
    order = _core.shuffle(sorted(card.index for card in rest.elements()), seed_bytes(seed), STREAMS["position"], 0)
    return tuple(CARDS[i] for i in order)


def _read_history(fields: _Fields, players: int) -> list[int]:
    events = []
    for text in fields.items("history"):
        try:
            event = parse_event(text)  # type: ignore[arg-type]
        except LastcardError as error:
            raise StateError(f"history: {error}") from None
        seats = [event.seat, event.target, *(seat for seat, _ in event.hands)]
        if any(seat is not None and seat >= players for seat in seats):
            raise StateError(f"history: {shorten(text)} names a seat beyond {players - 1}")
        if (event.count or 0) > 255:
            raise StateError(f"history: {shorten(text)} counts more cards than there are")
        events.append(event)
    return pack_events(events)


def _read_turn(fields: _Fields, rules: Rules, hands: list[tuple[Card, ...]], top: Card) -> _core.Turn:
    """The turn, checked so that the core can go on from it."""
    players = rules.players
    phase = _read_phase(fields)
    drawn = fields.card("drawn_card")
    is_over = phase is Phase.OVER
    seat = fields.seat("seat", players, None if is_over else 0)
    winner, ending = _read_outcome(fields, players, is_over)
    player = fields.seat("player", players)
    color = fields.color("active_color", top.color)
    draw_sum = fields.integer("draw_sum", 0, 0, 100)
    direction = fields.integer("direction", 1, -1, 1)
    next_seat = fields.seat("next_seat", players)
    stuck = fields.integer("stuck_passes", 0, 0, players)
    last_color = fields.color("last_color", None)
    if phase is Phase.JUMP_IN and next_seat is None:
        raise StateError("next_seat is missing in phase jump_in")
    _TurnCheck(rules, hands, top, phase, player, color, draw_sum, drawn, winner, ending).check(seat)
    if phase is Phase.ANSWER and top.rank is Rank.WILD_DRAW_FOUR and last_color is None:
        raise StateError("last_color, which a challenge is judged by, is missing in phase answer")
    if direction == 0:
        raise StateError("direction must be 1 or -1, not 0")
    declared = fields.seats("declared", players)
    _check_declared(declared, hands)
    if stuck == players and not is_over:
        raise StateError(f"stuck_passes={stuck} would have ended the round")
    return make_turn(
        phase,
        None if is_over else seat,
        active_color=color,
        last_color=last_color,
        drawn=drawn,
        ending=ending,
        ply=fields.integer("ply", 0, 0, rules.max_plies),
        declared=declared,
        player=player,
        next_seat=next_seat,
        draw_sum=draw_sum,
        stuck_passes=stuck,
        last_actor=fields.seat("last_actor", players),
        winner=winner,
        direction=direction,
    )


def _read_phase(fields: _Fields) -> Phase:
    given = fields.fields.get("phase", "turn")
    try:
        return Phase(given)
    except ValueError:
        names = ", ".join(p.value for p in Phase)
        raise StateError(f"phase must be one of {names}, not {shorten(given)}") from None


def _check_declared(declared: Iterable[int], hands: list[tuple[Card, ...]]) -> None:
    """UNO is declared with two cards in hand, before the one that leaves the last (Rule 7.1); drawing takes it back."""
    for seat in declared:
        if len(hands[seat]) > 2:
            raise StateError(f"declared: seat {seat} cannot have declared UNO with {len(hands[seat])} cards in hand")


def _read_outcome(fields: _Fields, players: int, is_over: bool) -> tuple[int | None, Ending | None]:
    outcome = fields.fields.get("outcome")
    if not is_over:
        if outcome is not None:
            raise StateError("outcome is given although the phase is not over")
        return None, None
    if outcome is None:
        raise StateError("outcome is missing although the phase is over")
    part = _Fields(outcome)
    try:
        ending = Ending(part.fields.get("reason"))
    except ValueError:
        names = ", ".join(e.value for e in Ending)
        raise StateError(f"outcome: reason must be one of {names}, not {shorten(part.fields.get('reason'))}") from None
    return part.seat("winner", players), ending


@dataclass(frozen=True, slots=True)
class _TurnCheck:
    """A described turn, and the reasons for which the core could not go on from it."""

    rules: Rules
    hands: list[tuple[Card, ...]]
    top: Card
    phase: Phase
    player: int | None
    color: Color | None
    draw_sum: int
    drawn: Card | None
    winner: int | None
    ending: Ending | None

    def check(self, seat: int | None) -> None:
        """Refuses a turn that no round can come to, with `seat` to act."""
        is_over = self.phase is Phase.OVER
        if is_over and self.ending is Ending.WENT_OUT and (self.winner is None or self.hands[self.winner]):
            raise StateError("outcome: the seat that went out must have won and hold no card")
        if (self.drawn is not None) != (self.phase is Phase.DRAWN):
            raise StateError("drawn_card belongs to phase drawn and to no other")
        if is_over:
            return
        if seat is None:
            raise StateError(f"seat is missing in phase {self.phase.value}")
        self._check_seats(seat)
        self._check_color()
        self._check_draw_sum()
        self._check_hands(seat)
        if not can_come_up(self.phase, self.rules, self.top):
            raise StateError(
                f"phase {self.phase.value} cannot come up with {self.top} on top under the rules {self.rules}"
            )

    def _check_seats(self, seat: int) -> None:
        phase, player = self.phase, self.player
        if phase in (Phase.ANSWER, Phase.SWAP, Phase.CATCH, Phase.JUMP_IN) and player is None:
            raise StateError(f"player, who played the top card, is missing in phase {phase.value}")
        if phase in (Phase.ANSWER, Phase.JUMP_IN) and seat == player:
            raise StateError(f"seat {seat} played the top card and cannot be asked in phase {phase.value}")
        if phase is Phase.SWAP and seat != player:
            raise StateError(f"seat must be {player}, who played the 7, in phase swap")

    def _check_color(self) -> None:
        top, color = self.top, self.color
        if self.phase is Phase.NAME_COLOR:
            if top.rank is not Rank.WILD or color is not None:
                raise StateError("phase name_color needs a Wild on top and no active_color")
        elif color is None:
            raise StateError(f"active_color is missing: {top} on top has none of its own")
        elif top.color is not None and color is not top.color:
            raise StateError(f"active_color must be {top.color.letter}, the color of {top} on top")

    def _check_draw_sum(self) -> None:
        phase, draw_sum = self.phase, self.draw_sum
        is_draw_card = self.top.rank in (Rank.DRAW_TWO, Rank.WILD_DRAW_FOUR)
        if phase is Phase.ANSWER and (not is_draw_card or draw_sum == 0):
            raise StateError("phase answer needs a draw card on top and a draw_sum")
        if draw_sum % 2:
            raise StateError(f"draw_sum={draw_sum} cannot be: draw cards cost 2 or 4 each")
        if draw_sum and not (phase is Phase.ANSWER or (phase is Phase.CATCH and is_draw_card)):
            raise StateError(f"draw_sum={draw_sum} cannot be pending in phase {phase.value}")

    def _check_hands(self, seat: int) -> None:
        phase, player, top, hands = self.phase, self.player, self.top, self.hands
        if self.drawn is not None and self.drawn not in hands[seat]:
            raise StateError(f"drawn_card {self.drawn} is not in the hand of seat {seat}")
        if phase is Phase.JUMP_IN and (top.is_wild or top not in hands[seat]):
            raise StateError(f"seat {seat} cannot jump in on {top}: it holds {format_cards(hands[seat]) or 'nothing'}")
        if phase is Phase.CATCH and player is not None and len(hands[player]) != 1:
            raise StateError(f"seat {player} cannot be caught with {len(hands[player])} cards")
        for owner, hand in enumerate(hands):
            if not hand and not (phase is Phase.ANSWER and owner == player):
                raise StateError(f"hand of seat {owner} is empty although the round is not over")
