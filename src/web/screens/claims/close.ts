import { post, put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { t } from "../../messages/translate.ts";
import { given } from "../../parts/parking-fields.tsx";
import { explain } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import type { OwnClaim } from "./own-claims.ts";

/** Cancels or finishes a claim, and says so. */
export async function closeClaim(
  claim: OwnClaim,
  status: "cancelled" | "completed",
): Promise<void> {
  await put(`/claims/${claim.id}`, { status });
  changed("claims", "availabilities");
  const done = t(status === "cancelled" ? "claims.cancelled" : "claims.finished");
  const canUndo = status === "cancelled" && Date.parse(claim.startTime) > Date.now();
  toast(done, canUndo ? { name: t("app.undo"), run: () => claimAgain(claim) } : undefined);
}

/** The window is free again, so undoing is claiming; a neighbour may have been faster. */
async function claimAgain(claim: OwnClaim): Promise<void> {
  try {
    await post("/claims", {
      availability_id: claim.availability.id,
      start_time: claim.startTime,
      end_time: claim.endTime,
      ...given({ guest: claim.guest ?? "", vehicle: claim.vehicle ?? "" }),
    });
  } catch (error) {
    toast(explain(error));
  }
  changed("claims", "availabilities");
}
