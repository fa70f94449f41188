/** What a person chose on the start page, and the request that it makes. */

import { seconds, t } from "./i18n.svelte";
import type { Catalog, LevelOut, Length, NewGameOutput, PresetOut, SwitchOut, SwitchValue } from "./contract";
import { isSite, usualPlace, type Place } from "./place";

export interface Choices {
  players: number;
  level: string;
  /** One level for each opponent where they differ; null where all play alike. */
  levels: string[] | null;
  preset: string;
  /** Only what differs from the preset. */
  changes: Record<string, SwitchValue>;
  length: Length;
  pace: number;
  window: number;
  /** Who referees and stores the game. */
  place: Place;
  /** Seats that others take by a link. */
  friends: number;
  /** Seconds that others wait for a person's turn. */
  turn: number;
}

export const LEAST_PLAYERS = 2;
export const MOST_PLAYERS = 10;

/** Presets that nobody plays for fun. */
const RESEARCH: readonly string[] = ["study", "numbers", "mini"];

export function isResearch(preset: string): boolean {
  return RESEARCH.includes(preset);
}

/** How long others wait for a person, in seconds. */
export const TURNS: readonly number[] = [20, 60, 300, 0];

export function turnWords(turn: number): string {
  if (turn === 0) return t("turn.never");
  return turn < 60 ? seconds(turn) : t("turn.minutes", { count: turn / 60 });
}

/** Switches that have a control of their own on the page. */
const ELSEWHERE: readonly string[] = ["players"];

export function shownSwitches(catalog: Catalog): SwitchOut[] {
  return catalog.switches.filter((entry) => !ELSEWHERE.includes(entry.name));
}

function firstWord(text: string): string {
  return text.trim().split(/\s+/)[0] ?? "";
}

export const PACES = [
  { pace: 0, name: "instant" },
  { pace: 0.4, name: "quick" },
  { pace: 0.8, name: "calm" },
  { pace: 1.6, name: "slow" },
] as const;

function nearestPace(pace: number): number {
  const nearest = PACES.toSorted((a, b) => Math.abs(a.pace - pace) - Math.abs(b.pace - pace));
  return nearest[0]?.pace ?? pace;
}

export function defaultChoices(catalog: Catalog): Choices {
  const { players, opponents, rules, length, pace, window } = catalog.defaults;
  return {
    players,
    level: opponents.at(-1) ?? catalog.levels[0]?.name ?? "medium",
    levels: null,
    preset: firstWord(rules),
    changes: {},
    length,
    pace: nearestPace(pace),
    window,
    place: usualPlace,
    friends: 0,
    turn: 60,
  };
}

/** What was chosen last time, as far as this server still offers it. */
export function reviveChoices(kept: Partial<Choices> | null, catalog: Catalog): Choices {
  const fresh = defaultChoices(catalog);
  if (kept === null) return fresh;
  const isLevel = (name: unknown): boolean => catalog.levels.some((level) => level.name === name);
  const isPreset = catalog.presets.some((preset) => preset.name === kept.preset);
  const known = catalog.switches.map((entry) => entry.name);
  return {
    ...fresh,
    ...kept,
    pace: nearestPace(kept.pace ?? fresh.pace),
    level: isLevel(kept.level) ? (kept.level ?? fresh.level) : fresh.level,
    levels: kept.levels?.every(isLevel) ? kept.levels : null,
    preset: isPreset ? (kept.preset ?? fresh.preset) : fresh.preset,
    place: catalog.device && !isSite ? (kept.place ?? fresh.place) : fresh.place,
    friends: Math.max(0, Math.min(kept.friends ?? 0, (kept.players ?? fresh.players) - 1)),
    changes: isPreset
      ? Object.fromEntries(Object.entries(kept.changes ?? {}).filter(([name]) => known.includes(name)))
      : {},
  };
}

/** The value of a switch in a preset, before any change. */
export function presetValue(preset: PresetOut, entry: SwitchOut): SwitchValue {
  return preset.values?.[entry.name] ?? entry.default;
}

export function findPreset(catalog: Catalog, name: string): PresetOut {
  const found = catalog.presets.find((preset) => preset.name === name) ?? catalog.presets[0];
  if (!found) throw new Error("the server offers no rules");
  return found;
}

export function rulesText(choices: Choices): string {
  const changes = Object.entries(choices.changes).map(([name, value]) => `${name}=${value}`);
  return [choices.preset, ...changes].join(" ");
}

/** Whether a level plays by these rules with so many players. */
export function canPlay({ tables }: LevelOut, rules: string, players: number): boolean {
  const words = rules.split(/\s+/).filter((word) => !/^(players|target_score)=/.test(word));
  return tables === null || tables.includes([...words, `players=${players}`].join(" "));
}

/** The level, or the strongest one below it that plays by these rules. */
export function playableLevel(catalog: Catalog, level: string, rules: string, players: number): string {
  const index = catalog.levels.findIndex((entry) => entry.name === level);
  return catalog.levels.slice(0, index + 1).findLast((entry) => canPlay(entry, rules, players))?.name ?? level;
}

export function toRequest(choices: Choices, name: string, catalog: Catalog): NewGameOutput {
  const friends = choices.place === "device" ? 0 : choices.friends;
  // Even where all seats are for people, an agent must be named that can take over.
  const others = Math.max(choices.players - 1 - friends, 1);
  const rules = rulesText(choices);
  const play = (level: string): string => playableLevel(catalog, level, rules, choices.players);
  const levels = choices.levels ? Array.from({ length: others }, (_, i) => choices.levels?.[i] ?? choices.level) : null;
  return {
    players: choices.players,
    opponents: (levels ?? [choices.level]).map(play),
    rules,
    length: choices.length,
    pace: choices.pace,
    window: choices.window,
    friends,
    turn: friends > 0 ? choices.turn : 0,
    name: name.trim() || t("player"),
  };
}
