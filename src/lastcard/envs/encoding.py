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

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENCODING_VERSION: Final[int] = _core.ENCODING_VERSION
"""The version of the encoding, which files of networks name."""

LEAST_INPUTS: Final[int] = _core.LEAST_INPUTS
"""Minimum number of inputs of a network; the bytes after them were added later."""

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
    "size_range": "for each seat with more than ten cards, how many more: up to 2, 5, 10, 15, 20, 30, 50, or above",
    "cards_got": "for each seat, cards that it has got since the deal, at most 255",
    "own_symbols": "own cards of each symbol, in the order of `top_symbol`",
    "unseen_symbols": "cards of each symbol that lie elsewhere: in other hands or the draw pile",
    "stopping_range": "own cards that cost the next seat its turn (Skip, Draw Two, Wild Draw Four; with two players"
    " Reverse): 0, 1, 2, 3, 4, 5 to 6, 7 to 8, 9 to 11, 12 to 15, or more",
    "others_range": "own cards that do not, in the same ranges",
    "unseen_stopping": "cards elsewhere that cost the next seat its turn",
    "legal_plays": "how many plays are legal",
    "draw_pile_range": "cards in the draw pile: up to 2, 5, 10, 15, 20, 30, 50, or above",
    "round_lasted": "whether there were at least 16, 32, 64, and so on up to 8192 actions; keeping and passing do not"
    " count",
    "reshuffles": "how often the discard pile was shuffled, at most 255",
    "players_are": "which of 2 to 10 the number of players is",
    "dealt_cards": "of the rules: cards that each seat is dealt",
    "score": "for each seat, its score before this round divided by 4, at most 255",
    "target_score": "of the rules, divided by 20, at most 255",
    "score_share": "for each seat, its score before this round in percent of the target score, at most 255",
    "most_plies": "of the rules: whether max_plies is at least 16, 32, 64, and so on up to 65536",
    "known_cards": "copies of each face that the observer knows to be in other hands: from the last reshuffle, when the"
    " draw pile was empty, from a hand that was shown after a challenge, and from hands that it passed on",
    "known_stopping": "known cards that cost the next seat its turn",
    "num_known": "how many known cards there are",
    "more_switches": f"of the rules, a byte each: {', '.join(_core.more_switches())}",
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


@cache
def encoding_blocks() -> tuple[Block, ...]:
    """The index table: what each byte of an encoded observation is, the same at every table.

    >>> encoding_blocks()[0].name, encoding_blocks()[-1].stop == ENCODING_SIZE
    ('own_hand', True)
    """
    return tuple(
        Block(name, block.start, block.stop, block.unit, meaning)
        for (name, meaning), block in zip(_MEANINGS.items(), _core.encoding_blocks(), strict=True)
        if block.stop > block.start
    )


ENCODING_SIZE: Final[int] = encoding_blocks()[-1].stop
"""Length of an encoded observation."""


@cache
def encoding_units() -> NDArray[np.float32]:
    """Returns the unit of every byte: a network's inputs are the bytes divided by these.

    >>> encoding_units().shape == (ENCODING_SIZE,), float(encoding_units()[0])
    (True, 2.0)
    """
    import numpy as np

    blocks = encoding_blocks()
    units = np.repeat([block.unit for block in blocks], [block.stop - block.start for block in blocks])
    units = units.astype(np.float32)
    units.flags.writeable = False  # every caller gets the same array
    return units


def encode(observation: Observation) -> NDArray[np.uint8]:
    """The observation as bytes: what `VectorEnv` would write for the same situation.

    >>> from lastcard import Rules, deal, observe
    >>> row = encode(observe(deal(Rules.preset("official"), seed=7), seat=0))
    >>> row.shape == (ENCODING_SIZE,), int(row[:54].sum())
    (True, 7)
    """
    import numpy as np

    _require_observation(observation)
    row = np.empty(ENCODING_SIZE, np.uint8)
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
    """Returns the index of an action in masks and policies: its id, but `swap:2` counts seats from the observer.

    Raises:
        IllegalActionError: if the action is not legal here.
    """
    _require_observation(observation)
    if not isinstance(action, Action) or action.index not in observation._core.legal():
        raise IllegalActionError(f"{shorten(action)} is not legal here; legal actions: {_list(observation)}")
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
        raise IllegalActionError(
            f"index {index} is {action}, which is not legal here; legal actions: {_list(observation)}"
        )
    return action


def _list(observation: Observation) -> str:
    return " ".join(map(str, observation.legal_actions)) or "none: another seat is to act"


def _require_observation(observation: object) -> None:
    if not isinstance(observation, Observation):
        raise StateError(
            f"observation must be an Observation, not {shorten(observation)}; observe(state, seat) makes one"
        )


def format_encoding() -> str:
    """The index table as Markdown: what docs/reference/encoding.md holds.

    >>> "own_hand" in format_encoding()
    True
    """
    blocks = encoding_blocks()
    lines = [f"A row has {blocks[-1].stop} bytes.", "", "| block | bytes | unit | meaning |", "|---|---|---|---|"]
    lines += [f"| `{each.name}` | {_format_range(each)} | {each.unit} | {each.meaning} |" for each in blocks]
    return "\n".join(lines) + "\n"


def _format_range(block: Block) -> str:
    return f"{block.start}" if block.stop == block.start + 1 else f"{block.start} to {block.stop - 1}"
