/** Cards and actions in the project's notation (`r5`, `w:g`, `swap:2`), read and put into words. */

import type { Color } from "./contract";
import { hasMessage, listAny, number, share, t } from "./i18n.svelte";

export const COLORS: readonly Color[] = ["r", "y", "g", "b"];
export const RANKS: readonly string[] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "S", "R", "+2"];

export function colorWords(color: Color): string {
  return t(`color.${color}`);
}

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
  if (color === null) return t(rank === "w" ? "card.w" : "card.w4");
  const name = `card.${rank === "+2" ? "D" : rank}`;
  return t(hasMessage(name) ? name : "card.number", { rank, color });
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
      const isNaming = card.startsWith("w") && action.color !== null;
      const color = action.color === null ? "" : colorWords(action.color);
      return t(isNaming ? "action.play_wild" : "action.play", { card: cardWords(card), color });
    }
    case "accept":
      return t("action.accept", { count: drawSum });
    case "swap": {
      const name = names[action.seat ?? 0] ?? seatWords(action.seat ?? 0);
      return t("action.swap", { name, to: name === t("you") ? "you" : "other" });
    }
    case "color":
      return t("action.color", { color: action.color === null ? "" : colorWords(action.color) });
    default:
      return t(`action.${action.kind}`);
  }
}

/** Several actions that are as good as each other. */
export function anyOf(actions: readonly string[], names: readonly string[], drawSum = 0): string {
  return listAny(actions.map((action) => actionWords(action, names, drawSum)));
}

/** Actions one after another. */
export function lineWords(actions: readonly string[], names: readonly string[]): string {
  return actions.map((action) => actionWords(action, names)).join(t("action.then"));
}

/** A seat without a name. */
export function seatWords(seat: number): string {
  return t("seat.number", { seat });
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A probability as whole percent, never 0 or 100 unless it is certain. */
export function percent(chance: number): string {
  if (chance > 0 && chance < 0.005) return `<${share(0.01, 0)}`;
  if (chance < 1 && chance > 0.995) return `>${share(0.99, 0)}`;
  return share(chance, 0);
}

/** A count in few characters: 950, 12K, 1.2M. */
export function short(count: number): string {
  return number(Math.round(count), { notation: "compact" });
}
