"""The table: it deals, asks, refuses, keeps score and the record, goes back and goes on."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from lastcard.actions import Action, parse_action
from lastcard.agents import Agent, make_agent
from lastcard.errors import AgentError, IllegalActionError, LastcardError, RecordError, RulesError, StateError
from lastcard.observation import Observation
from lastcard.record import Record
from lastcard.rules import PRESETS, Rules, parse_rules
from lastcard.seeds import split_seed
from lastcard.state import deal
from lastcard.table import GameOutcome, Table, judge_game

LONG_ROUNDS = "official players=10 hand_size=10"


@dataclass
class Scripted:
    """Answers as told, then the first legal action; remembers what it was shown."""

    answers: list[object] = field(default_factory=list)
    shown: list[Observation] = field(default_factory=list)

    def choose(self, observation: Observation) -> Action:
        self.shown.append(observation)
        answer = self.answers.pop(0) if self.answers else observation.legal_actions[0]
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[return-value]


def seated(rules: str, agent: str = "random", seed: int = 7) -> Table:
    """A table of one kind of agent."""
    made = parse_rules(rules)
    return Table(made, [agent] * made.players, seed=seed)


# Agents


def test_agents_sit_by_name_with_options_and_as_objects() -> None:
    class Quiet(Scripted):
        name = "a quiet one"

    agents: list[str | Agent] = ["halving:simulations=50", "random", Quiet(), Scripted()]
    table = Table(Rules.preset("house"), agents, seed=1)
    assert table.names == ("halving:simulations=50", "random", "a quiet one", "Scripted")
    assert table.agents[2] is agents[2]
    record = table.play_round()
    assert record.agents == table.names
    assert Record.from_text(record.to_text()) == record


def test_each_seat_is_shown_its_own_observation() -> None:
    agents = [Scripted() for _ in range(3)]
    Table(Rules.preset("official", players=3), agents, seed=2).play_round()
    for seat, agent in enumerate(agents):
        assert agent.shown
        assert all(shown.observer == shown.seat == seat for shown in agent.shown)


def test_agents_that_go_by_name_do_not_share_their_randomness() -> None:
    table = Table(Rules.preset("official"), ["random", "random"], seed=3)
    state = deal(Rules.preset("official"), seed=1)
    observations = [Scripted() for _ in range(2)]
    Table(Rules.preset("official"), observations, seed=3).play_round()
    shown = [each for each in observations[0].shown if len(each.legal_actions) > 2]
    assert len(shown) > 5
    assert state.seat == 0
    first, second = ([agent.choose(each) for each in shown] for agent in table.agents)
    assert first != second


@pytest.mark.parametrize("agents", [["random"], ["random"] * 11, [], "random", "ra", ()])
def test_a_wrong_number_of_agents_is_refused(agents: Sequence[str]) -> None:
    with pytest.raises(AgentError, match="2 to 10, one for each seat"):
        Table(Rules.preset("official"), agents)


def test_the_rules_say_how_many_play() -> None:
    with pytest.raises(AgentError, match=r"got 2 agents, but rules.players is 4; .* rules.replace\(players=2\)"):
        Table(Rules.preset("official", players=4), ["random", "random"], seed=7)


def test_tables_without_a_seed_draw_one_of_256_bits() -> None:
    tables = [Table(Rules.preset("official"), ["random", "random"]) for _ in range(8)]
    assert len({table.seed for table in tables}) == 8
    assert max(table.seed for table in tables) >= 2**200  # less than once in 10^130 runs by chance
    record = tables[0].play_round()
    assert record.seed == tables[0].seed
    assert str(tables[0].seed) in repr(tables[0])
    again = Table(Rules.preset("official"), ["random", "random"], seed=tables[0].seed)
    assert again.play_round() == record


def test_the_state_of_a_table_is_no_way_around_its_record() -> None:
    table = Table(Rules.preset("official"), ["random", "random"], seed=7)
    state, known = table.state, {table.state}
    with pytest.raises(StateError, match=r"use table.apply\(action\), or change state.copy\(\)"):
        state.apply_in_place(state.legal_actions[0])
    table.play_round()
    assert (state.ply, state in known, table.state in known) == (0, True, False)
    twin = state.copy()
    twin.apply_in_place(state.legal_actions[0])
    assert (twin.ply, state.ply) == (1, 0)


def test_the_history_of_a_table_is_the_same_however_often_it_is_read() -> None:
    read, unread = (Table(Rules.preset("house"), ["random"] * 4, seed=7) for _ in range(2))
    while not read.state.is_over:
        assert len(read.state.history) >= 4
        read.play_ply()
        unread.play_ply()
    assert read.state.history == unread.state.history
    read.undo(5)
    unread.undo(5)
    assert read.state.history == unread.state.history


def test_people_are_no_bots() -> None:
    table = Table(Rules.preset("mini"), ["random", "random"], seed=7, people=[1])
    assert table.state.bots == (True, False)
    record = table.play_round()
    assert record.people == (1,)
    for again in (Record.from_text(record.to_text()), Record.from_json_lines(record.to_json_lines())):
        assert again == record
        assert all(not state.players[1].bot and state.players[0].bot for state in again.states())
    with pytest.raises(RecordError, match="people must be from 0 to 1, not 2"):
        Table(Rules.preset("mini"), ["random", "random"], people=[2])


def test_a_withheld_seed_is_not_zero() -> None:
    record = Table(Rules.preset("mini"), ["random", "random"], seed=7).play_round()
    hidden = replace(record, seed=None, rounds=(replace(record.rounds[0], seed=None),))
    decks = {Table.resume(hidden).play_round().rounds[0].deck for _ in range(3)}
    assert len(decks) > 1  # by chance equal less than once in 10^9 runs
    assert Table.resume(hidden).play_round().rounds[0].seed is None


@pytest.mark.parametrize("agents", [None, 3, ["random", None], ["random", 3], [object(), "random"]], ids=range(5))
def test_what_cannot_choose_is_refused(agents: Sequence[str]) -> None:
    with pytest.raises(AgentError, match="agent"):
        Table(Rules.preset("official"), agents)


def test_unknown_agents_are_refused() -> None:
    with pytest.raises(AgentError, match="no agent 'chess'; there are random, first_legal, frequency"):
        Table(Rules.preset("official"), ["random", "chess"])


def test_what_is_not_rules_or_a_seed_is_refused() -> None:
    with pytest.raises(StateError, match="rules must be Rules, not 'official'"):
        Table("official", ["random", "random"])  # type: ignore[arg-type]
    for seed in (-1, 2**256, True, "7", 1.0):
        with pytest.raises(StateError, match="seed must be a whole number from 0"):
            Table(Rules.preset("official"), ["random", "random"], seed=seed)  # type: ignore[arg-type]


class EqualToAll:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


UNUSABLE: dict[str, object] = {
    "None": None,
    "text": "draw",
    "a number": 60,
    "a tuple": (),
    "an object": object(),
    "an object equal to everything": EqualToAll(),
    **{text: parse_action(text) for text in ("keep", "swap:9", "color:r")},
}


@pytest.mark.parametrize("answer", UNUSABLE.values(), ids=UNUSABLE)
@pytest.mark.parametrize("plies", [0, 5])
def test_an_unusable_answer_stops_the_round_and_changes_nothing(answer: object, plies: int) -> None:
    first = Scripted()
    table = Table(Rules.preset("official", wild_draw_four="free"), [first, Scripted()], seed=4)
    while table.state.seat != 0 or len(table.record.rounds[0].actions) < plies or len(table.state.legal_actions) < 2:
        table.play_ply()
    first.answers.append(answer)
    before, record = table.state.copy(), table.record
    legal = " ".join(map(str, before.legal_actions))
    with pytest.raises(AgentError) as caught:
        table.play_ply()
    assert str(caught.value).startswith("seat 0 (Scripted) answered ")
    assert str(caught.value).endswith(f"; legal were: {legal}")
    assert table.state == before
    assert table.record == record
    assert table.play_ply() is before.legal_actions[0]  # and it can be asked again


def test_play_round_and_play_game_stop_at_an_unusable_answer() -> None:
    for play in (Table.play_round, Table.play_game):
        table = Table(Rules.preset("official"), [Scripted(), Scripted([parse_action("keep")] * 99)], seed=4)
        with pytest.raises(AgentError, match="legal were"):
            play(table)
        assert not table.state.is_over
        assert table.record.check() == table.record


def test_what_an_agent_raises_comes_through_and_changes_nothing() -> None:
    table = Table(Rules.preset("official"), [Scripted([ZeroDivisionError("mine")]), Scripted()], seed=4)
    while table.state.seat != 0:
        table.play_ply()
    before = table.state.copy()
    with pytest.raises(ZeroDivisionError, match="mine"):
        table.play_ply()
    assert table.state == before
    table.play_round()


# Rounds and games


def test_the_first_round_is_dealt_when_it_is_first_looked_at() -> None:
    table = seated("official", seed=9)
    assert table.record.rounds == ()
    assert table.scores == (0, 0)
    assert table.game_outcome is None
    assert table.state == deal(Rules.preset("official"), split_seed(9, "round", 1))
    assert len(table.record.rounds) == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_a_round_is_played_to_its_end(preset: str) -> None:
    table = seated(preset)
    record = table.play_round()
    assert table.state.is_over
    assert len(record.rounds) == 1
    assert record.rounds[0].outcome == table.state.outcome
    with pytest.raises(IllegalActionError, match="the round is over"):
        table.play_ply()
    with pytest.raises(IllegalActionError, match="the round is over"):
        table.apply(parse_action("draw"))


def test_the_next_round_needs_the_end_of_this_one() -> None:
    table = seated("official")
    with pytest.raises(StateError, match="the round is not over"):
        table.next_round()
    table.play_round()
    assert table.next_round() is table.state
    assert (table.state.round_number, table.state.ply) == (2, 0)


@pytest.mark.parametrize("rules", ["official", "official players=4", "official players=10", "house players=3"])
def test_the_deal_moves_on_one_seat_each_round(rules: str) -> None:
    table = seated(f"{rules} target_score=1000000")
    players = table.rules.players
    for number in range(1, 2 * players + 2):
        record = table.play_round()
        played = record.rounds[0]
        assert (played.number, played.dealer) == (number, (players - 2 + number) % players)
        assert table.record.rounds[-1] == played
    assert len(table.record.rounds) == 2 * players + 1


def test_each_round_has_its_own_deal() -> None:
    table = seated("official target_score=1000000")
    for _ in range(20):
        table.play_round()
    decks = [played.deck for played in table.record.rounds]
    assert len(set(decks)) == 20


@pytest.mark.parametrize("rules", [*PRESETS, "official players=10", "house scoring=lowest", "mini scoring=lowest"])
def test_rule_9_2_a_game_ends_when_a_score_reaches_the_target(rules: str) -> None:
    table = seated(f"{rules} target_score={100 if rules.startswith('mini') else 500}")
    record = table.play_game()
    target = table.rules.target_score
    scores = [played.scores for played in record.rounds[1:]]
    assert all(max(before) < target for before in scores)
    assert max(table.scores) >= target
    last = record.rounds[-1]
    assert last.outcome is not None
    assert table.scores == tuple(map(sum, zip(last.scores, last.outcome.points, strict=True)))
    best = min if table.rules.scoring == "lowest" else max
    outcome = table.game_outcome
    assert outcome is not None
    assert outcome.scores == table.scores
    assert outcome.winner is None or table.scores[outcome.winner] == best(table.scores)
    for going_on in (table.next_round, table.play_round):
        with pytest.raises(StateError, match="the game is over"):
            going_on()
    assert table.play_game() == record


def test_rule_9_2_the_first_to_reach_the_target_wins() -> None:
    table = seated("official players=4")
    table.play_game()
    assert table.game_outcome is not None
    winner = table.game_outcome.winner
    assert winner is not None
    assert [seat for seat, score in enumerate(table.scores) if score >= 500] == [winner]


def test_rule_9_3_the_lowest_score_wins_and_a_shared_one_does_not() -> None:
    outcomes: list[GameOutcome] = []
    for seed in range(60):
        table = seated("mini players=4 scoring=lowest target_score=6", seed=seed)
        table.play_game()
        assert table.game_outcome is not None
        outcomes.append(table.game_outcome)
    shared = [each for each in outcomes if each.scores.count(min(each.scores)) > 1]
    alone = [each for each in outcomes if each.scores.count(min(each.scores)) == 1]
    assert len(shared) > 5
    assert len(alone) > 5
    assert all(each.winner is None for each in shared)
    assert all(each.winner == each.scores.index(min(each.scores)) for each in alone)


def test_a_game_goes_on_while_the_target_is_not_reached() -> None:
    table = seated("official")
    table.play_round()
    assert table.game_outcome is None
    assert max(table.scores) > 0


def test_scores_grow_only_when_the_round_is_over() -> None:
    table = seated("official")
    table.play_round()
    scores = table.scores
    table.next_round()
    for _ in range(5):
        table.play_ply()
        assert table.scores == scores


# Seeds


@pytest.mark.parametrize("rules", [*PRESETS, LONG_ROUNDS])
def test_the_same_seed_gives_the_same_record(rules: str) -> None:
    made = parse_rules(rules)
    agents = ["random", "heuristic", *["random"] * 8][: made.players]
    first, second, other = (Table(made, agents, seed).play_round() for seed in (5, 5, 6))
    assert first == second
    assert first.to_text() == second.to_text()
    assert first.rounds[0].deck != other.rounds[0].deck
    assert first != other


def test_many_seeds_give_as_many_records() -> None:
    records = {seated("official", seed=seed).play_round().to_text().partition("[Round ")[2] for seed in range(200)}
    assert len(records) == 200


def test_a_seat_plays_alike_whatever_sits_elsewhere() -> None:
    """The stream of a seat's agent depends on the table's seed and the seat, not on the other agents."""
    rules = Rules.preset("official", players=3)
    one = Table(rules, ["random", "random", "heuristic"], seed=8)
    two = Table(rules, ["random", "first_legal", "random"], seed=8)
    watcher = Scripted()
    Table(rules, [watcher, "random", "random"], seed=8).play_round()
    for shown in watcher.shown:
        assert one.agents[0].choose(shown) is two.agents[0].choose(shown)


# Going back


@pytest.mark.parametrize("rules", ["official", "tournament", "house", LONG_ROUNDS])
def test_undo_goes_back_to_any_ply(rules: str) -> None:
    table = seated(rules)
    seen = [table.state.copy()]
    while not table.state.is_over:
        table.play_ply()
        seen.append(table.state.copy())
    actions = table.record.rounds[0].actions
    for ply in (len(actions), len(actions) - 1, len(actions) // 2, 1, 0):
        table.undo(ply)
        assert table.state == seen[ply]
        assert table.state.to_dict() == seen[ply].to_dict()
        assert table.record.rounds[0].actions == actions[:ply]
    for action in actions:
        table.apply(action)
    assert table.state == seen[-1]


def test_undo_of_the_end_of_a_round_takes_its_points_back() -> None:
    table = seated("official")
    table.play_round()
    scores = table.scores
    table.play_round()
    table.undo(0)
    assert table.scores == scores
    assert table.state.round_number == 2


@pytest.mark.parametrize("ply", [-1, 4, 10**9, "1", None, 1.5])
def test_undo_to_nowhere_is_refused_and_changes_nothing(ply: int) -> None:
    table = seated("official")
    for _ in range(3):
        table.play_ply()
    before = table.state.copy()
    with pytest.raises(StateError, match=r"to_action must be .*from 0 to 3"):
        table.undo(ply)
    assert table.state == before


def test_undo_before_the_first_deal() -> None:
    table = seated("official")
    table.undo(0)
    with pytest.raises(StateError, match="from 0 to 0"):
        table.undo(1)


# Going on


def save_text(record: Record, folder: Path) -> Record:
    record.save(folder / "record.txt")
    return Record.load(folder / "record.txt")


def save_lines(record: Record, folder: Path) -> Record:
    record.save(folder / "record.jsonl")
    return Record.load(folder / "record.jsonl")


def keep(record: Record, folder: Path) -> Record:
    return record


@pytest.mark.parametrize("store", [keep, save_text, save_lines])
@pytest.mark.parametrize("rules", [*PRESETS, LONG_ROUNDS])
def test_a_resumed_game_ends_like_an_uninterrupted_one(
    rules: str, store: Callable[[Record, Path], Record], tmp_path: Path
) -> None:
    """The agents draw no random numbers."""
    target = {"mini": 8, "house": 300, "tournament": 400, LONG_ROUNDS: 900}.get(rules, 150)
    made = parse_rules(rules).replace(target_score=target)
    agents = ["heuristic"] * made.players
    whole = Table(made, agents, seed=21)
    record = whole.play_game()
    assert len(record.rounds) > 1
    plies = [len(played.actions) for played in record.rounds]
    for stop in {0, 1, plies[0] - 1, plies[0], plies[0] + 1, sum(plies) - 1, sum(plies)}:
        table = Table(made, agents, seed=21)
        for _ in range(stop):
            if table.state.is_over:
                table.next_round()
            table.play_ply()
        resumed = Table.resume(store(table.record, tmp_path))
        assert resumed.record == table.record
        assert resumed.scores == table.scores
        if table.record.rounds:
            assert resumed.state == table.state
        if resumed.game_outcome is None:
            resumed.play_game()
        assert resumed.record == record
        assert resumed.game_outcome == whole.game_outcome


def test_other_agents_can_take_over() -> None:
    table = seated("official", "heuristic")
    table.play_ply()
    resumed = Table.resume(table.record, ["first_legal", make_agent("random", 3)])
    assert resumed.names == ("first_legal", "RandomAgent")
    resumed.play_round()
    assert resumed.record.rounds[0].actions[:1] == table.record.rounds[0].actions
    with pytest.raises(AgentError, match="one for each of 2 seats"):
        Table.resume(table.record, ["first_legal"])
    with pytest.raises(AgentError, match="one for each of 2 seats"):
        Table.resume(table.record, [])


def test_a_resumed_round_can_be_taken_back_and_played_otherwise() -> None:
    """The recorded reshuffles must not be forced upon another course."""
    tried = 0
    for seed in range(12):
        table = seated(LONG_ROUNDS, seed=seed)
        record = table.play_round()
        if not record.rounds[0].reshuffles:
            continue
        resumed = Table.resume(record, ["random"] * 10)
        resumed.undo(20)
        rng = random.Random(seed)
        while not resumed.state.is_over:
            resumed.apply(rng.choice(resumed.state.legal_actions[:3]))
        again = resumed.record
        assert again.rounds[0].actions != record.rounds[0].actions
        assert again.check() == again
        assert Record.from_text(again.to_text()) == again
        tried += bool(again.rounds[0].reshuffles)
    assert tried >= 2


def test_a_record_that_does_not_replay_is_not_resumed() -> None:
    record = seated("official").play_round()
    played = record.rounds[0]
    for spoiled in (
        replace(record, rounds=(replace(played, actions=played.actions[1:]),)),
        replace(record, rounds=(replace(played, outcome=None),)),
        replace(record, agents=("random",)),
    ):
        with pytest.raises(RecordError):
            Table.resume(spoiled)


def test_a_record_by_agents_nobody_knows_needs_others() -> None:
    record = Table(Rules.preset("mini"), [Scripted(), Scripted()]).play_round()
    with pytest.raises(AgentError, match="no agent 'Scripted'"):
        Table.resume(record)
    Table.resume(record, ["random", "random"]).play_round()


def test_a_withheld_seed_stays_withheld() -> None:
    record = seated("official").play_round()
    hidden = replace(record, seed=None, rounds=(replace(record.rounds[0], seed=None),))
    assert Table.resume(hidden).record == hidden


def test_what_was_applied_by_hand_is_recorded() -> None:
    table = seated("official max_plies=300", "first_legal")
    while not table.state.is_over:
        table.apply(table.state.legal_actions[-1])
    assert table.record.check().rounds[0].outcome == table.state.outcome


@pytest.mark.parametrize("action", [None, "draw", 3, parse_action("catch")])
def test_applying_what_is_illegal_changes_nothing(action: Action) -> None:
    table = seated("official")
    before, record = table.state.copy(), table.record
    with pytest.raises(IllegalActionError, match=r"expected an Action|is not possible"):
        table.apply(action)
    assert (table.state, table.record) == (before, record)


def test_every_error_is_our_own() -> None:
    for error in (AgentError, IllegalActionError, RecordError, RulesError, StateError):
        assert issubclass(error, LastcardError)
        assert issubclass(error, ValueError)


def test_scores_far_apart_are_judged() -> None:
    rules = Rules.preset("official")
    outcome = judge_game(rules, (-1_000_000_000, 1_000_000_000))
    assert outcome is not None
    assert outcome.winner == 1
    with pytest.raises(StateError, match="scores must be"):
        judge_game(rules, (0, 2**40))


def test_the_number_of_actions() -> None:
    table = Table(Rules.preset("official"), ["random", "random"], seed=1)
    assert table.num_actions == 0
    table.play_ply()
    assert (table.num_actions, len(table.actions)) == (1, 1)
