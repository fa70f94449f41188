/** The standing tournament. */

import { json } from "./api";
import type { LadderOut } from "./contract";
import { isSite } from "./place";

export const fetchLadder = (): Promise<LadderOut> => json(isSite ? "ladder.json" : "api/ladder", null);

/** An agent's name as a person reads it: "halving, 1,000 simulations". */
export function agentWords(agent: string): string {
  const [name = "", options] = agent.split(":");
  if (options === undefined) return name;
  const told = options.split(",").map((option) => {
    const [key = "", value = ""] = option.split("=");
    const count = Number(value);
    return key === "simulations" && !Number.isNaN(count) ? `${count.toLocaleString("en")} simulations` : option;
  });
  return `${name}, ${told.join(", ")}`;
}

/** A time in at most three digits. */
export function timeWords(seconds: number): string {
  if (seconds >= 1) return `${seconds.toPrecision(2)} s`;
  if (seconds >= 1e-3) return `${Number((seconds * 1e3).toPrecision(2))} ms`;
  return `${Number((seconds * 1e6).toPrecision(2))} µs`;
}
