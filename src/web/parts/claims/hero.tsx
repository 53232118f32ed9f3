import { useBuilding } from "../../api/building.ts";
import { phaseOf } from "../../api/own-claims.ts";
import { plain, t } from "../../messages/translate.ts";
import { formatShortLength, formatSpan } from "../../time/format.ts";
import { formatNear } from "../../time/near.ts";
import { ContactDetails } from "../contact.tsx";
import { Refusal, useAction } from "../form.tsx";
import { MoreMenu } from "../menu.tsx";
import { ParkingLine } from "../parking-fields.tsx";
import { cancelClaim, finishClaim } from "./acts.ts";
import { Badge } from "./badge.tsx";
import { CancelLine, canCancel } from "./cancel-line.tsx";
import { ClosedLine } from "./closed-line.tsx";
import { ChangeButton, MoreEntries } from "./entries.tsx";
import { keepPlace, type ShownClaim } from "./in-place.ts";
import { useLimits } from "./until.ts";

interface ClaimHeroProperties {
  readonly claim: ShownClaim;
  readonly now: number;
}

/** The current claim or the next one, with its place, end, owner and actions. */
export function ClaimHero({ claim, now }: ClaimHeroProperties) {
  const action = useAction();
  const limits = useLimits(claim.spot.buildingSection);
  const { rest_stays_on_offer: givesBack } = useBuilding();
  const phase = phaseOf(claim, now);
  const [start, end] = [Date.parse(claim.startTime), Date.parse(claim.endTime)];
  const isOver = phase === "earlier";
  return (
    <section class="card hero" aria-label={plain(claim.spot.spotNumber)}>
      <div class="hero-head">
        <span class="hero-spot">{plain(claim.spot.spotNumber)}</span>
        <Badge claim={claim} phase={phase} />
        <span class="quiet hero-place">{plain(claim.spot.buildingSection)}</span>
        {!isOver && (
          <MoreMenu
            label={t("claims.more", {
              spot: claim.spot.spotNumber,
              span: formatSpan(claim.startTime, claim.endTime),
            })}
          >
            <MoreEntries claim={claim} phase={phase} action={action} />
          </MoreMenu>
        )}
      </div>
      <p class="hero-time">
        <span class="near">{formatNear(start, end, now)}</span>
        {phase === "now" && (
          <strong>{t("claims.left", { length: formatShortLength(end - now) })}</strong>
        )}
        {phase === "coming" && (
          <strong>{t("claims.begins", { length: formatShortLength(start - now) })}</strong>
        )}
      </p>
      {claim.spot.notes !== null && <p class="notes">{plain(claim.spot.notes)}</p>}
      <ParkingLine {...claim} />
      {!isOver && <ContactDetails claimId={claim.id} />}
      {isOver && <ClosedLine claim={claim} />}
      {phase === "now" && givesBack && <p class="quiet no-print">{t("claims.finishGivesBack")}</p>}
      {!isOver && <CancelLine claim={claim} limits={limits} now={now} />}
      <Refusal action={action} />
      {!isOver && (
        <div class="actions no-print">
          {phase === "now" && (
            <button
              type="button"
              class="main-action"
              aria-disabled={action.busy}
              onClick={({ currentTarget }) => {
                keepPlace(currentTarget);
                action.run(() => finishClaim(claim));
              }}
            >
              {t("claims.finish")}
            </button>
          )}
          <ChangeButton claim={claim} phase={phase} />
          {canCancel(claim, limits, now) && (
            <button
              type="button"
              class="danger"
              aria-disabled={action.busy}
              onClick={({ currentTarget }) => {
                keepPlace(currentTarget);
                action.run(() => cancelClaim(claim, limits));
              }}
            >
              {t("claims.cancel")}
            </button>
          )}
        </div>
      )}
    </section>
  );
}
