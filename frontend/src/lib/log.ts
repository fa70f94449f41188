/** The events that a seat has heard of a round. */

import type { EventOut, View } from "./contract";

/** An event with its number in the game, as the receiver counts. */
export type LogEntry = EventOut & { n: number };

/** The log of a view, whose last event has the number `ply`. */
export function logOf(view: View): LogEntry[] {
  const before = view.ply - view.log.length;
  return view.log.map((event, i) => ({ ...event, n: before + i + 1 }));
}

/** The last thing that the seat did of its own. A pass is none: others must not notice it. */
export function lastDeed(log: readonly LogEntry[], seat: number): EventOut | null {
  return log.findLast((entry) => entry.seat === seat && entry.kind !== "dealt" && entry.kind !== "passed") ?? null;
}
