import { type ClaimLimits, useBuilding } from "../../api/building.ts";
import { allSections, limitsIn } from "../../api/lists.ts";
import type { OwnClaim, Phase } from "../../api/own-claims.ts";
import { useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { useNow } from "../../time/clock.ts";
import { formatShortLength, formatted, isOneDay } from "../../time/format.ts";
import { MINUTE } from "../../time/zone.ts";
import { Button } from "../controls.tsx";
import { claimAgain, named } from "./acts.ts";
import type { ShownClaim } from "./in-place.ts";

const badges = {
  now: "badge accent",
  coming: "badge good",
  earlier: "badge",
} as const satisfies Record<Phase, string>;

interface BadgeProperties {
  readonly claim: OwnClaim;
  readonly phase: Phase;
}

export const Badge = ({ claim: { status }, phase }: BadgeProperties) => (
  <span class={badges[phase]}>
    {status === "active" ? t(`claims.phase.${phase}`) : t(`claims.status.${status}`)}
  </span>
);

export function useLimits(section: string): ClaimLimits {
  useBuilding();
  return limitsIn(section, useReading(allSections).value ?? []);
}

/**
 * The time until which a claim can be cancelled (as in private.enforce_cutoff). A claim that
 * has begun is finished instead.
 */
const untilOf = ({ start_time, created_at }: OwnClaim, limits: ClaimLimits): number =>
  Math.max(
    Date.parse(start_time) - (limits.cancellation_cutoff_minutes ?? 0) * MINUTE,
    Date.parse(created_at) + (limits.grace_minutes ?? 0) * MINUTE,
  );

export const canCancel = (claim: OwnClaim, limits: ClaimLimits, now: number): boolean =>
  claim.status === "active" && now < untilOf(claim, limits);

/** Until when the claim can be cancelled, if that is before its start, or why it no longer can. */
export function CancelLine({ claim }: { readonly claim: OwnClaim }) {
  const now = useNow();
  const limits = useLimits(claim.spot.building_section);
  const until = untilOf(claim, limits);
  const start = Date.parse(claim.start_time);
  if (now < until) {
    if (until === start) return null;
    const shortly = formatted(isOneDay(until, now) ? "time" : "moment", until);
    return <p class="quiet small">{t("claims.until", { until: shortly })}</p>;
  }
  const { cancellation_cutoff_minutes: cutoff } = limits;
  if (start <= now || cutoff == null) return null;
  const length = formatShortLength(cutoff * MINUTE);
  return <p class="quiet small">{t("claims.tooLate", { length })}</p>;
}

/** Replaces the actions of a claim that was just closed. A cancelled one can be undone. */
export function ClosedLine({ claim }: { readonly claim: ShownClaim }) {
  if (claim.canUndo === undefined) return null;
  if (!claim.canUndo) return <p class="quiet">{claim.outcome}</p>;
  return (
    <Button
      class="small-action arriving no-print"
      aria-label={t("claims.undoOf", named(claim))}
      onClick={() => claimAgain(claim)}
      text="app.undo"
    />
  );
}
