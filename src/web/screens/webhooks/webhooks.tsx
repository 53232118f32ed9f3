import { useState } from "preact/hooks";
import { postWithoutKey } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { Entry } from "../../parts/administration/entry.tsx";
import { ManageButton } from "../../parts/administration/list.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { mayLeave } from "../../parts/unsaved.ts";
import { updateQuery, useRoute } from "../../routing.ts";
import { allWebhooks, type SecretAnswer, type Webhook } from "./api.ts";
import { type Settings, WebhookForm } from "./form.tsx";
import { Badges, OneWebhook } from "./one.tsx";

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
    changed("webhooks");
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
          <button type="button" onClick={showAll}>
            {t("webhooks.all")}
          </button>
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
  const add = (
    <button type="button" class="main-action" onClick={() => updateQuery({ add: "yes" })}>
      <Icon name="add" />
      {t("webhooks.add")}
    </button>
  );
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
