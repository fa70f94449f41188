/** How this person likes the table; kept in the browser. */

import { load, save } from "./storage";

/** What a search may cost. */
export type Budget = { simulations: number } | { seconds: number };

/** Each choice with its first value as the default. */
export const CHOICES = {
  theme: ["auto", "light", "dark"],
  table: ["meadow", "ocean", "plum"],
  cards: ["bright", "paper", "night"],
  cardSize: ["normal", "small", "large"],
  handOrder: ["color", "number", "newest"],
  speed: ["normal", "fast", "slow", "off"],
  language: ["auto", "en", "de", "es", "fr", "zh", "ar"],
} as const;

export type Choice = keyof typeof CHOICES;
export type Value<Name extends Choice> = (typeof CHOICES)[Name][number];

type Chosen = { -readonly [Name in Choice]: Value<Name> };

export interface Preferences extends Chosen {
  /** Whether single letters act; some assistive tools type letters of their own. */
  shortcuts: boolean;
  /** Whether a drawn card that does not fit is kept without asking. */
  keepForMe: boolean;
  /** Whether a card is played by the second click or tap only. */
  confirmCards: boolean;
  leftHanded: boolean;
  /** From 0 to 1. */
  volume: number;
  muted: boolean;
  vibration: boolean;
  /** Whether reactions of others are shown. */
  reactions: boolean;
  analyst: string | null;
  budget: Budget;
}

const KEY = "preferences";
const DEFAULTS: Preferences = {
  theme: "auto",
  table: "meadow",
  cards: "bright",
  cardSize: "normal",
  handOrder: "color",
  speed: "normal",
  language: "auto",
  shortcuts: true,
  keepForMe: true,
  confirmCards: false,
  leftHanded: false,
  volume: 0.6,
  muted: false,
  vibration: true,
  reactions: true,
  analyst: null,
  budget: { simulations: 20_000 },
};

/** What was kept, without values that this version does not know. */
function revive(): Preferences {
  const kept = load<Partial<Record<string, unknown>> | null>(KEY, null) ?? {};
  const known = Object.entries(kept).filter(([name, value]) => {
    if (name in CHOICES) return (CHOICES[name as Choice] as readonly unknown[]).includes(value);
    return name === "analyst" || typeof value === typeof DEFAULTS[name as keyof Preferences];
  });
  return { ...DEFAULTS, ...Object.fromEntries(known) };
}

export const preferences = $state<Preferences>(revive());

/** Shows the themes on the page, and keeps what is changed from now on. */
export function followPreferences(): void {
  let isFirst = true;
  $effect.root(() => {
    $effect(() => {
      const { theme, table, cards } = preferences;
      const root = document.documentElement.dataset;
      if (theme === "auto") delete root["theme"];
      else root["theme"] = theme;
      root["table"] = table;
      root["cards"] = cards;
    });
    $effect(() => {
      const kept = $state.snapshot(preferences);
      // What nobody has chosen may get a better default one day.
      if (!isFirst) save(KEY, kept);
      isFirst = false;
    });
  });
}
