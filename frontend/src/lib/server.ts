/** The server as a host. */

import { ask, json } from "./api";
import type { FramesResponse } from "./contract";
import type { Host } from "./host";
import { forgetJudging } from "./local/judge";
import { dropJudged } from "./local/judgements";
import { GameSocket } from "./socket";

export const serverHost: Host = {
  connect: (game, token, handlers) => new GameSocket(game, token, handlers),
  createGame: (request) => json("api/games", null, request),
  askRematch: (game, token) => json(`api/games/${game}/rematch`, token, {}),
  fetchRecord: async (game, token) => (await ask(`api/games/${game}/record`, token)).text(),
  fetchStudy: (game) => json(`api/studies/${game}`, null),
  fetchFrames: async (game, round, seat) => {
    const query = seat === null ? "" : `?seat=${seat}`;
    return (await json<FramesResponse>(`api/studies/${game}/rounds/${round}${query}`, null)).frames;
  },
  branchOff: (game, wanted) => json(`api/studies/${game}/branch`, null, wanted),
  bringRecord: (record) => json("api/studies", null, { record }),
  exportRecord: async (game) => (await ask(`api/studies/${game}/record`, null)).text(),
  deleteStudy: async (game, token) => {
    forgetJudging(game);
    await ask(`api/studies/${game}`, token, undefined, "DELETE");
    await dropJudged(game);
  },
};
