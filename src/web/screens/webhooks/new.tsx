import { postWithoutKey } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { t } from "../../messages/translate.ts";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery } from "../../routing.ts";
import type { SecretAnswer } from "./api.ts";
import { type Settings, WebhookForm } from "./form.tsx";

interface NewWebhookProperties {
  /** Shows its secret, only once. */
  readonly tell: (webhook: SecretAnswer["webhook"]) => void;
}

/** Creates a webhook, and goes to it. */
export function NewWebhook({ tell }: NewWebhookProperties) {
  const add = async (settings: Settings) => {
    const { webhook } = await postWithoutKey<SecretAnswer>("/admin/webhooks", settings);
    tell(webhook);
    changed("webhooks");
    updateQuery({ add: undefined, webhook: webhook.id }, { replace: true });
    toast(t("webhooks.added"));
  };
  return <WebhookForm title={t("webhooks.add")} submit={t("webhooks.addNow")} save={add} />;
}
