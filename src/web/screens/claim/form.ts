import { useState } from "preact/hooks";
import { post, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Availability, Claim, Spot } from "../../api/resources.ts";
import { elements, part, plain } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { refusal, useAction } from "../../parts/form.ts";
import { MomentField, momentOf, typed } from "../../parts/moment-field.ts";
import { explain } from "../../parts/states.ts";
import { toast } from "../../parts/toasts.ts";
import { building, timeZone } from "../../time/building.ts";
import { formatSpan } from "../../time/format.ts";
import { dateOf } from "../../time/zone.ts";
import { closeClaimForm } from "./address.ts";
import { proposal } from "./times.ts";

const { button, div, form, p } = elements;

interface ClaimFormProperties {
  readonly window: Availability;
  readonly spot: Spot | undefined;
  /** What the person dragged over, or looked for. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** The one way to claim: from the board by pointer or keyboard, from a search, or by a link. */
export function ClaimForm({ window, spot, from, until }: ClaimFormProperties) {
  const offered = { start: Date.parse(window.start_time), end: Date.parse(window.end_time) };
  const [{ start, end }, set] = useState(() => {
    const asked = {
      ...(from && { start: Date.parse(from) }),
      ...(until && { end: Date.parse(until) }),
    };
    const proposed = proposal(offered, asked, Date.now(), building.get());
    return { start: typed(proposed.start), end: typed(proposed.end) };
  });
  const action = useAction();
  const [min, max] = [dateOf(offered.start, timeZone()), dateOf(offered.end, timeZone())];
  const invalid = (name: string) => action.invalid.includes(name);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const [startAt, endAt] = [momentOf(start), momentOf(end)];
    if (startAt === undefined || endAt === undefined) return;
    action.run(() => claim(window, spot, startAt, endAt));
  };
  return form(
    { class: "form", onSubmit: submit },
    spot && p({ class: "quiet" }, plain(spot.building_section)),
    p({}, t("claim.offered", { span: formatSpan(offered.start, offered.end) })),
    div(
      { class: "fields" },
      part(MomentField, {
        name: "start",
        label: t("time.from"),
        value: start,
        change: (value) => set({ start: value, end }),
        min,
        max,
        invalid: invalid("start_time"),
      }),
      part(MomentField, {
        name: "end",
        label: t("time.until"),
        value: end,
        change: (value) => set({ start, end: value }),
        min,
        max,
        invalid: invalid("end_time"),
      }),
    ),
    p({ class: "quiet small" }, t("app.zone", { zone: timeZone() })),
    refusal(action),
    window.is_claimed && p({ class: "notice" }, t("claim.gone")),
    div(
      { class: "actions" },
      button(
        { class: "main-action", disabled: action.busy || window.is_claimed },
        t("claim.claim"),
      ),
      button({ type: "button", onClick: closeClaimForm }, t("app.cancel")),
    ),
  );
}

async function claim(
  window: Availability,
  spot: Spot | undefined,
  start: number,
  end: number,
): Promise<void> {
  try {
    const { claim } = await post<{ readonly claim: Claim }>("/claims", {
      availability_id: window.id,
      start_time: new Date(start).toISOString(),
      end_time: new Date(end).toISOString(),
    });
    const undo = () => {
      remove(`/claims/${claim.id}`)
        // Such as by the rule that a claim is kept when its start is near.
        .catch((error: unknown) => toast(explain(error)))
        .finally(() => changed("availabilities", "claims"));
    };
    const values = { spot: spot?.spot_number ?? "", span: formatSpan(start, end) };
    closeClaimForm();
    toast(t("claim.done", values), { name: t("app.undo"), run: undo });
  } finally {
    // Also after a refusal: a neighbour may have been faster.
    changed("availabilities", "claims", "notifications");
  }
}
