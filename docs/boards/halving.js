/** `data-board="halving"`: the stages of sequential halving, and which actions drop out. */

class HalvingBoard extends Board {
  agents = {
    "1,000 simulations": "halving:advisor=heuristic",
    "100 simulations": "halving:advisor=heuristic,simulations=100",
    "10,000 simulations": "halving:advisor=heuristic,simulations=10000",
    "1,000, budget split evenly": "halving:advisor=heuristic,drop_losers=false",
    "1,000, with the network (2 MB)": "halving",
  };

  /** @param {import("../../wasm/lastcard.js").Explanation} found @param {HTMLElement} shown */
  show(found, shown) {
    const stages = found.stages ?? [];
    const heads = stages.map((stage, index) => make("th", { scope: "col" }, `stage ${index + 1} of ${stages.length}`));
    // The longer an action stayed, the higher it stands.
    const actions = [...new Set([...stages].reverse().flatMap((stage) => stage.map((row) => row.action)))];
    const rows = actions.map((action) =>
      make(
        "tr",
        action === found.best ? { className: "board-best" } : {},
        make("th", { scope: "row" }, drawCard(action)),
        ...stages.map((stage) => this.#cell(stage.find((row) => row.action === action))),
      ),
    );
    shown.append(
      make(
        "table",
        { className: "board-table" },
        make("caption", {}, "Share of simulations won, of all so far"),
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "action"), ...heads)),
        make("tbody", {}, ...rows),
      ),
    );
  }

  /** @param {import("../../wasm/lastcard.js").StageRow | undefined} row */
  #cell(row) {
    if (!row) return make("td", { className: "board-out" }, "–");
    const out = row.stays ? "" : ", out";
    const note = make("span", { className: "board-note" }, ` of ${separate(row.simulations)}${out}`);
    const cell = make("td", {}, percent(row.value), note);
    cell.style.setProperty("--share", String(row.value));
    return cell;
  }
}

begin("halving", HalvingBoard);
