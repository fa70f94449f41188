"""An agent's policy, found by asking it at every information set."""

from __future__ import annotations

from collections.abc import Callable

from lastcard.agents import AgentLike, seat_agent
from lastcard.agents.own import name_own
from lastcard.errors import AgentError, require_int
from lastcard.exact.cfr import Policy
from lastcard.exact.tree import InformationSet, Tree


def policy_of(agent: AgentLike, tree: Tree, num_seeds: int = 1, tell: Callable[[float], None] | None = None) -> Policy:
    """Frequencies of the agent's actions at every information set, over several seeds.

    Each question goes to an agent that has seen no decision before, so what one carries over from decision to
    decision does not count. `tell` is called with the share that is done.

    Raises:
        AgentError: if there is no such agent, or its answer is not legal.

    >>> from lastcard.exact.tree import build_tree
    >>> from lastcard.cards import Deck, parse_cards
    >>> from lastcard.rules import Rules
    >>> tree = build_tree(Rules.preset("mini", deck=Deck.of(parse_cards("r0 r1 r2 y0 y1 y2")), hand_size=2))
    >>> set(policy_of("first_legal", tree))
    {(1.0, 0.0)}
    """
    require_int("num_seeds", num_seeds, 1, 1_000_000, AgentError)
    policy = []
    for done, each in enumerate(tree.information_sets):
        policy.append(_ask(agent, each, num_seeds))
        if tell:
            tell((done + 1) / len(tree.information_sets))
    return tuple(policy)


def _ask(agent: AgentLike, information: InformationSet, num_seeds: int) -> tuple[float, ...]:
    counts = [0] * len(information.actions)
    for k in range(num_seeds):
        action = seat_agent(agent, information.number * num_seeds + k).choose(information.observation)
        if action not in information.actions:
            legal = " ".join(map(str, information.actions))
            name = agent if isinstance(agent, str) else name_own(agent)
            raise AgentError(f"{name} answered {action} for seat {information.seat}; legal were: {legal}")
        counts[information.actions.index(action)] += 1
    return tuple(count / num_seeds for count in counts)
