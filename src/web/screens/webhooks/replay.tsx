import { post } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { t } from "../../messages/translate.ts";
import { formValues, Refusal, useAction } from "../../parts/form.tsx";
import { NumberField } from "../../parts/number-field.tsx";
import { toast } from "../../parts/toasts.tsx";
import type { Webhook } from "./api.ts";

/** The number of deliveries that are sent again, and the position of the last event. */
export interface Replayed {
  readonly deliveries: number;
  readonly until: number | null;
}

export function tellReplayed({ deliveries: count, until }: Replayed): void {
  changed("deliveries");
  toast(until === null ? t("deliveries.nothing") : t("deliveries.sent", { count, until }));
}

/** Sends again what a receiver has missed. */
export function Replay({ webhook: { id, enabled } }: { readonly webhook: Webhook }) {
  const action = useAction();
  const replay = (body: object) =>
    action.run(async () =>
      tellReplayed(await post<Replayed>(`/admin/webhooks/${id}/replay`, body)),
    );
  return (
    <form
      class="card form"
      aria-labelledby="again"
      onSubmit={(event) => {
        event.preventDefault();
        replay({ since: Number(formValues(event.currentTarget).since) });
      }}
    >
      <h2 id="again">{t("deliveries.againTitle")}</h2>
      <p>{t("deliveries.againText")}</p>
      {enabled ? (
        <>
          <NumberField
            name="since"
            label={t("deliveries.since")}
            hint={t("deliveries.sinceHint")}
            action={action}
            min={0}
            required
          />
          <Refusal action={action} />
          <div class="actions">
            <button type="submit" aria-disabled={action.busy}>
              {t("deliveries.again")}
            </button>
            <button type="button" aria-disabled={action.busy} onClick={() => replay({})}>
              {t("deliveries.givenUp")}
            </button>
          </div>
        </>
      ) : (
        <p class="quiet">{t("deliveries.onlyOn")}</p>
      )}
    </form>
  );
}
