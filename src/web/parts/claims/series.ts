import { put } from "../../api/client.ts";
import type { OwnClaim } from "../../api/own-claims.ts";
import { t } from "../../messages/translate.ts";
import { dateOf, timeZone } from "../../time/zone.ts";
import { toast } from "../toasts.tsx";
import { named } from "./acts.ts";

/** Cancels what has not begun of a series, from a day on. Returns how many claims that were. */
export async function cancelSeries(id: string, first_day?: string): Promise<number> {
  const body = { status: "cancelled", ...(first_day !== undefined && { first_day }) };
  type Cancelled = { readonly cancelled_claim_ids: readonly string[] };
  const { cancelled_claim_ids: ids } = await put<Cancelled>(`/claims/series/${id}`, body);
  return ids.length;
}

/** It cannot be undone with one tap, so the person is asked first. */
export async function cancelFrom(claim: OwnClaim): Promise<void> {
  if (!claim.series_id || !confirm(t("series.sure", named(claim)))) return;
  const count = await cancelSeries(
    claim.series_id,
    dateOf(Date.parse(claim.start_time), timeZone()),
  );
  toast(t("series.cancelled", { count }));
}
