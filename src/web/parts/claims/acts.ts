import type { ClaimLimits } from "../../api/building.ts";
import { get, post, put, remove } from "../../api/client.ts";
import type { OwnClaim } from "../../api/own-claims.ts";
import { ApiProblem } from "../../api/problem.ts";
import type { Claim } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { formatNearMoment, formatSpan } from "../../time/format.ts";
import { now } from "../../time/now.ts";
import { MINUTE } from "../../time/zone.ts";
import { download } from "../download.ts";
import { withoutEmpty } from "../empty.ts";
import { explain } from "../states.tsx";
import { toast, undoOnce } from "../toasts.tsx";
import { keepInPlace, wasUndone } from "./in-place.ts";

export const named = ({ spot, start_time, end_time }: OwnClaim) => ({
  spot: spot.spot_number,
  span: formatSpan(start_time, end_time),
});

const close = (id: string, status: "cancelled" | "completed") =>
  put<{ readonly claim: Claim }>(`/claims/${id}`, { status });

export async function cancelClaim(claim: OwnClaim, limits: ClaimLimits): Promise<void> {
  // The shown claim may be older than that of the answer.
  const cancelled = {
    ...claim,
    guest: null,
    vehicle: null,
    ...(await close(claim.id, "cancelled")).claim,
  };
  // It can be claimed again if its start is far enough in the future for the notice.
  const notice = (limits.claim_notice_minutes ?? 0) * MINUTE;
  const canUndo = Date.parse(cancelled.start_time) > now() + notice;
  const outcome = t("claims.cancelledOf", named(cancelled));
  keepInPlace(cancelled, outcome, canUndo, claim.start_time);
  toast(outcome, canUndo ? () => claimAgain(cancelled) : undefined);
}

/** If the rest of a window stays on offer, the claim now ends earlier. */
export async function finishClaim(claim: OwnClaim): Promise<void> {
  const { claim: finished } = await close(claim.id, "completed");
  const until = formatNearMoment(Date.parse(claim.end_time), now());
  const isGivenBack = Date.parse(finished.end_time) < Date.parse(claim.end_time);
  const name = isGivenBack ? "claims.givenBack" : "claims.finishedOf";
  const outcome = t(name, { ...named(claim), until });
  keepInPlace({ ...claim, ...finished }, outcome, false, claim.start_time);
  toast(outcome);
}

/** Undoing means claiming again, because the time is free: a neighbour may have been faster. */
export const claimAgain = (claim: OwnClaim): Promise<void> =>
  undoOnce(claim.id, async () => {
    const { availability_id, start_time, end_time, guest, vehicle } = claim;
    let isBack = false;
    try {
      await post("/claims", {
        availability_id,
        start_time,
        end_time,
        ...withoutEmpty({ guest, vehicle }),
      });
      isBack = true;
      wasUndone(claim);
      toast(t("claims.again", named(claim)));
    } catch (error) {
      const isTaken = error instanceof ApiProblem && error.code === "claims_one_per_availability";
      toast(isTaken ? t("claims.faster", named(claim)) : explain(error));
    }
    return isBack;
  });

export async function takeBack(claim: OwnClaim): Promise<void> {
  await remove(`/claims/${claim.id}`);
  toast(t("claims.cancelledOf", named(claim)));
}

export async function toCalendar({ id, spot }: OwnClaim): Promise<void> {
  const file = await get<string>("/calendar.ics", { claim_id: id });
  download(`${spot.spot_number}.ics`, "text/calendar", file);
}

export async function share(claim: OwnClaim): Promise<void> {
  const text = t("claims.shareText", { ...named(claim), section: claim.spot.building_section });
  if (navigator.share === undefined) {
    await navigator.clipboard.writeText(text);
    toast(t("claims.copied"));
    return;
  }
  await navigator.share({ text }).catch((reason: unknown) => {
    // The person may have changed their mind.
    if (!(reason instanceof DOMException && reason.name === "AbortError")) throw reason;
  });
}
