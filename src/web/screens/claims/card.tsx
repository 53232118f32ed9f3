import { useEffect, useRef } from "preact/hooks";
import { useBuilding } from "../../api/building.ts";
import { get, post, put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { plain, t } from "../../messages/translate.ts";
import { Contact } from "../../parts/contact.tsx";
import { download } from "../../parts/download.ts";
import { Refusal, useAction } from "../../parts/form.tsx";
import { given, ParkingLine } from "../../parts/parking-fields.tsx";
import { explain } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery } from "../../routing.ts";
import { formatSpan } from "../../time/format.ts";
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
  const close = (status: "cancelled" | "completed") =>
    action.run(async () => {
      await put(`/claims/${claim.id}`, { status });
      changed("claims", "availabilities");
      const done = t(status === "cancelled" ? "claims.cancelled" : "claims.finished");
      const canUndo = status === "cancelled" && Date.parse(claim.startTime) > Date.now();
      toast(done, canUndo ? { name: t("app.undo"), run: () => claimAgain(claim) } : undefined);
    });
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
            onClick={() => action.run(() => toCalendar(claim))}
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

async function toCalendar({ id, spot }: OwnClaim): Promise<void> {
  const file = await get<string>("/calendar.ics", { claim_id: id });
  download(`${spot.spotNumber}.ics`, "text/calendar", file);
}
