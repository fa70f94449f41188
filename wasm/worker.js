/**
 * An engine in a Web Worker or a worker thread of Node, so that a search never blocks a frame.
 *
 * The worker calls `serve(port)`, the page `new RemoteEngine(worker, source)`. A request is `{ id, call, fields }`,
 * with the names and fields of `Engine.call`; its answer is `{ id, answer }` or `{ id, error, isRefused }`.
 */
import { Engine, LastcardError } from "./lastcard.js";

/**
 * @typedef {object} Port What a worker and its page talk through.
 * @property {(message: any, transfer?: any) => void} postMessage
 * @property {(type: string, listener: (event: any) => void) => void} [addEventListener]
 * @property {(type: string, listener: (data: any) => void) => void} [on] As worker threads of Node have it.
 * @property {() => void} [terminate]
 */

/**
 * @param {Port} port
 * @param {string} type
 * @param {(data: any) => void} listener
 */
function listen(port, type, listener) {
  if (port.on) port.on(type, listener);
  else port.addEventListener?.(type, (event) => listener(type === "message" ? event.data : event));
}

/**
 * Answers the requests of a page. Call it in the worker, with `self` or with `parentPort` of Node.
 *
 * @param {Port} port
 */
export function serve(port) {
  /** @type {Promise<Engine> | undefined} */
  let loading;
  let current = 0;
  listen(port, "message", async ({ id, call, fields }) => {
    try {
      if (call === "start" && !loading) {
        const { source, flag } = fields;
        loading = Engine.load(source);
        const engine = await loading;
        if (flag) engine.stopWhen(() => Atomics.load(new Int32Array(flag), 0) >= current);
        return port.postMessage({ id, answer: null });
      }
      if (!loading) throw new LastcardError("the engine is not started");
      const engine = await loading;
      current = id;
      const answer = call === "load_network" ? engine.loadNetwork(fields.name, fields.bytes) : engine.call(call, fields);
      port.postMessage({ id, answer });
    } catch (error) {
      const isRefused = error instanceof LastcardError;
      port.postMessage({ id, error: error instanceof Error ? error.message : String(error), isRefused });
    }
  });
}

/**
 * The engine of a worker. Its calls are those of `Engine.call`, and answer later.
 *
 * A call that is refused fails with a `LastcardError`. If the core crashes or the worker ends, all calls fail with
 * another error: end the worker and start another.
 */
export class RemoteEngine {
  #port;
  #flag;
  #last = 0;
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  #started;
  /** @type {Error | undefined} */
  #death;

  /**
   * @param {Port} worker One that runs `serve`.
   * @param {BufferSource | WebAssembly.Module} source The bytes of `lastcard.wasm`, or its compiled module.
   */
  constructor(worker, source) {
    this.#port = worker;
    // Pages share memory with workers only if their server isolates them; without, a search runs to its end.
    this.#flag = typeof SharedArrayBuffer === "undefined" ? null : new Int32Array(new SharedArrayBuffer(4));
    listen(worker, "message", (message) => this.#receive(message));
    listen(worker, "error", ({ message }) => this.#die(`the worker failed: ${message ?? "it cannot be loaded"}`));
    listen(worker, "messageerror", () => this.#die("an answer of the worker cannot be read"));
    listen(worker, "exit", (code) => this.#die(`the worker ended with code ${code}`));
    this.#started = this.#send("start", { source, flag: this.#flag?.buffer });
    this.#started.catch(() => undefined); // the first call says so
  }

  /** Whether every call fails: the core crashed, or the worker failed, ended or was closed. */
  get isDead() {
    return this.#death !== undefined;
  }

  /**
   * @param {string} name
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<any>}
   */
  async call(name, fields = {}) {
    await this.#started;
    return this.#send(name, fields);
  }

  /**
   * @param {string} name
   * @param {Uint8Array} bytes
   * @returns {Promise<{ players: number }>}
   */
  async loadNetwork(name, bytes) {
    await this.#started;
    return this.#send("load_network", { name, bytes });
  }

  /**
   * Stops the calls made so far, which then fail with "stopped".
   *
   * @returns {boolean} False where the page shares no memory with the worker: close the engine instead.
   */
  stop() {
    if (!this.#flag) return false;
    Atomics.store(this.#flag, 0, this.#last);
    return true;
  }

  /** Ends the worker. Calls that wait for it fail: browsers tell nobody that a worker was terminated. */
  close() {
    this.#die("the engine was closed");
    this.#port.terminate?.();
  }

  /**
   * @param {string} call
   * @param {Record<string, unknown>} fields
   * @returns {Promise<any>}
   */
  #send(call, fields) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      if (this.#death) throw this.#death;
      try {
        this.#port.postMessage({ id, call, fields });
      } catch (error) {
        throw new LastcardError(`the fields of ${call} cannot be sent: ${error}`);
      }
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /** @param {{ id: number, answer?: any, error?: string, isRefused?: boolean }} message */
  #receive({ id, answer, error, isRefused }) {
    if (error !== undefined && !isRefused) return this.#die(error);
    const asked = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) asked?.resolve(answer);
    else asked?.reject(new LastcardError(error));
  }

  /** @param {string} reason */
  #die(reason) {
    this.#death ??= new Error(reason);
    for (const { reject } of this.#waiting.values()) reject(this.#death);
    this.#waiting.clear();
  }
}
