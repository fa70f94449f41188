/** What the table asks or waits for, in a sentence. */

import type { SeatOut, View } from "./contract";
import { namesIn } from "./narration";
import { cardWords, COLOR_WORDS } from "./notation";

export function describeStatus(view: View): string {
  if (view.outcome) return "The round is over.";
  if (view.phase === "gathering") return "The game starts when everyone is here.";
  if (view.legal.length === 0) return describeWait(view);
  const canPlay = view.legal.some((action) => /^[rygbw]([0-9SR+:]|$)/.test(action));
  const top = view.top_player ?? null;
  const player = top === null ? "The deal" : (namesIn(view)[top] ?? "");
  switch (view.phase) {
    case "turn":
      if (!canPlay) return "Your turn: no card fits, so draw.";
      return view.legal.includes("draw") ? "Your turn: play a card or draw." : "Your turn: play a card.";
    case "drawn": {
      const drawn = view.drawn_card ? ` the ${cardWords(view.drawn_card)}` : " a card";
      return canPlay ? `You drew${drawn}: play it or keep it.` : `You drew${drawn}, which does not fit.`;
    }
    case "name_color":
      return "The first card is a Wild: choose the color to start with.";
    case "answer": {
      const ways = [
        `take ${view.draw_sum}`,
        ...(canPlay ? ["stack another"] : []),
        ...(view.legal.includes("challenge") ? ["challenge"] : []),
      ];
      return `${player} played ${cardWords(view.top_card)}: ${listWays(ways)}.`;
    }
    case "swap":
      return "Whose hand do you want?";
    case "catch":
      if (top === view.seat) return "You forgot to call UNO: call it now!";
      return `${player} forgot to call UNO!`;
    case "jump_in":
      return view.legal.includes("pass")
        ? `You hold the same card, ${cardWords(view.top_card)}: jump in?`
        : "Jump in with your card.";
    default:
      return "Your decision.";
  }
}

function describeWait(view: View): string {
  if (view.to_act === null || view.to_act === view.seat) return "Waiting for the others…";
  const seat = view.seats[view.to_act];
  const name = seat?.name ?? "";
  if (seat?.is_away) return `An agent is playing for ${name}…`;
  return seat && isGone(seat) ? `Waiting for ${name}, who is away.` : `${name} is thinking…`;
}

/** Whether a person has the seat and is not there. */
export function isGone(seat: SeatOut): boolean {
  return seat.is_person && !seat.connected;
}

function listWays(ways: readonly string[]): string {
  return ways.length < 2 ? ways.join("") : `${ways.slice(0, -1).join(", ")} or ${ways.at(-1)}`;
}

/** Why a card cannot be played now, for the person who tried. */
export function describeMisfit(view: View, card: string): string {
  const words = cardWords(card);
  if (view.legal.length === 0) return "It is not your turn yet.";
  if (view.phase === "turn" && card === "w+4")
    return "You may play a Wild Draw Four only if you hold no card of the active color.";
  if (view.phase === "turn") {
    const color = view.active_color ? COLOR_WORDS[view.active_color] : "any color";
    return `${words} matches neither ${color} nor ${cardWords(view.top_card)}.`;
  }
  return `${words} cannot be played now.`;
}
