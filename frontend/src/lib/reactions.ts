/** Reactions, each with its sign. */

import type { Reaction } from "./contract";

export const SIGNS: Readonly<Record<Reaction, string>> = {
  hello: "👋",
  nice: "👍",
  thanks: "🙏",
  wow: "😮",
  laugh: "😂",
  oops: "🙈",
  think: "🤔",
  bye: "✌️",
};
export const REACTIONS = Object.keys(SIGNS) as Reaction[];
