import { type ClaimLimits, useBuilding } from "../../api/building.ts";
import { useReading } from "../../api/reading.ts";
import { allSections, limitsIn } from "../../api/sections.ts";
import { now } from "../../time/now.ts";
import { MINUTE } from "../../time/zone.ts";

/** Until when a claim can be cancelled, as sql/claims/enforce_cutoff.sql has it: one that runs is finished instead. */
export function cancellableUntil(start: number, made: number, limits: ClaimLimits): number {
  const { cancellation_cutoff_minutes, grace_minutes } = limits;
  return Math.max(
    start - (cancellation_cutoff_minutes ?? 0) * MINUTE,
    made + (grace_minutes ?? 0) * MINUTE,
  );
}

/** Whether it could be claimed again: it begins in the future, with the notice that is asked for. */
export const isClaimableAgain = (start: number, limits: ClaimLimits): boolean =>
  start > now() + (limits.claim_notice_minutes ?? 0) * MINUTE;

/** The limits that hold for the spots of a section. */
export function useLimits(section: string): ClaimLimits {
  useBuilding();
  return limitsIn(section, useReading(allSections).value ?? []);
}
