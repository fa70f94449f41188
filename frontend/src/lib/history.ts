/** Results of one person over time, wherever the games were played. */

import type { PastGameOut } from "./contract";

/** Games won, with a 95 % interval. */
export interface Wins {
  name: string;
  games: number;
  wins: number;
  share: number;
  low: number;
  high: number;
  /** The share of a player as strong as the others. */
  even: number;
}

export interface Streak {
  kind: "none" | "won" | "lost";
  length: number;
  /** The longest streak of wins. */
  longest: number;
}

/** The level that fits, and the one that this rests on. */
export interface LevelAdvice {
  level: string;
  reason: "fits" | "up" | "down";
  played: string;
}

export interface History {
  games: number;
  wins: number;
  resigned: number;
  levels: Wins[];
  tables: Wins[];
  /** Games that can be judged, the latest first. */
  finished: { game: string; seat: number }[];
  streak: Streak;
  advice: LevelAdvice | null;
  /** The latest games, oldest first: whether they were won. */
  recent: boolean[];
}

/** The quantile of a 95 % interval. */
const Z = 1.96;
/** Games at a level before it counts for advice. */
const LEAST_GAMES = 5;
const RECENT = 20;

/** Sums up games in any order; `levels` are the names of all levels, the weakest first. */
export function sumUp(past: readonly PastGameOut[], levels: readonly string[]): History {
  const games = past.toSorted((a, b) => Date.parse(a.ended) - Date.parse(b.ended));
  const rank = (name: string): number => (levels.includes(name) ? levels.indexOf(name) : levels.length);
  const byLevel = listWins(games, (game) => game.level).toSorted(
    (a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1),
  );
  const won = games.map((game) => game.won);
  return {
    games: games.length,
    wins: won.filter(Boolean).length,
    resigned: games.filter((game) => game.resigned).length,
    levels: byLevel,
    tables: listWins(games, (game) => String(game.players)).toSorted((a, b) => Number(a.name) - Number(b.name)),
    finished: games.filter((game) => game.finished).toReversed(),
    streak: findStreak(won),
    advice: adviseLevel(byLevel, levels),
    recent: won.slice(-RECENT),
  };
}

function listWins(games: readonly PastGameOut[], nameOf: (game: PastGameOut) => string): Wins[] {
  const groups = new Map<string, PastGameOut[]>();
  for (const game of games) groups.set(nameOf(game), [...(groups.get(nameOf(game)) ?? []), game]);
  return [...groups].map(([name, group]) => {
    const wins = group.filter((game) => game.won).length;
    const [low, high] = wilson(wins, group.length);
    const even = group.reduce((sum, game) => sum + 1 / game.players, 0) / group.length;
    return { name, games: group.length, wins, share: wins / group.length, low, high, even };
  });
}

/** The 95 % interval of a share (Wilson, 1927), which holds for few games as well. */
function wilson(wins: number, games: number): [number, number] {
  const share = wins / games;
  const square = (Z * Z) / games;
  const center = (share + square / 2) / (1 + square);
  const half = (Z * Math.sqrt((share * (1 - share)) / games + square / (4 * games))) / (1 + square);
  return [Math.max(center - half, 0), Math.min(center + half, 1)];
}

function findStreak(won: readonly boolean[]): Streak {
  const last = won.at(-1);
  if (last === undefined) return { kind: "none", length: 0, longest: 0 };
  const length = won.length - 1 - won.lastIndexOf(!last);
  let longest = 0;
  let run = 0;
  for (const isWon of won) longest = Math.max(longest, (run = isWon ? run + 1 : 0));
  return { kind: last ? "won" : "lost", length, longest };
}

/**
 * One level up from where the person surely wins more than an even share, one down from less. It rests on the strongest
 * level with enough games.
 */
function adviseLevel(wins: readonly Wins[], levels: readonly string[]): LevelAdvice | null {
  const strongest = wins.findLast(({ name, games }) => levels.includes(name) && games >= LEAST_GAMES);
  if (!strongest) return null;
  const played = strongest.name;
  const index = levels.indexOf(played);
  const [up, down] = [levels[index + 1], levels[index - 1]];
  if (strongest.low > strongest.even && up !== undefined) return { level: up, reason: "up", played };
  if (strongest.high < strongest.even && down !== undefined) return { level: down, reason: "down", played };
  return { level: played, reason: "fits", played };
}
