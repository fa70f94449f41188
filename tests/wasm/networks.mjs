// Network files that must be refused: `node networks.mjs MODULE FOLDER < names.json` prints why each is.
import { readFileSync } from "node:fs";
import { Engine } from "../../wasm/lastcard.js";

const [, , module, folder] = process.argv;
const engine = await Engine.load(readFileSync(module));
const messages = {};
for (const name of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    engine.loadNetwork("official-2", readFileSync(`${folder}/${name}`));
    messages[name] = "accepted";
  } catch (error) {
    messages[name] = error.message;
  }
}
console.log(JSON.stringify(messages));
