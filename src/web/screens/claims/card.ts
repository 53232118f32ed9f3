import { useEffect, useRef } from "preact/hooks";
import { post, put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { elements, part, plain } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { Contact } from "../../parts/contact.ts";
import { download } from "../../parts/download.ts";
import { refusal, useAction } from "../../parts/form.ts";
import { explain } from "../../parts/states.ts";
import { toast } from "../../parts/toasts.ts";
import { look } from "../../routing.ts";
import { formatSpan } from "../../time/format.ts";
import { calendarFile } from "./calendar.ts";
import { type OwnClaim, type Phase, phaseOf } from "./own-claims.ts";

const { button, div, li, p, span } = elements;

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
  return li(
    { ref, class: isChosen ? "card stack chosen" : "card stack" },
    div(
      {},
      div(
        { class: "card-head" },
        span({ class: "big" }, plain(claim.spot.spotNumber)),
        badge(claim, phase),
      ),
      p({ class: "quiet" }, plain(claim.spot.buildingSection)),
      p({}, formatSpan(claim.startTime, claim.endTime)),
    ),
    phase !== "earlier" && part(Contact, { claimId: claim.id, name: "contact.owner" }),
    refusal(action),
    phase !== "earlier" &&
      div(
        { class: "actions no-print" },
        phase === "now" &&
          button(
            {
              type: "button",
              class: "main-action",
              disabled: action.busy,
              onClick: () => close("completed"),
            },
            t("claims.finish"),
          ),
        button({ type: "button", onClick: () => look({ change: claim.id }) }, t("claims.change")),
        button({ type: "button", onClick: () => toCalendar(claim) }, t("claims.calendar")),
        phase === "coming" &&
          button(
            {
              type: "button",
              class: "danger",
              disabled: action.busy,
              onClick: () => close("cancelled"),
            },
            t("claims.cancel"),
          ),
      ),
  );
}

const badges = {
  now: "badge accent",
  coming: "badge good",
  earlier: "badge",
} as const satisfies Record<Phase, string>;

function badge({ status }: OwnClaim, phase: Phase) {
  const name = status === "active" ? t(`claims.phase.${phase}`) : t(`claims.status.${status}`);
  return span({ class: badges[phase] }, name);
}

/** The window is free again, so undoing is claiming; a neighbour may have been faster. */
async function claimAgain(claim: OwnClaim): Promise<void> {
  try {
    await post("/claims", {
      availability_id: claim.availability.id,
      start_time: claim.startTime,
      end_time: claim.endTime,
    });
  } catch (error) {
    toast(explain(error));
  }
  changed("claims", "availabilities");
}

function toCalendar({ id, startTime, endTime, spot }: OwnClaim): void {
  const title = t("claims.calendarTitle", { spot: spot.spotNumber });
  const place = `${spot.buildingSection}, ${spot.spotNumber}`;
  const entry = { id, start: startTime, end: endTime, title, place };
  download(`${spot.spotNumber}.ics`, "text/calendar", calendarFile(entry));
}
