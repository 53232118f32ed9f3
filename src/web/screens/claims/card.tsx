import { useEffect, useRef } from "preact/hooks";
import { useBuilding } from "../../api/building.ts";
import { plain, t } from "../../messages/translate.ts";
import { toCalendar } from "../../parts/calendar-file.ts";
import { Contact } from "../../parts/contact.tsx";
import { Refusal, useAction } from "../../parts/form.tsx";
import { ParkingLine } from "../../parts/parking-fields.tsx";
import { updateQuery } from "../../routing.ts";
import { formatSpan } from "../../time/format.ts";
import { closeClaim } from "./close.ts";
import { type OwnClaim, type Phase, phaseOf } from "./own-claims.ts";

interface CardProperties {
  readonly claim: OwnClaim;
  readonly now: number;
  /** A link led to it. */
  readonly isChosen: boolean;
}

/** A claim, and what can be done with it. */
export function Card({ claim, now, isChosen }: CardProperties) {
  const ref = useRef<HTMLLIElement>(null);
  const action = useAction();
  const phase = phaseOf(claim, now);
  const { rest_stays_on_offer: givesBack } = useBuilding();
  useEffect(() => {
    if (isChosen) ref.current?.scrollIntoView({ block: "center" });
  }, [isChosen]);
  const close = (status: "cancelled" | "completed") => action.run(() => closeClaim(claim, status));
  return (
    <li ref={ref} class={isChosen ? "card stack chosen" : "card stack"}>
      <div>
        <div class="card-head">
          <span class="big">{plain(claim.spot.spotNumber)}</span>
          {badge(claim, phase)}
        </div>
        <p class="quiet">{plain(claim.spot.buildingSection)}</p>
        <p>{formatSpan(claim.startTime, claim.endTime)}</p>
        <ParkingLine {...claim} />
      </div>
      {phase !== "earlier" && <Contact claimId={claim.id} name="contact.owner" />}
      {phase === "now" && givesBack && <p class="quiet no-print">{t("claims.finishGivesBack")}</p>}
      <Refusal action={action} />
      {phase !== "earlier" && (
        <div class="actions no-print">
          {phase === "now" && (
            <button
              type="button"
              class="main-action"
              aria-disabled={action.busy}
              onClick={() => close("completed")}
            >
              {t("claims.finish")}
            </button>
          )}
          <button type="button" onClick={() => updateQuery({ change: claim.id })}>
            {t("claims.change")}
          </button>
          <button
            type="button"
            aria-disabled={action.busy}
            onClick={() => action.run(() => toCalendar(claim.id, claim.spot.spotNumber))}
          >
            {t("claims.calendar")}
          </button>
          {phase === "coming" && (
            <button
              type="button"
              class="danger"
              aria-disabled={action.busy}
              onClick={() => close("cancelled")}
            >
              {t("claims.cancel")}
            </button>
          )}
        </div>
      )}
    </li>
  );
}

const badges = {
  now: "badge accent",
  coming: "badge good",
  earlier: "badge",
} as const satisfies Record<Phase, string>;

function badge({ status }: OwnClaim, phase: Phase) {
  const name = status === "active" ? t(`claims.phase.${phase}`) : t(`claims.status.${status}`);
  return <span class={badges[phase]}>{name}</span>;
}
