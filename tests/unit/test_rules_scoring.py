"""Section 9 of the rules: scoring."""

import pytest

from lastcard.arena.chunks import play_chunk
from lastcard.arena.schedule import Tournament
from lastcard.cards import CARDS, Card
from lastcard.engine.forfeit import judge_forfeit
from lastcard.errors import LastcardError, StateError
from lastcard.observation import observe
from lastcard.rules import Rules
from lastcard.state import State, deal, parse_state
from lastcard.table import Table
from tests.unit.helpers import play, table

LOWEST = "official scoring=lowest"


def outcome(state: State) -> tuple[int | None, tuple[int, ...]]:
    assert state.outcome is not None
    return state.outcome.winner, state.outcome.points


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_rule_9_1_what_each_card_counts(card: Card) -> None:
    symbol = card.text[1:]
    points = 50 if card.is_wild else int(symbol) if symbol.isdigit() else 20
    assert card.points == points
    top = "g9" if card.text[0] != "g" else "b9"
    last = "gS" if top == "g9" else "bS"
    assert outcome(play(parse_state(f"top {top} | seat 0: {last} | seat 1: {card}"), last)) == (0, (points, 0))


def test_rule_9_1_the_winner_scores_all_other_hands() -> None:
    state = parse_state("top r5 | seat 0: g2 b0 | seat 1: rS b9 | seat 2: r1 | seat 3: w w+4 y+2 | to act 2")
    assert outcome(play(state, "r1")) == (2, (0, 0, 2 + 29 + 120, 0))


def test_rule_9_1_two_copies_count_twice() -> None:
    assert outcome(play(parse_state("top r5 | seat 0: r1 | seat 1: g9 g9 w w w"), "r1")) == (0, (168, 0))


def test_rule_9_1_a_hand_of_zeros_scores_nothing() -> None:
    assert outcome(play(parse_state("top r5 | seat 0: r1 | seat 1: g0 b0"), "r1")) == (0, (0, 0))


def test_rule_9_1_nothing_is_scored_before_the_end() -> None:
    state = parse_state("top r5 | seat 0: r1 g1 | seat 1: b9 | scores 30 40")
    assert (state.outcome, state.scores) == (None, (30, 40))
    assert play(state, "r1").scores == (30, 40)


def test_rule_9_2_points_are_added_to_the_scores_of_earlier_rounds() -> None:
    state = play(parse_state("top r5 | seat 0: r1 | seat 1: b9 | seat 2: yS | scores 480 40 7"), "r1")
    assert state.scores == (509, 40, 7)
    assert observe(state, 1).scores == (509, 40, 7)
    assert [player.score for player in state.players] == [509, 40, 7]


def test_rule_9_2_the_next_round_is_dealt_with_the_scores_so_far() -> None:
    state = deal(Rules(players=3), round_number=2, scores=(0, 29, 100))
    assert (state.scores, state.round_number, state.dealer) == ((0, 29, 100), 2, 0)
    assert observe(state, 0).scores == (0, 29, 100)


@pytest.mark.parametrize(("players", "target"), [(2, 100), (3, 250), (4, 500)])
def test_rule_9_2_a_game_is_rounds_until_a_score_reaches_the_target(players: int, target: int) -> None:
    at = Table(Rules(players=players, target_score=target), ["random"] * players, seed=5)
    sums = [0] * players
    while max(sums) < target:
        assert at.game_outcome is None
        at.play_round()
        winner, points = outcome(at.state)
        sums = [score + gained for score, gained in zip(sums, points, strict=True)]
        assert winner is None or [seat for seat, gained in enumerate(points) if gained] in ([], [winner])
        assert at.scores == tuple(sums)
    assert at.game_outcome is not None
    assert (at.game_outcome.winner, at.game_outcome.scores) == (sums.index(max(sums)), tuple(sums))
    with pytest.raises(StateError, match="the game is over"):
        at.next_round()


def test_rule_9_2_the_target_itself_is_enough() -> None:
    rules = Rules(target_score=1)
    for seed in range(5):
        at = Table(rules, ["random", "random"], seed=seed)
        at.play_round()
        exactly = Table(rules.replace(target_score=max(1, *at.scores)), ["random", "random"], seed=seed)
        exactly.play_game()
        assert exactly.scores == at.scores
        above = Table(rules.replace(target_score=max(at.scores) + 1), ["random", "random"], seed=seed)
        above.play_round()
        assert above.game_outcome is None


def test_rule_9_2_a_round_goes_on_although_a_score_has_reached_the_target() -> None:
    state = parse_state("top r5 | seat 0: r1 g1 | seat 1: b9 | scores 600 40")
    assert not play(state, "r1").is_over


def test_rule_9_3_every_seat_adds_the_points_of_its_own_hand() -> None:
    rules = f"{LOWEST} players=3"
    state = play(parse_state(f"rules {rules} | top r5 | seat 0: r1 | seat 1: w g2 | seat 2: gS | scores 5 6 7"), "r1")
    assert outcome(state) == (0, (0, 52, 20))
    assert state.scores == (5, 58, 27)


def test_rule_9_3_penalty_cards_of_the_last_card_count() -> None:
    assert outcome(play(table("top r5 | seat 0: r+2 | seat 1: g1", draws="b9 w", rules=LOWEST), "r+2")) == (0, (0, 60))


def test_rule_9_3_a_blocked_round_adds_own_points_as_well() -> None:
    state = play(table("top r5 | seat 0: g8 b9 | seat 1: yS", rules=LOWEST), "draw draw")
    assert outcome(state) == (0, (17, 20))


def test_rule_9_3_a_blocked_round_with_a_tie_adds_nothing() -> None:
    state = play(table("top r5 | seat 0: g2 b1 | seat 1: y3 | seat 2: bS", rules=LOWEST), "draw draw draw")
    assert outcome(state) == (None, (0, 0, 0))


def test_rule_9_3_an_overlong_round_adds_own_points_or_with_a_tie_nothing() -> None:
    rules = f"{LOWEST} max_plies=1"
    assert outcome(play(table("top r5 | seat 0: g2 r1 | seat 1: y3", draws="b9", rules=rules), "r1")) == (0, (2, 3))
    assert outcome(play(table("top r5 | seat 0: g3 r1 | seat 1: y3", draws="b9", rules=rules), "r1")) == (None, (0, 0))


def test_rule_9_3_the_lowest_score_wins_when_one_reaches_the_target() -> None:
    at = Table(Rules(players=3, target_score=150, scoring="lowest"), ["random"] * 3, seed=2)
    at.play_game()
    assert at.game_outcome is not None
    assert max(at.scores) >= 150
    assert at.game_outcome.winner == at.scores.index(min(at.scores))


def test_rule_9_3_nobody_wins_a_game_whose_lowest_score_is_shared() -> None:
    rules = Rules.preset("mini", players=3, target_score=1, scoring="lowest")
    shared = 0
    for seed in range(200):
        at = Table(rules, ["random"] * 3, seed=seed)
        at.play_game()
        assert at.game_outcome is not None
        if at.scores.count(min(at.scores)) > 1:
            shared += 1
            assert at.game_outcome.winner is None
        else:
            assert at.game_outcome.winner == at.scores.index(min(at.scores))
    assert shared > 0


def test_rule_9_3_off_only_the_winner_scores() -> None:
    assert outcome(play(parse_state("top r5 | seat 0: r1 | seat 1: w g2 | seat 2: gS"), "r1")) == (0, (72, 0, 0))


# Rule 9.4


def forfeit(text: str, seat: int = 0) -> tuple[int, tuple[int, ...]]:
    judged = judge_forfeit(parse_state(text), seat, LastcardError("gone"))
    return judged.winner, judged.points


def test_rule_9_4_of_the_others_the_fewest_points_in_hand_win() -> None:
    assert forfeit("top r5 | seat 0: r1 | seat 1: w g2 | seat 2: gS")[0] == 2
    assert forfeit("top r5 | seat 0: r1 | seat 1: w g2 | seat 2: gS", seat=2)[0] == 0


def test_rule_9_4_of_equals_the_first_in_the_direction_of_play_wins() -> None:
    text = "top r5 | seat 0: w | seat 1: g3 | seat 2: y3 | seat 3: b3"
    assert forfeit(text)[0] == 1
    assert forfeit(f"{text} | direction -1")[0] == 3
    assert forfeit(f"{text} | direction -1", seat=2)[0] == 1


def test_rule_9_4_the_winner_scores_all_other_hands() -> None:
    assert forfeit("top r5 | seat 0: r1 | seat 1: w g2 | seat 2: gS") == (2, (0, 0, 53))


def test_rule_9_4_with_lowest_scoring_every_seat_adds_its_own_points() -> None:
    text = f"rules {LOWEST} players=3 | top r5 | seat 0: r1 | seat 1: w g2 | seat 2: gS"
    assert forfeit(text) == (2, (1, 52, 20))


def test_rule_9_4_a_game_ends_with_it() -> None:
    quits = "engine:python3 -I -S -c \"print('name quitter'); print('lastcard 1')\""
    cup = Tournament(("random", quits), Rules.preset("official"), num_deals=1, to_score=True)
    result = play_chunk(cup, cup.chunks[0])
    assert (result.deals, result.forfeits[1].count) == ({"00": 1}, 2)
    assert result.points[0] < 1000
