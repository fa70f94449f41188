/**
 * The board that the live explanations share: a hand, a top card, what the opponent did, and a search of the core.
 *
 * This script draws and reads the form; a worker holds the core and searches. Scripts are classic ones, so that a page
 * opened as a file works as well; the scripts of the ideas see the names of this one. Without scripts, a page shows
 * what stands inside the element, and with them until the first search is done.
 */
const HERE = /** @type {HTMLScriptElement} */ (document.currentScript).src;
const IS_FILE = location.protocol === "file:";
const NEEDS = ["Worker", "WebAssembly", "DecompressionStream"];
const OWN = 0;
const OPPONENT = 1;
const MOST_CARDS = 12;
/** @type {Record<string, string>} */
const COLORS = { r: "red", y: "yellow", g: "green", b: "blue" };
/** @type {Record<string, string>} */
const RANKS = { S: "Skip", R: "Reverse", "+2": "Draw Two" };
const SIGNS = [..."0123456789", ...Object.keys(RANKS)];
const COLORED = Object.keys(COLORS).flatMap((color) => SIGNS.map((sign) => color + sign));

/**
 * @typedef {import("../../wasm/lastcard.js").Explanation} Explanation
 * @typedef {import("./worker.js").Question} Question
 * @typedef {import("./worker.js").Findings} Findings
 */

/** The core refused a position. */
class Refusal extends Error {}

/** The browser cannot run the engine. */
class Unsupported extends Error {}

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

/** Starts a worker with the engine. */
async function startWorker() {
  for (const name of NEEDS) if (!(name in globalThis)) throw new Unsupported(`this browser has no ${name}`);
  if (!IS_FILE) return new Worker(new URL("engine.js", HERE));
  // Browsers refuse files as workers, but not the text of a function.
  await loadScript("engine.js", "the engine");
  const { lastcardWorker, lastcardWasm } = /** @type {any} */ (globalThis);
  const code = `(${lastcardWorker})(${JSON.stringify(lastcardWasm)})`;
  return new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
}

/** The engine in a worker, which answers one request after the other. */
class Searcher {
  /** @type {Promise<Worker> | undefined} */
  #started;

  /**
   * @param {Question} question
   * @returns {Promise<Findings>}
   */
  async search(question) {
    try {
      /** @type {Findings} */
      const findings = await this.#ask({ question });
      if (findings.network === undefined) return findings;
      await this.#loadNetwork(findings.network);
      return await this.#ask({ question });
    } catch (error) {
      if (!(error instanceof Refusal)) this.#stop();
      throw error;
    }
  }

  /** @param {string} name */
  async #loadNetwork(name) {
    if (IS_FILE) await loadScript(`${name}.js`, "the network");
    const packed = /** @type {any} */ (globalThis).lastcardNetworks?.[name];
    await this.#ask({ network: name, packed }).catch(() => {
      throw new Error("the network could not be loaded");
    });
  }

  /**
   * @param {import("./worker.js").Request} request
   * @returns {Promise<any>}
   */
  async #ask(request) {
    const worker = await (this.#started ??= startWorker());
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data: { answer, error, isRefused } }) => {
        if (error === undefined) resolve(answer);
        else reject(new (isRefused ? Refusal : Error)(error));
      };
      // Without a message, the script itself was not found.
      worker.onerror = ({ message }) =>
        reject(new Error(message ? `the engine stopped (${message})` : "the engine could not be loaded"));
      worker.postMessage(request);
    });
  }

  /** Ends the worker, which may be broken; the next search starts another one. */
  #stop() {
    this.#started?.then((worker) => worker.terminate()).catch(() => {});
    this.#started = undefined;
  }
}

/** Waits until the page is loaded and the browser has nothing else to do: the engine is larger than the page. */
async function whenIdle() {
  if (document.readyState !== "complete") {
    await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
  }
  // Safari has no idle callback.
  const later = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ done) => setTimeout(done, 200));
  await new Promise((resolve) => later(resolve, { timeout: 3000 }));
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

/** @param {string} deed */
function nameDeed(deed) {
  if (deed === "") return "did nothing";
  return deed === "draw" ? "drew and kept a card" : `played ${nameAction(deed)}`;
}

/** @param {string} code */
const offerCard = (code) => make("option", { value: code }, `${nameCard(code)} (${code})`);

/** @param {string} deed */
const offerDeed = (deed) => make("option", { value: deed }, nameDeed(deed));

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

/** 1234 is "1,234"; `toLocaleString` would block a frame when it is first called. @param {number} count */
const separate = (count) => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");

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
  #searcher = new Searcher();
  /** @type {Promise<void>} */
  #searching = Promise.resolve();
  #status = make("p", { className: "board-status", role: "status" });
  #shown = make("div", { className: "board-shown" });
  #cards = make("div", { className: "board-cards" });
  #form = make("form", { className: "board-form", onsubmit: (/** @type {Event} */ event) => event.preventDefault() });
  #add = make("select", { onchange: () => this.#change([...this.hand, this.#add.value]) });
  #top = make("select", { onchange: () => this.update() });
  #holds = make("input", { type: "number", min: "2", max: String(MOST_CARDS), onchange: () => this.update() });
  #deed = make("select", { className: "board-deed", onchange: () => this.update() });
  #agent = make("select", { onchange: () => this.update() });
  #seed = make("input", { type: "number", min: "0", max: "999999", onchange: () => this.update() });

  /** Makes the element live: the form at once, the search when the page is done and the reader comes near. */
  async begin() {
    this.#fill();
    await whenIdle();
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        if (this.#round === 0) this.update();
      },
      { rootMargin: "100%" },
    );
    observer.observe(this.element);
  }

  /**
   * Shows what the agent found.
   *
   * @param {Explanation} _found
   * @param {HTMLElement} _shown
   * @param {Explanation | null} _compared What the agent to compare with found.
   */
  show(_found, _shown, _compared) {}

  #fill() {
    this.#add.append(make("option", { value: "" }, "choose a card"), ...[...COLORED, "w", "w+4"].map(offerCard));
    this.#top.append(...COLORED.map(offerCard));
    this.#agent.append(...Object.entries(this.agents).map(([label, value]) => make("option", { value }, label)));
    this.hand = (this.element.dataset.hand ?? "").split(" ");
    this.#top.value = this.element.dataset.top ?? "";
    this.#holds.value = this.element.dataset.holds ?? "7";
    this.#deed.append(offerDeed(this.element.dataset.opponent ?? ""));
    this.#seed.value = "1";
    const field = (/** @type {string} */ name, /** @type {HTMLElement} */ control) =>
      make("label", {}, `${name} `, control);
    this.#form.append(
      make("fieldset", {}, make("legend", {}, "Your hand"), this.#cards, field("Add", this.#add)),
      field("Top card", this.#top),
      field("The opponent held", this.#holds),
      field("cards and then", this.#deed),
      field("Search", this.#agent),
      field("Seed", this.#seed),
    );
    this.#drawHand();
    this.#shown.append(...this.element.childNodes);
    this.element.append(this.#form, this.#status, this.#shown);
  }

  /** @param {string[]} hand */
  #change(hand) {
    this.hand = hand.filter(Boolean);
    this.#add.value = "";
    this.update();
  }

  #drawHand() {
    const buttons = this.hand.map((code, place) =>
      make(
        "button",
        {
          type: "button",
          disabled: this.hand.length === 1,
          "aria-label": `Remove ${code}, ${nameCard(code)}`,
          onclick: () => {
            this.#change(this.hand.filter((_, index) => index !== place));
            this.#cards.querySelector("button")?.focus();
          },
        },
        drawCard(code),
        make("span", { "aria-hidden": "true" }, "×"),
      ),
    );
    this.#cards.replaceChildren(...buttons);
    this.#add.disabled = this.hand.length >= MOST_CARDS;
  }

  /** Searches again after the search that is running, unless something else is asked meanwhile. */
  update() {
    const round = ++this.#round;
    this.#drawHand();
    this.#status.textContent = "Searching …";
    this.#searching = this.#searching.then(() => this.#search(round));
  }

  /** @param {number} round */
  async #search(round) {
    if (round !== this.#round) return;
    const invalid = [this.#holds, this.#seed].find((input) => !input.value || !input.validity.valid);
    if (invalid) {
      const name = invalid.labels?.[0].textContent?.trim();
      this.#shown.replaceChildren();
      this.#status.textContent = `${name} must be a whole number from ${invalid.min} to ${invalid.max}.`;
      return;
    }
    const deed = this.#deed.value;
    try {
      const findings = await this.#searcher.search({
        hand: this.hand,
        top: this.#top.value,
        holds: Number(this.#holds.value),
        deed,
        agent: this.#agent.value,
        baseline: this.baseline,
        seed: Number(this.#seed.value),
      });
      if (round === this.#round) this.#showFindings(findings, deed);
    } catch (error) {
      if (round === this.#round) this.#showError(/** @type {Error} */ (error));
    }
  }

  /**
   * @param {Findings} findings
   * @param {string} asked What the opponent was to have done.
   */
  #showFindings({ deeds, deed, found, compared }, asked) {
    this.#deed.replaceChildren(...deeds.map(offerDeed));
    this.#deed.value = deed;
    const value = found.actions?.find(({ action }) => action === found.best)?.value;
    const wins = value === undefined ? ", the only action" : `, which wins with probability ${percent(value)}`;
    const lost = deed === asked ? "" : "That action is not possible any more. ";
    this.#status.textContent = `${lost}The search chooses ${nameAction(found.best)}${wins}.${nameAdvisor(this.#agent.value)}`;
    this.#shown.replaceChildren();
    this.show(found, this.#shown, compared);
  }

  /** @param {Error} error */
  #showError(error) {
    const isRefused = error instanceof Refusal;
    this.#status.textContent = `${isRefused ? "This position is not possible" : "No live board"}: ${error.message}.`;
    if (error instanceof Unsupported) this.#form.remove();
    // What the page itself shows of its position stays.
    else if (this.#round > 1) this.#shown.replaceChildren();
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
    new Kind(/** @type {HTMLElement} */ (element)).begin();
  }
}
