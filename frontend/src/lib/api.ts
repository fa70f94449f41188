/** The server's REST side. Every failure is an `ApiError` with a message fit to show. */

import { t } from "./i18n.svelte";
import type { Catalog, ErrorResponse, NewGameResponse, View, ViewResponse } from "./contract";
import { isSite } from "./place";
import { refusalWords, type Reason } from "./refusals";

export class ApiError extends Error {
  readonly status: number;
  readonly field: string | null;
  /** The part of the message that is in English in every language. */
  readonly english: string | null;
  /** The line of a record that is to blame. */
  readonly line: number | null;

  constructor(message: string, status: number, field: string | null = null, reason: Reason = {}) {
    super(message);
    this.status = status;
    this.field = field;
    this.english = reason.english ?? null;
    this.line = reason.line ?? null;
  }
}

/** Asks the server; the method is POST where there is a body, unless it is said. */
export async function ask(path: string, token: string | null, body?: unknown, method?: string): Promise<Response> {
  const headers: Record<string, string> = {};
  if (token !== null) headers["Authorization"] = `Bearer ${token}`;
  const request: RequestInit = { headers, method: method ?? (body === undefined ? "GET" : "POST") };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(new URL(path, document.baseURI), request);
  } catch {
    throw new ApiError(t("error.no_answer"), 0);
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

async function refusal(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as ErrorResponse;
    const { message, ...reason } = refusalWords(error);
    return new ApiError(message, response.status, error.field ?? null, reason);
  } catch {
    return new ApiError(t("error.status", { status: String(response.status) }), response.status);
  }
}

export async function json<T>(path: string, token: string | null, body?: unknown): Promise<T> {
  return (await (await ask(path, token, body)).json()) as T;
}

/** What an error says, without the name of its kind. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What went wrong, fit to show. */
export function problemOf(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(String(error), 0);
}

export const fetchCatalog = (): Promise<Catalog> => json(isSite ? "catalog.json" : "api/catalog", null);
export const fetchView = async (game: string, token: string): Promise<View> =>
  (await json<ViewResponse>(`api/games/${game}`, token)).view;
export const takeSeat = (game: string, invite: string, name: string): Promise<NewGameResponse> =>
  json(`api/games/${game}/seats`, invite, { name });
