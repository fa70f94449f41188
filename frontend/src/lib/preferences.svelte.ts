/** How this person likes the table; kept in the browser. */

import { load, save } from "./storage";

/** What a search may cost. */
export type Budget = { simulations: number } | { seconds: number };

export type Theme = "auto" | "light" | "dark";

interface Kept {
  theme: Theme;
  shortcuts: boolean;
  keepForMe: boolean;
  analyst: string | null;
  budget: Budget;
}

const KEY = "lastcard.preferences";
const DEFAULTS: Kept = {
  theme: "auto",
  shortcuts: true,
  keepForMe: true,
  analyst: null,
  budget: { simulations: 20_000 },
};

class Preferences {
  #kept = $state<Kept>({ ...DEFAULTS, ...load<Partial<Kept>>(KEY, {}) });

  get theme(): Theme {
    return this.#kept.theme;
  }
  set theme(theme: Theme) {
    this.#change({ theme });
    this.applyTheme();
  }

  /** Whether single letters act; some assistive tools type letters of their own. */
  get shortcuts(): boolean {
    return this.#kept.shortcuts;
  }
  set shortcuts(shortcuts: boolean) {
    this.#change({ shortcuts });
  }

  /** Whether a drawn card that does not fit is kept without asking. */
  get keepForMe(): boolean {
    return this.#kept.keepForMe;
  }
  set keepForMe(keepForMe: boolean) {
    this.#change({ keepForMe });
  }

  get analyst(): string | null {
    return this.#kept.analyst;
  }
  set analyst(analyst: string | null) {
    this.#change({ analyst });
  }

  get budget(): Budget {
    return this.#kept.budget;
  }
  set budget(budget: Budget) {
    this.#change({ budget });
  }

  applyTheme(): void {
    if (this.theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = this.theme;
  }

  #change(changes: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...changes };
    save(KEY, this.#kept);
  }
}

export const preferences = new Preferences();
