/**
 * What travels between the server and this page; docs/reference/web-api.md describes it.
 *
 * Made by tools/contract.py from the models in src/lastcard/web/contract: change those and run `make frontend`.
 */

/** An action that is stored. */
export interface Ack {
  type: "ack";
  id: MessageId;
  ply: number;
}

/** An action. */
export interface Act {
  type: "act";
  id: MessageId;
  ply: number;
  action: string;
}

/** An action over HTTP. */
export interface ActionBody {
  /** As the view says. */
  ply: number;
  /** In notation. */
  action: string;
}

/** An action with its value in a search. */
export interface ActionOut {
  action: string;
  value: number;
  error: number;
  simulations: number;
}

/** Addresses for invitations. */
export interface AddressOut {
  /** By which others reach this server, the best first; may be empty. */
  addresses: string[];
}

/** An analyst to ask, with the budgets that it takes. */
export interface AnalystOut {
  name: string;
  agent: string;
  summary: string;
  budgets: BudgetKind[];
}

/** The person is back. */
export interface Back {
  type: "back";
}

/** A ply to continue from, the seat to take, and the opponents. */
export interface BranchBody {
  /** Number of the round. */
  round: number;
  /** Actions of the round before it. */
  ply: number;
  /** The seat of the person. */
  seat: number;
  /** Levels or agents by seat; the last one repeats. */
  opponents?: string[];
  /** Seconds between what agents do. */
  pace?: number;
  /** Seconds a window waits. */
  window?: number;
}

export type BudgetKind = "simulations" | "seconds";

/** Seats that a personal link carried. */
export interface CarriedResponse {
  seats: CarriedSeatOut[];
}

/** A seat, or an uploaded record, with a token of its own for this device. */
export interface CarriedSeatOut {
  game: string;
  seat: number | null;
  token: string;
  over: boolean;
}

/** All that can be chosen before a game. */
export interface Catalog {
  version: string;
  presets: PresetOut[];
  switches: SwitchOut[];
  levels: LevelOut[];
  analysts: AnalystOut[];
  limits: LimitsOut;
  defaults: NewGameOutput;
  /** Whether the page can load the engine and play on the person's device. */
  device: boolean;
}

/** An opponent to choose. */
export interface ChoiceOut {
  name: string;
  agent: string;
  summary: string;
}

export type ClientMessage = Join | Act | Next | Back | Delegate | React | Ping;

export type Color = "r" | "y" | "g" | "b";

export type Curves = Record<string, [number, number][]>;

/** A decision, the best one, the cost of the difference, and the value of every action. */
export interface DecisionOut {
  ply: number;
  seat: number;
  top_card: string;
  played: string;
  value: number | null;
  best: string;
  best_value: number;
  cost: number;
  error: number;
  actions: ActionOut[];
}

/** An agent is to play for the person, who stays and watches. */
export interface Delegate {
  type: "delegate";
}

export type Ending = "went_out" | "blocked" | "max_plies";

/** Number of games deleted, and of those left to others. */
export interface EraseResponse {
  /** Games that were only the person's, and are gone. */
  deleted: number;
  /** Games of others, in which the person's name and tokens are gone. */
  erased: number;
}

/** Reason for closing the connection. */
export interface ErrorMessage {
  type: "error";
  error: Problem;
}

/** Any status of 400 and above. */
export interface ErrorResponse {
  error: Problem;
}

export type EventName = "dealt" | "turned_up" | "reshuffled" | "played" | "jumped_in" | "drew" | "kept" | "named_color" | "accepted" | "called_uno" | "caught" | "challenged" | "passed" | "swapped" | "hands_passed" | "skipped";

/** An event, with the cards that the receiver saw in it. A field that does not apply is left out. */
export interface EventOut {
  kind: EventName;
  /** The seat that acted, or that it happened to. */
  seat: number | null;
  /** The card that was played, with the color named. */
  action?: string | null;
  /** The card that was turned up. */
  card?: string | null;
  /** The color that was named. */
  color?: Color | null;
  /** How many cards. */
  count?: number | null;
  /** The other seat of a catch, challenge or swap. */
  target?: number | null;
  /** The verdict of a challenge. */
  guilty?: boolean | null;
  /** Cards that the receiver saw, by seat. */
  hands?: Record<string, string[]> | null;
}

/** Data of a person. */
export interface ExportResponse {
  games: ExportedGame[];
}

/** Data that the server has about a person in a game. */
export interface ExportedGame {
  game: string;
  how: "held" | "left" | "resigned" | "uploaded" | "gone";
  seat?: number | null;
  name?: string | null;
  /** A finished game, as a study describes it. */
  study?: Record<string, unknown> | null;
  /** The record of a finished game. */
  record?: string | null;
  /** Decisions of the seat that were judged. */
  decisions?: Record<string, unknown>[] | null;
  /** An open game, as the seat sees it. */
  view?: Record<string, unknown> | null;
}

/** The table after so many actions. */
export interface FrameOut {
  ply: number;
  to_act: number | null;
  phase: "turn" | "drawn" | "name_color" | "answer" | "swap" | "catch" | "jump_in" | "over";
  direction: 1 | -1;
  active_color: Color | null;
  top_card: string;
  drawn_card: string | null;
  draw_pile_size: number;
  draw_sum: number;
  cards: number[];
  /** None where the seat did not see them. */
  hands: (string[] | null)[];
  declared: number[];
  log: EventOut[];
}

/** A round, ply by ply. */
export interface FramesResponse {
  round: number;
  seat: number | null;
  frames: FrameOut[];
}

/** The end of a game. */
export interface GameOutcomeOut {
  winner: number | null;
  scores: number[];
}

/** Health of the server. */
export interface Health {
  status: "ok";
  version: string;
  games: number;
}

/** Results of one person over time, oldest first. */
export interface HistoryOut {
  games: PastGameOut[];
}

/** The first message: the game, and a token for it. */
export interface Join {
  type: "join";
  game: string;
  token: string;
  since?: number;
}

/** Judgements that are stored. */
export interface JudgementOut {
  analyst: string;
  seed: number;
  rounds: RoundJudged[];
}

/** The standing tournament. */
export interface LadderOut {
  rival: string;
  seed: number;
  commits: string[];
  machines: string[];
  standings: StandingOut[];
}

/** A person who gives up a seat. */
export interface LeaveBody {
  /** Whether an agent keeps the seat; otherwise others may take it. */
  resign?: boolean;
}

export type Length = "round" | "game";

/** A level to choose. */
export interface LevelOut {
  name: string;
  agent: string;
  summary: string;
  /** The only rules and numbers of players that it plays; null for all. */
  tables: string[] | null;
}

/** The largest budgets of a search. */
export interface LimitsOut {
  max_simulations: number;
  max_seconds: number;
}

/** A personal link, which works once. */
export interface LinkResponse {
  secret: string;
  /** How many it carries. */
  seats: number;
  /** How long it works. */
  seconds: number;
}

export type MessageId = string | number;

/** A game to begin; every field may be left out. */
export interface NewGameInput {
  /** Seats, the person's included. */
  players?: number;
  /** Levels or agents by seat; the last one repeats. */
  opponents?: string[];
  /** A preset and changes. */
  rules?: string;
  /** One round, or rounds to the target score. */
  length?: Length;
  /** Seconds between what agents do. */
  pace?: number;
  /** Seconds a window waits. */
  window?: number;
  /** Seats that others can take by a link. */
  friends?: number;
  /** Seconds that others wait for a person's turn; 0 for no limit. */
  turn?: number;
  /** What the others call you. */
  name?: string;
}

/** A game to begin; every field may be left out. */
export interface NewGameOutput {
  /** Seats, the person's included. */
  players: number;
  /** Levels or agents by seat; the last one repeats. */
  opponents: string[];
  /** A preset and changes. */
  rules: string;
  /** One round, or rounds to the target score. */
  length: Length;
  /** Seconds between what agents do. */
  pace: number;
  /** Seconds a window waits. */
  window: number;
  /** Seats that others can take by a link. */
  friends: number;
  /** Seconds that others wait for a person's turn; 0 for no limit. */
  turn: number;
  /** What the others call you. */
  name: string;
}

/** A seat, the token that holds it, and the invitation for others. */
export interface NewGameResponse {
  game: string;
  seat: number;
  token: string;
  invite: string;
  view: View;
}

/** The next round of a game. */
export interface Next {
  type: "next";
}

/** A game as its player finds it; without a table where the seat is gone. */
export interface OpenGameOut {
  game: string;
  state: "open" | "over" | "gone";
  table?: OpenTableOut | null;
}

/** Games in the order of the request. */
export interface OpenGamesResponse {
  games: OpenGameOut[];
}

/** A seat of an open game. */
export interface OpenSeatOut {
  name: string;
  is_person: boolean;
  is_open: boolean;
  score: number;
}

/** An open game: who plays, and whose turn it is. */
export interface OpenTableOut {
  seat: number;
  rules: string;
  length: Length;
  round: number;
  phase: "gathering" | "playing" | "round over";
  /** As far as the seat may know. */
  to_act: number | null;
  seats: OpenSeatOut[];
}

/** A game with strangers. */
export interface PairingBody {
  /** Seats. */
  players?: number;
  /** A preset. */
  rules?: "official" | "house" | "family" | "tournament";
  /** One round, or rounds to the target score. */
  length?: Length;
  /** The level of agents that fill in. */
  level?: string;
  /** Seconds after which agents fill the free seats. */
  wait?: number;
}

/** Progress of the search for others. */
export interface PairingOut {
  name: string;
  waiting: number;
  seconds_left: number;
  game: string | null;
  seat: number | null;
}

/** A place in the queue, and the token that will hold the seat. */
export interface PairingResponse {
  token: string;
  name: string;
  seconds_left: number;
}

/** The result of a game that is over for the person. */
export interface PastGameOut {
  game: string;
  seat: number;
  /** When, in UTC. */
  ended: string;
  players: number;
  /** The level of the opponents; `friends` among several people, `mixed` for several. */
  level: string;
  won: boolean;
  resigned: boolean;
  /** True if the game is over for all, so that it can be judged. */
  finished: boolean;
}

export type Phase = "turn" | "drawn" | "name_color" | "answer" | "swap" | "catch" | "jump_in" | "waiting" | "gathering" | "over";

/** A sign of life. */
export interface Ping {
  type: "ping";
}

/** The answer to a ping. */
export interface Pong {
  type: "pong";
}

/** Rules by name. */
export interface PresetOut {
  name: string;
  summary: string;
  players: number;
  text: string;
  values: Record<string, SwitchValue>;
}

/** An error: the message in English, the field at fault, and what a client makes its own sentence from. */
export interface Problem {
  message: string;
  field?: string | null;
  code?: RefusalCode | null;
  values?: Record<string, string | number> | null;
}

/** A reaction of the person, for everyone at the table. */
export interface React {
  type: "react";
  reaction: Reaction;
}

export type Reaction = "hello" | "nice" | "thanks" | "wow" | "laugh" | "oops" | "think" | "bye";

/** A reaction of a person at the table. */
export interface ReactionMessage {
  type: "reaction";
  seat: number;
  reaction: Reaction;
}

/** Readiness of the server for new games. */
export interface Ready {
  status: "ready" | "not ready";
  reason?: string | null;
}

/** A record to upload. */
export interface RecordBody {
  /** As text or JSON lines. */
  record: string;
}

export type RefusalCode = "bad_request" | "no_token" | "wrong_token" | "no_game" | "no_link" | "no_seats_to_carry" | "not_waiting" | "bad_name" | "bad_rules" | "players_differ" | "too_many_friends" | "too_many_opponents" | "no_agent" | "agent_rules" | "agent_gone" | "seats_taken" | "has_seat" | "left_seat" | "players_only" | "not_started" | "not_your_turn" | "acted_already" | "old_view" | "illegal_action" | "round_over" | "round_not_over" | "game_over" | "ask_rematch" | "rematch_too_early" | "all_resigned" | "game_not_over" | "record_too_early" | "bad_record" | "empty_record" | "no_round" | "no_seat" | "no_ply" | "round_over_there" | "bad_situation" | "too_many" | "too_many_yours" | "too_many_here" | "too_large" | "no_room" | "moving" | "game_stopped" | "agent_failed" | "store_failed" | "store_away" | "server_failed" | "wrong_host" | "wrong_origin";

/** A message that was refused. */
export interface Refused {
  type: "refused";
  id: MessageId | null;
  error: Problem;
}

/** A round as in `lastcard analyse --json`. */
export interface RoundJudged {
  round: number;
  outcome: Record<string, unknown>;
  plies: number;
  decisions: DecisionOut[];
  curves: Curves;
}

/** The end of a round. */
export interface RoundOutcomeOut {
  winner: number | null;
  reason: Ending;
  points: number[];
}

/** The rules of a game. */
export interface RulesOut {
  text: string;
  /** The preset, if they are one. */
  name: string | null;
}

/** An agent on the ladder. */
export interface RungOut {
  agent: string;
  share: ShareOut;
  elo: number;
  rounds: number;
  round_seconds: number;
  is_ceiling: boolean;
  is_rival: boolean;
  can_play: boolean;
}

/** A person who takes a seat. */
export interface SeatBody {
  /** What the others call you. */
  name?: string;
}

/** A seat, or an uploaded record, and the token that proves it. */
export interface SeatKey {
  game: string;
  token: string;
}

/** All seats of one person. */
export interface SeatKeys {
  /** At most 100. */
  seats: SeatKey[];
}

/** A seat as everyone sees it. */
export interface SeatOut {
  seat: number;
  name: string;
  /** The level or agent; empty for a person. */
  level: string;
  is_person: boolean;
  /** Whether it can be taken by a link. */
  is_open: boolean;
  /** Whether an agent plays for the person. */
  is_away: boolean;
  cards: number;
  declared: boolean;
  score: number;
  connected: boolean;
}

export type ServerMessage = ViewMessage | Ack | Refused | ReactionMessage | Pong | ErrorMessage;

/** Rounds won, with a 95 % interval. */
export interface ShareOut {
  value: number;
  low: number;
  high: number;
}

/** A real table, as a player describes it. */
export interface SituationBody {
  /** Your cards now. */
  hand: string[];
  /** The card to play on. */
  top: string;
  /** How many cards the seats 1, 2 and so on hold now. */
  opponents: number[];
  /** A preset and changes. */
  rules?: string;
  /** The color named with a Wild on top. */
  called?: Color | null;
  /** Cards known to be gone since before the history. */
  discards?: string[];
  /** The latest events, oldest first: `1 draws 1`. */
  history?: string[];
  /** The card just drawn, which may be played. */
  drawn?: string | null;
  /** Whether seat 1 or the last is next. */
  direction?: "forward" | "reversed";
  /** Cards to draw, unless you stack or challenge. */
  owed?: number;
}

/** The table as it was read, and what the player may know of it. */
export interface SituationResponse {
  /** As in `lastcard advise --json`. */
  situation: Record<string, unknown>;
  /** As `Observation.to_dict` writes it. */
  observation: Record<string, unknown>;
}

/** Some seats of one person. */
export interface SomeSeatKeys {
  /** At most 20. */
  seats: SeatKey[];
}

/** The ladder with one number of players, the strongest first. */
export interface StandingOut {
  players: number;
  rules: string;
  rungs: RungOut[];
}

/** A finished game. */
export interface StudyOut {
  game: string;
  source: "table" | "branch" | "import";
  began: string;
  rules: string;
  players: number;
  seats: StudySeatOut[];
  rounds: StudyRoundOut[];
  winner: number | null;
  /** False where the record stops before the end of the game or of its only round. */
  is_over: boolean;
  scores: number[];
  seed: string | null;
}

/** A round, without its cards. */
export interface StudyRoundOut {
  round: number;
  dealer: number;
  plies: number;
  winner: number | null;
  reason: Ending | null;
  points: number[];
  scores: number[];
}

/** A seat, and the player who sat there. */
export interface StudySeatOut {
  seat: number;
  name: string;
  agent: string;
  level: string;
  is_person: boolean;
}

/** A field of the rules. */
export interface SwitchOut {
  name: string;
  kind: "choice" | "bool" | "int";
  default: SwitchValue;
  explanation: string;
  choices?: string[] | null;
  low?: number | null;
  high?: number | null;
}

export type SwitchValue = boolean | number | string;

/** The key of a game, and the token that deletes it. */
export interface UploadResponse {
  game: string;
  token: string;
}

/** All that a seat or a spectator may know. */
export interface View {
  game: string;
  /** None for a spectator. */
  seat: number | null;
  players: number;
  rules: RulesOut;
  length: Length;
  round: number;
  ply: number;
  phase: Phase;
  to_act: number | null;
  direction: 1 | -1;
  active_color: Color | null;
  last_color: Color | null;
  top_card: string;
  /** The discard pile, top last. */
  discards: string[];
  top_player: number | null;
  last_actor: number | null;
  drawn_card: string | null;
  draw_pile_size: number;
  draw_sum: number;
  hand: string[];
  legal: string[];
  /** The phase of the round, also for those who are not asked. */
  round_phase: string;
  /** Applied actions of the round, without passes. */
  round_ply: number;
  next_seat: number | null;
  stuck_passes: number;
  seats: SeatOut[];
  dealer: number;
  /** The latest events; the last one has the number `ply`. */
  log: EventOut[];
  deadline: number | null;
  outcome: RoundOutcomeOut | null;
  game_outcome: GameOutcomeOut | null;
  deal_hash: string;
  seed: string | null;
  /** Whether another player waits at a rematch. */
  rematch: boolean;
  hands: string[][] | null;
}

/** The table as it is now, with the events since the last view. */
export interface ViewMessage {
  type: "view";
  view: View;
}

/** The view of a table. */
export interface ViewResponse {
  view: View;
}
