/** The analysis of a decision: a search in a worker of its own, reported while it runs. */

import { problemOf } from "../api";
import type { Analysis, Found, Shown } from "../found";
import type { Budget } from "../preferences.svelte";
import { Engine, loadNetwork } from "./engine";

const FIRST_SIMULATIONS = 250;
const FIRST_SECONDS = 0.05;
const LEAST_SECONDS = 0.02;
/** Simulations of the largest search that is followed by another. */
const MOST_SLICED = 500_000;

interface Slice {
  options: string;
  isLast: boolean;
}

function nextSlice(budget: Budget, simulations: number, spent: number): Slice {
  if ("simulations" in budget) {
    const isLast = simulations >= budget.simulations;
    return { options: `simulations=${isLast ? budget.simulations : simulations}`, isLast };
  }
  // The next search takes about as long as all before it.
  const left = budget.seconds - spent;
  const soon = Math.max(spent, FIRST_SECONDS);
  const isLast = left <= 2 * soon || simulations > MOST_SLICED;
  return { options: `seconds=${(isLast ? Math.max(left, LEAST_SECONDS) : soon).toFixed(3)}`, isLast };
}

/** Loads what an agent needs by these rules. */
export async function prepare(engine: Engine, agent: string, rules: unknown): Promise<void> {
  const network = await engine.call<string | null>("needed_network", { agent, rules });
  if (network !== null) await engine.loadNetworks([network]);
}

/** Fetches what any level or analyst may need by these rules: hints, analysis and judging then need no network. */
export async function fetchAhead(engine: Engine, rules: unknown): Promise<void> {
  try {
    const { levels } = await engine.call<{ levels: Record<string, { agent: string }> }>("describe");
    for (const { agent } of Object.values(levels)) {
      // Some agents do not play by all rules.
      const network = await engine.call<string | null>("needed_network", { agent, rules }).catch(() => null);
      if (network !== null) await loadNetwork(network);
    }
  } catch {
    // It is tried again, and told, when it is needed.
  }
}

export class Analyst {
  #engine: Engine | null = null;
  /** The question that is being searched. */
  #running: object | null = null;

  constructor(
    private readonly tell: (analysis: Analysis) => void,
    private readonly fail: (problem: string) => void,
  ) {}

  /** Searches by what a seat knows, with growing budgets: all of them together cost less than twice the last. */
  async ask(analyst: string, budget: Budget, shown: Shown): Promise<void> {
    this.stop();
    const running = {};
    this.#running = running;
    try {
      const engine = this.#engine ?? (await Engine.start());
      if (this.#running !== running) return engine === this.#engine ? undefined : engine.stop();
      this.#engine = engine;
      await prepare(engine, analyst, shown.view.rules.text);
      let spent = 0;
      for (let simulations = FIRST_SIMULATIONS; this.#running === running; simulations *= 2) {
        const { options, isLast } = nextSlice(budget, simulations, spent);
        const begun = performance.now();
        const found = await engine.call<Found>("analyse", { ...shown, agent: `${analyst}:${options}`, seed: "0" });
        const seconds = (performance.now() - begun) / 1000;
        spent += seconds;
        const isDone = isLast || (found.actions?.length ?? 0) === 0;
        if (this.#running === running) this.tell(report(found, seconds, isDone));
        if (isDone) break;
      }
    } catch (error) {
      if (this.#running === running) this.fail(problemOf(error).message);
    } finally {
      if (this.#running === running) this.#running = null;
    }
  }

  /** A search cannot be asked to end; its worker can. */
  stop(): void {
    if (this.#running !== null || this.#engine?.isDead) this.close();
  }

  close(): void {
    this.#running = null;
    this.#engine?.stop();
    this.#engine = null;
  }
}

/** More than a search needs, so that the probabilities shown are steady to about a percent. */
const HYPOTHESES = 4096;

/** One search of a real table, with the random numbers of `lastcard advise`. */
export async function adviseOnce(
  analyst: string,
  simulations: number,
  seed: number,
  observation: Record<string, unknown>,
): Promise<Analysis> {
  const engine = await Engine.start();
  try {
    await prepare(engine, analyst, observation["rules"]);
    const agent = `${analyst}:simulations=${simulations},hypotheses=${HYPOTHESES}`;
    const begun = performance.now();
    const random = seed.toString(16);
    const found = await engine.call<Found>("analyse", { observation, agent, seed: "0", random });
    return report(found, (performance.now() - begun) / 1000, true);
  } finally {
    engine.stop();
  }
}

function report(found: Found, seconds: number, done: boolean): Analysis {
  const { best, actions = [], simulations = 0, line = [], belief, reasons = [], tree = [] } = found;
  return {
    done,
    simulations,
    per_second: Math.round(simulations / Math.max(seconds, 1e-6)),
    best,
    value: actions[0]?.value ?? null,
    actions,
    line: line.length > 0 ? line : best === null ? [] : [best],
    belief,
    reasons,
    tree,
  };
}
