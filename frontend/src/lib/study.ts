/** Finished games: requests about them. */

import { ask, json } from "./api";
import type {
  BranchBody,
  DecisionOut,
  FrameOut,
  FramesResponse,
  JudgingOut,
  NewGameResponse,
  RoundJudged,
  StudyOut,
  UploadResponse,
} from "./contract";

export const fetchStudy = (game: string): Promise<StudyOut> => json(`api/studies/${game}`, null);
export const fetchFrames = async (game: string, round: number, seat: number | null): Promise<FrameOut[]> => {
  const query = seat === null ? "" : `?seat=${seat}`;
  return (await json<FramesResponse>(`api/studies/${game}/rounds/${round}${query}`, null)).frames;
};
export const fetchJudging = (game: string): Promise<JudgingOut> => json(`api/studies/${game}/analysis`, null);
export const beginJudging = (game: string): Promise<JudgingOut> => json(`api/studies/${game}/analysis`, null, {});
export const fetchDecisions = async (game: string, round: number): Promise<DecisionOut[]> =>
  (await json<RoundJudged>(`api/studies/${game}/rounds/${round}/analysis`, null)).decisions;
export const branchOff = (game: string, wanted: BranchBody): Promise<NewGameResponse> =>
  json(`api/studies/${game}/branch`, null, wanted);
export const bringRecord = (record: string): Promise<UploadResponse> => json("api/studies", null, { record });
export const exportRecord = async (game: string): Promise<string> =>
  (await ask(`api/studies/${game}/record`, null)).text();
export const deleteStudy = async (game: string, token: string): Promise<void> => {
  await ask(`api/studies/${game}`, token, undefined, "DELETE");
};

const SAVING_MS = 60_000;

/** Hands a text to the person as a file. */
export function saveText(text: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  // Not before the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), SAVING_MS);
}
