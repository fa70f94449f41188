/**
 * The board that the live explanations share: a hand, a top card, what the opponent did, and a search of the core.
 *
 * The core runs as WebAssembly in a worker. Scripts are classic ones and the worker comes from a blob, so that a page
 * opened as a file works as well; the scripts of the ideas see the names of this one. Without scripts, a page shows
 * what stands inside the element.
 */
const HERE = /** @type {HTMLScriptElement} */ (document.currentScript).src;
const RULES = "official";
const OWN = 0;
const OPPONENT = 1;
const MOST_CARDS = 12;
/** @type {Record<string, string>} */
const COLORS = { r: "red", y: "yellow", g: "green", b: "blue" };
/** @type {Record<string, string>} */
const RANKS = { S: "Skip", R: "Reverse", "+2": "Draw Two" };

/**
 * @typedef {import("../../wasm/worker.js").RemoteEngine} RemoteEngine
 * @typedef {import("../../wasm/lastcard.js").Explanation} Explanation
 * @typedef {import("../../wasm/lastcard.js").Description} Description
 * @typedef {import("../../wasm/lastcard.js").State} State
 */

/** @type {Promise<{ engine: RemoteEngine, description: Description }> | undefined} */
let started;

/** Networks that the engine has, by name. @type {Map<string, Promise<unknown>>} */
const networks = new Map();

/**
 * Runs a script of this folder: a page that is opened as a file may fetch nothing.
 *
 * @param {string} name
 * @param {string} what What it holds, in words.
 */
function loadScript(name, what) {
  return new Promise((resolve, reject) => {
    const script = make("script", { src: new URL(name, HERE).href, onload: resolve });
    script.onerror = () => reject(new Error(`${what} could not be loaded`));
    document.head.append(script);
  });
}

/** @param {string} packed Bytes, compressed and written in base64. */
function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** Starts the engine, once for all boards of a page. */
async function start() {
  await loadScript("engine.js", "the engine");
  const { code, wasm } = /** @type {any} */ (globalThis).lastcardEngine;
  const address = (/** @type {string} */ text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const { RemoteEngine } = await import(address(code));
  // Browsers refuse modules as workers of a page that is opened as a file.
  const worker = new Worker(address(`${code.replaceAll(/^export /gm, "")}\nserve(self);`));
  /** @type {RemoteEngine} */
  const engine = new RemoteEngine(worker, await unpack(wasm));
  return {
    engine,
    description: /** @type {Description} */ (await engine.call("describe")),
  };
}

/**
 * Loads the network that an agent needs, when it is first asked.
 *
 * @param {RemoteEngine} engine
 * @param {string} agent
 */
async function loadNetwork(engine, agent) {
  /** @type {string | null} */
  const name = await engine.call("needed_network", { agent, rules: RULES });
  if (name === null) return;
  if (!networks.has(name)) {
    const loading = loadScript(`${name}.js`, "the network").then(async () =>
      engine.loadNetwork(name, new Uint8Array(await unpack(/** @type {any} */ (globalThis).lastcardNetworks[name]))),
    );
    networks.set(name, loading);
    loading.catch(() => networks.delete(name));
  }
  await networks.get(name);
}

/**
 * Makes an element with properties; those that are none become attributes.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) Object.assign(element, { [name]: value });
    else element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** @param {string} code A card in notation. */
function nameCard(code) {
  if (code === "w") return "Wild";
  if (code === "w+4") return "Wild Draw Four";
  return `${COLORS[code[0]]} ${RANKS[code.slice(1)] ?? code.slice(1)}`;
}

/** @param {string} action An action in notation. */
function nameAction(action) {
  const [card, color] = action.split(":");
  if (card === "draw" || card === "keep") return card;
  return color ? `${nameCard(card)}, ${COLORS[color]}` : nameCard(card);
}

/** @param {string} agent */
function nameAdvisor(agent) {
  if (!agent.startsWith("halving")) return "";
  return ` Its advisor is the ${agent.includes("advisor=heuristic") ? "heuristic" : "network"}.`;
}

/** @param {string} code */
function drawCard(code) {
  const color = COLORS[code.split(":")[1] ?? code[0]] ?? "wild";
  return make("span", { className: `board-card board-${color}`, title: nameAction(code) }, code);
}

/** @param {number} chance */
const percent = (chance) => `${(100 * chance).toFixed(1)}\u00a0%`;

/** A board; each idea says which agents it offers, and shows what one found. */
class Board {
  /** @param {HTMLElement} element */
  constructor(element) {
    /** Its attributes `data-...` describe the position; what stands in it is replaced. */
    this.element = element;
  }

  /** Agents to choose from, by what they are called. @type {Record<string, string>} */
  agents = {};
  /** An agent to compare with; "" for none. */
  baseline = "";
  /** @type {string[]} */
  hand = [];
  #round = 0;
  #status = make("p", { className: "board-status", role: "status" });
  #shown = make("div", { className: "board-shown" });
  #cards = make("div", { className: "board-cards" });
  #add = make("select", {
    onchange: () => this.#change([...this.hand, this.#add.value]),
  });
  #top = make("select", { onchange: () => this.update() });
  #holds = make("input", {
    type: "number",
    min: "2",
    max: String(MOST_CARDS),
    onchange: () => this.update(),
  });
  #deed = make("select", { onchange: () => this.update() });
  #agent = make("select", { onchange: () => this.update() });
  #seed = make("input", {
    type: "number",
    min: "0",
    max: "999999",
    onchange: () => this.update(),
  });

  /** Makes the element live. */
  async begin() {
    started ??= start();
    try {
      const { description } = await started;
      this.#fill(description);
      await this.update();
    } catch (error) {
      this.element.append(
        make("p", { className: "board-status" }, `No live board: ${/** @type {Error} */ (error).message}.`),
      );
    }
  }

  /**
   * Shows what the agent found.
   *
   * @param {Explanation} _found
   * @param {HTMLElement} _shown
   * @param {Explanation | null} _compared What the agent to compare with found.
   */
  show(_found, _shown, _compared) {}

  /** @param {Description} description */
  #fill(description) {
    const cards = description.cards.map((code) => make("option", { value: code }, `${nameCard(code)} (${code})`));
    this.#add.append(make("option", { value: "" }, "choose a card"), ...cards.map((card) => card.cloneNode(true)));
    this.#top.append(...cards.filter((card) => !card.value.startsWith("w")));
    this.#agent.append(...Object.entries(this.agents).map(([label, value]) => make("option", { value }, label)));
    this.hand = (this.element.dataset.hand ?? "").split(" ");
    this.#top.value = this.element.dataset.top ?? "";
    this.#holds.value = this.element.dataset.holds ?? "7";
    this.#deed.append(make("option", { value: this.element.dataset.opponent ?? "" }));
    this.#seed.value = "1";
    const field = (/** @type {string} */ name, /** @type {HTMLElement} */ control) =>
      make("label", {}, `${name} `, control);
    this.element.replaceChildren(
      make(
        "form",
        {
          className: "board-form",
          onsubmit: (/** @type {Event} */ event) => event.preventDefault(),
        },
        make("fieldset", {}, make("legend", {}, "Your hand"), this.#cards, field("Add", this.#add)),
        field("Top card", this.#top),
        field("The opponent held", this.#holds),
        field("cards and then", this.#deed),
        field("Search", this.#agent),
        field("Seed", this.#seed),
      ),
      this.#status,
      this.#shown,
    );
  }

  /** @param {string[]} hand */
  #change(hand) {
    this.hand = hand.filter(Boolean);
    this.#add.value = "";
    return this.update();
  }

  #drawHand() {
    const buttons = this.hand.map((code, place) =>
      make(
        "button",
        {
          type: "button",
          disabled: this.hand.length === 1,
          "aria-label": `Remove ${code}, ${nameCard(code)}`,
          onclick: () =>
            this.#change(this.hand.filter((_, index) => index !== place)).then(() =>
              this.#cards.querySelector("button")?.focus(),
            ),
        },
        drawCard(code),
        make("span", { "aria-hidden": "true" }, "×"),
      ),
    );
    this.#cards.replaceChildren(...buttons);
    this.#add.disabled = this.hand.length >= MOST_CARDS;
  }

  /** Searches again, and shows what comes of it unless something else was asked meanwhile. */
  async update() {
    const round = ++this.#round;
    this.#drawHand();
    this.#status.textContent = "Searching …";
    try {
      const { engine, description } = await /** @type {NonNullable<typeof started>} */ (started);
      await this.#listDeeds(engine, description, round);
      await loadNetwork(engine, this.#agent.value);
      const found = await this.#explain(engine, this.#agent.value);
      const compared = this.baseline ? await this.#explain(engine, this.baseline) : null;
      if (round !== this.#round) return;
      const value = found.actions?.find(({ action }) => action === found.best)?.value;
      const wins = value === undefined ? ", the only action" : `, which wins with probability ${percent(value)}`;
      this.#status.textContent = `The search chooses ${nameAction(found.best)}${wins}.${nameAdvisor(this.#agent.value)}`;
      this.#shown.replaceChildren();
      this.show(found, this.#shown, compared);
    } catch (error) {
      if (round !== this.#round) return;
      this.#status.textContent = `This position is not possible: ${/** @type {Error} */ (error).message}.`;
      this.#shown.replaceChildren();
    }
  }

  /**
   * The position after what the opponent did; "" is nothing.
   *
   * @param {RemoteEngine} engine
   * @param {string} deed
   * @returns {Promise<{ round: number, state: State }>}
   */
  async #place(engine, deed) {
    const holds = Number(this.#holds.value);
    const played = deed === "draw" || deed === "" ? "" : deed.split(":")[0];
    const { round } = await engine.call("place", {
      rules: RULES,
      seed: "0",
      top: this.#top.value,
      hands: [this.hand.join(" "), played],
      sizes: [this.hand.length, holds],
      seat: deed ? OPPONENT : OWN,
    });
    const show = () => engine.call("show", { round });
    let state = /** @type {State} */ (await show());
    if (deed && state.legal_actions.includes(deed)) {
      await engine.call("apply", { round, action: deed });
      state = await show();
      if (state.phase === "drawn") {
        await engine.call("apply", { round, action: "keep" });
        state = await show();
      }
    }
    return { round, state };
  }

  /**
   * Offers everything after which it is our turn.
   *
   * @param {RemoteEngine} engine
   * @param {Description} description
   * @param {number} asked
   */
  async #listDeeds(engine, description, asked) {
    const options = [make("option", { value: "" }, "did nothing")];
    for (const deed of ["draw", ...description.actions.filter((action) => /^(w|[rygb][0-9SR+])/.test(action))]) {
      if (asked !== this.#round) return;
      const placed = await this.#place(engine, deed).catch(() => null);
      if (!placed) continue;
      const label = deed === "draw" ? "drew and kept a card" : `played ${nameAction(deed)}`;
      if (placed.state.seat === OWN) options.push(make("option", { value: deed }, label));
      await engine.call("release", { round: placed.round });
    }
    const chosen = this.#deed.value;
    this.#deed.replaceChildren(...options);
    this.#deed.value = options.some((option) => option.value === chosen) ? chosen : "";
  }

  /**
   * @param {RemoteEngine} engine
   * @param {string} name
   * @returns {Promise<Explanation>}
   */
  async #explain(engine, name) {
    const { round } = await this.#place(engine, this.#deed.value);
    const seed = Math.trunc(Number(this.#seed.value)).toString(16);
    const { agent } = await engine.call("make_agent", {
      agent: name,
      seed,
    });
    const found = await engine.call("explain", { agent, round });
    await engine.call("release", { agent, round });
    return found;
  }
}

/**
 * Makes all boards of a kind live.
 *
 * @param {string} kind
 * @param {typeof Board} Kind
 */
function begin(kind, Kind) {
  for (const element of document.querySelectorAll(`[data-board=${kind}]`)) {
    void new Kind(/** @type {HTMLElement} */ (element)).begin();
  }
}
