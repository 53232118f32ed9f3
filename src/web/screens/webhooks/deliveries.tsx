import { useRef } from "preact/hooks";
import { post } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { Entry } from "../../parts/administration/list.tsx";
import { Button, Choice } from "../../parts/controls.tsx";
import { NumberField } from "../../parts/fields.tsx";
import { ActionButton, ActionForm, formValues } from "../../parts/form.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { formatted } from "../../time/format.ts";
import {
  DELIVERIES,
  type Delivery,
  type DeliveryState,
  deliveriesOf,
  type Webhook,
} from "./api.ts";
import { states } from "./words.ts";

export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { query } = useRoute();
  const state = states.find((one) => one === query.state);
  const page = Math.max(1, Math.trunc(Number(query.page)) || 1);
  const offset = (page - 1) * DELIVERIES;
  const reading = useReading(deliveriesOf(webhook.id, state, offset));
  // While another page is read, the paging buttons stay and keep the focus.
  const known = useRef({ state, total: 0 });
  if (reading.value !== undefined) known.current = { state, total: reading.value.total };
  const total = known.current.state === state ? known.current.total : 0;
  return (
    <section class="card stack" aria-labelledby="deliveries">
      <h2 id="deliveries">{t("deliveries.title")}</h2>
      <div class="beside controls no-print">
        <Choice
          label="admin.show"
          value={state ?? ""}
          options={[
            ["", t("admin.all")],
            ...states.map((one) => [one, t(`deliveries.state.${one}`)] as const),
          ]}
          choose={(name) => updateQuery({ state: name, page: undefined })}
        />
      </div>
      {whenRead(reading, ({ deliveries }) =>
        deliveries.length === 0 ? (
          <Empty title={state || page > 1 ? "admin.none" : "deliveries.none"} />
        ) : (
          <ul class="entries">
            {deliveries.map((delivery) => (
              <Line key={delivery.id} delivery={delivery} webhook={webhook} />
            ))}
          </ul>
        ),
      )}
      <Pages page={page} total={total} />
    </section>
  );
}

function Pages({ page, total }: { readonly page: number; readonly total: number }) {
  const first = (page - 1) * DELIVERIES + 1;
  const last = Math.min(page * DELIVERIES, total);
  if (page === 1 && last >= total) return null;
  const turn = (to: number) => updateQuery({ page: to === 1 ? undefined : String(to) });
  return (
    <div class="beside head-row no-print">
      <span class="quiet" role="status">
        {t("deliveries.shown", { first: Math.min(first, total), last, total })}
      </span>
      <div class="actions">
        <Button
          aria-disabled={page === 1}
          onClick={() => page > 1 && turn(page - 1)}
          text="deliveries.newer"
        />
        <Button
          aria-disabled={last >= total}
          onClick={() => last < total && turn(page + 1)}
          text="deliveries.older"
        />
      </div>
    </div>
  );
}

const looks: Readonly<Record<DeliveryState, string>> = {
  waiting: "badge",
  failing: "badge attention",
  delivered: "badge good",
  given_up: "badge alarm",
};

function Line({ delivery, webhook }: { readonly delivery: Delivery; readonly webhook: Webhook }) {
  const { state, type, event_id, position, failure, next_attempt_at } = delivery;
  const event = t(`event.${type}`);
  const moment = formatted("moment", delivery.created_at);
  return (
    <Entry
      name={event}
      badges={<span class={looks[state]}>{t(`deliveries.state.${state}`)}</span>}
      about={[
        moment,
        position === null ? "" : t("deliveries.position", { position }),
        t("deliveries.attempts", { count: delivery.attempts }),
      ]}
      actions={
        event_id !== null &&
        webhook.enabled && (
          <ActionButton
            class="small-action"
            aria-label={t("deliveries.againOne", { event, moment })}
            act={() => replay(webhook, { event_id })}
            text="deliveries.again"
          />
        )
      }
    >
      {failure !== null && <p class="small">{t("deliveries.failure", { reason: failure })}</p>}
      {failure !== null && next_attempt_at !== null && (
        <p class="quiet small">
          {t("deliveries.next", { moment: formatted("moment", next_attempt_at) })}
        </p>
      )}
    </Entry>
  );
}

interface Replayed {
  readonly deliveries: number;
  readonly until: number | null;
}

async function replay({ id }: Webhook, body: object): Promise<void> {
  const path = `/admin/webhooks/${id}/replay`;
  const { deliveries: count, until } = await post<Replayed>(path, body);
  changed("deliveries");
  toast(until === null ? t("deliveries.nothing") : t("deliveries.sent", { count, until }));
}

export const Replay = ({ webhook }: { readonly webhook: Webhook }) => (
  <ActionForm
    class="card stack"
    aria-labelledby="again"
    act={(form) => replay(webhook, { since: Number(formValues(form).since) })}
    submit={webhook.enabled ? "deliveries.again" : undefined}
    look="usual"
    beside={<ActionButton act={() => replay(webhook, {})} text="deliveries.givenUp" />}
  >
    <h2 id="again">{t("deliveries.again")}</h2>
    <p>{t("deliveries.againText")}</p>
    {webhook.enabled ? (
      <NumberField name="since" label="deliveries.since" hint="deliveries.sinceHint" required />
    ) : (
      <p class="quiet">{t("deliveries.onlyOn")}</p>
    )}
  </ActionForm>
);
