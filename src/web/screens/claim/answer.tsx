import type { OwnClaim } from "../../api/own-claims.ts";
import { plain } from "../../messages/translate.ts";
import { share, takeBack, toCalendar } from "../../parts/claims/acts.ts";
import { CancelLine, canCancel, useLimits } from "../../parts/claims/lines.tsx";
import { ContactDetails } from "../../parts/contact.tsx";
import { Button } from "../../parts/controls.tsx";
import { ActionButton, Actions } from "../../parts/form.tsx";
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
  const limits = useLimits(claim.spot.building_section);
  const undo = async () => {
    await takeBack(claim);
    undone();
  };
  return (
    <div class="stack answer arriving">
      <p class="near">
        {formatNear(Date.parse(claim.start_time), Date.parse(claim.end_time), now)}
        <span class="quiet">{plain(` · ${claim.spot.building_section}`)}</span>
      </p>
      {claim.spot.notes != null && <p class="notes">{plain(claim.spot.notes)}</p>}
      <ParkingLine {...claim} />
      <ContactDetails claimId={claim.id} />
      <CancelLine claim={claim} />
      <Actions>
        <ActionButton class="small-action" act={() => toCalendar(claim)} text="claims.calendar" />
        <ActionButton class="small-action" act={() => share(claim)} text="share.share" />
        <Button
          class="small-action"
          onClick={() => updateQuery({ claimed: undefined, changing: claim.id }, { replace: true })}
          text="app.change"
        />
        {canCancel(claim, limits, now) && (
          <ActionButton class="small-action" act={undo} text="app.undo" />
        )}
      </Actions>
    </div>
  );
}
