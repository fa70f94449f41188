// Plays again what Python played: `node agree.mjs MODULE NETWORKS < cases.json` prints what differs.
import { readFileSync } from "node:fs";
import { Engine } from "../../wasm/lastcard.js";
import { agree, NETWORKS } from "./agreement.mjs";

const [, , module, networks] = process.argv;
const engine = await Engine.load(readFileSync(module));
for (const name of NETWORKS) engine.loadNetwork(name, readFileSync(`${networks}/${name}.safetensors`));
console.log(JSON.stringify(agree(engine, JSON.parse(readFileSync(0, "utf8")))));
