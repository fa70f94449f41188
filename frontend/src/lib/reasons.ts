/** Reasons as sentences. The core finds them as data; each kind of reason has a message. */

import type { Color } from "./contract";
import type { Reason } from "./found";
import { decimal, hasMessage, t } from "./i18n.svelte";
import { actionWords, capitalize, cardWords, colorWords, percent, seatWords } from "./notation";

/** A number that a message leaves out. */
const NONE = -1;

/** All of them in one sentence: "Keeps red, of which you hold 2 more; ..." */
export function reasonWords(reasons: readonly Reason[], names: readonly string[], drawSum = 0): string {
  const clauses = reasons.flatMap((reason) => clauseOf(reason, names, drawSum) ?? []);
  return clauses.length > 0 ? t("sentence", { text: capitalize(clauses.join(t("reasons.join"))) }) : "";
}

function clauseOf(reason: Reason, names: readonly string[], drawSum: number): string | null {
  const key = `reason.${reason.kind}`;
  // A server may be newer than the page.
  if (!hasMessage(key)) return null;
  const name = (seat: number | undefined): string => (seat === undefined ? "" : (names[seat] ?? seatWords(seat)));
  const color = (letter: string | undefined): string => (letter === undefined ? "" : colorWords(letter as Color));
  const { can_stack, can_challenge } = reason;
  return t(key, {
    who: name(reason.seat),
    whom: name(reason.other),
    color: color(reason.color),
    than: color(reason.than),
    card: reason.card === undefined ? "" : cardWords(reason.card),
    action: reason.action === undefined ? "" : actionWords(reason.action, names, drawSum),
    count: reason.count ?? NONE,
    cards: reason.cards ?? NONE,
    chance: percent(reason.chance ?? 0),
    usual: percent(reason.than_chance ?? 0),
    more: decimal(100 * (reason.chance ?? 0), 1),
    unless: can_stack && can_challenge ? "both" : can_stack ? "stack" : can_challenge ? "challenge" : "no",
  });
}
