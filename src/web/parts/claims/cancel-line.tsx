import type { ClaimLimits } from "../../api/building.ts";
import type { OwnClaim } from "../../api/own-claims.ts";
import { t } from "../../messages/translate.ts";
import { formatShortLength, formatted, isOneDay } from "../../time/format.ts";
import { MINUTE } from "../../time/zone.ts";
import { cancellableUntil } from "./until.ts";

interface CancelLineProperties {
  readonly claim: OwnClaim;
  readonly limits: ClaimLimits;
  readonly now: number;
}

const untilOf = ({ startTime, createdAt }: OwnClaim, limits: ClaimLimits): number =>
  cancellableUntil(Date.parse(startTime), Date.parse(createdAt), limits);

export const canCancel = (claim: OwnClaim, limits: ClaimLimits, now: number): boolean =>
  claim.status === "active" && now < untilOf(claim, limits);

/** Until when the claim can be cancelled, if that is before its start, or why it no longer can. */
export function CancelLine({ claim, limits, now }: CancelLineProperties) {
  const until = untilOf(claim, limits);
  const start = Date.parse(claim.startTime);
  if (now < until) {
    if (until === start) return null;
    return <p class="quiet small">{t("claims.until", { until: shortly(until, now) })}</p>;
  }
  const { cancellation_cutoff_minutes: cutoff } = limits;
  if (start <= now || cutoff == null) return null;
  const length = formatShortLength(cutoff * MINUTE);
  return <p class="quiet small">{t("claims.tooLate", { length })}</p>;
}

/** With the day only if it is another day. */
const shortly = (moment: number, now: number) =>
  formatted(isOneDay(moment, now) ? "time" : "moment", moment);
