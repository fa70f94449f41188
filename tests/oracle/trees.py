"""The tree searches a second time: short, slow, one dictionary a node.

Rules, beliefs and random numbers are the core's, one action at a time; everything that makes them searches (selection,
expansion, backing up, pruning, the particle filter) is written down here again.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from itertools import accumulate

from lastcard import _core
from lastcard.observation import Observation
from lastcard.search import IsmctsConfig, MctsConfig, PomcpConfig

MASK = 2**64 - 1
DRAW, KEEP = 60, 61
FIRST_WILD, FIRST_FOUR = 52, 56


def mix(a: int, b: int) -> int:
    product = (a & MASK) * (b & MASK)
    return (product >> 64) ^ (product & MASK)


def split(seed: int, index: int) -> int:
    a = mix(seed ^ 0x2D358DCCAA6C78A5, index ^ 0x8BB84B93962EACC9)
    return mix(a ^ 0x4B33A62ED433D4A3, seed + index * 0x9E3779B97F4A7C15)


def first_random(state: int) -> int:
    state = (state + 0xA0761D6478BD642F) & MASK
    return mix(state, state ^ 0xE7037ED1A0B428DB)


def below(random: int, bound: int) -> int:
    """Returns a number below the bound from the high half of a random number."""
    return (random >> 32) * bound >> 32


def log(count: int) -> float:
    """Repeats the core's logarithm to the last bit: two nearly equal scores must compare alike."""
    mantissa, exponent = math.frexp(count)
    mantissa, exponent = 2 * mantissa, exponent - 1
    if mantissa > 1.4142135623730951:
        mantissa, exponent = mantissa / 2, exponent + 1
    t = (mantissa - 1) / (mantissa + 1)
    total = 0.0
    for n in range(21, 0, -2):
        total = 1 / n + t * t * total
    return exponent * 0.69314718055994530942 + 2 * t * total


@dataclass
class Edge:
    seat: int
    visits: int = 0
    available: int = 0
    total: float = 0.0
    children: dict[int, Node] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        return self.total / self.visits


@dataclass
class Node:
    visits: int = 0
    edges: dict[tuple[int, int], Edge] = field(default_factory=dict)
    particles: list[Particle] = field(default_factory=list)


@dataclass(frozen=True)
class Particle:
    hands: tuple[tuple[int, ...], ...]
    models: tuple[int, ...]
    weight: float = 1.0

    @property
    def order(self) -> tuple[object, ...]:
        """Sorts by the bit planes of each hand, then by the models."""
        return (*(plane for hand in self.hands for plane in planes(hand)), self.models)


def planes(hand: tuple[int, ...]) -> tuple[int, int]:
    first = second = 0
    for face in hand:
        if face < FIRST_WILD:
            second |= first & 1 << face
            first |= 1 << face
        else:
            start = FIRST_WILD if face == FIRST_WILD else FIRST_FOUR
            first |= 1 << (start + bin(first >> start & 15).count("1"))
    return first, second


def believed(belief: _core.Belief, players: int) -> list[Particle]:
    return [
        Particle(tuple(map(tuple, belief.hands(i, players))), tuple(belief.models_of(i, players)), weight)
        for i, weight in enumerate(belief.weights())
    ]


_Settings = _core.IsmctsSettings | _core.MctsSettings | _core.PomcpSettings


def simulated(
    observation: Observation, settings: _Settings, particles: list[Particle], by_weight: bool, seed: int
) -> _core.SimulatedRounds:
    return _core.SimulatedRounds(
        observation._core,
        settings,
        [[list(hand) for hand in particle.hands] for particle in particles],
        [list(particle.models) for particle in particles],
        [particle.weight for particle in particles],
        by_weight,
        seed,
    )


def pick(scores: dict[int, float]) -> int:
    """The best, the first of equals."""
    return max(sorted(scores), key=lambda action: scores[action])


def ismcts(observation: Observation, config: IsmctsConfig, seed: int) -> dict[int, int]:
    """Counts the tries of each action at the root."""
    players, me = observation.rules.players, observation.observer
    belief = _core.believe(observation._core, config.belief.compile(observation.rules), seed)
    d = simulated(observation, config.compile(observation.rules), believed(belief, players), belief.is_exact, seed)
    root = Node()
    for number in range(config.simulations):
        d.start(number)
        node, path = root, []
        while True:
            is_leaf = node is not root and node.visits < config.patience
            node.visits += 1
            if is_leaf or d.is_over:
                break
            seat = d.turn.seat
            assert seat is not None
            untried = [action for action in d.legal if (seat, action) not in node.edges]
            scores = {}
            for action in d.legal:
                if edge := node.edges.get((seat, action)):
                    edge.available += 1
                    scores[action] = edge.mean + config.exploration * math.sqrt(log(edge.available) / edge.visits)
            if untried:
                action = d.choose_by_weights() if config.heuristic_first else -1
                if action not in untried:
                    action = untried[below(d.next_random(), len(untried))]
                node.edges[seat, action] = Edge(seat, available=1)
            else:
                action = pick(scores)
            edge = node.edges[seat, action]
            path.append(edge)
            d.take_heard()
            d.apply(action)
            while not d.is_over and d.is_window and d.turn.seat != me:
                d.apply(d.choose())
            node = edge.children.setdefault(d.take_heard(), Node())
        d.play_out()
        for edge in path:
            edge.visits += 1
            edge.total += d.value(edge.seat)
    return {action: edge.visits for (_, action), edge in root.edges.items()}


def mcts(observation: Observation, config: MctsConfig, seed: int) -> dict[int, int]:
    """Counts the tries of each action at the root; the draw pile must be that of the particle."""
    players, me = observation.rules.players, observation.observer
    belief = _core.believe(observation._core, config.belief.compile(observation.rules), seed)
    settings = config.compile(observation.rules)
    s = simulated(observation, settings, believed(belief, players), belief.is_exact, seed)

    def choose() -> int:
        if config.playouts != "random" or s.turn.seat == me:
            return s.choose()
        legal = s.legal
        plays = [action for action in legal if action < DRAW]
        passing = [action for action in legal if action in (DRAW, KEEP)]
        if plays and passing:
            if (s.next_random() >> 32) * 2.0**-32 >= config.opponent_plays:
                return passing[0]
            return plays[below(s.next_random(), len(plays))]
        rest = [action for action in legal if action != DRAW]
        return rest[below(s.next_random(), len(rest))] if rest else DRAW

    def tried(action: int) -> int:
        """Returns the tree's name for the action: a Wild is one if colors are left to chance."""
        if config.searches_color or not FIRST_WILD <= action < DRAW:
            return action
        return FIRST_WILD if action < FIRST_FOUR else FIRST_FOUR

    root = Node()
    for number in range(config.simulations):
        s.start(number)
        node, path, is_expanded = root, [], False
        while not is_expanded and not s.is_over:
            actions = sorted({tried(action) for action in s.legal})
            untried = [action for action in actions if (me, action) not in node.edges]
            if untried:
                action = untried[below(s.next_random(), len(untried))]
                node.edges[me, action] = Edge(me)
                is_expanded = True
            else:
                edges = {action: node.edges[me, action] for action in actions}
                action = pick(
                    {
                        action: edge.mean + config.exploration * math.sqrt(log(node.visits) / edge.visits)
                        for action, edge in edges.items()
                    }
                )
            node.visits += 1
            edge = node.edges[me, action]
            path.append(edge)
            is_open = not config.searches_color and FIRST_WILD <= action < DRAW
            s.transition(settings, action + below(s.next_random(), 4) if is_open else action)
            while not s.is_over and not s.is_own_choice:
                s.transition(settings, choose())
            node = edge.children.setdefault(0, Node())
        limit = s.turn.ply + config.max_depth
        while not s.is_over and (config.max_depth == 0 or s.turn.ply < limit):
            s.transition(settings, choose())
        if s.turn.ending:
            reward = s.value(me)
        elif config.values_unfinished:
            odds = [1 / max(len(s.hand(seat)), 1) for seat in range(players)]
            reward = odds[me] / sum(odds)
        else:
            reward = 0.0
        for edge in reversed(path):
            edge.visits += 1
            edge.total += reward
            reward *= config.discount
    return {action: edge.visits for (_, action), edge in root.edges.items()}


class Pomcp:
    """T(h) = {N, V, B}, kept from decision to decision."""

    def __init__(self, config: PomcpConfig) -> None:
        self.config = config
        self.root: Node | None = None
        self.events = 0  # seen at the last decision
        self.particles: list[Particle] = []

    def search(self, observation: Observation, seed: int) -> dict[int, int]:
        """Counts the tries of each action at the root, including those of earlier decisions."""
        config, players = self.config, observation.rules.players
        root = self.follow(observation)
        belief = _core.believe(observation._core, config.belief.compile(observation.rules), seed)
        self.particles = self.refresh(root.particles, believed(belief, players), seed)
        root.particles = []
        s = simulated(observation, config.compile(observation.rules), self.particles, True, seed)
        for number in range(config.simulations):
            s.start(number)
            self.simulate(s, root, observation.observer, players)
        self.root, self.events = root, len(observation._core.events())
        return {action: edge.visits for (_, action), edge in root.edges.items()}

    def follow(self, observation: Observation) -> Node:
        """The child of what really happened; the observations have to be those of one round."""
        if self.root is None:
            return Node()
        heard = _core.hear_events(observation._core, self.events)
        children = [edge.children[heard] for edge in self.root.edges.values() if heard in edge.children]
        return children[0] if children else Node()

    def refresh(self, carried: list[Particle], hypotheses: list[Particle], seed: int) -> list[Particle]:
        """Equal particles become one; below an effective size of K / 2 the belief helps out."""
        most = self.config.particles
        merged: dict[tuple[object, ...], float] = {}
        by_order = {particle.order: particle for particle in carried}
        for particle in carried:
            merged[particle.order] = merged.get(particle.order, 0.0) + particle.weight
        particles = [replace(by_order[order], weight=merged[order]) for order in sorted(merged)]
        total = sum(particle.weight for particle in particles)
        size = total**2 / sum(particle.weight**2 for particle in particles) if particles else 0.0
        if size >= most / 2:
            return particles
        if self.config.refill_particles or not particles:
            others = sum(particle.weight for particle in hypotheses)
            particles = [replace(particle, weight=particle.weight * (size / total)) for particle in particles]
            share = (most - size) / others
            particles += [replace(particle, weight=particle.weight * share) for particle in hypotheses]
        u = (first_random(split(seed ^ 0xF117E4, 0)) >> 11) * 2.0**-53
        reached = list(accumulate(particle.weight for particle in particles))
        points = [(k + u) / most * reached[-1] for k in range(most)]
        taken = [min(bisect_right(reached, point), len(particles) - 1) for point in points]
        return [replace(particles[index], weight=1.0) for index in taken]

    def simulate(self, s: _core.SimulatedRounds, root: Node, me: int, players: int) -> None:
        config, node, path = self.config, root, []
        while True:
            is_leaf = node is not root and node.visits < config.patience
            node.visits += 1
            if node is not root and len(node.particles) < config.particles:
                hands = tuple(() if seat == me else tuple(s.hand(seat)) for seat in range(players))
                node.particles.append(Particle(hands, tuple(s.models())))
            if is_leaf or s.is_over:
                break
            untried = [action for action in s.legal if (me, action) not in node.edges]
            if untried:
                action = s.choose_by_weights() if config.heuristic_first else -1
                if action not in untried:
                    action = untried[below(s.next_random(), len(untried))]
                node.edges[me, action] = Edge(me)
            else:
                edges = {action: node.edges[me, action] for action in s.legal}
                action = pick(
                    {
                        action: edge.mean + config.exploration * math.sqrt(log(node.visits) / edge.visits)
                        for action, edge in edges.items()
                    }
                )
            path.append(node.edges[me, action])
            s.take_heard()
            s.apply(action)
            s.respond()
            node = path[-1].children.setdefault(s.take_heard(), Node())
        value = self.reward(s, me) if s.is_over else config.discount * self.rollout(s, me)
        for edge in reversed(path):
            edge.visits += 1
            edge.total += value
            value *= config.discount

    def rollout(self, s: _core.SimulatedRounds, me: int) -> float:
        if self.config.discount == 1 and not self.config.rollout_depth:
            s.play_out()
            return self.reward(s, me)
        discount, depth = 1.0, 0
        while not self.config.rollout_depth or depth < self.config.rollout_depth:
            s.apply(s.choose())
            s.respond()
            if s.is_over:
                return discount * self.reward(s, me)
            discount *= self.config.discount
            depth += 1
        return 0.0

    @staticmethod
    def reward(s: _core.SimulatedRounds, me: int) -> float:
        if s.turn.winner is None:
            return 0.0
        return 1.0 if s.turn.winner == me else -1.0
