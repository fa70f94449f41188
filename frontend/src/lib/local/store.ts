/** Games of this device, in IndexedDB. */

import { ApiError } from "../api";
import { t } from "../i18n.svelte";
import type { DecisionOut, Length, StudyOut } from "../contract";

export interface LocalSeat {
  name: string;
  /** The level or agent; empty for a person. */
  level: string;
  agent: string;
  is_person: boolean;
}

export interface JudgedRound {
  round: number;
  decisions: DecisionOut[];
}

export interface StoredGame {
  game: string;
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
}

const NAME = "lastcard";
const GAMES = "games";

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("unknown"));
  });
}

let opening: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  if (opening) return opening;
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(GAMES, { keyPath: "game" });
  opening = done(request);
  opening.catch(() => (opening = null));
  return opening;
}

/** Says in words why a game could not be stored or read. */
function explain(error: unknown): ApiError {
  const name = error instanceof Error ? error.name : "";
  if (name === "QuotaExceededError") return new ApiError(t("device.full"), 507);
  return new ApiError(t("device.closed", { reason: name || String(error) }), 507);
}

async function run<T>(mode: IDBTransactionMode, work: (games: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  try {
    const transaction = (await open()).transaction(GAMES, mode);
    const result = await done(work(transaction.objectStore(GAMES)));
    if (mode === "readwrite") {
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
      });
    }
    return result;
  } catch (error) {
    throw explain(error);
  }
}

export async function writeGame(game: StoredGame): Promise<void> {
  await run("readwrite", (games) => games.put(game));
}

export async function findGame(game: string): Promise<StoredGame | null> {
  return (await run<StoredGame | undefined>("readonly", (games) => games.get(game))) ?? null;
}

/** The game of that name; refuses like a server that does not have it. */
export async function readGame(game: string): Promise<StoredGame> {
  const found = await findGame(game);
  if (!found) throw new ApiError(t("device.no_game"), 404);
  return found;
}

export async function deleteGame(game: string): Promise<void> {
  await run("readwrite", (games) => games.delete(game));
}
