"""Draws an entire network as SVG, with nothing but the standard library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from lastcard.errors import PuzzleError, require
from lastcard.puzzles.crossing import BOAT, Banks, Crossing
from lastcard.puzzles.layout import place
from lastcard.puzzles.semantic_network import Mark, Network, StateT, Transition, generate

_MARGIN: Final = 24
_COLUMN_GAP: Final = 34
_ROW_GAP: Final = 64
_FORK: Final = 24  # from the foot of a state down to where its edges part
_LABEL_GAP: Final = 7
_LINE: Final = 19
_LETTER_WIDTH: Final = 7.5  # of the widest text, so that nothing is cut off where another font is used
_NOTES: Final = (
    "Crossed out in red: invalid. In gray: visited before, under the same number.",
    "Heavy lines belong to a solution, which continues where a state first appears.",
)
_STYLE: Final = """
text { font: 13px "DejaVu Sans", Verdana, Helvetica, sans-serif; fill: #222; }
.title { font-size: 17px; font-weight: bold; }
.number, .caption { font-size: 11px; fill: #555; }
.caption { text-anchor: middle; }
.frame { fill: none; stroke: #333; stroke-width: 1.2; }
.cross { fill: none; stroke-width: 3; stroke-linecap: round; }
.edge { fill: none; stroke: #8a8a8a; stroke-width: 1.2; }
.edge.solution { stroke: #222; stroke-width: 3; }
.invalid .picture, .visited .picture { opacity: 0.5; }
.invalid .cross { stroke: #c62828; }
.visited .cross { stroke: #757575; stroke-dasharray: 7 6; }
.halo { fill: #43a047; }
.goal .caption { fill: #2e7d32; font-weight: bold; }
.bank { fill: #f2e3c0; }
.goal .bank { fill: #c8e6c9; }
.river { fill: #bfe0f2; }
.wave { fill: none; stroke: #86bfdf; stroke-width: 1.4; }
.boat { fill: #8d5a2b; stroke: #5d3a1a; }
.item { fill: #fff; stroke: #333; stroke-width: 1.2; }
.letter { text-anchor: middle; font-weight: bold; }
.aboard { fill: #fff; }
"""


@dataclass(frozen=True, slots=True)
class Picture(Generic[StateT]):
    """The picture of a state: its size, and a function that draws it into a group with its origin at the upper left."""

    width: float
    height: float
    draw: Callable[[Element, StateT], None]


def draw_crossing(crossing: Crossing) -> str:
    """Draws everything that can happen at the river.

    >>> from lastcard.puzzles import WOLF
    >>> draw_crossing(WOLF).startswith("<svg")
    True
    """
    require("crossing", crossing, Crossing, PuzzleError)
    everybody = [f"{BOAT} the boat with {crossing.boatman}", *(f"{key} {name}" for key, name in crossing.items.items())]
    title = f"lastcard puzzle {crossing.name}" + (f" --reading {crossing.reading}" if crossing.reading else "")
    about = [f"{', '.join(everybody)}.", crossing.ban]
    return draw_network(generate(crossing.to_puzzle()), picture_banks(crossing), title, about)


def draw_network(network: Network[StateT], picture: Picture[StateT], title: str, about: Sequence[str] = ()) -> str:
    """Draws every node and edge of a network, one row a depth: the title and what it is about above, a key below."""
    columns = place(network.children)
    label = _LABEL_GAP + max(len(node.transition or "") for node in network.nodes) * _LETTER_WIDTH
    pitch = max(picture.width + _COLUMN_GAP, picture.width / 2 + label + _LABEL_GAP)
    top = _MARGIN + (len(about) + 2) * _LINE
    corners = [
        (_MARGIN + column * pitch, top + node.depth * (picture.height + _ROW_GAP))
        for column, node in zip(columns, network.nodes, strict=True)
    ]
    foot = max(y for _, y in corners) + picture.height + 2.5 * _LINE
    texts = max(map(len, (title, *about, *_NOTES)))
    right = max(x for x, _ in corners) + max(picture.width, picture.width / 2 + label)
    width = max(right, _MARGIN + texts * _LETTER_WIDTH) + _MARGIN
    svg = _canvas(width, foot + (len(_NOTES) - 1) * _LINE + _MARGIN, title)
    _text(svg, _MARGIN, _MARGIN + 12, title, "title")
    for line, text in enumerate(about, 1):
        _text(svg, _MARGIN, _MARGIN + 12 + line * _LINE, text)
    _draw_edges(svg, network, picture, corners)
    for index, corner in enumerate(corners):
        _draw_node(svg, network, picture, index, corner)
    for line, text in enumerate(_NOTES):
        _text(svg, _MARGIN, foot + line * _LINE, text)
    indent(svg)
    return tostring(svg, encoding="unicode") + "\n"


def picture_banks(crossing: Crossing) -> Picture[Banks]:
    """Two banks with the river between them; every item keeps its row, and the boat is at its bank."""
    bank, river, row = 34.0, 56.0, 23.0
    height = row * len(crossing.items) + 4

    def draw(group: Element, banks: Banks) -> None:
        _rect(group, "bank", 0, 0, bank, height)
        _rect(group, "river", bank, 0, river, height)
        _rect(group, "bank", bank + river, 0, bank, height)
        for line in (0.18, 0.82):
            wave = f"M{bank + 6:g},{line * height:g} q5.5,-5 11,0 t11,0 t11,0 t11,0"
            SubElement(group, "path", {"class": "wave", "d": wave})
        _draw_boat(group, bank + (17 if banks.is_boat_left else river - 17), height / 2)
        for line, item in enumerate(crossing.items):
            middle = bank / 2 if item in banks.left else bank * 1.5 + river
            _draw_item(group, item, middle, (line + 0.5) * row + 2)

    return Picture(2 * bank + river, height, draw)


def _draw_boat(group: Element, x: float, y: float) -> None:
    hull = f"M{x - 15:g},{y - 8:g} h30 l-6,16 h-18 z"
    SubElement(group, "path", {"class": "boat", "d": hull})
    _text(group, x, y + 5, BOAT, "letter aboard")


def _draw_item(group: Element, item: str, x: float, y: float) -> None:
    SubElement(group, "circle", {"class": "item", "cx": f"{x:g}", "cy": f"{y:g}", "r": "10"})
    _text(group, x, y + 5, item, "letter")


def _draw_edges(
    svg: Element, network: Network[StateT], picture: Picture[StateT], corners: Sequence[tuple[float, float]]
) -> None:
    heavy = {}
    for index, node in enumerate(network.nodes):
        if node.parent is not None and node.transition is not None:
            way = Transition(node.transition, node.state)
            heavy[index] = (network.nodes[node.parent].state, way) in network.solving
    for index in sorted(heavy, key=heavy.__getitem__):  # heavy lines last, on top of the others
        node = network.nodes[index]
        parent = node.parent or 0
        (parent_x, parent_y), (x, y) = corners[parent], corners[index]
        foot, half = parent_y + picture.height, picture.width / 2
        group = SubElement(svg, "g", {"class": "transition", "data-from": str(parent), "data-to": str(index)})
        line = f"M{parent_x + half:g},{foot:g} V{foot + _FORK:g} H{x + half:g} V{y:g}"
        SubElement(group, "path", {"class": "edge solution" if heavy[index] else "edge", "d": line})
        _text(group, x + half + _LABEL_GAP, (foot + _FORK + y) / 2 + 4, node.transition or "", "label")


def _draw_node(
    svg: Element, network: Network[StateT], picture: Picture[StateT], index: int, corner: tuple[float, float]
) -> None:
    node, (x, y) = network.nodes[index], corner
    place_of = {"class": f"node {node.mark.value}", "data-node": str(index), "data-state": str(node.state)}
    group = SubElement(svg, "g", {**place_of, "transform": f"translate({x:g},{y:g})"})
    number = network.numbers[node.state]
    SubElement(group, "title").text = f"{number}: {node.state} ({node.mark.value})"
    if node.mark is Mark.GOAL:
        _rect(group, "halo", -6, -6, picture.width + 12, picture.height + 12)
    picture.draw(SubElement(group, "g", {"class": "picture"}), node.state)
    _rect(group, "frame", 0, 0, picture.width, picture.height)
    _text(group, 0, -9, f"{number} start" if node.parent is None else str(number), "number")
    if node.mark in (Mark.INVALID, Mark.VISITED):
        right, bottom = picture.width + 4, picture.height + 4
        strokes = f"M-4,-4 L{right:g},{bottom:g} M{right:g},-4 L-4,{bottom:g}"
        SubElement(group, "path", {"class": "cross", "d": strokes})
    if node.mark is not Mark.OPEN:
        _text(group, picture.width / 2, picture.height + 16, node.mark.value, "caption")


def _canvas(width: float, height: float, title: str) -> Element:
    box = f"0 0 {width:g} {height:g}"
    size = {"width": f"{width:g}", "height": f"{height:g}", "viewBox": box}
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, "role": "img"})
    SubElement(svg, "title").text = title
    SubElement(svg, "style").text = _STYLE
    SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": "#fff"})
    return svg


def _rect(group: Element, kind: str, x: float, y: float, width: float, height: float) -> None:
    size = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{width:g}", "height": f"{height:g}"}
    SubElement(group, "rect", {"class": kind, **size})


def _text(group: Element, x: float, y: float, text: str, kind: str | None = None) -> None:
    attributes = {"x": f"{x:g}", "y": f"{y:g}", **({"class": kind} if kind else {})}
    SubElement(group, "text", attributes).text = text
