"""Compares WebAssembly in Node with the native core: `python -m benchmarks.speed.wasm [--decisions N] [--save]`.

Both search the same decisions of two-player rounds by `halving`, in turn, each in a process of its own. Figures are CPU
time of the searches, the best of the repeats. The goal is at most 2.5 times the portable build: use an environment with
a wheel and `--cpu baseline`, or a folder with a portable build, since `make play` compiles for this CPU only:

    pip install --no-deps --target build/portable --config-settings=cmake.define.LASTCARD_PORTABLE=ON .
    PYTHONPATH=build/portable python -m benchmarks.speed.wasm

`make wasm` builds the module.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
RESULTS: Final = ROOT / "benchmarks" / "results" / "speed-wasm.json"
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


def measure(agent: str, decisions: int, repeats: int, cpu: str) -> tuple[str, dict[str, float]]:
    """The native code path, and every figure of the table; both have to decide alike."""
    asked = [agent, str(decisions)]
    paths = [
        str(ROOT / "build/wasm/lastcard.wasm"),
        str(ROOT / "src/lastcard/networks"),
        str(ROOT / "wasm/lastcard.js"),
    ]
    native, node = [], []
    for _ in range(repeats):
        native.append(run([sys.executable, "-c", NATIVE, *asked], {"LASTCARD_CPU": cpu} if cpu else {}))
        node.append(run(["node", "--input-type=module", "-e", NODE, *paths, *asked]))
    if any(each["best"] != native[0]["best"] for each in native + node):
        raise SystemExit("WebAssembly and the native core do not decide alike")
    best = [min(each["seconds"] for each in runs) for runs in (native, node)]
    path = native[0]["cpu"]
    return path, {
        f"native, {path}, ms a decision": 1e3 * best[0] / decisions,
        "WebAssembly in Node, ms a decision": 1e3 * best[1] / decisions,
        f"times native, {path}": best[1] / best[0],
    }


def main() -> None:
    """Measures, prints, and saves when asked."""
    parser = argparse.ArgumentParser(description="Compare WebAssembly in Node with the native core.")
    parser.add_argument("--agent", default=AGENT)
    parser.add_argument("--decisions", type=int, default=40)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cpu", default="", help="code path of an installed wheel, such as baseline")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.name} into benchmarks/results")
    options = parser.parse_args()
    path, figures = measure(options.agent, options.decisions, options.repeats, options.cpu)
    for name, value in figures.items():
        goal = f"   goal at most {AT_MOST:g}" if name == "times native, baseline" else ""
        print(f"{name:40} {value:8.2f}{goal}")
    if options.save:
        if path != "baseline":
            parser.error(f"--save needs the portable build, not {path}")
        result = {"python": platform.python_version(), "figures": {k: round(v, 2) for k, v in figures.items()}}
        RESULTS.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
