"""Exact answers: hand-computed cases, agreement with OpenSpiel on the same game, and what the agents are held to."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import count, permutations

import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.algorithms.exploitability import nash_conv

from benchmarks.strength import mini
from lastcard import Rules, State, deal, list_agents, make_agent, observe, parse_action, parse_rules
from lastcard.actions import DRAW
from lastcard.cards import parse_cards
from lastcard.errors import AgentError, RulesError
from lastcard.exact import (
    CfrPlus,
    Policy,
    Tree,
    best_response,
    build_tree,
    expected_value,
    exploitability,
    loss,
    open_value,
    uniform_policy,
)
from lastcard.exact.agent_policy import policy_of
from lastcard.exact.chances import follow, list_deals
from lastcard.exact.tree import Branch, Decision, InformationSet
from tests.exact.open_spiel_game import LastcardGame, LastcardState, Moment, information_text
from tests.oracle.deals import enumerate_deals

TINY = "mini deck=r1,r2,y1,y2 hand_size=1"
SMALL = "mini deck=r1,r1,r2,y1,y2,y2"
SKIPS = "mini deck=r1,r2,rS,y1,y2 drawn_card=may_play max_plies=6"


@cache
def tree_of(rules: str) -> Tree:
    return build_tree(parse_rules(rules))


@cache
def equilibrium_of(rules: str, iterations: int) -> Policy:
    solver = CfrPlus(tree_of(rules))
    solver.run(iterations)
    return solver.average()


# The tree


def test_mini_is_small_enough_to_be_solved_as_it_is() -> None:
    tree = tree_of("mini")
    assert (tree.num_deals, tree.num_nodes, tree.num_ends) == (1164, 86_556, 26_104)
    assert (tree.num_decisions, len(tree.information_sets)) == (8086, 4962)


def test_deals_are_as_likely_as_by_shuffling_the_deck() -> None:
    cards = parse_cards("r1 r1 r2 y1 y2 y2")
    shuffles = Counter((tuple(sorted(o[:2])), tuple(sorted(o[2:4])), o[4]) for o in permutations(cards))
    found = {}
    for chance, line in list_deals(parse_rules(SMALL)):
        state = line.replay()
        found[state.hand(0), state.hand(1), state.top_card] = chance
    assert found.keys() == shuffles.keys()
    for dealt, chance in found.items():
        assert chance == pytest.approx(shuffles[dealt] / 720, abs=1e-12)


def test_a_draw_brings_every_card_of_the_pile_also_after_a_reshuffle() -> None:
    rng = random.Random(5)
    reshuffled = later = 0
    for _, dealt in [*list_deals(parse_rules(SMALL))] * 3:
        line, state = dealt, dealt.replay()
        while not state.is_over:
            action = rng.choice(state.legal_actions)
            ways = list(follow(line, state, action))
            assert sum(odds for odds, _, _ in ways) == pytest.approx(1)
            if action is DRAW and (pile := state.draw_pile or state.discard_pile[:-1]):
                seat = state.seat
                assert seat is not None
                got = {_gained(state, after, seat): odds for odds, _, after in ways}
                expected = {card: count / len(pile) for card, count in Counter(pile).items()}
                assert got == pytest.approx(expected)
                reshuffled += not state.draw_pile
                later += bool(state.draw_pile and state.reshuffles)
            _, line, after = rng.choice(ways)
            assert line.replay() == after
            state = after
    assert reshuffled > 3
    assert later > 3


def _gained(before: State, after: State, seat: int) -> object:
    (card,) = (Counter(after.hand(seat)) - Counter(before.hand(seat))).elements()
    return card


def test_information_sets_hold_what_the_seat_cannot_tell_apart() -> None:
    """The decisions of a set, as likely as chance alone makes them, give the others the oracle's hands."""
    tree = tree_of(SKIPS)
    seen = [each.observation for each in tree.information_sets]
    assert len(set(seen)) == len(seen)
    for each in tree.information_sets[::7]:
        assert len(each.decisions) == len(enumerate_deals(each.observation))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"players": 3}, "players=3"),
        ({"jump_in": True}, "jump_in=True"),
        ({"uno_penalty": 2}, "uno_penalty=2"),
        ({"draw_until_playable": True, "drawn_card": "may_play"}, "draw_until_playable=True"),
    ],
)
def test_foreign_rules_are_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(RulesError, match=said):
        build_tree(Rules.preset("mini", **change))


def test_a_deck_with_draw_cards_is_refused() -> None:
    with pytest.raises(RulesError, match=r"deck: .* this one has r\+2"):
        open_value(parse_rules("official"))


def test_too_large_a_tree_is_refused() -> None:
    with pytest.raises(RulesError, match=r"a round of mini must_play=false has more than 5,000 nodes"):
        build_tree(Rules.preset("mini", must_play=False), most_nodes=5_000)
    with pytest.raises(RulesError, match="rules must be Rules"):
        build_tree("mini")  # type: ignore[arg-type]


# Open hands


def test_open_hands_by_hand() -> None:
    """One card each of r1 r2 y1 y2 and one turned up: nobody ever has a choice.

    Two of the three cards that may be turned up match seat 0's card, which then goes out. The third is the opposite of
    it, so that seat 0 draws; seat 1's card is not the opposite and goes out.
    """
    assert open_value(parse_rules(TINY)) == pytest.approx(2 / 3)
    assert tree_of(TINY).num_decisions == 0
    assert expected_value(tree_of(TINY), ()) == pytest.approx(2 / 3)
    assert exploitability(tree_of(TINY), ()) == pytest.approx(0)


@pytest.mark.parametrize("rules", [SMALL, SKIPS])
def test_open_hands_by_plain_recursion_over_every_card(rules: str) -> None:
    assert open_value(parse_rules(rules)) == pytest.approx(0.5 + _minimax(LastcardGame(parse_rules(rules)).root))


def _minimax(now: Moment) -> float:
    """No memory, no merging: seat 0 takes the most, seat 1 the least, chance the mean."""
    if now.truth is None or now.is_drawing:
        pile = now.pile()
        return sum(n / len(pile) * _minimax(now.after_chance(card)) for card, n in Counter(pile).items())
    if now.truth.outcome:
        winner = now.truth.outcome.winner
        return 0.0 if winner is None else 0.5 - winner
    values = [_minimax(now.after_action(action)) for action in now.truth.legal_actions]
    return max(values) if now.truth.seat == 0 else min(values)


def test_seeing_all_hands_helps_who_starts_on_mini() -> None:
    assert open_value(Rules.preset("mini")) == pytest.approx(0.727228, abs=1e-6)


# Hidden hands: a game whose equilibrium everybody knows


def kuhn_poker() -> Tree:
    """H. W. Kuhn's poker of three cards, one chip each and one to bet: its value is -1/18 to who begins."""
    seen = [observe(deal(Rules.preset("mini")), seat) for seat in (0, 1)]
    sets: dict[tuple[int, str], InformationSet] = {}
    numbers = count()

    def decide(cards: tuple[int, int], bets: str) -> Decision:
        seat = len(bets) % 2
        known = sets.setdefault(
            (cards[seat], bets), InformationSet(len(sets), seen[seat], (parse_action("r1"), parse_action("r2")))
        )
        branches = tuple(follow_bet(cards, bets + bet) for bet in "pb")
        decision = Decision(next(numbers), seat, known.number, branches)
        known.decisions.append(decision)
        return decision

    def follow_bet(cards: tuple[int, int], bets: str) -> Branch:
        better = 1.0 if cards[0] > cards[1] else -1.0
        ends = {"pp": better, "bb": 2 * better, "pbb": 2 * better, "bp": 1.0, "pbp": -1.0}
        return Branch(ends[bets]) if bets in ends else Branch(0.0, [(1.0, decide(cards, bets))])

    root = Branch(0.0, [(1 / 6, decide((one, two), "")) for one, two in permutations(range(3), 2)])
    return Tree(Rules.preset("mini"), root, tuple(sets.values()), next(numbers), 6, 55, 30)


def test_kuhn_poker() -> None:
    tree = kuhn_poker()
    assert len(tree.information_sets) == 12
    assert exploitability(tree, uniform_policy(tree)) == pytest.approx(0.458333, abs=1e-6)  # as in the literature
    solver = CfrPlus(tree)
    solver.run(400)
    policy = solver.average()
    assert exploitability(tree, policy) < 5e-4
    assert expected_value(tree, policy) - 0.5 == pytest.approx(-1 / 18, abs=1e-3)
    queen_facing_bet = next(each.number for each in tree.information_sets if _is(tree, each, 1, 1, "b"))
    assert policy[queen_facing_bet][1] == pytest.approx(1 / 3, abs=0.02)  # calls one time in three


def _is(tree: Tree, each: InformationSet, seat: int, card: int, bets: str) -> bool:
    """Returns True if it is this seat's with this card after these bets; sets are numbered as they come up."""
    order = list(dict.fromkeys(_order()))
    return order[each.number] == (card, bets) and each.seat == seat


def _order() -> Iterator[tuple[int, str]]:
    for cards in permutations(range(3), 2):
        for bets in ("", "p", "pb", "b"):
            yield cards[len(bets) % 2], bets


# Hidden hands: OpenSpiel says the same


class TablePolicy(policy.Policy):  # type: ignore[misc]
    """One of our policies, as OpenSpiel asks for it."""

    def __init__(self, game: LastcardGame, tree: Tree, table: Policy) -> None:
        super().__init__(game, [0, 1])
        self._odds = {
            information_text(each.observation): {
                action.index: odds for action, odds in zip(each.actions, table[each.number], strict=True)
            }
            for each in tree.information_sets
        }

    def action_probabilities(self, state: LastcardState, player_id: int | None = None) -> dict[int, float]:
        legal = state.legal_actions()
        return {legal[0]: 1.0} if len(legal) == 1 else self._odds[state.information_state_string()]


@pytest.mark.parametrize("rules", [SMALL, SKIPS])
def test_openspiel_finds_the_same_exploitability_and_value(rules: str) -> None:
    tree, game = tree_of(rules), LastcardGame(parse_rules(rules))
    for table in (uniform_policy(tree), skewed_policy(tree), equilibrium_of(rules, 50)):
        asked = TablePolicy(game, tree, table)
        assert nash_conv(game, asked) / 2 == pytest.approx(exploitability(tree, table), abs=1e-6)
        value = policy_value(game.new_initial_state(), [asked, asked])
        assert value[0] == pytest.approx(expected_value(tree, table) - 0.5, abs=1e-6)


def skewed_policy(tree: Tree) -> Policy:
    """Some actions far likelier than others, so that the states of an information set differ in weight."""
    rng = random.Random(1)
    weights = [[rng.random() ** 4 + 0.01 for _ in each.actions] for each in tree.information_sets]
    return tuple(tuple(weight / sum(row) for weight in row) for row in weights)


@pytest.mark.parametrize("rules", [SMALL, SKIPS])
def test_openspiel_goes_the_same_way_to_the_same_equilibrium(rules: str) -> None:
    """The average policies after as many iterations are the same, and the values are as close as both can be."""
    tree, game = tree_of(rules), LastcardGame(parse_rules(rules))
    theirs = cfr.CFRPlusSolver(game)
    for _ in range(8):
        theirs.evaluate_and_update_policy()
    average = theirs.average_policy()
    ours = equilibrium_of(rules, 8)
    for each in tree.information_sets:
        odds = average.policy_for_key(information_text(each.observation))
        assert [odds[action.index] for action in each.actions] == pytest.approx(ours[each.number], abs=1e-9)
    better = equilibrium_of(rules, 50)
    # Either is off the value of the game by no more than it can be exploited for.
    apart = nash_conv(game, average) + 2 * exploitability(tree, better)
    assert apart < 0.02
    value = policy_value(game.new_initial_state(), [average, average])[0]
    assert abs(value - (expected_value(tree, better) - 0.5)) <= apart


# Hidden hands: mini itself


def test_the_equilibrium_of_mini() -> None:
    tree, policy = tree_of("mini"), equilibrium_of("mini", 30)
    assert exploitability(tree, policy) < 2e-4
    assert expected_value(tree, policy) == pytest.approx(0.690528, abs=2e-4)
    assert loss(tree, policy, policy).mean < 5e-4


def test_more_iterations_come_closer() -> None:
    solver, tree = CfrPlus(tree_of(SMALL)), tree_of(SMALL)
    heard: list[int] = []
    left = []
    for _ in range(3):
        solver.run(20, heard.append)
        left.append(exploitability(tree, solver.average()))
    assert left == sorted(left, reverse=True)
    assert left[-1] < left[0] / 3
    assert heard == list(range(1, 61))


def test_a_best_response_is_worth_what_it_says() -> None:
    """Playing by it against the policy wins just as often."""
    tree = tree_of(SMALL)
    uniform = uniform_policy(tree)
    for seat in (0, 1):
        best = best_response(tree, uniform, seat)
        table = list(uniform)
        for number, values in best.action_values.items():
            table[number] = tuple(float(index == values.index(max(values))) for index in range(len(values)))
        won = expected_value(tree, tuple(table))
        assert (won if seat == 0 else 1 - won) == pytest.approx(best.value)


def test_the_loss_of_a_round_is_what_the_best_response_wins_more() -> None:
    tree, opponent = tree_of(SMALL), equilibrium_of(SMALL, 50)
    policy = policy_of("heuristic", tree)
    given = 0.0
    for seat in (0, 1):
        table = tuple((policy if each.seat == seat else opponent)[each.number] for each in tree.information_sets)
        won = expected_value(tree, table)
        given += best_response(tree, opponent, seat).value - (won if seat == 0 else 1 - won)
    assert given > 0.005
    assert loss(tree, policy, opponent).round == pytest.approx(given / 2)


# Agents


def test_an_agent_is_asked_what_it_would_do() -> None:
    tree = tree_of(SMALL)
    for each, odds in zip(tree.information_sets, policy_of("heuristic", tree), strict=True):
        assert odds[each.actions.index(make_agent("heuristic").choose(each.observation))] == 1.0


def test_random_is_uniform_in_the_long_run() -> None:
    tree = tree_of(SMALL)
    shares: list[float] = []
    policy = policy_of("random", tree, 40, shares.append)
    mean = sum(odds[0] for odds in policy) / len(policy)
    assert mean == pytest.approx(0.5, abs=0.06)  # five standard errors and more: one alarm in a million
    assert shares[-1] == 1.0


def test_unknown_agents_are_refused() -> None:
    with pytest.raises(AgentError, match="no agent 'nobody'"):
        policy_of("nobody", tree_of(SMALL))
    with pytest.raises(AgentError, match="num_seeds must be from 1"):
        policy_of("random", tree_of(SMALL), 0)


@pytest.mark.long
def test_halving_loses_little_on_mini_and_less_with_more_simulations() -> None:
    tree, equilibrium = tree_of("mini"), equilibrium_of("mini", 30)
    rows = [
        mini.judge(name, tree, policy_of(name, tree), equilibrium)
        for name in ("halving:simulations=100", "halving:simulations=10000")
    ]
    assert mini.misses(rows) == []
    assert rows[1]["mean_loss"] < 0.003


def test_the_benchmark_asks_every_agent_but_champion_and_says_what_is_missed() -> None:
    names = mini.list_contestants()
    assert {name.partition(":")[0] for name in names} == {info.name for info in list_agents()} - {"champion"}
    assert "net:any" in names
    assert "halving:simulations=10000" in names
    rows = [{"agent": f"x:simulations={n}", "mean_loss": lost} for n, lost in ((100, 0.04), (10_000, 0.06))]
    assert mini.misses(rows) == [
        "x:simulations=10000: mean loss 0.0600 is not below 0.05",
        "x:simulations=10000: mean loss 0.0600 is not below 0.0400, that of 100 simulations",
    ]
