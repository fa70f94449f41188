/** The standing tournament. */

import { json } from "./api";
import type { LadderOut } from "./contract";
import { enumerate, number, t } from "./i18n.svelte";
import { isSite } from "./place";

export const fetchLadder = (): Promise<LadderOut> => json(isSite ? "ladder.json" : "api/ladder", null);

/** An agent's name as a person reads it: "halving, 1,000 simulations". */
export function agentWords(agent: string): string {
  const [id = "", options] = agent.split(":");
  const name = id.replaceAll("_", " ");
  if (options === undefined) return name;
  const told = options.split(",").map((option) => {
    const [key = "", value = ""] = option.split("=");
    const count = Number(value);
    // A network of a file is called as the file is.
    if (key.endsWith(".safetensors")) return key.replace(/^.*\/|\.safetensors$/g, "");
    return key === "simulations" && !Number.isNaN(count) ? t("simulations", { count }) : option;
  });
  return enumerate([name, ...told]);
}

/** A time in at most three digits. */
export function timeWords(seconds: number): string {
  const [factor, unit] =
    seconds >= 1
      ? ([1, "second"] as const)
      : seconds >= 1e-3
        ? ([1e3, "millisecond"] as const)
        : ([1e6, "microsecond"] as const);
  return number(seconds * factor, { maximumSignificantDigits: 2, style: "unit", unit });
}
