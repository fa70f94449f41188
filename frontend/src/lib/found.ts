/** What the core finds by thinking, as it says it. */

import type { EventOut, View } from "./contract";

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
  actions?: ActionValue[];
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
  actions: ActionValue[];
  line: string[];
  belief: Marginals;
  reasons: Reason[];
  tree: TreeNode[];
}

/** An action with its value in a search. */
export interface ActionValue {
  action: string;
  value: number;
  error: number;
  simulations: number;
}

/** A decision, the best one, the cost of the difference, and the value of every action. */
export interface Decision {
  ply: number;
  seat: number;
  top_card: string;
  played: string;
  value: number | null;
  best: string;
  best_value: number;
  cost: number;
  error: number;
  actions: ActionValue[];
}

/** The decisions of a seat on the whole. */
export interface SeatJudged {
  seat: number;
  decisions: number;
  agreed: number;
  mean_cost: number;
}

/** A decision that cost something. */
export type Costly = Omit<Decision, "actions"> & { round: number };

/** For each seat, plies with the win probability from there on. */
export type Curves = Record<string, [number, number][]>;

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
