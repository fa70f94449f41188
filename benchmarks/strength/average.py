"""Averages the weights of networks: `python -m benchmarks.strength.average OUT FILE=SHARE FILE=SHARE ...`.

It helps where the networks were trained from one another and each of them wins against others. The champion is such a
mean, and its file names the parents.
M. Wortsman et al., "Model soups: averaging weights of multiple fine-tuned models improves accuracy without increasing
inference time" (2022).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

from lastcard.envs import LATEST_ENCODING
from lastcard.learning.model import export_network, import_network
from lastcard.network import Network
from lastcard.rules import Rules, format_rules, parse_rules


def average_networks(parents: Mapping[Path, float], rules: Rules | None = None) -> bytes:
    """The contents of a file with the mean of these networks' weights, each with its share; the shares sum to 1.

    It is for the table of its parents. If they were trained at different ones, it plays at any table and names theirs.
    With rules it is for that table, so that a training there can start from it.
    """
    networks = {file: import_network(file, LATEST_ENCODING) for file in parents}
    states = {file: network.state_dict() for file, network in networks.items()}
    first = next(iter(networks.values()))
    mean = {key: sum(share * states[file][key] for file, share in parents.items()) for key in first.state_dict()}
    first.load_state_dict(mean)
    shares = {file.stem: round(share, 4) for file, share in parents.items()}
    made = {"made_by": "benchmarks/strength/average.py", "parents": json.dumps(shares)}
    known = [Network.load(str(file)).tables for file in parents]
    tables = sorted({format_rules(table) for each in known for table in each}) if all(known) else []
    if rules is None and len(tables) == 1:
        rules = parse_rules(tables[0])
    if rules is None and tables:
        made["tables"] = ",".join(tables)
    return export_network(first, rules, made)


def main() -> None:
    """Reads the shares and writes the mean."""
    parser = argparse.ArgumentParser(prog="benchmarks.strength.average", description=__doc__)
    parser.add_argument("out", type=Path, help="the file to write")
    parser.add_argument("parents", nargs="+", metavar="FILE=SHARE", help="a network, and how much it weighs")
    parser.add_argument("--rules", type=parse_rules, help="the table that the mean is for, to train on there")
    options = parser.parse_args()
    weights = {Path(file): float(share) for file, _, share in (text.rpartition("=") for text in options.parents)}
    total = sum(weights.values())
    options.out.write_bytes(average_networks({file: weight / total for file, weight in weights.items()}, options.rules))


if __name__ == "__main__":
    main()
