import { useState } from "preact/hooks";
import { post, postWithoutKey, put, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { useReading } from "../../api/reading.ts";
import type { MessageKey } from "../../messages/en.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Facts } from "../../parts/administration/dialog.tsx";
import { Entry, ManageButton } from "../../parts/administration/list.tsx";
import { AddButton, Button } from "../../parts/controls.tsx";
import { DangerZone } from "../../parts/danger-zone.tsx";
import { Check, SelectField, TextField } from "../../parts/fields.tsx";
import { ActionButton, ActionForm, Actions, formValues } from "../../parts/form.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { formatted } from "../../time/format.ts";
import { mayLeave } from "../../unsaved.ts";
import {
  allWebhooks,
  type Delivery,
  readDeliveries,
  type SecretAnswer,
  type Webhook,
} from "./api.ts";
import { Deliveries, Replay } from "./deliveries.tsx";
import { formats, webhookTypes } from "./words.ts";

export function Webhooks() {
  const { query } = useRoute();
  // Kept only while its webhook is open.
  const [made, setMade] = useState<SecretAnswer["webhook"]>();
  const showAll = () => {
    if (!mayLeave()) return;
    setMade(undefined);
    updateQuery({ add: undefined, webhook: undefined, state: undefined, page: undefined });
  };
  const add = async (settings: Settings) => {
    const { webhook } = await postWithoutKey<SecretAnswer>("/admin/webhooks", settings);
    setMade(webhook);
    updateQuery({ add: undefined, webhook: webhook.id }, { replace: true });
    toast(t("webhooks.added"));
  };
  return whenRead(useReading(allWebhooks), (all) => {
    if (query.webhook === undefined && query.add === undefined) return <All webhooks={all} />;
    // A webhook that was just created may not be in the list yet.
    const webhook = [...all, ...(made ? [made] : [])].find(({ id }) => id === query.webhook);
    return (
      <div class="stack">
        <div class="actions no-print">
          <Button onClick={showAll} text="webhooks.all" />
        </div>
        {query.webhook === undefined && (
          <WebhookForm title="webhooks.add" submit="webhooks.addNow" save={add} />
        )}
        {query.webhook !== undefined && webhook === undefined && <p>{t("admin.gone")}</p>}
        {webhook && (
          <OneWebhook
            key={webhook.id}
            webhook={webhook}
            secret={made?.id === webhook.id ? made.secret : undefined}
            tell={setMade}
            leave={showAll}
          />
        )}
      </div>
    );
  });
}

function All({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const add = <AddButton opens="add" text="webhooks.add" class="main-action" />;
  return (
    <div class="stack">
      <p class="quiet">{t("webhooks.intro")}</p>
      {webhooks.length === 0 ? (
        <Empty title="webhooks.none" text="webhooks.noneText" actions={add} />
      ) : (
        <>
          <div class="actions no-print">{add}</div>
          <ul class="entries">
            {webhooks.map((webhook) => (
              <Line key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

const Line = ({ webhook }: { readonly webhook: Webhook }) => (
  <Entry
    name={webhook.url}
    badges={<Badges webhook={webhook} />}
    about={[t("webhooks.types", { count: webhook.types.length })]}
    actions={
      <ManageButton name={webhook.url} manage={() => updateQuery({ webhook: webhook.id })} />
    }
  />
);

interface OneWebhookProperties {
  readonly webhook: Webhook;
  readonly secret: string | undefined;
  readonly tell: (webhook: SecretAnswer["webhook"]) => void;
  readonly leave: () => void;
}

function OneWebhook({ webhook, secret, tell, leave }: OneWebhookProperties) {
  const path = `/admin/webhooks/${webhook.id}`;
  const save = async (settings: Settings) => {
    await put(path, settings);
    toast(t("webhooks.saved"));
  };
  const removeIt = async () => {
    await remove(path);
    leave();
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
const Badges = ({ webhook: { enabled, failing_since } }: { readonly webhook: Webhook }) => (
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

export type Settings = Pick<Webhook, "url" | "types" | "format">;

interface WebhookFormProperties {
  readonly title: MessageKey;
  readonly settings?: Settings;
  readonly submit: MessageKey;
  readonly save: (settings: Settings) => Promise<void>;
}

function WebhookForm({ title, settings, submit, save }: WebhookFormProperties) {
  return (
    <ActionForm class="card stack" act={(form) => save(settingsTyped(form))} submit={submit}>
      <h2>{t(title)}</h2>
      <TextField
        name="url"
        label="webhooks.url"
        hint="webhooks.urlHint"
        type="url"
        required
        autocomplete="off"
        spellcheck={false}
        value={settings?.url}
      />
      <fieldset>
        <legend>{t("webhooks.what")}</legend>
        <div class="pairs">
          {webhookTypes.map((type) => (
            <Check
              key={type}
              name="types"
              value={type}
              checked={settings?.types.includes(type) === true}
            >
              <span>
                {plain(`${t(`event.${type}`)} `)}
                <code class="quiet small">{plain(type)}</code>
              </span>
            </Check>
          ))}
        </div>
      </fieldset>
      <SelectField
        name="format"
        label="webhooks.format"
        value={settings?.format ?? "event"}
        options={formats.map((format) => [format, t(`webhooks.format.${format}`)] as const)}
      />
    </ActionForm>
  );
}

function settingsTyped(form: HTMLFormElement): Settings {
  const { url = "", format } = formValues(form);
  const checked = new FormData(form).getAll("types");
  return {
    url,
    types: webhookTypes.filter((type) => checked.includes(type)),
    format: formats.find((it) => it === format) ?? "event",
  };
}
