/** Results of games on this device, as the server describes those that it has. */

import type { PastGameOut } from "../contract";
import { isOnDevice } from "../place";
import { heldGames } from "../storage";
import { withRecord } from "./records";
import { findGame, type StoredGame } from "./store";

/** Games that began at a table here and are over. Continuations of other games do not count, nor do imports. */
export async function listPastGames(): Promise<PastGameOut[]> {
  const found: PastGameOut[] = [];
  for (const { game, at } of heldGames().filter((held) => held.over && isOnDevice(held.game))) {
    const stored = await findGame(game);
    if (stored?.source === "table" && stored.seat !== null) found.push(await describe(stored, stored.seat, at));
  }
  return found;
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
