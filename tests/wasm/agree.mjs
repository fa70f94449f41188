// Plays again what Python played: `node agree.mjs MODULE NETWORKS < cases.json` prints what differs.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { Engine } from "../../wasm/lastcard.js";

const [, , module, networks] = process.argv;
const engine = await Engine.load(readFileSync(module));
for (const name of ["official-2", "official-4", "advisor-2", "champion-2"]) {
  engine.loadNetwork(name, readFileSync(`${networks}/${name}.safetensors`));
}
const differences = [];
let choices = 0;

function compare(what, found, expected) {
  if (isDeepStrictEqual(found, expected)) return;
  differences.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`.slice(0, 2000));
}

for (const { rules, seed, agents, plies, observations } of JSON.parse(readFileSync(0, "utf8"))) {
  const round = engine.deal(rules, { seed });
  const seats = agents.map((agent, seat) => engine.makeAgent(agent, { seed: seed + seat }));
  plies.forEach(({ observation, best, decision }, ply) => {
    const seat = observation.observer;
    const what = `${rules}, seed ${seed}, ply ${ply}, ${agents[seat]}`;
    compare(`${what}: observation`, round.observe(seat), observation);
    const decided = seats[seat].decide(round);
    compare(`${what}: decision`, decision ? decided : decided.best, decision ?? best);
    choices += observation.legal_actions.length > 1 ? 1 : 0;
    round.apply(best);
  });
  observations.forEach((seen, seat) => compare(`${rules}, seed ${seed}, seat ${seat}`, round.observe(seat), seen));
  for (const kept of [round, ...seats]) kept.release();
}
console.log(JSON.stringify({ choices, differences }));
