import { useRef } from "preact/hooks";
import type { ClaimLimits } from "../../api/building.ts";
import { post } from "../../api/client.ts";
import { lastReports, openReport } from "../../api/lists.ts";
import { currentClaims, overlaps } from "../../api/own-claims.ts";
import { newestProfile, person } from "../../api/person.ts";
import { Unreachable } from "../../api/problem.ts";
import { readNow } from "../../api/reading.ts";
import type { Claim } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { named } from "../../parts/claims/acts.ts";
import { withoutEmpty } from "../../parts/empty.ts";
import { rowOfSpan } from "../../parts/free.ts";
import type { Parking } from "../../parts/parking.tsx";
import { closing, updateQuery } from "../../routing.ts";
import { now } from "../../time/now.ts";
import { iso, type Span } from "../../time/zone.ts";
import { stillAhead } from "./times.ts";

/**
 * Claims a window, or a part of it. Returns undefined if the person already has a spot then and
 * does not want another.
 */
export async function makeClaim(
  windowId: string,
  span: Span,
  parking: Parking,
): Promise<Claim | undefined> {
  if (!(await isMeant(windowId, span))) return undefined;
  const { claim } = await post<{ readonly claim: Claim }>("/claims", {
    availability_id: windowId,
    ...rowOfSpan(span),
    ...withoutEmpty(parking),
  });
  return claim;
}

/** A claim of the same window may be this one, if its answer was lost. */
async function isMeant(windowId: string, span: Span): Promise<boolean> {
  const claims = await readNow(currentClaims(person.get()?.profile?.id ?? ""));
  const own = claims?.find((it) => it.availability_id !== windowId && overlaps(it, span));
  if (own === undefined) return true;
  // A person whose spot has a stranger on it looks for another one.
  const isBlocked = openReport((await readNow(lastReports)) ?? [], own.spot.id, now());
  return isBlocked !== undefined || confirm(t("claim.overlaps", named(own)));
}

/**
 * Claims with one tap, for the person's own car. If a claim got no answer, the next tap uses the
 * same times, and finds the claim if it was made.
 */
export function useTap(limits: ClaimLimits) {
  const lost = useRef<Span | undefined>(undefined);
  return async (windowId: string, proposed: Span): Promise<Claim | undefined> => {
    const vehicle = (await newestProfile())?.vehicle;
    const before = lost.current;
    const isAhead = before !== undefined && before.start > now();
    const span = isAhead ? before : stillAhead(proposed, limits);
    try {
      return await makeClaim(windowId, span, { vehicle });
    } catch (error) {
      lost.current = error instanceof Unreachable ? span : undefined;
      throw error;
    }
  };
}

export const openClaimForm = (windowId: string, from?: number, until?: number): void =>
  updateQuery({
    window: windowId,
    from: from === undefined ? undefined : iso(from),
    until: until === undefined ? undefined : iso(until),
  });

/** Also closes the form for another window, because the answer to a claim replaces its form. */
export const closeClaimForm = (): void => closing("window", "from", "until", "claimed")();

export function showAnswer(claimId: string): void {
  const form = { window: undefined, from: undefined, until: undefined };
  updateQuery({ ...form, claimed: claimId }, { replace: true });
}
