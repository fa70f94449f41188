"""A search report on the screen: actions as bars, reasons in words, beliefs as a map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from lastcard.actions import Action
from lastcard.advice import describe_action, list_reasons
from lastcard.advice.reasons import seat_names
from lastcard.belief import Belief
from lastcard.cards import CARDS, Card, Color, Rank
from lastcard.cli.screen import Screen, color_ink, ink
from lastcard.observation import Observation
from lastcard.search.report import ActionValue, SearchReport, TreeNode

SHADES: Final = ((0.0, "·"), (0.05, "░"), (0.15, "▒"), (0.4, "▓"), (1.0, "█"))
"""Up to which probability each is drawn."""
LEGEND: Final = "· 0 %  ░ to 5 %  ▒ to 15 %  ▓ to 40 %  █ more"
MOST_GRIDS: Final = 3
MOST_BRANCHES: Final = 5
"""Shown below each node of a tree, the most simulated."""
_MOST_BAR: Final = 44
_TITLE: Final = "Cards they may hold"
_COLUMNS: Final = 6
"""Four colors and two Wilds."""
_WIDE_COLUMN: Final = 9
_NARROW_COLUMN: Final = 6
_RANKS: Final = tuple(Rank)[:13]


def say_best(screen: Screen, observation: Observation, report: SearchReport) -> None:
    """Prints the best action, and how often it wins."""
    command = describe_action(report.best, observation)
    line = Text(f"{command[0].upper()}{command[1:]}", "bold")
    if report.actions:
        line.append(f": that wins {format_value(report.actions[0])} of rounds like this", "not bold")
    screen.say(line.append("."))


def say_actions(screen: Screen, report: SearchReport) -> None:
    """Shows every action with its value: solid up to where the 95 % interval begins, shaded to its end."""
    if not report.actions:
        return
    labels = [_label(value.action) for value in report.actions]
    width = max(label.cell_len for label in labels)
    room = min(screen.width - width - 20, _MOST_BAR)
    most = max(value.value + value.error for value in report.actions)
    for label, value in zip(labels, report.actions, strict=True):
        row = Text.assemble(label, " " * (width - label.cell_len), f"  {_percent_and_error(value):>14}  ")
        start = round(max(value.value - value.error, 0) / most * room)
        end = round((value.value + value.error) / most * room)
        screen.say(row.append("█" * start).append("▒" * (end - start), "dim"), indent=2)


def say_choice(screen: Screen, report: SearchReport) -> None:
    """Prints why the best action is not the one with the highest value, if it is not."""
    if report.reason:
        screen.say(f"{report.reason}.", indent=2)


def say_line(screen: Screen, report: SearchReport) -> None:
    """Prints the line that the search tried most after its choice."""
    if len(report.line) > 1:
        screen.say(Text.assemble("Then mostly: ", Text(", ").join(map(_label, report.line[1:]))), indent=2)


def say_tree(screen: Screen, report: SearchReport, depth: int) -> None:
    """Shows the most tried actions to that depth, with simulations and how often the searching seat won."""

    def say_nodes(nodes: Sequence[TreeNode], level: int) -> None:
        for node in nodes[:MOST_BRANCHES]:
            label = Text.assemble("  " * level, f"seat {node.seat}: ", _label(node.action))
            label.append(" " * max(28 - label.cell_len, 1))
            screen.say(label.append(f"{node.simulations:>10,}  {100 * node.value:5.1f} %"), indent=2)
            say_nodes(node.children, level + 1)

    say_nodes(report.tree(depth), 0)


def say_reasons(
    screen: Screen, observation: Observation, report: SearchReport, belief: Belief, names: Sequence[str] = ()
) -> None:
    """Prints the reason, in one sentence."""
    text = "; ".join(list_reasons(observation, report, belief, names))
    screen.say(f"{text[0].upper()}{text[1:]}.", indent=2)


def say_hint(screen: Screen, observation: Observation, report: SearchReport, names: Sequence[str]) -> None:
    """Prints in two or three lines what to do and why."""
    command = describe_action(report.best, observation, names)
    line = Text.assemble("Hint: ", (command, "bold"))
    if report.actions:
        best, *others = report.actions[:3]
        line.append(f", {format_value(best)} to win")
        if others:
            line.append("; then ").append_text(Text(", ").join([_with_value(value) for value in others]))
    screen.say(line.append("."), indent=2)
    belief = report.belief or Belief(observation)
    say_reasons(screen, observation, report, belief, names)


def say_belief(screen: Screen, belief: Belief) -> None:
    """Shows how likely each opponent is to hold each color and Wild and, for a few, each card."""
    observation = belief.observation
    names = seat_names(observation)
    left = max(len(name) for name in names) + 11
    is_wide = screen.width >= 2 + left + _WIDE_COLUMN * _COLUMNS
    if len(_TITLE) + 2 + len(LEGEND) <= screen.width:
        screen.say(Text.assemble(f"{_TITLE}  ", (LEGEND, "dim")))
    else:
        screen.say(_TITLE)
        screen.say(Text(LEGEND, "dim"), indent=2)
    screen.say(_chances_head(left, is_wide=is_wide), indent=2, whole=True)
    for seat in belief.opponents:
        size = observation.hand_sizes[seat]
        row = Text(f"{names[seat]:<{left - 11}}  {size:>2} card{'s' if size != 1 else ' '} ")
        chances: list[tuple[float, Color | None]] = [(belief.probability(seat, color=color), color) for color in Color]
        chances += [(belief.probability(seat, rank=rank), None) for rank in (Rank.WILD, Rank.WILD_DRAW_FOUR)]
        for chance, color in chances:
            told = f" {f'{round(100 * chance)} %':<7}" if is_wide else f"{f'{round(100 * chance)}%':<5}"
            row.append(shade(chance), _style(color)).append(told)
        row.rstrip()
        screen.say(row, indent=2, whole=True)
    if len(belief.opponents) <= MOST_GRIDS:
        screen.say()
        for line in _grids(belief, names, screen.width - 2):
            screen.say(line, indent=2, whole=True)


def _chances_head(left: int, *, is_wide: bool) -> Text:
    """The names of the columns: colors, or their letters where it is narrow, and the Wilds."""
    head = Text(" " * left)
    colors = [color_ink(color) if is_wide else Text(color.letter, _style(color)) for color in Color]
    for column in (*colors, Text("w"), Text("w+4")):
        head.append_text(column).append(" " * ((_WIDE_COLUMN if is_wide else _NARROW_COLUMN) - column.cell_len))
    head.rstrip()
    return head


def _grids(belief: Belief, names: Sequence[str], room: int) -> list[Text]:
    """Colors by ranks for each opponent, side by side as far as there is room, the others below."""
    count = len(belief.opponents)
    cell = 2 if count < MOST_GRIDS and count * (2 + 2 * len(_RANKS) + 4) - 4 <= room else 1
    wide = 2 + cell * len(_RANKS)
    beside = max((room + 4) // (wide + 4), 1)
    lines: list[Text] = []
    for first in range(0, count, beside):
        lines += [Text()] if lines else []
        lines += _grids_beside(belief, belief.opponents[first : first + beside], names, cell)
    return lines


def _grids_beside(belief: Belief, seats: Sequence[int], names: Sequence[str], cell: int) -> list[Text]:
    wide = 2 + cell * len(_RANKS)
    lines = [Text() for _ in range(3 + len(Color))]
    marginals = belief.marginals()
    for index, seat in enumerate(seats):
        grid = [Text(names[seat]), Text("  " + "".join(f"{rank.value[0]:<{cell}}" for rank in _RANKS), "dim")]
        grid += [_grid_row(color, marginals[seat], cell) for color in Color]
        wilds = [card for card in CARDS if card.is_wild]
        grid.append(Text("   ").join([Text.assemble(card.text, " ", shade(marginals[seat][card])) for card in wilds]))
        for line, part in zip(lines, grid, strict=True):
            line.append(" " * (index * (wide + 4) - line.cell_len)).append_text(part)
    for line in lines:
        line.rstrip()
    return lines


def _grid_row(color: Color, chances: dict[Card, float], cell: int) -> Text:
    shades = "".join(shade(chances[Card(color, rank)]) * cell for rank in _RANKS)
    return Text.assemble(f"{color.letter} ", (shades, _style(color)))


def shade(chance: float) -> str:
    """A probability as a block, the fuller the likelier."""
    return next((mark for most, mark in SHADES if chance <= most), SHADES[-1][1])


def format_value(value: ActionValue) -> str:
    """A win probability with its error, in percent: "42 ± 1 %"."""
    return f"{100 * value.value:.0f} ± {max(100 * value.error, 1):.0f} %"


def _percent_and_error(value: ActionValue) -> str:
    return f"{100 * value.value:.1f} ± {100 * value.error:.1f} %"


def _label(action: Action) -> Text:
    return ink(action.card, action.color) if action.card else Text(action.text)


def _with_value(value: ActionValue) -> Text:
    return Text.assemble(_label(value.action), f" {format_value(value)}")


def _style(color: Color | None) -> str:
    return "" if color is None else str(color_ink(color).style)
