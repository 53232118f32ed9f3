import type { Pool } from "pg";
import { reasonOf } from "../errors/reason.ts";
import type { Logger } from "../log/logger.ts";
import { bodyOf, type WebhookFormat } from "../webhooks/body.ts";
import { nextWait } from "../webhooks/schedule.ts";
import { type DeliveryResult, type Sending, sendToWebhook } from "../webhooks/send.ts";
import { signedHeaders } from "../webhooks/sign.ts";
import { type AttemptResult, type Job, type JobKind, persist } from "./runner.ts";

/** The event to send, and its target. */
interface Delivery {
  readonly url: string;
  readonly format: WebhookFormat;
  readonly enabled: boolean;
  /** The newest comes first. */
  readonly secrets: readonly string[];
  /** Null for a test, and for an event that is no longer kept. */
  readonly type: string | null;
  readonly occurred_at: Date | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly building: string;
  readonly time_zone: string;
  readonly spot_number: string | null;
}

/** Several attempts run at once, so that one that hangs hardly delays the others of its webhook. */
const AT_ONCE = 4;

/** Sends events to webhooks. Each has its lane, so that one that hangs does not delay others. */
export const webhooksJob = (
  pool: Pool,
  logger: Logger,
  sending: Sending,
  seconds = 20,
): JobKind => ({
  seconds,
  atOnce: AT_ONCE,
  async attempt(job, signal) {
    const { event_id, data } = job;
    const { rows } = await pool.query<Delivery>("select * from private.get_delivery($1, $2)", [
      data.webhook_id,
      event_id,
    ]);
    const [delivery] = rows;
    if (!delivery) return {}; // the delivery was deleted
    if (delivery.secrets.length === 0) return { failure: "the webhook has no secret yet" };
    if (event_id === null) return resultOfTest(await sendIt(job, delivery, { ...sending, signal }));
    if (!delivery.enabled) return { failure: "the webhook is turned off" };
    if (delivery.type === null) return { failure: "the event is kept no longer" };

    const sent = await sendIt(job, delivery, { ...sending, signal });
    // The service stops. Another process tries again, and the receiver has not failed.
    if (sent.failure !== undefined) signal.throwIfAborted();
    const { webhook_id } = data;
    const note = () =>
      pool.query("select private.note_delivery($1, $2, $3)", [
        webhook_id,
        sent.failure === undefined,
        sent.isGone ?? false,
      ]);
    // If this is lost, the attempt has not failed: a received event would be sent again.
    await persist(note, signal).catch((error) => {
      const reason = reasonOf(error);
      logger.warn({ webhook_id, reason }, "what became of a delivery is not noted");
    });
    return resultOf(job, sent);
  },
});

function sendIt(
  { id, event_id }: Job,
  delivery: Delivery,
  sending: Sending,
): Promise<DeliveryResult> {
  const now = new Date();
  const event = {
    type: delivery.type ?? "webhook.test",
    timestamp: (delivery.occurred_at ?? now).toISOString(),
    data: delivery.data ?? { building: delivery.building },
  };
  const body = bodyOf(delivery.format, event, {
    building: delivery.building,
    timeZone: delivery.time_zone,
    spotNumber: delivery.spot_number ?? undefined,
  });
  const headers = signedHeaders(event_id ?? id, body, delivery.secrets, now);
  return sendToWebhook({ url: delivery.url, headers, body }, sending);
}

/** A person waits for the result of the test and reads it, so it is not repeated. */
const resultOfTest = ({ failure }: DeliveryResult): AttemptResult => ({ failure });

function resultOf(
  { failures }: Job,
  { failure, isGone, retryAfterMs }: DeliveryResult,
): AttemptResult {
  if (failure === undefined) return {};
  const wait = isGone ? undefined : nextWait(failures + 1, retryAfterMs);
  return { failure, ...(wait !== undefined && { again: wait / 1_000 }) };
}
