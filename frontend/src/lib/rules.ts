/** Rules and agents as a person reads them. */

import type { Catalog } from "./contract";
import { agentWords } from "./ladder";
import { capitalize } from "./notation";

const MOST_LISTED = 2;

/** "official players=3 hand_size=5" as "Official, hand size 5": the number of players is seen at the table. */
export function rulesWords(text: string): string {
  const [preset = "", ...changes] = text.split(" ").filter((word) => !word.startsWith("players="));
  if (changes.length > MOST_LISTED) return `${capitalize(preset)} with ${changes.length} changes`;
  return [capitalize(preset), ...changes.map(changeWords)].join(", ");
}

function changeWords(change: string): string {
  const [name = "", value = ""] = change.split("=");
  const words = name.replaceAll("_", " ");
  if (value === "true") return words;
  return value === "false" ? `no ${words}` : `${words} ${value.replaceAll("_", " ")}`;
}

/** The level that an agent is offered as; its own name where it is none. */
export function opponentWords(agent: string, catalog: Catalog): string {
  return catalog.levels.find((level) => level.agent === agent)?.name ?? agentWords(agent);
}

/** Who judged a game: "halving with 20,000 simulations". */
export function judgeWords(agent: string): string {
  const [name = agent] = agent.split(":");
  const count = /simulations=(\d+)/.exec(agent)?.[1];
  return count === undefined ? name : `${name} with ${Number(count).toLocaleString("en")} simulations`;
}
