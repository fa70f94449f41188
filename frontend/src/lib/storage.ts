/** What outlives a reload: the tokens of seats, and how one likes the table. */

import type { NewGameResponse } from "./contract";
import { DEVICE_TOKEN, folder, isOnDevice, isSite } from "./place";

export interface Held {
  game: string;
  token: string;
  /** Nothing for a record that was brought. */
  seat: number | null;
  invite: string | null;
  /** When it was last played at, in milliseconds; the oldest are forgotten first. */
  at: number;
  over: boolean;
}

/** What all names in local storage begin with. No folder has a space: the names of one are never those of another. */
const OWN = `lastcard${isSite && folder !== "/" ? ` ${folder} ` : "."}`;
const GAMES = "games";
const MOST_GAMES = 100;
const NAME = "name";
const LEARNED = "learned";

/** Reads JSON from local storage; a value that cannot be read counts as none. */
export function load<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(OWN + key);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

/** Writes JSON to local storage, if the browser allows any. */
export function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(OWN + key, JSON.stringify(value));
  } catch {
    // Private windows may refuse; the game goes on without coming back after a reload.
  }
}

/** Every game that this browser holds a seat in or has brought, the latest first. */
export function heldGames(): Held[] {
  const games = load<(Held | null)[]>(GAMES, []);
  return Array.isArray(games) ? games.filter((held): held is Held => typeof held?.game === "string") : [];
}

export function holdSeat(place: Pick<NewGameResponse, "game" | "token" | "seat" | "invite">): void {
  const { game, token, seat, invite } = place;
  holdAll([{ game, token, seat, invite, at: Date.now(), over: false }]);
}

/** Keeps seats, the latest first; a game that is held already keeps its token. */
export function holdAll(seats: readonly Held[]): void {
  const kept = heldGames();
  const known = new Set(kept.map((held) => held.game));
  save(GAMES, [...seats.filter((held) => !known.has(held.game)), ...kept].slice(0, MOST_GAMES));
}

/** Whether another seat would push out the oldest. */
export const isListFull = (): boolean => heldGames().length >= MOST_GAMES;

/** Keeps the token of a record that was brought, which can only be studied. */
export function holdRecord(game: string, token: string): void {
  const held: Held = { game, token, seat: null, invite: null, at: Date.now(), over: true };
  save(GAMES, [held, ...heldGames()].slice(0, MOST_GAMES));
}

export function findSeat(game: string): Held | null {
  const held = heldGames().find((each) => each.game === game);
  // The device has more games than the list.
  if (!held && isOnDevice(game)) return { game, token: DEVICE_TOKEN, seat: null, invite: null, at: 0, over: false };
  return held ?? null;
}

export function markOver(game: string): void {
  save(
    GAMES,
    heldGames().map((held) => (held.game === game ? { ...held, over: true } : held)),
  );
}

export function forgetSeat(game: string): void {
  save(
    GAMES,
    heldGames().filter((held) => held.game !== game),
  );
}

/** Games that the server knows: not those of this device. */
export const serverGames = (): Held[] => heldGames().filter((held) => !isOnDevice(held.game));

/** Games on this device that are not over, the latest first. */
export const openDeviceGames = (): Held[] => heldGames().filter((held) => !held.over && isOnDevice(held.game));

/** The game last played at that is not over, if there is one. */
export function openGame(): Held | null {
  return heldGames().find((held) => !held.over) ?? null;
}

/** Whether this person has seen or skipped the first round. */
export const hasLearned = (): boolean => load(LEARNED, false);
export const saveLearned = (): void => save(LEARNED, true);

/** What this person wants to be called. */
export function loadName(): string {
  const name = load<unknown>(NAME, "");
  return typeof name === "string" ? name : "";
}
export const saveName = (name: string): void => save(NAME, name.trim());

/** Forgets all that this browser keeps of the person. */
export function forgetAll(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(OWN)) localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/** All that this browser keeps of the person, tokens left out. */
export function exportKept(): Record<string, unknown> {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(OWN) && key !== OWN + GAMES);
  return Object.fromEntries(keys.map((key) => [key, load<unknown>(key.slice(OWN.length), null)]));
}
