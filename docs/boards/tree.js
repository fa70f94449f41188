/** `data-board="tree"`: the actions that a search weighed, and what follows each of them. */
const MOST_CHILDREN = 6;

/** @type {Record<string, { count: string, agents: Record<string, string> }>} */
const SEARCHES = {
  expectiminimax: {
    count: "determinizations",
    agents: {
      tuned: "expectiminimax",
      "as published": "expectiminimax:as_published",
      "tuned, depth 2": "expectiminimax:depth=2",
    },
  },
  trees: {
    count: "visits",
    agents: {
      "ismcts, 2,000 simulations": "ismcts:simulations=2000",
      "mcts, 2,000 simulations": "mcts:simulations=2000",
      "pomcp, 2,000 simulations": "pomcp:simulations=2000",
      "ismcts, 200 simulations": "ismcts:simulations=200",
    },
  },
};

class TreeBoard extends Board {
  #search = SEARCHES[this.element.dataset.search ?? "trees"];
  agents = this.#search.agents;

  /** @param {import("../../wasm/lastcard.js").Explanation} found @param {HTMLElement} shown */
  show(found, shown) {
    const order = found.actions?.map(({ action }) => action) ?? [];
    const roots = [...(found.tree ?? [])].sort((a, b) => order.indexOf(a.action) - order.indexOf(b.action));
    shown.append(
      make(
        "p",
        { className: "board-note" },
        `Each action with its ${this.#search.count} and its win probability. Open one to see what follows it.`,
      ),
      ...roots.map((node, index) => this.#draw(node, index === 0)),
    );
  }

  /**
   * @param {import("../../wasm/lastcard.js").TreeNode} node
   * @param {boolean} isOpen
   * @returns {HTMLElement}
   */
  #draw(node, isOpen) {
    const who = node.seat === OWN ? "" : make("span", { className: "board-note" }, "opponent ");
    const drawn = node.card ? ` ${nameCard(node.card)}` : "";
    const chosen = node.is_taken ? ", chosen" : "";
    const counts = ` ${separate(node.simulations)} · ${percent(node.value)}${chosen}`;
    const line = make("span", { className: "board-line" }, who, drawCard(node.action), `${drawn}${counts}`);
    line.style.setProperty("--share", String(node.value));
    if (!node.children.length) return make("div", { className: "board-node" }, line);
    const below = [...node.children].sort((a, b) => b.simulations - a.simulations || b.value - a.value);
    const shown = below.slice(0, MOST_CHILDREN).map((child, index) => this.#draw(child, isOpen && index === 0));
    const rest = below.length - shown.length;
    if (rest > 0) shown.push(make("div", { className: "board-node board-note" }, `and ${rest} more`));
    return make("details", { className: "board-node", open: isOpen }, make("summary", {}, line), ...shown);
  }
}

begin("tree", TreeBoard);
