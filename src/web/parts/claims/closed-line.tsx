import { t } from "../../messages/translate.ts";
import { formatSpan } from "../../time/format.ts";
import { claimAgain } from "./acts.ts";
import type { ShownClaim } from "./in-place.ts";

/** Replaces the actions of a claim that was just cancelled, and offers to undo it. */
export const ClosedLine = ({ claim }: { readonly claim: ShownClaim }) =>
  claim.canUndo === true && (
    <button
      type="button"
      class="small-action arriving no-print"
      aria-label={t("claims.undoOf", {
        spot: claim.spot.spotNumber,
        span: formatSpan(claim.startTime, claim.endTime),
      })}
      onClick={() => claimAgain(claim)}
    >
      {t("app.undo")}
    </button>
  );
