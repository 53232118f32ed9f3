import { useState } from "preact/hooks";
import { addresses } from "../../../addresses.ts";
import { phaseOf } from "../../api/own-claims.ts";
import { plain, t } from "../../messages/translate.ts";
import { cancelClaim, finishClaim } from "../../parts/claims/acts.ts";
import { Badge } from "../../parts/claims/badge.tsx";
import { CancelLine, canCancel } from "../../parts/claims/cancel-line.tsx";
import { ClosedLine } from "../../parts/claims/closed-line.tsx";
import { ChangeEntry, Entry, MoreEntries } from "../../parts/claims/entries.tsx";
import type { ShownClaim } from "../../parts/claims/in-place.ts";
import { useLimits } from "../../parts/claims/until.ts";
import { ContactDetails } from "../../parts/contact.tsx";
import { Refusal, useAction } from "../../parts/form.tsx";
import { Link } from "../../parts/link.tsx";
import { MoreMenu } from "../../parts/menu.tsx";
import { ParkingLine } from "../../parts/parking-fields.tsx";
import { hrefOf } from "../../routing.ts";
import { formatSpan } from "../../time/format.ts";

interface RowProperties {
  readonly claim: ShownClaim;
  readonly now: number;
}

/** A claim that is not the next one, or is over. Its actions are in its menu. */
export function Row({ claim, now }: RowProperties) {
  const action = useAction();
  const [showsContact, showContact] = useState(false);
  const limits = useLimits(claim.spot.buildingSection);
  const phase = phaseOf(claim, now);
  const isOver = phase === "earlier";
  const { id, spot, startTime, endTime } = claim;
  return (
    <li class="claim-row">
      <Link href={hrefOf(addresses.claims, { claim: id })} class="claim-spot">
        {plain(spot.spotNumber)}
      </Link>
      <div class="claim-what">
        <p>{formatSpan(startTime, endTime)}</p>
        <p class="quiet small">{plain(spot.buildingSection)}</p>
        <ParkingLine {...claim} />
        {!isOver && <CancelLine claim={claim} limits={limits} now={now} />}
        {showsContact && !isOver && <ContactDetails claimId={id} />}
        <Refusal action={action} />
      </div>
      <Badge claim={claim} phase={phase} />
      {isOver ? (
        <ClosedLine claim={claim} />
      ) : (
        <MoreMenu
          label={t("claims.more", { spot: spot.spotNumber, span: formatSpan(startTime, endTime) })}
        >
          {phase === "now" && (
            <Entry action={action} name={t("claims.finish")} act={() => finishClaim(claim)} isEnd />
          )}
          <ChangeEntry claim={claim} phase={phase} />
          <button type="button" class="entry" onClick={() => showContact(true)}>
            {t("contact.owner")}
          </button>
          <MoreEntries claim={claim} phase={phase} action={action} />
          {canCancel(claim, limits, now) && (
            <Entry
              action={action}
              name={t("claims.cancel")}
              isEnd
              act={() => cancelClaim(claim, limits)}
            />
          )}
        </MoreMenu>
      )}
    </li>
  );
}
