/**
 * The lastcard engine in JavaScript: rounds by the rules, and agents that see observations only.
 *
 * Everything is computed by the core, compiled to WebAssembly; this file carries values across. It runs in browsers,
 * in Web Workers and in Node.
 */

/**
 * @typedef {bigint | number | string} Seed A whole number from 0 to 2 ** 256 - 1; a string holds hexadecimal digits.
 * @typedef {string | (Record<string, unknown> & { preset?: string })} RulesLike Text such as "house players=3", or fields.
 * @typedef {string | (Record<string, unknown> & { agent: string })} AgentLike Text such as "halving:simulations=5000".
 * @typedef {{ winner: number | null, reason: string, points: number[] }} Outcome
 * @typedef {{ action: string, simulations: number, value: number, error: number }} ActionValue
 *
 * @typedef {object} Decision What an agent decided; searches say what led to it.
 * @property {string} best The action.
 * @property {ActionValue[]} [actions] Every action that was considered, the best first.
 * @property {string} [by_policy] What `heuristic` alone would have done.
 * @property {number} [simulations]
 * @property {string[]} [line] The choice, then what the search tried most after it.
 *
 * @typedef {{ action: string, simulations: number, value: number, rank: number, stays: boolean }} StageRow
 *
 * @typedef {object} TreeNode An action in a tree of actions.
 * @property {string} action
 * @property {number} seat
 * @property {number} simulations That took it; of `expectiminimax`, determinizations.
 * @property {number} value The win probability of the searching seat.
 * @property {string | null} [card] The card that is drawn, where `expectiminimax` tries several.
 * @property {boolean} [is_taken] Whether `expectiminimax` chooses it for a group.
 * @property {TreeNode[]} children
 *
 * @typedef {object} Steps The steps that led to a decision.
 * @property {Record<string, Record<string, number>>} belief How likely each opponent is to hold each card.
 * @property {StageRow[][]} [stages] The stages of `halving`, the best action of each first.
 * @property {TreeNode[]} [tree] The tree of a tree search, or the recursion of `expectiminimax` in its first group.
 *
 * @typedef {Decision & Steps} Explanation
 *
 * @typedef {object} Position
 * @property {string} top The top card, no Wild.
 * @property {string[]} hands The cards of each seat that are known, separated by spaces.
 * @property {number[]} sizes How many cards each seat holds.
 * @property {number} seat Whose turn it is.
 *
 * @typedef {object} State The truth of a round.
 * @property {number | null} seat The seat to act; null when the round is over.
 * @property {string} phase
 * @property {number} ply
 * @property {string} top_card
 * @property {string[][]} hands
 * @property {string[][]} reshuffles The order of each, top last.
 * @property {string[]} legal_actions
 * @property {Outcome | null} outcome
 *
 * @typedef {object} Observation What one seat may know; docs/reference/web-api.md lists every field.
 * @property {Record<string, unknown>} rules
 * @property {number} observer
 * @property {string[]} hand
 * @property {number[]} hand_sizes
 * @property {string} top_card
 * @property {string[]} discards
 * @property {number | null} seat
 * @property {string} phase
 * @property {string | null} active_color
 * @property {string[]} legal_actions
 * @property {string[]} history
 * @property {Outcome | null} outcome
 *
 * @typedef {object} Description The available choices.
 * @property {string} version
 * @property {{ name: string, kind: string, default: unknown, explanation: string }[]} rules Fields of rules.
 * @property {Record<string, Record<string, unknown>>} presets
 * @property {Record<string, string>} preset_summaries
 * @property {Record<string, string>} decks The cards of each deck that has a name.
 * @property {Record<string, { summary: string, options: Record<string, unknown>, help: Record<string, string> }>} agents
 * @property {Record<string, { name: string, agent: string, summary: string }>} levels From the weakest to the strongest.
 * @property {Record<string, Record<string, string>>} networks The shipped ones by use, then by rules; "any" is for all others.
 * @property {string[]} actions
 * @property {string[]} cards
 */

/** A refused or stopped call; the engine can still be used. After any other error, load another. */
export class LastcardError extends Error {
  name = "LastcardError";
}

/**
 * A seed from the platform's random numbers.
 *
 * @returns {bigint}
 */
export function freshSeed() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return BigInt("0x" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
}

/**
 * @param {Seed} seed
 * @returns {string}
 */
function hexadecimal(seed) {
  if (typeof seed === "string") return seed.toLowerCase();
  if (typeof seed !== "number" && typeof seed !== "bigint") {
    throw new LastcardError(`seed must be a whole number or hexadecimal digits, not ${String(seed)}`);
  }
  if (typeof seed === "number" && !Number.isSafeInteger(seed)) throw new LastcardError(`seed must be whole, not ${seed}`);
  if (seed < 0) throw new LastcardError(`seed must not be negative, not ${seed}`);
  return seed.toString(16);
}

/** What the module needs of a host: errors, a stop flag, and the clock, by the names of WASI. */
class Host {
  /** @type {WebAssembly.Memory | undefined} */
  memory;
  /** @type {() => boolean} */
  shouldStop = () => false;
  /** What `shouldStop` threw in the current call. @type {{ error: unknown } | undefined} */
  thrown;

  /** @returns {WebAssembly.Imports} */
  imports() {
    return {
      lastcard: {
        fail: (/** @type {number} */ address, /** @type {number} */ size) => {
          throw new LastcardError(this.text(address, size));
        },
        should_stop: () => {
          try {
            return this.shouldStop() ? 1 : 0;
          } catch (error) {
            this.thrown = { error };
            return 1;
          }
        },
      },
      wasi_snapshot_preview1: new Proxy(
        {
          clock_time_get: (/** @type {number} */ _id, /** @type {bigint} */ _precision, /** @type {number} */ address) => {
            this.view().setBigUint64(address, BigInt(Math.round(performance.now() * 1e6)), true);
            return 0;
          },
          proc_exit: (/** @type {number} */ code) => {
            throw new Error(`the core stopped with code ${code}`);
          },
        },
        // The C library can print and read its surroundings; the core does neither.
        { get: (known, name) => Reflect.get(known, name) ?? (() => NOT_SUPPORTED) },
      ),
    };
  }

  view() {
    return new DataView(/** @type {WebAssembly.Memory} */ (this.memory).buffer);
  }

  /**
   * @param {number} address
   * @param {number} size
   */
  text(address, size) {
    return new TextDecoder().decode(new Uint8Array(this.view().buffer, address, size));
  }
}

const NOT_SUPPORTED = 52;

/**
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {WebAssembly.Global} __stack_pointer
 * @property {() => void} _initialize
 * @property {(size: number) => number} allocate
 * @property {(address: number) => void} release
 * @property {(address: number, size: number) => number} call
 */

/** The engine: deals rounds, makes agents, and keeps both until they are released. */
export class Engine {
  /** @type {Exports} */
  #core;
  #host;
  /** @type {unknown} */
  #crash;

  /**
   * Starts the engine from the bytes of `lastcard.wasm`, its compiled module, or the response that brings it.
   *
   * @param {BufferSource | WebAssembly.Module | Response | Promise<Response>} source
   * @returns {Promise<Engine>}
   */
  static async load(source) {
    const host = new Host();
    const given = await source;
    const module =
      given instanceof WebAssembly.Module
        ? given
        : await WebAssembly.compile(isResponse(given) ? await bytesOf(given) : given);
    const instance = await WebAssembly.instantiate(module, host.imports());
    return new Engine(/** @type {Exports} */ (/** @type {unknown} */ (instance.exports)), host);
  }

  /**
   * @param {Exports} core
   * @param {Host} host
   * @internal
   */
  constructor(core, host) {
    this.#core = core;
    this.#host = host;
    host.memory = core.memory;
    core._initialize();
  }

  /**
   * A function that is asked every 50 ms of a long call whether it shall end; the call then throws a `LastcardError`.
   * An error of the function also ends the call, which then throws that error.
   *
   * @param {() => boolean} shouldStop
   */
  stopWhen(shouldStop) {
    if (typeof shouldStop !== "function") throw new LastcardError(`stopWhen expects a function, not ${String(shouldStop)}`);
    this.#host.shouldStop = shouldStop;
  }

  /**
   * The choices: presets and fields of rules, agents with their options, levels.
   *
   * @returns {Description}
   */
  describe() {
    return /** @type {Description} */ (this.call("describe"));
  }

  /**
   * Deals a round.
   *
   * @param {RulesLike} rules
   * @param {{ seed?: Seed, dealer?: number, number?: number, scores?: number[] }} [options]
   * @returns {Round}
   */
  deal(rules, { seed = freshSeed(), ...others } = {}) {
    const dealt = this.call("deal", { rules, seed: hexadecimal(seed), ...others });
    return new Round(this, dealt.round, dealt.rules);
  }

  /**
   * Starts a round in a position. The seed fixes the cards that are not named.
   *
   * @param {RulesLike} rules
   * @param {Position} position
   * @param {{ seed?: Seed }} [options]
   * @returns {Round}
   */
  place(rules, position, { seed = freshSeed() } = {}) {
    const placed = this.call("place", { rules, seed: hexadecimal(seed), ...position });
    return new Round(this, placed.round, placed.rules);
  }

  /**
   * Makes an agent.
   *
   * @param {AgentLike} agent
   * @param {{ seed?: Seed }} [options]
   * @returns {Agent}
   */
  makeAgent(agent, { seed = freshSeed() } = {}) {
    return new Agent(this, this.call("make_agent", { agent, seed: hexadecimal(seed) }).agent);
  }

  /**
   * Loads a network under a name. Agents look for the shipped ones, such as `official-2`.
   *
   * @param {string} name
   * @param {Uint8Array} bytes The contents of its file.
   * @returns {{ players: number }}
   */
  loadNetwork(name, bytes) {
    if (!(bytes instanceof Uint8Array)) throw new LastcardError("the contents of a network must be a Uint8Array");
    const address = this.#write(bytes);
    try {
      return this.call("load_network", { name, address, size: bytes.length });
    } finally {
      this.#release(address);
    }
  }

  /**
   * Plays single rounds at random.
   *
   * @param {RulesLike} rules
   * @param {number} numGames
   * @param {number} seed
   * @returns {{ wins: number[], points: number[], plies: number, draws: number, signature: string }}
   */
  playRandomGames(rules, numGames, seed) {
    return this.call("play_random_games", { rules, num_games: numGames, seed });
  }

  /**
   * Makes a call of the core.
   *
   * @param {string} name
   * @param {Record<string, unknown>} [fields]
   * @returns {any}
   */
  call(name, fields = {}) {
    const core = this.#core;
    const stack = core.__stack_pointer.value;
    const request = encode({ ...fields, call: name });
    const address = this.#write(request);
    try {
      const answer = core.call(address, request.length);
      const bytes = new Uint8Array(core.memory.buffer);
      return JSON.parse(this.#host.text(answer, bytes.indexOf(0, answer) - answer));
    } catch (error) {
      if (error instanceof LastcardError) core.__stack_pointer.value = stack; // the frames of the call are still there
      else this.#crash = error;
      throw this.#host.thrown ? this.#host.thrown.error : error;
    } finally {
      this.#host.thrown = undefined;
      this.#release(address);
    }
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {number}
   */
  #write(bytes) {
    if (this.#crash) throw new Error("the core crashed in an earlier call: load the engine again", { cause: this.#crash });
    const address = this.#core.allocate(bytes.length);
    if (address === 0) throw new LastcardError(`there is no memory for ${bytes.length} bytes`);
    new Uint8Array(this.#core.memory.buffer, address, bytes.length).set(bytes);
    return address;
  }

  /** @param {number} address */
  #release(address) {
    if (!this.#crash) this.#core.release(address);
  }
}

/** @param {Record<string, unknown>} request */
function encode(request) {
  try {
    return new TextEncoder().encode(JSON.stringify(request));
  } catch (error) {
    throw new LastcardError(`the fields of ${request.call} cannot be written as JSON: ${error}`);
  }
}

/** @param {Response} response */
async function bytesOf(response) {
  if (!response.ok) throw new LastcardError(`the engine cannot be loaded from ${response.url}: status ${response.status}`);
  return response.arrayBuffer();
}

/**
 * @param {unknown} value
 * @returns {value is Response}
 */
function isResponse(value) {
  return typeof Response !== "undefined" && value instanceof Response;
}

/** One round: the truth, which only a referee may see. */
export class Round {
  #engine;

  /**
   * @param {Engine} engine
   * @param {number} id
   * @param {Record<string, unknown>} rules
   * @internal
   */
  constructor(engine, id, rules) {
    this.#engine = engine;
    /** The number of the round in the core. */
    this.id = id;
    /** All fields of its rules. */
    this.rules = rules;
  }

  /** @returns {State} */
  get state() {
    return this.#engine.call("show", { round: this.id });
  }

  /**
   * What the seat may know, with the same fields as `Observation.to_dict` of the Python package.
   *
   * @param {number} seat
   * @returns {Observation}
   */
  observe(seat) {
    return this.#engine.call("observe", { round: this.id, seat });
  }

  /**
   * The seat to act takes the action.
   *
   * @param {string} action
   */
  apply(action) {
    this.#engine.call("apply", { round: this.id, action });
  }

  /** @returns {Round} */
  copy() {
    return new Round(this.#engine, this.#engine.call("copy", { round: this.id }).round, this.rules);
  }

  /**
   * How many sequences of that many actions there are.
   *
   * @param {number} depth
   * @returns {number}
   */
  countLeaves(depth) {
    return this.#engine.call("count_leaves", { round: this.id, depth });
  }

  /** Frees its memory; the round cannot be used any more. */
  release() {
    this.#engine.call("release", { round: this.id });
  }
}

/** An agent: decides for the seat to act, by that seat's observation alone. */
export class Agent {
  #engine;

  /**
   * @param {Engine} engine
   * @param {number} id
   * @internal
   */
  constructor(engine, id) {
    this.#engine = engine;
    /** The number of the agent in the core. */
    this.id = id;
  }

  /**
   * The decision with everything that led to it.
   *
   * @param {Round} round
   * @returns {Decision}
   */
  decide(round) {
    return this.#engine.call("decide", { agent: this.id, round: round.id });
  }

  /**
   * The decision with the steps that led to it.
   *
   * @param {Round} round
   * @returns {Explanation}
   */
  explain(round) {
    return this.#engine.call("explain", { agent: this.id, round: round.id });
  }

  /**
   * The action alone.
   *
   * @param {Round} round
   * @returns {string}
   */
  choose(round) {
    return this.decide(round).best;
  }

  /** Frees its memory; the agent cannot be used any more. */
  release() {
    this.#engine.call("release", { agent: this.id });
  }
}
