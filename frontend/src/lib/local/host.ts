/** This device as a host: games are dealt by the engine, and stored in IndexedDB. */

import type { FrameOut, NewGameResponse, StudyOut, StudyRoundOut, View } from "../contract";
import type { Host } from "../host";
import { DEVICE_TOKEN, newDeviceGame } from "../place";
import { fetchAhead } from "./analyst";
import { sayingWhat } from "./engine";
import { forgetJudging } from "./judge";
import { reader, withRecord } from "./records";
import { nameSeats, seatOpponents } from "./seats";
import { deleteGame, readGame, writeGame, type LocalSeat, type StoredGame } from "./store";
import { LocalTable, seedText } from "./table";

interface DescribedRecord {
  rules: string;
  players: number;
  agents: string[];
  people: number[];
  rounds: StudyRoundOut[];
  winner: number | null;
  is_over: boolean;
  scores: number[];
  seed: string | null;
}

/** Seats a new game and stores it; the table opens it from there. */
async function begin(
  stored: Omit<StoredGame, "game" | "began" | "text" | "judged">,
  call: string,
  fields: Record<string, unknown>,
): Promise<NewGameResponse> {
  const engine = await reader();
  const { seats, length, seat } = stored;
  const opened = await engine.call<{ table: number }>(call, { ...fields, seats, length, seed: seedText() });
  const { table } = opened;
  const game = newDeviceGame();
  const text = await engine.call<string>("write_record", { table });
  const view = await engine.call<View>("view_table", { table, game, seat: seat ?? 0, since: 0 });
  await engine.call("release_table", { table });
  await writeGame({ ...stored, game, began: new Date().toISOString(), text, judged: [] });
  return { game, seat: seat ?? 0, token: DEVICE_TOKEN, invite: "", view };
}

function describeSeats(seats: readonly LocalSeat[]): StudyOut["seats"] {
  return seats.map((seat, index) => ({ seat: index, ...seat }));
}

/** A record as a game that can only be studied. */
export async function readRecord(record: string): Promise<StoredGame> {
  const text = record.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const length = "game" as const;
  const told = await withRecord(text, (engine, id) =>
    engine.call<DescribedRecord>("describe_record", { record: id, length }),
  ).catch(sayingWhat("refusal.bad_record", "record"));
  return {
    game: newDeviceGame(),
    began: new Date().toISOString(),
    source: "import",
    length,
    pace: 0.8,
    window: 3,
    seat: null,
    seats: nameSeats(told.agents, told.people),
    opponents: ["hard"],
    text,
    judged: [],
  };
}

export const deviceHost: Host = {
  connect: (game, _token, handlers) => new LocalTable(game, handlers),

  async createGame({
    players = 2,
    opponents = ["hard"],
    rules = "official",
    length = "round",
    pace = 0.8,
    window = 3,
    name = "",
  }) {
    const seats = await seatOpponents(await reader(), opponents, players, 0, name);
    const settings = { source: "table" as const, length, pace, window, seat: 0, seats, opponents };
    const opening = begin(settings, "open_table", { rules: `${rules} players=${players}` });
    return opening.catch(sayingWhat("refusal.bad_rules", "rules"));
  },

  async askRematch(game) {
    const { seats, seat, length, pace, window, opponents, text } = await readGame(game);
    const { rules } = await withRecord(text, (engine, record) =>
      engine.call<DescribedRecord>("describe_record", { record, length }),
    );
    const settings = { source: "table" as const, length, pace, window, seat, seats, opponents };
    return begin(settings, "open_table", { rules });
  },

  async fetchStudy(game) {
    const { text, length, source, began, seats } = await readGame(game);
    const told = await withRecord(text, (engine, record) =>
      engine.call<DescribedRecord>("describe_record", { record, length }),
    );
    const { rules, players, rounds, winner, is_over, scores, seed } = told;
    return { game, source, began, rules, players, seats: describeSeats(seats), rounds, winner, is_over, scores, seed };
  },

  async fetchFrames(game, round, seat) {
    const { text, length } = await readGame(game);
    return withRecord(text, async (engine, record) => {
      const { rules } = await engine.call<DescribedRecord>("describe_record", { record, length });
      void fetchAhead(engine, rules);
      return engine.call<FrameOut[]>("list_frames", { record, round, seat });
    });
  },

  async branchOff(game, { round, ply, seat, opponents = ["hard"], pace = 0.8, window = 3 }) {
    const { text, seats: before } = await readGame(game);
    const branch = await withRecord(text, (engine, record) =>
      engine.call<string>("branch_off", { record, round, ply }),
    );
    const name = before.find((each) => each.is_person)?.name ?? "";
    const seats = await seatOpponents(await reader(), opponents, before.length, seat, name);
    const settings = { source: "branch" as const, length: "round" as const, pace, window, seat, seats, opponents };
    return begin(settings, "resume_table", { text: branch });
  },

  async bringRecord(record) {
    const read = await readRecord(record);
    await writeGame(read);
    return { game: read.game, token: DEVICE_TOKEN };
  },

  fetchRecord: async (game) => (await readGame(game)).text,
  exportRecord: async (game) => (await readGame(game)).text,

  async deleteStudy(game) {
    forgetJudging(game);
    await readGame(game);
    await deleteGame(game);
  },
};
