/** Games of this device in a file of "Export my data", which brings them back. */

import { ApiError, problemOf } from "../api";
import { t } from "../i18n.svelte";
import { DEVICE_TOKEN, folder, isOnDevice, newDeviceGame } from "../place";
import { holdSeat, isListFull } from "../storage";
import { readRecord } from "./host";
import { findGame, listGames, writeGame, type LocalSeat, type StoredGame } from "./store";

export interface Imported {
  count: number;
  /** How many were here already. */
  known: number;
  /** Why others could not be imported. */
  problems: ApiError[];
}

/** The games in such a file; null for any other text. */
export function readExport(text: string): unknown[] | null {
  try {
    const games = (JSON.parse(text) as { browser?: { games?: unknown } } | null)?.browser?.games;
    return Array.isArray(games) ? games : null;
  } catch {
    return null;
  }
}

/** Imports games one by one: what cannot be read stops no other. */
export async function importGames(games: readonly unknown[]): Promise<Imported> {
  const found: Imported = { count: 0, known: 0, problems: [] };
  const here = await listGames();
  for (const [i, exported] of games.entries()) {
    try {
      const read = await readGame(exported);
      const isKnown = here.some(({ game, text }) => game === read.game || text === read.text);
      if (isKnown) {
        found.known += 1;
        continue;
      }
      const game = (await isElsewhere(read)) ? { ...read, game: newDeviceGame() } : read;
      await writeGame(game);
      here.push(game);
      found.count += 1;
      // Seats at a server's games have nothing but that list.
      if (game.seat !== null && game.ended === undefined && !isListFull())
        holdSeat({ game: game.game, token: DEVICE_TOKEN, seat: game.seat, invite: "" });
    } catch (error) {
      const { message, status, english } = problemOf(error);
      if (status !== 422) {
        found.problems.push(problemOf(error)); // no other game would fare better
        break;
      }
      const reason = t("upload.damaged", { number: i + 1, reason: message });
      found.problems.push(new ApiError(reason, status, null, english === null ? {} : { english }));
    }
  }
  return found;
}

/** Whether another site on this host has the game: there it stays as it is. */
async function isElsewhere({ game }: StoredGame): Promise<boolean> {
  const stored = await findGame(game);
  return stored !== null && stored.site !== folder;
}

/** A game that can be continued and counts; one to study if only its record can be read. */
async function readGame(exported: unknown): Promise<StoredGame> {
  const fields = (exported ?? {}) as Partial<Record<keyof StoredGame, unknown>>;
  const read = await readRecord(typeof fields.text === "string" ? fields.text : "");
  if (!isPlayed(fields, read.seats.length)) return read;
  const { game, began, source, length, pace, window, seat, seats, opponents, ended } = fields;
  const played = { ...read, game, began, source, length, pace, window, seat, seats, opponents };
  return ended === undefined ? played : { ...played, ended };
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTime = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(value));

function isSeat(value: unknown): value is LocalSeat {
  const { name, level, agent, is_person } = (value ?? {}) as Partial<Record<keyof LocalSeat, unknown>>;
  return [name, level, agent].every(isText) && typeof is_person === "boolean";
}

/** Whether a game has all that a game which was played on a device needs. */
function isPlayed(fields: Partial<Record<keyof StoredGame, unknown>>, players: number): fields is StoredGame {
  const { game, began, source, length, pace, window, seat, seats, opponents, ended } = fields;
  return (
    isText(game) &&
    isOnDevice(game) &&
    /^[\w-]+$/.test(game) &&
    isTime(began) &&
    (source === "table" || source === "branch") &&
    (length === "round" || length === "game") &&
    Number.isFinite(pace) &&
    Number.isFinite(window) &&
    Array.isArray(seats) &&
    seats.length === players &&
    seats.every(isSeat) &&
    seats[Number(seat)]?.is_person === true &&
    Array.isArray(opponents) &&
    opponents.every(isText) &&
    (ended === undefined || isTime(ended))
  );
}
