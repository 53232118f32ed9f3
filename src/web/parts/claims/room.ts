import { useBuilding } from "../../api/building.ts";
import { bookingsBetween } from "../../api/lists.ts";
import type { OwnClaim } from "../../api/own-claims.ts";
import { useMovingReading } from "../../api/reading.ts";
import type { Availability } from "../../api/resources.ts";
import { HOUR, MINUTE, type Span } from "../../time/zone.ts";
import { spanOfRow } from "../free.ts";
import { useLimits } from "./lines.tsx";

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

/** What is booked after a claim that is in use, and the latest end that it may have within an hour. */
export function useAfter(claim: OwnClaim) {
  const { rest_stays_on_offer: restIsFree } = useBuilding();
  const limits = useLimits(claim.spot.building_section);
  const { start, end } = spanOfRow(claim);
  const hour = Math.floor(end / HOUR) * HOUR;
  const bookings = useMovingReading(bookingsBetween(hour, hour + 3 * HOUR)).value;
  if (bookings === undefined) return undefined;
  const window = bookings.availabilities.find(({ id }) => id === claim.availability_id);
  const longest = (limits.longest_claim_minutes ?? Number.POSITIVE_INFINITY) * MINUTE;
  const latest = Math.min(roomOf(claim, window, restIsFree).end, start + longest, end + HOUR);
  return { bookings, end: Math.max(end, latest) };
}
