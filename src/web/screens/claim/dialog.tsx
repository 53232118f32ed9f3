import { useEffect, useState } from "preact/hooks";
import type { ClaimLimits } from "../../api/building.ts";
import { allSections, allSpots, answer, limitsIn } from "../../api/lists.ts";
import { claimOf, currentClaims, type OwnClaim, overlaps } from "../../api/own-claims.ts";
import { usePersonId } from "../../api/person.ts";
import { together, useReading } from "../../api/reading.ts";
import type { Availability, Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ActionForm } from "../../parts/form.tsx";
import { freeOf, spanOfRow } from "../../parts/free.ts";
import { ParkingFields, parkingTyped, usualVehicle } from "../../parts/parking-fields.tsx";
import { SpanFields } from "../../parts/span-fields.tsx";
import { Star } from "../../parts/star.tsx";
import { whenRead } from "../../parts/states.tsx";
import { spanOf, typedSpan } from "../../parts/typed-span.ts";
import { useRoute } from "../../routing.ts";
import { formatSpan } from "../../time/format.ts";
import { now } from "../../time/now.ts";
import { momentIn, timeZone } from "../../time/zone.ts";
import { Answer } from "./answer.tsx";
import { closeClaimForm, makeClaim, showAnswer } from "./make.ts";
import { proposal, soonest } from "./times.ts";

/** The form is part of the address, so that it survives a reload, and going back closes it. */
export function ClaimDialog() {
  const { window: windowId, claimed } = useRoute().query;
  if (claimed) return <AnswerDialog key={claimed} claimId={claimed} />;
  return windowId ? <OpenDialog key={windowId} windowId={windowId} /> : null;
}

function AnswerDialog({ claimId }: { readonly claimId: string }) {
  const reading = useReading(claimOf(claimId));
  const isThere = (claim: OwnClaim | null | undefined): claim is OwnClaim =>
    claim != null && claim.status !== "cancelled";
  const claim = reading.value?.claim;
  const title = isThere(claim)
    ? t("claim.yours", { spot: claim.spot.spot_number })
    : t("screen.claims");
  return (
    <Dialog title={title} close={closeClaimForm}>
      {whenRead(reading, ({ claim }) =>
        isThere(claim) ? (
          <Answer claim={claim} undone={closeClaimForm} />
        ) : (
          <p>{t("claims.gone")}</p>
        ),
      )}
    </Dialog>
  );
}

function OpenDialog({ windowId }: { readonly windowId: string }) {
  const { query } = useRoute();
  const all = together({
    window: useReading(
      answer<{ readonly availability: Availability }>(
        `/availabilities/${encodeURIComponent(windowId)}`,
        ["availabilities"],
      ),
    ),
    spots: useReading(allSpots),
    sections: useReading(allSections),
  });
  const { window, spots } = all.value ?? {};
  const spot = spots?.find(({ id }) => id === window?.availability.spot_id);
  const title = t("claim.title", { spot: spot?.spot_number ?? "" });
  return (
    <Dialog title={title} close={closeClaimForm}>
      {whenRead(all, ({ window: { availability }, sections }) =>
        Date.parse(availability.end_time) <= now() ? (
          <p>{t("claim.over")}</p>
        ) : (
          <ClaimForm
            window={availability}
            spot={spot}
            limits={limitsIn(spot?.building_section, sections)}
            from={query.from}
            until={query.until}
          />
        ),
      )}
    </Dialog>
  );
}

interface ClaimFormProperties {
  readonly window: Availability;
  readonly spot: Spot | undefined;
  readonly limits: ClaimLimits;
  /** The start and the end over which the person dragged, or that they searched for. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** A form with all details of a claim, opened from the board or by a link. */
function ClaimForm({ window, spot, limits, from, until }: ClaimFormProperties) {
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
  // An earlier claim may exist without an answer, because the answer was lost. Outdated claims do
  // not count, because they may have been undone.
  const { value = [], isEarlier, isOld } = useReading(currentClaims(usePersonId()));
  const claims = isEarlier || isOld ? [] : value;
  const own =
    span && claims.find((it) => it.availability_id === window.id && overlaps(it, span))?.id;
  useEffect(() => {
    if (own !== undefined) showAnswer(own);
  }, [own]);
  const claim = async (form: HTMLFormElement) => {
    const made = span && (await makeClaim(window.id, span, parkingTyped(form)));
    if (made) showAnswer(made.id);
  };
  return (
    <ActionForm act={claim} submit="claim.claim" disabled={!isFree} cancel>
      {spot && (
        <div class="beside head-row">
          <p class="quiet">{plain(spot.building_section)}</p>
          <Star spot={spot} />
        </div>
      )}
      {spot?.notes !== undefined && <p>{plain(spot.notes)}</p>}
      {spot?.is_verified === false && <p class="notice">{t("claim.unverified")}</p>}
      <p>{t("claim.offered", { span: formatSpan(offered.start, offered.end) })}</p>
      <SpanFields value={typed} change={setTyped} within={offered} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      <ParkingFields vehicle={usualVehicle()} />
      {!isFree && <p class="notice">{t("claim.notFree")}</p>}
    </ActionForm>
  );
}
