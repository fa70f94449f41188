// Tables, records and studies: `node tables.mjs MODULE NETWORKS < request.json`.
import { readFileSync } from "node:fs";
import { Engine } from "../../wasm/lastcard.js";
import { NETWORKS } from "./agreement.mjs";

const [, , module, networks] = process.argv;
const engine = await Engine.load(readFileSync(module));
for (const name of NETWORKS) {
  engine.loadNetwork(name, readFileSync(`${networks}/${name}.safetensors`));
}
const { games, records, ends, bad } = JSON.parse(readFileSync(0, "utf8"));

/** Plays a game among agents, step by step, with a view after each. */
function play({ rules, agents, seed, length, most, watch }) {
  const seats = agents.map((agent, seat) => ({ name: `seat ${seat}`, level: "", agent, is_person: false }));
  const { table } = engine.call("open_table", { rules, seats, length, seed });
  const view = () => engine.call("view_table", { table, game: "g", seat: watch, since: 0 });
  const views = [view()];
  const heard = [];
  while (views.length < most && !views.at(-1).game_outcome) {
    engine.call(views.at(-1).outcome ? "next_round" : "step", { table });
    const { ply } = views.at(-1);
    views.push(view());
    const { log } = engine.call("view_table", { table, game: "g", seat: watch, since: ply });
    heard.push([log.length, views.at(-1).ply - ply]);
  }
  const text = engine.call("write_record", { table });
  engine.call("release_table", { table });
  return { text, views, heard };
}

/** Reads a record, and everything that a study of it shows. */
function study({ text, seat, plies, ply }) {
  const { record } = engine.call("open_record", { text });
  const about = engine.call("describe_record", { record, length: "game" });
  const round = about.rounds[0].round;
  const judged = plies.map((place) => engine.call("judge", { record, round, ply: place, seed: "0" }));
  return {
    about,
    frames: engine.call("list_frames", { record, round, seat }),
    truth: engine.call("list_frames", { record, round, seat: null }),
    choices: engine.call("list_choices", { record, round }),
    judged,
    sums: engine.call("sum_up", { record, judged: [{ round, decisions: judged }] }),
    branch: engine.call("branch_off", { record, round, ply }),
  };
}

/** What a study says of a whole record. */
function describe(text) {
  const { record } = engine.call("open_record", { text });
  return engine.call("describe_record", { record, length: "game" });
}

/** Acts for an agent, which only the agent may. */
function interfere(rules) {
  const seats = [0, 1].map((seat) => ({ name: `seat ${seat}`, level: "", agent: "random", is_person: false }));
  const { table } = engine.call("open_table", { rules, seats, length: "round", seed: "5" });
  try {
    return engine.call("act", { table, action: "catch" });
  } catch (error) {
    return error.message;
  }
}

function refusal(text) {
  try {
    engine.call("open_record", { text });
    return "accepted";
  } catch (error) {
    return error.message;
  }
}

console.log(JSON.stringify({ games: games.map(play), records: records.map(study), ends: ends.map(describe), bad: bad.map(refusal), meddling: interfere("official") }));
