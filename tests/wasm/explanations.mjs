// Positions, explained: `node explanations.mjs MODULE NETWORKS < request.json`.
import { readFileSync } from "node:fs";
import { Engine } from "../../wasm/lastcard.js";

const engine = await Engine.load(readFileSync(process.argv[2]));
const { asked, bad } = JSON.parse(readFileSync(0, "utf8"));

function explain({ position, deeds, agent, seed }) {
  const round = engine.place("official", position, { seed: 0 });
  deeds.forEach((deed) => round.apply(deed));
  return engine.makeAgent(agent, { seed }).explain(round);
}

function refusal(position) {
  try {
    engine.place("official", position, { seed: 0 });
    return "accepted";
  } catch (error) {
    return error.message;
  }
}

console.log(JSON.stringify({ found: asked.map(explain), refused: bad.map(refusal) }));
