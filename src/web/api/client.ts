import { settings } from "../settings.ts";
import { accessToken, replaceToken, tokenAccepted } from "../sign-in/access-token.ts";
import { SignInFailure } from "../sign-in/failure.ts";
import { keepNothing } from "../sign-in/kept.ts";
import { reportOffline, reportOnline, untilAllowed, waitOut } from "./connection.ts";
import { ApiProblem, Unreachable } from "./problem.ts";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The rows of a list are asked for in pages of this size, the largest that the API gives. */
const PAGE = 200;

/** How often a request is sent again that was refused because there were too many. */
const ATTEMPTS = 3;

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
  const { data, errors } = await ask<GraphQLAnswer<Data>>("POST", "/graphql", body);
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
  const page = (offset: number) => get<Page>(path, { ...query, limit: PAGE, offset });
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

function search(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ""
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/**
 * Sends a request. A 429 is waited out: such a request was not carried out.
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
    if (response.status === 429 && attempt < ATTEMPTS) {
      await waitOut(response.headers.get("Retry-After"));
    } else if (response.status === 401) {
      await replaceToken(token);
    } else {
      reportOnline();
      // From 429 on, an answer says nothing about the token.
      if (response.status < 429) tokenAccepted();
      return read<Answer>(response);
    }
  }
}

async function send(
  method: Method,
  path: string,
  token: string,
  body?: object,
  key?: string,
): Promise<Response> {
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
  if (!response.ok) {
    const problem = new ApiProblem(response, body);
    if (problem.code === "approved_account_required") keepNothing();
    throw problem;
  }
  return body as Answer;
}
