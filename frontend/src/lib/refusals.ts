/** Refusals of the server and of the core as sentences in the person's language. */

import type { Problem } from "./contract";
import { hasMessage, t } from "./i18n.svelte";

/** What a sentence takes from the core or the server as it is. */
export interface Reason {
  /** In English in every language. */
  english?: string;
  /** The line of a record that is to blame. */
  line?: number;
}

export type Refused = Reason & { message: string };

const LINE = /^line (\d+): /;
const FEW_CARDS = /^hand_size.* besides Wild Draw Fours/;
const TURN_ENDS = /^drawn_card.* draw_until_playable/;

/** Rules that contradict each other, with the fields as the page names them. */
function contradiction(reason: string): string | null {
  if (FEW_CARDS.test(reason)) return t("rules.few_cards", { hand: t("rule.hand_size") });
  if (!TURN_ENDS.test(reason)) return null;
  const drawn = t("rules.value", { rule: t("rule.drawn_card"), value: t("rule.drawn_card.end_turn") });
  return t("rules.turn_ends", { until: t("rule.draw_until_playable"), drawn });
}

/** A sentence with a reason of the core, which is in English; the line of a record is not. */
export function wordsWithReason(
  key: "refusal.bad_record" | "refusal.bad_rules" | "engine.refused_call",
  reason: string,
): Refused {
  const message = key === "refusal.bad_rules" ? contradiction(reason) : null;
  if (message !== null) return { message };
  const line = LINE.exec(reason)?.[1];
  if (line === undefined) return { message: t(key, { reason }), english: reason };
  const english = reason.replace(LINE, "");
  return {
    message: t(key, { reason: t("record.line", { line: Number(line), reason: english }) }),
    english,
    line: Number(line),
  };
}

/** The sentence for the code; that of the server where this page is older than it. */
export function refusalWords({ code, values, message }: Problem): Refused {
  const key = `refusal.${code}`;
  if (!hasMessage(key)) return { message, english: message };
  const reason = values?.["reason"];
  if ((key === "refusal.bad_record" || key === "refusal.bad_rules") && typeof reason === "string")
    return wordsWithReason(key, reason);
  const wait = values?.["seconds"];
  const again = typeof wait === "number" ? ` ${t("error.retry", { count: wait })}` : "";
  return { message: t(key, values ?? {}) + again, ...(typeof reason === "string" ? { english: reason } : {}) };
}
