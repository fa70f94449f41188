/** `data-board="belief"`: how likely the opponent is to hold each card. */
const NOTICEABLE = 0.01;

class BeliefBoard extends Board {
  agents = {
    "particle: counts, rules, likelihood": "halving:advisor=heuristic,simulations=200",
    "constrained: counts and rules": "halving:advisor=heuristic,simulations=200,belief=constrained",
    "uniform: counts alone": "halving:advisor=heuristic,simulations=200,belief=uniform",
  };
  baseline = "halving:advisor=heuristic,simulations=1,belief=uniform";

  /**
   * @param {import("../../wasm/lastcard.js").Explanation} found
   * @param {HTMLElement} shown
   * @param {import("../../wasm/lastcard.js").Explanation} counted
   */
  show(found, shown, counted) {
    const cell = (/** @type {string} */ code, span = 1) => {
      const chance = found.belief[OPPONENT]?.[code] ?? 0;
      const change = chance - (counted.belief[OPPONENT]?.[code] ?? 0);
      const sign = Math.abs(change) < NOTICEABLE ? "" : change > 0 ? " ▲" : " ▼";
      const made = make(
        "td",
        { title: nameCard(code), "data-card": code, colSpan: span },
        `${(100 * chance).toFixed(1)}${sign}`,
      );
      made.style.setProperty("--share", String(chance));
      return made;
    };
    const row = (/** @type {string} */ head, /** @type {HTMLElement[]} */ ...cells) =>
      make("tr", {}, make("th", { scope: "row" }, head), ...cells);
    const heads = ["card", "red", "yellow", "green", "blue"].map((head) => make("th", { scope: "col" }, head));
    shown.append(
      make(
        "table",
        { className: "board-table board-heat" },
        make(
          "caption",
          {},
          "Probability in percent that the opponent holds the card; ▲ and ▼ where counting alone says less or more",
        ),
        make("thead", {}, make("tr", {}, ...heads)),
        make(
          "tbody",
          {},
          ...SIGNS.map((rank) => row(rank, ...Object.keys(COLORS).map((color) => cell(color + rank)))),
          row("w", cell("w", 4)),
          row("w+4", cell("w+4", 4)),
        ),
      ),
    );
  }
}

begin("belief", BeliefBoard);
