// Searches from observations alone: `node thinking.mjs MODULE NETWORKS < request.json`.
import { readFileSync } from "node:fs";
import { Engine } from "../../wasm/lastcard.js";
import { NETWORKS } from "./agreement.mjs";

const [, , module, networks] = process.argv;
const engine = await Engine.load(readFileSync(module));
for (const name of NETWORKS) {
  engine.loadNetwork(name, readFileSync(`${networks}/${name}.safetensors`));
}
const { questions, decisions } = JSON.parse(readFileSync(0, "utf8"));

function answer(question) {
  try {
    return engine.call("analyse", question);
  } catch (error) {
    return error.message;
  }
}

console.log(JSON.stringify({ answers: questions.map(answer), costs: engine.call("list_costs", { decisions }) }));
