import { useState } from "preact/hooks";
import { useBuilding } from "../../api/building.ts";
import { put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { FormButtons, Refusal, useAction } from "../../parts/form.tsx";
import { changedTo, type Parking, ParkingFields } from "../../parts/parking-fields.tsx";
import { SpanFields, spanOf, typedSpan } from "../../parts/span-fields.tsx";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery } from "../../routing.ts";
import { formatSpan } from "../../time/format.ts";
import { dateOf, timeZone } from "../../time/zone.ts";
import type { OwnClaim } from "./own-claims.ts";

const closeChange = (): void => updateQuery({ change: undefined });

/** Shortens, extends or moves a claim within its window. What has begun can only end otherwise. */
export function Change({ claim, now }: { readonly claim: OwnClaim; readonly now: number }) {
  return (
    <Dialog title={t("claims.changeTitle", { spot: claim.spot.spotNumber })} close={closeChange}>
      <ChangeForm claim={claim} now={now} />
    </Dialog>
  );
}

function ChangeForm({ claim, now }: { readonly claim: OwnClaim; readonly now: number }) {
  const [typed, setTyped] = useState(() =>
    typedSpan({ start: Date.parse(claim.startTime), end: Date.parse(claim.endTime) }),
  );
  const [parking, setParking] = useState<Parking>({
    guest: claim.guest ?? "",
    vehicle: claim.vehicle ?? "",
  });
  const action = useAction();
  const isJoined = useBuilding().rest_stays_on_offer;
  const { startTime, endTime } = claim.availability;
  const hasBegun = Date.parse(claim.startTime) <= now;
  const min = dateOf(Date.parse(startTime), timeZone());
  const max = dateOf(Date.parse(endTime), timeZone());
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const span = spanOf(typed);
    if (span === undefined) return;
    action.run(async () => {
      await put(`/claims/${claim.id}`, {
        ...(!hasBegun && { start_time: new Date(span.start).toISOString() }),
        end_time: new Date(span.end).toISOString(),
        ...changedTo(parking),
      });
      changed("claims", "availabilities");
      closeChange();
      toast(t("claims.saved"));
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <p>
        {isJoined
          ? t("claims.moreTime")
          : t("claim.offered", { span: formatSpan(startTime, endTime) })}
      </p>
      <SpanFields
        value={typed}
        change={setTyped}
        {...(!isJoined && { min, max })}
        invalid={action.invalid}
        endOnly={hasBegun}
      />
      <ParkingFields value={parking} change={setParking} invalid={action.invalid} />
      <Refusal action={action} />
      <FormButtons action={action} submit={t("app.save")} cancel={closeChange} />
    </form>
  );
}
