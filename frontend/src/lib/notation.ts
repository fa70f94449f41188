/** Cards and actions in the project's notation (`r5`, `w:g`, `swap:2`), read and put into words. */

import type { Color } from "./contract";

export const COLORS: readonly Color[] = ["r", "y", "g", "b"];
export const RANKS: readonly string[] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "S", "R", "+2"];

export const COLOR_WORDS: Readonly<Record<Color, string>> = { r: "red", y: "yellow", g: "green", b: "blue" };
export const SHAPE_WORDS: Readonly<Record<Color, string>> = {
  r: "diamond",
  y: "triangle",
  g: "square",
  b: "circle",
};
const RANK_WORDS: Readonly<Record<string, string>> = { S: "Skip", R: "Reverse", "+2": "Draw Two" };

export interface Card {
  /** Null for the two Wilds, which have no color of their own. */
  color: Color | null;
  rank: string;
}

function isColor(text: string | undefined): text is Color {
  return text !== undefined && (COLORS as readonly string[]).includes(text);
}

/** Reads a card: a color letter and a rank, `w` or `w+4`. */
export function parseCard(text: string): Card {
  if (text === "w" || text === "w+4") return { color: null, rank: text };
  const letter = text[0];
  const rank = text.slice(1);
  if (!isColor(letter) || !RANKS.includes(rank)) throw new Error(`"${text}" is not a card`);
  return { color: letter, rank };
}

/** The card as a person says it: "red 5", "Wild Draw Four". */
export function cardWords(text: string): string {
  const { color, rank } = parseCard(text);
  if (color === null) return rank === "w" ? "Wild" : "Wild Draw Four";
  return `${COLOR_WORDS[color]} ${RANK_WORDS[rank] ?? rank}`;
}

export type ActionKind =
  "play" | "draw" | "keep" | "accept" | "challenge" | "uno" | "catch" | "pass" | "swap" | "color";

export interface Action {
  text: string;
  kind: ActionKind;
  card: string | null;
  color: Color | null;
  seat: number | null;
}

const PLAIN: readonly string[] = ["draw", "keep", "accept", "challenge", "uno", "catch", "pass"];

/** Reads an action as the server writes it. */
export function parseAction(text: string): Action {
  const [head = "", tail] = text.split(":");
  if (PLAIN.includes(text)) return { text, kind: text as ActionKind, card: null, color: null, seat: null };
  if (head === "swap") return { text, kind: "swap", card: null, color: null, seat: Number(tail) };
  if (head === "color" && isColor(tail)) return { text, kind: "color", card: null, color: tail, seat: null };
  const card = parseCard(head);
  return { text, kind: "play", card: head, color: isColor(tail) ? tail : card.color, seat: null };
}

/** The action as a command: "play red 5", "take 4 cards". */
export function actionWords(text: string, names: readonly string[] = [], drawSum = 0): string {
  const action = parseAction(text);
  switch (action.kind) {
    case "play": {
      const card = action.card ?? "";
      const naming = card.startsWith("w") && action.color ? `, name ${COLOR_WORDS[action.color]}` : "";
      return `play ${cardWords(card)}${naming}`;
    }
    case "draw":
      return "draw a card";
    case "keep":
      return "keep the card";
    case "accept":
      return drawSum > 0 ? `take ${drawSum} cards` : "take the cards";
    case "uno":
      return "call UNO";
    case "swap":
      return `swap hands with ${names[action.seat ?? 0] ?? `seat ${action.seat}`}`;
    case "color":
      return action.color ? `name ${COLOR_WORDS[action.color]}` : text;
    default:
      return text;
  }
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A probability as whole percent, never 0 or 100 unless it is certain. */
export function percent(chance: number): string {
  if (chance > 0 && chance < 0.005) return "<1 %";
  if (chance < 1 && chance > 0.995) return ">99 %";
  return `${Math.round(chance * 100)} %`;
}

/** A count in at most four characters: 950, 12k, 1.2M. */
export function short(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 999_500) return `${(count / 1000).toFixed(count < 9_950 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Words with cards in notation, such as the reasons of a search, with the cards spelled out. */
export function spellCards(text: string): string {
  const naming = (letter: string): string => (isColor(letter) ? `naming ${COLOR_WORDS[letter]}` : letter);
  return text
    .replace(/\b(w(?:\+4)?):([rygb])\b/g, (_, card: string, letter: string) => `${cardWords(card)} ${naming(letter)}`)
    .replace(/\bcolor:([rygb])\b/g, (_, letter: string) => naming(letter))
    .replace(/\b[rygb](?:[0-9SR]\b|\+2)/g, cardWords)
    .replace(/\bw\+4/g, cardWords)
    .replace(/\b(play|card,|hold) w\b/g, "$1 Wild");
}
