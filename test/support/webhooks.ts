import type { Person } from "./person.ts";

export interface Webhook {
  readonly id: string;
  readonly enabled: boolean;
  readonly failing_since: string | null;
  /** In the answers that make one only. */
  readonly secret?: string;
}

/** Makes a webhook, of these settings where they are given. */
export async function webhookOf(administrator: Person, given: object = {}): Promise<Webhook> {
  const { body } = await administrator.post<{ webhook: Webhook }>(
    "/admin/webhooks",
    { url: "https://hooks.example.org/a", types: ["spot.registered"], ...given },
    201,
  );
  return body.webhook;
}

export interface Delivery {
  readonly id: string;
  readonly event_id: string | null;
  readonly type: string;
  readonly position: number | null;
  readonly state: "waiting" | "failing" | "delivered" | "given_up";
  readonly attempts: number;
  readonly failure: string | null;
}

/** What was sent to it, or will be, the newest first. */
export async function deliveriesOf(
  administrator: Person,
  { id }: Webhook,
  query = "",
): Promise<{ readonly deliveries: readonly Delivery[]; readonly total: number }> {
  return (await administrator.get<never>(`/admin/webhooks/${id}/deliveries${query}`, 200)).body;
}
