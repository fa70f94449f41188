/** The open games of this browser, with whose turn it is. */

import { problemOf } from "./api";
import type { OpenTableOut } from "./contract";
import { fetchOpenGames } from "./people";
import { forgetSeat, serverGames, markOver, type Held } from "./storage";

export interface OpenGame {
  held: Held;
  table: OpenTableOut;
}

const EVERY_MS = 10_000;

class OpenGames {
  /** Null until the server has answered; games in which it is this person's turn come first. */
  found = $state.raw<OpenGame[] | null>(null);
  problem = $state<string | null>(null);

  async look(): Promise<void> {
    const held = serverGames().filter((game) => !game.over && game.seat !== null);
    try {
      const games = await fetchOpenGames(held);
      const open: OpenGame[] = [];
      games.forEach(({ state, table }, i) => {
        const seat = held[i];
        if (seat === undefined) return;
        if (state === "over") markOver(seat.game);
        else if (state === "gone") forgetSeat(seat.game);
        else if (table) open.push({ held: seat, table });
      });
      this.found = open.toSorted((a, b) => Number(isMine(b)) - Number(isMine(a)) || b.held.at - a.held.at);
      this.problem = null;
    } catch (error) {
      this.problem = problemOf(error).message;
    }
  }

  remove(game: string): void {
    this.found = this.found?.filter((each) => each.held.game !== game) ?? null;
  }
}

export function isMine({ table }: OpenGame): boolean {
  return table.phase === "playing" && table.to_act === table.seat;
}

/** Looks now and then, as long as the component is shown. */
export function openGames(): OpenGames {
  const games = new OpenGames();
  $effect(() => {
    void games.look();
    const timer = setInterval(() => void games.look(), EVERY_MS);
    return () => clearInterval(timer);
  });
  return games;
}
