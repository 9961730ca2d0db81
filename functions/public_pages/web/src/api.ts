// The service's HTTP API, with the types of its own OpenAPI document. The key travels in a header, never in an address.
import type { components } from "./openapi";
import { storedKey } from "./session";
import { texts } from "./texts";

type Schemas = components["schemas"];
export type Paper = Partial<Schemas["Paper"]>;
export type LegReport = Schemas["LegReport"];
export type Outcome = Schemas["Outcome"];
export type Problem = Schemas["Problem"];
export type Hint = Schemas["Hint"];
export type Action = Schemas["Action"];
export type SearchRequest = Partial<Schemas["SearchRequest"]>;
export type SearchAnswer = Schemas["SearchAnswer"];
export type ResultSetAnswer = Schemas["ResultSetAnswer"];
export type FacetsAnswer = Schemas["FacetsAnswer"];
export type Facets = Schemas["Facets"];
export type SourceName = Schemas["SourceName"];
export type PaperType = Schemas["PaperType"];
export type ProvidersAnswer = Schemas["ProvidersAnswer"];
export type Provider = Schemas["Provider"];
export type FiveMinutes = Schemas["FiveMinutes"];
export type SilentProvider = Schemas["SilentProvider"];
export type PaperAnswer = Schemas["PaperAnswer"];
export type LinksAnswer = Schemas["LinksAnswer"];
export type SimilarAnswer = Schemas["SimilarAnswer"];
export type FullTextAnswer = Schemas["FullTextAnswer"];
export type TextSection = Schemas["TextSection"];
export type PassagesAnswer = Schemas["PassagesAnswer"];
export type Passage = Schemas["Passage"];
export type LinkedPaper = Schemas["LinkedPaper"];
export type Version = Schemas["Version"];
export type ReferenceCheck = Schemas["ReferenceCheckAnswer"];
export type CheckedReference = Schemas["CheckedReference"];
export type NetworkAnswer = Schemas["NetworkAnswer"];
export type NetworkNode = Schemas["NetworkNode"];
export type NetworkRole = Schemas["NetworkRole"];
export type ContextAnswer = Schemas["GraphContextAnswer"];
export type ContextMention = Schemas["ContextMention"];
export type ContextType = Schemas["ContextType"];
export type SavedSearch = Schemas["SavedSearch"];
export type SavedSearches = Schemas["SavedSearchesAnswer"];
export type Feed = Schemas["FeedAnswer"];

/** An answer that is a problem object, or none at all. */
export class Failure extends Error {
  constructor(readonly status: number, readonly problem: Partial<Problem>) {
    super(problem.detail ?? problem.title ?? texts.failures.unknown);
  }
}

export type Fields = Record<string, string | number | boolean | readonly (string | number)[] | null | undefined>;

/** `path?name=value`, without the fields that are absent; a list becomes one parameter for each value. */
export function withQuery(path: string, fields: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined || value === "") continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

type Sent = { method?: string; body?: unknown; signal?: AbortSignal; headers?: Record<string, string> };

async function send(path: string, sent: Sent): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json", ...sent.headers };
  const key = storedKey();
  if (key) headers["x-api-key"] = key;
  const init: RequestInit = { method: sent.method ?? "GET", headers, credentials: "omit", redirect: "error" };
  if (sent.signal) init.signal = sent.signal;
  if (sent.body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(sent.body);
  }
  let response: Response;
  try {
    response = await fetch(new URL(path, document.baseURI), init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Failure(0, { code: "unreachable", detail: texts.failures.unreachable, retryable: true });
  }
  if (!response.ok) throw new Failure(response.status, await problemOf(response));
  return response;
}

async function problemOf(response: Response): Promise<Partial<Problem>> {
  try {
    const said: unknown = await response.json();
    if (typeof said === "object" && said !== null) return said as Partial<Problem>;
  } catch {
    // Not JSON: something between this page and the service answered.
  }
  return { detail: texts.failures.status(response.status) };
}

export async function get<T>(path: string, fields: Fields = {}, signal?: AbortSignal): Promise<T> {
  const response = await send(withQuery(path, fields), signal ? { signal } : {});
  return (await response.json()) as T;
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await send(path, { method: "POST", body, ...(signal ? { signal } : {}) });
  return (await response.json()) as T;
}

export async function change<T>(path: string, body: unknown): Promise<T> {
  return (await (await send(path, { method: "PATCH", body })).json()) as T;
}

export async function remove(path: string): Promise<void> {
  await send(path, { method: "DELETE" });
}

/** The text of a file that the service writes, such as BibTeX. */
export async function fileText(path: string, body?: unknown): Promise<string> {
  const sent: Sent = { headers: { Accept: "*/*" } };
  const response = await send(path, body === undefined ? sent : { ...sent, method: "POST", body });
  return response.text();
}
