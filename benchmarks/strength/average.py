"""Makes benchmarks/networks/contender.safetensors: `python -m benchmarks.strength.average`.

The mean of the weights of three networks that were trained from one another, each of which wins against others.
M. Wortsman et al., "Model soups: averaging weights of multiple fine-tuned models improves accuracy without increasing
inference time" (2022).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from lastcard.envs import LATEST_ENCODING
from lastcard.learning.model import export_network, import_network
from lastcard.rules import Rules

NETWORKS: Final = Path(__file__).parents[1] / "networks"
CONTENDER: Final = NETWORKS / "contender.safetensors"
PARENTS: Final = dict.fromkeys(("hoarder-D", "response-net", "mixed"), 1 / 3)
"""The share of each network's weights."""


def average_networks(parents: Mapping[str, float]) -> bytes:
    """The contents of a file with the mean of these networks' weights."""
    networks = {name: import_network(NETWORKS / f"{name}.safetensors", LATEST_ENCODING) for name in parents}
    states = {name: network.state_dict() for name, network in networks.items()}
    first = next(iter(networks.values()))
    mean = {key: sum(share * states[name][key] for name, share in parents.items()) for key in first.state_dict()}
    first.load_state_dict(mean)
    made = {"made_by": "benchmarks/strength/average.py", "parents": json.dumps(dict(parents))}
    return export_network(first, Rules.preset("official"), made)


if __name__ == "__main__":
    CONTENDER.write_bytes(average_networks(PARENTS))
