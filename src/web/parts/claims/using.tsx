import { type ClaimLimits, useBuilding } from "../../api/building.ts";
import { put } from "../../api/client.ts";
import { type Bookings, bookingsBetween, lastReports, openReport } from "../../api/lists.ts";
import type { OwnClaim } from "../../api/own-claims.ts";
import { useMovingReading, useReading } from "../../api/reading.ts";
import type { Availability } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { updateQuery } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatNearMoment, formatted } from "../../time/format.ts";
import { now } from "../../time/now.ts";
import { HOUR, iso, MINUTE, type Span } from "../../time/zone.ts";
import { Button } from "../button.tsx";
import { type Action, ActionButton } from "../form.tsx";
import { spanOfRow } from "../free.ts";
import { toast } from "../toasts.tsx";
import { named } from "./acts.ts";

interface InUseProperties {
  readonly claim: OwnClaim;
  readonly action: Action;
  readonly limits: ClaimLimits;
}

/** What a person can do with a claim that is in use, beside finishing it. */
export const InUse = (properties: InUseProperties) => (
  <>
    <ExtendButton key={properties.claim.end_time} {...properties} />
    <StrangerButton spotId={properties.claim.spot.id} />
  </>
);

/** Less time than this is not worth a tap. */
const LEAST = 5 * MINUTE;

/** Gives a claim that is in use an hour more or, if less is free, all of that. */
function ExtendButton({ claim, limits, action }: InUseProperties) {
  const now = useNow();
  const end = useAfter(claim, limits)?.end ?? 0;
  const length = end - Date.parse(claim.end_time);
  if (length < LEAST) return null;
  const until = formatNearMoment(end, now);
  return (
    <ActionButton
      action={action}
      aria-label={length === HOUR ? t("claims.hourUntil", { until }) : undefined}
      act={() => extendClaim(claim, end)}
    >
      {length === HOUR ? t("claims.hour") : t("claims.restUntil", { until })}
    </ActionButton>
  );
}

const endAt = ({ id }: OwnClaim, end_time: string): Promise<unknown> =>
  put(`/claims/${id}`, { end_time });

async function extendClaim(claim: OwnClaim, end: number): Promise<void> {
  await endAt(claim, iso(end));
  const until = formatNearMoment(end, now());
  const undo = () => endAt(claim, claim.end_time).then(() => toast(t("claims.saved")));
  toast(t("claims.extended", { ...named(claim), until }), undo);
}

type Times = Pick<Availability, "start_time" | "end_time">;
type Window = Times & { readonly free?: readonly Times[] | null };

/**
 * The times that the claim may have: with the free time beside it or, if claims take whole windows,
 * the window.
 */
export function roomOf(claim: OwnClaim, window?: Window | null, restIsFree = false): Span {
  const { start, end } = spanOfRow(claim);
  const spans = (restIsFree ? window?.free : window && [window])?.map(spanOfRow);
  const beside = (moment: number) => spans?.find((it) => it.start <= moment && moment <= it.end);
  return { start: beside(start)?.start ?? start, end: beside(end)?.end ?? end };
}

interface After {
  /** What is booked in the hours after the claim. */
  readonly bookings: Bookings;
  /** The latest end that the claim may have, within an hour. */
  readonly end: number;
}

/** What comes after a claim that is in use. */
export function useAfter(claim: OwnClaim, limits: ClaimLimits): After | undefined {
  const { rest_stays_on_offer: restIsFree } = useBuilding();
  const { start, end } = spanOfRow(claim);
  const hour = Math.floor(end / HOUR) * HOUR;
  const bookings = useMovingReading(bookingsBetween(hour, hour + 3 * HOUR)).value;
  if (bookings === undefined) return undefined;
  const window = bookings.availabilities.find(({ id }) => id === claim.availability_id);
  const longest = (limits.longest_claim_minutes ?? Number.POSITIVE_INFINITY) * MINUTE;
  const latest = Math.min(roomOf(claim, window, restIsFree).end, start + longest, end + HOUR);
  return { bookings, end: Math.max(end, latest) };
}

interface StrangerProperties {
  readonly spotId: string;
  readonly class?: string;
  readonly "aria-describedby"?: string;
}

/** Opens the report of a stranger's car, or what became of it. */
export function StrangerButton({ spotId, ...attributes }: StrangerProperties) {
  const now = useNow();
  const report = openReport(useReading(lastReports).value ?? [], spotId, now);
  return (
    <Button {...attributes} onClick={() => updateQuery({ report: spotId })}>
      {report
        ? t("claims.reported", { time: formatted("time", report.created_at) })
        : t("claims.stranger")}
    </Button>
  );
}
