import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { types } from "node:util";
import { errorsIn } from "../errors/reason.ts";
import { version } from "../version.ts";
import { retryAfter } from "./schedule.ts";
import { publicLookup, RefusedTarget, targetOf } from "./target.ts";

/** For the lookup, the connection, the request and the answer together. */
const LONGEST_MS = 15_000;

/** This much of an answer is read, so that the receiver can end it. Nobody sees it. */
const MOST_BYTES = 16 * 1024;

export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface Sending {
  /** In development, receivers on this machine are allowed, also without TLS. */
  readonly allowsLoopback?: boolean;
  readonly nameServers?: readonly string[];
  readonly longestMs?: number;
  /** Ends it early, for example when the service stops. */
  readonly signal?: AbortSignal;
}

/** The result of one attempt. */
export interface DeliveryResult {
  /** The status of the answer; undefined if no answer came. */
  readonly status?: number;
  /** The reason of a failure, for administrators; undefined if the receiver accepted it. */
  readonly failure?: string;
  /** The receiver never wants anything more. */
  readonly isGone?: boolean;
  /** The shortest wait that the receiver asked for, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** Sends the message once. It does not follow redirects, which could lead to forbidden targets. */
export async function sendToWebhook(
  message: WebhookMessage,
  sending: Sending = {},
): Promise<DeliveryResult> {
  const { longestMs = LONGEST_MS } = sending;
  const late = AbortSignal.timeout(longestMs);
  const signal = sending.signal ? AbortSignal.any([late, sending.signal]) : late;
  try {
    return resultOf(await post(message, sending, signal));
  } catch (error) {
    if (late.aborted) return { failure: `did not answer in ${longestMs / 1000} seconds` };
    if (signal.aborted) return { failure: "was not sent to the end: the service stopped" };
    return { failure: failureOf(error) };
  }
}

async function post(
  { url, headers, body }: WebhookMessage,
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
    agent: false, // its own connection: a proxy of the environment would look up the name itself
    lookup: publicLookup({ allowsLoopback, nameServers, signal }),
    signal,
  });
  sent.on("error", () => {}); // errors after the answer has begun; the first one rejects
  sent.end(body);
  // This needs the signal too: a connection that ends with an answer of 101 has neither a response
  // nor an error.
  const [answer]: IncomingMessage[] = await once(sent, "response", { signal });
  if (!answer) throw new Error("a response without a message");
  await readSome(answer);
  return answer;
}

/** What happens after the status has no effect. */
async function readSome(answer: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) break; // this closes the connection
    }
  } catch {}
}

function resultOf({ statusCode: status = 0, headers }: IncomingMessage): DeliveryResult {
  if (status >= 200 && status < 300) return { status };
  const retryAfterMs = retryAfter(headers["retry-after"], new Date());
  return {
    status,
    failure: `answered ${status}${status >= 300 && status < 400 ? "; redirects are not followed" : ""}`,
    ...(status === 410 && { isGone: true }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Without the error's message: it may contain the URL or the address, which may be secret. */
function failureOf(error: unknown): string {
  if (error instanceof RefusedTarget) return `the URL ${error.message}`;
  const [first] = errorsIn(error);
  const code = types.isNativeError(first) && "code" in first ? ` (${first.code})` : "";
  return `could not be reached${code}`;
}
