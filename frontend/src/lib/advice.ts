/** A real table as one enters it: the server reads it, this device searches. */

import { json } from "./api";
import type { Catalog, Color, SituationBody, SituationResponse, SwitchValue } from "./contract";
import type { Analysis } from "./found";
import { t, type Key } from "./i18n.svelte";
import { adviseOnce } from "./local/analyst";
import { capitalize, cardWords, colorWords, COLORS, RANKS, seatWords } from "./notation";

export interface Situation {
  hand: string[];
  top: string | null;
  called: Color | null;
  /** How many cards each opponent holds now. */
  opponents: number[];
  preset: string;
  changes: Record<string, SwitchValue>;
  discards: string[];
  /** Events in notation, oldest first. */
  history: string[];
  drawn: string | null;
  direction: "forward" | "reversed";
  owed: number;
}

/** The best action, as `lastcard advise` finds it with the same seed and number of simulations. */
export async function askAdvice(
  described: SituationBody,
  analyst: string,
  simulations: number,
  seed: number,
): Promise<Analysis> {
  const { observation } = await json<SituationResponse>("api/situation", null, described);
  return adviseOnce(analyst, simulations, seed, observation);
}

/** Every card there is, color by color, then the Wilds. */
export const CARDS_BY_COLOR: readonly (readonly string[])[] = [
  ...COLORS.map((color) => RANKS.map((rank) => `${color}${rank}`)),
  ["w", "w+4"],
];

export function emptySituation(catalog: Catalog): Situation {
  return {
    hand: [],
    top: null,
    called: null,
    opponents: [7],
    preset: catalog.presets[0]?.name ?? "official",
    changes: {},
    discards: [],
    history: [],
    drawn: null,
    direction: "forward",
    owed: 0,
  };
}

export function exampleSituation(catalog: Catalog): Situation {
  return {
    ...emptySituation(catalog),
    hand: ["r5", "r9", "g2", "bR", "y+2", "w", "w+4"],
    top: "g7",
    opponents: [7, 5, 3],
    history: ["turned up b7", "2 plays g7", "3 draws 1"],
  };
}

/** What was entered last time, as far as it can still be used. */
export function reviveSituation(kept: Partial<Situation> | null, catalog: Catalog): Situation {
  const fresh = emptySituation(catalog);
  if (kept === null || !catalog.presets.some((preset) => preset.name === kept.preset)) return fresh;
  const isCard = (card: unknown): boolean => CARDS_BY_COLOR.some((cards) => cards.includes(card as string));
  const lists = [kept.hand, kept.discards, kept.history, kept.opponents];
  if (!lists.every(Array.isArray) || ![...(kept.hand ?? []), ...(kept.discards ?? [])].every(isCard)) return fresh;
  return { ...fresh, ...kept, top: isCard(kept.top) ? (kept.top ?? null) : null };
}

/** The reader is seat 0. */
export function seatName(seat: number): string {
  return seat === 0 ? t("you") : capitalize(seatWords(seat));
}

/** The seat after that one. */
export function nextSeat(seat: number, players: number, direction: Situation["direction"]): number {
  return (seat + (direction === "forward" ? 1 : -1) + players) % players;
}

/** Events in notation, and their messages. */
const EVENTS: readonly (readonly [RegExp, Key])[] = [
  [/^turned up (?<card>\S+)$/, "told.turned_up"],
  [/^hands pass$/, "told.hands_pass"],
  [/^(?<seat>\d) plays (?<card>[^:]+):(?<color>[rygb])$/, "told.plays_wild"],
  [/^(?<seat>\d) plays (?<card>\S+)$/, "told.plays"],
  [/^(?<seat>\d) jumps in (?<card>[^:]+):(?<color>[rygb])$/, "told.jumps_in_wild"],
  [/^(?<seat>\d) jumps in (?<card>\S+)$/, "told.jumps_in"],
  [/^(?<seat>\d) draws (?<count>\d+)$/, "told.draws"],
  [/^(?<seat>\d) keeps$/, "told.keeps"],
  [/^(?<seat>\d) is skipped$/, "told.skipped"],
  [/^(?<seat>\d) calls uno$/, "told.calls"],
  [/^(?<seat>\d) catches (?<other>\d)$/, "told.catches"],
  [/^(?<seat>\d) accepts (?<count>\d+)$/, "told.accepts"],
  [/^(?<seat>\d) challenges (?<other>\d): guilty$/, "told.challenges_guilty"],
  [/^(?<seat>\d) challenges (?<other>\d): innocent$/, "told.challenges_innocent"],
  [/^(?<seat>\d) swaps with (?<other>\d)$/, "told.swaps"],
];

/** An event in notation, put into words. */
export function eventWords(event: string): string {
  for (const [pattern, key] of EVENTS) {
    const found = pattern.exec(event)?.groups;
    if (found === undefined && !pattern.test(event)) continue;
    const { seat, other, card, color, count } = found ?? {};
    return t(key, {
      who: seatName(Number(seat ?? 0)),
      to: other === "0" ? "you" : "other",
      whom: seatWords(Number(other ?? 0)),
      card: card === undefined ? "" : cardWords(card),
      color: color === undefined ? "" : colorWords(color as Color),
      count: Number(count ?? 0),
    });
  }
  return event;
}
