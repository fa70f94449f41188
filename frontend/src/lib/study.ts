/** Games that are over: what the server tells of them, and what one can ask for. */

import { ask, json } from "./api";
import type { ActionValue, Color, Place } from "./contract";

export interface StudySeat {
  seat: number;
  name: string;
  agent: string;
  level: string;
  is_person: boolean;
}

export interface StudyRound {
  round: number;
  dealer: number;
  plies: number;
  winner: number | null;
  reason: string | null;
  points: number[];
  scores: number[];
}

export interface Study {
  game: string;
  source: "table" | "branch" | "import";
  began: string;
  rules: string;
  players: number;
  seats: StudySeat[];
  rounds: StudyRound[];
  winner: number | null;
  scores: number[];
  seed: string | null;
}

export interface FrameEvent {
  seat: number | null;
  kind: string;
  text: string;
}

/** The table after so many actions. */
export interface Frame {
  ply: number;
  to_act: number | null;
  phase: string;
  direction: 1 | -1;
  active_color: Color | null;
  top_card: string;
  drawn_card: string | null;
  draw_pile_size: number;
  draw_sum: number;
  cards: number[];
  /** Null where the seat did not see them. */
  hands: (string[] | null)[];
  declared: number[];
  log: FrameEvent[];
}

/** A decision as it was made and as it might have been. */
export interface Costly {
  round: number;
  ply: number;
  seat: number;
  top_card: string;
  played: string;
  value: number | null;
  best: string;
  best_value: number;
  cost: number;
  error: number;
}

export interface Decision extends Omit<Costly, "round"> {
  actions: ActionValue[];
}

/** For each seat, pairs of ply and probability. */
export type Curves = Record<string, [number, number][]>;

export interface Judging {
  state: "none" | "waiting" | "running" | "stopped" | "done";
  done: number;
  total: number | null;
  analyst: string;
  seed: number;
  seats: { seat: number; decisions: number; agreed: number; mean_cost: number }[];
  costliest: Costly[];
  rounds: { round: number; plies: number; curves: Curves }[];
}

export interface BranchRequest {
  round: number;
  ply: number;
  seat: number;
  opponents: string[];
}

export const fetchStudy = (game: string): Promise<Study> => json(`api/studies/${game}`, null);
export const fetchFrames = async (game: string, round: number, seat: number | null): Promise<Frame[]> => {
  const query = seat === null ? "" : `?seat=${seat}`;
  return (await json<{ frames: Frame[] }>(`api/studies/${game}/rounds/${round}${query}`, null)).frames;
};
export const fetchJudging = (game: string): Promise<Judging> => json(`api/studies/${game}/analysis`, null);
export const beginJudging = (game: string): Promise<Judging> => json(`api/studies/${game}/analysis`, null, {});
export const fetchDecisions = async (game: string, round: number): Promise<Decision[]> =>
  (await json<{ decisions: Decision[] }>(`api/studies/${game}/rounds/${round}/analysis`, null)).decisions;
export const branchOff = (game: string, wanted: BranchRequest): Promise<Place> =>
  json(`api/studies/${game}/branch`, null, wanted);
export const bringRecord = (record: string): Promise<{ game: string; token: string }> =>
  json("api/studies", null, { record });
export const exportRecord = async (game: string): Promise<string> =>
  (await ask(`api/studies/${game}/record`, null)).text();
export const deleteStudy = async (game: string, token: string): Promise<void> => {
  await ask(`api/studies/${game}`, token, undefined, "DELETE");
};

const SAVING_MS = 60_000;

/** Hands a text to the person as a file. */
export function saveText(text: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  // Not before the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), SAVING_MS);
}
