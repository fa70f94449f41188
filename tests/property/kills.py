"""Kills processes that write a store, at random moments, and looks at what they leave behind.

As a program it is such a process: `arena ARGUMENTS...` is the command `lastcard arena`, `live STORE` plays games in
progress. Both say a line for everything once the store has acknowledged it.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LEAST_SECONDS = 0.0
MOST_SECONDS = 0.8
"""Latest time of the kill, if nothing is to be acknowledged before."""
AFTER_SECONDS = 0.15
MOST_ACKNOWLEDGED = 3
AGENTS = ("frequency", "first_legal")
LIVE_GAMES = 8


class KillCheck:
    """A match in a store, killed and resumed; everything acknowledged must stay, and nothing may come twice."""

    def __init__(self, place: str, seed: int, num_deals: int) -> None:
        self.place = place
        self.seed = seed
        self.num_deals = num_deals
        self.acknowledged: set[tuple[int, int]] = set()
        self.num_kills = 0
        self.has_match = False
        self.is_finished = False
        self._rng = random.Random(seed)

    def kill_once(self) -> None:
        """Starts or resumes the match, kills it, and looks at the store.

        Raises:
            AssertionError: if something acknowledged is missing, or something came twice.
        """
        wanted = self._rng.randint(0, MOST_ACKNOWLEDGED)
        delay = self._rng.uniform(LEAST_SECONDS, AFTER_SECONDS if wanted else MOST_SECONDS)
        with _running("arena", *self._arguments()) as process:
            assert process.stdout is not None
            seen = 0
            while seen < wanted and (line := process.stdout.readline()):
                seen += self._hear(line)
            time.sleep(delay)
            was_alive = process.poll() is None
            assert was_alive or process.returncode == 0, "it failed by itself"
            process.kill()
            for line in process.stdout:  # what it said before it died
                self._hear(line)
        self.num_kills += was_alive
        self.check()

    def finish(self) -> dict[str, object]:
        """Plays the rest undisturbed and returns the table, without times."""
        if not self.is_finished:
            with _running("arena", *self._arguments()) as process:
                assert process.stdout is not None
                for line in process.stdout:
                    self._hear(line)
                assert process.wait() == 0
        self.check()
        return self._table()

    def check(self) -> None:
        """Looks whether the store holds what was acknowledged, whole and once."""
        from lastcard.store import open_store

        with open_store(self.place) as store:
            matches = store.list_matches()
            chunks = store.read_chunks(1)
            num_games = store.count_games()
        assert len(matches) <= 1
        self.has_match, self.is_finished = bool(matches), any(match.finished for match in matches)
        stored = {(chunk["pairing"], chunk["chunk"]) for chunk in chunks}
        assert len(stored) == len(chunks)
        assert self.acknowledged <= stored
        num_deals = sum(sum(chunk["deals"].values()) for chunk in chunks)
        assert num_games == num_deals * len(AGENTS), "a chunk comes with all its games, or not at all"

    def _arguments(self) -> list[str]:
        """Returns the arguments that a person would give: begin, or resume if there is a match."""
        if self.has_match:
            return ["--resume", self.place, "--match", "1", "--jobs", "2", "--json"]
        games = str(self.num_deals * len(AGENTS))
        begin = ["--rules", "mini", "--games", games, "--seed", str(self.seed), "--store", self.place]
        return [*AGENTS, *begin, "--jobs", "2", "--json"]

    def _hear(self, line: str) -> int:
        if not line.startswith("acknowledged "):
            return 0
        _, pairing, number = line.split()
        key = (int(pairing), int(number))
        assert key not in self.acknowledged, "played and stored twice"
        self.acknowledged.add(key)
        return 1

    def _table(self) -> dict[str, object]:
        from lastcard.arena.results import Results
        from lastcard.arena.stored import KeptMatch
        from lastcard.arena.summary import summarize
        from lastcard.store import open_store

        with open_store(self.place) as store:
            kept = KeptMatch.resume(store, 1)
            for game in store.list_games():
                store.read_record(game.number)  # replays it
        table = summarize(Results(kept.tournament, kept.chunks)).to_dict()
        del table["timing"]
        return table


def undisturbed_table(seed: int, num_deals: int) -> dict[str, object]:
    """Returns the table that a run without kills or store prints, without times."""
    from lastcard.arena.schedule import Tournament
    from lastcard.arena.summary import summarize
    from lastcard.arena.tournament_run import run_tournament
    from lastcard.rules import Rules

    table = summarize(run_tournament(Tournament(AGENTS, Rules.preset("mini"), num_deals, seed))).to_dict()
    del table["timing"]
    return table


def kill_live_games(place: str, seed: int) -> int:
    """Kills a process that stores actions one by one; returns how many were acknowledged before."""
    from lastcard.store import open_store

    rng = random.Random(seed)
    acknowledged: dict[int, int] = {}
    with _running("live", place, str(seed)) as process:
        assert process.stdout is not None
        for _ in range(rng.randint(1, 400)):
            acknowledged.update(_hear_action(process.stdout.readline()))
        process.kill()
        for line in process.stdout:
            acknowledged.update(_hear_action(line))
    with open_store(place) as store:
        for game, count in acknowledged.items():
            [played] = store.read_record(game).rounds  # replays, so that nothing is missing in between
            assert len(played.actions) >= count
    return sum(acknowledged.values())


def _hear_action(line: str) -> Iterator[tuple[int, int]]:
    if line.endswith("\n"):
        _, game, number = line.split()
        yield int(game), int(number)


@contextmanager
def _running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.property.kills", *arguments]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=root) as process:
        try:
            yield process
        finally:
            process.kill()


# The processes


def run_arena(arguments: list[str]) -> None:
    """The command, which says of each chunk when it is kept."""
    from lastcard.arena.results import ChunkResult
    from lastcard.arena.stored import KeptMatch
    from lastcard.cli.commands import main

    append = KeptMatch.append

    def append_and_say(self: KeptMatch, chunk: ChunkResult) -> None:
        append(self, chunk)
        print("acknowledged", chunk.pairing, chunk.number, flush=True)

    KeptMatch.append = append_and_say  # type: ignore[method-assign]
    sys.argv = ["lastcard", "arena", *arguments]
    main()


def play_live(place: str, seed: int) -> None:
    """Plays games side by side, with every action stored, and says when it is."""
    from lastcard.rules import Rules
    from lastcard.store import open_store
    from lastcard.table import Table

    with open_store(place) as store:
        tables = [Table(Rules.preset("official"), ["random", "random"], seed + number) for number in range(LIVE_GAMES)]
        games = [store.begin_game(table.rules, table.names, table.seed).result() for table in tables]
        while True:
            waiting = []
            for game, table in zip(games, tables, strict=True):
                seat = table.state.seat
                if seat is not None:
                    action, number = table.play_ply(), len(table.actions)
                    kept = store.append_action(game, action, round_number=1, number=number, seat=seat)
                    waiting.append((kept, game, number))
            for kept, game, number in waiting:
                kept.result()
                print("acknowledged", game, number, flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "arena":
        run_arena(sys.argv[2:])
    else:
        play_live(sys.argv[2], int(sys.argv[3]))
