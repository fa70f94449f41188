/** A real table as one enters it, and what the server makes of it. */

import { json } from "./api";
import type { AdviceBody, AdviceResponse, Catalog, Color, SwitchValue } from "./contract";
import { cardWords, COLOR_WORDS, COLORS, RANKS, spellCards } from "./notation";

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

export const askAdvice = (request: AdviceBody): Promise<AdviceResponse> => json("api/advice", null, request);

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

export function seatName(seat: number): string {
  return seat === 0 ? "You" : `Seat ${seat}`;
}

/** The seat after that one. */
export function nextSeat(seat: number, players: number, direction: Situation["direction"]): number {
  return (seat + (direction === "forward" ? 1 : -1) + players) % players;
}

/** An event in notation, put into words. */
export function eventWords(event: string): string {
  const [, seat, rest = ""] = /^(?:(\d) )?(.*)$/.exec(event) ?? [];
  const told = rest
    .replace(/^plays (w(?:\+4)?):([rygb])$/, (_, card: string, color: Color) => `plays ${naming(card, color)}`)
    .replace(/^names ([rygb])$/, (_, color: Color) => `names ${COLOR_WORDS[color]}`)
    .replace(/^turned up (w(?:\+4)?)$/, (_, card: string) => `turned up ${cardWords(card)}`)
    .replace(
      /^(catches|swaps with|challenges) (\d)/,
      (_, verb: string, other: string) => `${verb} ${whom(Number(other))}`,
    )
    .replace(/^draws (\d+)/, (_, count: string) => `draws ${count === "1" ? "a card" : `${count} cards`}`)
    .replace("calls uno", "calls UNO");
  const words = spellCards(told);
  const sentence = seat === undefined ? words : `${seatName(Number(seat))}: ${words}`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function naming(card: string, color: Color): string {
  return `${cardWords(card)}, names ${COLOR_WORDS[color]}`;
}

function whom(seat: number): string {
  return seat === 0 ? "you" : `seat ${seat}`;
}
