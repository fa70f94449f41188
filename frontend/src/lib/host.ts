/** Who referees a game and stores it: the server, or this device. Both answer with the same messages. */

import type {
  BranchBody,
  ClientMessage,
  FrameOut,
  NewGameInput,
  NewGameResponse,
  ServerMessage,
  StudyOut,
  UploadResponse,
} from "./contract";
import { deviceHost } from "./local/host";
import { isOnDevice, type Place } from "./place";
import { serverHost } from "./server";

export type Link =
  /** `reason` says why the table is not there, where it is not the connection. */
  | { state: "connecting"; reason?: string }
  | { state: "open" }
  /** `retryAt` is in milliseconds, as `Date.now()` counts. */
  | { state: "lost"; retryAt: number; reason?: string }
  /** The host will not have us: trying again is no use. */
  | { state: "refused"; message: string };

export interface Handlers {
  onMessage: (message: ServerMessage) => void;
  onLink: (link: Link) => void;
  /** The last log entry that was heard, so that the host sends only what is new. */
  since: () => number | null;
}

/** A seat at a table, as long as the page shows it. */
export interface Connection {
  /** Sends, and says whether there was a connection to send on. */
  send(message: ClientMessage): boolean;
  /** Tries immediately instead of waiting for the next attempt. */
  reconnect(): void;
  close(): void;
}

/** Tables, and games that are over. Every failure is an `ApiError` with a message fit to show. */
export interface Host {
  connect(game: string, token: string, handlers: Handlers): Connection;
  createGame(request: NewGameInput): Promise<NewGameResponse>;
  askRematch(game: string, token: string): Promise<NewGameResponse>;
  fetchRecord(game: string, token: string): Promise<string>;
  fetchStudy(game: string): Promise<StudyOut>;
  fetchFrames(game: string, round: number, seat: number | null): Promise<FrameOut[]>;
  branchOff(game: string, wanted: BranchBody): Promise<NewGameResponse>;
  bringRecord(record: string): Promise<UploadResponse>;
  exportRecord(game: string): Promise<string>;
  deleteStudy(game: string, token: string): Promise<void>;
}

export function hostAt(place: Place): Host {
  return place === "device" ? deviceHost : serverHost;
}

/** The host of that game. */
export function hostOf(game: string): Host {
  return hostAt(isOnDevice(game) ? "device" : "server");
}
