import { plain, t } from "../../messages/translate.ts";
import { StrangerButton } from "../../parts/claims/stranger.tsx";
import { Button } from "../../parts/controls.tsx";
import { ActionButton } from "../../parts/form.tsx";
import { MoreMenu } from "../../parts/menu.tsx";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { spanOf as typed } from "../../parts/typed-span.ts";
import { partAt, stateOf } from "../../parts/window-parts.ts";
import { updateQuery } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatNear, formatNearMoment, nameOfDay } from "../../time/format.ts";
import { now as present } from "../../time/now.ts";
import { dateOf, type Span, timeZone } from "../../time/zone.ts";
import { soonest } from "../claim/times.ts";
import { SharingDialogs } from "../spots/dialogs.tsx";
import { type OwnSpot, shareWindow, useOwnSpots, withdrawWindow } from "../spots/own-spots.ts";
import { daysOf, onceAtFirst, withConflict } from "../spots/plan.ts";
import { Lane } from "../spots/week.tsx";
import { spanOf } from "./spans.ts";

export function OwnToday() {
  const now = useNow();
  const owned = useOwnSpots(now);
  return (
    <section class="own stack" aria-labelledby="own">
      {whenRead(owned, (spots) => (
        <>
          <div class="beside own-head">
            <h2 id="own">{t("screen.spots")}</h2>
            <Button
              class="plain small-action own-away"
              onClick={() => updateQuery({ away: spots[0]?.spot.id })}
              text="exceptions.shareTitle"
            />
          </div>
          <ul class="stack">
            {spots.map((own) => (
              <Card key={own.spot.id} own={own} isOnly={spots.length === 1} now={now} />
            ))}
          </ul>
          <SharingDialogs spots={spots} proposed={(own) => fromNow(own, now)} />
        </>
      ))}
    </section>
  );
}

interface CardProperties {
  readonly own: OwnSpot;
  /** Several spots have less space each. */
  readonly isOnly: boolean;
  readonly now: number;
}

function Card({ own, isOnly, now }: CardProperties) {
  const { spot, windows, patterns } = own;
  const described = { "aria-describedby": `own-${spot.id}` };
  const look = isOnly ? "small-action" : "entry";
  const more = (
    <>
      <Button {...described} class={look} onClick={() => updateQuery({ share: spot.id })}>
        {t(isOpen(own, now) ? "now.shareOther" : "now.shareNow")}
      </Button>
      {(windows.length > 0 || patterns.length > 0) && (
        <Button
          {...described}
          class={look}
          onClick={() => updateQuery({ keep: spot.id })}
          text="exceptions.keepTitle"
        />
      )}
    </>
  );
  return (
    <li class="card stack own-card">
      <div class="beside own-head">
        <h3 id={`own-${spot.id}`} class="big">
          {plain(spot.spot_number)}
        </h3>
        {badgeOf(own, now)}
        {!isOnly && <MoreMenu label={t("spots.more", { spot: spot.spot_number })}>{more}</MoreMenu>}
      </div>
      <div class="own-days">
        {daysOf(dateOf(now, timeZone()), timeZone())
          .slice(0, 2)
          .map((day, days) => (
            <Lane key={day.date} own={own} name={nameOfDay(days)} day={day} />
          ))}
      </div>
      <div class="actions no-print">
        <ShareTomorrow own={own} now={now} />
        {isOnly && more}
        <StrangerButton {...described} spotId={spot.id} class="small-action" />
      </div>
    </li>
  );
}

interface ShareTomorrowProperties {
  readonly own: OwnSpot;
  readonly now: number;
}

/** Shares a spot for tomorrow's working hours, which the form proposes too. */
function ShareTomorrow({ own: { spot, windows }, now }: ShareTomorrowProperties) {
  const shown = typed(onceAtFirst(now));
  if (shown === undefined) return null;
  if (withConflict(shown, windows, now).conflict) {
    return <span class="quiet small">{t("now.sharedTomorrow")}</span>;
  }
  const share = async () => {
    // The page may have been in the background since yesterday.
    const span = typed(onceAtFirst(present())) ?? shown;
    const { availability } = await shareWindow(spot.id, span);
    const when = formatNear(span.start, span.end, present());
    const shared = t("now.shared", { spot: spot.spot_number, span: when });
    toast(shared, () => withdrawWindow(availability));
  };
  return (
    <ActionButton
      class="small-action tonal"
      aria-describedby={`own-${spot.id}`}
      act={share}
      text="now.shareTomorrow"
    />
  );
}

/** Whether there is a window now, which another window would overlap. */
const isOpen = ({ parts }: OwnSpot, now: number): boolean => partAt(parts, now) !== undefined;

/** From now until late; undefined if there is already a window. */
function fromNow(own: OwnSpot, now: number): Span | undefined {
  const [evening, night] = (["tonight", "overnight"] as const).map((when) =>
    spanOf(when, now, {}, timeZone()),
  );
  const end = (evening ?? night)?.end;
  return isOpen(own, now) || end === undefined ? undefined : { start: soonest(now, {}), end };
}

function badgeOf({ parts }: OwnSpot, now: number) {
  const part = partAt(parts, now);
  const state = stateOf(part);
  if (!part || state === "kept") return <span class="badge">{t("now.notShared")}</span>;
  const until = formatNearMoment(part.end, now);
  return (
    <span class={state === "lent" ? "badge accent" : "badge good"}>
      {t(`now.${state}Until`, { until })}
    </span>
  );
}
