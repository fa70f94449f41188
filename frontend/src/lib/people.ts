/** One person across games: requests that tokens of seats prove, and people who look for others. */

import { ask, json } from "./api";
import type {
  AddressOut,
  CarriedResponse,
  EraseResponse,
  ExportedGame,
  ExportResponse,
  HistoryOut,
  LinkResponse,
  OpenGameOut,
  OpenGamesResponse,
  PairingBody,
  PairingOut,
  PairingResponse,
  PastGameOut,
  SeatKey,
} from "./contract";
import type { Held } from "./storage";

/** Seats in one request that reads a whole game for each. */
const MOST_READ = 20;
const MOST_SEATS = 100;

const keysOf = (held: readonly Held[]): SeatKey[] => held.map(({ game, token }) => ({ game, token }));

function* pages<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

export async function fetchOpenGames(held: readonly Held[]): Promise<OpenGameOut[]> {
  const found: OpenGameOut[] = [];
  for (const page of pages(held, MOST_READ))
    found.push(...(await json<OpenGamesResponse>("api/mine", null, { seats: keysOf(page) })).games);
  return found;
}

export const fetchPastGames = async (held: readonly Held[]): Promise<PastGameOut[]> =>
  (await json<HistoryOut>("api/mine/history", null, { seats: keysOf(held.slice(0, MOST_SEATS)) })).games;

export async function exportGames(held: readonly Held[]): Promise<ExportedGame[]> {
  const found: ExportedGame[] = [];
  for (const page of pages(held, MOST_READ))
    found.push(...(await json<ExportResponse>("api/mine/export", null, { seats: keysOf(page) })).games);
  return found;
}

export async function eraseGames(held: readonly Held[]): Promise<EraseResponse> {
  const sum = { deleted: 0, erased: 0 };
  for (const page of pages(held, MOST_READ)) {
    const { deleted, erased } = await json<EraseResponse>("api/mine/erase", null, { seats: keysOf(page) });
    sum.deleted += deleted;
    sum.erased += erased;
  }
  return sum;
}

export const leaveSeat = async (game: string, token: string, resign: boolean): Promise<void> => {
  await ask(`api/games/${game}/leave`, token, { resign });
};

export const makeLink = (held: readonly Held[]): Promise<LinkResponse> =>
  json("api/links", null, { seats: keysOf(held.slice(0, MOST_SEATS)) });
export const useLink = (secret: string): Promise<CarriedResponse> => json("api/links/use", secret, {});
export const revokeLink = async (secret: string): Promise<void> => {
  await ask("api/links", secret, undefined, "DELETE");
};

export const beginPairing = (wanted: PairingBody): Promise<PairingResponse> => json("api/pairing", null, wanted);
export const pollPairing = (token: string): Promise<PairingOut> => json("api/pairing", token);
export const cancelPairing = async (token: string): Promise<void> => {
  await ask("api/pairing", token, undefined, "DELETE");
};

// Addresses for others

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The address of this page as others reach it; null if none does. */
export async function fetchBase(): Promise<string | null> {
  // A page that was opened by another name or address is reached by it.
  if (!LOOPBACK.test(location.hostname)) return document.baseURI.split("#")[0] ?? null;
  const { addresses } = await json<AddressOut>("api/address", null);
  return addresses[0] === undefined ? null : `${addresses[0]}${location.pathname}`;
}

export function joinAddress(base: string, game: string, invite: string): string {
  return new URL(`#/join/${game}/${invite}`, base).href;
}

export function watchAddress(base: string, game: string, invite: string): string {
  return new URL(`#/watch/${game}/${invite}`, base).href;
}

export function carryAddress(base: string, secret: string): string {
  return new URL(`#/carry/${secret}`, base).href;
}
