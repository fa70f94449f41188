import json
import re
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from lastcard.errors import PuzzleError
from lastcard.puzzles import (
    PUZZLES,
    RIVER_READINGS,
    WOLF,
    Banks,
    Crossing,
    Mark,
    Network,
    Picture,
    Puzzle,
    Transition,
    draw_crossing,
    draw_network,
    find_crossing,
    generate,
)
from lastcard.puzzles.layout import place
from tests.oracle.crossing import safe_ferryings
from tests.unit.test_cli_commands import Captured, run

DOCS = Path(__file__).parents[2] / "docs"
RIVER = PUZZLES["river"]
CROSSINGS = {"gollum": RIVER_READINGS["gollum"], "ring": RIVER_READINGS["ring"], "wolf": WOLF}
PAIRS = list(combinations("FGR", 2))
CONFLICTS = [chosen for count in range(4) for chosen in combinations(PAIRS, count)]


def jugs() -> Puzzle[tuple[int, int]]:
    """Two jugs of 3 and 5: a puzzle without banks, in which the same transition twice in a row may not undo itself."""

    def transitions(jugs: tuple[int, int]) -> list[Transition[tuple[int, int]]]:
        small, large = jugs
        there, back = min(small, 5 - large), min(large, 3 - small)
        return [
            Transition("fill small", (3, large)),
            Transition("fill large", (small, 5)),
            Transition("empty small", (0, large)),
            Transition("empty large", (small, 0)),
            Transition("pour into large", (small - there, large + there)),
            Transition("pour into small", (small + back, large - back)),
        ]

    return Puzzle((0, 0), transitions, lambda jugs: True, lambda jugs: 4 in jugs)


def banks(text: str) -> Banks:
    left, right = text.split("|")
    return Banks(tuple(left.split()), tuple(right.split()))


# The document's river


def test_the_river_starts_with_everything_on_the_left_bank() -> None:
    puzzle = RIVER.to_puzzle()
    assert puzzle.start == banks("B F G R |")
    assert puzzle.is_goal(banks("| B F G R"))
    assert not puzzle.is_goal(banks("B | F G R"))


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (
            "B F G R |",
            {"Move B": "F G R | B", "Move B, F": "G R | B F", "Move B, G": "F R | B G", "Move B, R": "F G | B R"},
        ),
        ("R | B F G", {"Move B": "B R | F G", "Move B, F": "B F R | G", "Move B, G": "B G R | F"}),
        ("F G R | B", {"Move B": "B F G R |"}),
    ],
)
def test_a_transition_takes_the_boat_and_at_most_one_item_from_its_bank(before: str, expected: dict[str, str]) -> None:
    found = {way.label: way.state for way in RIVER.to_puzzle().transitions(banks(before))}
    assert found == {label: banks(state) for label, state in expected.items()}


@pytest.mark.parametrize(
    ("state", "gollum", "ring"),
    [
        ("F G | B R", False, True),
        ("F R | B G", True, False),
        ("G R | B F", False, False),
        ("B F | G R", False, False),
        ("B F G R |", True, True),
        ("B F G | R", True, True),
        ("F G R | B", False, False),
        ("B | F G R", False, False),
        ("B R | F G", False, True),
    ],
)
def test_who_may_be_left_without_the_boat(state: str, gollum: bool, ring: bool) -> None:
    assert RIVER_READINGS["gollum"].is_valid(banks(state)) is gollum
    assert RIVER_READINGS["ring"].is_valid(banks(state)) is ring


# Generate and test


@pytest.mark.parametrize("name", CROSSINGS)
def test_two_solutions_of_seven_crossings(name: str) -> None:
    assert [len(solution) for solution in generate(CROSSINGS[name].to_puzzle()).solutions] == [7, 7]


@pytest.mark.parametrize("conflicts", CONFLICTS, ids=str)
def test_solutions_are_those_of_brute_force(conflicts: tuple[tuple[str, str], ...]) -> None:
    crossing = Crossing("any", "Sam", RIVER.items, conflicts)
    found = [tuple(way.label for way in solution) for solution in generate(crossing.to_puzzle()).solutions]
    expected = safe_ferryings("FGR", list(conflicts))
    labels = {"": "Move B", **{item: f"Move B, {item}" for item in "FGR"}}
    assert sorted(found) == sorted(tuple(labels[item] for item in ferrying) for ferrying in expected)
    assert list(map(len, found)) == sorted(map(len, found))


def test_a_solution_follows_the_transitions_from_start_to_goal() -> None:
    puzzle = RIVER.to_puzzle()
    for solution in generate(puzzle).solutions:
        state = puzzle.start
        for way in solution:
            assert way in puzzle.transitions(state)
            assert puzzle.is_valid(way.state)
            state = way.state
        assert puzzle.is_goal(state)


def ancestry(network: Network[Banks], index: int) -> list[str]:
    labels = []
    place: int | None = index
    while place is not None:
        node = network.nodes[place]
        labels.append(node.transition or "")
        place = node.parent
    return labels


@pytest.mark.parametrize("name", CROSSINGS)
def test_every_node_is_marked_for_what_it_is(name: str) -> None:
    puzzle = CROSSINGS[name].to_puzzle()
    network = generate(puzzle)
    seen: set[Banks] = set()
    for node in network.nodes:
        is_valid = puzzle.is_valid(node.state)
        assert (node.mark is Mark.INVALID) == (not is_valid)
        assert (node.mark is Mark.VISITED) == (is_valid and node.state in seen)
        assert (node.mark is Mark.GOAL) == (is_valid and node.state not in seen and puzzle.is_goal(node.state))
        seen.add(node.state)
    assert Counter(node.mark for node in network.nodes) == {
        Mark.OPEN: 9,
        Mark.GOAL: 1,
        Mark.INVALID: 7,
        Mark.VISITED: 2,
    }


@pytest.mark.parametrize("name", CROSSINGS)
def test_only_open_nodes_are_left_by_every_transition_but_the_last(name: str) -> None:
    puzzle = CROSSINGS[name].to_puzzle()
    network = generate(puzzle)
    for index, node in enumerate(network.nodes):
        ways = [way for way in puzzle.transitions(node.state) if way.label != node.transition]
        left_by = [
            Transition(network.nodes[child].transition or "", network.nodes[child].state)
            for child in network.children[index]
        ]
        assert left_by == (ways if node.mark is Mark.OPEN else [])
        labels = ancestry(network, index)
        assert all(first != second for first, second in pairwise(labels))


def test_breadth_comes_first() -> None:
    depths = [node.depth for node in generate(RIVER.to_puzzle()).nodes]
    assert depths == sorted(depths)
    assert depths[-1] == 7


# Other puzzles


def test_any_puzzle_can_be_filled_in() -> None:
    solutions = generate(jugs()).solutions
    assert len(solutions[0]) == 6
    assert [way.state for way in solutions[0]] == [(0, 5), (3, 2), (0, 2), (2, 0), (2, 5), (3, 4)]


def test_a_transition_may_be_made_twice_in_a_row_where_that_leads_on() -> None:
    up = Puzzle(0, lambda n: [Transition("+1", n + 1)], lambda n: True, lambda n: n == 5)
    assert [len(solution) for solution in generate(up).solutions] == [5]


def test_a_puzzle_that_is_solved_or_lost_at_once() -> None:
    solved = Puzzle(0, lambda n: [Transition("+1", n + 1)], lambda n: True, lambda n: n == 0)
    assert generate(solved).solutions == ((),)
    lost = Puzzle(0, lambda n: [Transition("+1", n + 1)], lambda n: n > 0, lambda n: n == 3)
    assert generate(lost).solutions == ()
    assert [node.mark for node in generate(lost).nodes] == [Mark.INVALID]


def test_endless_puzzles_are_refused() -> None:
    endless = Puzzle(0, lambda n: [Transition("+1", n + 1)], lambda n: True, lambda n: False)
    with pytest.raises(PuzzleError, match="at most 1,000 nodes"):
        generate(endless, most_nodes=1000)
    assert len(generate(jugs(), most_nodes=len(generate(jugs()).nodes)).nodes) > 10


@pytest.mark.parametrize(
    ("items", "conflicts", "part"),
    [
        ({}, (), "items must be"),
        ({"B": "Boromir"}, (), r"other than B, not \['B'\]"),
        ({"Fr": "Frodo"}, (), "one letter each"),
        ({"F": "Frodo"}, (("F", "F"),), "conflicts must be pairs of F"),
        ({"F": "Frodo"}, (("F", "X"),), "conflicts must be pairs of F"),
    ],
)
def test_impossible_crossings_are_refused(
    items: dict[str, str], conflicts: tuple[tuple[str, str], ...], part: str
) -> None:
    with pytest.raises(PuzzleError, match=part):
        Crossing("any", "Sam", items, conflicts)


def test_find_crossing() -> None:
    assert find_crossing("river") is RIVER_READINGS["gollum"]
    assert find_crossing("river", "ring") is RIVER_READINGS["ring"]
    assert find_crossing("wolf") is WOLF


# The drawing


def parts(svg: Element, kind: str) -> list[Element]:
    return [element for element in svg.iter() if kind in element.get("class", "").split()]


def read_svg(text: str) -> Element:
    return fromstring(text.replace(' xmlns="http://www.w3.org/2000/svg"', ""))


@pytest.mark.parametrize("name", CROSSINGS)
def test_the_drawing_holds_every_state_as_two_banks(name: str) -> None:
    crossing = CROSSINGS[name]
    network, svg = generate(crossing.to_puzzle()), read_svg(draw_crossing(crossing))
    drawn = parts(svg, "node")
    assert [int(group.get("data-node", "")) for group in drawn] == list(range(len(network.nodes)))
    for group, node in zip(drawn, network.nodes, strict=True):
        assert group.get("class") == f"node {node.mark.value}"
        assert read_banks(crossing, group) == node.state
        assert len(parts(group, "cross")) == (node.mark in (Mark.INVALID, Mark.VISITED))
        assert len(parts(group, "halo")) == (node.mark is Mark.GOAL)
        number = parts(group, "number")[0].text or ""
        assert int(number.split()[0]) == network.numbers[node.state]


def read_banks(crossing: Crossing, group: Element) -> Banks:
    """Reads both banks left and right of the middle of the river, and the boat by the nearer bank."""
    river = parts(group, "river")[0]
    middle = float(river.get("x", "")) + float(river.get("width", "")) / 2
    letters = {letter.text: float(letter.get("x", "")) for letter in parts(group, "letter")}
    assert set(letters) == {"B", *crossing.items}
    return crossing.banks_with({letter for letter, x in letters.items() if letter and x < middle})


@pytest.mark.parametrize("name", CROSSINGS)
def test_the_drawing_holds_every_edge_with_its_label(name: str) -> None:
    network, svg = generate(CROSSINGS[name].to_puzzle()), read_svg(draw_crossing(CROSSINGS[name]))
    drawn = {
        (int(group.get("data-from", "")), int(group.get("data-to", ""))): parts(group, "label")[0].text
        for group in parts(svg, "transition")
    }
    assert drawn == {
        (node.parent, index): node.transition for index, node in enumerate(network.nodes) if node.parent is not None
    }
    corners = [corner_of(group) for group in parts(svg, "node")]
    width, height = size_of(svg)
    for group in parts(svg, "transition"):
        above, below = corners[int(group.get("data-from", ""))], corners[int(group.get("data-to", ""))]
        start_x, start_y, _, end_x, end_y = map(float, re.findall(r"[\d.]+", parts(group, "edge")[0].get("d", "")))
        assert (start_x, start_y) == (above[0] + width / 2, above[1] + height)
        assert (end_x, end_y) == (below[0] + width / 2, below[1])


def test_heavy_edges_are_those_of_the_solutions() -> None:
    network, svg = generate(RIVER.to_puzzle()), read_svg(draw_crossing(RIVER))
    heavy = {int(group.get("data-to", "")) for group in parts(svg, "transition") if parts(group, "solution")}
    states = [{way.state for way in solution} for solution in network.solutions]
    assert {network.nodes[index].state for index in heavy} == states[0] | states[1]
    assert len(heavy) == 10
    assert [network.nodes[index].mark for index in sorted(heavy)].count(Mark.VISITED) == 1


def corner_of(group: Element) -> tuple[float, float]:
    x, y = re.findall(r"[\d.]+", group.get("transform", ""))
    return float(x), float(y)


def text_box(text: Element, x: float = 0, y: float = 0) -> tuple[float, float, float, float]:
    """About the room that a text takes, of letters seven wide and ten high."""
    left, baseline = x + float(text.get("x", "")), y + float(text.get("y", ""))
    return left, baseline - 10, left + 7 * len(text.text or ""), baseline + 2


def size_of(svg: Element) -> tuple[float, float]:
    frame = parts(svg, "frame")[0]
    return float(frame.get("width", "")), float(frame.get("height", ""))


def draw_jugs() -> str:
    def draw(group: Element, state: tuple[int, int]) -> None:
        group.text = f"{state[0]} & {state[1]}"

    return draw_network(generate(jugs()), Picture(60, 20, draw), "two jugs")


@pytest.mark.parametrize("drawing", [*map(draw_crossing, CROSSINGS.values()), draw_jugs()], ids=[*CROSSINGS, "jugs"])
def test_nothing_overlaps_or_leaves_the_page(drawing: str) -> None:
    svg = read_svg(drawing)
    width, height = size_of(svg)
    boxes = []
    for group in parts(svg, "node"):
        x, y = corner_of(group)
        boxes.append((x, y, x + width, y + height))
        boxes += [text_box(number, x, y) for number in parts(group, "number")]
        boxes += [text_box(caption, x - 3.5 * len(caption.text or ""), y) for caption in parts(group, "caption")]
    boxes += [text_box(label) for label in parts(svg, "label")]
    for (left, top, right, bottom), other in combinations(boxes, 2):
        assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
    page = float(svg.get("width", "")), float(svg.get("height", ""))
    assert all(left >= 0 and top >= 0 and right <= page[0] and bottom <= page[1] for left, top, right, bottom in boxes)


def test_any_network_can_be_drawn() -> None:
    network, svg = generate(jugs()), read_svg(draw_jugs())
    assert [parts(group, "picture")[0].text for group in parts(svg, "node")] == [
        f"{small} & {large}" for small, large in (node.state for node in network.nodes)
    ]


def test_levels_of_a_large_tree_do_not_overlap() -> None:
    network = generate(jugs())
    columns = place(network.children)
    for depth in range(max(node.depth for node in network.nodes) + 1):
        row = [column for column, node in zip(columns, network.nodes, strict=True) if node.depth == depth]
        assert all(second - first >= 1 - 1e-9 for first, second in pairwise(row))
    for column, children in zip(columns, network.children, strict=True):
        if children:
            assert column == pytest.approx((columns[children[0]] + columns[children[-1]]) / 2)
    assert min(columns) == 0


def test_the_picture_in_the_docs_is_up_to_date() -> None:
    committed = (DOCS / "images" / "river.svg").read_text(encoding="utf-8")
    assert committed == draw_crossing(RIVER), "lastcard puzzle river --draw docs/images/river.svg draws it again"


# The command


def test_the_command_as_json(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run(capsys, monkeypatch, "puzzle", "river", "--reading", "ring", "--json")
    told = json.loads(out)
    assert (code, err) == (0, "")
    assert (told["puzzle"], told["reading"], told["conflicts"]) == ("river", "ring", [["F", "R"], ["G", "R"]])
    network = generate(RIVER_READINGS["ring"].to_puzzle())
    assert [[way["transition"] for way in solution] for solution in told["solutions"]] == [
        [way.label for way in solution] for solution in network.solutions
    ]
    assert [(node["mark"], node["parent"]) for node in told["nodes"]] == [
        (node.mark.value, node.parent) for node in network.nodes
    ]
    assert json.loads(run(capsys, monkeypatch, "puzzle", "--json")[1]).keys() == PUZZLES.keys()


@pytest.mark.parametrize("as_json", [False, True])
def test_the_command_draws(as_json: bool, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "wolf.svg"
    code, out, _ = run(capsys, monkeypatch, "puzzle", "wolf", "--draw", str(file), *["--json"] * as_json)
    assert code == 0
    assert file.read_text(encoding="utf-8") == draw_crossing(WOLF)
    assert ("Drew" in out) is not as_json


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["chess"], "no puzzle 'chess'; there are river, wolf"),
        (["river", "--reading", "sam"], "reading must be one of gollum, ring, not 'sam'"),
        (["wolf", "--reading", "ring"], "reading must be omitted for wolf"),
        (["river", "--draw", "river.png"], "--draw must name an .svg file, not river.png"),
        (
            ["river", "--draw", "/nonexistent/river.svg"],
            "--draw: cannot write '/nonexistent/river.svg': there is no folder '/nonexistent'",
        ),
        (["--draw", "river.svg"], "need a puzzle"),
    ],
)
def test_wrong_words_are_refused(
    arguments: list[str], part: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = run(capsys, monkeypatch, "puzzle", *arguments)
    assert (code, out) == (2, "")
    assert part in err
    assert err.count("\n") == 1
