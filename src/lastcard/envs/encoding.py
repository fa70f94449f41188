"""The observation encoding: what a seat sees as a row of bytes, the same for every environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from lastcard import _core
from lastcard.actions import ACTIONS, Action
from lastcard.errors import IllegalActionError, StateError, require_int, shorten
from lastcard.observation import Observation
from lastcard.rules import MAX_PLAYERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENCODING_VERSION: Final[int] = _core.ENCODING_VERSION
"""Changes whenever any byte's meaning does; a network is made for one version."""

NUM_ACTIONS: Final[int] = _core.NUM_ACTIONS
"""Length of a mask, and of a network's policy."""

_MEANINGS: Final[Mapping[str, str]] = {
    "own_hand": "copies of each face in the own hand, in the order of `lastcard.CARDS`",
    "discard_pile": "copies of each face in the discard pile, that is since the last reshuffle",
    "unseen": "copies of each face that lie elsewhere: in other hands or the draw pile",
    "active_color": "which color is active: red, yellow, green, blue; none before a turned-up Wild is named",
    "top_symbol": "what lies on top: 0 to 9, Skip, Reverse, Draw Two, Wild, Wild Draw Four",
    "hand_size_is": "for each seat, which of 1 to 10 its hand size is; none if it is larger",
    "hand_size": "for each seat, its hand size",
    "color_count": "own cards of each color",
    "has_color": "for each color, whether there are any",
    "drew_cards": "for each seat and color, 240 / cards it has got since it last drew in turn on that color, that draw"
    " included; 0 if it never did",
    "drew_ago": "for each seat and color, how recent that draw is",
    "played_ago": "for each seat and color, how recently it played a card of that color",
    "named_ago": "for each seat and color, how recently it named that color",
    "last_actions": "the last six actions, the newest first, each as: seat; color played or named; symbol played, as in"
    " `top_symbol`; draw, accept, challenge, uno, catch, swap. Keeping and passing are left out",
    "drawn_card": "the card just drawn that may be played now: its color, then its symbol as in `top_symbol`",
    "phase": "what is being asked: turn, drawn, name_color, answer, swap, catch, jump_in",
    "last_color": "which color was active before the top card was played (what a challenge is about)",
    "top_player": "for each seat, whether it played the top card",
    "declared_uno": "for each seat, whether its declaration of UNO stands",
    "draw_pile_size": "cards in the draw pile",
    "draw_sum": "cards that the seat being asked would have to draw",
    "stuck_passes": "seats in a row that could neither play nor draw",
    "switches": "of the rules: wild_draw_four strict, bluff, free, last_resort; stacking none, same, any_up; drawn_card"
    " may_play, must_play, end_turn; scoring lowest; draw_until_playable; must_play; seven_zero; jump_in",
    "uno_penalty": "of the rules",
    "legal_actions": "which actions are legal, by action index",
}


@dataclass(frozen=True, slots=True)
class Block:
    """A run of bytes of one kind."""

    name: str
    start: int
    stop: int
    """One past its last index."""
    unit: int
    """A network's input is the byte divided by this."""
    meaning: str


def encoding_blocks(players: int) -> tuple[Block, ...]:
    """The index table: what each byte of an encoded observation is.

    Raises:
        StateError: if so many cannot play.

    >>> encoding_blocks(2)[0].name, encoding_blocks(2)[-1].stop == encoding_size(2)
    ('own_hand', True)
    """
    return _list_blocks(require_int("players", players, 2, MAX_PLAYERS, StateError))


@cache
def _list_blocks(players: int) -> tuple[Block, ...]:
    ranges = _core.encoding_blocks(players)
    return tuple(
        Block(name, start, stop, unit, meaning)
        for (name, meaning), (start, stop, unit) in zip(_MEANINGS.items(), ranges, strict=True)
    )


def encoding_size(players: int) -> int:
    """Length of an encoded observation; it depends on the number of players alone.

    >>> encoding_size(2) < encoding_size(10)
    True
    """
    return encoding_blocks(players)[-1].stop


def encode(observation: Observation) -> NDArray[np.uint8]:
    """The observation as bytes: what `VectorEnv` would write for the same situation.

    >>> from lastcard import Rules, deal, observe
    >>> row = encode(observe(deal(Rules.preset("official"), seed=7), seat=0))
    >>> row.shape == (encoding_size(2),), int(row[:54].sum())
    (True, 7)
    """
    import numpy as np

    _require_observation(observation)
    row = np.empty(encoding_size(observation.rules.players), np.uint8)
    _core.encode_observation(observation._core, row)
    return row


def action_mask(observation: Observation) -> NDArray[np.uint8]:
    """A 1 at the index of every legal action; all 0 when another seat is to act.

    >>> from lastcard import Rules, deal, observe
    >>> obs = observe(deal(Rules.preset("official"), seed=7), seat=0)
    >>> [action_of_index(obs, int(i)) for i in action_mask(obs).nonzero()[0]] == list(obs.legal_actions)
    True
    """
    import numpy as np

    _require_observation(observation)
    mask = np.empty(NUM_ACTIONS, np.uint8)
    _core.write_mask(observation._core, mask)
    return mask


def index_of_action(observation: Observation, action: Action) -> int:
    """Where the action stands in masks and policies: at its id, but `swap:2` at the observer's second seat on.

    Raises:
        IllegalActionError: if the action is not legal here.
    """
    _require_observation(observation)
    if not isinstance(action, Action) or action.index not in observation._core.legal():
        raise IllegalActionError(f"{shorten(action)} is not legal here; there are {_list(observation)}")
    return _core.index_of_action(observation._core, action.index)


def actions_by_index(observation: Observation) -> dict[int, Action]:
    """Every legal action by its place in masks and policies, in ascending order.

    >>> from lastcard import Rules, deal, observe
    >>> actions_by_index(observe(deal(Rules.preset("official"), seed=7), seat=0))[60]
    parse_action('draw')
    """
    _require_observation(observation)
    core = observation._core
    found = {_core.index_of_action(core, action): ACTIONS[action] for action in core.legal()}
    return dict(sorted(found.items()))


def action_of_index(observation: Observation, index: int) -> Action:
    """The legal action at that place of masks and policies.

    Raises:
        IllegalActionError: if none is.
    """
    _require_observation(observation)
    require_int("index", index, 0, NUM_ACTIONS - 1, IllegalActionError)
    action = ACTIONS[_core.action_of_index(observation._core, index)]
    if action.index not in observation._core.legal():
        raise IllegalActionError(f"index {index} is {action}, which is not legal here; there are {_list(observation)}")
    return action


def _list(observation: Observation) -> str:
    return " ".join(map(str, observation.legal_actions)) or "none: another seat is to act"


def _require_observation(observation: object) -> None:
    if not isinstance(observation, Observation):
        raise StateError(
            f"observation must be an Observation, not {shorten(observation)}; observe(state, seat) makes one"
        )


def format_encoding() -> str:
    """The index table as Markdown, for two, three and four players: what docs/reference/encoding.md holds.

    >>> "own_hand" in format_encoding()
    True
    """
    shown = (2, 3, 4)
    tables = [encoding_blocks(players) for players in shown]
    sizes = ", ".join(f"{encoding_size(n)} with {n} players" for n in (*shown, MAX_PLAYERS))
    lines = [
        f"Version {ENCODING_VERSION}. A row has {sizes}.",
        "",
        f"| block | {' | '.join(f'{players} players' for players in shown)} | unit | meaning |",
        f"|---|{'---|' * len(shown)}---|---|",
    ]
    for blocks in zip(*tables, strict=True):
        ranges = " | ".join(_format_range(block) for block in blocks)
        lines.append(f"| `{blocks[0].name}` | {ranges} | {blocks[0].unit} | {blocks[0].meaning} |")
    return "\n".join(lines) + "\n"


def _format_range(block: Block) -> str:
    return f"{block.start}" if block.stop == block.start + 1 else f"{block.start} to {block.stop - 1}"
