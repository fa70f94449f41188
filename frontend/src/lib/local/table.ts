/** A table on this device: the engine referees, this file keeps the time and stores every change. */

import { freshSeed } from "../../../../wasm/lastcard.js";
import { problemOf } from "../api";
import { t } from "../i18n.svelte";
import type { Act, ClientMessage, View } from "../contract";
import type { Connection, Handlers } from "../host";
import { isGameOver } from "../status";
import { fetchAhead } from "./analyst";
import { Engine } from "./engine";
import { readGame, updateGame, type StoredGame } from "./store";

const RETRY_MS = 1000;
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
  #stored: StoredGame | null = null;
  /** The record that is stored, as far as this page knows: an older one after a write that failed. */
  #known = "";
  #view: View | null = null;
  #closed = false;
  /** Calls that change the table, one after the other. */
  #queue: Promise<void> = Promise.resolve();
  #isDriving = false;
  /** What stopped the engine, until another is there. */
  #trouble: { reason?: string } = {};
  #window: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly game: string,
    private readonly handlers: Handlers,
  ) {
    this.reconnect();
  }

  /** Opens the game from what is stored. */
  reconnect(): void {
    if (this.#engine !== null || this.#closed) return;
    this.#enqueue(() => this.#open());
  }

  send(message: ClientMessage): boolean {
    if (this.#engine === null || this.#closed) return false;
    if (message.type === "act") this.#enqueue(() => this.#act(message));
    else if (message.type === "next") this.#enqueue(() => this.#next());
    return true;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#window);
    this.#engine?.stop();
    this.#engine = null;
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

  /** An engine that died is started again, from what is stored. */
  #fail(error: unknown): void {
    if (this.#closed) return;
    if (this.#engine !== null && !this.#engine.isDead) {
      this.handlers.onMessage({ type: "refused", id: null, error: { message: problemOf(error).message } });
      return;
    }
    const wasOpen = this.#engine !== null;
    this.#engine?.stop();
    this.#engine = null;
    if (!wasOpen) return this.handlers.onLink({ state: "refused", message: problemOf(error).message });
    this.#trouble = { reason: t("engine.stopped") };
    this.handlers.onLink({ state: "lost", retryAt: Date.now() + RETRY_MS, ...this.#trouble });
    setTimeout(() => this.reconnect(), RETRY_MS);
  }

  async #open(): Promise<void> {
    this.handlers.onLink({ state: "connecting", ...this.#trouble });
    this.#stored = await readGame(this.game);
    this.#known = this.#stored.text;
    const engine = await Engine.start();
    const { text, seats, length } = this.#stored;
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
    this.handlers.onLink({ state: "open" });
    await this.#show();
    void fetchAhead(engine, this.#view?.rules.text);
  }

  #call<T>(name: string, fields: Record<string, unknown> = {}): Promise<T> {
    if (this.#engine === null) throw new Error("the table is not open");
    return this.#engine.call<T>(name, { table: this.#table, ...fields });
  }

  /** Stores the record, shows the table, and lets the agents continue. */
  async #show(): Promise<void> {
    const stored = this.#stored;
    if (stored === null || stored.seat === null) return;
    clearTimeout(this.#window);
    const since = this.handlers.since() ?? 0;
    let view = await this.#call<View>("view_table", { game: this.game, seat: stored.seat, since });
    const isWindow = WINDOWS.includes(view.phase) && view.legal.includes("pass");
    if (isWindow) view = { ...view, deadline: stored.window };
    const text = await this.#call<string>("write_record");
    this.#view = view;
    let problem: string | null = null;
    const hasEnded = isGameOver(view) && stored.ended === undefined;
    if (text !== this.#known || hasEnded) {
      if (hasEnded) stored.ended = new Date().toISOString();
      try {
        if (!(await this.#write(stored, text))) return this.#follow();
      } catch (error) {
        problem = t("device.unstored", { reason: problemOf(error).message });
      }
    }
    this.handlers.onMessage({ type: "view", view });
    if (problem !== null) this.handlers.onMessage({ type: "refused", id: null, error: { message: problem } });
    if (isWindow) this.#window = setTimeout(() => this.#enqueue(() => this.#pass(view.ply)), stored.window * 1000);
    if (!this.#isDriving && this.#isForAgent(view)) void this.#drive();
  }

  /** Stores the record, unless another tab has changed the stored one. */
  async #write({ ended }: StoredGame, text: string): Promise<boolean> {
    const told = await updateGame(this.game, (now) =>
      now.text === this.#known ? { ...now, text, ...(ended === undefined ? {} : { ended }) } : undefined,
    );
    if (told === "changed") this.#known = text;
    return told === "changed";
  }

  /** Another tab played on, or deleted the game: shows what is stored. */
  async #follow(): Promise<void> {
    this.#engine?.stop();
    this.#engine = null;
    await this.#open();
    this.handlers.onMessage({ type: "refused", id: null, error: { message: t("device.elsewhere") } });
  }

  #isForAgent(view: View | null): boolean {
    return view !== null && view.outcome === null && view.to_act !== null && view.to_act !== view.seat;
  }

  /** Agents decide, one after the other, until the person is asked. */
  async #drive(): Promise<void> {
    this.#isDriving = true;
    while (!this.#closed && this.#engine !== null && this.#isForAgent(this.#view)) {
      const pause = sleep(this.#stored?.pace ?? 0);
      this.#enqueue(async () => {
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
