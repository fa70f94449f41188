// Leaves and random rounds: `node counts.mjs MODULE NETWORKS < request.json`.
import { readFileSync } from "node:fs";
import { Engine } from "../../wasm/lastcard.js";
import { count } from "./agreement.mjs";

const engine = await Engine.load(readFileSync(process.argv[2]));
console.log(JSON.stringify(count(engine, JSON.parse(readFileSync(0, "utf8")))));
