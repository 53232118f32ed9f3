import { loadRefusals } from "../messages/translate.ts";
import { settings } from "../settings.ts";
import { accessToken, replaceToken, tokenAccepted } from "../sign-in/access-token.ts";
import { SignInFailure } from "../sign-in/failure.ts";
import { keepNothing } from "../sign-in/kept.ts";
import { takeBegun } from "./begun.ts";
import { reportOffline, reportOnline, rightsRefused, untilAllowed, waitOut } from "./connection.ts";
import { changed } from "./live.ts";
import { ApiProblem, retryAfter, Unreachable } from "./problem.ts";
import { PAGE, pageOf, type Query, search } from "./query.ts";

/** The rules that refuse a person who has not, or no longer, the rights that the page takes them to have. */
const RIGHTS = ["approved_account_required", "administrator_required"];

/** With these, a limit of the building refuses. */
const LIMITED = [400, 409];

const GRAPHQL = "/graphql";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** How often a request is sent that is refused because there are too many. */
const ATTEMPTS = 3;

/** A limit of a minute is waited out. For one of an hour nobody waits: the person reads when it ends. */
const LONGEST_WAIT = 90_000;

/** So that not all pages come back to a busy service at the same moment. */
const SPREAD = 1_000;

export const get = <Answer>(path: string, query: Query = {}): Promise<Answer> =>
  ask<Answer>("GET", path + search(query));
/** It has a key, so that the service carries it out once however often it is sent. */
export const post = <Answer>(path: string, body: object): Promise<Answer> =>
  ask<Answer>("POST", path, body, crypto.randomUUID());
/** For an answer that is not kept under a key: one with a secret, or what a request would do. */
export const postWithoutKey = <Answer>(path: string, body: object): Promise<Answer> =>
  ask<Answer>("POST", path, body);
export const put = <Answer>(path: string, body: object): Promise<Answer> =>
  ask<Answer>("PUT", path, body);
export const remove = <Answer>(path: string, query: Query = {}): Promise<Answer> =>
  ask<Answer>("DELETE", path + search(query));

interface GraphQLAnswer<Data> {
  readonly data?: Data;
  readonly errors?: readonly { readonly message: string }[];
}

/** Rows with their relations in one request, where REST would need one for each row. */
export async function queryGraphQL<Data>(query: string, variables: object): Promise<Data> {
  const body = { query, variables };
  const { data, errors } = await ask<GraphQLAnswer<Data>>("POST", GRAPHQL, body);
  if (data === undefined || errors !== undefined) throw new Error(errors?.[0]?.message);
  return data;
}

/** All rows of a list: the first page says how many there are, and the others follow together. */
export async function getAll<Row>(
  path: string,
  member: string,
  query: Query = {},
): Promise<readonly Row[]> {
  type Page = { readonly total: number } & Readonly<Record<string, readonly Row[]>>;
  const page = (offset: number) => get<Page>(pageOf(path, query, offset));
  const first = await page(0);
  const offsets = [];
  for (let offset = PAGE; offset < first.total; offset += PAGE) offsets.push(offset);
  const others = await Promise.all(offsets.map(page));
  const rows = [first, ...others].flatMap((it) => it[member] ?? []);
  // Rows that came or went between two pages move the others.
  return [...new Map(rows.map((row) => [idOf(row), row])).values()];
}

const idOf = (row: unknown): unknown =>
  typeof row === "object" && row !== null && "id" in row ? row.id : row;

/**
 * Sends a request. A 429 is waited out: such a request was not carried out. So is a 503, where sending
 * the request twice does what sending it once does.
 * @throws ApiProblem for an answer that is no success, Unreachable where none came, SignInFailure
 *   without a token
 */
async function ask<Answer>(
  method: Method,
  path: string,
  body?: object,
  key?: string,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    await untilAllowed();
    const token = await accessToken().catch((error) => {
      if (error instanceof SignInFailure && error.text === "signIn.unreachable") reportOffline();
      throw error;
    });
    const response = await send(method, path, token, body, key);
    if (response.status === 401) {
      await replaceToken(token);
      continue;
    }
    const isBusy = response.status === 503;
    const again = Date.now() + retryAfter(response) + (isBusy ? SPREAD * Math.random() : 0);
    const mayRepeat = response.status === 429 || (isBusy && isRepeatable(method, path, key));
    if (mayRepeat && attempt < ATTEMPTS && again - Date.now() < LONGEST_WAIT) {
      await waitOut(again, isBusy);
      continue;
    }
    reportOnline();
    // From 429 on, an answer says nothing about the token.
    if (response.status < 429) tokenAccepted();
    // The page offered what is refused: its limits may be older than those of the building.
    if (method !== "GET" && LIMITED.includes(response.status)) changed("building");
    return read<Answer>(response);
  }
}

/** Whether to send it twice does what to send it once does. What GraphQL is asked changes nothing. */
const isRepeatable = (method: Method, path: string, key?: string): boolean =>
  method !== "POST" || key !== undefined || path === GRAPHQL;

async function send(
  method: Method,
  path: string,
  token: string,
  body?: object,
  key?: string,
): Promise<Response> {
  const begun = method === "GET" ? await takeBegun(path, token) : undefined;
  if (begun !== undefined) return begun;
  const headers: Record<string, string> = { Authorization: `Bearer ${token}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key !== undefined) headers["Idempotency-Key"] = key;
  const request = () =>
    fetch(settings.basePath + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  try {
    // Nobody knows whether a request without an answer was carried out; under a key that is no matter.
    return await (key === undefined ? request() : request().catch(request));
  } catch (cause) {
    reportOffline();
    throw new Unreachable("", { cause });
  }
}

async function read<Answer>(response: Response): Promise<Answer> {
  const isFile = response.headers.get("Content-Type")?.startsWith("text/");
  const body: unknown = await (isFile ? response.text() : response.json()).catch(() => undefined);
  if (response.ok) return body as Answer;
  // Where they cannot be loaded, the service speaks in its own words.
  await loadRefusals().catch(() => {});
  const problem = new ApiProblem(response, body);
  if (RIGHTS.includes(problem.code)) {
    keepNothing();
    rightsRefused.set(Date.now());
  }
  throw problem;
}
