/** One game as this seat sees it: the latest view, what led to it, and what was asked of the host. */

import { SvelteMap, SvelteSet } from "svelte/reactivity";
import type { Color, MessageId, NewGameResponse, Reaction, ServerMessage, View } from "./contract";
import type { Analysis, Reason } from "./found";
import { Analyst } from "./local/analyst";
import { logOf, type LogEntry } from "./log";
import { readerOf } from "./narration";
import { parseAction } from "./notation";
import { followHand, orderHand } from "./order";
import { preferences, type Budget } from "./preferences.svelte";
import { refusalWords } from "./refusals";
import { hostOf, type Connection, type Link } from "./host";
import { play, soundsOf } from "./sound";
import { isGameOver } from "./status";
import { markOver } from "./storage";
import { levelWith } from "./values";

/** A card on the discard pile, with where it came from. */
export interface Discard {
  key: number;
  card: string;
  color: Color | null;
  seat: number | null;
}

/** What to do, in short. */
export interface Hint {
  action: string;
  /** Actions whose value is not lower. */
  level: string[];
  value: number | null;
  reasons: Reason[];
}

interface Pending {
  id: string;
  ply: number;
  action: string;
  isAcknowledged: boolean;
}

const SHOWN_DISCARDS = 4;
const REACTION_MS = 5_000;

export class Game {
  view = $state.raw<View | null>(null);
  previous: View | null = null;
  /** As it was first shown: a later one must not pass for it. */
  dealHash = "";
  numViews = $state(0);
  log = $state.raw<LogEntry[]>([]);
  discards = $state.raw<Discard[]>([]);
  link = $state.raw<Link>({ state: "connecting" });
  pending = $state.raw<Pending | null>(null);
  problem = $state<string | null>(null);
  /** When an open window closes, in milliseconds as `performance.now()` counts. */
  closesAt = $state<number | null>(null);
  analysis = $state.raw<Analysis | null>(null);
  analysisProblem = $state<string | null>(null);
  /** The decision that a hint is wanted for. */
  #hintFor = $state<string | null>(null);
  /** The decision that the analysis is about. */
  #analysisFor = $state<string | null>(null);

  /** The cards of this seat as they came. */
  #arrived = $state.raw<string[]>([]);
  /** Whether the cards of a round have just been dealt. */
  isDeal = $state(false);

  /** The cards of this seat, in the order that the person likes. */
  readonly hand = $derived(orderHand(this.#arrived, preferences.handOrder));
  /** Names what is to be decided; changes with every decision. */
  readonly question = $derived(this.view && `${this.view.round}/${this.view.ply}/${this.view.legal.join(" ")}`);
  readonly #wantsHint = $derived(this.#hintFor !== null && this.#hintFor === this.question);
  /** What the analysis found for this decision, once it is done. */
  readonly #answer = $derived(this.#analysisFor === this.question && this.analysis?.done ? this.analysis : null);
  /** The analysis in short: a hint is never another search than the one that the panel shows. */
  readonly hint = $derived.by<Hint | null>(() => {
    const found = this.#wantsHint ? this.#answer : null;
    if (!found?.best) return null;
    const level = levelWith(found.actions, found.best).map((action) => action.action);
    return { action: found.best, level, value: found.value, reasons: found.reasons };
  });
  readonly isHinting = $derived(this.#wantsHint && this.#answer === null && this.analysisProblem === null);
  readonly names = $derived(this.view === null ? [] : readerOf(this.view).names);
  readonly isMine = $derived((this.view?.legal.length ?? 0) > 0 && this.pending === null);

  /** Reactions that are shown, by seat. */
  readonly reactions = new SvelteMap<number, Reaction>();
  /** Seats whose reactions this person does not want to see. */
  readonly muted = new SvelteSet<number>();
  readonly #fading = new Map<number, number>();
  readonly #connection: Connection;
  #nextId = 1;
  #nextKey = 1;
  /** Thinks on this device, wherever the game is. */
  readonly #analyst = new Analyst(
    (analysis) => (this.analysis = analysis),
    (problem) => this.#failAnalysis(problem),
  );

  constructor(
    readonly id: string,
    readonly token: string,
  ) {
    this.#connection = hostOf(id).connect(id, token, {
      onMessage: (message) => this.#hear(message),
      onLink: (link) => this.#linked(link),
      since: () => this.log.at(-1)?.n ?? null,
    });
  }

  close(): void {
    this.#analyst.close();
    this.#connection.close();
  }

  reconnect(): void {
    this.#connection.reconnect();
  }

  // What this seat does

  act(action: string): void {
    const view = this.view;
    if (!view || this.pending || !view.legal.includes(action)) return;
    this.problem = null;
    this.pending = { id: this.#newId(), ply: view.ply, action, isAcknowledged: false };
    this.#sendPending();
  }

  nextRound(): void {
    this.#connection.send({ type: "next" });
  }

  /** Lets an agent play; this person watches. */
  delegate(): void {
    this.#connection.send({ type: "delegate" });
  }

  react(reaction: Reaction): void {
    this.#connection.send({ type: "react", reaction });
  }

  toggleMuted(seat: number): void {
    if (!this.muted.delete(seat)) this.muted.add(seat);
  }

  /** An agent played meanwhile. */
  comeBack(): void {
    this.#connection.send({ type: "back" });
  }

  rematch(): Promise<NewGameResponse> {
    return hostOf(this.id).askRematch(this.id, this.token);
  }

  /** Shows what the analysis says, and starts one unless it runs already. */
  askHint(analyst: string, budget: Budget): void {
    this.#hintFor = this.question;
    if (this.#analysisFor !== this.question) this.analyse(analyst, budget);
  }

  analyse(analyst: string, budget: Budget): void {
    this.stopAnalysis();
    this.analysis = null;
    this.analysisProblem = null;
    const view = this.view;
    if (view?.seat == null) return;
    this.#analysisFor = this.question;
    void this.#analyst.ask(analyst, budget, { view, log: this.log });
  }

  stopAnalysis(): void {
    this.#analyst.stop();
    if (this.analysis?.done !== true) this.#analysisFor = null;
  }

  #failAnalysis(problem: string): void {
    this.analysisProblem = problem;
    this.#analysisFor = null;
    if (this.#wantsHint) this.problem = problem;
  }

  // What the host says

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case "view":
        this.#see(message.view);
        break;
      case "ack":
        // Its result is in the next view; until then nothing can be done.
        if (this.pending?.id === message.id) this.pending = { ...this.pending, isAcknowledged: true };
        break;
      case "refused":
        this.#refused(message.id, refusalWords(message.error).message);
        break;
      case "reaction":
        this.#showReaction(message.seat, message.reaction);
        break;
    }
  }

  #showReaction(seat: number, reaction: Reaction): void {
    const isOwn = seat === this.view?.seat;
    if (!isOwn && (!preferences.reactions || this.muted.has(seat))) return;
    this.reactions.set(seat, reaction);
    clearTimeout(this.#fading.get(seat));
    this.#fading.set(
      seat,
      window.setTimeout(() => this.reactions.delete(seat), REACTION_MS),
    );
  }

  #refused(id: MessageId | null, reason: string): void {
    if (this.pending?.id === id) this.pending = null;
    else if (id !== null) return;
    this.problem = reason;
  }

  #linked(link: Link): void {
    this.link = link;
    if (link.state === "lost") this.stopAnalysis();
  }

  #see(view: View): void {
    const before = this.view;
    if (this.dealHash === "") this.dealHash = view.deal_hash;
    const isNewRound = before?.round !== view.round;
    const heard = isNewRound ? 0 : (this.log.at(-1)?.n ?? 0);
    const told = logOf(view);
    const news = told.filter((entry) => entry.n > heard);
    this.#settle(view);
    if (before?.ply !== view.ply || isNewRound) {
      this.problem = null;
      this.stopAnalysis();
    }
    if (isNewRound) this.analysis = null;
    this.previous = isNewRound ? null : before;
    this.log = isNewRound ? told : [...this.log, ...news];
    this.#discard(view, isNewRound, news);
    this.#arrived = isNewRound ? view.hand : followHand(this.#arrived, view.hand);
    this.isDeal = isNewRound && view.log.every((entry) => !entry.action);
    this.closesAt = view.deadline === null ? null : performance.now() + view.deadline * 1000;
    const wasSeen = before !== null || this.isDeal;
    this.view = view;
    this.numViews += 1;
    // After a reload nothing has happened that was not heard before.
    if (wasSeen) soundsOf(view, news, this.isDeal).forEach(play);
    if (isGameOver(view)) markOver(view.game);
  }

  /** An action sent on a connection that was lost is sent again, unless it has counted. */
  #settle(view: View): void {
    const pending = this.pending;
    if (pending === null) return;
    const isSettled = pending.isAcknowledged || view.ply !== pending.ply || !view.legal.includes(pending.action);
    if (isSettled) this.pending = null;
    else this.#sendPending();
  }

  #sendPending(): void {
    if (this.pending === null) return;
    const { id, ply, action } = this.pending;
    this.#connection.send({ type: "act", id, ply, action });
  }

  #discard(view: View, isNewRound: boolean, news: LogEntry[]): void {
    const pile = isNewRound ? [] : [...this.discards];
    const isFirst = pile.length === 0;
    const add = (card: string, color: Color | null, seat: number | null): void => {
      pile.push({ key: this.#nextKey++, card, color, seat });
    };
    if (!isFirst) {
      for (const entry of news) {
        if (!entry.action) continue;
        const action = parseAction(entry.action);
        if (action.card) add(action.card, action.color, entry.seat);
      }
    }
    const top = pile.at(-1);
    if (top?.card !== view.top_card) add(view.top_card, view.active_color, null);
    else if (top.color !== view.active_color) pile[pile.length - 1] = { ...top, color: view.active_color };
    this.discards = pile.slice(-SHOWN_DISCARDS);
  }

  #newId(): string {
    return String(this.#nextId++);
  }
}
