"""Averages the weights of networks: `python -m benchmarks.strength.average OUT FILE=SHARE FILE=SHARE ...`.

It helps where the networks were trained from one another and each of them wins against others. The champion is such a
mean, and its file names the parents.
M. Wortsman et al., "Model soups: averaging weights of multiple fine-tuned models improves accuracy without increasing
inference time" (2022).
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.strength.options import refuse_in_one_line
from lastcard.envs import LATEST_ENCODING
from lastcard.errors import AgentError
from lastcard.learning.model import export_network, import_network
from lastcard.network import Network
from lastcard.rules import Rules, format_rules, parse_rules


def average_networks(parents: Mapping[Path, float], rules: Rules | None = None) -> bytes:
    """The contents of a file with the mean of these networks' weights, each with its share; the shares sum to 1.

    It is for the table of its parents. If they were trained at different ones, it plays at any table and names theirs.
    With rules it is for that table, so that a training there can start from it.

    Raises:
        LastcardError: if a file is no network, or the networks have different sizes.
    """
    known = [Network.load(str(file)).tables for file in parents]
    networks = {file: import_network(file, LATEST_ENCODING) for file in parents}
    states = {file: network.state_dict() for file, network in networks.items()}
    first = next(iter(networks.values()))
    for file, network in networks.items():
        if [weights.shape for weights in network.parameters()] != [weights.shape for weights in first.parameters()]:
            raise AgentError(
                f"{file} has layers of other sizes than {next(iter(parents))}; average networks of one size"
            )
    mean = {key: sum(share * states[file][key] for file, share in parents.items()) for key in first.state_dict()}
    first.load_state_dict(mean)
    shares = {name: round(share, 4) for name, share in zip(name_parents(list(parents)), parents.values(), strict=True)}
    made = {"made_by": "benchmarks/strength/average.py", "parents": json.dumps(shares)}
    tables = sorted({format_rules(table) for each in known for table in each}) if all(known) else []
    if rules is None and len(tables) == 1:
        rules = parse_rules(tables[0])
    if rules is None and tables:
        made["tables"] = ",".join(tables)
    return export_network(first, rules, made)


def name_parents(files: Sequence[Path]) -> list[str]:
    """Names the files without their folders; where two have the same name, with those that tell them apart.

    >>> name_parents([Path("a/latest.safetensors"), Path("b/latest.safetensors")])
    ['a-latest', 'b-latest']
    """
    names: list[str] = []
    for depth in range(1, 1 + max(len(file.parts) for file in files)):
        names = ["-".join(file.with_suffix("").parts[-depth:]) for file in files]
        if len(set(names)) == len(names):
            break
    return names


def read_shares(texts: Sequence[str]) -> dict[Path, float]:
    """Reads files with their shares, and scales the shares to a sum of 1.

    Raises:
        AgentError: if a text is no file with a share, or the shares cannot be scaled.
    """
    shares: dict[Path, float] = {}
    for text in texts:
        file, _, number = text.rpartition("=")
        try:
            share = float(number)
        except ValueError:
            share = math.nan
        if not file or Path(file) in shares or not math.isfinite(share):
            raise AgentError(f"expected different files, each with a share such as FILE=0.5, not {text!r}")
        shares[Path(file)] = share
    total = sum(shares.values())
    if not total:
        raise AgentError("the shares must not sum to 0")
    return {file: share / total for file, share in shares.items()}


def main() -> None:
    """Reads the shares and writes the mean."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.average", description=__doc__)
    parser.add_argument("out", type=Path, help="the file to write")
    parser.add_argument("parents", nargs="+", metavar="FILE=SHARE", help="a network, and how much it weighs")
    parser.add_argument("--rules", type=parse_rules, help="the table that the mean is for, to train on there")
    options = parser.parse_args()
    with refuse_in_one_line(parser):
        options.out.write_bytes(average_networks(read_shares(options.parents), options.rules))


if __name__ == "__main__":
    main()
