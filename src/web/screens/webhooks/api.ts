import { get, getAll } from "../../api/client.ts";
import type { Source } from "../../api/reading.ts";
import type { webhooks } from "../../messages/webhooks.en.ts";
import type { DeliveryState, formats, WebhookType } from "./words.ts";

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly WebhookType[];
  readonly format: (typeof formats)[number];
  readonly enabled: boolean;
  readonly failing_since: string | null;
  readonly created_at: string;
}

/** Only the answer that creates a secret contains it. */
export interface SecretAnswer {
  readonly webhook: Webhook & { readonly secret: string };
}

export const allWebhooks: Source<readonly Webhook[]> = {
  key: "webhooks",
  topics: ["webhooks"],
  read: () => getAll<Webhook>("/admin/webhooks", "webhooks"),
};

export interface Delivery {
  readonly id: string;
  readonly event_id: string | null;
  readonly type: WebhookType | "webhook.test";
  readonly position: number | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly failure: string | null;
  readonly next_attempt_at: string | null;
  readonly ended_at: string | null;
  readonly created_at: string;
}

interface Deliveries {
  readonly deliveries: readonly Delivery[];
  readonly total: number;
}

export const DELIVERIES = 20;

export const readDeliveries = (id: string, state?: DeliveryState, offset = 0) =>
  get<Deliveries>(`/admin/webhooks/${id}/deliveries`, { state, offset, limit: DELIVERIES });

/** Read again after ten seconds, because deliveries continue by themselves. */
export const deliveriesOf = (
  id: string,
  state: DeliveryState | undefined,
  offset: number,
): Source<Deliveries> => ({
  key: `deliveries of ${id} ${state} ${offset}`,
  topics: ["deliveries"],
  read: () => readDeliveries(id, state, offset),
  lifetime: 10_000,
});

type Meaning = Extract<keyof typeof webhooks, `event.${string}`>;

/** The key of the text that explains an event of this type. */
export const meaningOf = (type: Delivery["type"]): Meaning => `event.${type}`;
