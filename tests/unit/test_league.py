"""A league: who is in it, how its phases start, stop and go on."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any, NoReturn

import pytest
import torch

from lastcard.arena.core_match import Contestant
from lastcard.errors import AgentError
from lastcard.learning import Tick, TrainConfig
from lastcard.learning.curve_text import format_phase
from lastcard.learning.folder import CHECKPOINT, Folder
from lastcard.learning.league import MAIN, LeagueConfig, PhaseReport, train_league
from lastcard.learning.measure import Measurement, Score
from lastcard.learning.population import LEAGUE, Member, Population
from lastcard.learning.ppo import Learner
from tests.unit.test_learning import run, tiny
from tests.unit.test_rivals import made_by, make_network


def test_a_population_divides_rounds_by_what_is_left_to_learn() -> None:
    from lastcard.learning.measure import Score

    population = Population.found("official", 2)
    population.add(Member("strong", "members/strong.safetensors", {}))
    population.rate({"random": Score(0.9, 0, 0, 0), "heuristic": Score(0.7, 0, 0, 0), "strong": Score(0.4, 0, 0, 0)})
    shares = population.divide(0.8, most=8)
    assert sum(shares.values()) == pytest.approx(0.8)
    assert shares["strong"] > shares["heuristic"] > shares["random"] > 0
    with pytest.raises(AgentError, match="has a member 'strong' already"):
        population.add(Member("strong", "x", {}))


def test_a_beaten_policy_stays_among_the_rivals() -> None:
    """`random` and `heuristic` always play; the other places go to the networks that win most often."""
    from lastcard.learning.measure import Score

    population = Population.found("official", 2)
    for number in range(10):
        population.add(Member(f"main-{number}", f"members/main-{number}.safetensors", {}))
    beaten = {"random": Score(0.99, 0, 0, 0), "heuristic": Score(0.95, 0, 0, 0)}
    population.rate({**beaten, **{f"main-{number}": Score(0.5 + number / 100, 0, 0, 0) for number in range(10)}})
    shares = population.divide(0.8, most=8)
    assert set(shares) == {"random", "heuristic", *(f"main-{number}" for number in range(6))}
    assert sum(shares.values()) == pytest.approx(0.8)
    assert 0 < shares["random"] < shares["heuristic"] < shares["main-5"] < shares["main-0"]
    assert set(population.divide(0.8, most=2)) == {"random", "heuristic"}
    with pytest.raises(AgentError, match="most_rivals must be from 2 to 64, not 1"):
        LeagueConfig(tiny(), most_rivals=1)


def test_a_league_grows_and_goes_on(tmp_path: Path) -> None:
    friend = make_network(tmp_path / "friend.safetensors", 4)
    config = LeagueConfig(tiny(), price=0.001, exploiter_share=0.5)
    reports: list[PhaseReport] = []
    main = train_league(config, tmp_path / "league", [Path(friend)], reports.append)
    assert main == tmp_path / "league" / MAIN
    assert [report.phase for report in reports] == ["main", "exploiter"]
    population = Population.read(tmp_path / "league" / LEAGUE)
    names = [member.name for member in population.members]
    assert names[:4] == ["random", "heuristic", "friend", "main-1"]
    assert set(reports[0].scores) == {"random", "heuristic", "friend"}
    assert set(reports[1].scores) == {"main-1"}
    assert population.members[2].made["file"] == "friend.safetensors"
    assert json.loads(population.members[3].made["config"])["price"] == 0.001
    train_league(config, tmp_path / "league", [Path(friend)], reports.append)
    later = Population.read(tmp_path / "league" / LEAGUE)
    assert [entry["run"] for entry in later.history] == [1, 1, 2, 2]
    assert "main-2" in {member.name for member in later.members}
    assert format_phase(reports[0])[0].startswith("run 1, main: 0:0")
    with pytest.raises(AgentError, match="players was 2, not 3; a league keeps its settings"):
        train_league(LeagueConfig(tiny(players=3)), tmp_path / "league")


def test_only_the_main_network_pays_for_time_and_keeps_to_a_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Measurement, "is_won", lambda self, *match: (True, self.play(*match)))
    out = tmp_path / "league"
    train_league(LeagueConfig(tiny(trace=0.9, reference=0.1, reference_updates=1)), out)
    main, exploiter = (made_by(out / "members" / f"{name}-1.safetensors") for name in ("main", "exploiter"))
    assert (main["price"], main["trace"]) == (0.0003, 0.9)
    assert (main["reference"], main["reference_updates"]) == (0.1, 1)
    assert (exploiter["price"], exploiter["trace"]) == (0.0, 0.97)
    assert (exploiter["reference"], exploiter["reference_updates"]) == (0.0, 0)
    train_league(LeagueConfig(tiny(), price=0.0), out)
    assert made_by(out / MAIN)["price"] == 0.0
    with pytest.raises(AgentError, match="a league has a price of its own"):
        LeagueConfig(tiny(price=0.001))


def test_exploiters_start_in_turn_from_the_main_network_scratch_and_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when they lose: the third of the first round has no exploiter to start from."""
    wins = iter([False, False, False, True, True, True])
    monkeypatch.setattr(Measurement, "is_won", lambda self, *match: (next(wins), self.play(*match)))
    config, out = LeagueConfig(tiny(updates=1, evaluations=1, measured_deals=2)), tmp_path / "league"
    starts: list[str] = []
    latest = "phase/latest.safetensors"
    measure = Measurement.is_won

    def note(self: Measurement, network: Path, *match: Any) -> Any:
        assert network == out / latest
        starts.append(made_by(network)["start"])
        return measure(self, network, *match)

    monkeypatch.setattr(Measurement, "is_won", note)
    for _ in range(6):
        train_league(config, out)
    assert starts == [MAIN, "", MAIN, MAIN, "", "exploiter-5.safetensors"]


def test_a_phase_that_was_stopped_goes_on(tmp_path: Path) -> None:
    config, out = LeagueConfig(tiny(updates=4, evaluations=4), exploiter_share=0.0), tmp_path / "league"
    updates: list[int] = []

    def stop(tick: object) -> None:
        updates.append(tick.update)  # type: ignore[attr-defined]
        if len(updates) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_league(config, out, tick=stop)
    assert not (out / MAIN).exists()
    train_league(config, out, tick=stop)
    assert updates == [1, 2, 3, 4]
    assert (out / MAIN).exists()


def test_an_exploiter_that_was_stopped_goes_on_with_its_own_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the next run has no exploiter: the one that was begun is finished, and says how it differs."""
    monkeypatch.setattr(Measurement, "is_won", lambda self, *match: (True, self.play(*match)))
    four, out, friend = tiny(updates=4, evaluations=4), tmp_path / "league", tmp_path / "friend.safetensors"
    make_network(friend, 4)
    updates: list[int] = []
    notes: list[str] = []
    reports: list[PhaseReport] = []

    def stop(tick: Tick) -> None:
        updates.append(tick.update)
        if len(updates) == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_league(LeagueConfig(four), out, tick=stop, note=notes.append)
    assert (updates, notes) == ([1, 2, 3, 4, 1, 2], [])
    main = (out / MAIN).read_bytes()
    later = LeagueConfig(tiny(updates=2, evaluations=4), price=0.001, exploiter_share=0.0)
    train_league(later, out, [friend], reports.append, tick=stop, note=notes.append)
    assert updates[6:] == [3, 4]
    assert notes == [
        "The interrupted exploiter phase ends as it began, with updates 4 instead of 2, price 0.0003 instead of 0.001,"
        " exploiter_share 0.25 instead of 0.0"
    ]
    assert [(report.run, report.phase, report.updates) for report in reports] == [(1, "exploiter", 4)]
    assert (out / MAIN).read_bytes() == main
    made = made_by(out / "members" / "exploiter-1.safetensors")
    assert (made["start"], made["price"], made["rivals"]) == (MAIN, 0.0, f"{MAIN}=1")
    train_league(later, out, progress=reports.append, tick=stop, note=notes.append)
    assert [(report.run, report.phase, report.updates) for report in reports[1:]] == [(2, "main", 2)]
    assert len(notes) == 1


def test_a_member_that_joins_during_an_interrupted_phase_is_met_in_the_next(tmp_path: Path) -> None:
    config, friend = LeagueConfig(tiny(), exploiter_share=0.0), tmp_path / "friend.safetensors"
    make_network(friend, 4)

    def stop(_: Tick) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_league(config, tmp_path / "league", tick=stop)
    notes: list[str] = []
    train_league(config, tmp_path / "league", [friend], note=notes.append)
    assert notes == ["The interrupted main phase ends as it began, with no rounds against friend"]


@pytest.mark.parametrize("self_share", [0.0, 1.0])
def test_a_main_network_may_play_all_rounds_or_none_against_itself(self_share: float, tmp_path: Path) -> None:
    members = [Path(make_network(tmp_path / f"friend-{seed}.safetensors", seed)) for seed in range(4)]
    config = LeagueConfig(tiny(updates=1, measured_deals=2), self_share=self_share, exploiter_share=0.0)
    recipe = made_by(train_league(config, tmp_path / "league", members))
    shares = TrainConfig.from_dict(recipe).rival_shares()
    assert len(shares) == (0 if self_share else 4)
    total = sum(shares.values()) + recipe["random_share"] + recipe["heuristic_share"]
    assert total == pytest.approx(1 - self_share, abs=1e-8)


def test_a_league_takes_small_steps_from_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps of `lastcard exploit --start`: else every run first undoes what the one before has learned."""
    out = tmp_path / "league"
    steps: list[tuple[object, ...]] = []

    def note(_: Tick) -> None:
        phase = json.loads((out / "phase" / "phase.json").read_text())
        names = ("start", "learning_rate", "entropy", "warmup")
        steps.append((phase["phase"], *(phase["config"][name] for name in names)))

    one = tiny(updates=1, measured_deals=2)
    for config in (one, one, dataclasses.replace(one, learning_rate=5e-4, warmup=2)):
        train_league(LeagueConfig(config), out, tick=note)
    scratch, small = (0.001, 0.02, 0), (0.0003, 0.002, 8)
    assert steps == [
        ("main", "", *scratch),
        ("exploiter", MAIN, *small),
        ("main", MAIN, *small),
        ("exploiter", "", *scratch),
        ("main", MAIN, 0.0005, 0.002, 2),
        ("exploiter", steps[-1][1], 0.0005, 0.002, 2),
    ]
    assert steps[-1][1]


@pytest.mark.parametrize("wrong", [{"device": "cuda"}, {"start": "nowhere.safetensors"}, {"start": "net", "hidden": 8}])
def test_a_phase_that_could_not_begin_is_forgotten(
    wrong: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    notes: list[str] = []
    with pytest.raises(AgentError):
        train_league(LeagueConfig(tiny(**wrong)), tmp_path, note=notes.append)
    train_league(LeagueConfig(tiny()), tmp_path, note=notes.append)
    assert notes == []


def test_a_first_update_that_fails_leaves_nothing_to_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lack of memory, for example: other options must be possible."""

    def fail(*_: object) -> NoReturn:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(Learner, "update", fail)
        with pytest.raises(MemoryError):
            train_league(LeagueConfig(tiny(num_envs=4096)), tmp_path / "league")
        with pytest.raises(MemoryError):
            run(tiny(num_envs=4096), tmp_path / "run")
    notes: list[str] = []
    train_league(LeagueConfig(tiny()), tmp_path / "league", note=notes.append)
    assert notes == []
    run(tiny(), tmp_path / "run")


def test_an_interrupted_league_may_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To another folder, and to a machine with another device, in each phase of two runs."""
    monkeypatch.chdir(tmp_path)
    friend, out = Path(make_network(Path("friend.safetensors"), 4)), Path("league")
    here = LeagueConfig(tiny(start=str(friend), measured_deals=2), exploiter_share=0.5)
    there = dataclasses.replace(here, training=dataclasses.replace(here.training, device="auto", threads=2))
    notes: list[str] = []

    def stop(_: object) -> NoReturn:
        raise KeyboardInterrupt

    for number in range(4):
        with pytest.raises(KeyboardInterrupt):
            train_league(here, out, [] if number else [friend], tick=stop, note=notes.append)
        place = tmp_path / f"place {number}"
        place.mkdir()
        shutil.move(out, place)
        friend.unlink(missing_ok=True)
        monkeypatch.chdir(place)
        with pytest.raises(KeyboardInterrupt):
            train_league(there, out, progress=stop, note=notes.append)
    history = Population.read(out / LEAGUE).history
    phases = [(entry["run"], entry["phase"]) for entry in history]
    assert phases == [(1, "main"), (1, "exploiter"), (2, "main"), (2, "exploiter")]
    assert set(notes) == {f"The league continues from its main network; --start {friend} is ignored"}


def test_a_damaged_phase_of_a_league_says_how_to_continue(tmp_path: Path) -> None:
    def stop(_: Tick) -> NoReturn:
        raise KeyboardInterrupt

    for name, message in (
        ("phase.json", f"{tmp_path / 'phase' / 'phase.json'} is damaged; remove {tmp_path / 'phase'}"),
        (CHECKPOINT, f"{tmp_path / 'phase' / CHECKPOINT} cannot be resumed: cut short"),
    ):
        with pytest.raises(KeyboardInterrupt):
            train_league(LeagueConfig(tiny()), tmp_path, tick=stop)
        file = tmp_path / "phase" / name
        file.write_bytes(file.read_bytes()[:100])
        with pytest.raises(AgentError) as refused:
            train_league(LeagueConfig(tiny()), tmp_path)
        assert str(refused.value).startswith(message)
        assert "remove" in str(refused.value)
        shutil.rmtree(tmp_path / "phase")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(AgentError, match=r"cannot make the folder .*file/x/members: Not a directory"):
        train_league(LeagueConfig(tiny()), tmp_path / "file" / "x")


def test_every_match_of_a_league_has_its_own_deals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []
    play = Measurement.play

    def note(self: Measurement, network: Path, rival: Contestant, seed: int) -> Score:
        seeds.append(seed)
        return play(self, network, rival, seed)

    monkeypatch.setattr(Measurement, "play", note)
    monkeypatch.setattr(Measurement, "is_won", lambda self, *match: (False, self.play(*match)))
    for _ in range(2):
        train_league(LeagueConfig(tiny(updates=1, measured_deals=2)), tmp_path)
    first, second = seeds[:3], seeds[3:]
    assert (len(first), len(second)) == (3, 4)
    # The members of one phase play the same deals; its exploiter and the next run play others.
    assert len(set(first)) == len(set(second)) == 2
    assert not set(first) & set(second)


class KilledError(Exception):
    """Ends a run at once, as a kill or a power failure does."""


def kill() -> NoReturn:
    raise KilledError


@pytest.mark.parametrize("phase", ["main", "exploiter"])
@pytest.mark.parametrize("moment", ["before the save", "after the save", "before the folder is removed"])
def test_a_run_killed_at_the_end_of_a_phase_loses_and_repeats_nothing(
    phase: str, moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, reports = tmp_path / "league", list[PhaseReport]()
    config = LeagueConfig(tiny(), exploiter_share=0.5)
    # An exploiter of one update seldom wins its match; here it always does, so that it joins.
    monkeypatch.setattr(Measurement, "is_won", lambda self, *match: (True, self.play(*match)))
    number = ["main", "exploiter"].index(phase)
    with monkeypatch.context() as patched:
        if moment == "before the folder is removed":
            rmtree = shutil.rmtree

            def remove(path: Path, ignore_errors: bool = False) -> None:
                history = Population.read(out / LEAGUE).history
                return kill() if len(history) > number else rmtree(path, ignore_errors)

            patched.setattr("lastcard.learning.league.shutil.rmtree", remove)
        else:
            write = Folder.write

            def refuse(self: Folder, name: str, data: bytes) -> Path:
                if name != LEAGUE or f'"name": "{phase}-1"'.encode() not in data:
                    return write(self, name, data)
                if moment == "after the save":
                    write(self, name, data)
                return kill()

            patched.setattr(Folder, "write", refuse)
        with pytest.raises(KilledError):
            train_league(config, out)
    train_league(config, out, progress=reports.append)
    # After a main phase the exploiter of the same run is due; after an exploiter, the next run.
    names = ["main-1", "exploiter-1"]
    told = ["main", "exploiter"]
    if moment != "before the save":
        told = ["exploiter"] if phase == "main" else ["main", "exploiter"]
        names += [] if phase == "main" else ["main-2", "exploiter-2"]
    elif phase == "exploiter":
        told = ["exploiter"]
    league = Population.read(out / LEAGUE)
    assert [report.phase for report in reports] == told
    assert [member.name for member in league.members] == ["random", "heuristic", *names]
    assert [f"{entry['phase']}-{entry['run']}" for entry in league.history] == names
    assert not (out / "phase").exists()
    train_league(config, out)
    assert len(Population.read(out / LEAGUE).history) == len(names) + 2


def test_a_league_divides_the_rounds_itself() -> None:
    with pytest.raises(AgentError, match="leave rivals, random_share and heuristic_share alone"):
        LeagueConfig(TrainConfig(rivals="net=0.5"))
    with pytest.raises(AgentError, match=r"rivals must be a list such as FILE=0\.25"):
        TrainConfig(rivals="net")
    with pytest.raises(AgentError, match=r"rivals must have shares of at most 0\.5 together"):
        TrainConfig(rivals="net=0.6", heuristic_share=0.5)
