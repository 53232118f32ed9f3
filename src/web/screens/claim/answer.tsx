import { remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { plain, t } from "../../messages/translate.ts";
import { toCalendar } from "../../parts/calendar-file.ts";
import { Contact } from "../../parts/contact.tsx";
import { Refusal, useAction } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { useNow } from "../../time/clock.ts";
import { formatSpan } from "../../time/format.ts";
import { formatNear } from "../../time/near.ts";

/** What an answer says of a claim. */
export interface Answered {
  readonly id: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly spot: { readonly spotNumber: string; readonly buildingSection: string };
}

interface AnswerProperties {
  readonly claim: Answered;
  /** Opens the form in which it can be changed. */
  readonly change: () => void;
  /** Called once it was taken back. */
  readonly undone: () => void;
}

/** What somebody needs who has just claimed: where, until when, and how to go on. */
export function Answer({ claim, change, undone }: AnswerProperties) {
  const now = useNow();
  const action = useAction();
  const { id, spot, startTime, endTime } = claim;
  const undo = async () => {
    try {
      await remove(`/claims/${id}`);
      undone();
      toast(t("claim.undone", { spot: spot.spotNumber }));
    } finally {
      changed("availabilities", "claims");
    }
  };
  return (
    <div class="stack">
      <div>
        <p class="near">{formatNear(Date.parse(startTime), Date.parse(endTime), now)}</p>
        <p class="quiet">{plain(spot.buildingSection)}</p>
        <Contact claimId={id} name="contact.owner" />
      </div>
      <Refusal action={action} />
      <div class="actions">
        <button
          type="button"
          class="small-action"
          onClick={() => action.run(() => toCalendar(id, spot.spotNumber))}
        >
          {t("claims.calendar")}
        </button>
        <button type="button" class="small-action" onClick={() => action.run(() => pass(claim))}>
          {t("claim.pass")}
        </button>
        <button type="button" class="small-action" onClick={change}>
          {t("claims.change")}
        </button>
        <button
          type="button"
          class="small-action"
          aria-disabled={action.busy}
          onClick={() => action.run(undo)}
        >
          {t("app.undo")}
        </button>
      </div>
    </div>
  );
}

/** Tells somebody, such as a guest, where and when to park: by an app of the phone, or by copying it. */
async function pass({ spot, startTime, endTime }: Answered): Promise<void> {
  const text = [spot.spotNumber, spot.buildingSection, formatSpan(startTime, endTime)].join(" · ");
  const canShare: boolean = "share" in navigator;
  if (canShare) {
    await navigator.share({ text }).catch((reason: unknown) => {
      // The person chose nobody.
      if (!(reason instanceof DOMException && reason.name === "AbortError")) throw reason;
    });
  } else {
    await navigator.clipboard.writeText(text);
    toast(t("claim.copied"));
  }
}
