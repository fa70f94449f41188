/** A socket that joins a game, and joins again when the connection is lost. */

import type { ClientMessage, ServerMessage } from "./contract";
import type { Connection, Handlers } from "./host";
import { refusalWords } from "./refusals";

const FIRST_DELAY = 400;
const LONGEST_DELAY = 10_000;
const PING_EVERY = 20_000;
const SILENCE = 45_000;

export class GameSocket implements Connection {
  #socket: WebSocket | null = null;
  #failures = 0;
  #retry: number | undefined;
  #ping: number | undefined;
  #heardAt = 0;
  #closed = false;

  constructor(
    private readonly game: string,
    private readonly token: string,
    private readonly handlers: Handlers,
  ) {
    window.addEventListener("online", this.reconnect);
    this.#open();
  }

  /** Tries immediately instead of waiting for the next attempt. */
  readonly reconnect = (): void => {
    if (this.#closed || this.#socket !== null) return;
    clearTimeout(this.#retry);
    this.#open();
  };

  /** Sends, and says whether there was a connection to send on. */
  send(message: ClientMessage): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.#closed = true;
    window.removeEventListener("online", this.reconnect);
    clearTimeout(this.#retry);
    clearInterval(this.#ping);
    this.#socket?.close();
    this.#socket = null;
  }

  #open(): void {
    const address = new URL("ws", document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.handlers.onLink({ state: "connecting" });
    socket.onopen = () => {
      const since = this.handlers.since();
      this.send({ type: "join", game: this.game, token: this.token, ...(since === null ? {} : { since }) });
      this.#heardAt = Date.now();
      this.#ping = window.setInterval(() => this.#keepAlive(), PING_EVERY);
    };
    socket.onmessage = (event: MessageEvent<string>) => this.#hear(JSON.parse(event.data) as ServerMessage);
    socket.onclose = () => {
      if (this.#socket === socket) this.#lose();
    };
  }

  #hear(message: ServerMessage): void {
    this.#heardAt = Date.now();
    if (message.type === "error") {
      this.handlers.onLink({ state: "refused", message: refusalWords(message.error).message });
      this.close();
      return;
    }
    if (message.type === "view") {
      this.#failures = 0;
      this.handlers.onLink({ state: "open" });
    }
    this.handlers.onMessage(message);
  }

  /** A connection can be dead without being closed: after a long silence it counts as lost. */
  #keepAlive(): void {
    if (Date.now() - this.#heardAt > SILENCE) this.#lose();
    else this.send({ type: "ping" });
  }

  #lose(): void {
    clearInterval(this.#ping);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    if (this.#closed) return;
    // Jitter: after a restart of the server not every page may knock at the same moment.
    const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.#failures) * (0.75 + Math.random() / 2);
    this.#failures += 1;
    this.handlers.onLink({ state: "lost", retryAt: Date.now() + delay });
    this.#retry = window.setTimeout(() => this.#open(), delay);
  }
}
