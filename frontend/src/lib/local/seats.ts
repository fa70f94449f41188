/** Seats of a game on this device: who sits there and what they are called. */

import { ApiError } from "../api";
import { t } from "../i18n.svelte";
import type { Engine } from "./engine";
import type { LocalSeat } from "./store";

/** What agents are called, here and on a server. */
export const NAMES = "Ada Ben Cleo Dan Eva Finn Gus Hana Ivo".split(" ");
const PERSON = "human";

interface Described {
  levels: Record<string, { agent: string }>;
}

/** Seats the person, then an agent in every other seat; the last opponent repeats. */
export async function seatOpponents(
  engine: Engine,
  opponents: readonly string[],
  players: number,
  seat: number,
  name: string,
): Promise<LocalSeat[]> {
  const { levels } = await engine.call<Described>("describe");
  const seats: LocalSeat[] = [];
  for (let number = 0; number < players - 1; number++) {
    const level = opponents[number] ?? opponents.at(-1);
    if (level === undefined) throw new ApiError(t("device.no_opponent"), 422, "opponents");
    seats.push({ name: NAMES[number] ?? "", level, agent: levels[level]?.agent ?? level, is_person: false });
  }
  seats.splice(seat, 0, { name: name.trim() || t("player"), level: "", agent: PERSON, is_person: true });
  return seats;
}

/** Seats of a record that was imported: agents by their short names, numbered where two are the same. */
export function nameSeats(agents: readonly string[], people: readonly number[]): LocalSeat[] {
  const short = agents.map((agent) => agent.split(":")[0] ?? agent);
  return agents.map((agent, seat) => {
    const isPerson = people.includes(seat);
    const base = isPerson ? t("player") : (short[seat] ?? agent);
    const isAlone = isPerson ? people.length === 1 : short.filter((other) => other === base).length === 1;
    return { name: (isAlone ? base : `${base} ${seat}`).slice(0, 40), level: "", agent, is_person: isPerson };
  });
}
