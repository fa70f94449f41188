/** Finished games: requests about them, and files. */

import { problemOf } from "./api";
import type { BranchBody, FrameOut, NewGameResponse, StudyOut } from "./contract";
import { hostOf } from "./host";
import { t } from "./i18n.svelte";
import { sayingWhat } from "./local/engine";
import { forgetSeat, type Held } from "./storage";

export const fetchStudy = (game: string): Promise<StudyOut> =>
  hostOf(game).fetchStudy(game).catch(sayingWhat("refusal.bad_record", "record"));
export const fetchFrames = (game: string, round: number, seat: number | null): Promise<FrameOut[]> =>
  hostOf(game).fetchFrames(game, round, seat);
export const branchOff = (game: string, wanted: BranchBody): Promise<NewGameResponse> =>
  hostOf(game).branchOff(game, wanted);
export const exportRecord = (game: string): Promise<string> => hostOf(game).exportRecord(game);
export const deleteStudy = (game: string, token: string): Promise<void> => hostOf(game).deleteStudy(game, token);

/** Deletes a game and the seat in it, also where the game is gone already. */
export async function removeGame({ game, token }: Pick<Held, "game" | "token">): Promise<void> {
  try {
    await deleteStudy(game, token);
  } catch (error) {
    if (problemOf(error).status !== 404) throw error;
  }
  forgetSeat(game);
}

/** Who won, for messages: `stops` where the record ends before that is known. */
export function winnerOf({ winner, is_over }: StudyOut, you: number | null): "nobody" | "you" | "other" | "stops" {
  if (!is_over) return "stops";
  if (winner === null) return "nobody";
  return winner === you ? "you" : "other";
}

/** What a person is called who gave no name: "player" in each language, numbered where there are several. */
const NAMELESS = /^(Player|Gast|Invitado|Invité|玩家|ضيف)( \d+)?$/;

/** What each seat is called in sentences: the reader is "You", as at the table. */
export function namesOf({ seats }: StudyOut, you: number | null): string[] {
  return seats.map(({ seat, name }) => (seat === you ? t("you") : name));
}

/** What each seat is called where seats are listed: beside "you" stands the name that the reader gave, if any. */
export function labelsOf({ seats }: StudyOut, you: number | null): string[] {
  return seats.map(({ seat, name }) => {
    if (seat !== you) return name;
    return NAMELESS.test(name) ? t("you") : t("study.you", { name });
  });
}

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
