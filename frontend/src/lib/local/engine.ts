/** Engines: the core as WebAssembly, each in a Web Worker of its own, so that no search blocks a frame. */

import { LastcardError } from "../../../../wasm/lastcard.js";
import { RemoteEngine } from "../../../../wasm/worker.js";
import { ApiError, reasonOf } from "../api";
import { t } from "../i18n.svelte";
import { wordsWithReason } from "../refusals";

const FOLDER = "engine/";
const ENGINE = "lastcard.wasm";
const NETWORK = ".safetensors";
let module: Promise<WebAssembly.Module> | null = null;
const networks = new Map<string, Promise<Uint8Array>>();

/** Fetches a file; "reload" bypasses all caches and replaces the copies in them. */
async function fetchFile(name: string, cache: RequestCache): Promise<ArrayBuffer> {
  // Under its version the browser keeps a file for ever; a site has none.
  const version = document.querySelector<HTMLMetaElement>('meta[name="lastcard-engine"]')?.content;
  const address = FOLDER + name + (version ? `?v=${version}` : "");
  let response: Response;
  try {
    response = await fetch(new URL(address, document.baseURI), { cache });
  } catch {
    throw new ApiError(t("engine.offline"), 0);
  }
  if (!response.ok) throw refusal(name, response.status);
  try {
    return await response.arrayBuffer();
  } catch {
    throw new ApiError(t("engine.offline"), 0);
  }
}

function refusal(name: string, code: number): ApiError {
  const status = String(code);
  if (name === ENGINE) return new ApiError(code === 404 ? t("engine.missing") : t("engine.status", { status }), code);
  const network = name.slice(0, -NETWORK.length);
  return new ApiError(t("engine.network", { name: network, reason: t("error.status", { status }) }), 0);
}

async function compile(): Promise<WebAssembly.Module> {
  if (typeof WebAssembly === "undefined") {
    throw new ApiError(t("engine.no_wasm"), 0);
  }
  const load = async (cache: RequestCache): Promise<WebAssembly.Module> =>
    WebAssembly.compile(await fetchFile(ENGINE, cache));
  try {
    return await load("default").catch((error: unknown) => {
      if (error instanceof ApiError) throw error;
      return load("reload"); // a cache may hold a part of it
    });
  } catch (error) {
    throw error instanceof ApiError ? error : cannotRun(error);
  }
}

const cannotRun = (error: unknown): ApiError => new ApiError(t("engine.refused", { reason: reasonOf(error) }), 0);

/** Loads once; tries again after a failure. */
function once<T>(held: Promise<T> | null | undefined, load: () => Promise<T>, set: (held: Promise<T> | null) => void) {
  if (held) return held;
  const loading = load();
  set(loading);
  loading.catch(() => set(null));
  return loading;
}

const loadModule = (): Promise<WebAssembly.Module> => once(module, compile, (held) => (module = held));

export function loadNetwork(name: string, cache: RequestCache = "default"): Promise<Uint8Array> {
  return once(
    cache === "reload" ? null : networks.get(name),
    async () => new Uint8Array(await fetchFile(name + NETWORK, cache)),
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
  readonly #remote: RemoteEngine;
  readonly #loaded = new Map<string, Promise<unknown>>();

  static async start(): Promise<Engine> {
    const source = await loadModule();
    try {
      return new Engine(source);
    } catch (error) {
      throw cannotRun(error); // browsers can be set to allow no workers
    }
  }

  private constructor(source: WebAssembly.Module) {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.#remote = new RemoteEngine(worker, source);
  }

  /** Whether no call can succeed any more: start another engine. */
  get isDead(): boolean {
    return this.#remote.isDead;
  }

  /** Makes a call of the core; docs/reference/javascript.md lists them. */
  async call<T>(name: string, fields: Record<string, unknown> = {}): Promise<T> {
    try {
      return (await this.#remote.call(name, fields)) as T;
    } catch (error) {
      if (error instanceof LastcardError) throw new EngineError(error.message);
      throw this.#crashed();
    }
  }

  /** Loads networks that agents need, each once. */
  async loadNetworks(names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (!this.#loaded.has(name)) this.#loaded.set(name, this.#load(name));
      try {
        await this.#loaded.get(name);
      } catch (error) {
        this.#loaded.delete(name);
        if (error instanceof ApiError) throw error;
        if (!(error instanceof LastcardError)) throw this.#crashed();
        networks.delete(name);
        throw new ApiError(t("engine.network", { name, reason: reasonOf(error) }), 0);
      }
    }
  }

  /** A file that does not fit is fetched again: a cache may hold a part of it, or that of another version. */
  async #load(name: string): Promise<void> {
    const bytes = await loadNetwork(name);
    try {
      await this.#remote.loadNetwork(name, bytes);
    } catch (error) {
      if (!(error instanceof LastcardError)) throw error;
      await this.#remote.loadNetwork(name, await loadNetwork(name, "reload"));
    }
  }

  /** After a crash nothing that the core holds can be relied on. */
  #crashed(): ApiError {
    this.stop();
    return new ApiError(t("engine.stopped"), 0);
  }

  stop(): void {
    this.#remote.close();
  }
}
