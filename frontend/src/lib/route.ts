/** Which page an address means. */

export type Page = "play" | "study" | "advise" | "ladder" | "settings" | "rules" | "learn" | "you" | "pair";

/** Pages that need nothing but their name. */
const PLAIN = ["advise", "ladder", "settings", "learn", "you", "pair"] as const;
type Plain = (typeof PLAIN)[number];

/** Where in a game one looks. */
export interface Position {
  round: number | null;
  ply: number;
  /** Whose view; null for the truth. */
  seat: number | null;
}

export type Route =
  | { page: "play"; game: string | null; invite: string | null }
  | { page: "carry"; secret: string }
  | { page: "join" | "watch"; game: string; invite: string }
  | { page: "study"; game: string | null; position: Position }
  | { page: "rules"; rule: string | null }
  | { page: Plain };

const START: Position = { round: null, ply: 0, seat: null };

/** Reads the part of an address after the #. */
export function readRoute(hash: string): Route {
  const [page = "", game, round, ply, seat] = hash.replace(/^#\/?/, "").split("/");
  const key = game !== undefined && /^[\w-]+$/.test(game) ? game : null;
  const invite = round !== undefined && /^[\w-]+$/.test(round) ? round : null;
  if (page === "game") return { page: "play", game: key, invite };
  if (page === "carry" && key !== null) return { page, secret: key };
  if ((page === "join" || page === "watch") && key !== null && /^[\w-]+$/.test(round ?? ""))
    return { page, game: key, invite: round ?? "" };
  if (page === "rules") return { page, rule: game !== undefined && /^\d+\.\d+$/.test(game) ? game : null };
  if (isPlain(page)) return { page };
  if (page !== "study") return { page: "play", game: null, invite: null };
  if (round === undefined || !/^\d+$/.test(round)) return { page, game: key, position: START };
  const position = { round: Number(round), ply: toNumber(ply) ?? 0, seat: toNumber(seat) };
  return { page, game: key, position };
}

/** The address of a place in a game; `readRoute` undoes it. */
export function studyHash(game: string, position?: Position): string {
  if (!position || position.round === null) return `#/study/${game}`;
  const { round, ply, seat } = position;
  return `#/study/${game}/${round}/${ply}/${seat ?? "truth"}`;
}

function isPlain(page: string): page is Plain {
  return (PLAIN as readonly string[]).includes(page);
}

function toNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}
