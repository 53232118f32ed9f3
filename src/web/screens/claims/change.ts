import { useState } from "preact/hooks";
import { put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { elements, part } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.ts";
import { refusal, useAction } from "../../parts/form.ts";
import { MomentField, momentOf, typed } from "../../parts/moment-field.ts";
import { toast } from "../../parts/toasts.ts";
import { look } from "../../routing.ts";
import { timeZone } from "../../time/building.ts";
import { formatSpan } from "../../time/format.ts";
import { dateOf } from "../../time/zone.ts";
import type { OwnClaim } from "./own-claims.ts";

const { button, div, form, p } = elements;

export const closeChange = (): void => look({ change: undefined });

/** Shortens, extends or moves a claim within its window. What has begun can only end otherwise. */
export function Change({ claim, now }: { readonly claim: OwnClaim; readonly now: number }) {
  return part(Dialog, {
    title: t("claims.changeTitle", { spot: claim.spot.spotNumber }),
    close: closeChange,
    content: part(ChangeForm, { claim, now }),
  });
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
  return form(
    { class: "form", onSubmit: submit },
    p({}, t("claim.offered", { span: formatSpan(startTime, endTime) })),
    div(
      { class: "fields" },
      !hasBegun &&
        part(MomentField, {
          name: "start",
          label: t("time.from"),
          value: start,
          change: setStart,
          min,
          max,
          invalid: action.invalid.includes("start_time"),
        }),
      part(MomentField, {
        name: "end",
        label: t("time.until"),
        value: end,
        change: setEnd,
        min,
        max,
        invalid: action.invalid.includes("end_time"),
      }),
    ),
    refusal(action),
    div(
      { class: "actions" },
      button({ class: "main-action", disabled: action.busy }, t("app.save")),
      button({ type: "button", onClick: closeChange }, t("app.cancel")),
    ),
  );
}
