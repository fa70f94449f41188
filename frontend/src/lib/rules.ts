/** Rules and agents as a person reads them. */

import type { Catalog, PresetOut, SwitchOut } from "./contract";
import { enumerate, hasMessage, number, t } from "./i18n.svelte";
import { agentWords } from "./ladder";
import { capitalize } from "./notation";

const MOST_LISTED = 2;

/** The message of that name, or what the server says, where this page does not know it. */
function known(key: string, otherwise: string): string {
  return hasMessage(key) ? t(key) : otherwise;
}

function spaced(name: string): string {
  return name.replaceAll("_", " ");
}

export function presetWords(preset: string): string {
  return known(`preset.${preset}`, capitalize(preset));
}

export function presetSummary(preset: PresetOut): string {
  return known(`preset.${preset.name}.about`, preset.summary);
}

export function levelWords(level: string): string {
  return known(`level.${level}`, level);
}

export function levelSummary(level: { name: string; summary: string }): string {
  return known(`level.${level.name}.about`, level.summary);
}

export function analystSummary(analyst: { name: string; summary: string }): string {
  return known(`analyst.${analyst.name}`, analyst.summary);
}

export function switchWords(name: string): string {
  return known(`rule.${name}`, capitalize(spaced(name)));
}

export function switchSummary(entry: SwitchOut): string {
  const plain = (entry.choices ?? []).reduce(
    (text, choice) => text.replaceAll(choice, spaced(choice)),
    entry.explanation,
  );
  return known(`rule.${entry.name}.about`, plain);
}

export function switchChoice(name: string, choice: string): string {
  return known(`rule.${name}.${choice}`, spaced(choice));
}

/** "official players=3 hand_size=5" as "Official, hand size: 5": the number of players is seen at the table. */
export function rulesWords(text: string): string {
  const [preset = "", ...changes] = text.split(" ").filter((word) => !word.startsWith("players="));
  const name = presetWords(preset);
  if (changes.length > MOST_LISTED) return t("rules.changes", { preset: name, count: changes.length });
  return enumerate([name, ...changes.map(changeWords)]);
}

function changeWords(change: string): string {
  const [name = "", value = ""] = change.split("=");
  const rule = switchWords(name);
  if (value === "true") return rule;
  if (value === "false") return t("rules.off", { rule });
  return t("rules.value", { rule, value: switchChoice(name, value) });
}

/** The level that an agent is offered as; its own name where it is none. */
export function opponentWords(agent: string, catalog: Catalog): string {
  const level = catalog.levels.find((entry) => entry.agent === agent);
  return level === undefined ? agentWords(agent) : levelWords(level.name);
}

/** An agent of the ladder in a few words: those of its level or of the analyst, where it is one. */
export function rungSummary(agent: string, catalog: Catalog): string {
  const level = catalog.levels.find((entry) => entry.agent === agent);
  if (level !== undefined) return levelSummary(level);
  const [name = agent] = agent.split(":");
  return known(`analyst.${name}`, known(`ladder.agent.${name}`, ""));
}

/** Who judged a game: "halving with 20,000 simulations". */
export function judgeWords(agent: string): string {
  const [name = agent] = agent.split(":");
  const count = /simulations=(\d+)/.exec(agent)?.[1];
  return count === undefined ? name : t("agent.with", { name, count: number(Number(count)) });
}
