"""`lastcard arena`: agents play matches on mirrored deals."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from lastcard.cli.arena_screen import ArenaScreen
from lastcard.cli.completion import complete_agents, complete_rules
from lastcard.cli.engines import EngineSecondsOption
from lastcard.cli.shared_options import JsonOption, admit_agents, check_networks, fresh_seed
from lastcard.errors import AgentError, RecordError
from lastcard.files import check_output, write_file
from lastcard.rules import parse_rules
from lastcard.shell import command

if TYPE_CHECKING:
    from lastcard.arena.ledger import Ledger
    from lastcard.arena.schedule import Tournament
    from lastcard.arena.stored import KeptMatch
    from lastcard.arena.summary import Summary

GAMES: Final = 1000


def arena(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT AGENT...", help="Agents that play (see lastcard agents).", autocompletion=complete_agents
        ),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            "-r",
            metavar="RULES",
            help="A preset and changes.  [default: (official)]",
            autocompletion=complete_rules,
        ),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            "--players", "-n", metavar="N", help="Seats; with more than two, one agent plays N-1 copies of another."
        ),
    ] = None,
    table: Annotated[bool, typer.Option("--table", help="Seat all agents at one table instead of in pairs.")] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", "-g", metavar="N", help=f"Rounds per pairing, rounded up to whole deals.  [default: ({GAMES})]"
        ),
    ] = None,
    to_score: Annotated[
        bool, typer.Option("--to-score", help="Play games to the target score instead of single rounds.")
    ] = False,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            "--sprt", metavar="ELO0 ELO1", help="Sequential test: stop once one of two Elo differences is accepted."
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", "-s", metavar="SEED", help="Seed of the whole match; by default random.")
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="N", help="Number of processes; does not affect the results.")
    ] = 1,
    ray: Annotated[
        str | None,
        typer.Option("--ray", metavar="ADDRESS", help="Address of a Ray cluster, or auto for the local one."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Store the match in a file while it is played.")
    ] = None,
    store: Annotated[
        str | None,
        typer.Option("--store", metavar="URL", help="Store the match and its games: a path, or postgresql://..."),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option("--resume", metavar="FILE", help="Resume the match in a file or store of --out or --store."),
    ] = None,
    match: Annotated[
        int | None,
        typer.Option("--match", metavar="N", help="Number of the match to resume, if several are unfinished."),
    ] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the pairings as CSV.")] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the ratings and the cross table; .png or .svg.")
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option("--engine", metavar="COMMAND", help="Program that speaks the engine protocol. Repeatable."),
    ] = None,
    engine_seconds: EngineSecondsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let agents play fair matches and measure which is stronger.

    Every deal is played from every seat, with the same cards. Prints the share of rounds won with 95 % intervals,
    ratings and times. Ctrl-C stops and prints the table so far; with --out or --store every finished part is stored and
    --resume continues.

    Example: lastcard arena heuristic random frequency --games 2000 --jobs 2
    """
    from lastcard.arena.cluster import check_ray
    from lastcard.arena.results import Results
    from lastcard.arena.summary import summarize
    from lastcard.arena.tournament_run import run_tournament

    _check_outputs(out, csv, plot)
    if jobs < 1 or jobs > 1024:
        raise AgentError(f"--jobs must be from 1 to 1024, not {jobs}")
    if ray is not None:
        check_ray()
    named = (*(agents or ()), *_name_engines(engine or (), engine_seconds))
    _admit(named)
    asked = _Asked(named, rules, players, table, games, to_score, sprt, seed)
    with _open(asked, _Places(out, store, resume, match)) as (tournament, ledger):
        before = Results(tournament, ledger.chunks).progress if ledger else 0.0
        show = ArenaScreen(tournament, before, as_json)
        if ledger and ledger.note:
            show.note(ledger.note)
        if games is not None and tournament.num_deals * tournament.rules.players != games:
            show.note(_rounded(tournament, games))
        with show:
            results = run_tournament(tournament, jobs, ledger, show.progress, ray)
        if not results.num_deals:
            raise KeyboardInterrupt
        summary = summarize(results)
        _keep_ratings(ledger, summary)
    show.result(summary, results)
    if csv:
        write_file(csv, summary.to_csv(), AgentError)
    if plot:
        from lastcard.arena.ladder_plot import draw

        draw(summary, plot)
    if results.was_stopped:
        again = ledger and command("arena", *_find_programs(tournament), *ledger.resume_arguments)
        show.note(f"Stopped early. Resume with: {again}" if again else "Stopped early.")
        raise typer.Exit(130)


class _Asked:
    """The arguments of the command; None for those that were not given."""

    def __init__(
        self,
        agents: tuple[str, ...],
        rules: str | None,
        players: int | None,
        table: bool,
        games: int | None,
        to_score: bool,
        sprt: tuple[float, float] | None,
        seed: int | None,
    ) -> None:
        self.agents = agents
        self.rules = rules
        self.players = players
        self.table = table
        self.games = games
        self.to_score = to_score
        self.sprt = sprt
        self.seed = seed

    def tournament(self) -> Tournament:
        """Returns the tournament to play."""
        from lastcard.arena.schedule import MOST_DEALS, Tournament
        from lastcard.arena.sprt import SprtConfig

        if len(self.agents) < 2:
            raise AgentError(f"a match takes at least two agents: {command('arena', 'heuristic', 'random')}")
        text = self.rules or "official"
        rules = parse_rules(text)
        said = self.players
        if said is not None and "players=" in text and rules.players != said:
            raise AgentError(f"--players {said} contradicts --rules, which says players={rules.players}")
        if said is None and self.table and "players=" not in text:
            said = len(self.agents)
        if said is not None:
            rules = rules.replace(players=said)
        games = GAMES if self.games is None else self.games
        if not 1 <= games <= MOST_DEALS:
            raise AgentError(f"--games must be from 1 to {MOST_DEALS}, not {games}")
        try:
            test = SprtConfig(*self.sprt) if self.sprt else None
        except AgentError as error:
            raise AgentError(f"--sprt: {error}") from None
        seed = fresh_seed() if self.seed is None else self.seed
        num_deals = -(-games // rules.players)
        return Tournament(self.agents, rules, num_deals, seed, self.table, self.to_score, test)

    def check_same(self, kept: Tournament, path: str) -> None:
        """Makes sure that what was asked for is what the file or store holds."""
        programs = _find_programs(kept)
        if programs and not self.agents:
            # A file from elsewhere must not start programs that nobody here asked for.
            raise RecordError(f"{path} runs programs; name them again: {shlex.join(programs)}")
        if self.agents and self.agents not in (kept.agents, programs):
            raise RecordError(f"{path} holds a match of {' '.join(kept.agents)}, not of {' '.join(self.agents)}")
        self.agents = kept.agents
        self.rules = self.rules or str(kept.rules)
        self.seed = kept.seed if self.seed is None else self.seed
        self.games = kept.num_deals * kept.rules.players if self.games is None else self.games
        self.table, self.to_score = self.table or kept.one_table, self.to_score or kept.to_score
        if self.sprt is None and kept.sprt:
            self.sprt = (kept.sprt.elo0, kept.sprt.elo1)
        if self.players is None and "players=" not in self.rules:
            self.players = kept.rules.players
        wanted = self.tournament().to_dict()
        for name, value in kept.to_dict().items():
            if wanted[name] != value:
                told = " ".join(name.split("_"))
                raise RecordError(f"{path} holds another tournament: its {told} is {value}, not {wanted[name]}")


class _Places(NamedTuple):
    """Paths of the store to write to or to resume from."""

    out: Path | None
    store: str | None
    resume: str | None
    match: int | None


@contextmanager
def _open(asked: _Asked, places: _Places) -> Iterator[tuple[Tournament, Ledger | KeptMatch | None]]:
    from lastcard.arena.ledger import Ledger
    from lastcard.store import is_store, open_store

    out, store, resume, match = places
    if sum(place is not None for place in (out, store, resume)) > 1:
        raise AgentError("--out, --store and --resume exclude each other; give one of them")
    from_store = resume is not None and is_store(resume)
    if match is not None and not from_store:
        raise AgentError("--match chooses a match of a store; use it with --resume and a store")
    if store is not None:
        tournament = asked.tournament()
        _try_programs(tournament)
        with open_store(store, create=True) as opened:
            from lastcard.arena.stored import KeptMatch

            yield tournament, KeptMatch.begin(opened, tournament)
    elif resume is not None and from_store:
        with open_store(resume, create=False) as opened:
            from lastcard.arena.stored import KeptMatch

            kept = KeptMatch.resume(opened, match)
            asked.check_same(kept.tournament, f"match {kept.number} of {resume}")
            _try_programs(kept.tournament)
            yield kept.tournament, kept
    elif resume is not None:
        with Ledger.resume(Path(resume)) as ledger:
            asked.check_same(ledger.tournament, resume)
            _try_programs(ledger.tournament)
            yield ledger.tournament, ledger
    elif out is not None:
        tournament = asked.tournament()
        _try_programs(tournament)
        with Ledger.create(out, tournament) as ledger:
            yield tournament, ledger
    else:
        tournament = asked.tournament()
        _try_programs(tournament)
        yield tournament, None


def _keep_ratings(ledger: Ledger | KeptMatch | None, summary: Summary) -> None:
    from lastcard.arena.ledger import Ledger

    if ledger and not isinstance(ledger, Ledger):
        ledger.rate([standing.rating for standing in summary.standings], is_complete=summary.is_complete)


def _name_engines(commands: Sequence[str], seconds: float | None) -> list[str]:
    from lastcard.arena.entrants import EngineEntrant
    from lastcard.engine.client import EngineConfig

    config = EngineConfig(seconds=seconds or 0.0)
    return [EngineEntrant(command, config).name for command in commands]


def _admit(names: Sequence[str]) -> None:
    """Imports the agents of other packages and modules that were named here."""
    from lastcard.arena.entrants import is_agent

    admit_agents(*filter(is_agent, names))


def _find_programs(tournament: Tournament) -> tuple[str, ...]:
    """Agents that are not built in, and so must be named again to resume."""
    from lastcard.arena.entrants import find_engine

    return tuple(name for name in tournament.agents if find_engine(name) or name in tournament.own)


def _try_programs(tournament: Tournament) -> None:
    """Checks networks and starts each program once: what cannot play should be known before hours are spent."""
    from lastcard.arena.entrants import find_engine, is_agent

    check_networks(tournament.rules, *filter(is_agent, tournament.agents))
    for entrant in dict.fromkeys(map(find_engine, tournament.agents)):
        if entrant:
            with entrant.make(seed=0) as engine:
                engine.start()


def _check_outputs(out: Path | None, csv: Path | None, plot: Path | None) -> None:
    if out:
        check_output(out, RecordError, "--out")
    if plot:
        from lastcard.figures import check_plot

        check_plot(plot)
        check_output(plot, AgentError, "--plot")
    if csv:
        check_output(csv, AgentError, "--csv")


def _rounded(tournament: Tournament, games: int) -> str:
    total = tournament.num_deals * tournament.rules.players
    return (
        f"{games:,} games are rounded up to {total:,}: every deal is played from all {tournament.rules.players} seats."
    )
