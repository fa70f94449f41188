/** Results of games on this device, as the server describes those that it has. */

import type { PastGameOut } from "../contract";
import { DEVICE_TOKEN } from "../place";
import { heldGames, type Held } from "../storage";
import { EngineError } from "./engine";
import { withRecord } from "./records";
import { listGames, type StoredGame } from "./store";

/** A game that is stored here, and what the page says of it. */
interface Stored extends Held {
  stored: StoredGame;
}

/** All games of this device, over or not, the latest first: also those that the list of held games has lost. */
export async function listDeviceGames(): Promise<Stored[]> {
  const list = new Map(heldGames().map((held) => [held.game, held]));
  const games = (await listGames()).map((stored) => {
    const { game, seat, source, began, ended } = stored;
    const held = list.get(game);
    const at = ended === undefined ? (held?.at ?? Date.parse(began)) : Date.parse(ended);
    const over = source === "import" || ended !== undefined || held?.over === true;
    return { game, token: DEVICE_TOKEN, seat, invite: null, at, over, stored };
  });
  return games.toSorted((a, b) => b.at - a.at);
}

/** Whether a game of this device is still running, so that its hands stay hidden. */
export async function isRunning(game: string): Promise<boolean> {
  return (await listDeviceGames()).some((each) => each.game === game && !each.over);
}

export interface PastGames {
  games: PastGameOut[];
  /** Games that cannot be read: an earlier version of the page stored them, by rules that have changed since. */
  unreadable: number;
}

/** Games that began at a table here and are over. Continuations of other games do not count, nor do imports. */
export async function listPastGames(): Promise<PastGames> {
  const games: PastGameOut[] = [];
  let unreadable = 0;
  for (const { stored, seat, at, over } of await listDeviceGames()) {
    if (!over || stored.source !== "table" || seat === null) continue;
    try {
      games.push(await describe(stored, seat, at));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error; // without an engine no game can be read
      unreadable += 1;
    }
  }
  return { games, unreadable };
}

async function describe({ game, text, length, seats }: StoredGame, seat: number, at: number): Promise<PastGameOut> {
  const { winner } = await withRecord(text, (engine, record) =>
    engine.call<{ winner: number | null }>("describe_record", { record, length }),
  );
  const levels = new Set(seats.filter((_, index) => index !== seat).map(({ level }) => level));
  const [level = ""] = levels;
  return {
    game,
    seat,
    ended: new Date(at).toISOString(),
    players: seats.length,
    level: levels.size === 1 ? level : "mixed",
    won: winner === seat,
    resigned: false,
    finished: true,
  };
}
