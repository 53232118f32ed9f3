import { post } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { toast } from "../../parts/toasts.tsx";
import { type Delivery, readDeliveries } from "./api.ts";

/** The receiver has fifteen seconds. */
const LOOKS = 20;
const EVERY = 1_000;

/** Sends a test, and reports its result. */
export async function sendTest(webhookId: string): Promise<void> {
  const { delivery } = await post<{ readonly delivery: Delivery }>(
    `/admin/webhooks/${webhookId}/test`,
    {},
  );
  toast(wordsOf(await endOf(webhookId, delivery.id)));
  changed("deliveries");
}

async function endOf(webhookId: string, id: string): Promise<Delivery | undefined> {
  for (let look = 0; look < LOOKS; look++) {
    const { deliveries } = await readDeliveries(webhookId);
    const delivery = deliveries.find((one) => one.id === id);
    if (delivery?.ended_at) return delivery;
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
  return undefined;
}

function wordsOf(delivery: Delivery | undefined): Text {
  if (delivery === undefined) return t("webhooks.testWaits");
  if (delivery.state === "delivered") return t("webhooks.testDelivered");
  return t("webhooks.testFailed", { reason: plain(delivery.failure ?? "") });
}
