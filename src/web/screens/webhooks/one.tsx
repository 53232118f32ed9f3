import { postWithoutKey, put, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { plain, t } from "../../messages/translate.ts";
import { Facts } from "../../parts/administration/dialog-content.tsx";
import { Refusal, useAction } from "../../parts/form.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { toast } from "../../parts/toasts.tsx";
import { formatted } from "../../time/format.ts";
import type { SecretAnswer, Webhook } from "./api.ts";
import { Badges } from "./badges.tsx";
import { Deliveries } from "./deliveries.tsx";
import { type Settings, WebhookForm } from "./form.tsx";
import { Replay } from "./replay.tsx";
import { sendTest } from "./send-test.ts";

interface OneWebhookProperties {
  readonly webhook: Webhook;
  /** Set if it was just created. */
  readonly secret: string | undefined;
  readonly tell: (webhook: SecretAnswer["webhook"]) => void;
  readonly leave: () => void;
}

/** One webhook: whether it works, what was sent to it, and its actions. */
export function OneWebhook({ webhook, secret, tell, leave }: OneWebhookProperties) {
  const path = `/admin/webhooks/${webhook.id}`;
  const save = async (settings: Settings) => {
    await put(path, settings);
    changed("webhooks");
    toast(t("webhooks.saved"));
  };
  return (
    <>
      <section class="card stack" aria-labelledby="webhook">
        <h2 id="webhook" class="addresses">
          {plain(webhook.url)}
        </h2>
        <div class="badges">
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
            label={t("webhooks.secret")}
            hint={t("webhooks.secretHint")}
            value={secret}
            copy={t("webhooks.copy")}
            copied={t("webhooks.copied")}
          />
        )}
        <Actions webhook={webhook} tell={tell} />
      </section>
      <Deliveries webhook={webhook} />
      <Replay webhook={webhook} />
      <WebhookForm
        title={t("webhooks.settings")}
        settings={webhook}
        submit={t("app.save")}
        save={save}
      />
      <Delete
        act={async () => {
          await remove(path);
          leave();
          changed("webhooks");
          toast(t("webhooks.deleted"));
        }}
      />
    </>
  );
}

function Actions({ webhook, tell }: Pick<OneWebhookProperties, "webhook" | "tell">) {
  const action = useAction();
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
  const buttons = [
    { key: "test", name: "webhooks.test", act: () => sendTest(webhook.id) },
    { key: "turn", name: webhook.enabled ? "webhooks.turnOff" : "webhooks.turnOn", act: turn },
    { key: "rotate", name: "webhooks.rotate", act: rotate },
  ] as const;
  return (
    <>
      <Refusal action={action} />
      <div class="actions">
        {buttons.map(({ key, name, act }) => (
          <button
            key={key}
            type="button"
            aria-disabled={action.busy}
            onClick={() => action.run(act)}
          >
            {t(name)}
          </button>
        ))}
      </div>
    </>
  );
}

function Delete({ act }: { readonly act: () => Promise<void> }) {
  const action = useAction();
  return (
    <details class="danger-zone">
      <summary>{t("webhooks.delete")}</summary>
      <div class="stack">
        <p>{t("webhooks.deleteText")}</p>
        <Refusal action={action} />
        <div class="actions">
          <button
            type="button"
            class="danger"
            aria-disabled={action.busy}
            onClick={() => action.run(act)}
          >
            {t("webhooks.deleteNow")}
          </button>
        </div>
      </div>
    </details>
  );
}
