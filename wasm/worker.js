/**
 * An engine in a Web Worker or a worker thread of Node, so that a search never blocks a frame.
 *
 * The worker calls `serve(port)`, the page `new RemoteEngine(worker, source)`. A request is `{ id, call, ...fields }`,
 * the names and fields of `Engine.call`; its answer is `{ id, answer }` or `{ id, error }`.
 */
import { Engine, LastcardError } from "./lastcard.js";

/**
 * @typedef {object} Port What a worker and its page talk through.
 * @property {(message: any, transfer?: any) => void} postMessage
 * @property {(type: "message", listener: (event: any) => void) => void} [addEventListener]
 * @property {(type: "message", listener: (data: any) => void) => void} [on] As worker threads of Node have it.
 */

/**
 * @param {Port} port
 * @param {(data: any) => void} listener
 */
function listen(port, listener) {
  if (port.on) port.on("message", listener);
  else port.addEventListener?.("message", (event) => listener(event.data));
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
  listen(port, async ({ id, call, source, flag, name, bytes, ...fields }) => {
    try {
      if (call === "start") {
        loading = Engine.load(source);
        const engine = await loading;
        if (flag) engine.stopWhen(() => Atomics.load(new Int32Array(flag), 0) >= current);
        return port.postMessage({ id, answer: null });
      }
      if (!loading) throw new LastcardError("the engine is not started");
      const engine = await loading;
      current = id;
      const answer = bytes ? engine.loadNetwork(name, bytes) : engine.call(call, fields);
      port.postMessage({ id, answer });
    } catch (error) {
      port.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
}

/** The engine of a worker. Its calls are those of `Engine.call`, and answer later. */
export class RemoteEngine {
  #port;
  #flag;
  #last = 0;
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  #started;

  /**
   * @param {Port} worker One that runs `serve`.
   * @param {BufferSource | WebAssembly.Module} source The bytes of `lastcard.wasm`, or its compiled module.
   */
  constructor(worker, source) {
    this.#port = worker;
    // Pages share memory with workers only if their server isolates them; without, a search runs to its end.
    this.#flag = typeof SharedArrayBuffer === "undefined" ? null : new Int32Array(new SharedArrayBuffer(4));
    listen(worker, (message) => this.#receive(message));
    this.#started = this.#send({ call: "start", source, flag: this.#flag?.buffer });
  }

  /**
   * @param {string} name
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<any>}
   */
  async call(name, fields = {}) {
    await this.#started;
    return this.#send({ call: name, ...fields });
  }

  /**
   * @param {string} name
   * @param {Uint8Array} bytes
   * @returns {Promise<{ players: number }>}
   */
  async loadNetwork(name, bytes) {
    await this.#started;
    return this.#send({ call: "load_network", name, bytes });
  }

  /**
   * Stops the calls made so far, which then fail with "stopped".
   *
   * @returns {boolean} False where the page shares no memory with the worker: terminate the worker instead.
   */
  stop() {
    if (!this.#flag) return false;
    Atomics.store(this.#flag, 0, this.#last);
    return true;
  }

  /**
   * @param {Record<string, unknown>} request
   * @returns {Promise<any>}
   */
  #send(request) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#port.postMessage({ id, ...request });
    });
  }

  /** @param {{ id: number, answer?: any, error?: string }} message */
  #receive({ id, answer, error }) {
    const asked = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) asked?.resolve(answer);
    else asked?.reject(new LastcardError(error));
  }
}
