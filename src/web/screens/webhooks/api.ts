import type { ValueOf } from "../../../contract/fields.ts";
import type * as webhooks from "../../../contract/webhooks.ts";
import { get } from "../../api/client.ts";
import { answer, list } from "../../api/lists.ts";
import type { Source } from "../../api/reading.ts";

export type Webhook = ValueOf<typeof webhooks.webhook>;

/** Only the answer that creates a secret contains it. */
export interface SecretAnswer {
  readonly webhook: Webhook & { readonly secret: string };
}

export const allWebhooks = list<Webhook>("/admin/webhooks", ["webhooks"]);

export type DeliveryState = Delivery["state"];
export type Delivery = ValueOf<typeof webhooks.delivery>;

interface Deliveries {
  readonly deliveries: readonly Delivery[];
  readonly total: number;
}

export const DELIVERIES = 20;

export const readDeliveries = (id: string) =>
  get<Deliveries>(`/admin/webhooks/${id}/deliveries`, { limit: DELIVERIES });

/** Read again after ten seconds, because deliveries continue by themselves. */
export const deliveriesOf = (
  id: string,
  state: DeliveryState | undefined,
  offset: number,
): Source<Deliveries> => ({
  ...answer(`/admin/webhooks/${id}/deliveries`, ["deliveries"], {
    state,
    offset,
    limit: DELIVERIES,
  }),
  lifetime: 10_000,
});
