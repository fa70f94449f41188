// Calls that end in a crash, and workers that end: `node crashes.mjs MODULE`, with the bytes of stubs on standard input.
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort } from "node:worker_threads";
import { Engine } from "../../wasm/lastcard.js";
import { RemoteEngine, serve } from "../../wasm/worker.js";

globalThis.crypto ??= webcrypto; // Node 18

/** Like a worker of a browser. */
class Port extends EventTarget {
  isTerminated = false;
  postMessage() {}
  terminate() {
    this.isTerminated = true;
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const words = async (call) => {
  try {
    await call();
    return "accepted";
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};

async function crash(module, stubs) {
  const engine = await Engine.load(module);
  const unwritten = await words(() => engine.call("deal", { rules: "official", seed: 7n }));
  const goesOn = engine.describe().networks.net.official;
  const trapped = await Engine.load(stubs.trap);
  const trap = await words(() => trapped.describe());
  const later = [await words(() => trapped.describe()), await words(() => trapped.loadNetwork("x", new Uint8Array(9)))];
  const stubbed = await Engine.load(stubs.exit);
  const exit = await words(() => stubbed.describe());
  return { unwritten, goesOn, trap, later, exit };
}

async function notFound() {
  const server = createServer((_, response) => response.writeHead(404).end("<html>")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.on("listening", resolve));
  const address = `http://127.0.0.1:${server.address().port}/lastcard.wasm`;
  const told = await words(() => Engine.load(fetch(address)));
  server.close();
  return told.replace(address, "ADDRESS");
}

async function outcome(engine, waiting) {
  return { waiting: await waiting, later: await words(() => engine.call("describe")), isDead: engine.isDead };
}

/** What a call that waits and a later one are told when something ends the worker. */
async function remote(source, end) {
  const worker = new Worker(fileURLToPath(import.meta.url));
  const engine = new RemoteEngine(worker, source);
  const { round } = await engine.call("deal", { rules: "official", seed: "7" });
  const { agent } = await engine.call("make_agent", { agent: "halving:simulations=10000000,advisor=heuristic", seed: "1" });
  const waiting = words(() => engine.call("decide", { agent, round }));
  await pause(100);
  await end(worker, engine);
  const told = await outcome(engine, waiting);
  await worker.terminate();
  return told;
}

async function crashInWorker(stub) {
  const worker = new Worker(fileURLToPath(import.meta.url));
  const engine = new RemoteEngine(worker, stub);
  const told = await outcome(engine, words(() => engine.call("describe")));
  await worker.terminate();
  return told;
}

/** An engine that nobody has called yet. */
async function unstarted(worker, source) {
  const engine = new RemoteEngine(worker, source);
  await new Promise((resolve) => (worker.once("error", resolve), worker.once("message", resolve)));
  await pause(20);
  const told = await outcome(engine, null);
  await worker.terminate();
  return told;
}

/** A worker of a browser says nothing when it is terminated, and tells of failures by events. */
async function inBrowser(type, fields, module) {
  const port = new Port();
  const engine = new RemoteEngine(port, module);
  const waiting = words(() => engine.call("describe"));
  if (type === "close") engine.close();
  else port.dispatchEvent(Object.assign(new Event(type), fields));
  return { ...(await outcome(engine, waiting)), isTerminated: port.isTerminated };
}

if (isMainThread) {
  const module = readFileSync(process.argv[2]);
  const given = JSON.parse(readFileSync(0, "utf8"));
  const stubs = { exit: Uint8Array.from(given.exit), trap: Uint8Array.from(given.trap) };
  const told = {
    ...(await crash(module, stubs)),
    notFound: await notFound(),
    terminated: await remote(module, (worker) => worker.terminate()),
    closed: await remote(module, (_, engine) => engine.close()),
    crashed: await crashInWorker(stubs.exit),
    unreadable: await unstarted(new Worker(fileURLToPath(import.meta.url)), new Uint8Array(8)),
    broken: await unstarted(new Worker("throw new Error('no memory')", { eval: true }), module),
    failed: await inBrowser("error", { message: "no memory" }, module),
    missing: await inBrowser("error", {}, module),
    garbled: await inBrowser("messageerror", {}, module),
    closedThere: await inBrowser("close", {}, module),
  };
  console.log(JSON.stringify(told));
} else {
  serve(parentPort);
}
