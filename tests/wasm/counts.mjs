// Leaves and random rounds: `node counts.mjs MODULE NETWORKS < request.json`.
import { readFileSync } from "node:fs";
import { Engine } from "../../wasm/lastcard.js";

const engine = await Engine.load(readFileSync(process.argv[2]));
const { perft, batches } = JSON.parse(readFileSync(0, "utf8"));
console.log(
  JSON.stringify({
    perft: perft.map(({ rules, seed, depth }) => engine.deal(rules, { seed }).countLeaves(depth)),
    batches: batches.map(({ rules, numGames, seed }) => engine.playRandomGames(rules, numGames, seed)),
  }),
);
