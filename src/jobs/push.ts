import type { Pool } from "pg";
import { encrypt } from "../push/encrypt.ts";
import { type PushContent, pushMessageOf, urgencyOf } from "../push/message.ts";
import { authorizationFor, makePushKey, type PushKey } from "../push/sign.ts";
import { nextWait } from "../webhooks/schedule.ts";
import { type DeliveryResult, type Sending, sendToWebhook } from "../webhooks/send.ts";
import { type AttemptResult, type Job, type JobKind, persist } from "./runner.ts";

/** A row of private.get_push. */
interface PushRow extends PushContent, PushKey {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  /** How long it is of use. */
  readonly seconds: number;
}

const GET = "select * from private.get_push($1)";
const DROP = "select private.drop_push_subscription($1)";

/** A person has no more devices: one that hangs delays none of the others. */
const AT_ONCE = 10;

/**
 * Sends a push to a device. Its content is read at this moment, and there may be nothing left to
 * say. Each person has a lane, because people choose their endpoints.
 * @param contact where push services write to if they have a complaint (RFC 8292)
 */
export const pushJob = (pool: Pool, contact: string, sending: Sending): JobKind => ({
  seconds: 20,
  atOnce: AT_ONCE,
  async attempt(job, signal) {
    const { rows } = await pool.query<PushRow>(GET, [job.id]);
    const [row] = rows;
    if (!row) return {};
    // If this is lost, the next push says it again.
    const drop = () => persist(() => pool.query(DROP, [job.id]), signal).catch(() => {});
    const body = bodyFor(row, job.id);
    if (body === undefined) {
      await drop();
      return { failure: "the key of the device is not valid" };
    }
    const headers = {
      authorization: await authorizationFor(row.endpoint, row, contact),
      "content-type": "application/octet-stream",
      "content-encoding": "aes128gcm",
      ttl: String(row.seconds),
      urgency: urgencyOf(row.kind),
      topic: job.id.replaceAll("-", ""), // a second attempt replaces the first
    };
    const message = { url: row.endpoint, headers, body };
    const sent = await sendToWebhook(message, { ...sending, signal });
    if (sent.failure !== undefined) signal.throwIfAborted();
    if (sent.status !== 404 && sent.status !== 410) return resultOf(job, sent, row.seconds);
    // The person ended it in the browser, or removed the page.
    await drop();
    return {};
  },
});

/** @returns undefined if the key of the device is not a point of the curve */
function bodyFor(row: PushRow, id: string): Buffer | undefined {
  try {
    return encrypt(JSON.stringify(pushMessageOf(row, id)), row);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY") return undefined;
    throw error;
  }
}

/** Whether it may be accepted later: nobody answered, too much at once, or a fault of theirs. */
const mayPass = (status: number | undefined): boolean =>
  status === undefined || status === 408 || status === 429 || status >= 500;

function resultOf(
  { failures }: Job,
  { failure, status, retryAfterMs }: DeliveryResult,
  seconds: number,
): AttemptResult {
  if (failure === undefined) return {};
  const wait = mayPass(status) ? nextWait(failures + 1, retryAfterMs) : undefined;
  if (wait === undefined || wait / 1_000 >= seconds) return { failure };
  return { failure, again: wait / 1_000 };
}

/** Tells the database that a process sends pushes, and offers a key for the first of them. */
export function announcePushes(pool: Pool): Promise<unknown> {
  const { public_key, private_key } = makePushKey();
  return pool.query("select private.use_push($1, $2)", [public_key, private_key]);
}
