/** Judgements that this device holds: of its own games beside them, of a server's games in a box of their own. */

import { ask } from "../api";
import type { Decision } from "../found";
import { isOnDevice } from "../place";
import { Box } from "./box";
import { findGame, missingGame, readGame, updateGame } from "./store";

export interface JudgedRound {
  round: number;
  decisions: Decision[];
}

interface Judged {
  game: string;
  judged: JudgedRound[];
}

/** A finished game with what is judged of it. */
interface Opened {
  text: string;
  judged: JudgedRound[];
}

const box = new Box<Judged>("lastcard-judgements", "judgements");
/** Records of the server, and judgements as long as the page is open: a browser need not have room for them. */
const texts = new Map<string, string>();
const held = new Map<string, JudgedRound[]>();

/** All judged rounds in order; those of the second list replace those of the first. */
function merge(judged: readonly JudgedRound[], later: readonly JudgedRound[]): JudgedRound[] {
  const others = judged.filter((one) => !later.some(({ round }) => round === one.round));
  return [...others, ...later].toSorted((a, b) => a.round - b.round);
}

/** The rounds that are judged on this device. */
export async function findJudged(game: string): Promise<JudgedRound[]> {
  if (isOnDevice(game)) return merge((await findGame(game))?.judged ?? [], held.get(game) ?? []);
  return held.get(game) ?? (await box.get(game).catch(() => undefined))?.judged ?? [];
}

export async function openJudged(game: string): Promise<Opened> {
  if (isOnDevice(game)) {
    const { text, judged } = await readGame(game);
    return { text, judged: merge(judged, held.get(game) ?? []) };
  }
  const text = texts.get(game) ?? (await (await ask(`api/studies/${game}/record`, null)).text());
  texts.set(game, text);
  const judged = await findJudged(game);
  held.set(game, judged);
  return { text, judged };
}

/** Keeps a judged round; fails after that if a game of this device cannot be stored with it. */
export async function keepJudged(game: string, part: JudgedRound): Promise<void> {
  const judged = merge(held.get(game) ?? [], [part]);
  held.set(game, judged);
  if (isOnDevice(game)) {
    const told = await updateGame(game, (stored) => ({ ...stored, judged: merge(stored.judged, judged) }));
    if (told === "gone") throw missingGame();
    return;
  }
  await box.put({ game, judged }).catch(() => undefined);
}

/** What this device has judged of a server's games, also of those in which this browser holds no seat. */
export const listJudged = (): Promise<Judged[]> => box.list();

/** Removes all judgements of a server's games. */
export async function clearJudged(): Promise<void> {
  held.clear();
  texts.clear();
  await box.clear();
}

/** Removes the judgements of a game that is gone from the server. */
export async function dropJudged(game: string): Promise<void> {
  held.delete(game);
  texts.delete(game);
  await box.delete(game).catch(() => undefined);
}
