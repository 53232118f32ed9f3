import { useEffect, useState } from "preact/hooks";
import type { ClaimLimits } from "../../api/building.ts";
import { currentClaims, overlaps } from "../../api/own-claims.ts";
import { person } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import type { Availability, Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { ActionForm, useAction } from "../../parts/form.tsx";
import { freeOf, spanOfRow } from "../../parts/free.ts";
import type { Parking } from "../../parts/parking.tsx";
import { ParkingFields } from "../../parts/parking-fields.tsx";
import { SpanFields } from "../../parts/span-fields.tsx";
import { spanOf, typedSpan } from "../../parts/typed-span.ts";
import { formatSpan } from "../../time/format.ts";
import { now } from "../../time/now.ts";
import { dateOf, momentIn, timeZone } from "../../time/zone.ts";
import { closeClaimForm, showAnswer } from "./address.ts";
import { makeClaim } from "./make.ts";
import { proposal, soonest } from "./times.ts";

interface ClaimFormProperties {
  readonly window: Availability;
  readonly spot: Spot | undefined;
  readonly limits: ClaimLimits;
  /** The start and the end over which the person dragged, or that they searched for. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** A form with all details of a claim, opened from the board or by a link. */
export function ClaimForm({ window, spot, limits, from, until }: ClaimFormProperties) {
  const free = freeOf(window);
  const [start, end] = [momentIn(from), momentIn(until)];
  const first = Math.max(start ?? 0, soonest(now(), limits));
  const offered = free.find((it) => it.end > first) ?? spanOfRow(window);
  const [typed, setTyped] = useState(() => {
    const asked = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
    return typedSpan(proposal(offered, asked, now(), limits));
  });
  const span = spanOf(typed);
  const isFree =
    span === undefined || free.some((it) => it.start <= span.start && span.end <= it.end);
  const profile = person.get()?.profile;
  const usual = profile?.vehicle ?? "";
  const [parking, setParking] = useState<Parking>({ guest: "", vehicle: usual });
  const action = useAction();
  // An earlier claim may exist without an answer, because the answer was lost. Outdated claims do
  // not count, because they may have been undone.
  const { value = [], isEarlier, isOld } = useReading(currentClaims(profile?.id ?? ""));
  const claims = isEarlier || isOld ? [] : value;
  const own =
    span && claims.find((it) => it.availabilityId === window.id && overlaps(it, span))?.id;
  useEffect(() => {
    if (own !== undefined && !action.busy) showAnswer(own);
  }, [own, action.busy]);
  const [min, max] = [dateOf(offered.start, timeZone()), dateOf(offered.end, timeZone())];
  const claim = async () => {
    const made = span && (await makeClaim(window.id, span, parking));
    if (made) showAnswer(made.id);
  };
  return (
    <ActionForm
      action={action}
      act={claim}
      submit={t("claim.claim")}
      disabled={!isFree}
      cancel={closeClaimForm}
    >
      {spot && <p class="quiet">{plain(spot.building_section)}</p>}
      {spot?.notes !== undefined && <p>{plain(spot.notes)}</p>}
      {spot?.is_verified === false && <p class="notice">{t("claim.unverified")}</p>}
      <p>{t("claim.offered", { span: formatSpan(offered.start, offered.end) })}</p>
      <SpanFields value={typed} change={setTyped} min={min} max={max} action={action} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      <ParkingFields value={parking} change={setParking} action={action} />
      {!isFree && <p class="notice">{t("claim.notFree")}</p>}
    </ActionForm>
  );
}
