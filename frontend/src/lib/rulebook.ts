/** The rules for players: what each is about, shown with cards, and which one applies now. */

import english from "../messages/en.json";
import type { View } from "./contract";
import { t, type Key } from "./i18n.svelte";

type NumberIn<Name> = Name extends `book.${infer Found}.text` ? Found : never;

/** The number of a rule in the reference; the messages hold its words. */
export type RuleNumber = NumberIn<Key>;

/** Cards that show a rule; the others are told in words alone. */
const CARDS: Partial<Record<RuleNumber, readonly string[]>> = {
  "1.1": ["r0", "y9", "gS", "bR", "r+2", "w", "w+4"],
  "2.2": ["gS", "yR", "b+2", "w"],
  "3.1": ["r5", "r9", "b5", "w"],
  "3.4": ["w"],
  "4.1": ["rS", "yS", "gS", "bS"],
  "4.2": ["rR", "yR", "gR", "bR"],
  "4.3": ["r+2", "y+2", "g+2", "b+2"],
  "4.4": ["w+4"],
  "4.5": ["gS", "gR", "g+2"],
  "6.1": ["w+4"],
  "6.3": ["w+4"],
  "7.1": ["b4", "b8"],
  "7.2": ["b8"],
  "7.3": ["b8"],
  "8.1": ["y3"],
  "8.2": ["r+2", "w+4"],
  "9.1": ["g7", "gR", "w"],
  "10.1": ["r+2", "b+2"],
  "10.5": ["r7", "r0"],
  "10.6": ["g4", "g4"],
};

export interface Rule {
  number: RuleNumber;
  cards: readonly string[];
}

/** Every rule that has words, in the order of the reference. */
const RULEBOOK: readonly Rule[] = Object.keys(english)
  .flatMap((key) => /^book\.(.+)\.text$/.exec(key)?.[1] ?? [])
  .sort(new Intl.Collator("en", { numeric: true }).compare)
  .map((number) => ({ number: number as RuleNumber, cards: CARDS[number as RuleNumber] ?? [] }));

export function ruleTitle(number: RuleNumber): string {
  return t(`book.${number}`);
}

export function ruleText(number: RuleNumber): string {
  return t(`book.${number}.text`);
}

/** The rules in which all words occur, or whose number starts like the words. */
export function findRules(words: string): Rule[] {
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
