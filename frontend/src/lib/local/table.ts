/** A table on this device: the engine referees, this file keeps the time and stores every change. */

import { freshSeed } from "../../../../wasm/lastcard.js";
import { problemOf } from "../api";
import { t } from "../i18n.svelte";
import type { Act, ClientMessage, View } from "../contract";
import type { Connection, Handlers } from "../host";
import { studyHash } from "../route";
import { isGameOver } from "../status";
import { fetchAhead } from "./analyst";
import { Engine } from "./engine";
import { readGame, updateGame, type StoredGame } from "./store";

const RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
const WINDOWS: readonly string[] = ["catch", "jump_in"];

interface Opened {
  table: number;
  networks: string[];
}

export const seedText = (): string => freshSeed().toString(16);

const sleep = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

export class LocalTable implements Connection {
  #engine: Engine | null = null;
  #table = 0;
  /** The game with its latest record. */
  #game: StoredGame | null = null;
  /** The record that is stored, as far as this page knows: an older one after a write that failed. */
  #known = "";
  #view: View | null = null;
  #closed = false;
  /** Calls that change the table, one after the other. */
  #queue: Promise<void> = Promise.resolve();
  #isDriving = false;
  /** What stopped the engine, until another is there. */
  #trouble: { reason?: string } = {};
  /** How often no other could be started. */
  #failures = 0;
  #window: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly game: string,
    private readonly handlers: Handlers,
  ) {
    this.reconnect();
  }

  reconnect(): void {
    clearTimeout(this.#retry);
    this.#enqueue(async () => {
      if (this.#engine === null) await this.#open();
    });
  }

  send(message: ClientMessage): boolean {
    if (this.#engine === null || this.#closed) return false;
    if (message.type === "act") this.#do(() => this.#act(message));
    else if (message.type === "next") this.#do(() => this.#next());
    return true;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#window);
    clearTimeout(this.#retry);
    removeEventListener("beforeunload", this.#warn);
    this.#engine?.stop();
    this.#engine = null;
  }

  /** What could not be stored ends with the page. */
  readonly #warn = (event: BeforeUnloadEvent): void => event.preventDefault();

  get #isStored(): boolean {
    return this.#game?.text === this.#known;
  }

  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(async () => {
      if (this.#closed) return;
      try {
        await work();
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  /** Enqueues what needs an engine: if it has died by then, the page asks again once another is there. */
  #do(work: () => Promise<void>): void {
    this.#enqueue(async () => {
      if (this.#engine !== null) await work();
    });
  }

  /** An engine that died is replaced, with the game as it stands. */
  #fail(error: unknown): void {
    if (this.#closed) return;
    if (this.#engine !== null && !this.#engine.isDead) {
      this.handlers.onMessage({ type: "refused", id: null, error: { message: problemOf(error).message } });
      return;
    }
    const wasOpen = this.#engine !== null;
    this.#engine?.stop();
    this.#engine = null;
    const { message, status } = problemOf(error);
    // Nothing would be lost by loading the page again, or nothing is left.
    if (!wasOpen && (this.#view === null || status === 404)) return this.handlers.onLink({ state: "refused", message });
    if (!wasOpen) this.#trouble = { reason: message };
    else if (this.#isStored) this.#trouble = { reason: t("engine.stopped_stored") };
    else this.#trouble = { reason: t("device.unstored", { reason: t("engine.stopped") }) };
    const delay = wasOpen ? RETRY_MS : Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** ++this.#failures);
    this.handlers.onLink({ state: "lost", retryAt: Date.now() + delay, ...this.#trouble });
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.reconnect(), delay);
  }

  async #open(): Promise<void> {
    this.handlers.onLink({ state: "connecting", ...this.#trouble });
    const before = this.#game;
    const { text, seats, seat, length } = await this.#read();
    // A record that was imported has no table.
    if (seat === null) return location.replace(studyHash(this.game));
    const engine = await Engine.start();
    try {
      const opened = await engine.call<Opened>("resume_table", { text, seats, length, seed: seedText() });
      await engine.loadNetworks(opened.networks);
      this.#table = opened.table;
      await engine.call("settle", { table: this.#table });
    } catch (error) {
      engine.stop();
      throw error;
    }
    if (this.#closed) return engine.stop();
    this.#engine = engine;
    this.#trouble = {};
    this.#failures = 0;
    this.handlers.onLink({ state: "open" });
    await this.#show();
    if (before !== null && before !== this.#game)
      this.handlers.onMessage({ type: "refused", id: null, error: { message: t("device.elsewhere") } });
    void fetchAhead(engine, this.#view?.rules.text);
  }

  /** The game as it is stored, unless this page has played on from there. */
  async #read(): Promise<StoredGame> {
    const held = this.#game;
    const stored = await readGame(this.game).catch((error: unknown) => {
      if (held === null || problemOf(error).status === 404) throw error;
      return held;
    });
    if (held !== null && (stored === held || stored.text === this.#known)) return held;
    removeEventListener("beforeunload", this.#warn);
    this.#game = stored;
    this.#known = stored.text;
    return stored;
  }

  #call<T>(name: string, fields: Record<string, unknown> = {}): Promise<T> {
    if (this.#engine === null) throw new Error("the table is not open");
    return this.#engine.call<T>(name, { table: this.#table, ...fields });
  }

  /** Stores the record, shows the table, and lets the agents continue. */
  async #show(): Promise<void> {
    const game = this.#game;
    if (game === null || game.seat === null) return;
    clearTimeout(this.#window);
    const since = this.handlers.since() ?? 0;
    let view = await this.#call<View>("view_table", { game: this.game, seat: game.seat, since });
    const isWindow = WINDOWS.includes(view.phase) && view.legal.includes("pass");
    if (isWindow) view = { ...view, deadline: game.window };
    game.text = await this.#call<string>("write_record");
    this.#view = view;
    let problem: string | null = null;
    const hasEnded = isGameOver(view) && game.ended === undefined;
    if (!this.#isStored || hasEnded) {
      if (hasEnded) game.ended = new Date().toISOString();
      try {
        if (!(await this.#write(game))) return this.#follow();
        removeEventListener("beforeunload", this.#warn);
      } catch (error) {
        addEventListener("beforeunload", this.#warn);
        problem = t("device.unstored", { reason: problemOf(error).message });
      }
    }
    this.handlers.onMessage({ type: "view", view });
    if (problem !== null) this.handlers.onMessage({ type: "refused", id: null, error: { message: problem } });
    if (isWindow) this.#window = setTimeout(() => this.#do(() => this.#pass(view.ply)), game.window * 1000);
    if (!this.#isDriving && this.#isForAgent(view)) void this.#drive();
  }

  /** Stores the record, unless another tab has changed the stored one. */
  async #write({ text, ended }: StoredGame): Promise<boolean> {
    const told = await updateGame(this.game, (now) =>
      now.text === this.#known ? { ...now, text, ...(ended === undefined ? {} : { ended }) } : undefined,
    );
    if (told === "changed") this.#known = text;
    return told === "changed";
  }

  /** Another tab played on, or deleted the game: shows what is stored. */
  async #follow(): Promise<void> {
    removeEventListener("beforeunload", this.#warn);
    this.#engine?.stop();
    this.#engine = null;
    await this.#open();
  }

  #isForAgent(view: View | null): boolean {
    return view !== null && view.outcome === null && view.to_act !== null && view.to_act !== view.seat;
  }

  /** Agents decide, one after the other, until the person is asked. */
  async #drive(): Promise<void> {
    this.#isDriving = true;
    while (!this.#closed && this.#engine !== null && this.#isForAgent(this.#view)) {
      const pause = sleep(this.#game?.pace ?? 0);
      this.#do(async () => {
        await Promise.all([this.#call("step"), pause]);
        await this.#show();
      });
      const before = this.#view;
      await this.#queue;
      if (this.#view === before) break;
    }
    this.#isDriving = false;
  }

  async #act({ id, ply, action }: Act): Promise<void> {
    const view = this.#view;
    if (view === null || view.ply !== ply || !view.legal.includes(action)) {
      this.handlers.onMessage({ type: "refused", id, error: { message: t("device.not_now") } });
      return;
    }
    await this.#call("act", { action });
    this.handlers.onMessage({ type: "ack", id, ply });
    await this.#show();
  }

  /** The time of a window is over. */
  async #pass(ply: number): Promise<void> {
    if (this.#view?.ply !== ply || !this.#view.legal.includes("pass")) return;
    await this.#call("act", { action: "pass" });
    await this.#show();
  }

  async #next(): Promise<void> {
    await this.#call("next_round");
    await this.#show();
  }
}
