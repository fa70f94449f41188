/**
 * Events as sentences. The server sends what happened as data; every sentence about it is made here, from one table of
 * phrases, so that another language is another table.
 */

import type { EventName, EventOut, View } from "./contract";
import { capitalize, cardWords, COLOR_WORDS, parseAction } from "./notation";

/** Who reads the sentences. */
export interface Reader {
  /** What each seat is called. */
  names: readonly string[];
  /** The reader's own seat; null for a spectator and in a study. */
  you: number | null;
}

/** What a phrase may need, in words. */
interface Words {
  /** Whether the reader did it. */
  you: boolean;
  /** The other seat, as an object. */
  whom: string;
  card: string;
  /** The color that a Wild names; empty otherwise. */
  color: string;
  count: number;
  guilty: boolean;
  /** The cards that the reader saw, in parentheses; empty without any. */
  seen: string;
}

const YOU = "You";

const ENGLISH: Readonly<Record<EventName, (words: Words) => string>> = {
  dealt: ({ you, count, seen }) => `${you ? "are" : "is"} dealt ${countCards(count)}${seen}`,
  turned_up: ({ card }) => `${capitalize(card)} is turned up`,
  reshuffled: () => "The discard pile is shuffled into a new draw pile",
  played: ({ you, card, color }) => `${you ? "play" : "plays"} ${card}${naming(you, color)}`,
  jumped_in: ({ you, card, color }) => `${you ? "jump" : "jumps"} in with ${card}${naming(you, color)}`,
  drew: ({ you, count, seen }) =>
    count === 0
      ? `${you ? "have" : "has"} no card left to draw`
      : `${you ? "draw" : "draws"} ${countCards(count)}${seen}`,
  kept: ({ you }) => (you ? "keep the card you drew" : "keeps the drawn card"),
  named_color: ({ you, color }) => `${you ? "name" : "names"} ${color}`,
  accepted: ({ you, count }) => `${you ? "accept" : "accepts"} the ${count} cards`,
  called_uno: ({ you }) => `${you ? "call" : "calls"} UNO`,
  caught: ({ you, whom }) => `${you ? "catch" : "catches"} ${whom}, who forgot to call UNO`,
  challenged: ({ you, whom, guilty, seen }) =>
    `${you ? "challenge" : "challenges"} ${whom}: ${guilty ? "guilty" : "innocent"}${seen}`,
  passed: ({ you }) => `${you ? "pass" : "passes"}`,
  swapped: ({ you, whom, seen }) => `${you ? "swap" : "swaps"} hands with ${whom}${seen}`,
  hands_passed: ({ seen }) => `Every hand moves to the next player${seen}`,
  skipped: ({ you }) => `${you ? "are" : "is"} skipped`,
};

function countCards(count: number): string {
  return count === 1 ? "a card" : `${count} cards`;
}

function naming(you: boolean, color: string): string {
  return color && ` and ${you ? "name" : "names"} ${color}`;
}

/** The event as a sentence: "Ada plays Wild and names green." */
export function tellEvent(event: EventOut, reader: Reader): string {
  const who = event.seat === null ? "" : `${reader.names[event.seat] ?? ""} `;
  return `${who}${tellDeed(event, reader)}.`;
}

/** The event without saying who: "plays Wild and names green". */
export function tellDeed(event: EventOut, reader: Reader): string {
  const action = event.action ? parseAction(event.action) : null;
  const card = action?.card ?? event.card ?? "";
  const color = event.color ?? (card.startsWith("w") ? action?.color : null);
  return ENGLISH[event.kind]({
    you: event.seat !== null && event.seat === reader.you,
    whom: event.target === reader.you ? YOU.toLowerCase() : (reader.names[event.target ?? 0] ?? ""),
    card: card && cardWords(card),
    color: color ? COLOR_WORDS[color] : "",
    count: event.count ?? 0,
    guilty: event.guilty ?? false,
    seen: listSeen(event.hands ?? {}, reader.names),
  });
}

/** In a study of the truth there may be several hands. */
function listSeen(hands: Readonly<Record<string, string[]>>, names: readonly string[]): string {
  const seen = Object.entries(hands);
  const list = (cards: string[]): string => cards.map(cardWords).join(", ") || "nothing";
  if (seen.length > 1)
    return ` (${seen.map(([seat, cards]) => `to ${names[Number(seat)]}: ${list(cards)}`).join("; ")})`;
  const [, cards = []] = seen[0] ?? [];
  return cards.length > 0 ? ` (${list(cards)})` : "";
}

/** What each seat is called on the page. */
export function namesIn(view: View): string[] {
  return view.seats.map((seat) => (seat.seat === view.seat ? YOU : seat.name));
}

/** Who reads a view. */
export function readerOf(view: View): Reader {
  return { names: namesIn(view), you: view.seat };
}
