"""Compares the code paths of an installed wheel: `python -m benchmarks.speed.code_paths [--deals N] [--repeats N]`.

Each code path plays the same rounds of `halving` against `heuristic` in a process of its own, in turn. Figures are CPU
time, the best of the repeats. Run it with the Python of an environment that has the wheel, outside the source tree's
`src`: a local build has only one code path.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from typing import Any

PROGRAM = """
import json, sys, time
from hashlib import sha256
from lastcard.rules import Rules
from lastcard.search import HalvingConfig
from lastcard.arena.core_match import HeuristicContestant, play_deals
start = time.process_time()
rounds = play_deals(Rules.preset("official"), [HalvingConfig(), HeuristicContestant()], int(sys.argv[1]), seed=1)
seconds = time.process_time() - start
digest = sha256(repr((rounds.winners, list(rounds.points), rounds.plies)).encode()).hexdigest()
print(json.dumps({"seconds": seconds, "rounds": len(rounds.winners), "digest": digest[:16]}))
"""


def measure(cpu: str, deals: int) -> dict[str, Any]:
    """Plays on one code path; returns the CPU seconds, the number of rounds and a digest of them."""
    command = [sys.executable, "-c", PROGRAM, str(deals)]
    variables = os.environ | {"LASTCARD_CPU": cpu}
    ran = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True)
    figures: dict[str, Any] = json.loads(ran.stdout)
    return figures


def main() -> None:
    """Prints one line per code path and the ratio of the slowest to the fastest."""
    parser = argparse.ArgumentParser(description="Compare the code paths of an installed wheel.")
    parser.add_argument("--deals", type=int, default=100, help="deals, of two rounds each")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    from lastcard import _probe

    names = _probe.code_paths()
    runs = [(name, measure(name, options.deals)) for _ in range(options.repeats) for name in names]
    best = {name: min(run["seconds"] for at, run in runs if at == name) for name in names}
    for name, seconds in best.items():
        print(f"{name:<12} {seconds:6.2f} CPU s for {runs[0][1]['rounds']} rounds")
    print(f"ratio        {max(best.values()) / min(best.values()):6.2f}")
    print(f"same play    {len({run['digest'] for _, run in runs}) == 1}")


if __name__ == "__main__":
    main()
