// A search in a worker thread, one that is stopped, and one after it.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort } from "node:worker_threads";
import { RemoteEngine, serve } from "lastcard/worker";

if (isMainThread) {
  const worker = new Worker(fileURLToPath(import.meta.url));
  const engine = new RemoteEngine(worker, readFileSync(new URL(import.meta.resolve("lastcard/lastcard.wasm"))));
  const { round } = await engine.call("deal", { rules: "official", seed: "7" });
  const decide = async (agent) => {
    const made = await engine.call("make_agent", { agent, seed: "1" });
    return (await engine.call("decide", { agent: made.agent, round })).best;
  };
  const refusal = (promise) => promise.catch((error) => String(error));
  const best = await decide("halving:simulations=200,advisor=heuristic");
  const running = refusal(decide("halving:simulations=10000000,advisor=heuristic"));
  setTimeout(() => engine.stop(), 200);
  const stopped = await running;
  const after = await decide("halving:simulations=200,advisor=heuristic");
  const refused = (await refusal(engine.call("make_agent", { agent: "chess", seed: "1" }))).slice(0, 40);
  const late = new Promise((resolve) => setTimeout(resolve, 5000, "late"));
  const others = [{ id: 99 }, { call: "describe" }, { name: "a" }, { bytes: 1 }, { source: 1 }, { flag: 1 }];
  const official = JSON.stringify(await engine.call("check_rules", { rules: "official" }));
  const strange = [];
  for (const fields of others) {
    const answer = await Promise.race([late, refusal(engine.call("check_rules", { rules: "official", ...fields }))]);
    if (JSON.stringify(answer) !== official) strange.push([fields, answer]);
  }
  const start = await refusal(engine.call("start", {}));
  const network = await refusal(engine.call("load_network", { name: "a", bytes: 1 }));
  console.log(JSON.stringify({ best, stopped, after, refused, strange, start, network }));
  await worker.terminate();
} else {
  serve(parentPort);
}
