"""Compares WebAssembly in Node with the native core: `python -m benchmarks.speed.wasm [--decisions N] [--repeats N]`.

Both search the same decisions of two-player rounds by `halving`, in turn, each in a process of its own. Figures are CPU
time of the searches, the best of the repeats. With an installed wheel, `--cpu baseline` compares with the portable code
path; a local build has only one. `make wasm` builds the module.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
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
engine.loadNetwork("official-2", readFileSync(networks + "/official-2.safetensors"));
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


def main() -> None:
    """Prints both times, their ratio, and whether the decisions are the same."""
    parser = argparse.ArgumentParser(description="Compare WebAssembly in Node with the native core.")
    parser.add_argument("--agent", default=AGENT)
    parser.add_argument("--decisions", type=int, default=40)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cpu", default="", help="code path of an installed wheel, such as baseline")
    options = parser.parse_args()
    asked = [options.agent, str(options.decisions)]
    paths = [
        str(ROOT / "build/wasm/lastcard.wasm"),
        str(ROOT / "src/lastcard/networks"),
        str(ROOT / "wasm/lastcard.js"),
    ]
    variables = {"LASTCARD_CPU": options.cpu} if options.cpu else {}
    native, node = [], []
    for _ in range(options.repeats):
        native.append(run([sys.executable, "-c", NATIVE, *asked], variables))
        node.append(run(["node", "--input-type=module", "-e", NODE, *paths, *asked]))
    best = [min(each["seconds"] for each in runs) for runs in (native, node)]
    print(
        f"{'native, ' + native[0]['cpu']:<20} {best[0]:6.2f} CPU s for {options.decisions} decisions of {options.agent}"
    )
    print(f"{'WebAssembly in Node':<20} {best[1]:6.2f} CPU s")
    print(f"{'ratio':<20} {best[1] / best[0]:6.2f}")
    print(f"{'same decisions':<20} {all(each['best'] == native[0]['best'] for each in native + node)}")


if __name__ == "__main__":
    main()
