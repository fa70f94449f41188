/** The rules for players: what each is about, shown with cards, and which one applies now. */

import type { View } from "./contract";
import { t } from "./i18n.svelte";

/** A rule with the number that it has in the reference. */
export interface Rule {
  number: string;
  /** Cards that show it. */
  cards: readonly string[];
}

export const RULEBOOK = [
  { number: "1.1", cards: ["r0", "y9", "gS", "bR", "r+2", "w", "w+4"] },
  { number: "2.1", cards: [] },
  { number: "2.2", cards: ["gS", "yR", "b+2", "w"] },
  { number: "3.1", cards: ["r5", "r9", "b5", "w"] },
  { number: "3.2", cards: [] },
  { number: "3.3", cards: [] },
  { number: "3.4", cards: ["w"] },
  { number: "4.1", cards: ["rS", "yS", "gS", "bS"] },
  { number: "4.2", cards: ["rR", "yR", "gR", "bR"] },
  { number: "4.3", cards: ["r+2", "y+2", "g+2", "b+2"] },
  { number: "4.4", cards: ["w+4"] },
  { number: "4.5", cards: ["gS", "gR", "g+2"] },
  { number: "5.1", cards: [] },
  { number: "5.3", cards: [] },
  { number: "6.1", cards: ["w+4"] },
  { number: "6.3", cards: ["w+4"] },
  { number: "7.1", cards: ["b4", "b8"] },
  { number: "7.2", cards: ["b8"] },
  { number: "7.3", cards: ["b8"] },
  { number: "8.1", cards: ["y3"] },
  { number: "8.2", cards: ["r+2", "w+4"] },
  { number: "9.1", cards: ["g7", "gR", "w"] },
  { number: "9.2", cards: [] },
  { number: "9.3", cards: [] },
  { number: "10.1", cards: ["r+2", "b+2"] },
  { number: "10.2", cards: [] },
  { number: "10.3", cards: [] },
  { number: "10.4", cards: [] },
  { number: "10.5", cards: ["r7", "r0"] },
  { number: "10.6", cards: ["g4", "g4"] },
] as const satisfies readonly Rule[];

export type RuleNumber = (typeof RULEBOOK)[number]["number"];

export function ruleTitle(number: RuleNumber): string {
  return t(`book.${number}`);
}

export function ruleText(number: RuleNumber): string {
  return t(`book.${number}.text`);
}

/** The rules in which all words occur, or whose number starts like the words. */
export function findRules(words: string): (typeof RULEBOOK)[number][] {
  const wanted = words.toLocaleLowerCase().trim().split(/\s+/).filter(Boolean);
  return RULEBOOK.filter(({ number }) => {
    const text = `${ruleTitle(number)} ${ruleText(number)}`.toLocaleLowerCase();
    return wanted.every((word) => number.startsWith(word) || text.includes(word));
  });
}

/** The rule about what is asked now. */
export function ruleNow(view: View, isNamingColor: boolean): RuleNumber {
  if (view.outcome) return "9.1";
  if (isNamingColor) return "3.4";
  const canPlay = view.legal.some((action) => /^[rygbw]([0-9SR+:]|$)/.test(action));
  switch (view.phase) {
    case "name_color":
      return "2.2";
    case "drawn":
      return "3.3";
    case "answer":
      return view.legal.includes("challenge") ? "6.3" : "10.1";
    case "swap":
      return "10.5";
    case "catch":
      return "7.3";
    case "jump_in":
      return "10.6";
    case "gathering":
      return "2.1";
    default:
      if (view.legal.includes("uno")) return "7.1";
      return view.legal.length > 0 && !canPlay ? "3.2" : "3.1";
  }
}
