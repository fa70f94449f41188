/** Judging on this device, wherever the game is: the value of every decision of a finished game, computed once. */

import { ApiError, problemOf } from "../api";
import type { Cost, Decision, Judging, Sums } from "../found";
import { t } from "../i18n.svelte";
import { prepare } from "./analyst";
import { Engine } from "./engine";
import { findJudged, keepJudged, openJudged, type JudgedRound } from "./judgements";
import { reader, withRecord } from "./records";

/** The default seed of `lastcard analyse`. */
const SEED = "0";
const MOST_WORKERS = 4;

interface Job {
  done: number;
  total: number;
  engines: Engine[];
}

interface Described {
  rules: string;
  rounds: { round: number; reason: string | null }[];
}

interface Choices {
  rules: string;
  /** The plies to judge in each finished round. */
  rounds: { round: number; plies: number[] }[];
}

const jobs = new Map<string, Job>();
/** Why the judging of a game stopped before its end, or was not stored. */
const stopped = new Map<string, string>();

async function listChoices(text: string): Promise<Choices> {
  return withRecord(text, async (engine, record) => {
    const { rules, rounds } = await engine.call<Described>("describe_record", { record, length: "game" });
    const finished = rounds.filter((one) => one.reason !== null);
    if (finished.length === 0) throw new ApiError(t("judging.none"), 422);
    const choices = [];
    for (const { round } of finished) {
      choices.push({ round, plies: await engine.call<number[]>("list_choices", { record, round }) });
    }
    return { rules, rounds: choices };
  });
}

export async function fetchJudging(game: string): Promise<Judging> {
  const { text, judged } = await openJudged(game);
  const job = jobs.get(game);
  const sums = await withRecord(text, (engine, record) => engine.call<Sums>("sum_up", { record, judged }));
  const count = judged.reduce((sum, part) => sum + part.decisions.length, 0);
  const isDone = judged.length > 0 && judged.length === (await listChoices(text)).rounds.length;
  const state = job ? "running" : isDone ? "done" : judged.length > 0 || stopped.has(game) ? "stopped" : "none";
  const [done, total] = [job?.done ?? count, job?.total ?? (isDone ? count : null)];
  return { state, done, total, seed: Number(SEED), problem: stopped.get(game) ?? null, ...sums };
}

export async function fetchDecisions(game: string, round: number): Promise<Decision[]> {
  const { judged } = await openJudged(game);
  const part = judged.find((one) => one.round === round);
  if (!part) throw new ApiError(t("judging.not_yet", { round }), 404);
  return part.decisions;
}

export async function beginJudging(game: string): Promise<Judging> {
  if (!jobs.has(game)) {
    const { text, judged } = await openJudged(game);
    const { rules, rounds } = await listChoices(text);
    const count = (parts: { plies: number[] }[]): number => parts.reduce((sum, part) => sum + part.plies.length, 0);
    const missing = rounds.filter(({ round }) => !judged.some((part) => part.round === round));
    const total = count(rounds);
    const job: Job = { done: total - count(missing), total, engines: [] };
    if (missing.length > 0 && !jobs.has(game)) {
      stopped.delete(game);
      jobs.set(game, job);
      void judgeAll(game, text, rules, missing, job);
    }
  }
  return fetchJudging(game);
}

export function forgetJudging(game: string): void {
  jobs.get(game)?.engines.forEach((engine) => engine.stop());
  jobs.delete(game);
  stopped.delete(game);
}

/** Stops all judging, so that it stores nothing more. */
export function stopJudging(): void {
  for (const game of jobs.keys()) forgetJudging(game);
}

async function judgeAll(
  game: string,
  text: string,
  rules: string,
  missing: Choices["rounds"],
  job: Job,
): Promise<void> {
  try {
    const workers = Math.max(1, Math.min(MOST_WORKERS, (navigator.hardwareConcurrency || 2) - 1));
    const records = [];
    for (let i = 0; i < workers; i++) {
      const engine = await Engine.start();
      job.engines.push(engine);
      const { record } = await engine.call<{ record: number }>("open_record", { text });
      await prepare(engine, "halving", rules);
      records.push(record);
    }
    for (const { round, plies } of missing) {
      const decisions = await judgeRound(job, records, round, plies);
      if (jobs.get(game) !== job) return;
      await keepJudged(game, { round, decisions }).then(
        () => stopped.delete(game),
        (error: unknown) => {
          const { status, message } = problemOf(error);
          if (status === 404) throw error;
          stopped.set(game, t("judging.unstored", { reason: message }));
        },
      );
    }
  } catch (error) {
    if (jobs.get(game) === job) stopped.set(game, problemOf(error).message);
  } finally {
    job.engines.forEach((engine) => engine.stop());
    if (jobs.get(game) === job) jobs.delete(game);
  }
}

/** Every engine takes the next decision that none has taken. */
async function judgeRound(job: Job, records: number[], round: number, plies: number[]): Promise<Decision[]> {
  const decisions: Decision[] = [];
  let next = 0;
  const work = async (engine: Engine, record: number): Promise<void> => {
    while (next < plies.length) {
      const place = next++;
      decisions[place] = await engine.call<Decision>("judge", { record, round, ply: plies[place], seed: SEED });
      job.done += 1;
    }
  };
  await Promise.all(job.engines.map((engine, i) => work(engine, records[i] ?? 0)));
  return decisions;
}

// Over many games

/** What the decisions of one person cost, by their kind, and which of the games are not judged yet. */
export interface Costs {
  costs: Cost[];
  judged: number;
  unjudged: string[];
}

export async function sumCosts(games: readonly { game: string; seat: number }[]): Promise<Costs> {
  const decisions: Decision[] = [];
  const unjudged: string[] = [];
  for (const { game, seat } of games) {
    const judged: JudgedRound[] = await findJudged(game);
    if (judged.length === 0) unjudged.push(game);
    else decisions.push(...judged.flatMap((part) => part.decisions.filter((each) => each.seat === seat)));
  }
  const costs = decisions.length > 0 ? await (await reader()).call<Cost[]>("list_costs", { decisions }) : [];
  return { costs, judged: games.length - unjudged.length, unjudged };
}
