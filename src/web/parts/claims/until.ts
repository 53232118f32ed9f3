import { type ClaimLimits, useBuilding } from "../../api/building.ts";
import { useReading } from "../../api/reading.ts";
import { allSections, limitsIn } from "../../api/sections.ts";
import { now } from "../../time/now.ts";
import { MINUTE } from "../../time/zone.ts";

/**
 * The time until which a claim can be cancelled (as in claims_kept_after_cutoff). A claim that has begun is finished instead.
 */
export function cancellableUntil(start: number, made: number, limits: ClaimLimits): number {
  const { cancellation_cutoff_minutes, grace_minutes } = limits;
  return Math.max(
    start - (cancellation_cutoff_minutes ?? 0) * MINUTE,
    made + (grace_minutes ?? 0) * MINUTE,
  );
}

/** Whether it could be claimed again: its start is far enough in the future for the notice. */
export const isClaimableAgain = (start: number, limits: ClaimLimits): boolean =>
  start > now() + (limits.claim_notice_minutes ?? 0) * MINUTE;

/** The limits that apply to the spots of a section. */
export function useLimits(section: string): ClaimLimits {
  useBuilding();
  return limitsIn(section, useReading(allSections).value ?? []);
}
