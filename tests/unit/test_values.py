"""Shared behavior of values: they compare, show themselves, and have the names that people use."""

import operator

import pytest

import lastcard as lc
from lastcard import Belief, BeliefConfig, Card, Color, Rank, Rules, RulesError, StateError, parse_card, parse_color
from lastcard.actions import ACTIONS
from lastcard.advice import Situation
from lastcard.agents import find_agent, find_level

COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge)


@pytest.mark.parametrize("compare", COMPARISONS, ids=lambda compare: compare.__name__)
def test_cards_and_actions_compare_by_their_order(compare: object) -> None:
    assert callable(compare)
    for values in (lc.CARDS[::7], ACTIONS[::9]):
        for i, one in enumerate(values):
            assert [compare(one, other) for other in values] == [compare(i, j) for j in range(len(values))]
        for other in (3, None, "r5"):
            with pytest.raises(TypeError, match="not supported between"):
                compare(values[0], other)
    with pytest.raises(TypeError, match="not supported between"):
        compare(lc.CARDS[0], ACTIONS[0])


@pytest.mark.parametrize("text", ["r", "R", "red", "Red", " RED "])
def test_colors_have_letters_and_names(text: str) -> None:
    assert parse_color(text) is Color.RED


def test_case_does_not_matter() -> None:
    assert Rules.preset("Official") == Rules.preset("official")
    assert lc.parse_rules("HOUSE Stacking=SAME Jump_In=No deck=Numbers") == Rules.preset(
        "house", stacking="same", jump_in=False, deck="numbers"
    )
    assert find_agent("Heuristic").name == find_agent(" HEURISTIC ").name == "heuristic"
    assert find_level("Hard").name == "hard"


@pytest.mark.parametrize(
    ("ask", "meant"),
    [
        (lambda: Rules.preset("offical"), "official"),
        (lambda: lc.parse_rules("Huose"), "house"),
        (lambda: Rules.preset("official", stackin="same"), "stacking"),
        (lambda: lc.parse_rules("official must_pley=true"), "must_play"),
        (lambda: lc.make_agent("heuristics"), "heuristic"),
        (lambda: lc.make_agent("Halfing:simulations=5"), "halving"),
        (lambda: lc.make_agent("halving:simulation=5"), "simulations"),
        (lambda: find_level("harder"), "hard"),
    ],
)
def test_a_name_that_is_nearly_right_is_suggested(ask: object, meant: str) -> None:
    assert callable(ask)
    with pytest.raises(lc.LastcardError, match=rf"\(did you mean '{meant}'\?\)"):
        ask()


def test_decks_have_names() -> None:
    numbers = Rules.preset("official", deck="numbers")
    assert numbers.deck == Rules.preset("numbers").deck
    assert numbers == Rules.preset("official").replace(deck="Numbers") == lc.parse_rules("official deck=numbers")
    assert Rules(deck="r0 r1 r2 r3", hand_size=1).deck.num_cards == 4  # type: ignore[arg-type]
    said = "deck must be official, numbers, mini, mini-bluff or its cards: 'small' is not a card"
    with pytest.raises(RulesError, match=said):
        Rules.preset("official", deck="small")


@pytest.mark.parametrize("text", ["official", "house players=3", "official deck=numbers", "mini deck=r0,r1,r2,y0,y1"])
def test_rules_show_themselves_shortly(text: str) -> None:
    rules = lc.parse_rules(text)
    assert len(repr(rules)) < 80
    assert eval(repr(rules)) == rules


def test_nothing_shows_itself_by_its_address() -> None:
    table = lc.Table(Rules.preset("official"), ["heuristic", "random"], seed=7)
    observation = lc.observe(table.state, 0)
    agents = [lc.make_agent(info.name) for info in lc.list_agents()]
    shown = [repr(value) for value in (table, table.state, observation, lc.spectate(table.state), *agents)]
    shown += [repr(Belief(observation, BeliefConfig("uniform"))), repr(lc.Pomcp()), repr(table.record)]
    assert not [text for text in shown if " object at 0x" in text]
    assert repr(lc.make_agent("halving:simulations=5")) == "<Agent halving:simulations=5>"
    assert repr(lc.make_agent("random")) == "<Agent random>"


def test_a_belief_tells_of_one_card() -> None:
    observation = lc.observe(lc.deal(Rules.preset("official"), seed=7), 0)
    for kind in ("uniform", "particle"):
        belief = Belief(observation, BeliefConfig(kind))
        marginals = belief.marginals()[1]
        for card in lc.CARDS[::5]:
            assert belief.probability(1, card=card) == pytest.approx(marginals[card])
            assert belief.probability(1, card=card) == belief.probability(1, color=card.color, rank=card.rank)
    red = parse_card("r5")
    for wrong in ({"card": "r5"}, {"card": red, "color": Color.RED}, {"card": red, "rank": Rank.ONE}):
        with pytest.raises(StateError, match=r"give card=parse_card\('r5'\) by itself"):
            belief.probability(1, **wrong)


def test_a_situation_can_be_told_in_notation() -> None:
    told = Situation(hand="r5 bR w", top="g7", opponents="7,5", history="2 plays g7", direction="forward")  # type: ignore[arg-type]
    assert told == Situation.parse(hand="r5 bR w", top="g7", opponents="7,5", history="2 plays g7")
    assert told.hand == tuple(map(parse_card, ("r5", "bR", "w")))
    assert Situation(hand=list(told.hand), top=told.top, opponents=[7, 5]).opponents == (7, 5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hand": 5}, "`hand` must be text such as 'r5 bR w' or Card values, not 5"),
        ({"hand": ["r5"]}, "`hand` must be text such as 'r5 bR w' or Card values, not 'r5'"),
        ({"top": None}, "`top` must be text such as 'g7' or Card, not None"),
        ({"top": "x"}, "`top`: 'x' is not a card"),
        ({"opponents": 7.0}, "`opponents` must be text such as '7,5,3' or int values, not 7.0"),
        ({"rules": None}, "`rules` must be text such as 'official' or Rules, not None"),
        ({"called": 3}, "`called` must be text such as 'g' or Color, not 3"),
        ({"history": [3]}, "`history` must be text"),
        ({"direction": 5}, "`direction` must be 1 or -1, not 5"),
    ],
)
def test_a_situation_refuses_what_it_cannot_read(changes: dict[str, object], message: str) -> None:
    fields: dict[str, object] = {"hand": "r5 bR w", "top": "g7", "opponents": "7"}
    with pytest.raises(lc.LastcardError) as refused:
        Situation(**{**fields, **changes})  # type: ignore[arg-type]
    assert message in str(refused.value)


def test_a_card_says_what_it_is() -> None:
    assert eval(repr(Card(Color.RED, Rank.FIVE))) is parse_card("r5")
