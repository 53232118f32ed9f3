import type { OwnClaim } from "../../api/own-claims.ts";
import { plain, t } from "../../messages/translate.ts";
import { share, takeBack, toCalendar } from "../../parts/claims/acts.ts";
import { CancelLine, canCancel, useLimits } from "../../parts/claims/lines.tsx";
import { ContactDetails } from "../../parts/contact.tsx";
import { ActionButton, Refusal, useAction } from "../../parts/form.tsx";
import { ParkingLine } from "../../parts/parking.tsx";
import { updateQuery } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatNear } from "../../time/format.ts";

interface AnswerProperties {
  readonly claim: OwnClaim;
  readonly undone: () => void;
}

/** What a person needs after claiming: the place, the end, and the next steps. */
export function Answer({ claim, undone }: AnswerProperties) {
  const now = useNow();
  const action = useAction();
  const limits = useLimits(claim.spot.buildingSection);
  const undo = async () => {
    await takeBack(claim);
    undone();
  };
  const button = (name: Parameters<typeof t>[0], act: () => Promise<void>) => (
    <ActionButton class="small-action" action={action} act={act}>
      {t(name)}
    </ActionButton>
  );
  return (
    <div class="answer arriving">
      <p class="near">
        {formatNear(Date.parse(claim.startTime), Date.parse(claim.endTime), now)}
        <span class="quiet">{plain(` · ${claim.spot.buildingSection}`)}</span>
      </p>
      {claim.spot.notes !== null && <p class="notes">{plain(claim.spot.notes)}</p>}
      <ParkingLine {...claim} />
      <ContactDetails claimId={claim.id} />
      <CancelLine claim={claim} limits={limits} now={now} />
      <Refusal action={action} />
      <div class="actions">
        {button("claims.calendar", () => toCalendar(claim))}
        {button("share.share", () => share(claim))}
        <button
          type="button"
          class="small-action"
          onClick={() => updateQuery({ claimed: undefined, changing: claim.id }, { replace: true })}
        >
          {t("app.change")}
        </button>
        {canCancel(claim, limits, now) && button("app.undo", undo)}
      </div>
    </div>
  );
}
