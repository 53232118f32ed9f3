import { language } from "../messages/translate.ts";
import { accessToken, replaceToken, tokenAccepted } from "../sign-in/access-token.ts";
import { SignInFailure } from "../sign-in/failure.ts";
import { keepNothing } from "../sign-in/kept.ts";
import { takeBegun } from "./begun.ts";
import { reportOffline, reportOnline, rightsRefused, untilAllowed, waitOut } from "./connection.ts";
import { changed } from "./live.ts";
import { ApiProblem, retryAfter, Unreachable } from "./problem.ts";
import { type Answered, send } from "./send.ts";

/** The rules that refuse a person who has not, or no longer, the rights that the page takes them to have. */
const RIGHTS = ["approved_account_required", "administrator_required"];

/** With these, a limit of the building refuses. */
const LIMITED = [400, 409];

export const GRAPHQL = "/graphql";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** How often a request is sent that is refused because there are too many. */
const ATTEMPTS = 3;

/** A limit of a minute is waited out. For one of an hour nobody waits: the person reads when it ends. */
const LONGEST_WAIT = 90_000;

/** So that not all pages come back to a busy service at the same moment. */
const SPREAD = 1_000;

/** By which the service knows whether what it answered is still so. */
const tags = new WeakMap<object, string>();

interface Terms {
  /** Under it, the service carries it out once. */
  readonly key?: string;
  /** An answer: it is carried out only where that is still so. */
  readonly seen?: object | undefined;
}

/**
 * Sends a request. A 429 is waited out: such a request was not carried out. So is a 503, where sending
 * the request twice does what sending it once does.
 * @throws ApiProblem for an answer that is no success, Unreachable where none came, SignInFailure
 *   without a token
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
    const begun = method === "GET" ? await takeBegun(path, token) : undefined;
    if (begun !== undefined) return begun as Answer;
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
    // From 429 on, an answer says nothing about the token.
    if (response.status < 429) tokenAccepted();
    // The page offered what is refused: its limits may be older than those of the building.
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

/** Whether to send it twice does what to send it once does. What GraphQL is asked changes nothing. */
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
    // Nobody knows whether a request without an answer was carried out; under a key that is no matter.
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
