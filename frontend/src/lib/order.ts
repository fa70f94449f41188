/** The order of the cards in a hand. */

import { COLORS, parseCard, RANKS } from "./notation";
import type { Value } from "./preferences.svelte";

/** The cards that stayed in their order, and then those that came. */
export function followHand(before: readonly string[], now: readonly string[]): string[] {
  const rest = [...now];
  const stayed = before.filter((card) => {
    const index = rest.indexOf(card);
    if (index < 0) return false;
    rest.splice(index, 1);
    return true;
  });
  return [...stayed, ...rest];
}

/** Where a card stands; Wilds come last. */
function keysOf(text: string): { color: number; rank: number } {
  const { color, rank } = parseCard(text);
  if (color === null) return { color: COLORS.length, rank: RANKS.length + (rank === "w" ? 0 : 1) };
  return { color: COLORS.indexOf(color), rank: RANKS.indexOf(rank) };
}

/** The same cards by color, by number, or as they came. */
export function orderHand(cards: readonly string[], order: Value<"handOrder">): string[] {
  if (order === "newest") return [...cards];
  const [first, second] = order === "color" ? (["color", "rank"] as const) : (["rank", "color"] as const);
  return cards.toSorted((a, b) => {
    const [one, other] = [keysOf(a), keysOf(b)];
    return one[first] - other[first] || one[second] - other[second];
  });
}
