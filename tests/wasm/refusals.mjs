// Calls that must be refused, each followed by one that must work: `node refusals.mjs MODULE NETWORKS`.
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { Engine } from "../../wasm/lastcard.js";

globalThis.crypto ??= webcrypto; // Node 18
const [, , module, networks] = process.argv;
const engine = await Engine.load(readFileSync(module));
const round = engine.deal("official", { seed: 7 });
const network = readFileSync(`${networks}/official-2.safetensors`);
const seat = { name: "Ada", level: "", agent: "random", is_person: "yes" };
const refused = {
  rules: () => engine.deal("offcial", { seed: 7 }),
  field: () => engine.deal("official playrs=3", { seed: 7 }),
  players: () => engine.deal({ preset: "official", players: 11 }),
  kind: () => engine.deal({ preset: "official", must_play: "yes" }),
  seed: () => engine.deal("official", { seed: "xyz" }),
  negative: () => engine.deal("official", { seed: -1n }),
  none: () => engine.makeAgent("random", { seed: null }),
  half: () => engine.deal("official", { seed: 0.5 }),
  scores: () => engine.deal("official", { seed: 7, scores: ["a", 7] }),
  most: () => engine.deal("official", { seed: 7, scores: [0, 1e9] }),
  hands: () => engine.place("official", { top: "r5", hands: [null, ""], sizes: [7, 7], seat: 0 }),
  person: () => engine.call("open_table", { rules: "official", seats: [seat, seat], length: "round", seed: "7" }),
  action: () => round.apply("b9x"),
  illegal: () => round.apply("uno"),
  seat: () => round.observe(2),
  agent: () => engine.makeAgent("chess"),
  option: () => engine.makeAgent("halving:simulation=5"),
  range: () => engine.makeAgent({ agent: "halving", simulations: 0 }),
  type: () => engine.makeAgent("halving:simulations=many"),
  group: () => engine.makeAgent("expectiminimax:opponents=minimise"),
  file: () => engine.makeAgent("heuristic:weights=mine.json"),
  network: () => engine.makeAgent("net").choose(round),
  advisor: () => engine.makeAgent("halving").choose(round),
  champion: () => engine.makeAgent("champion").choose(engine.deal("house players=5", { seed: 7 })),
  deck: () => engine.call("needed_network", { agent: "net", rules: "mini max_plies=20" }),
  cut: () => engine.loadNetwork("official-2", network.subarray(0, 1_000_000)),
  empty: () => engine.loadNetwork("official-2", new Uint8Array(3)),
  garbage: () => engine.loadNetwork("official-2", network.map((byte) => byte ^ 255)),
  buffer: () => engine.loadNetwork("official-2", new ArrayBuffer(10)),
  beyond: () => engine.call("load_network", { name: "official-2", address: 2147483647, size: 8 }),
  across: () => engine.call("load_network", { name: "official-2", address: 65536, size: 256e6 }),
  far: () => engine.call("load_network", { name: "official-2", address: 4e9, size: 8 }),
  other: () => engine.call("play_chess"),
  renamed: () => engine.call("play_chess", { call: "describe" }),
  stopping: () => engine.stopWhen(5),
  released: () => (engine.call("release", { round: 999 }), engine.call("show", { round: 999 })),
  stopped: () => {
    engine.stopWhen(() => true);
    engine.makeAgent("halving:simulations=1000000,advisor=heuristic").choose(round);
  },
  thrown: () => {
    engine.stopWhen(() => {
      throw new Error("mine");
    });
    engine.makeAgent("halving:simulations=1000000,advisor=heuristic").choose(round);
  },
};
const messages = {};
const search = () => engine.makeAgent("halving:simulations=50,advisor=heuristic", { seed: 1 }).decide(round);
const expected = search();
for (let times = 0; times < 3; ++times) {
  for (const [name, call] of Object.entries(refused)) {
    try {
      if (times > 0 && ["stopped", "thrown"].includes(name)) continue;
      call();
      messages[name] = "accepted";
    } catch (error) {
      messages[name] = `${error.name}: ${error.message}`;
    }
    engine.stopWhen(() => false);
    if (!isDeepStrictEqual(search(), expected)) throw new Error(`after ${name} the engine plays something else`);
  }
}
console.log(JSON.stringify(messages));
