"""Compares WebAssembly in Node with the native core: `python -m benchmarks.speed.wasm [--decisions N] [--save]`.

All search the same decisions of two-player rounds by `halving`, in turn, each in a process of its own: the installed
core, which `make play` compiles for this CPU, a portable build of it, and the module. Figures are CPU time of the
searches, the best of the repeats. The goal is at most 2.5 times the portable build. `make wasm` builds the module, and
this the portable core:

    pip install --no-deps --target build/portable --config-settings=cmake.define.LASTCARD_PORTABLE=ON .
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from benchmarks.speed.figures import make_parser, report

ROOT: Final = Path(__file__).parents[2]
PORTABLE: Final = ROOT / "build" / "portable"
AT_MOST: Final = 2.5
AGENT: Final = "halving:simulations=10000"
NATIVE: Final = """
import json, sys, time
from lastcard import _core
from lastcard.agents import make_agent
from lastcard.observation import observe
from lastcard.rules import Rules
from lastcard.state import deal
agent, num = sys.argv[1], int(sys.argv[2])
seconds, best, seed = 0.0, [], 0
while len(best) < num:
    state = deal(Rules.preset("official"), seed)
    seed += 1
    player = make_agent(agent, 1)
    for _ in range(4):
        seen = observe(state, state.seat)
        start = time.process_time()
        action = player.choose(seen)
        seconds += time.process_time() - start
        best.append(action.text)
        state.apply_in_place(action)
print(json.dumps({"cpu": _core.CPU, "seconds": seconds, "best": best[:num]}))
"""
NODE: Final = """
import { readFileSync } from "node:fs";
const [, module, networks, code, agent, num] = process.argv;
const { Engine } = await import(code);
const engine = await Engine.load(readFileSync(module));
engine.loadNetwork("advisor-2", readFileSync(networks + "/advisor-2.safetensors"));
let micros = 0, seed = 0;
const best = [];
while (best.length < Number(num)) {
  const round = engine.deal("official", { seed: seed++ });
  const player = engine.makeAgent(agent, { seed: 1 });
  for (let i = 0; i < 4; ++i) {
    const start = process.cpuUsage();
    const action = player.choose(round);
    const used = process.cpuUsage(start);
    micros += used.user + used.system;
    best.push(action);
    round.apply(action);
  }
}
console.log(JSON.stringify({ seconds: micros / 1e6, best: best.slice(0, Number(num)) }));
"""


def run(command: list[str], variables: dict[str, str] | None = None) -> dict[str, Any]:
    """Runs a program that prints its figures as JSON."""
    ran = subprocess.run(command, env=os.environ | (variables or {}), stdout=subprocess.PIPE, text=True, check=True)
    figures: dict[str, Any] = json.loads(ran.stdout)
    return figures


def measure(agent: str, decisions: int, repeats: int) -> dict[str, float]:
    """Every figure of the table; all have to decide alike."""
    asked = [agent, str(decisions)]
    paths = [
        str(ROOT / "build/wasm/lastcard.wasm"),
        str(ROOT / "src/lastcard/networks"),
        str(ROOT / "wasm/lastcard.js"),
    ]
    native = [sys.executable, "-P", "-c", NATIVE, *asked]
    runs: dict[str, list[dict[str, Any]]] = {"here": [], "portable": [], "node": []}
    for _ in range(repeats):
        runs["here"].append(run(native))
        runs["portable"].append(run(native, {"PYTHONPATH": str(PORTABLE)}))
        runs["node"].append(run(["node", "--input-type=module", "-e", NODE, *paths, *asked]))
    if any(each["best"] != runs["here"][0]["best"] for told in runs.values() for each in told):
        raise SystemExit("WebAssembly and the native core do not decide alike")
    if runs["portable"][0]["cpu"] != "baseline":
        raise SystemExit(f"{PORTABLE} has no portable build; the first lines of this file make one")
    best = {name: min(each["seconds"] for each in told) for name, told in runs.items()}
    cpu = runs["here"][0]["cpu"]
    return {
        f"native, {cpu}, ms a decision": 1e3 * best["here"] / decisions,
        "native, baseline, ms a decision": 1e3 * best["portable"] / decisions,
        "WebAssembly in Node, ms a decision": 1e3 * best["node"] / decisions,
        f"times native, {cpu}": best["node"] / best["here"],
        "times native, baseline": best["node"] / best["portable"],
    }


def main() -> None:
    """Measures, prints, and saves when asked."""
    parser = make_parser("speed-wasm", "Compare WebAssembly in Node with the native core.", repetitions=3)
    parser.add_argument("--agent", default=AGENT)
    parser.add_argument("--decisions", type=int, default=40)
    options = parser.parse_args()
    figures = measure(options.agent, options.decisions, options.repetitions)
    report("speed-wasm", figures, saves=options.save, at_most={"times native, baseline": AT_MOST})


if __name__ == "__main__":
    main()
