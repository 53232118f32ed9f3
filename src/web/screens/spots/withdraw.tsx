import { useState } from "preact/hooks";
import { remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { FormButtons, Refusal, useAction } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { useNow } from "../../time/clock.ts";
import { formatSpan } from "../../time/format.ts";
import type { OwnSpot } from "./own-spots.ts";
import { OnceFields, onceAtFirst, spansOfOnce } from "./share-once.tsx";

interface WithdrawProperties {
  readonly own: OwnSpot;
  readonly close: () => void;
}

/** When owners need the spot themselves: all free windows of a period at once. */
export const WithdrawDialog = ({ own, close }: WithdrawProperties) => (
  <Dialog title={t("withdraw.title", { spot: own.spot.spot_number })} close={close}>
    <WithdrawForm own={own} close={close} />
  </Dialog>
);

function WithdrawForm({ own, close }: WithdrawProperties) {
  const now = useNow();
  const [value, change] = useState(() => onceAtFirst(now));
  const action = useAction();
  const [period] = spansOfOnce(value);
  const touched = own.windows.filter(
    ({ window }) =>
      period !== undefined &&
      Date.parse(window.start_time) < period.end &&
      Date.parse(window.end_time) > period.start,
  );
  const free = touched.filter(({ window }) => !window.is_claimed);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    action.run(async () => {
      try {
        for (const { window } of free) await remove(`/availabilities/${window.id}`);
      } finally {
        changed("availabilities");
      }
      close();
      toast(t("withdraw.done", { count: free.length }));
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <p>{t("withdraw.text")}</p>
      <OnceFields value={value} change={change} />
      <ul class="preview" aria-label={t("share.preview")}>
        {touched.map(({ window }) => (
          <li key={window.id} class={window.is_claimed ? "skipped" : undefined}>
            <span>{formatSpan(window.start_time, window.end_time)}</span>
            {window.is_claimed && <span class="badge attention">{t("withdraw.claimed")}</span>}
          </li>
        ))}
      </ul>
      <Refusal action={action} />
      <FormButtons
        action={action}
        submit={t("withdraw.withdraw", { count: free.length })}
        disabled={free.length === 0}
        cancel={close}
      />
    </form>
  );
}
