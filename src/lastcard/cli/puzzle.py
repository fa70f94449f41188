"""`lastcard puzzle`: crossing a river, solved and drawn as a semantic network."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from lastcard.cli.completion import complete_puzzles
from lastcard.cli.screen import Screen
from lastcard.cli.shared_options import JsonOption
from lastcard.errors import PuzzleError
from lastcard.files import check_output, write_file
from lastcard.puzzles import PUZZLES, Banks, Crossing, Mark, Network, draw_crossing, find_crossing, generate
from lastcard.shell import command


def puzzle(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="river or wolf; by default, list all.", autocompletion=complete_puzzles),
    ] = None,
    reading: Annotated[
        str | None,
        typer.Option(
            "--reading",
            metavar="READING",
            help="Item that may not stay alone with the others: gollum (default) or ring.",
        ),
    ] = None,
    draw: Annotated[Path | None, typer.Option("--draw", metavar="FILE", help="Draw the whole network; .svg.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a river-crossing puzzle and draw all its states.

    Example: lastcard puzzle river --draw river.svg
    """
    if name is None:
        if reading or draw:
            raise PuzzleError(f"--reading and --draw need a puzzle; there are {', '.join(PUZZLES)}")
        _list(as_json)
        return
    crossing = find_crossing(name, reading)
    if draw:
        _check_drawing(draw)
    network = generate(crossing.to_puzzle())
    if as_json:
        print(json.dumps(_described(crossing, network), indent=2))
    else:
        _explain(Screen(), crossing, network)
    if draw:
        write_file(draw, draw_crossing(crossing), PuzzleError)
        if not as_json:
            Screen().say(f"Drew all of them into {draw}.", whole=True)


def _list(as_json: bool) -> None:
    if as_json:
        print(json.dumps({name: crossing.summary for name, crossing in PUZZLES.items()}, indent=2))
        return
    screen = Screen()
    for name, crossing in PUZZLES.items():
        screen.say(Text.assemble((f"{name:<8}", "bold"), crossing.summary), hang=8)
    screen.say()
    screen.say(f"{command('puzzle', 'NAME')} solves one; --draw FILE draws it.")


def _check_drawing(path: Path) -> None:
    if path.suffix.lower() != ".svg":
        raise PuzzleError(f"--draw must name an .svg file, not {path.name}")
    check_output(path, PuzzleError, "--draw")


def _explain(screen: Screen, crossing: Crossing, network: Network[Banks]) -> None:
    screen.say(crossing.summary)
    screen.say(crossing.ban)
    for number, solution in enumerate(network.solutions, 1):
        screen.say()
        title = f"Solution {number} of {len(network.solutions)}, {len(solution)} crossings"
        screen.say(Text(title, "bold"))
        screen.say(_in_columns("", network.puzzle.start), indent=2)
        for transition in solution:
            screen.say(_in_columns(transition.label, transition.state), indent=2)
    marks = Counter(node.mark for node in network.nodes)
    screen.say()
    screen.say(
        f"The network: {len(network.nodes)} nodes, of which {marks[Mark.INVALID]} are invalid and"
        f" {marks[Mark.VISITED]} were visited before; {len(network.graph)} different valid states."
    )


def _in_columns(label: str, banks: Banks) -> str:
    room = 2 * (len(banks.left) + len(banks.right)) - 1
    return f"{label:<12}{' '.join(banks.left):>{room}} | {' '.join(banks.right)}"


def _described(crossing: Crossing, network: Network[Banks]) -> dict[str, object]:
    solutions = [
        [{"transition": way.label, "state": _banks_as_data(way.state)} for way in solution]
        for solution in network.solutions
    ]
    nodes = [
        {
            "state": _banks_as_data(node.state),
            "number": network.numbers[node.state],
            "mark": node.mark.value,
            "depth": node.depth,
            "parent": node.parent,
            "transition": node.transition,
        }
        for node in network.nodes
    ]
    return {
        "puzzle": crossing.name,
        "reading": crossing.reading,
        "conflicts": [list(pair) for pair in crossing.conflicts],
        "start": _banks_as_data(network.puzzle.start),
        "solutions": solutions,
        "nodes": nodes,
    }


def _banks_as_data(banks: Banks) -> dict[str, list[str]]:
    return {"left": list(banks.left), "right": list(banks.right)}
