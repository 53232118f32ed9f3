import { useState } from "preact/hooks";
import type { ClaimLimits } from "../../api/building.ts";
import { post, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { person } from "../../api/person.ts";
import type { Availability, Claim, Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { FormButtons, Refusal, useAction } from "../../parts/form.tsx";
import { given, type Parking, ParkingFields } from "../../parts/parking-fields.tsx";
import { SpanFields, spanOf, typedSpan } from "../../parts/span-fields.tsx";
import { explain } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { formatSpan } from "../../time/format.ts";
import { dateOf, momentIn, type Span, timeZone } from "../../time/zone.ts";
import { closeClaimForm } from "./address.ts";
import { proposal } from "./times.ts";

interface ClaimFormProperties {
  readonly window: Availability;
  readonly spot: Spot | undefined;
  readonly limits: ClaimLimits;
  /** What the person dragged over, or looked for. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** The one way to claim: from the board by pointer or keyboard, from a search, or by a link. */
export function ClaimForm({ window, spot, limits, from, until }: ClaimFormProperties) {
  const offered = { start: Date.parse(window.start_time), end: Date.parse(window.end_time) };
  const [typed, setTyped] = useState(() => {
    const [start, end] = [momentIn(from), momentIn(until)];
    const asked = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
    return typedSpan(proposal(offered, asked, Date.now(), limits));
  });
  const usual = person.get()?.profile?.vehicle ?? "";
  const [parking, setParking] = useState<Parking>({ guest: "", vehicle: usual });
  const action = useAction();
  const [min, max] = [dateOf(offered.start, timeZone()), dateOf(offered.end, timeZone())];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const span = spanOf(typed);
    if (span !== undefined) action.run(() => claim(window, spot, span, parking));
  };
  return (
    <form class="form" onSubmit={submit}>
      {spot && <p class="quiet">{plain(spot.building_section)}</p>}
      <p>{t("claim.offered", { span: formatSpan(offered.start, offered.end) })}</p>
      <SpanFields value={typed} change={setTyped} min={min} max={max} invalid={action.invalid} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      <ParkingFields value={parking} change={setParking} invalid={action.invalid} />
      <Refusal action={action} />
      {window.is_claimed && <p class="notice">{t("claim.gone")}</p>}
      <FormButtons
        action={action}
        submit={t("claim.claim")}
        disabled={window.is_claimed}
        cancel={closeClaimForm}
      />
    </form>
  );
}

async function claim(
  window: Availability,
  spot: Spot | undefined,
  { start, end }: Span,
  parking: Parking,
): Promise<void> {
  try {
    const { claim } = await post<{ readonly claim: Claim }>("/claims", {
      availability_id: window.id,
      start_time: new Date(start).toISOString(),
      end_time: new Date(end).toISOString(),
      ...given(parking),
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
