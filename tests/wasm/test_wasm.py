"""The core as WebAssembly: the same decisions, counts and refusals as in Python. `make wasm` builds the module."""

import gzip
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastcard.agents import make_agent
from lastcard.envs import LATEST_ENCODING, encoding_size
from lastcard.errors import AgentError
from lastcard.learning.model import scoring_column
from lastcard.network import Network, read_safetensors, write_safetensors
from lastcard.rules import PRESETS, Rules
from tests.unit.test_network import latest, network_bytes
from tests.wasm.cases import AGENTS, MODULE, NETWORKS, compare, play_agents, play_cases, run_node
from tests.wasm.counting import check_perft, check_signature

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="the module is not built: run make wasm")


def test_agents_decide_alike() -> None:
    """300 choices, every number of every search, and every observation on the way."""
    choices, differences = compare(300)
    assert not differences, differences[0]
    assert choices >= 300


def test_the_decisions_are_of_all_agents_by_all_presets() -> None:
    cases: list[Any] = list(play_cases(300))
    assert {case["rules"].split()[0] for case in cases} == set(PRESETS)
    assert {len(case["agents"]) for case in cases} == set(range(2, 11))
    deciding = {case["agents"][ply["observation"]["observer"]] for case in cases for ply in case["plies"]}
    assert deciding == {*AGENTS, "net", "champion"}


def test_a_network_trained_for_games_sees_the_scores(tmp_path: Path) -> None:
    for file in NETWORKS.iterdir():
        shutil.copy(file, tmp_path)
    metadata, tensors = read_safetensors((NETWORKS / "family-2.safetensors").read_bytes())
    first = tensors["input.weight"]
    weights = np.frombuffer(first.data, np.float16).reshape(first.shape).copy()
    weights[:, 990:1000] *= 60  # the block `score`
    tensors["input.weight"] = replace(first, data=weights.tobytes())
    path = tmp_path / "family-2.safetensors"
    path.write_bytes(write_safetensors({**metadata, "trained_for": "games"}, tensors))
    rules = Rules.preset("family")
    trained, shipped = (
        [play_agents(rules, seed, ["net"] * 2, [make_agent(name)] * 2, 20) for seed in range(20)]
        for name in (f"net:{path}", "net")
    )
    assert [case["plies"] for case in trained[::2]] == [case["plies"] for case in shipped[::2]]  # scores of 0
    assert [case["plies"] for case in trained[1::2]] != [case["plies"] for case in shipped[1::2]]
    assert not run_node("agree.mjs", trained, tmp_path)["differences"]
    assert not run_node("agree.mjs", shipped)["differences"]


@pytest.mark.parametrize("learned", ["family", "family scoring=lowest"])
def test_scoring_is_seen_by_networks_that_learned_it(learned: str, tmp_path: Path) -> None:
    for file in NETWORKS.iterdir():
        shutil.copy(file, tmp_path)
    metadata, tensors = read_safetensors((NETWORKS / "family-2.safetensors").read_bytes())
    first = tensors["input.weight"]
    weights = np.frombuffer(first.data, np.float16).reshape(first.shape).copy()
    weights[:, scoring_column(2, 2)] = np.linspace(-3, 3, len(weights))
    tensors["input.weight"] = replace(first, data=weights.tobytes())
    path = tmp_path / "family-2.safetensors"
    path.write_bytes(write_safetensors({**metadata, "rules": learned}, tensors))
    rules = Rules.preset("family", scoring="lowest")
    changed, shipped = (
        [play_agents(rules, seed, ["net"] * 2, [make_agent(name)] * 2, 20) for seed in range(10)]
        for name in (f"net:{path}", "net")
    )
    assert ([case["plies"] for case in changed] == [case["plies"] for case in shipped]) is (learned == "family")
    assert not run_node("agree.mjs", changed, tmp_path)["differences"]
    assert not run_node("agree.mjs", shipped)["differences"]


def test_networks_that_cannot_be_read_are_refused_as_in_python(tmp_path: Path) -> None:
    known = encoding_size(2, LATEST_ENCODING)
    wide = {**latest(known), "input.weight": np.zeros((8, known + 4), np.float32)}
    files = {
        "later inputs": network_bytes(wide, rules="house players=12 newswitch=on"),
        "few inputs": network_bytes(latest(900), inputs="700"),
        "no inputs": network_bytes(latest(900), inputs=""),
        "other inputs": network_bytes(latest(1024), inputs=str(known)),
        "later encoding": network_bytes(latest(1000), encoding_version="3"),
        "no encoding": network_bytes(latest(1000), encoding_version="0"),
        "first encoding, any table": network_bytes(latest(1000), encoding_version="1", players="any", rules="any"),
        "first encoding, other inputs": network_bytes(latest(1000), encoding_version="1"),
        "no players": network_bytes(latest(1000), players=""),
        "other players": network_bytes(latest(1000), players="3"),
        "later rules": network_bytes(latest(1000), rules="house players=2 newswitch=on"),
        "later tables": network_bytes(latest(1000), players="any", rules="any", tables="family,house newswitch=on"),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    messages = run_node("networks.mjs", list(files), tmp_path)
    for name, data in files.items():
        with pytest.raises(AgentError) as refused:
            Network.read(data)
        words = str(refused.value).removeprefix("the network: ").partition("'newswitch'")[0]
        assert messages[name].startswith(words), name


def test_perft_counts_agree() -> None:
    check_perft(lambda asked: run_node("counts.mjs", asked))


def test_the_bench_signature_agrees() -> None:
    check_signature(lambda asked: run_node("counts.mjs", asked))


def test_a_refusal_says_what_is_wrong_and_the_engine_goes_on() -> None:
    messages = run_node("refusals.mjs", None)
    expected = {
        "rules": "no rules preset 'offcial'; there are official, family, tournament, house",
        "field": "rules have no field 'playrs'; there are players, deck",
        "players": "players must be from 2 to 10, not 11",
        "kind": "must_play must be True or False, not 'yes'",
        "seed": 'seed must be 1 to 64 hexadecimal digits, not "xyz"',
        "negative": "seed must not be negative, not -1",
        "none": "seed must be a whole number or hexadecimal digits, not null",
        "half": "seed must be whole, not 0.5",
        "scores": "scores must be a whole number from -10000000 to 10000000, not 'a'",
        "most": "scores must be from -10000000 to 10000000, not 1000000000",
        "hands": "hands must be text, not null",
        "person": 'is_person must be true or false, not "yes"',
        "action": 'action must be one such as "r5", "w:g" or "draw", not "b9x"',
        "illegal": 'uno is not legal here; legal are ["b8"',
        "seat": "seat must be a whole number from 0 to 1, not 2",
        "agent": "no agent chess; there are random, first_legal",
        "option": "halving has no option simulation; there are: simulations",
        "range": "simulations must be a whole number from 1 to 10000000, not 0",
        "type": "simulations must be a value such as 1000, not many",
        "group": "group must be 1 where opponents=minimise",
        "file": "weights must be empty: files of weights are not read here",
        "network": "load the network official-2 first",
        "advisor": "load the network advisor-2 first",
        "champion": "champion: no network is shipped for the rules 'house players=5'; net plays by them",
        "deck": "net: no network is shipped for the rules 'mini max_plies=20'; halving plays by them",
        "cut": "cut short: ",
        "empty": "not a safetensors file: it has fewer than 8 bytes",
        "garbage": "not a safetensors file: its header would be too long",
        "buffer": "the contents of a network must be a Uint8Array",
        "beyond": "address and size must be of bytes in memory, which has ",
        "across": "address and size must be of bytes in memory, which has ",
        "far": "address must be a whole number from 0 to 2147483647, not 4000000000",
        "other": "there is no call play_chess",
        "renamed": "there is no call play_chess",
        "stopping": "stopWhen expects a function, not 5",
        "released": "there is no such round; was it released?",
        "stopped": "stopped",
    }
    assert messages.pop("thrown") == "Error: mine"
    assert set(messages) == set(expected)
    for name, message in messages.items():
        assert message.startswith(f"LastcardError: {expected[name]}"), (name, message)


def test_the_module_is_small() -> None:
    assert len(gzip.compress(MODULE.read_bytes(), 9)) <= 1_500_000
