/** Refusals of the server as sentences in the person's language. */

import type { Problem } from "./contract";
import { hasMessage, t } from "./i18n.svelte";

/** The sentence for the code; that of the server where this page is older than it. */
export function refusalWords({ code, values, message }: Problem): string {
  const key = `refusal.${code}`;
  if (!hasMessage(key)) return message;
  const wait = values?.["seconds"];
  const again = typeof wait === "number" ? ` ${t("error.retry", { count: wait })}` : "";
  return t(key, values ?? {}) + again;
}
