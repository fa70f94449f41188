/** The analysis of a decision: a search in a worker of its own, reported while it runs. */

import { problemOf } from "../api";
import type {
  ActionOut,
  Analyse,
  AnalysisMessage,
  Marginals,
  MessageId,
  ServerMessage,
  TreeNodeOut,
} from "../contract";
import { Engine } from "./engine";

const FIRST_SIMULATIONS = 250;
const FIRST_SECONDS = 0.05;
const LEAST_SECONDS = 0.02;
const USUAL_SIMULATIONS = 20_000;
/** Simulations of the largest search that is followed by another. */
const MOST_SLICED = 500_000;

interface Found {
  best: string | null;
  actions?: ActionOut[];
  simulations?: number;
  line?: string[];
  belief: Marginals;
  tree?: TreeNodeOut[];
}

interface Budget {
  options: string;
  isLast: boolean;
}

function nextBudget(question: Analyse, simulations: number, spent: number): Budget {
  if (question.seconds == null) {
    const most = question.simulations ?? USUAL_SIMULATIONS;
    const isLast = simulations >= most;
    return { options: `simulations=${isLast ? most : simulations}`, isLast };
  }
  // The next search takes about as long as all before it.
  const left = question.seconds - spent;
  const soon = Math.max(spent, FIRST_SECONDS);
  const isLast = left <= 2 * soon || simulations > MOST_SLICED;
  return { options: `seconds=${(isLast ? Math.max(left, LEAST_SECONDS) : soon).toFixed(3)}`, isLast };
}

export class Analyst {
  #engine: Engine | null = null;
  #running: Analyse | null = null;
  #last: AnalysisMessage | null = null;

  constructor(private readonly tell: (message: ServerMessage) => void) {}

  /** Searches the last position of the record for that seat, with growing budgets. */
  async ask(question: Analyse, text: string, seat: number, ply: number): Promise<void> {
    this.#interrupt();
    this.#running = question;
    try {
      await this.#search(question, text, seat, ply);
    } catch (error) {
      if (this.#running === question)
        this.tell({ type: "refused", id: question.id, error: { message: problemOf(error).message } });
    } finally {
      if (this.#running === question) this.#running = null;
    }
  }

  async #search(question: Analyse, text: string, seat: number, ply: number): Promise<void> {
    const engine = this.#engine ?? (await Engine.start());
    this.#engine = engine;
    if (this.#running !== question) return;
    const { record } = await engine.call<{ record: number }>("open_record", { text });
    const analyst = question.analyst ?? "halving";
    const network = await engine.call<string | null>("needed_network", { record, agent: analyst });
    if (network !== null) await engine.loadNetworks([network]);
    let spent = 0;
    for (let simulations = FIRST_SIMULATIONS; this.#running === question; simulations *= 2) {
      const { options, isLast } = nextBudget(question, simulations, spent);
      const begun = performance.now();
      const found = await engine.call<Found>("analyse", { record, seat, agent: `${analyst}:${options}`, seed: "0" });
      const seconds = (performance.now() - begun) / 1000;
      spent += seconds;
      const isDone = isLast || (found.actions?.length ?? 0) === 0;
      if (this.#running === question) this.#report(question, ply, found, seconds, isDone);
      if (isDone) break;
    }
    await engine.call("release_table", { record });
  }

  #report({ id, analyst }: Analyse, ply: number, found: Found, seconds: number, done: boolean): void {
    const simulations = found.simulations ?? 0;
    this.#last = {
      type: "analysis",
      id,
      ply,
      stopped: false,
      done,
      analyst: analyst ?? "halving",
      simulations,
      per_second: Math.round(simulations / Math.max(seconds, 1e-6)),
      best: found.best,
      value: found.actions?.[0]?.value ?? null,
      actions: found.actions ?? [],
      line: found.line?.length ? found.line : found.best === null ? [] : [found.best],
      belief: found.belief,
      ...(found.tree ? { tree: found.tree } : {}),
    };
    this.tell(this.#last);
  }

  stop(id: MessageId): void {
    if (this.#running?.id === id) this.#interrupt();
  }

  /** The table has changed: what was found so far is all that there will be. */
  outdate(): void {
    const id = this.#running?.id;
    this.#interrupt();
    if (id !== undefined && this.#last?.id === id) this.tell({ ...this.#last, stopped: true, done: true });
  }

  close(): void {
    this.#running = null;
    this.#engine?.stop();
    this.#engine = null;
  }

  /** A search cannot be asked to end; its worker can. */
  #interrupt(): void {
    if (this.#running !== null) this.close();
  }
}
