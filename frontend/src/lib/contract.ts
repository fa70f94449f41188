/** What travels between the server and this page; docs/reference/web-api.md describes it. */

export type Color = "r" | "y" | "g" | "b";

export type Phase =
  "turn" | "drawn" | "name_color" | "answer" | "swap" | "catch" | "jump_in" | "waiting" | "gathering" | "over";

export interface SeatView {
  seat: number;
  name: string;
  level: string | null;
  is_person: boolean;
  /** Whether somebody can take it by a link. */
  is_open: boolean;
  /** Whether an agent plays for the person. */
  is_away: boolean;
  cards: number;
  declared: boolean;
  score: number;
  last: string | null;
  connected: boolean;
}

export interface LogEntry {
  n: number;
  seat: number | null;
  /** The kind of event: "played", "drew" and so on. */
  kind?: string;
  text: string;
  action?: string | null;
  count?: number;
  target?: number;
}

export interface Outcome {
  winner: number | null;
  reason: string;
  points: number[];
  scores: number[];
}

export interface GameOutcome {
  winner: number | null;
  scores: number[];
}

export interface View {
  game: string;
  /** Nothing for whoever looks on. */
  seat: number | null;
  players: number;
  rules: { text: string; name: string | null };
  length: "round" | "game";
  round: number;
  ply: number;
  phase: Phase;
  to_act: number | null;
  direction: 1 | -1;
  active_color: Color | null;
  top_card: string;
  top_player?: number | null;
  drawn_card?: string | null;
  draw_pile_size: number;
  discard_pile_size: number;
  draw_sum: number;
  hand: string[];
  legal: string[];
  seats: SeatView[];
  dealer: number;
  log: LogEntry[];
  deadline: number | null;
  outcome: Outcome | null;
  game_outcome: GameOutcome | null;
  deal_hash: string;
  seed: string | null;
  /** Whether somebody waits at a rematch. */
  rematch: boolean;
  hands: string[][] | null;
}

export interface Preset {
  name: string;
  summary: string;
  players: number;
  text: string;
  /** What each switch is set to. */
  values?: Record<string, string | number | boolean>;
}

export interface Switch {
  name: string;
  kind: "choice" | "bool" | "int";
  choices?: string[];
  low?: number;
  high?: number;
  default: string | number | boolean;
  explanation: string;
}

export interface Level {
  name: string;
  agent: string;
  summary: string;
}

/** What a search may cost. */
export type Budget = { simulations: number } | { seconds: number };

export interface Analyst extends Level {
  /** What its budget can be counted in. */
  budgets: ("simulations" | "seconds")[];
}

export interface GameRequest {
  players: number;
  opponents: string[];
  rules: string;
  length: "round" | "game";
  pace: number;
  window: number;
  friends: number;
  turn: number;
  name: string;
}

export interface Catalog {
  version: string;
  presets: Preset[];
  switches: Switch[];
  levels: Level[];
  analysts: Analyst[];
  limits: { max_simulations: number; max_seconds: number };
  defaults: GameRequest;
}

/** A seat at a table, and the token that holds it. */
export interface Place {
  game: string;
  seat: number;
  token: string;
  /** What lets others in. */
  invite: string;
  view: View;
}

export interface ActionValue {
  action: string;
  value: number;
  error: number;
  simulations?: number;
}

export interface Hint {
  action: string;
  value: number | null;
  reason: string;
  actions: ActionValue[];
}

/** An action that a search tried, after those above it. */
export interface TreeNode {
  action: string;
  seat: number;
  simulations: number;
  /** How likely the asking seat is to win. */
  value: number;
  children: TreeNode[];
}

export interface Analysis {
  id: string;
  /** Whether the table changed before the search was finished. */
  stopped?: boolean;
  done: boolean;
  analyst: string;
  simulations: number;
  per_second: number;
  best: string | null;
  value: number | null;
  actions: ActionValue[];
  line?: string[];
  reason?: string | null;
  belief?: Record<string, Record<string, number>> | null;
  tree?: TreeNode[] | null;
}

export type ServerMessage =
  | { type: "view"; view: View }
  | { type: "ack"; id: string; ply: number }
  | { type: "refused"; id: string | null; error: { message: string; field?: string } }
  | ({ type: "analysis" } & Analysis)
  | { type: "pong" }
  | { type: "error"; error: { message: string } };

export type ClientMessage =
  | { type: "join"; game: string; token: string; since?: number }
  | { type: "act"; id: string; ply: number; action: string }
  | { type: "analyse"; id: string; analyst: string; simulations?: number; seconds?: number }
  | { type: "stop"; id: string }
  | { type: "next" }
  | { type: "back" }
  | { type: "ping" };
