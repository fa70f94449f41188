"""The npm package: its types, its size, and the example of its README in an empty project."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lastcard.agents import make_agent
from lastcard.observation import observe
from lastcard.rules import Rules
from lastcard.state import deal
from lastcard.version import __version__
from tests.wasm.cases import ROOT

PACKAGE = ROOT / "wasm"

pytestmark = pytest.mark.skipif(
    not (PACKAGE / "types").exists(), reason="the package is not built: run make wasm-package"
)


CONSUMER = """\
import { Engine, freshSeed, LastcardError, type Explanation, type Observation } from "lastcard";
import { RemoteEngine } from "lastcard/worker";

export async function play(bytes: Uint8Array<ArrayBuffer>): Promise<number | null> {
  const engine = await Engine.load(bytes);
  const round = engine.deal({ preset: "official", players: 3 }, { seed: freshSeed() });
  const agent = engine.makeAgent("heuristic", { seed: 1n });
  while (round.state.seat !== null) round.apply(agent.choose(round));
  const seen: Observation = round.observe(0);
  const explained: Explanation = agent.explain(round);
  console.log(seen.hand.length, explained.best, explained.belief, engine.describe().levels);
  const { networks, decks, preset_summaries } = engine.describe();
  console.log(networks.net?.any?.length, decks.mini?.length, preset_summaries.official?.length);
  return round.state.outcome?.winner ?? null;
}

export const remote = (worker: Worker, module: WebAssembly.Module): RemoteEngine => new RemoteEngine(worker, module);
export const end = (engine: RemoteEngine): void => (engine.isDead ? undefined : engine.close());
export const isRefusal = (error: unknown): error is LastcardError => error instanceof LastcardError;
"""
WRONG = ("engine.deal(7)", "engine.makeAgent()", 'round.apply(["draw"])', "round.state.seat.toUpperCase()")


def npm(*arguments: str, folder: Path) -> str:
    done = subprocess.run(["npm", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty project with the packed package installed."""
    folder = tmp_path_factory.mktemp("project")
    (packed,) = json.loads(npm("pack", "--json", "--ignore-scripts", "--pack-destination", str(folder), folder=PACKAGE))
    assert packed["size"] < 2_000_000
    names = {each["path"] for each in packed["files"]}
    expected = {"lastcard.js", "worker.js", "lastcard.wasm", "types/lastcard.d.ts", "types/worker.d.ts", "README.md"}
    assert names == {*expected, "LICENSE", "package.json"}
    (folder / "package.json").write_text('{"type": "module"}')
    npm("install", "--offline", "--no-audit", "--no-fund", str(folder / packed["filename"]), folder=folder)
    return folder


GUIDE = ROOT / "docs" / "how-to" / "use-the-engine-in-javascript.md"


@pytest.mark.parametrize(("page", "num_examples"), [(PACKAGE / "README.md", 1), (GUIDE, 2)])
def test_the_examples_run(page: Path, num_examples: int, project: Path) -> None:
    """Those of the guide that follow are for browsers."""
    examples = re.findall(r"```js\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)[:num_examples]
    (project / "example.js").write_text("".join(examples))
    # The guide reads a network from the clone.
    done = subprocess.run(["node", project / "example.js"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"\{ winner: [0-2], reason: 'went_out', points: \[[ 0-9,]+\] \}\n", done.stdout), done.stdout


@pytest.mark.slow
def test_a_program_in_typescript_compiles_against_the_types(project: Path) -> None:
    # What is wrong must be refused: nothing of this is just `any`.
    lines = "".join(f"  // @ts-expect-error\n  {line};\n" for line in WRONG)
    (project / "consumer.ts").write_text(CONSUMER.replace("  const seen:", f"{lines}  const seen:", 1))
    tsc = ROOT / "frontend" / "node_modules" / ".bin" / "tsc"
    options = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--skipDefaultLibCheck"]
    done = subprocess.run([tsc, *options, "consumer.ts"], cwd=project, capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""


@pytest.mark.long
def test_npm_pack_builds_what_it_packs(tmp_path: Path) -> None:
    """Runs make, which compiles what is missing."""
    (PACKAGE / "lastcard.wasm").unlink()
    shutil.rmtree(PACKAGE / "types")
    npm("pack", "--pack-destination", str(tmp_path), folder=PACKAGE)
    assert (PACKAGE / "lastcard.wasm").read_bytes() == (ROOT / "build" / "wasm" / "lastcard.wasm").read_bytes()
    assert {path.name for path in (PACKAGE / "types").iterdir()} == {"lastcard.d.ts", "worker.d.ts"}
    assert list(tmp_path.glob("*.tgz"))


def test_a_worker_searches_and_can_be_stopped(project: Path) -> None:
    shutil.copy(ROOT / "tests" / "wasm" / "worker.mjs", project)
    done = subprocess.run(["node", "worker.mjs"], cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seen = observe(deal(Rules.preset("official"), seed=7), 0)
    best = make_agent("halving:simulations=200,advisor=heuristic", seed=1).choose(seen).text
    assert json.loads(done.stdout) == {
        "best": best,
        "stopped": "LastcardError: stopped",
        "after": best,
        "refused": "LastcardError: no agent chess; there are",
        "strange": [],
        "start": "LastcardError: there is no call start",
        "network": "LastcardError: the contents of a network must be a Uint8Array",
    }


def test_the_version_is_that_of_lastcard() -> None:
    assert json.loads((PACKAGE / "package.json").read_text())["version"] == __version__
