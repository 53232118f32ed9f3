import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { types } from "node:util";
import { errorsIn } from "../errors/reason.ts";
import { version } from "../version.ts";
import { publicLookup } from "./public-lookup.ts";
import { RefusedTarget } from "./refused-target.ts";
import { retryAfter } from "./schedule.ts";
import { targetOf } from "./target.ts";

/** For the name, the connection, the request and the answer together. */
const LONGEST_MS = 15_000;

/** An answer is read so that the receiver can end it, and no further. Nobody is shown it. */
const MOST_BYTES = 16 * 1024;

export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Sending {
  /** In development: receivers on this machine, also without TLS. */
  readonly allowsLoopback?: boolean;
  readonly nameServers?: readonly string[];
  readonly longestMs?: number;
  /** Ends it early, as when the service stops. */
  readonly signal?: AbortSignal;
}

/** What became of one try. */
export interface Outcome {
  /** Of the answer; undefined where none came. */
  readonly status?: number;
  /** Why it failed, for administrators; undefined where it was taken. */
  readonly failure?: string;
  /** The receiver wants nothing more, ever. */
  readonly isGone?: boolean;
  /** The least that the receiver wants us to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** Sends it once. Redirects are not followed: they could lead where nothing may be sent. */
export async function send(message: Message, sending: Sending = {}): Promise<Outcome> {
  const { longestMs = LONGEST_MS } = sending;
  const late = AbortSignal.timeout(longestMs);
  const signal = sending.signal ? AbortSignal.any([late, sending.signal]) : late;
  try {
    return outcomeOf(await post(message, sending, signal));
  } catch (error) {
    if (late.aborted) return { failure: `did not answer in ${longestMs / 1000} seconds` };
    if (signal.aborted) return { failure: "was not sent to the end: the service stopped" };
    return { failure: failureOf(error) };
  }
}

async function post(
  { url, headers, body }: Message,
  { allowsLoopback = false, nameServers }: Sending,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const target = targetOf(url, allowsLoopback);
  const { request } = target.protocol === "https:" ? https : http;
  const sent = request(target, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "user-agent": `parking-spot-sharing/${version}`,
      ...headers,
    },
    agent: false, // a connection of its own, and no proxy of the environment, which would ask for the name itself
    lookup: publicLookup({ allowsLoopback, nameServers, signal }),
    signal,
  });
  sent.on("error", () => {}); // those after the answer has begun; the first one rejects
  sent.end(body);
  // The signal here, too: a connection that ends with an answer of 101 has neither a response nor an error.
  const [answer]: IncomingMessage[] = await once(sent, "response", { signal });
  if (!answer) throw new Error("a response without a message");
  await readSome(answer);
  return answer;
}

/** What happens after the status changes nothing. */
async function readSome(answer: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) break; // closes the connection
    }
  } catch {}
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): Outcome {
  if (status >= 200 && status < 300) return { status };
  const retryAfterMs = retryAfter(headers["retry-after"], new Date());
  return {
    status,
    failure: `answered ${status}${status >= 300 && status < 400 ? "; redirects are not followed" : ""}`,
    ...(status === 410 && { isGone: true }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Not the message: it may repeat the URL or the address, and both may be secrets. */
function failureOf(error: unknown): string {
  if (error instanceof RefusedTarget) return `the URL ${error.message}`;
  const [first] = errorsIn(error);
  const code = types.isNativeError(first) && "code" in first ? ` (${first.code})` : "";
  return `could not be reached${code}`;
}
