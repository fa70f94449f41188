/** The first round: six small situations, each with one thing to learn. */

import type { Color } from "./contract";
import type { Key } from "./i18n.svelte";
import { parseCard } from "./notation";

interface Step {
  /** Its messages are `learn.NAME` and `learn.NAME.done`. */
  name: "match" | "action" | "wild" | "draw" | "uno" | "out";
  top: string;
  color: Color;
  hand: readonly string[];
  /** The only cards that the lesson is about; any that fits, unless said. */
  wanted?: readonly string[];
  /** The card on top of the draw pile. */
  drawn?: string;
  /** Whether UNO has to be called first. */
  calls?: boolean;
}

export const STEPS: readonly Step[] = [
  { name: "match", top: "r5", color: "r", hand: ["r9", "g5", "b2", "y7"] },
  { name: "action", top: "g5", color: "g", hand: ["gS", "b2", "y7"], wanted: ["gS"] },
  { name: "wild", top: "r8", color: "r", hand: ["w", "b2", "b6"], wanted: ["w"] },
  { name: "draw", top: "y4", color: "y", hand: ["b2", "g8"], drawn: "y9" },
  { name: "uno", top: "b1", color: "b", hand: ["b2", "g8"], wanted: ["b2"], calls: true },
  { name: "out", top: "g3", color: "g", hand: ["g8"] },
];

/** Rule 3.1. */
export function fits(card: string, top: string, color: Color): boolean {
  const [one, other] = [parseCard(card), parseCard(top)];
  return one.color === null || one.color === color || one.rank === other.rank;
}

export class Lesson {
  index = $state(0);
  hand = $state.raw<readonly string[]>([]);
  top = $state("");
  color = $state<Color>("r");
  hasCalled = $state(false);
  /** The Wild whose color is being chosen. */
  isPicking = $state(false);
  hasDrawn = $state(false);
  isDone = $state(false);
  /** What was wrong with the last try. */
  remark = $state<{ key: Key; card: string } | null>(null);

  readonly step = $derived(STEPS[Math.min(this.index, STEPS.length - 1)] as Step);
  readonly isOver = $derived(this.index >= STEPS.length);
  readonly canDraw = $derived(this.step.drawn !== undefined && !this.hasDrawn && !this.isDone);
  readonly canCall = $derived(this.step.calls === true && !this.hasCalled && !this.isDone);

  constructor() {
    this.#begin(0);
  }

  #begin(index: number): void {
    this.index = index;
    const step = STEPS[index];
    this.hasCalled = this.hasDrawn = this.isPicking = this.isDone = false;
    this.remark = null;
    if (step === undefined) return;
    this.hand = step.hand;
    this.top = step.top;
    this.color = step.color;
  }

  next(): void {
    this.#begin(this.index + 1);
  }

  draw(): void {
    const { drawn } = this.step;
    if (!this.canDraw || drawn === undefined) return;
    this.hasDrawn = true;
    this.remark = null;
    this.hand = [...this.hand, drawn];
  }

  call(): void {
    if (this.canCall) this.hasCalled = true;
    this.remark = null;
  }

  play(card: string): void {
    if (this.isDone || this.isPicking) return;
    this.remark = this.#refuse(card);
    if (this.remark !== null) return;
    this.hand = this.hand.filter((held) => held !== card);
    this.top = card;
    const { color } = parseCard(card);
    if (color === null) this.isPicking = true;
    else this.#finish(color);
  }

  name(color: Color): void {
    this.isPicking = false;
    this.#finish(color);
  }

  #finish(color: Color): void {
    this.color = color;
    this.isDone = true;
  }

  #refuse(card: string): { key: Key; card: string } | null {
    const { wanted, calls } = this.step;
    if (!fits(card, this.top, this.color)) return { key: "learn.misfit", card };
    if (wanted !== undefined && !wanted.includes(card)) return { key: "learn.other", card };
    return calls === true && !this.hasCalled ? { key: "learn.call_first", card } : null;
  }
}
