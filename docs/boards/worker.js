/**
 * The worker of the live boards: it holds the engine and does everything but drawing, so that no search blocks a frame.
 *
 * A request is a `question`, or a `network` to load. The answer is `{ answer }`, or `{ error, isRefused }`.
 */
import { Engine, LastcardError } from "../../wasm/lastcard.js";

/**
 * @typedef {import("../../wasm/lastcard.js").Explanation} Explanation
 * @typedef {import("../../wasm/lastcard.js").Round} Round
 *
 * @typedef {object} Question
 * @property {string[]} hand
 * @property {string} top
 * @property {number} holds How many cards the opponent held before its action.
 * @property {string} deed What the opponent did; "" is nothing.
 * @property {string} agent
 * @property {string} baseline An agent to compare with; "" for none.
 * @property {number} seed
 *
 * @typedef {object} Request
 * @property {Question} [question]
 * @property {string} [network]
 * @property {string} [packed] The network, from a page that is opened as a file: its worker may load nothing.
 *
 * @typedef {object} Findings
 * @property {string} [network] A network to load first; the rest is then missing.
 * @property {string[]} deeds Everything after which it is our turn.
 * @property {string} deed The one that was searched: as asked, or "" if that is not possible any more.
 * @property {Explanation} found
 * @property {Explanation | null} compared
 */

const RULES = "official";
const OWN = 0;
const OPPONENT = 1;

/** @param {string} packed Bytes, compressed and written in base64. */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Explainer {
  #engine;
  /** @type {Set<string>} */
  #networks = new Set();

  /** @param {Engine} engine */
  constructor(engine) {
    this.#engine = engine;
  }

  /**
   * @param {string} name
   * @param {string} packed
   */
  async loadNetwork(name, packed) {
    this.#engine.loadNetwork(name, await unpack(packed));
    this.#networks.add(name);
  }

  /**
   * @param {Question} asked
   * @returns {Findings | { network: string }}
   */
  search(asked) {
    const network = this.#engine.call("needed_network", { agent: asked.agent, rules: RULES });
    if (network !== null && !this.#networks.has(network)) return { network };
    const deeds = ["", ...this.#listDeeds(asked)];
    const deed = deeds.includes(asked.deed) ? asked.deed : "";
    const explain = (/** @type {string} */ name) =>
      this.#visit(asked, deed, (round) => this.#explain(name, asked, round));
    return { deeds, deed, found: explain(asked.agent), compared: asked.baseline ? explain(asked.baseline) : null };
  }

  /** @param {Question} asked */
  #listDeeds(asked) {
    const actions = this.#engine.describe().actions.filter((action) => /^(w|[rygb][0-9SR+])/.test(action));
    return ["draw", ...actions].filter((deed) => {
      try {
        return this.#visit(asked, deed, (round) => round.state.seat === OWN);
      } catch (error) {
        if (error instanceof LastcardError) return false;
        throw error;
      }
    });
  }

  /**
   * Calls a function with the round after what the opponent did.
   *
   * @template Result
   * @param {Question} asked
   * @param {string} deed
   * @param {(round: Round) => Result} use
   * @returns {Result}
   */
  #visit({ hand, top, holds }, deed, use) {
    const played = deed === "draw" ? "" : deed.split(":")[0];
    const hands = [hand.join(" "), played];
    const position = { top, hands, sizes: [hand.length, holds], seat: deed ? OPPONENT : OWN };
    const round = this.#engine.place(RULES, position, { seed: 0 });
    try {
      if (deed && round.state.legal_actions.includes(deed)) {
        round.apply(deed);
        if (round.state.phase === "drawn") round.apply("keep");
      }
      return use(round);
    } finally {
      round.release();
    }
  }

  /**
   * @param {string} name
   * @param {Question} asked
   * @param {Round} round
   */
  #explain(name, { seed }, round) {
    const agent = this.#engine.makeAgent(name, { seed });
    try {
      return agent.explain(round);
    } finally {
      agent.release();
    }
  }
}

/**
 * Answers the boards of a page.
 *
 * @param {any} scope `self` of the worker.
 * @param {string} wasm The engine, packed.
 */
export function answerBoards(scope, wasm) {
  const loading = unpack(wasm).then(async (bytes) => new Explainer(await Engine.load(bytes)));
  /** @param {Request} request */
  const answer = async ({ question, network = "", packed }) => {
    const explainer = await loading;
    if (question) return explainer.search(question);
    if (packed === undefined) scope.importScripts(`${network}.js`);
    return explainer.loadNetwork(network, packed ?? scope.lastcardNetworks[network]);
  };
  scope.addEventListener("message", (/** @type {MessageEvent} */ { data }) =>
    answer(data).then(
      (found) => scope.postMessage({ answer: found }),
      (error) => scope.postMessage({ error: error.message, isRefused: error instanceof LastcardError }),
    ),
  );
}
