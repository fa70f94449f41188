"""The steps of the tree searches are those they took: bounds recomputed by hand, visits and values added up."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from lastcard import _core, make_agent, observe, parse_state
from lastcard.actions import ACTIONS
from lastcard.agents import ExplainingAgent, list_agents
from lastcard.agents.searching import SearchAgent
from lastcard.belief import BeliefConfig
from lastcard.errors import AgentError
from lastcard.explain.explanation import Explanation, Step
from lastcard.explain.tree_steps import explain_ismcts, explain_mcts, explain_pomcp
from lastcard.observation import Observation
from lastcard.search import IsmctsConfig, MctsConfig, Pomcp, PomcpConfig, SearchReport
from lastcard.search.dispatch import search
from tests.unit.test_cli_commands import Captured, run
from tests.unit.test_search import CHOICE, decisions, seen, without_time

TreeConfig = IsmctsConfig | MctsConfig | PomcpConfig
SMALL: dict[str, Any] = {"simulations": 90, "belief": BeliefConfig(hypotheses=16)}
PUBLISHED_SMALL = {**SMALL, "belief": BeliefConfig("uniform", hypotheses=16)}
CONFIGS: list[TreeConfig] = [
    IsmctsConfig(**SMALL, patience=2),
    IsmctsConfig(**SMALL, patience=1, heuristic_first=False, playouts="random"),
    IsmctsConfig(**SMALL, playout_plies=3),
    MctsConfig(**SMALL),
    replace(MctsConfig.as_published(), **PUBLISHED_SMALL),
    PomcpConfig(**SMALL, particles=40, patience=1),
    replace(PomcpConfig.as_published(), **PUBLISHED_SMALL, particles=40),
]


def names(config: TreeConfig) -> str:
    return f"{type(config).__name__}-{config.playouts}"


def trace_all(observation: Observation, config: TreeConfig, seed: int) -> tuple[_core.TreeResult, _core.Trace]:
    """The search with every simulation written down."""
    trace = _core.Trace(list(range(config.simulations)))
    match config:
        case IsmctsConfig():
            return _core.search_by_ismcts(observation._core, config.compile(observation.rules), seed, trace), trace
        case MctsConfig():
            return _core.search_by_mcts(observation._core, config.compile(observation.rules), seed, trace), trace
        case PomcpConfig():
            return _core.Pomcp(config.compile(observation.rules)).search(observation._core, seed, trace), trace


def explain(observation: Observation, config: TreeConfig, seed: int = 0) -> Explanation:
    match config:
        case IsmctsConfig():
            return explain_ismcts(observation, config, seed)
        case MctsConfig():
            return explain_mcts(observation, config, seed)
        case PomcpConfig():
            return explain_pomcp(observation, Pomcp(config), seed)


def find(explained: Explanation, title: str) -> Step:
    return next(step for step in explained.steps if step.title == title)


# --- the trace


@pytest.mark.parametrize("config", CONFIGS, ids=names)
def test_a_traced_search_is_the_search(config: TreeConfig) -> None:
    """Tracing a search does not change its result, and all simulations together make the report."""
    for seed, observation in enumerate([seen(CHOICE), *decisions("official players=3", 2)]):
        result, trace = trace_all(observation, config, seed)
        report = search(observation, config, seed)
        assert ACTIONS[result.best] is report.best
        assert {ACTIONS[row.action].text: row.simulations for row in result.actions} == visits(report)
        assert [descent.number for descent in trace.found] == list(range(config.simulations))
        signed = isinstance(config, PomcpConfig)
        counts: dict[int, int] = {}
        totals: dict[int, float] = {}
        for descent in trace.found:
            root = descent.choices[0]
            counts[root.action] = counts.get(root.action, 0) + 1
            totals[root.action] = totals.get(root.action, 0.0) + ((1 + root.value) / 2 if signed else root.value)
            assert root.visits_after == counts[root.action]
        assert sorted(counts.values()) == sorted(row.simulations for row in result.actions)
        assert sorted(totals.values()) == pytest.approx(sorted(row.total for row in result.actions), abs=1e-9)


def visits(report: SearchReport) -> dict[str, int]:
    return {value.action.text: value.simulations for value in report.actions}


@pytest.mark.parametrize("config", CONFIGS, ids=names)
def test_each_bound_by_hand_and_the_largest_is_taken(config: TreeConfig) -> None:
    """The book of the root is kept a second time here: n, N and the mean of each action, then c sqrt(ln N / n)."""
    for seed, observation in enumerate([seen(CHOICE), *decisions("official", 2)]):
        _, trace = trace_all(observation, config, seed)
        counts: dict[int, int] = {}
        totals: dict[int, float] = {}
        available: dict[int, int] = {}
        by_bound = 0
        for number, descent in enumerate(trace.found):
            root = descent.choices[0]
            assert {option.action for option in root.options} == set(counts)
            bounds = {}
            for option in root.options:
                available[option.action] += 1
                n = counts[option.action]
                total = {
                    IsmctsConfig: available[option.action],
                    MctsConfig: number,
                    PomcpConfig: number + 1,
                }[type(config)]
                assert option.visits == n
                assert option.mean == pytest.approx(totals[option.action] / n, abs=1e-12)
                assert option.exploration == pytest.approx(
                    config.exploration * math.sqrt(math.log(total) / n), abs=1e-9
                )
                bounds[option.action] = option.mean + option.exploration
            if root.action in counts:
                by_bound += 1
                most = max(bounds.values())
                assert root.action == min(action for action in bounds if bounds[action] == most)
            counts[root.action] = counts.get(root.action, 0) + 1
            totals[root.action] = totals.get(root.action, 0.0) + root.value
            available.setdefault(root.action, 1)
        assert by_bound > 20


@pytest.mark.parametrize("config", CONFIGS, ids=names)
def test_what_is_backed_up(config: TreeConfig) -> None:
    """The winner decides the reward, which is discounted on the way; the mean after it is the running mean."""
    observation = seen(CHOICE)
    _, trace = trace_all(observation, config, 4)
    for descent in trace.found:
        for above, below in zip(descent.choices, descent.choices[1:], strict=False):
            if isinstance(config, IsmctsConfig):
                even = 1 / observation.rules.players
                assert above.value == (even if descent.winner is None else float(descent.winner == above.seat))
            else:
                assert above.value == pytest.approx(config.discount * below.value, abs=1e-12)
        for choice in descent.choices:
            option = next((option for option in choice.options if option.action == choice.action), None)
            before, n = (option.mean, option.visits) if option else (0.0, 0)
            assert choice.visits_after == n + 1
            assert choice.mean_after == pytest.approx((before * n + choice.value) / (n + 1), abs=1e-9)
        if isinstance(config, MctsConfig) and config.max_depth:
            assert descent.playout_plies <= config.max_depth
            if descent.winner is None:
                assert {choice.value for choice in descent.choices} == {0.0}
        if isinstance(config, MctsConfig) and descent.winner is not None:
            assert descent.choices[-1].value == (descent.winner == 0)


@pytest.mark.parametrize("config", CONFIGS, ids=names)
def test_the_plies_of_a_simulation_are_legal_and_hold_its_choices(config: TreeConfig) -> None:
    observation = seen("top r5 | seat 0: r7 b2 w | seat 1: g1 g1 yR")
    _, trace = trace_all(observation, config, 2)
    deep = 0
    for descent in trace.found:
        assert sorted(descent.hands[0]) == sorted(card.index for card in observation.hand)
        assert len(descent.hands[1]) == 3
        deep += len(descent.choices) > 1
        for choice in descent.choices:
            ply = descent.plies[choice.ply]
            assert ply.seat == choice.seat
            wild = 52 <= choice.action < 60
            assert ply.action == choice.action or (
                wild and isinstance(config, MctsConfig) and not config.searches_color
            )
    assert deep > 10


def test_only_the_first_of_several_trees_is_told() -> None:
    observation = seen(CHOICE)
    config = IsmctsConfig(simulations=90, belief=BeliefConfig(hypotheses=16), trees=3, threads=2)
    trace = _core.Trace(list(range(200)))
    result = _core.search_by_ismcts(observation._core, config.compile(observation.rules), 5, trace)
    assert [descent.number for descent in trace.found] == list(range(30))
    assert sum(row.simulations for row in result.actions) == 90
    assert find(explain(observation, config, 5), "The final root").text.startswith(
        "These are the values after 90 simulations in 3 trees"
    )


# --- the explanation


@pytest.mark.parametrize("rules", ["official", "house players=3", "mini must_play=off", "official players=10"])
@pytest.mark.parametrize("config", CONFIGS, ids=names)
def test_the_explanation_ends_where_the_search_does(config: TreeConfig, rules: str) -> None:
    for seed, observation in enumerate(decisions(rules, 2)):
        report = search(observation, config, seed)
        explained = explain(observation, config, seed)
        assert explained.best is report.best
        root = find(explained, "The final root")
        is_colorless = isinstance(config, MctsConfig) and not config.searches_color
        named = {text: text.split(":")[0] if is_colorless else text for text in visits(report)}
        assert {row[0]: row[1] for row in root.rows} == {named[text]: count for text, count in visits(report).items()}
        shown = {row[0]: row[-1] for row in root.rows}
        assert shown == {named[value.action.text]: pytest.approx(value.value) for value in report.actions}
        assert root.rows[0][0] == named[report.best.text]
        assert json.loads(json.dumps(explained.to_dict()))["best"] == report.best.text


@pytest.mark.parametrize("config", CONFIGS, ids=names)
def test_a_simulation_is_followed_by_its_bounds(config: TreeConfig) -> None:
    """The row that is taken at each node has the largest sum of the two terms before it."""
    explained = explain(seen(CHOICE), config, 1)
    downs = [step for step in explained.steps if step.title.endswith("down the tree")]
    ups = [step for step in explained.steps if step.title.endswith("back up")]
    assert len(downs) == len(ups) == 3
    assert downs[-1].title == f"Simulation {config.simulations}, down the tree"
    for down in downs:
        for node in {row[0] for row in down.rows}:
            rows = [row for row in down.rows if row[0] == node]
            assert all(float(row[7]) == pytest.approx(float(row[5]) + float(row[6])) for row in rows)
            taken = [row for row in rows if row[8] == "taken"]
            assert len(taken) == 1
            assert taken[0][7] == max(float(row[7]) for row in rows)
    first = find(explained, "The first simulations")
    assert [row[0] for row in first.rows] == list(range(1, len(first.rows) + 1))


def test_the_agents_explain_what_they_choose() -> None:
    for name in ("ismcts", "mcts", "mcts:as_published", "pomcp", "pomcp:as_published"):
        agent = make_agent(f"{name}{',' if ':' in name else ':'}simulations=80", 3)
        assert isinstance(agent, ExplainingAgent)
        assert agent.explain(seen(CHOICE)).best is agent.choose(seen(CHOICE))


def test_pomcp_explains_from_what_it_keeps_and_keeps_it() -> None:
    """The turn stays ours after rS, so everything below it is kept."""
    state = parse_state("top r5 | seat 0: r7 rS b2 | seat 1: g1 g1 yR b2 b4")
    config = PomcpConfig(simulations=400, patience=1)
    agents = [SearchAgent(config, 5) for _ in range(2)]
    for agent in agents:
        agent.search(observe(state, 0))
    skip = next(action for action in state.legal_actions if action.text == "rS")
    then = observe(state.after(skip), 0)
    explained = agents[0].explain(then)
    assert "from the tree of the last decision" in explained.steps[0].text
    assert "visits are from earlier decisions" in find(explained, "The final root").text
    assert without_time(agents[0].search(then)) == without_time(agents[1].search(then))
    assert explained.best is agents[1].search(observe(state.after(skip), 0)).best


@pytest.mark.parametrize("config", CONFIGS, ids=names)
def test_what_cannot_be_explained_is_refused(config: TreeConfig) -> None:
    with pytest.raises(AgentError, match="seat 1 has nothing to decide here"):
        explain(observe(parse_state(CHOICE), 1), config)
    with pytest.raises(AgentError, match="seconds=1: cannot explain a search"):
        explain(seen(CHOICE), replace(config, seconds=1.0))
    forced = explain(seen("top r5 | seat 0: g7 | seat 1: g1 yR"), config)
    assert [step.text for step in forced.steps] == ["Only draw is legal, so there is nothing to search."]


def test_one_simulation_is_enough_to_explain() -> None:
    for config in CONFIGS:
        explained = explain(seen(CHOICE), replace(config, simulations=1))
        assert len(find(explained, "The first simulations").rows) == 1


# --- the command

EXPLAINED = ["frequency", "heuristic", "halving", "expectiminimax", "ismcts", "mcts", "pomcp"]


def test_these_agents_have_steps_to_show() -> None:
    assert [info.name for info in list_agents() if hasattr(info.make, "explain")] == EXPLAINED


@pytest.mark.parametrize(
    "agent", [*EXPLAINED, "expectiminimax:as_published", "mcts:as_published", "pomcp:as_published"]
)
@pytest.mark.parametrize("seats", [2, 4, 10])
def test_it_fits_the_terminal(agent: str, seats: int, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = " | ".join(f"seat {seat}: r{seat} y{seat} g{seat} b{seat}" for seat in range(seats))
    position = f"rules official players={seats} | top r5 | {hands}"
    code, out, err = run(capsys, monkeypatch, "explain", agent, "-p", position, "--seed", "4")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert "The choice: " in out
    code, out, err = run(capsys, monkeypatch, "explain", agent, "-p", position, "--seed", "4", "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert told["steps"][-1]["text"]
    assert all(len(row) == len(step["columns"]) for step in told["steps"] for row in step["rows"])
