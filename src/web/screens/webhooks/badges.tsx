import { t } from "../../messages/translate.ts";
import { formatted } from "../../time/format.ts";
import type { Webhook } from "./api.ts";

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
