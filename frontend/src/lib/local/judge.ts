/** Judging on this device: the value of every decision of a finished game, computed once and stored round by round. */

import { ApiError } from "../api";
import { t } from "../i18n.svelte";
import type { CostlyOut, CurvesOut, DecisionOut, JudgingOut, SeatJudged } from "../contract";
import { Engine } from "./engine";
import { withRecord } from "./records";
import { readGame, writeGame, type JudgedRound } from "./store";

const SEED = "0";
const MOST_WORKERS = 4;

interface Job {
  done: number;
  total: number;
  engines: Engine[];
}

interface Sums {
  analyst: string;
  seats: SeatJudged[];
  costliest: CostlyOut[];
  rounds: CurvesOut[];
}

const jobs = new Map<string, Job>();
const stopped = new Set<string>();

interface Finished {
  rounds: { round: number; reason: string | null }[];
}

/** The plies to judge in each finished round. */
async function listChoices(text: string): Promise<{ round: number; plies: number[] }[]> {
  return withRecord(text, async (engine, record) => {
    const told = await engine.call<Finished>("describe_record", { record, length: "game" });
    const finished = told.rounds.filter((one) => one.reason !== null);
    if (finished.length === 0) throw new ApiError(t("judging.none"), 422);
    const choices = [];
    for (const { round } of finished) {
      choices.push({ round, plies: await engine.call<number[]>("list_choices", { record, round }) });
    }
    return choices;
  });
}

export async function tellJudging(game: string): Promise<JudgingOut> {
  const { text, judged } = await readGame(game);
  const job = jobs.get(game);
  const sums = await withRecord(text, (engine, record) => engine.call<Sums>("sum_up", { record, judged }));
  const count = judged.reduce((sum, part) => sum + part.decisions.length, 0);
  const isDone = judged.length > 0 && judged.length === (await listChoices(text)).length;
  const state = job ? "running" : isDone ? "done" : judged.length > 0 || stopped.has(game) ? "stopped" : "none";
  return { state, done: job?.done ?? count, total: job?.total ?? (isDone ? count : null), seed: Number(SEED), ...sums };
}

export async function fetchDecisions(game: string, round: number): Promise<DecisionOut[]> {
  const { judged } = await readGame(game);
  const part = judged.find((one) => one.round === round);
  if (!part) throw new ApiError(t("judging.not_yet", { round }), 404);
  return part.decisions;
}

export async function beginJudging(game: string): Promise<JudgingOut> {
  if (!jobs.has(game)) {
    const { text, judged } = await readGame(game);
    const choices = await listChoices(text);
    const count = (parts: { plies: number[] }[]): number => parts.reduce((sum, part) => sum + part.plies.length, 0);
    const missing = choices.filter(({ round }) => !judged.some((part) => part.round === round));
    const total = count(choices);
    const job: Job = { done: total - count(missing), total, engines: [] };
    if (missing.length > 0) {
      stopped.delete(game);
      jobs.set(game, job);
      void judgeAll(game, text, missing, job);
    }
  }
  return tellJudging(game);
}

export function forgetJudging(game: string): void {
  jobs.get(game)?.engines.forEach((engine) => engine.stop());
  jobs.delete(game);
  stopped.delete(game);
}

async function judgeAll(
  game: string,
  text: string,
  missing: { round: number; plies: number[] }[],
  job: Job,
): Promise<void> {
  try {
    const workers = Math.max(1, Math.min(MOST_WORKERS, (navigator.hardwareConcurrency || 2) - 1));
    const records = [];
    for (let i = 0; i < workers; i++) {
      const engine = await Engine.start();
      job.engines.push(engine);
      const { record } = await engine.call<{ record: number }>("open_record", { text });
      const network = await engine.call<string | null>("needed_network", { record, agent: "halving" });
      if (network !== null) await engine.loadNetworks([network]);
      records.push(record);
    }
    for (const { round, plies } of missing) {
      const decisions = await judgeRound(job, records, round, plies);
      if (jobs.get(game) !== job) return;
      await keep(game, { round, decisions });
    }
  } catch {
    if (jobs.get(game) === job) stopped.add(game);
  } finally {
    job.engines.forEach((engine) => engine.stop());
    if (jobs.get(game) === job) jobs.delete(game);
  }
}

/** Every engine takes the next decision that none has taken. */
async function judgeRound(job: Job, records: number[], round: number, plies: number[]): Promise<DecisionOut[]> {
  const decisions: DecisionOut[] = [];
  let next = 0;
  const work = async (engine: Engine, record: number): Promise<void> => {
    while (next < plies.length) {
      const place = next++;
      decisions[place] = await engine.call<DecisionOut>("judge", { record, round, ply: plies[place], seed: SEED });
      job.done += 1;
    }
  };
  await Promise.all(job.engines.map((engine, i) => work(engine, records[i] ?? 0)));
  return decisions;
}

async function keep(game: string, part: JudgedRound): Promise<void> {
  const stored = await readGame(game);
  await writeGame({ ...stored, judged: [...stored.judged, part].toSorted((a, b) => a.round - b.round) });
}
