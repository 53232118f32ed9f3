import { post, postWithoutKey, put, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Facts } from "../../parts/administration/dialog.tsx";
import { DangerZone } from "../../parts/danger-zone.tsx";
import { ActionButton, Actions } from "../../parts/form.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { toast } from "../../parts/toasts.tsx";
import { formatted } from "../../time/format.ts";
import { type Delivery, readDeliveries, type SecretAnswer, type Webhook } from "./api.ts";
import { Deliveries, Replay } from "./deliveries.tsx";
import { type Settings, WebhookForm } from "./form.tsx";

interface OneWebhookProperties {
  readonly webhook: Webhook;
  readonly secret: string | undefined;
  readonly tell: (webhook: SecretAnswer["webhook"]) => void;
  readonly leave: () => void;
}

export function OneWebhook({ webhook, secret, tell, leave }: OneWebhookProperties) {
  const path = `/admin/webhooks/${webhook.id}`;
  const save = async (settings: Settings) => {
    await put(path, settings);
    changed("webhooks");
    toast(t("webhooks.saved"));
  };
  const removeIt = async () => {
    await remove(path);
    leave();
    changed("webhooks");
    toast(t("webhooks.deleted"));
  };
  return (
    <>
      <section class="card stack" aria-labelledby="webhook">
        <h2 id="webhook">{plain(webhook.url)}</h2>
        <div class="actions">
          <Badges webhook={webhook} />
        </div>
        <Facts
          entries={[
            [t("webhooks.format"), t(`webhooks.format.${webhook.format}`)],
            [t("webhooks.since"), formatted("date", webhook.created_at)],
          ]}
        />
        {secret !== undefined && (
          <ShownOnce
            name="secret"
            label="webhooks.secret"
            hint="webhooks.secretHint"
            value={secret}
            copied="webhooks.copied"
          />
        )}
        <Buttons webhook={webhook} tell={tell} />
      </section>
      <Deliveries webhook={webhook} />
      <Replay webhook={webhook} />
      <WebhookForm title="webhooks.settings" settings={webhook} submit="app.save" save={save} />
      <DangerZone title="webhooks.delete">
        <p>{t("webhooks.deleteText")}</p>
        <Actions>
          <ActionButton act={removeIt} class="danger" text="webhooks.deleteNow" />
        </Actions>
      </DangerZone>
    </>
  );
}

/** Whether a webhook is on, and whether its receiver accepts what is sent. */
export const Badges = ({ webhook: { enabled, failing_since } }: { readonly webhook: Webhook }) => (
  <>
    <span class={enabled ? "badge good" : "badge"}>
      {t(enabled ? "webhooks.on" : "webhooks.off")}
    </span>
    {failing_since !== null && (
      <span class="badge alarm">
        {t("webhooks.failingSince", { moment: formatted("moment", failing_since) })}
      </span>
    )}
  </>
);

function Buttons({ webhook, tell }: Pick<OneWebhookProperties, "webhook" | "tell">) {
  const path = `/admin/webhooks/${webhook.id}`;
  const rotate = async () => {
    tell((await postWithoutKey<SecretAnswer>(`${path}/rotate`, {})).webhook);
    toast(t("webhooks.rotated"));
  };
  const turn = async () => {
    const enabled = !webhook.enabled;
    await put(path, { enabled });
    changed("webhooks");
    toast(t(enabled ? "webhooks.isOn" : "webhooks.isOff"));
  };
  return (
    <Actions>
      <ActionButton act={() => sendTest(webhook.id)} text="webhooks.test" />
      <ActionButton act={turn} text={webhook.enabled ? "webhooks.turnOff" : "webhooks.turnOn"} />
      <ActionButton act={rotate} text="webhooks.rotate" />
    </Actions>
  );
}

/** The receiver has fifteen seconds. */
const LOOKS = 20;
const EVERY = 1_000;

async function sendTest(webhookId: string): Promise<void> {
  const path = `/admin/webhooks/${webhookId}/test`;
  const { delivery } = await post<{ readonly delivery: Delivery }>(path, {});
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
