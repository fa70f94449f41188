/** What the core finds by thinking, as it says it. */

import type { ActionOut, Curves, DecisionOut, EventOut, View } from "./contract";

/** What a seat is shown of a round: its view, and the log so far. */
export interface Shown {
  view: View;
  log: readonly EventOut[];
}

/** The probability that each opponent holds each card. */
export type Marginals = Record<string, Record<string, number>>;

/** An action that a search tried, after those above it. */
export interface TreeNode {
  action: string;
  seat: number;
  simulations: number;
  /** How likely the asking seat is to win. */
  value: number;
  children: TreeNode[];
}

/** Why an action is best, as data: `lib/reasons.ts` makes the words. */
export interface Reason {
  kind: string;
  seat?: number;
  other?: number;
  color?: string;
  than?: string;
  card?: string;
  action?: string;
  count?: number;
  cards?: number;
  chance?: number;
  than_chance?: number;
  can_stack?: boolean;
  can_challenge?: boolean;
}

/** What a search found; of a seat that has nothing to decide only the belief. */
export interface Found {
  best: string | null;
  actions?: ActionOut[];
  simulations?: number;
  line?: string[];
  belief: Marginals;
  reasons?: Reason[];
  tree?: TreeNode[];
}

/** A search as far as it is. */
export interface Analysis {
  done: boolean;
  simulations: number;
  per_second: number;
  best: string | null;
  value: number | null;
  actions: ActionOut[];
  line: string[];
  belief: Marginals;
  reasons: Reason[];
  tree: TreeNode[];
}

/** The decisions of a seat on the whole. */
export interface SeatJudged {
  seat: number;
  decisions: number;
  agreed: number;
  mean_cost: number;
}

/** A decision that cost something. */
export type Costly = Omit<DecisionOut, "actions"> & { round: number };

/** Win probability of each seat in a round, from its own view. */
export interface RoundCurves {
  round: number;
  plies: number;
  curves: Curves;
}

/** Judged decisions put together. */
export interface Sums {
  analyst: string;
  seats: SeatJudged[];
  costliest: Costly[];
  rounds: RoundCurves[];
}

/** Progress of judging a game, and the results so far. */
export interface Judging extends Sums {
  state: "none" | "running" | "stopped" | "done";
  done: number;
  total: number | null;
  seed: number;
  /** Why it stopped before the end, if that happened since the page was opened. */
  problem: string | null;
}

/** Win probability given away per decision of a kind, with the half-width of its 95 % interval. */
export interface Cost {
  kind: "turn" | "color" | "drawn" | "answer" | "swap" | "catch" | "jump_in";
  decisions: number;
  mean: number;
  error: number;
  total: number;
}
