"""Networks in the core: files are refused by name, numbers are the same one by one, in batches and in NumPy."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lastcard import _core
from lastcard.agents import make_agent
from lastcard.arena.core_match import (
    Contestant,
    HeuristicContestant,
    NetContestant,
    RandomContestant,
    play_deals,
    play_match,
)
from lastcard.envs import ENCODING_SIZE, NUM_ACTIONS, encode, encoding_blocks
from lastcard.envs.encoding import LEAST_INPUTS
from lastcard.errors import AgentError
from lastcard.learning.model import import_network, scoring_column
from lastcard.network import (
    SHIPPED,
    Network,
    Tensor,
    find_shipped,
    make_metadata,
    read_safetensors,
    tensor_names,
    write_safetensors,
)
from lastcard.observation import Observation, observe
from lastcard.rules import Rules, parse_rules
from lastcard.state import deal
from lastcard.table import Table

OFFICIAL = Rules.preset("official")
NUM_INPUTS = ENCODING_SIZE
Arrays = dict[str, NDArray[np.float32]]


def random_arrays(hidden: int = 24, blocks: int = 2, seed: int = 1) -> Arrays:
    """Weights that lead somewhere."""
    rng = np.random.default_rng(seed)
    sizes = {"input": (hidden, ENCODING_SIZE), "policy": (NUM_ACTIONS, hidden), "value": (1, hidden)}
    arrays = {}
    for name in tensor_names(blocks):
        layer, _, part = name.rpartition(".")
        rows, columns = sizes.get(layer, (hidden, hidden))
        shape = (rows, columns) if part == "weight" else (rows,)
        arrays[name] = rng.normal(0, 1 / np.sqrt(columns), shape).astype(np.float32)
    return arrays


def network_bytes(arrays: Arrays, made_for: Rules = OFFICIAL, dtype: str = "F32", **changes: str) -> bytes:
    """A file of them."""
    width = np.float32 if dtype == "F32" else np.float16
    tensors = {name: Tensor(dtype, a.shape, a.astype(width).tobytes()) for name, a in arrays.items()}
    inputs = arrays["input.weight"].shape[-1]
    metadata = make_metadata(made_for, {"made_by": "a test"}, inputs)
    return write_safetensors({**metadata, **changes}, tensors)


def write(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


def decisions(rules: Rules, num_rounds: int) -> list[Observation]:
    """Returns the observations of seats that had a choice."""
    seen = []
    for seed in range(num_rounds):
        game = Table(rules, ["random"] * rules.players, seed=seed)
        while not game.state.is_over:
            observation = observe(game.state, game.state.seat or 0)
            if len(observation.legal_actions) > 1:
                seen.append(observation)
            game.play_ply()
    return seen


def by_numpy(arrays: Arrays, rows: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same network, written down once more, in double precision."""
    units = np.concatenate([np.full(b.stop - b.start, b.unit) for b in encoding_blocks()])
    a = {name: array.astype(np.float64) for name, array in arrays.items()}
    x = np.maximum(rows / units @ a["input.weight"].T + a["input.bias"], 0)
    for k in range(sum(name.startswith("blocks.") for name in a) // 2):
        x = x + np.maximum(x @ a[f"blocks.{k}.weight"].T + a[f"blocks.{k}.bias"], 0)
    return x @ a["policy.weight"].T + a["policy.bias"], np.tanh(x @ a["value.weight"].T + a["value.bias"])[:, 0]


def by_core(network: Network, rows: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    policies, values = np.empty((len(rows), NUM_ACTIONS), np.float32), np.empty(len(rows), np.float32)
    _core.evaluate_rows(network._compiled, rows, policies, values)
    return policies, values


# Numbers


@pytest.mark.parametrize(("players", "hidden", "blocks"), [(2, 24, 2), (2, 64, 0), (3, 130, 1), (4, 8, 3), (10, 70, 1)])
@pytest.mark.parametrize("dtype", ["F32", "F16"])
def test_the_core_computes_the_network(players: int, hidden: int, blocks: int, dtype: str) -> None:
    rules = Rules.preset("official", players=players)
    arrays = random_arrays(hidden, blocks)
    if dtype == "F16":
        arrays = {name: array.astype(np.float16).astype(np.float32) for name, array in arrays.items()}
    network = Network.read(network_bytes(arrays, rules, dtype))
    rows = np.array([encode(seen) for seen in decisions(rules, 3)])
    wanted, worth = by_numpy(arrays, rows)
    policies, values = by_core(network, rows)
    assert np.abs(policies - wanted).max() < 1e-4
    assert np.abs(values - worth).max() < 1e-4
    assert (network.players, network.hidden, network.blocks) == (players, hidden, blocks)


def test_one_row_and_many_give_the_same_bits() -> None:
    network = Network.read(network_bytes(random_arrays(100)))
    rows = np.array([encode(seen) for seen in decisions(OFFICIAL, 4)])
    assert len(rows) % 4 != 0 or len(rows) > 4
    together = by_core(network, rows)
    for i in range(len(rows)):
        alone = by_core(network, rows[i : i + 1])
        assert (alone[0][0] == together[0][i]).all()
        assert alone[1][0] == together[1][i]


def test_half_precision_is_read_exactly() -> None:
    """Every finite half float, as biases of the policy and of blocks."""
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves)]
    arrays = {name: np.zeros_like(array) for name, array in random_arrays(8, 0).items()}
    row = np.zeros((1, ENCODING_SIZE), np.uint8)
    for start in range(0, len(halves), NUM_ACTIONS * 40):
        part = halves[start : start + NUM_ACTIONS]
        arrays["policy.bias"][: len(part)] = part
        policies, _ = by_core(Network.read(network_bytes(arrays, dtype="F16")), row)
        assert (policies[0, : len(part)] == part.astype(np.float32)).all()


# Decisions

NETWORKS = Path(__file__).parents[2] / "benchmarks" / "networks"


@pytest.mark.parametrize(
    ("file", "rival", "players", "num_deals", "digest"),
    [
        ("", "heuristic", 2, 150, "2aaa6e21545b22c7"),
        ("hoarder-A.safetensors", "heuristic", 2, 10, "64ad42051ddd00e7"),
        ("hoarder-D.safetensors", "net", 2, 10, "a124503995ad255a"),
    ],
)
def test_networks_play_as_they_always_did(file: str, rival: str, players: int, num_deals: int, digest: str) -> None:
    """Digests of whole matches."""
    first = NetContestant(str(NETWORKS / file) if file else "")
    others: Contestant = HeuristicContestant() if rival == "heuristic" else NetContestant()
    rules = Rules.preset("official", players=players)
    rounds = play_deals(rules, [first, *[others] * (players - 1)], num_deals, seed=11)
    points = b"".join(each.to_bytes(2, "little") for each in rounds.points)
    course = rounds.winners + points + rounds.plies.to_bytes(8, "little")
    assert hashlib.sha256(course).hexdigest()[:16] == digest


@pytest.mark.parametrize("rules", ["official", "house", "tournament players=3"])
def test_a_network_of_fewer_inputs_reads_the_first_ones(rules: str, tmp_path: Path) -> None:
    """Inputs that a later version appends change no bit of its play."""
    made = parse_rules(rules)
    whole = random_arrays(40, 2)
    short = {**whole, "input.weight": whole["input.weight"][:, :LEAST_INPUTS].copy()}
    padded = {**whole, "input.weight": whole["input.weight"].copy()}
    padded["input.weight"][:, LEAST_INPUTS:] = 0
    short_net, padded_net = (Network.read(network_bytes(arrays, made)) for arrays in (short, padded))
    assert (short_net.inputs, padded_net.inputs) == (LEAST_INPUTS, NUM_INPUTS)
    rows = np.array([encode(seen) for seen in decisions(made, 3)])
    assert all(
        (one == other).all() for one, other in zip(by_core(short_net, rows), by_core(padded_net, rows), strict=True)
    )
    capped = made.replace(max_plies=120)
    results = [
        play_match(capped, [NetContestant(write(tmp_path / name, network_bytes(arrays, made)))] * made.players, 6)
        for name, arrays in (("short.safetensors", short), ("padded.safetensors", padded))
    ]
    assert results[0] == results[1]


# Playing


@pytest.mark.parametrize("rules", ["official", "official players=4", "house", "tournament players=3"])
def test_it_plays_the_legal_action_that_scores_highest(rules: str, tmp_path: Path) -> None:
    made = parse_rules(rules)
    path = write(tmp_path / "net.safetensors", network_bytes(random_arrays(), made))
    agent = make_agent(f"net:{path}")
    network = Network.load(path)
    for seen in decisions(made, 2):
        _, scores = network.evaluate(seen)
        assert tuple(scores) == seen.legal_actions
        assert scores[agent.choose(seen)] == max(scores.values())


@pytest.mark.parametrize("rules", ["official", "official players=4", "house", "tournament players=3"])
def test_matches_do_not_depend_on_batches(rules: str, tmp_path: Path) -> None:
    made = parse_rules(rules).replace(max_plies=120)  # untrained networks hardly ever finish
    paths = [write(tmp_path / f"{seed}.safetensors", network_bytes(random_arrays(seed=seed), made)) for seed in (1, 2)]
    seating: list[Contestant] = [
        NetContestant(paths[0]),
        NetContestant(paths[1]),
        RandomContestant(),
        HeuristicContestant(),
    ]
    seating = seating[: made.players]
    whole = play_match(made, seating, 40, seed=3)
    assert play_match(made, seating, 40, seed=3, threads=3) == whole
    parts = play_deals(made, seating, 40, seed=3)
    assert parts.plies == whole.plies
    assert play_deals(made, seating, 7, seed=3).winners == parts.winners[: 7 * made.players]


@pytest.mark.parametrize("rules", ["official", "official players=4", "house", "tournament players=3"])
def test_matches_play_what_the_agent_plays(rules: str, tmp_path: Path) -> None:
    """Batches beside the rounds and single observations give the same rounds, ply by ply."""
    made = parse_rules(rules).replace(max_plies=120)  # untrained networks hardly ever finish
    path = write(tmp_path / "net.safetensors", network_bytes(random_arrays(), made))
    network = Network.load(path)._compiled
    results = []
    for by_observation in (False, True):
        contestant = _core.network_contestant(network, by_observation=by_observation)
        match = _core.play_match(made._compiled, [contestant], [0] * made.players, 0, 4, 5, 1)
        results.append((match.winners, match.points, match.plies))
    assert results[0] == results[1]
    assert len(set(results[0][0])) > 1


# Files


def test_files_round_trip() -> None:
    data = network_bytes(random_arrays())
    metadata, tensors = read_safetensors(data)
    assert write_safetensors(metadata, tensors) == data
    assert Network.read(data).made["made_by"] == "a test"


def test_the_reference_library_reads_them(tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    arrays = random_arrays()
    read = load_file(write(tmp_path / "net.safetensors", network_bytes(arrays)))
    assert read.keys() == arrays.keys()
    assert all((read[name] == array).all() for name, array in arrays.items())


def header(**changes: object) -> bytes:
    """A file whose header is just this."""
    text = json.dumps(changes).encode()
    return len(text).to_bytes(8, "little") + text


def broken(**changes: object) -> Arrays:
    """Arrays with some replaced, or left out where None."""
    arrays = {**random_arrays(8, 1), **{k.replace("__", "."): v for k, v in changes.items()}}
    return {name: array for name, array in arrays.items() if array is not None}  # type: ignore[misc]


def latest(inputs: int, seed: int = 1) -> Arrays:
    """A network for two players that reads so many inputs of the latest row."""
    arrays = random_arrays(8, 1, seed)
    return {**arrays, "input.weight": arrays["input.weight"][:, :inputs].copy()}


NOT_FINITE = np.full(8, np.inf, np.float32)


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"", "not a safetensors file: 0 bytes"),
        (b"PK\x03\x04 a zip file of pickles", "its header would be too long"),
        ((50).to_bytes(8, "little") + b"{}", "cut short: a header of 50 bytes was announced, 2 are there"),
        ((4).to_bytes(8, "little") + b"nope", "its header is not JSON"),
        ((2).to_bytes(8, "little") + b"[]", "its header is not an object"),
        (header(__metadata__={"a": 1}), "__metadata__ must map names to texts"),
        (header(x=1), "'x' must have two data_offsets"),
        (header(x={"dtype": "F32", "shape": [1], "data_offsets": [0, "4"]}), "'x' must have two data_offsets"),
        (header(x={"dtype": "I8", "shape": [1], "data_offsets": [0, 1]}), "'x' must be of type F16 or F32, not 'I8'"),
        (header(x={"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}), "'x' must have a shape of whole numbers"),
        *(
            (
                header(x={"dtype": "F32", "shape": [2**24] * count, "data_offsets": [0, 4]}),
                f"'x' must have at most 8 dimensions, not {count}",
            )
            for count in (9, 700, 80_000)
        ),
        (header(x={"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}), "'x' must take bytes 0 to 4"),
        (header(x={"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}), "cut short: 'x' should end at byte 4"),
        (network_bytes(broken())[:-1], "cut short: 'value.bias' should end at byte"),
        (network_bytes(broken()) + b"!", "1 bytes too many at its end"),
        (network_bytes(broken(), format="other"), "made for another program: format must be lastcard-network"),
        (network_bytes(broken(), encoding_version="1"), "encoding_version must be 2, not '1'; train it again with"),
        (network_bytes(latest(1000), inputs=str(NUM_INPUTS + 4)), "made by a later lastcard: it reads .*; upgrade"),
        (
            network_bytes(latest(1000), inputs="800"),
            f"inputs must be from 819 to {NUM_INPUTS}, not '800'; train it again",
        ),
        (network_bytes(latest(1000), inputs="999"), r"input.weight must have the shape \(8, 999\), not \(8, 1000\)"),
        (
            network_bytes(latest(1000), inputs=str(NUM_INPUTS + 4), rules="house players=12 newswitch=on"),
            "made by a later lastcard: it reads .*; upgrade",
        ),
        (
            network_bytes(latest(1000), rules="house players=2 newswitch=on"),
            "upgrade lastcard, which cannot read these rules: rules have no field 'newswitch'",
        ),
        (
            network_bytes(latest(1000), players="any", rules="any", tables="family,house newswitch=on"),
            "upgrade lastcard, which cannot read these tables: rules have no field 'newswitch'",
        ),
        (network_bytes(broken(), players="11"), "players must be from 2 to 10, not '11'; train it again"),
        (network_bytes(broken(), players=""), "players must be from 2 to 10, not ''; train it again"),
        (network_bytes(broken(), players="3"), "players is 3, but its rules have 2"),
        (
            network_bytes(broken(), rules="chess"),
            "upgrade lastcard, which cannot read these rules: no rules preset 'chess'",
        ),
        (network_bytes(broken(policy__bias=None)), "policy.bias is missing"),
        (network_bytes(broken(extra=np.zeros(1, np.float32))), "unknown key 'extra'"),
        (
            network_bytes(broken(input__weight=np.zeros((8, 3), np.float32)), inputs="819"),
            r"input.weight must have the shape \(8, 819\), not \(8, 3\)",
        ),
        (
            network_bytes(broken(blocks__0__weight=np.zeros((8, 9), np.float32))),
            r"blocks.0.weight must have the shape \(8, 8\), not \(8, 9\)",
        ),
        (network_bytes(broken(input__bias=NOT_FINITE)), "input.bias holds a number that is not finite"),
        (network_bytes(broken(input__bias=NOT_FINITE), dtype="F16"), "input.bias holds a number that is not finite"),
    ],
)
def test_files_that_are_no_networks_are_refused_by_name(data: bytes, match: str, tmp_path: Path) -> None:
    path = write(tmp_path / "net.safetensors", data)
    with pytest.raises(AgentError, match=match):
        make_agent(f"net:{path}")
    with pytest.raises(AgentError, match=match):
        Network.read(data)


def test_any_cut_is_noticed() -> None:
    data = network_bytes(random_arrays(8, 1))
    for length in [*range(0, 600, 7), *range(600, len(data), 499)]:
        with pytest.raises(AgentError):
            Network.read(data[:length])


def test_a_network_is_for_its_number_of_players(tmp_path: Path) -> None:
    path = write(tmp_path / "net.safetensors", network_bytes(random_arrays()))
    four = observe(deal(Rules.preset("official", players=4), seed=7), 0)
    refusal = "is for 2 players, not 4; net without a file picks the network for the table"
    with pytest.raises(AgentError, match=refusal):
        make_agent(f"net:file={path}").choose(four)
    with pytest.raises(AgentError, match=refusal):
        play_match(four.rules, [NetContestant(path)] * 4, 1)


@pytest.mark.parametrize(
    ("rules", "stem"),
    [
        ("official", "official-2"),
        ("official target_score=200", "official-2"),
        ("official scoring=lowest", "official-2"),
        ("tournament players=2 scoring=lowest target_score=100", "tournament-2"),
        ("official players=4", "official-4"),
        ("family", "family-2"),
        ("family wild_draw_four=last_resort", "family-2"),
        ("family players=3", "family-3-4"),
        ("family players=4", "family-3-4"),
        ("family players=5", "any"),
        ("official players=3", "any"),
        ("official hand_size=5", "any"),
        ("house players=10", "any"),
        ("tournament players=2", "tournament-2"),
        ("tournament players=3", "any"),
        ("tournament stacking=same", "any"),
    ],
)
def test_the_table_decides_which_shipped_network_plays(rules: str, stem: str) -> None:
    state = deal(parse_rules(rules), seed=7)
    seen = observe(state, state.seat or 0)
    assert find_shipped(state.rules) == stem
    path = str(files("lastcard").joinpath("networks", f"{stem}.safetensors"))
    assert make_agent("net").choose(seen) is Network.load(path).choose(seen)
    assert Network.shipped(state.rules).fits(state.rules.players)


@pytest.mark.parametrize(("rules", "name"), [("official", "champion"), ("family", "advisor"), ("family", "net")])
def test_scoring_changes_neither_the_network_nor_what_it_sees(rules: str, name: str) -> None:
    winner, lowest = (parse_rules(rules).replace(scoring=scoring) for scoring in ("winner", "lowest"))
    assert find_shipped(winner, name) == find_shipped(lowest, name)
    network = Network.shipped(lowest, name)
    assert network.learned(lowest)
    one, other = (network.evaluate(observe(deal(made, seed=7), 0)) for made in (winner, lowest))
    assert one == other


def test_a_network_that_learned_the_lowest_score_sees_it(tmp_path: Path) -> None:
    lowest = OFFICIAL.replace(scoring="lowest")
    arrays = random_arrays()
    for made_for, changes, knows in (
        (OFFICIAL, {}, False),
        (lowest, {}, True),
        (OFFICIAL, {"players": "any", "rules": "any", "tables": "official,official scoring=lowest"}, True),
    ):
        data = network_bytes(arrays, made_for, **changes)
        network = Network.read(data)
        one, other = (network.evaluate(observe(deal(rules, seed=7), 0)) for rules in (OFFICIAL, lowest))
        assert (one != other) is knows
        model = import_network(Path(write(tmp_path / "net.safetensors", data)))
        assert model.input.weight[:, scoring_column()].any().item() is knows


def test_a_network_trained_for_games_did_not_learn_another_scoring() -> None:
    arrays, lowest = random_arrays(), OFFICIAL.replace(scoring="lowest")
    for made_for, other in ((OFFICIAL, lowest), (lowest, OFFICIAL)):
        games = Network.read(network_bytes(arrays, made_for, trained_for="games"))
        assert (games.learned(made_for), games.learned(other)) == (True, False)
        assert Network.read(network_bytes(arrays, made_for)).learned(other)


def test_no_shipped_network_knows_other_decks() -> None:
    state = deal(Rules.preset("mini"), seed=7)
    assert find_shipped(state.rules) is None
    with pytest.raises(AgentError, match=r"net: no network is shipped for the rules 'mini'; train one with .* train"):
        make_agent("net").choose(observe(state, state.seat or 0))


def test_the_shipped_networks_are_small() -> None:
    for stem in {name for by_rules in SHIPPED.values() for name in by_rules.values()}:
        assert len(files("lastcard").joinpath("networks", f"{stem}.safetensors").read_bytes()) < 4_000_000


@pytest.mark.parametrize(("players", "least"), [(2, 0.6), (4, 0.3)])
def test_the_shipped_networks_have_learned(players: int, least: float) -> None:
    """Cards and agents are fixed, so this comes out the same every time."""
    rules = Rules.preset("official", players=players)
    match = play_match(rules, [NetContestant(), *[RandomContestant()] * (players - 1)], 300, seed=1)
    assert match.shares[0] > least


def test_a_missing_file_is_named() -> None:
    with pytest.raises(AgentError, match=r"net: cannot read 'nowhere\.safetensors': No such file"):
        make_agent("net:nowhere.safetensors")


def test_an_observation_of_another_number_of_players_is_refused() -> None:
    network = Network.shipped(Rules.preset("official"))
    table = Table(Rules.preset("official", players=4), ["random"] * 4, seed=7)
    for ask in (network.choose, network.evaluate):
        with pytest.raises(AgentError, match="the network is for 2 players, the observation is of 4"):
            ask(observe(table.state, 0))
        with pytest.raises(AgentError, match=r"expected an Observation, not .*; use observe\(state, seat\)"):
            ask(table.state)  # type: ignore[arg-type]


@pytest.mark.parametrize("folder", ["src/lastcard/networks", "benchmarks/networks"])
def test_committed_networks_name_files_without_folders(folder: str) -> None:
    for path in sorted(Path(__file__).parents[2].joinpath(folder).glob("*.safetensors")):
        made = Network.load(str(path)).made
        config = json.loads(made.get("config", "{}"))
        assert "config" in made or "parents" in made, path.name
        assert "/" not in config.get("start", "") + config.get("rivals", "") + made.get("parents", ""), path.name
