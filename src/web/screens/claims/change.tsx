import { useState } from "preact/hooks";
import { timeZone } from "../../api/building.ts";
import { put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Refusal, useAction } from "../../parts/form.tsx";
import { MomentField, momentOf, typed } from "../../parts/moment-field.tsx";
import { toast } from "../../parts/toasts.tsx";
import { look } from "../../routing.ts";
import { formatSpan } from "../../time/format.ts";
import { dateOf } from "../../time/zone.ts";
import type { OwnClaim } from "./own-claims.ts";

export const closeChange = (): void => look({ change: undefined });

/** Shortens, extends or moves a claim within its window. What has begun can only end otherwise. */
export function Change({ claim, now }: { readonly claim: OwnClaim; readonly now: number }) {
  return (
    <Dialog title={t("claims.changeTitle", { spot: claim.spot.spotNumber })} close={closeChange}>
      <ChangeForm claim={claim} now={now} />
    </Dialog>
  );
}

function ChangeForm({ claim, now }: { readonly claim: OwnClaim; readonly now: number }) {
  const [start, setStart] = useState(() => typed(Date.parse(claim.startTime)));
  const [end, setEnd] = useState(() => typed(Date.parse(claim.endTime)));
  const action = useAction();
  const { startTime, endTime } = claim.availability;
  const hasBegun = Date.parse(claim.startTime) <= now;
  const min = dateOf(Date.parse(startTime), timeZone());
  const max = dateOf(Date.parse(endTime), timeZone());
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const [startAt, endAt] = [momentOf(start), momentOf(end)];
    if (startAt === undefined || endAt === undefined) return;
    action.run(async () => {
      await put(`/claims/${claim.id}`, {
        ...(!hasBegun && { start_time: new Date(startAt).toISOString() }),
        end_time: new Date(endAt).toISOString(),
      });
      changed("claims", "availabilities");
      closeChange();
      toast(t("claims.changed"));
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <p>{t("claim.offered", { span: formatSpan(startTime, endTime) })}</p>
      <div class="fields">
        {!hasBegun && (
          <MomentField
            name="start"
            label={t("time.from")}
            value={start}
            change={setStart}
            min={min}
            max={max}
            invalid={action.invalid.includes("start_time")}
          />
        )}
        <MomentField
          name="end"
          label={t("time.until")}
          value={end}
          change={setEnd}
          min={min}
          max={max}
          invalid={action.invalid.includes("end_time")}
        />
      </div>
      <Refusal action={action} />
      <div class="actions">
        <button type="submit" class="main-action" disabled={action.busy}>
          {t("app.save")}
        </button>
        <button type="button" onClick={closeChange}>
          {t("app.cancel")}
        </button>
      </div>
    </form>
  );
}
