"""Knowledge of one seat."""

import json
import random

import pytest

from lastcard.actions import parse_action
from lastcard.agents import make_agent
from lastcard.cards import Color, parse_card, parse_cards
from lastcard.errors import LastcardError, StateError
from lastcard.observation import Observation, observe, spectate
from lastcard.phase import Phase
from lastcard.rules import Rules, parse_rules
from lastcard.state import State, deal, parse_state
from tests.unit.helpers import VARIED_RULES, play, random_states, table

POSITION = "top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR"


def with_hidden_cards_redealt(state: State, seat: int, seed: int) -> State:
    """Returns a round that looks the same to a seat: the cards that it cannot see are dealt again."""
    data = state.to_dict()
    players = [dict(player) for player in data["players"]]  # type: ignore[attr-defined]
    others = [other for other in range(len(players)) if other != seat]
    hidden = [*str(data["draw_pile"]).split(), *(card for other in others for card in players[other]["hand"].split())]
    random.Random(seed).shuffle(hidden)
    for other in others:
        size = len(players[other]["hand"].split())
        players[other]["hand"], hidden = " ".join(hidden[:size]), hidden[size:]
    return State.from_dict({**data, "players": players, "draw_pile": " ".join(hidden), "history": []})


@pytest.mark.parametrize("text", VARIED_RULES)
def test_events_are_counted_without_being_made(text: str) -> None:
    for state in random_states(parse_rules(text), 1, 120):
        counted, made = observe(state, 0), observe(state, 0)
        assert counted.num_events == len(made.history) == made.num_events


@pytest.mark.parametrize("text", VARIED_RULES)
def test_an_observation_says_what_the_state_says(text: str) -> None:
    for state in random_states(parse_rules(text), 1, 120):
        seat = state.seat if state.seat is not None else 0
        seen = observe(state, seat)
        assert seen.observer == seat
        assert seen.hand == state.hand(seat)
        assert seen.hand_sizes == tuple(len(state.hand(other)) for other in range(state.rules.players))
        assert (seen.top_card, seen.discards) == (state.top_card, state.discard_pile)
        assert seen.draw_pile_size == len(state.draw_pile)
        assert (seen.seat, seen.phase, seen.direction) == (state.seat, state.phase, state.direction)
        assert seen.legal_actions == state.legal_actions
        assert (seen.active_color, seen.last_color) == (state.active_color, state.last_color)
        assert (seen.draw_sum, seen.drawn_card) == (state.draw_sum, state.drawn_card)
        assert (seen.declared_uno, seen.last_actor) == (state.declared_uno, state.last_actor)
        assert (seen.command_pending, seen.scores) == (state.command_pending, state.scores)
        assert (seen.dealer, seen.round_number, seen.outcome) == (state.dealer, state.round_number, state.outcome)
        assert seen.rules == state.rules


@pytest.mark.parametrize("text", ["official", "official players=4", "house", "tournament", "mini"])
def test_nothing_depends_on_cards_the_seat_cannot_see(text: str) -> None:
    for number, state in enumerate(random_states(parse_rules(text), 6, 60)):
        if state.is_over or state.phase in (Phase.CATCH, Phase.JUMP_IN):
            continue
        for seat in range(state.rules.players):
            if state.phase is Phase.DRAWN and seat != state.seat:
                continue
            other = with_hidden_cards_redealt(state, seat, number)
            assert observe(other, seat).facts() == observe(state, seat).facts()


def test_private_events_are_told_to_their_seat_alone() -> None:
    *_, state = random_states(parse_rules("house wild_draw_four=bluff"), 3, 200)
    for seat in range(4):
        for event in observe(state, seat).history:
            assert {owner for owner, _ in event.hands} <= {seat}
            assert event.kind.value != "passes" or event.seat == seat


@pytest.mark.parametrize("text", VARIED_RULES)
def test_the_history_only_ever_grows(text: str) -> None:
    rules = parse_rules(text)
    last: list[tuple[object, ...]] = [() for _ in range(rules.players)]
    for state in random_states(rules, 2, 100):
        for seat in range(rules.players):
            history = observe(state, seat).history
            assert history[: len(last[seat])] == last[seat]
            last[seat] = history


def test_only_the_seat_to_act_has_legal_actions() -> None:
    state = parse_state(POSITION)
    assert [str(action) for action in observe(state, 0).legal_actions] == ["r7", "w:r", "w:y", "w:g", "w:b", "draw"]
    assert observe(state, 1).legal_actions == ()


def test_the_other_hands_and_the_draw_pile_are_nowhere_in_the_data() -> None:
    state = table("top r5 | seat 0: r7 b2 | seat 1: g1 yR", draws="y9 y8")
    data = json.dumps({name: value for name, value in observe(state, 0).to_dict().items() if name != "rules"})
    assert "r7" in data
    for hidden in ("g1", "yR", "y9", "y8"):
        assert hidden not in data


def test_an_observation_is_a_copy() -> None:
    state = parse_state(POSITION)
    seen = observe(state, 1)
    before = seen.to_dict()
    state.apply_in_place(parse_action("r7"))
    assert seen.to_dict() == before
    assert observe(state, 1) != seen


def test_equal_observations_are_equal_and_hash_alike() -> None:
    state = parse_state(POSITION)
    assert observe(state, 0) == observe(state.copy(), 0)
    assert hash(observe(state, 0)) == hash(observe(state.copy(), 0))
    assert observe(state, 0) != observe(state, 1)
    assert observe(state, 0) != "seat 0"
    other_rules = parse_state(f"rules official max_plies=9 | {POSITION}")
    assert observe(state, 0) != observe(other_rules, 0)


@pytest.mark.parametrize(
    "name",
    ["hand", "hand_sizes", "top_card", "seat", "phase", "legal_actions", "scores", "history", "outcome", "observer"],
)
def test_an_observation_cannot_be_changed(name: str) -> None:
    seen = observe(parse_state(POSITION), 0)
    with pytest.raises(AttributeError):
        setattr(seen, name, None)


def test_the_facts_are_json() -> None:
    state = play(parse_state("discards r5 | seat 0: w b2 g1 | seat 1: g2 g1 yR"), "w:g")
    seen = observe(state, 1)
    more = {"rules": seen.rules.to_dict(), "history": ["0 plays w:g"], "ply": 1, "next_seat": None, "stuck_passes": 0}
    assert json.loads(json.dumps(seen.to_dict())) == seen.to_dict() == {**seen.facts(), **more}
    assert Observation.from_dict(json.loads(json.dumps(seen.to_dict()))) == seen


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": "official"}, "rules must be a mapping of fields"),
        ({"hand": ["g1"]}, "hand has 1 cards, but hand_sizes says 3"),
        ({"legal_actions": []}, r"legal_actions is \[\], but by the rest \['g1', 'g2', 'draw'\]"),
        ({"truth": 1}, "there is no field 'truth'"),
    ],
)
def test_data_that_is_no_observation_is_refused(changes: dict[str, object], message: str) -> None:
    state = play(parse_state("discards r5 | seat 0: w b2 g1 | seat 1: g2 g1 yR"), "w:g")
    with pytest.raises(LastcardError, match=message):
        Observation.from_dict({**observe(state, 1).to_dict(), **changes})
    wrongs: tuple[object, ...] = (None, [], "x", {})
    for wrong in wrongs:
        with pytest.raises(StateError, match="an observation must be a mapping with rules and other fields"):
            Observation.from_dict(wrong)  # type: ignore[arg-type]


def test_the_facts_are_what_is_seen() -> None:
    state = play(parse_state("discards r5 | seat 0: w b2 g1 | seat 1: g2 g1 yR"), "w:g")
    seen = observe(state, 1)
    facts = seen.facts()
    assert (facts["hand"], facts["hand_sizes"], facts["top_card"]) == (["yR", "g1", "g2"], [2, 3], "w")
    assert (facts["active_color"], facts["last_color"], facts["legal_actions"]) == ("g", "r", ["g1", "g2", "draw"])
    assert (facts["seat"], facts["phase"], facts["outcome"], facts["last_actor"]) == (1, "turn", None, 0)


def test_a_turned_up_wild_has_no_color_yet() -> None:
    state = parse_state("top w | seat 0: r7 | seat 1: g1 | phase name_color")
    seen = observe(state, 0)
    assert (seen.active_color, seen.last_color, seen.command_pending) == (None, None, True)
    assert observe(play(state, "color:b"), 1).active_color is Color.BLUE


@pytest.mark.parametrize(
    ("card", "players", "pending"),
    [("r+2", 2, True), ("rS", 3, True), ("rR", 2, True), ("rR", 3, False), ("r1", 2, False)],
)
def test_a_skip_is_pending_while_the_catch_window_is_open(card: str, players: int, pending: bool) -> None:
    seats = ["seat 0: b2 " + card, "seat 1: g1 g2", "seat 2: y1 y2"][:players]
    rules = f"rules official uno_penalty=2 players={players}"
    seen = observe(play(parse_state(" | ".join([rules, "top r5", *seats])), f"{card} pass"), 1)
    assert (seen.phase, seen.command_pending, seen.skip_pending) == (Phase.CATCH, True, pending)


def test_a_skip_is_pending_while_a_draw_card_waits_for_an_answer() -> None:
    state = play(parse_state("rules official stacking=same | top r5 | seat 0: r+2 b1 | seat 1: g1"), "r+2")
    for seat in (0, 1):
        seen = observe(state, seat)
        assert (seen.command_pending, seen.skip_pending, seen.draw_sum) == (True, True, 2)
    assert not observe(parse_state(POSITION), 0).skip_pending


def test_the_end_is_seen_by_all() -> None:
    state = play(parse_state("top r5 | seat 0: r1 | seat 1: g9 | scores 5 6"), "r1")
    for seat in (0, 1):
        seen = observe(state, seat)
        assert (seen.seat, seen.phase, seen.legal_actions) == (None, Phase.OVER, ())
        assert seen.outcome == state.outcome
        assert seen.scores == (14, 6)


def test_an_observation_is_short_in_a_traceback() -> None:
    seen = observe(parse_state("discards r5 w | color g | seat 0: r7 b2 | seat 1: g1"), 0)
    assert str(seen) == "seat 0 holds r7 b2; top w (green); hands 0:2 1:1"
    assert repr(seen) == f"<Observation of {seen}>"


@pytest.mark.parametrize("seat", [-1, 2, True, 0.0, "0"])
def test_a_seat_that_is_not_there_is_refused(seat: object) -> None:
    with pytest.raises(StateError, match=r"seat must be .*from 0 to 1, not"):
        observe(parse_state(POSITION), seat)  # type: ignore[arg-type]


def test_only_a_state_is_observed() -> None:
    with pytest.raises(StateError, match="state must be a State, not"):
        observe(observe(deal(Rules()), 0), 0)  # type: ignore[arg-type]


def test_there_is_no_way_back_to_the_truth() -> None:
    seen = observe(parse_state(POSITION), 0)
    public = {name for name in dir(seen) if not name.startswith("_")}
    assert not public & {"draw_pile", "seed", "players", "state", "after"}
    assert isinstance(seen, Observation)
    assert seen.hand == parse_cards("r7 b2 w")
    assert seen.top_card is parse_card("r5")


def test_the_number_of_events_is_that_of_the_history() -> None:
    for rules in ("official players=3", "house players=4", "tournament"):
        agent, state = make_agent("random", seed=4), deal(parse_rules(rules), seed=11)
        while state.seat is not None:
            for seen in (observe(state, state.seat), spectate(state)):
                assert seen.num_events == len(seen.history)
            state = state.after(agent.choose(observe(state, state.seat)))


def test_the_seat_to_act_observes_unless_another_is_named() -> None:
    state = table("top r5 | seat 0: r7 | seat 1: g1 yR")
    assert observe(state) == observe(state, state.seat)
    assert observe(state).observer == 0
    with pytest.raises(StateError, match="the round is over, so no seat is to act; name the seat that observes"):
        observe(play(state, "r7"))
