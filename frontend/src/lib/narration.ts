/** Events as sentences. The server sends what happened as data; each kind of event has a message. */

import type { EventOut, View } from "./contract";
import { enumerate, t } from "./i18n.svelte";
import { capitalize, cardWords, colorWords, parseAction } from "./notation";

/** Who reads the sentences. */
export interface Reader {
  /** What each seat is called. */
  names: readonly string[];
  /** The reader's own seat; null for a spectator. */
  you: number | null;
}

/** The event as a sentence: "Ada plays Wild and names green." */
export function tellEvent(event: EventOut, reader: Reader): string {
  const action = event.action ? parseAction(event.action) : null;
  const card = action?.card ?? event.card ?? "";
  const color = event.color ?? (card.startsWith("w") ? action?.color : null);
  const { kind, seat, target } = event;
  const isNaming = color && (kind === "played" || kind === "jumped_in");
  const sentence = t(isNaming ? `event.${kind}_wild` : `event.${kind}`, {
    by: seat !== null && seat === reader.you ? "you" : "other",
    who: reader.names[seat ?? 0] ?? "",
    to: target !== null && target === reader.you ? "you" : "other",
    whom: reader.names[target ?? 0] ?? "",
    card: card && cardWords(card),
    color: color ? colorWords(color) : "",
    count: event.count ?? 0,
    guilty: event.guilty ? "yes" : "no",
    seen: listSeen(event.hands ?? {}, reader),
  });
  return capitalize(sentence);
}

/** The cards that the reader saw, in parentheses; in a study of the truth there may be several hands. */
function listSeen(hands: Readonly<Record<string, string[]>>, { names, you }: Reader): string {
  const seen = Object.entries(hands);
  const list = (cards: string[]): string => (cards.length > 0 ? enumerate(cards.map(cardWords)) : t("event.nothing"));
  if (seen.length > 1) {
    const all = seen.map(([seat, cards]) => {
      const to = Number(seat) === you ? "you" : "other";
      return t("event.to", { to, name: names[Number(seat)] ?? "", cards: list(cards) });
    });
    return ` (${all.join("; ")})`;
  }
  const [, cards = []] = seen[0] ?? [];
  return cards.length > 0 ? ` (${list(cards)})` : "";
}

/** What each seat is called on the page. */
export function namesIn(view: View): string[] {
  return view.seats.map((seat) => (seat.seat === view.seat ? t("you") : seat.name));
}

/** Who reads a view. */
export function readerOf(view: View): Reader {
  return { names: namesIn(view), you: view.seat };
}
