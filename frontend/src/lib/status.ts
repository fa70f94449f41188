/** What the table asks or waits for, in a sentence. */

import type { SeatOut, View } from "./contract";
import { listAny, t } from "./i18n.svelte";
import { namesIn } from "./narration";
import { cardWords, colorWords } from "./notation";

/** Whether nothing is left to play. */
export function isGameOver({ outcome, length, game_outcome }: View): boolean {
  return outcome !== null && (length === "round" || game_outcome !== null);
}

export function describeStatus(view: View): string {
  if (view.outcome) return t(view.game_outcome ? "status.game_over" : "status.over");
  if (view.phase === "gathering") return t("status.gathering");
  if (view.legal.length === 0) return describeWait(view);
  const canPlay = view.legal.some((action) => /^[rygbw]([0-9SR+:]|$)/.test(action));
  const card = cardWords(view.top_card);
  switch (view.phase) {
    case "turn":
      if (!canPlay) return t("status.must_draw");
      return t(view.legal.includes("draw") ? "status.play_or_draw" : "status.play");
    case "drawn": {
      const drawn = view.drawn_card ? cardWords(view.drawn_card) : t("status.a_card");
      return t(canPlay ? "status.drawn" : "status.drawn_unfit", { card: drawn });
    }
    case "name_color":
      return t("status.first_wild");
    case "answer":
      return describeAnswer(view, canPlay);
    case "swap":
      return t("status.swap");
    case "catch":
      if (view.top_player === view.seat) return t("status.call_now");
      return t("status.forgot", { name: topPlayer(view) });
    case "jump_in":
      return view.legal.includes("pass") ? t("status.may_jump", { card }) : t("status.jump");
    default:
      return t("status.decide");
  }
}

function topPlayer(view: View): string {
  const top = view.top_player ?? null;
  return top === null ? "" : (namesIn(view)[top] ?? "");
}

function describeAnswer(view: View, canPlay: boolean): string {
  const ways = listAny([
    t("status.take", { count: view.draw_sum }),
    ...(canPlay ? [t("status.stack")] : []),
    ...(view.legal.includes("challenge") ? [t("status.challenge")] : []),
  ]);
  const name = topPlayer(view);
  const card = cardWords(view.top_card);
  return t(name === "" ? "status.answer_deal" : "status.answer", { name, card, ways });
}

function describeWait(view: View): string {
  if (view.to_act === null || view.to_act === view.seat) return t("status.wait");
  const seat = view.seats[view.to_act];
  const name = seat?.name ?? "";
  if (seat?.is_away) return t("status.agent_plays", { name });
  return t(seat && isGone(seat) ? "status.wait_away" : "status.thinking", { name });
}

/** Whether a person has the seat and is not there. */
export function isGone(seat: SeatOut): boolean {
  return seat.is_person && !seat.connected;
}

/** Why a card cannot be played now, for the person who tried. */
export function describeMisfit(view: View, card: string): string {
  if (view.legal.length === 0) return t("misfit.not_yet");
  if (view.phase === "turn" && card === "w+4") return t("misfit.w4");
  if (view.phase === "turn" && view.active_color)
    return t("misfit.turn", {
      card: cardWords(card),
      color: colorWords(view.active_color),
      top: cardWords(view.top_card),
    });
  return t("misfit.now", { card: cardWords(card) });
}
