"""Records: they come back from text, JSON lines and files, replay to the same states, and are refused when spoiled."""

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from lastcard.actions import Action, parse_action
from lastcard.cards import format_cards, parse_cards
from lastcard.errors import AgentError, RecordError, StateError, StoppedError
from lastcard.observation import Observation
from lastcard.phase import Ending
from lastcard.record import MAX_RECORD_CHARACTERS, Record
from lastcard.rules import PRESETS, Rules, parse_rules
from lastcard.search import StopFlag, stopped_by
from lastcard.state import Outcome, State, deal
from lastcard.table import Table

GAMES = (
    *PRESETS,
    "house players=10 target_score=9000",
    "tournament players=2 stacking=any_up",
    "official scoring=lowest players=3",
)
LONG_ROUNDS = "official players=10 hand_size=10"


@cache
def game(rules_text: str, seed: int = 11, rounds: int = 4) -> Record:
    """The first rounds of a game of random agents."""
    rules = parse_rules(rules_text)
    table = Table(rules, ["random"] * rules.players, seed=seed)
    table.play_round()
    while not table.game_outcome and table.state.round_number < rounds:
        table.play_round()
    return table.record


@cache
def unfinished(rules_text: str, plies: int = 9) -> Record:
    """A finished round and the beginning of a second."""
    rules = parse_rules(rules_text)
    table = Table(rules, ["random"] * rules.players, seed=5)
    table.play_round()
    table.next_round()
    for _ in range(plies):
        if not table.state.is_over:
            table.play_ply()
    return table.record


@cache
def with_reshuffles() -> Record:
    """One round whose discards were reshuffled at least twice."""
    for seed in range(100):
        record = game(LONG_ROUNDS, seed, rounds=1)
        if len(record.rounds[0].reshuffles) >= 2:
            return record
    raise AssertionError("no round with two reshuffles in a hundred")


def refused(text: str, match: str = ".") -> None:
    """Text is refused with the record's own error, which says why."""
    with pytest.raises(RecordError, match=match) as caught:
        Record.from_text(text)
    assert type(caught.value) is RecordError
    assert str(caught.value).strip()


def refused_lines(text: str, match: str = ".") -> None:
    """JSON lines are refused with the record's own error, which says why."""
    with pytest.raises(RecordError, match=match) as caught:
        Record.from_json_lines(text)
    assert type(caught.value) is RecordError
    assert str(caught.value).strip()


# Round trips


@pytest.mark.parametrize("rules", GAMES)
def test_text_comes_back(rules: str) -> None:
    record = game(rules)
    assert len(record.rounds) > 1
    assert Record.from_text(record.to_text()) == record


@pytest.mark.parametrize("rules", GAMES)
def test_json_lines_come_back(rules: str) -> None:
    record = game(rules)
    assert Record.from_json_lines(record.to_json_lines()) == record
    assert len(record.to_json_lines().splitlines()) == 1 + len(record.rounds)


@pytest.mark.parametrize("rules", GAMES)
def test_unfinished_rounds_come_back(rules: str) -> None:
    record = unfinished(rules)
    assert record.rounds[0].outcome is not None
    assert Record.from_text(record.to_text()) == record
    assert Record.from_json_lines(record.to_json_lines()) == record


@pytest.mark.parametrize("plies", [0, 1])
def test_a_round_that_has_hardly_begun_comes_back(plies: int) -> None:
    record = unfinished("official", plies)
    assert (record.rounds[1].outcome, len(record.rounds[1].actions)) == (None, plies)
    assert Record.from_text(record.to_text()) == record


def test_reshuffles_come_back() -> None:
    record = with_reshuffles()
    assert Record.from_text(record.to_text()) == record
    assert Record.from_json_lines(record.to_json_lines()) == record


def test_a_game_before_the_first_deal_comes_back() -> None:
    record = Table(Rules.preset("mini"), ["random", "heuristic"], seed=2**256 - 1).record
    assert record.rounds == ()
    assert Record.from_text(record.to_text()) == record == Record.from_json_lines(record.to_json_lines())


def test_seeds_can_be_withheld() -> None:
    full = with_reshuffles()
    record = replace(full, seed=None, rounds=tuple(replace(played, seed=None) for played in full.rounds))
    assert "Seed" not in record.to_text()
    assert Record.from_text(record.to_text()) == record == Record.from_json_lines(record.to_json_lines())
    last = list(record.states())[-1]
    assert last.outcome == full.rounds[0].outcome


@pytest.mark.parametrize("name", ["round.txt", "round.jsonl", "round"])
def test_files_come_back(tmp_path: Path, name: str) -> None:
    record = game("house")
    record.save(tmp_path / name)
    assert Record.load(tmp_path / name) == record
    record.save(str(tmp_path / name))
    assert Record.load(str(tmp_path / name)) == record
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_the_file_name_says_which_form() -> None:
    record = game("mini")
    assert record.to_text().startswith('[Lastcard "1"]\n[Rules "mini"]\n[Seat0 "random"]\n')
    assert json.loads(record.to_json_lines().splitlines()[0])["lastcard"] == 1


def test_text_is_readable() -> None:
    text = game("house").to_text()
    assert all(len(line) <= 100 for line in text.splitlines())
    assert re.search(r"^0: \S+ ", text, re.MULTILINE)


NAMES = (
    'say "hi"',
    "two  spaces",
    " led",
    "alpha-beta-" * 9 + " x",
    "new\nline",
    "",
    "[x]",
    "ø:",
    "\U0001f0cf",
    "half \ud83c",
    "bell \a",
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["text", "json"])
def test_any_name_of_an_agent_comes_back(name: str, form: str) -> None:
    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

        def choose(self, observation: Observation) -> Action:
            return observation.legal_actions[0]

    try:
        record = Table(Rules.preset("mini"), [Named(name), "random"], seed=1).play_round()
    except AgentError:  # a name may be refused, but not lost
        return
    assert record.agents == (name, "random")
    back = Record.from_text(record.to_text()) if form == "text" else Record.from_json_lines(record.to_json_lines())
    assert back == record


# Replays


@pytest.mark.parametrize("rules", GAMES)
def test_a_replay_goes_through_the_same_states(rules: str) -> None:
    made = parse_rules(rules)
    table = Table(made, ["random"] * made.players, seed=3)
    seen = [table.state.copy()]
    while not table.state.is_over:
        table.play_ply()
        seen.append(table.state.copy())
    for record in (table.record, Record.from_text(table.record.to_text())):
        replayed = list(record.states())
        assert replayed == seen
        assert [state.to_dict() for state in replayed] == [state.to_dict() for state in seen]
        assert all(state == before for state, before in zip(record.replay(), seen, strict=True))
        first, *later = record.replay()
        assert all(state is first for state in later)
        assert first == seen[-1]


def test_a_replay_starts_and_ends_where_the_record_says() -> None:
    record = game("official")
    for index, played in enumerate(record.rounds):
        states: list[State] = list(record.states(index))
        assert len(states) == len(played.actions) + 1
        assert states[0].scores == played.scores
        assert (states[0].dealer, states[0].round_number) == (played.dealer, played.number)
        assert states[-1].outcome == played.outcome
    for before, after in zip(record.rounds, record.rounds[1:], strict=False):
        assert before.outcome is not None
        assert after.scores == tuple(map(sum, zip(before.scores, before.outcome.points, strict=True)))


def test_there_is_no_round_beyond_the_last() -> None:
    record = game("mini", rounds=2)
    with pytest.raises(RecordError, match="round_index must be from 0 to 1, not 2"):
        list(record.states(2))
    with pytest.raises(RecordError, match="round_index must be from 0 to 1, not -1"):
        list(record.states(-1))


# Spoiled records


@pytest.mark.parametrize("make", [game, unfinished])
def test_a_truncated_text_is_refused_or_a_whole_shorter_record(make: Callable[[str], Record]) -> None:
    record = make("house")
    text = record.to_text()
    refusals = 0
    for end in range(0, len(text) - 1, 200):
        try:
            read = Record.from_text(text[:end])
        except RecordError:
            refusals += 1
        else:  # cut at the end of a round, or in the midst of a round that has no result to miss
            for cut, whole in zip(read.rounds, record.rounds, strict=False):
                assert cut == whole or (cut.outcome is None and cut.actions == whole.actions[: len(cut.actions)])
            assert len(read.rounds) <= len(record.rounds)
    assert refusals > len(text) // 400


def test_truncated_json_lines_are_refused() -> None:
    text = game("house").to_json_lines()
    whole = {match.end() for match in re.finditer("\n|}", text)}
    for end in range(0, len(text) - 1, 200):
        if end not in whole:
            refused_lines(text[:end])


HEADERS = ("Lastcard", "Rules", "Seat0", "Seat1", "Seat9", "Round", "Dealer", "Scores", "Deck", "Reshuffle", "Result")


@pytest.mark.parametrize("name", HEADERS)
def test_a_missing_header_is_named(name: str) -> None:
    text = with_reshuffles().to_text()
    without, count = re.subn(rf'\[{name} "[^"]*"\]\n', "", text, count=1)
    assert count == 1
    named = {
        "Lastcard": "not a lastcard record",
        "Round": "stands before the first round|header Reshuffle is given twice",
        "Reshuffle": "reshuffle",
        "Result": "the record says no result, the actions lead to [0-9] went_out",
    }
    refused(without, named.get(name, f"header {name} is missing"))


@pytest.mark.parametrize("name", [name for name in HEADERS if name != "Round"])
def test_a_header_given_twice_is_refused(name: str) -> None:
    text = with_reshuffles().to_text()
    twice, count = re.subn(rf'(\[{name} "[^"]*"\]\n)', r"\1\1", text, count=1)
    assert count == 1
    refused(twice, "reshuffle" if name == "Reshuffle" else f"header {name} is given twice")


@pytest.mark.parametrize(
    ("name", "value", "match"),
    [
        ("Rules", "oficial", "no rules preset 'oficial'"),
        ("Rules", "official players=11", "players must be from 2 to 10, not 11"),
        ("Rules", "official players=3 hand_size=10", "unknown header 'Seat3'"),
        ("Rules", "", "expected a preset"),
        ("Seed", "eleven", "Seed: 'eleven' is not a whole number"),
        ("Seed", "-1", "(?i)seed"),
        ("Seed", "9" * 79, "(?i)seed"),
        ("RoundSeed", "9" * 79, "(?i)seed must be"),
        ("RoundSeed", "9" * 999, "RoundSeed: .* is not a whole number"),
        ("Round", "0", "round_number must be from 1"),
        ("Round", "1e9", "Round: '1e9' is not a whole number"),
        ("Dealer", "10", "dealer must be from 0 to 9, not 10"),
        ("Dealer", "-1", "dealer must be from 0 to 9, not -1"),
        ("Scores", "0 0", "scores must have one number for each of 10 seats"),
        ("Scores", "0 0 0 0 0 0 0 0 0 x", "Scores: 'x' is not a whole number"),
        ("Scores", "0 0 0 0 0 0 0 0 0 99999999999", "scores must be from"),
        ("Deck", "", "deck: 0 of r0 where the deck has 1"),
        ("Deck", "r5 r5 q9", "'q9' is not a card"),
        ("Reshuffle", "w+4", "reshuffle"),
        ("Reshuffle", "w " * 60, "reshuffle"),
        ("Reshuffle", "w+4 " * 112, "reshuffle"),
        ("Reshuffle", "w+4 " * 500, "reshuffle"),
        ("Reshuffle", "", "reshuffle"),
        ("Result", "0", "'0' is not a result; expected one such as"),
        ("Result", "0 fell_asleep 1 2 3 4 5 6 7 8 9 0", "is not a result"),
        ("Result", "nobody max_plies 0 0 0 0 0 0 0 0 0 0", "the record says .* the actions lead to"),
    ],
)
def test_a_wrong_value_of_a_header_is_named(name: str, value: str, match: str) -> None:
    text = with_reshuffles().to_text()
    edited, count = re.subn(rf'\[{name} "[^"]*"\]', f'[{name} "{value}"]', text, count=1)
    assert count == 1
    refused(edited, match)


def test_a_wrong_winner_and_wrong_points_are_refused() -> None:
    record = game("official", rounds=1)
    played = record.rounds[0]
    assert played.outcome is not None
    assert played.outcome.winner is not None
    text = record.to_text()
    points = " ".join(map(str, played.outcome.points))
    result = f"{played.outcome.winner} went_out {points}"
    assert result in text
    refused(text.replace(result, f"{1 - played.outcome.winner} went_out {points}"), "the actions lead to")
    refused(text.replace(result, f"{result}0"), "the actions lead to")
    refused(text.replace(result, f"{played.outcome.winner} blocked {points}"), "the actions lead to")
    refused(text.replace(result, f"{result} 0"), "the actions lead to")


def test_scores_must_follow_from_the_rounds_before() -> None:
    record = game("official", rounds=3)
    assert len(record.rounds) == 3
    late = replace(record.rounds[2], scores=tuple(score + 7 for score in record.rounds[2].scores))
    refused_lines(replace(record, rounds=(*record.rounds[:2], late)).to_json_lines(), "(?i)scores")


def test_every_edited_action_is_refused() -> None:
    record = game("house", rounds=1)
    played = record.rounds[0]
    illegal = parse_action("color:g")  # legal only on a turned-up Wild
    for ply in range(len(played.actions)):
        actions = (*played.actions[:ply], illegal, *played.actions[ply + 1 :])
        lines = replace(record, rounds=(replace(played, actions=actions),)).to_json_lines()
        refused_lines(lines, f"round 1, ply {ply + 1}: color:g is not possible")


def test_a_left_out_or_doubled_action_is_refused() -> None:
    record = game("official", rounds=1)
    played = record.rounds[0]
    for ply in range(len(played.actions)):
        shorter = played.actions[:ply] + played.actions[ply + 1 :]
        longer = played.actions[: ply + 1] + played.actions[ply:]
        for kept in (shorter, longer):
            states = replace(record, rounds=(replace(played, actions=kept),)).states()
            try:
                finals = list(states)
            except RecordError:
                continue
            assert finals[-1].outcome == played.outcome  # a Draw the round could do without, say


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("0:", "1:", "round 1, word 1: read 1:, expected 0:"),
        ("0:", "0: 0:", "round 1, word 2: read 0:, expected"),
        ("0: ", "", "round 1, word 1: read .*, expected 0:"),
        ("0:", "7:", "read 7:, expected 0:"),
        ("0:", "zero:", "'zero:' is not an action"),
        ("0:", '"', "neither a header nor an action"),
        ("0:", "[", "neither a header nor an action"),
    ],
)
def test_a_wrong_speaker_is_refused(old: str, new: str, match: str) -> None:
    head, actions = game("official", 12, rounds=1).to_text().split("\n\n0:")
    refused(f"{head}\n\n" + f"0:{actions}".replace(old, new, 1), match)


def test_a_speaker_at_the_end_is_refused() -> None:
    refused(game("official", rounds=1).to_text() + "0:\n", "words where")


def test_actions_after_the_end_are_refused() -> None:
    refused(game("official", rounds=1).to_text() + "0: draw\n", "the round is over")


def test_cards_swapped_in_the_deck_are_refused() -> None:
    """The card that is played first was not dealt but lies at the bottom of the deck."""
    tried = 0
    for seed in range(20):
        record = game("official", seed, rounds=1)
        played = record.rounds[0]
        card = played.actions[0].card
        deck = list(played.deck)
        dealt = [i for i in range(len(deck) - 20, len(deck)) if deck[i] is card]
        others = [i for i in range(10) if deck[i] is not card]
        # The deal shuffles a Wild Draw Four on top back, which fails earlier: its reshuffle has other cards now.
        if card is None or deck[-15] is card or deck[-15].text == "w+4":
            continue
        for i, j in zip(dealt, others, strict=False):
            deck[i], deck[j] = deck[j], deck[i]
        tried += 1
        swapped = replace(record, rounds=(replace(played, deck=tuple(deck)),))
        refused_lines(swapped.to_json_lines(), f"round 1, ply 1: {re.escape(str(card))} is not in the hand")
    assert tried >= 5


def test_cards_swapped_below_what_was_drawn_change_nothing_but_the_deck() -> None:
    record = game("official", rounds=1)
    played = record.rounds[0]
    deck = list(played.deck)
    at = next(i for i in range(1, len(deck)) if deck[i] is not deck[0])
    deck[0], deck[at] = deck[at], deck[0]
    if not played.reshuffles:
        read = Record.from_text(replace(record, rounds=(replace(played, deck=tuple(deck)),)).to_text())
        assert read.rounds[0].outcome == played.outcome


def test_a_foreign_card_in_the_deck_is_refused() -> None:
    record = game("numbers", rounds=1)
    text = record.to_text()
    deck = format_cards(record.rounds[0].deck).split()[0]
    refused(text.replace(f'[Deck "{deck} ', '[Deck "w ', 1), "deck: .* where the deck has")


def test_a_reshuffle_of_other_cards_is_refused() -> None:
    record = with_reshuffles()
    played = record.rounds[0]
    first, *rest = played.reshuffles
    other = next(card for card in played.deck if first.count(card) < record.rules.deck[card])
    for wrong in ((other, *first[1:]), first[1:], (*first, other)):
        if sorted(wrong) == sorted(first):
            continue
        spoiled = replace(record, rounds=(replace(played, reshuffles=(wrong, *rest)),))
        refused_lines(spoiled.to_json_lines(), "round 1, ply .*reshuffle does not hold the cards that were discarded")


def test_a_reshuffle_of_other_cards_at_the_deal_is_refused() -> None:
    """A Wild Draw Four that is turned up is shuffled back (Rule 2.4): there need not be an action."""
    for seed in range(1000):
        table = Table(Rules.preset("official"), ["random", "random"], seed=seed)
        if table.state.reshuffle_orders:
            break
    record = table.record
    (played,) = record.rounds
    assert (played.actions, Record.from_text(record.to_text())) == ((), record)
    (order,) = played.reshuffles
    others = tuple(card for card in played.deck if card not in order)
    wrong = replace(played, reshuffles=((*order[:-1], others[0]),))
    with pytest.raises(RecordError, match="the recorded reshuffle does not hold the cards that were discarded"):
        replace(record, rounds=(wrong,)).check()


def test_reshuffles_in_the_wrong_order_or_number_are_refused() -> None:
    record = with_reshuffles()
    played = record.rounds[0]
    extra = parse_cards("r1 r2")
    for wrong in (played.reshuffles[::-1], played.reshuffles[:-1], (), (*played.reshuffles, extra)):
        spoiled = replace(record, rounds=(replace(played, reshuffles=wrong),))
        if wrong:
            refused_lines(spoiled.to_json_lines(), "reshuffle")
        else:
            refused_lines(spoiled.to_json_lines(), "0 reshuffles recorded")


def test_another_order_of_a_reshuffle_leads_elsewhere() -> None:
    """The order is taken from the record, not from the seed."""
    record = with_reshuffles()
    played = record.rounds[0]
    first, *rest = played.reshuffles
    reversed_first = replace(record, rounds=(replace(played, reshuffles=(first[::-1], *rest)),))
    try:
        finals = list(reversed_first.states())
    except RecordError:
        return
    assert finals[-1].reshuffle_orders[0] == first[::-1]


@pytest.mark.parametrize("version", ["2", "0", "01", "", "one", "1.0", "-1"])
def test_a_foreign_version_is_refused(version: str) -> None:
    text = game("mini", rounds=1).to_text()
    refused(text.replace('[Lastcard "1"]', f'[Lastcard "{version}"]'), "not a lastcard record of version 1")


@pytest.mark.parametrize("version", ["2", "null", "[]", '"one"', "1.5", "{}", "true"])
def test_a_foreign_version_of_json_is_refused(version: str) -> None:
    text = game("mini", rounds=1).to_json_lines()
    refused_lines(text.replace('"lastcard": 1', f'"lastcard": {version}', 1), "not a lastcard record of version 1")


@pytest.mark.parametrize("value", [None, 7, b"[Lastcard]", ["[Lastcard]"], Path("x")])
def test_what_is_not_text_is_refused(value: str) -> None:
    refused(value, "expected a record as text")
    refused_lines(value, "expected a record as text")


@pytest.mark.parametrize("text", ["", " \n\t", "hello", "[", '[Event "chess"]', "1. e4 e5", "\0", "{}", "\ud800"])
def test_other_text_is_refused(text: str) -> None:
    refused(text, "record|header")
    refused_lines(text, "record|JSON")


def test_huge_text_is_refused_unread() -> None:
    text = "[" * (MAX_RECORD_CHARACTERS + 1)
    refused(text, "at most 20,000,000 characters, this one 20,000,001")
    refused_lines(text, "at most 20,000,000 characters, this one 20,000,001")


def test_a_refusal_leaves_no_trace_in_the_next() -> None:
    """The core puts the place of a mistake before its message, and takes it away again."""
    text = game("mini", rounds=1).to_text()
    for spoiled in (text.replace("Deck", "Dekc"), text.replace('[Rules "mini"]', '[Rules "mimi"]')):
        refused(spoiled, "^line [0-9]+: ")
    with pytest.raises(StateError, match=r"^deck: 0 of r0 where the deck has 1$"):
        deal(Rules.preset("mini"), deck=[])


def test_long_nonsense_is_refused() -> None:
    head = game("mini", rounds=1).to_text().split("\n\n")[0]
    refused(f'{head}\n[Round "1"]\n' + "draw " * 50_000)
    refused(head + "\n" * 100_000 + "[" * 100_000)
    refused(f'[Lastcard "1"]\n[Rules "{"x" * 1_000_000}"]', "no rules preset")
    refused_lines("[" * 1_000_000)
    refused_lines('{"a":' * 100_000)
    refused_lines('{"lastcard": [' + "1," * 1_000_000 + "1]}", "is not JSON")
    refused_lines(f'{{"lastcard": {"1" * 10_000}}}')


@pytest.mark.parametrize(
    ("field", "value", "match"),
    [
        ("round", None, "round must be a whole number"),
        ("round", "1", "round must be a whole number"),
        ("round", True, "round must be a whole number"),
        ("round", 0, "round_number must be from 1"),
        ("dealer", 2, "dealer must be from 0 to 1"),
        ("dealer", 0.5, "dealer must be a whole number"),
        ("scores", [0], r"scores must have one number for each of 2 seats, not \(0\)"),
        ("scores", [], r"scores must have one number for each of 2 seats, not \(\)"),
        ("scores", {"0": 1}, "scores must be a list"),
        ("scores", [0, None], "scores must be a whole number"),
        ("seed", -1, "seed must be from 0"),
        ("seed", 2**256, "seed must be from 0"),
        ("deck", None, "deck must be text"),
        ("deck", ["r5"], "deck must be text"),
        ("deck", "r5", "deck: .* where the deck has"),
        ("reshuffles", "r5", "reshuffles must be a list"),
        ("reshuffles", [["r5"]], "expected cards as text"),
        ("reshuffles", [None], "expected cards as text"),
        ("actions", None, "actions must be text"),
        ("actions", "fly", "'fly' is not an action"),
        ("actions", "color:r", "color:r is not possible"),
        ("outcome", None, "the record says no result"),
        ("outcome", [], "outcome must be an object"),
        ("outcome", {}, "is not a result"),
        ("outcome", {"winner": 0, "reason": "went_out", "points": "3"}, "points must be a list"),
        ("outcome", {"winner": 0.0, "reason": "went_out", "points": [1, 2]}, "is not a result"),
        ("outcome", {"winner": 5, "reason": "went_out", "points": [1, 2]}, "the actions lead to"),
    ],
)
def test_a_wrong_value_in_a_round_of_json_is_named(field: str, value: object, match: str) -> None:
    head, played = game("mini", rounds=1).to_json_lines().splitlines()
    refused_lines(f"{head}\n{json.dumps({**json.loads(played), field: value})}\n", match)


@pytest.mark.parametrize(
    ("field", "value", "match"),
    [
        ("rules", None, "rules must be a mapping"),
        ("rules", {"players": 99}, "players must be from 2 to 10"),
        ("rules", {"colour": 1}, "rules have no field 'colour'"),
        ("agents", None, "agents must be a list"),
        ("agents", ["random"], "1 agents recorded for 2 seats"),
        ("agents", ["random"] * 3, "3 agents recorded for 2 seats"),
        ("seed", "11", "seed must be a whole number"),
        ("seed", -11, "seed must be from 0"),
    ],
)
def test_a_wrong_value_in_the_head_of_json_is_named(field: str, value: object, match: str) -> None:
    head, played = game("mini", rounds=1).to_json_lines().splitlines()
    refused_lines(f"{json.dumps({**json.loads(head), field: value})}\n{played}\n", match)


@pytest.mark.parametrize("line", ["[]", "3", '"x"', "null", "{", "{'a': 1}", "NaN", "{}"])
def test_a_line_of_json_that_is_no_round_is_refused(line: str) -> None:
    refused_lines(game("mini", rounds=1).to_json_lines() + line + "\n")


@pytest.mark.parametrize("number", ["01", "1.", ".5", "+1", "1e", "- 1", "0x1", "NaN"])
def test_json_is_read_strictly(number: str) -> None:
    text = game("mini", rounds=1).to_json_lines()
    assert '"dealer": 1,' in text
    refused_lines(text.replace('"dealer": 1,', f'"dealer": {number},'), "^line 2: .* is not JSON$")


def test_the_last_of_two_equal_fields_counts() -> None:
    record = game("mini", rounds=1)
    text = record.to_json_lines().replace('"dealer": 1,', '"dealer": 0, "dealer": 1,')
    assert Record.from_json_lines(text) == record


def test_what_cannot_be_seen_is_escaped_in_a_refusal() -> None:
    text = game("mini", rounds=1).to_text()
    refused(text.replace("0: ", "0: \u2028\x07\ud800 ", 1), r"'\\u2028\\x07\\ud800' is not an action")


# Files


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"cannot read .*gone\.txt': No such file"):
        Record.load(tmp_path / "gone.txt")
    with pytest.raises(RecordError, match=r"cannot read .*Is a directory"):
        Record.load(tmp_path)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x80abc", bytes(range(256))])
def test_a_file_that_is_not_text(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "noise").write_bytes(content)
    with pytest.raises(RecordError, match="is not a record: it is not text"):
        Record.load(tmp_path / "noise")


def test_a_file_of_something_else(tmp_path: Path) -> None:
    for content in ("", "hello", "{}", "{", '{"lastcard": 2}'):
        (tmp_path / "other.txt").write_text(content)
        with pytest.raises(RecordError):
            Record.load(tmp_path / "other.txt")


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    record = game("mini", rounds=1)
    with pytest.raises(RecordError, match=r"cannot write .*there is no folder"):
        record.save(tmp_path / "gone" / "record.txt")
    (tmp_path / "folder").mkdir()
    with pytest.raises(RecordError, match=r"cannot write .*directory"):
        record.save(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("path", ["nu\0ll.txt", "nu\0ll.jsonl"])
def test_an_impossible_file_name_is_refused(path: str) -> None:
    with pytest.raises(RecordError, match="not a valid file name"):
        game("mini", rounds=1).save(path)
    with pytest.raises(RecordError, match="not a valid file name"):
        Record.load(path)


def test_a_failed_save_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "record.txt"
    game("mini", rounds=1).save(path)
    kept = path.read_text()

    def fail(part: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(RecordError, match="No space left"):
        game("house", rounds=1).save(path)
    assert path.read_text() == kept
    assert [file.name for file in tmp_path.iterdir()] == ["record.txt"]


# Values of other types


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(12, Ending.WENT_OUT, (0, 0)),
        Outcome(0, "luck", (0, 0)),  # type: ignore[arg-type]
        Outcome(0, Ending.WENT_OUT, (2**40, 0)),
        Outcome(0, Ending.WENT_OUT, ("x", 0)),  # type: ignore[arg-type]
        Outcome("x", Ending.WENT_OUT, (0, 0)),  # type: ignore[arg-type]
    ],
)
def test_an_outcome_that_cannot_be_is_refused_as_a_record(outcome: Outcome) -> None:
    record = game("official", 1, rounds=1)
    wrong = replace(record, rounds=(replace(record.rounds[0], outcome=outcome),))
    for use in (wrong.check, wrong.to_text, wrong.to_json_lines):
        with pytest.raises(RecordError, match="round 1: "):
            use()


def test_names_and_seeds_that_cannot_be_are_refused_as_a_record() -> None:
    record = game("official", 1, rounds=1)
    with pytest.raises(RecordError, match="agents must be names, not 7"):
        replace(record, agents=("random", 7)).to_json_lines()  # type: ignore[arg-type]
    with pytest.raises(RecordError, match="seed must be a whole number"):
        replace(record, seed=-1).check()


def test_a_refusal_can_show_half_a_character() -> None:
    with pytest.raises(RecordError, match=r"line 1: agents .*\\ud800"):
        Record.from_json_lines('{"lastcard":1,"rules":{},"agents":"\\ud800"}')


def test_control_characters_are_no_digits() -> None:
    with pytest.raises(RecordError, match="line 1: "):
        Record.from_json_lines('{"lastcard":1,"rules":{},"agents":["\\u\x10\x10\x14\x11","b"]}')


def test_reading_and_replaying_can_be_stopped() -> None:
    record = game("official", 1, rounds=1)
    text, lines = record.to_text(), record.to_json_lines()
    flag = StopFlag()
    flag.set()
    for use in (record.check, record.to_text, lambda: Record.from_text(text), lambda: Record.from_json_lines(lines)):
        with pytest.raises(StoppedError), stopped_by(flag):
            use()
    assert Record.from_text(text).check() == record
