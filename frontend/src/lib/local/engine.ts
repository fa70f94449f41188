/** Engines: the core as WebAssembly, each in a Web Worker of its own, so that no search blocks a frame. */

import { RemoteEngine } from "../../../../wasm/worker.js";
import { ApiError, reasonOf } from "../api";
import { t } from "../i18n.svelte";
import { wordsWithReason } from "../refusals";

const FOLDER = "engine/";
let module: Promise<WebAssembly.Module> | null = null;
const networks = new Map<string, Promise<Uint8Array>>();

async function fetchFile(name: string): Promise<Response> {
  // Under its version the browser keeps a file for ever; a site has none.
  const version = document.querySelector<HTMLMetaElement>('meta[name="lastcard-engine"]')?.content;
  const address = FOLDER + name + (version ? `?v=${version}` : "");
  let response: Response;
  try {
    response = await fetch(new URL(address, document.baseURI));
  } catch {
    throw new ApiError(t("engine.offline"), 0);
  }
  if (response.status === 404) throw new ApiError(t("engine.missing"), 404);
  if (!response.ok) throw new ApiError(t("engine.status", { status: String(response.status) }), response.status);
  return response;
}

async function compile(): Promise<WebAssembly.Module> {
  if (typeof WebAssembly === "undefined") {
    throw new ApiError(t("engine.no_wasm"), 0);
  }
  const response = await fetchFile("lastcard.wasm");
  try {
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (error) {
    throw new ApiError(t("engine.refused", { reason: reasonOf(error) }), 0);
  }
}

/** Loads once; tries again after a failure. */
function once<T>(held: Promise<T> | null | undefined, load: () => Promise<T>, set: (held: Promise<T> | null) => void) {
  if (held) return held;
  const loading = load();
  set(loading);
  loading.catch(() => set(null));
  return loading;
}

const loadModule = (): Promise<WebAssembly.Module> => once(module, compile, (held) => (module = held));

export function loadNetwork(name: string): Promise<Uint8Array> {
  return once(
    networks.get(name),
    async () => new Uint8Array(await (await fetchFile(`${name}.safetensors`)).arrayBuffer()),
    (held) => (held ? networks.set(name, held) : networks.delete(name)),
  );
}

/** The core refuses a call. Its reason is in English; the caller knows what the person did, and can say that. */
export class EngineError extends ApiError {
  constructor(readonly reason: string) {
    const { message, ...words } = wordsWithReason("engine.refused_call", reason);
    super(message, 422, null, words);
  }

  /** What the person did cannot be done, and why. */
  as(key: "refusal.bad_record" | "refusal.bad_rules", field: string): ApiError {
    const { message, ...words } = wordsWithReason(key, this.reason);
    return new ApiError(message, 422, field, words);
  }
}

/** Lets a refusal of the core say what the person did. */
export function sayingWhat(...what: Parameters<EngineError["as"]>): (error: unknown) => never {
  return (error) => {
    throw error instanceof EngineError ? error.as(...what) : error;
  };
}

export class Engine {
  readonly #worker: Worker;
  readonly #remote: RemoteEngine;
  readonly #dead: Promise<never>;
  readonly #loaded = new Map<string, Promise<unknown>>();
  #die: (error: Error) => void = () => undefined;
  isDead = false;

  static async start(): Promise<Engine> {
    return new Engine(await loadModule());
  }

  private constructor(source: WebAssembly.Module) {
    this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.#dead = new Promise((_, reject) => {
      this.#die = (error) => {
        this.isDead = true;
        reject(error);
      };
    });
    this.#dead.catch(() => undefined);
    const fail = (): void => this.#die(new ApiError(t("engine.stopped"), 0));
    this.#worker.addEventListener("error", fail);
    this.#worker.addEventListener("messageerror", fail);
    this.#remote = new RemoteEngine(this.#worker, source);
  }

  /** Makes a call of the core; docs/reference/javascript.md lists them. */
  async call<T>(name: string, fields: Record<string, unknown> = {}): Promise<T> {
    try {
      return (await Promise.race([this.#remote.call(name, fields), this.#dead])) as T;
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError || /unreachable|memory access/.test(String(error)))
        this.#die(error as Error);
      if (error instanceof ApiError) throw error;
      throw new EngineError(error instanceof Error ? error.message : String(error));
    }
  }

  /** Loads networks that agents need, each once. */
  async loadNetworks(names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (!this.#loaded.has(name)) {
        this.#loaded.set(
          name,
          loadNetwork(name).then((bytes) => this.#remote.loadNetwork(name, bytes)),
        );
      }
      try {
        await Promise.race([this.#loaded.get(name), this.#dead]);
      } catch (error) {
        this.#loaded.delete(name);
        networks.delete(name); // a file that does not fit is loaded again as well
        throw error instanceof ApiError
          ? error
          : new ApiError(t("engine.network", { name, reason: reasonOf(error) }), 0);
      }
    }
  }

  stop(): void {
    this.#die(new ApiError("stopped", 0));
    this.#worker.terminate();
  }
}
