/** How far the judging of a game is, looked at until it is done. */

import type { JudgingOut } from "./contract";
import { problemOf } from "./api";
import { beginJudging, fetchJudging } from "./study";

const EVERY_MS = 1000;

export class JudgingWatch {
  found = $state.raw<JudgingOut | null>(null);
  problem = $state<string | null>(null);
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isClosed = false;

  readonly isBusy = $derived(this.found?.state === "running" || this.found?.state === "waiting");

  constructor(readonly game: string) {}

  look(): Promise<void> {
    return this.#ask(fetchJudging);
  }

  begin(): Promise<void> {
    return this.#ask(beginJudging);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #ask(how: (game: string) => Promise<JudgingOut>): Promise<void> {
    this.problem = null;
    try {
      this.found = await how(this.game);
    } catch (error) {
      this.problem = problemOf(error).message;
    }
    if (this.isBusy && !this.#isClosed) this.#timer = setTimeout(() => void this.look(), EVERY_MS);
  }
}
