"""A UNO engine and an AI that plays it.

>>> import lastcard as lc
>>> state = lc.deal(lc.Rules.preset("official"), seed=7)
>>> obs = lc.observe(state, seat=0)
>>> lc.make_agent("random", seed=3).choose(obs) in obs.legal_actions
True
"""

from lastcard.cpu import find_core as _find_core

# Before any other import: `_core` comes from the folder of the chosen code path.
if _folder := _find_core():
    __path__.append(_folder)

# ruff: isort: split
from lastcard.actions import ACTIONS, DRAW, Action, ActionKind, format_action, parse_action
from lastcard.agents import Agent, AgentInfo, add_agent, list_agents, load_agent, make_agent, remove_agent
from lastcard.batch import RandomGames, play_random_games
from lastcard.belief import Belief, BeliefConfig, HiddenCards
from lastcard.cards import (
    CARDS,
    OFFICIAL,
    WILD,
    WILD_DRAW_FOUR,
    Card,
    Color,
    Deck,
    Rank,
    format_card,
    format_cards,
    format_color,
    parse_card,
    parse_cards,
    parse_color,
)
from lastcard.errors import (
    AgentError,
    IllegalActionError,
    LastcardError,
    NotationError,
    PuzzleError,
    RecordError,
    RulesError,
    StateError,
    StoreError,
)
from lastcard.events import Event, EventKind, format_event, parse_event
from lastcard.observation import Observation, PublicObservation, observe, spectate
from lastcard.phase import Ending, Phase
from lastcard.record import Record, RoundRecord
from lastcard.rules import PRESETS, Rules, format_rules, parse_rules
from lastcard.search import (
    ActionValue,
    ExpectiminimaxConfig,
    HalvingConfig,
    IsmctsConfig,
    MctsConfig,
    Pomcp,
    PomcpConfig,
    SearchReport,
    TreeNode,
    search_by_expectiminimax,
    search_by_halving,
    search_by_ismcts,
    search_by_mcts,
    search_by_pomcp,
)
from lastcard.seeds import split_seed
from lastcard.state import Outcome, Player, State, deal, deck_order, format_state, parse_state, reshuffled
from lastcard.table import GameOutcome, Table
from lastcard.version import __version__ as __version__

__all__ = [
    "ACTIONS",
    "CARDS",
    "DRAW",
    "OFFICIAL",
    "PRESETS",
    "WILD",
    "WILD_DRAW_FOUR",
    "Action",
    "ActionKind",
    "ActionValue",
    "Agent",
    "AgentError",
    "AgentInfo",
    "Belief",
    "BeliefConfig",
    "Card",
    "Color",
    "Deck",
    "Ending",
    "Event",
    "EventKind",
    "ExpectiminimaxConfig",
    "GameOutcome",
    "HalvingConfig",
    "HiddenCards",
    "IllegalActionError",
    "IsmctsConfig",
    "LastcardError",
    "MctsConfig",
    "NotationError",
    "Observation",
    "Outcome",
    "Phase",
    "Player",
    "Pomcp",
    "PomcpConfig",
    "PublicObservation",
    "PuzzleError",
    "RandomGames",
    "Rank",
    "Record",
    "RecordError",
    "RoundRecord",
    "Rules",
    "RulesError",
    "SearchReport",
    "State",
    "StateError",
    "StoreError",
    "Table",
    "TreeNode",
    "add_agent",
    "deal",
    "deck_order",
    "format_action",
    "format_card",
    "format_cards",
    "format_color",
    "format_event",
    "format_rules",
    "format_state",
    "list_agents",
    "load_agent",
    "make_agent",
    "observe",
    "parse_action",
    "parse_card",
    "parse_cards",
    "parse_color",
    "parse_event",
    "parse_rules",
    "parse_state",
    "play_random_games",
    "remove_agent",
    "reshuffled",
    "search_by_expectiminimax",
    "search_by_halving",
    "search_by_ismcts",
    "search_by_mcts",
    "search_by_pomcp",
    "spectate",
    "split_seed",
]
