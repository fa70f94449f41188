/** Games of this device, in IndexedDB. */

import { ApiError, reasonOf } from "../api";
import { t } from "../i18n.svelte";
import type { Length, StudyOut } from "../contract";
import { folder } from "../place";
import { Box } from "./box";
import type { JudgedRound } from "./judgements";

export interface LocalSeat {
  name: string;
  /** The level or agent; empty for a person. */
  level: string;
  agent: string;
  is_person: boolean;
}

export interface StoredGame {
  game: string;
  /** The folder of its site, once it is stored. */
  site?: string;
  began: string;
  source: StudyOut["source"];
  length: Length;
  /** Seconds between what agents do. */
  pace: number;
  /** Seconds a window waits. */
  window: number;
  /** The person's; null for a record that was imported. */
  seat: number | null;
  seats: LocalSeat[];
  /** The levels that were asked for, for a rematch. */
  opponents: string[];
  /** The record, which fixes everything else. */
  text: string;
  judged: JudgedRound[];
  /** When the last card was played; nothing for a game that is not over. */
  ended?: string;
}

const box = new Box<StoredGame>("lastcard", "games");

/** Says in words why a game could not be stored or read. */
function explain(error: unknown): ApiError {
  if (error instanceof Error && error.name === "QuotaExceededError") return new ApiError(t("device.full"), 507);
  const reason = reasonOf(error).replace(/\.$/, "");
  return new ApiError(t("device.closed", { reason }), 507, null, { english: reason });
}

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw explain(error);
  }
}

export async function writeGame(game: StoredGame): Promise<void> {
  await explained(box.put({ ...game, site: folder }));
  if (game.source !== "import") void askToKeep();
}

let hasAsked = false;

/** Asks the browser not to delete games when it needs room. One may ask the person, so it is asked once a visit. */
async function askToKeep(): Promise<void> {
  if (hasAsked) return;
  hasAsked = true;
  try {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist();
  } catch {
    // Pages by http from another machine have no `navigator.storage`.
  }
}

/** Changes a game as it is stored now: another tab may have played on, or deleted it. */
export function updateGame(
  game: string,
  change: (stored: StoredGame) => StoredGame | undefined,
): Promise<"changed" | "same" | "gone"> {
  return explained(box.update(game, change));
}

export async function findGame(game: string): Promise<StoredGame | null> {
  return (await explained(box.get(game))) ?? null;
}

export const missingGame = (): ApiError => new ApiError(t("device.no_game"), 404);

/** The game of that name; refuses like a server that does not have it. */
export async function readGame(game: string): Promise<StoredGame> {
  const found = await findGame(game);
  if (!found) throw missingGame();
  return found;
}

export async function listGames(): Promise<StoredGame[]> {
  return (await explained(box.list())).filter(({ site }) => site === folder);
}

export async function deleteGame(game: string): Promise<void> {
  await explained(box.delete(game));
}
