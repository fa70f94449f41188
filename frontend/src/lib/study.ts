/** Finished games: requests about them, and files. */

import type { BranchBody, FrameOut, NewGameResponse, StudyOut } from "./contract";
import { hostOf } from "./host";

export const fetchStudy = (game: string): Promise<StudyOut> => hostOf(game).fetchStudy(game);
export const fetchFrames = (game: string, round: number, seat: number | null): Promise<FrameOut[]> =>
  hostOf(game).fetchFrames(game, round, seat);
export const branchOff = (game: string, wanted: BranchBody): Promise<NewGameResponse> =>
  hostOf(game).branchOff(game, wanted);
export const exportRecord = (game: string): Promise<string> => hostOf(game).exportRecord(game);
export const deleteStudy = (game: string, token: string): Promise<void> => hostOf(game).deleteStudy(game, token);

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
