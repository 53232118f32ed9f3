import { language } from "../messages/translate.ts";
import { accessToken, replaceToken, tokenAccepted } from "../sign-in/access-token.ts";
import { SignInFailure } from "../sign-in/failure.ts";
import { keepNothing } from "../sign-in/kept.ts";
import { reportOffline, reportOnline, rightsRefused, untilAllowed, waitOut } from "./connection.ts";
import { changed } from "./live.ts";
import { ApiProblem, retryAfter, Unreachable } from "./problem.ts";
import { type Answered, send } from "./send.ts";

/** Requests that the index has sent (../begin.ts), by path. */
interface Prefetched {
  readonly token: string;
  readonly at: number;
  /** Their answers, or undefined for a request that failed: then the page sends it itself. */
  readonly answers: Map<string, Promise<unknown>>;
}

declare global {
  var prefetched: Prefetched | undefined;
}

/** After this time, the page must read again. */
const LIFETIME = 10_000;

/** The answer to a request that the index has sent. Only the first caller gets it. */
function takePrefetched(path: string, token: string): Promise<unknown> | undefined {
  const { prefetched } = globalThis;
  if (prefetched?.token !== token || Date.now() - prefetched.at > LIFETIME) return undefined;
  const answer = prefetched.answers.get(path);
  prefetched.answers.delete(path);
  return answer;
}

/** Rules that refuse people whose rights are less, or less than before, than the page assumes. */
const RIGHTS = ["approved_account_required", "administrator_required"];

/** The statuses with which a limit of the building refuses. */
const LIMITED = [400, 409];

export const GRAPHQL = "/graphql";

type Method = "GET" | "POST" | "PUT" | "DELETE";

const ATTEMPTS = 3;

/**
 * The page waits for a limit of a minute to end. It does not wait for a limit of an hour: the
 * person reads when it ends.
 */
const LONGEST_WAIT = 90_000;

/** Spreads the retries, so that not all pages return to a busy service at the same moment. */
const SPREAD = 1_000;

/** The ETags of answers, with which the service checks whether they are still current. */
const tags = new WeakMap<object, string>();

interface Terms {
  /** The service executes a request with the same key only once. */
  readonly key?: string;
  /** An earlier answer. The request is executed only if that answer is still current. */
  readonly seen?: object | undefined;
}

/**
 * Sends a request. After a 429 it waits and retries, because such a request was not executed. After
 * a 503 it retries if sending the request twice has the same effect as once.
 * @throws ApiProblem for an unsuccessful answer, Unreachable if no answer came,
 *   SignInFailure without a token
 */
export async function ask<Answer>(
  method: Method,
  path: string,
  body?: object,
  { key, seen }: Terms = {},
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    await untilAllowed();
    const token = await accessToken().catch((error) => {
      if (error instanceof SignInFailure && error.text === "signIn.unreachable") reportOffline();
      throw error;
    });
    const answer = method === "GET" ? await takePrefetched(path, token) : undefined;
    if (answer !== undefined) return answer as Answer;
    const answered = await answerTo(method, path, token, body, key, seen && tags.get(seen));
    const { response } = answered;
    if (response.status === 401) {
      await replaceToken(token);
      continue;
    }
    const isBusy = response.status === 503;
    const wait = retryAfter(response) + (isBusy ? SPREAD * Math.random() : 0);
    const mayRepeat = response.status === 429 || (isBusy && isRepeatable(method, path, key));
    if (mayRepeat && attempt < ATTEMPTS && wait < LONGEST_WAIT) {
      await waitOut(wait, isBusy);
      continue;
    }
    reportOnline();
    // An answer with 429 or above says nothing about the token.
    if (response.status < 429) tokenAccepted();
    // The page offered what was refused, so its limits may be older than those of the building.
    if (method !== "GET" && LIMITED.includes(response.status)) changed("building");
    if (response.ok) {
      const tag = response.headers.get("ETag");
      if (tag !== null && Object(answered.body) === answered.body)
        tags.set(answered.body as object, tag);
      return answered.body as Answer;
    }
    throw await refusalOf(answered);
  }
}

/** Whether sending it twice has the same effect as once. Queries of GraphQL change nothing. */
const isRepeatable = (method: Method, path: string, key?: string): boolean =>
  method !== "POST" || key !== undefined || path === GRAPHQL;

async function answerTo(
  method: Method,
  path: string,
  token: string,
  body?: object,
  key?: string,
  tag?: string,
): Promise<Answered> {
  const headers: Record<string, string> = {
    Authorization: `Bearer ${token}`,
    "Accept-Language": language,
  };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key !== undefined) headers["Idempotency-Key"] = key;
  if (tag !== undefined) headers["If-Match"] = tag;
  const written = body !== undefined && { body: JSON.stringify(body) };
  const request = () => send(path, { method, headers, ...written });
  try {
    // If no answer came, nobody knows whether the request was executed. With a key that does not
    // matter.
    return await (key === undefined ? request() : request().catch(request));
  } catch (cause) {
    reportOffline();
    throw new Unreachable("", { cause });
  }
}

async function refusalOf({ response, body }: Answered): Promise<ApiProblem> {
  const problem = new ApiProblem(response, body);
  if (RIGHTS.includes(problem.code)) {
    keepNothing();
    rightsRefused.set(Date.now());
  }
  return problem;
}
