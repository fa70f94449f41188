/** How far the judging of a game is, looked at until it is done. */

import { problemOf } from "./api";
import type { Judging } from "./found";
import { beginJudging, fetchJudging } from "./local/judge";

const EVERY_MS = 1000;

export class JudgingWatch {
  found = $state.raw<Judging | null>(null);
  problem = $state<string | null>(null);
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isClosed = false;

  readonly isBusy = $derived(this.found?.state === "running");

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

  async #ask(how: (game: string) => Promise<Judging>): Promise<void> {
    this.problem = null;
    try {
      this.found = await how(this.game);
    } catch (error) {
      this.problem = problemOf(error).message;
    }
    if (this.isBusy && !this.#isClosed) this.#timer = setTimeout(() => void this.look(), EVERY_MS);
  }
}
