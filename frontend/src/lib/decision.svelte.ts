/** What this seat is asked, and what has been half chosen of the answer. */

import type { Game } from "./game.svelte";
import { capitalize, parseAction } from "./notation";
import { describeMisfit } from "./status";

export class Decision {
  /** The Wild whose color is being chosen. */
  picking = $state<string | null>(null);
  /** The card that a finger has lifted. */
  lifted = $state<string | null>(null);
  /** The index of the card that arrow keys have reached. */
  selected = $state(0);
  /** Why the last thing tried is not possible. */
  remark = $state<string | null>(null);

  readonly #game: Game;
  readonly actions = $derived.by(() => (this.#game.isMine ? (this.#game.view?.legal ?? []).map(parseAction) : []));
  readonly plays = $derived(this.actions.filter((action) => action.kind === "play"));
  readonly playable: ReadonlySet<string> = $derived(new Set(this.plays.map((action) => action.card ?? "")));
  /** The card that one may jump in with. */
  readonly jump = $derived.by(() => (this.#game.view?.phase === "jump_in" ? (this.plays[0]?.card ?? null) : null));
  /** Actions that name a color, while one is being chosen. */
  readonly colors = $derived(
    this.picking === null
      ? this.actions.filter((action) => action.kind === "color")
      : this.plays.filter((action) => action.card === this.picking),
  );
  /** The action that swaps hands with a seat. */
  readonly swaps: ReadonlyMap<number, string> = $derived(
    new Map(this.actions.flatMap((action) => (action.seat === null ? [] : [[action.seat, action.text]]))),
  );
  readonly hinted = $derived.by(() => (this.#game.hint ? parseAction(this.#game.hint.action) : null));

  constructor(game: Game) {
    this.#game = game;
  }

  /** Something new is asked: whatever was half chosen is no longer an answer. */
  reset(): void {
    this.picking = null;
    this.lifted = null;
    this.remark = null;
  }

  play(card: string): void {
    const view = this.#game.view;
    if (!view) return;
    const fitting = this.plays.filter((action) => action.card === card);
    this.remark = fitting.length === 0 ? capitalize(describeMisfit(view, card)) : null;
    if (fitting.length === 1 && fitting[0]) this.#game.act(fitting[0].text);
    else if (fitting.length > 1) this.picking = this.picking === card ? null : card;
  }

  act(kind: string): void {
    if (this.actions.some((action) => action.text === kind)) this.#game.act(kind);
  }

  /** Names a color or swaps hands, by the number that the page shows beside it. */
  chooseNumber(digit: number, opponents: readonly number[]): void {
    const swap = this.swaps.get(opponents[digit - 1] ?? -1);
    if (swap !== undefined) return this.#game.act(swap);
    const card = this.#game.hand[this.selected];
    const offered =
      this.colors.length > 0
        ? this.colors
        : this.plays.filter((action) => action.card === card && card?.startsWith("w"));
    const named = offered.find((action) => action.color === "rygb"[digit - 1]);
    if (named) this.#game.act(named.text);
  }

  /** The index of the next card that may be played, in either direction. */
  nextPlayable(step: 1 | -1): number | null {
    const cards = this.#game.hand;
    for (let i = 1; i <= cards.length; i++) {
      const index = (this.selected + step * i + cards.length * i) % cards.length;
      if (this.playable.has(cards[index] ?? "")) return index;
    }
    return null;
  }
}
