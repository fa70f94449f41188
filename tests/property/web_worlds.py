"""Games on the web in two worlds, which differ only in cards that the observer cannot see.

Both are played over the socket and HTTP as far as the observer cannot tell them apart, and every byte is compared, with
the time at which it was sent. The clock stands still unless the game waits or someone thinks. What everybody else does
is worked out beforehand, so that it is possible in both worlds; a seat that is asked in a window in one world only lets
it pass. A pair ends where a person is asked.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import random
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lastcard.actions import PASS, UNO, Action
from lastcard.agents import Agent
from lastcard.agents.first_legal import FirstLegalAgent
from lastcard.cards import Card
from lastcard.observation import Observation, PublicObservation
from lastcard.phase import Phase
from lastcard.record import Record, RoundRecord
from lastcard.rules import MAX_PLAYERS, Rules
from lastcard.state import State, deal, deck_order
from lastcard.store import lease_rows
from lastcard.table import Table
from lastcard.web import lease, peers
from lastcard.web.games.client_state import observe_for
from lastcard.web.games.live_game import LiveGame
from lastcard.web.games.presence import Audience, Holder, Presence
from lastcard.web.games.seating import SeatInfo
from lastcard.web.games.settings import GameSettings, Person, Players
from lastcard.web.hashes import hash_token
from lastcard.web.service import Service
from tests.oracle.agreement import choose_at_random, random_rules
from tests.unit.asgi import FREE, Client, Reply, Socket, serving
from tests.unit.tcp import WireClient, WireSocket, serving_tcp

LIMITS = dataclasses.replace(FREE, cover_seconds=0.3)
FEW_PLIES, MANY_PLIES = 3, 24
LONG_EVERY = 50
"""One pair of so many is long."""
TOKENS = {0: "the person's token", 1: "another person's token", None: "the invitation"}
WINDOW_SECONDS = 60.0
LONG_SECONDS = 100_000.0
"""More than any game takes."""
WINDOWS = (Phase.CATCH, Phase.JUMP_IN)
IN_PROCESS_TURNS, TCP_TURNS, RELAYED_TURNS = 10, 40, 80
"""Turns of the event loop in which a message certainly arrives: without a network, through one server, through two."""


@dataclass(frozen=True)
class Company:
    """The observer, and the seats that people have."""

    observer: Audience
    people: tuple[int, ...]


@dataclass
class Found:
    """Counts over pairs of worlds."""

    differences: int = 0
    """Pairs that looked different."""
    messages: int = 0
    windows: int = 0
    """Number of times that a seat was asked in one world and not in the other."""
    batches: int = 0
    """Number of times that agents' answers were written down and shown together with the action they answer."""


ALONE = Company(0, (0,))
AMONG_FRIENDS = Company(0, (0, 1))
SPECTATING = Company(None, (0,))


@dataclass
class Script:
    """A pair of worlds and what happens in them."""

    company: Company

    seed: int
    rules: Rules
    decks: tuple[tuple[Card, ...], tuple[Card, ...]]
    dealt: tuple[State, State]
    agents: tuple[list[Action], list[Action]] = field(default_factory=lambda: ([], []))
    """Answers of the others in each world, windows included."""
    person: list[tuple[int, Action]] = field(default_factory=list)
    """Actions of the observer, each with its ply."""
    last_ply: int = 0
    asked_in_one: int = 0
    """Number of times that a seat was asked in one world and not in the other."""


class Scripted:
    """An agent that does what is written, and is asked in a thread."""

    name = "scripted"

    def __init__(self, actions: Iterator[Action]) -> None:
        self._actions = actions

    def choose(self, observation: Observation) -> Action:
        return next(self._actions)


class Thinking:
    """An agent in the place of a person, which thinks until nobody looks any more."""

    name = "thinking"

    def __init__(self) -> None:
        self.may_answer = threading.Event()

    def choose(self, observation: Observation) -> Action:
        self.may_answer.wait()
        return observation.legal_actions[0]


class Prompt(Scripted, FirstLegalAgent):
    """One whose answer is written down together with what it answers to."""


def make_scripts(company: Company, seed: int, num_pairs: int) -> Iterator[Script]:
    """Pairs of worlds with something to see in them."""
    rng = random.Random(seed)
    made = 0
    while made < num_pairs:
        script = _make_script(company, rng, MANY_PLIES if made % LONG_EVERY == 1 else FEW_PLIES)
        if script and (script.person or script.agents[0]):
            made += 1
            yield script


def _make_script(company: Company, rng: random.Random, num_plies: int) -> Script | None:
    observer = company.observer
    rules = Rules.preset("house", players=rng.randint(2, 4)) if rng.random() < 0.5 else random_rules(rng)
    if company == ALONE and rng.random() < 0.5:
        rules = rules.replace(jump_in=False)  # so that agents answer immediately
    if rules.players == MAX_PLAYERS:
        return None
    seed = rng.randrange(1 << 64)
    deck = deck_order(rules, seed)
    decks = (deck, exchange(deck, rules, rng))
    bots = [seat not in company.people for seat in range(rules.players)]
    one, two = (deal(rules, deck=cards, bots=bots) for cards in decks)
    if one == two or not look_alike([one, two], observer):
        return None
    script = Script(company, seed, rules, decks, (one.copy(), two.copy()))
    worlds, ends = [one, two], (0, 0, 0, 0)
    for _ in range(num_plies):
        if worlds[0].seat in company.people:
            ends = (len(script.agents[0]), len(script.agents[1]), len(script.person), _ply(worlds[0], observer))
        if not _go_on(script, worlds, rng):
            break
    del script.agents[0][ends[0] :], script.agents[1][ends[1] :], script.person[ends[2] :]
    script.last_ply = ends[3]
    return script


def exchange(deck: tuple[Card, ...], rules: Rules, rng: random.Random) -> tuple[Card, ...]:
    """The deck with cards that were dealt exchanged for others; if the person can see one, the pair does not count."""
    cards, dealt = list(deck), range(len(deck) - rules.players * rules.hand_size, len(deck))
    wanted = rng.choice(deck[dealt.start :]) if rules.jump_in else None
    for _ in range(rng.choice((1, 1, 2, 8))):
        i, j = rng.choice(dealt), rng.randrange(len(cards))
        if wanted in cards:
            j = cards.index(wanted)  # someone gets, or loses, what could jump in
        elif rng.random() < 0.3:
            j = rng.randrange(max(dealt.start - 8, 0), dealt.start)  # among what is turned up or drawn next
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def _ply(world: State, observer: Audience) -> int:
    return len(observe_for(world, observer).history)


def _go_on(script: Script, worlds: list[State], rng: random.Random) -> bool:
    """Lets the seat to act do something that is possible in both worlds; False if they part here."""
    if any(world.is_over for world in worlds):
        return False
    tried, observer = [world.copy() for world in worlds], script.company.observer
    answers: tuple[list[Action], list[Action]] = ([], [])
    seat = tried[0].seat
    common = [action for action in tried[0].legal_actions if action in tried[1].legal_actions]
    if tried[1].seat != seat or not common:
        return False
    twins = [action for action in common if _can_be_jumped_on(action, tried)]
    action = rng.choice(twins) if twins and rng.random() < 0.8 else choose_at_random(rng, common, False)
    for world, told in zip(tried, answers, strict=True):
        world.apply_in_place(action)
        if seat != observer:
            told.append(action)
    asked_in_one = _answer_windows(tried, answers, observer, rng)
    if any(world.is_over for world in tried) or not look_alike(tried, observer):
        return False
    if seat == observer:
        script.person.append((_ply(worlds[0], observer), action))
    for actions, told in zip(script.agents, answers, strict=True):
        actions.extend(told)
    script.asked_in_one += asked_in_one
    worlds[:] = tried
    return True


def _can_be_jumped_on(action: Action, worlds: list[State]) -> bool:
    """Returns True if it opens a window, in one world or both."""
    card, rules = action.card, worlds[0].rules
    seats = range(rules.players)
    return bool(
        card and rules.jump_in and any(card in w.hand(seat) for w in worlds for seat in seats if seat != w.seat)
    )


def _answer_windows(
    worlds: list[State], answers: tuple[list[Action], list[Action]], observer: Audience, rng: random.Random
) -> int:
    """Answers for others that are asked in windows; returns how often one was in one world only."""
    alone = 0
    while hidden := [i for i, world in enumerate(worlds) if world.phase in WINDOWS and world.seat != observer]:
        common: list[Action] = [PASS]
        if len(hidden) == 2 and worlds[0].seat == worlds[1].seat:
            both = set(worlds[0].legal_actions) & set(worlds[1].legal_actions)
            common = sorted(both - {UNO}) or [PASS]
        else:
            alone += 1
        action = rng.choice(common)
        for i in hidden:
            worlds[i].apply_in_place(action)
            answers[i].append(action)
    return alone


def look_alike(worlds: Sequence[State], observer: Audience) -> bool:
    """Returns True if the observer cannot tell the worlds apart."""
    one, other = (observe_for(world, observer) for world in worlds)
    facts = [_facts(seen) for seen in (one, other)]
    return facts[0] == facts[1] and one._core.events() == other._core.events()


def _facts(seen: PublicObservation) -> object:
    """Returns everything but the history, for any observer."""
    if isinstance(seen, Observation):
        return seen.facts()
    public = [name for name, value in vars(PublicObservation).items() if isinstance(value, property)]
    return [getattr(seen, name) for name in public if name != "history"]


class World:
    """One of the two: a server, and the game of the moment on it."""

    def __init__(self) -> None:
        self.client: Client | WireClient
        """The observer's client."""
        self.inside: Client
        """The others' client."""
        self.game = ""
        self.token = ""
        self.seen: list[str] = []
        self.now = 0.0
        self.batches = 0
        self.stand_in = Thinking()
        self._num_secrets = 0
        self._turns = IN_PROCESS_TURNS

    async def enter(self, stack: AsyncExitStack, place: Path | str, over_tcp: bool) -> None:
        """Starts the server, which runs as long as the stack lasts; at a URL, two that share the store there."""
        clock = partial(getattr, self, "now")
        if isinstance(place, str):
            # The observer is connected to the one that does not have the game.
            self._turns = RELAYED_TURNS
            owner, other = [await stack.enter_async_context(serving_tcp(place, LIMITS, clock)) for _ in range(2)]
            self.client = owner.through(other)
            self.inside = owner.inside
            self._share_secrets(other.service)
        elif over_tcp:
            self._turns = TCP_TURNS
            self.client = await stack.enter_async_context(serving_tcp(place, LIMITS, clock))
            self.inside = self.client.inside
        else:
            self.client = self.inside = await stack.enter_async_context(serving(place, LIMITS, clock))
        self._share_secrets(self.client.service)
        store: Any = self.client.service.store
        honest = store.append_actions

        def append(game: int, actions: Sequence[tuple[int, Action]], **place: int) -> Future[int]:
            self.batches += len(actions) > 1
            future: Future[int] = honest(game, actions, **place)
            return future

        store.append_actions = append

    def _share_secrets(self, service: Service) -> None:
        """Lets personal links have the same secrets in both worlds."""
        people: Any = service.people
        people._make_secret = self._make_secret

    def _make_secret(self, _: int) -> str:
        self._num_secrets += 1
        return f"secret {self._num_secrets}"

    async def begin(self, script: Script, side: int, key: str, answers: Iterator[Action]) -> LiveGame:
        # Later than any game before, and the same in both worlds.
        self.seen, self.now = [], self.now - self.now % LONG_SECONDS + LONG_SECONDS
        rules, people = script.rules, script.company.people
        seats = range(rules.players)
        make_agent = Prompt if script.seed % 4 else Scripted
        agents: list[str | Agent] = [Person() if seat in people else make_agent(answers) for seat in seats]
        names = tuple(Person.name if seat in people else Scripted.name for seat in seats)
        played = RoundRecord.of(script.dealt[side], script.decks[side], (), None)
        table = Table.resume(Record(rules, names, (played,), script.seed, people), agents, people)
        infos = tuple(SeatInfo(f"Seat{seat}", "hard", "random", seat in people, "random") for seat in seats)
        settings = GameSettings(infos, "round", 0.0, WINDOW_SECONDS)
        service = self.client.service
        number = await asyncio.wrap_future(
            service.store.begin_sitting(
                rules,
                names,
                script.seed,
                seat=people[0],
                key=key,
                token_hash=hash_token(TOKENS[people[0]]),
                settings={"seats": [dataclasses.asdict(info) for info in infos]},
                people=people,
            )
        )
        holders = {seat: Holder(f"Person{seat}", hash_token(TOKENS[seat])) for seat in people}
        crowd = Presence(infos, holders, hash_token(TOKENS[None]), service.clock, LIMITS.away_seconds)
        with service.games.reserve(key, "someone"):
            live = service.games.adopt(key, number, table, settings, crowd, "someone")
        self.stand_in = Thinking()
        playing = tuple(self.stand_in if seat in people else agent for seat, agent in enumerate(table.agents))
        live.referee.players = Players(playing, playing)
        clock: Any = live.clock
        clock.sleep_until = self.wait_until
        self.game, self.token = key, TOKENS[script.company.observer]
        return live

    async def wait_until(self, time: float) -> None:
        # Before time goes by, whatever is on its way arrives.
        for _ in range(self._turns):
            await asyncio.sleep(0)
        self.now = max(self.now, time)

    async def ask(self, path: str, body: object = None, about: str = "games") -> None:
        """Notes every byte of an answer over HTTP."""
        path, token = f"/api/{about}/{self.game}{path}", self.token
        reply = await (self.client.get(path, token) if body is None else self.client.post(path, body, token))
        self.seen.append(_describe_reply(reply))

    async def ask_mine(self, path: str) -> Reply:
        """Notes every byte of an answer about all games of the observer."""
        body = {"seats": [{"game": self.game, "token": self.token}]}
        reply = await self.client.post(path, body)
        self.seen.append(_describe_reply(reply))
        return reply

    async def carry(self) -> None:
        """Notes every byte of a personal link, and of the view that it gives another device."""
        link = await self.ask_mine("/api/links")
        if link.status != 201:
            return
        used = await self.client.post("/api/links/use", {}, link.json["secret"])
        self.seen.append(_describe_reply(used))
        [seat] = used.json["seats"]
        self.seen.append(_describe_reply(await self.client.get(f"/api/games/{self.game}", seat["token"])))

    async def hear(self, socket: Socket | WireSocket, *kinds: str, ply: int | None = None) -> None:
        """Notes every byte of the socket's up to a message of one of the kinds."""
        while True:
            text = await socket.receive_text()
            message = json.loads(text)
            self.seen.append(f"{socket.time:.3f} {text}")
            if message["type"] in kinds and (ply is None or message["view"]["ply"] >= ply):
                return


def _describe_reply(reply: Reply) -> str:
    return f"{reply.status} {sorted(reply.headers.items())} {reply.body!r}"


async def _be_another(world: World, seat: int, answers: Iterator[Action], side: int, number: int) -> None:
    """Another person: does what is written, and thinks before saying whether to jump in."""
    # What someone says can be heard; only how long a pass takes differs between the worlds.
    thinking, passing, acted = random.Random(number), random.Random(2 * number + side), -1
    async with world.inside.joined(world.game, TOKENS[seat]) as socket:
        while True:
            view = (await socket.receive("view"))["view"]
            if not view["legal"] or view["ply"] <= acted:
                continue
            action = next(answers, None)
            if action is None:
                await asyncio.Event().wait()
            assert action is not None
            if view["phase"] == "jump_in":
                await world.wait_until(
                    world.now + (passing if action == PASS else thinking).uniform(0.0, WINDOW_SECONDS / 2)
                )
            acted = view["ply"]
            socket.send({"type": "act", "id": 0, "ply": acted, "action": action.text})


async def _play(world: World, script: Script, side: int, key: str, number: int) -> None:
    """Plays a script in one world, and looks at it in every way there is."""
    answers = iter(script.agents[side])
    live = await world.begin(script, side, key, answers)
    rng, observer = random.Random(number), script.company.observer
    others = [seat for seat in script.company.people if seat != observer]
    async with world.client.joined(key, world.token) as socket:
        world.seen.append(socket.welcome)
        await world.hear(socket, "view")
        # Only now, so that the observer sees the same of it however long it takes to join.
        playing = [asyncio.create_task(_be_another(world, seat, answers, side, number)) for seat in others]
        while not all(map(live.presence.is_connected, others)):
            await asyncio.sleep(0)
        await live.start()
        for ply, action in script.person:
            await world.hear(socket, "view", ply=ply)
            await _look_around(world, socket, ply, rng)
            if rng.random() < 0.7:
                socket.send({"type": "act", "id": ply, "ply": ply, "action": action.text})
                await world.hear(socket, "ack")
            else:
                await world.ask("/actions", {"ply": ply, "action": action.text})
        await world.hear(socket, "view", ply=script.last_ply)
        await _look_around(world, socket, script.last_ply, rng)
        socket.send({"type": "ping"})
        await world.hear(socket, "pong")
        if live.referee.state.phase not in WINDOWS:
            await _depart(world, live, socket, script.company, rng)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    while live.presence.is_connected(observer):
        await asyncio.sleep(0.001)
    if key in world.client.service.games:  # a game that all have resigned is gone
        world.client.service.games.forget(key)
    world.stand_in.may_answer.set()


async def _depart(
    world: World, live: LiveGame, socket: Socket | WireSocket, company: Company, rng: random.Random
) -> None:
    """The observer, or another person, gives the seat up or lets an agent play there; an agent thinks from then on."""
    observer, how = company.observer, rng.choice(("delegate", "leave", "resign"))
    leaving = rng.choice([seat for seat in company.people if company == ALONE or seat != observer])
    if company == AMONG_FRIENDS and rng.random() < 0.5:
        leaving = 0
    if how == "delegate":
        await live.delegate(leaving)
        await world.hear(socket, "view")
    elif leaving == observer:
        await world.ask("/leave", {"resign": how == "resign"})
        await world.hear(socket, "error")
        await world.ask("")
        await world.ask_mine("/api/mine")
        return
    else:
        path, body = f"/api/games/{world.game}/leave", {"resign": how == "resign"}
        assert (await world.inside.post(path, body, TOKENS[leaving])).status == 204
        if company == SPECTATING and how == "resign":  # the last one: the game is over
            await world.hear(socket, "error")
            await world.ask("")
            return
        await world.hear(socket, "view")
    await world.ask("")
    await world.ask_mine(rng.choice(("/api/mine", "/api/mine/export")))
    if leaving == observer:
        socket.send({"type": "back"})
        await world.hear(socket, "view")


async def _look_around(world: World, socket: Socket | WireSocket, ply: int, rng: random.Random) -> None:
    """One of many things to try where the person is asked."""
    wrong = rng.choice(("challenge", "catch", "swap:1", "nonsense"))
    match rng.randrange(16):
        case 0:
            await world.ask("")
        case 1:
            await world.ask(f"?since={ply - 1}")
        case 2:
            await world.ask("/actions", {"ply": ply + 1, "action": wrong})
        case 3:
            socket.send({"type": "act", "id": 0, "ply": ply, "action": "swap:9"})  # there is no such seat
            await world.hear(socket, "refused")
        case 4:
            await world.ask("/record")
        case 5:
            await world.ask("/next", {})
        case 6:
            await world.ask(rng.choice(("", "/rounds/1", "/record")), about="studies")
        case 7:
            await world.ask("/rematch", {})
        case 8:
            await world.ask("/seats", {"name": "Someone"})
        case 9:
            socket.send(rng.choice(({"type": "next"}, {"type": "join"}, {"type": wrong})))
            await world.hear(socket, "refused")
        case 10:
            socket.send({"type": "back"})
            socket.send({"type": "ping"})
            await world.hear(socket, "pong")
        case 11:
            async with world.client.joined(world.game, wrong) as stranger:
                await world.hear(stranger, "error")
        case 12:
            await world.ask_mine(rng.choice(("/api/mine", "/api/mine/export", "/api/mine/history")))
        case 13:
            socket.send({"type": "react", "reaction": "nice"})
            await world.hear(socket, "reaction", "refused")
        case 14:
            await world.carry()
        case _:
            # Now and then it is what was done there, and is acknowledged again.
            socket.send({"type": "act", "id": 0, "ply": ply - 1, "action": wrong})
            await world.hear(socket, "refused", "ack")


@contextmanager
def patient() -> Iterator[None]:
    """Lets a process be slow, as on a starved machine, without another one taking it for dead."""
    with pytest.MonkeyPatch.context() as patch:
        later = lease_rows._LATER.replace(f"{lease_rows.LEASE_SECONDS} seconds", "60 seconds")
        patch.setattr(lease_rows, "_LATER", later)
        patch.setattr(lease, "LEASE_SECONDS", 60.0)
        patch.setattr(peers, "_CONNECT_SECONDS", 60.0)
        yield


@contextmanager
def in_memory() -> Iterator[Path]:
    """A folder for stores that need not outlive anything: what is compared is not what a disk keeps."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder)


async def count_differences(
    folder: Path,
    seed: int,
    num_pairs: int,
    most: int | None = None,
    company: Company = ALONE,
    *,
    over_tcp: bool = False,
    make_url: Callable[[], str] | None = None,
) -> Found:
    """Plays pairs of worlds; if so many as `most` look different, that is enough.

    With `make_url`, which makes the URL of an empty store, each world has two servers.
    """
    found = Found()
    async with AsyncExitStack() as stack:
        worlds = [World(), World()]
        for name, world in zip(("one", "other"), worlds, strict=True):
            (folder / name).mkdir()
            await world.enter(stack, make_url() if make_url else folder / name, over_tcp)
        for number, script in enumerate(make_scripts(company, seed, num_pairs)):
            for side, world in enumerate(worlds):
                await _play(world, script, side, f"game-{number}", number)
            found.differences += worlds[0].seen != worlds[1].seen
            found.messages += len(worlds[0].seen)
            found.windows += script.asked_in_one
            if found.differences == most:
                break
        found.batches = worlds[0].batches
    return found
