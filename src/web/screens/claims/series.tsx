import { useState } from "preact/hooks";
import { addresses } from "../../../addresses.ts";
import { post, postWithoutKey } from "../../api/client.ts";
import { currentClaims, type OwnClaim, overlaps } from "../../api/own-claims.ts";
import { usePersonId } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import type { ClaimedSeries, SeriesDay } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { cancelSeries } from "../../parts/claims/series.ts";
import { Link } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { withoutEmpty } from "../../parts/empty.ts";
import { Check } from "../../parts/fields.tsx";
import { ActionButton, ActionForm, Actions, useClose } from "../../parts/form.tsx";
import { spanOfRow } from "../../parts/free.ts";
import { ParkingFields, parkingTyped, usualVehicle } from "../../parts/parking-fields.tsx";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { closing, useRoute } from "../../routing.ts";
import { useNow, usePaused } from "../../time/clock.ts";
import { formatSpan } from "../../time/format.ts";
import { addDays, dateOf, momentIn, timeOf, timeZone } from "../../time/zone.ts";
import { WEEKDAYS, type WeeklyPlan, weekdayOf } from "../spots/plan.ts";
import { isComplete, WeeklyFields } from "../spots/weekly.tsx";

/** Claims the same hours of several days. Times that the person looked for may be in the address. */
export function SeriesDialog() {
  const { from, until } = useRoute().query;
  const [made, setMade] = useState<ClaimedSeries>();
  return (
    <Dialog title={t("series.title")} close={closing("series", "from", "until")}>
      {made ? (
        <Made series={made} />
      ) : (
        <Form from={momentIn(from)} until={momentIn(until)} done={setMade} />
      )}
    </Dialog>
  );
}

interface FormProperties {
  readonly from: number | undefined;
  readonly until: number | undefined;
  readonly done: (series: ClaimedSeries) => void;
}

const WEEKS = 4;

function planAtFirst(now: number, from?: number, until?: number): WeeklyPlan {
  const first_day = dateOf(from ?? now, timeZone());
  const weekday = weekdayOf(first_day);
  return {
    weekdays: from === undefined ? [] : WEEKDAYS.slice(weekday, weekday + 1),
    starts_at: from === undefined ? "08:00" : timeOf(from, timeZone()),
    ends_at: until === undefined ? "18:00" : timeOf(until, timeZone()),
    first_day,
    last_day: addDays(first_day, 7 * WEEKS),
  };
}

function Form({ from, until, done }: FormProperties) {
  const now = useNow();
  const [plan, change] = useState(() => planAtFirst(now, from, until));
  const asked = usePaused(plan);
  const isAsked = isComplete(asked) && asked.last_day !== null;
  const reading = useReading({
    key: `series ${JSON.stringify(asked)}`,
    topics: ["availabilities", "claims"],
    read: async (): Promise<readonly SeriesDay[]> =>
      isAsked ? (await postWithoutKey<ClaimedSeries>("/claims/series/preview", asked)).days : [],
  });
  const { value: claims } = useReading(currentClaims(usePersonId()));
  const [all_or_none, allOrNone] = useState(false);
  const days = isAsked ? reading.value : undefined;
  const isRefused = days && (all_or_none ? !days.every(isFree) : !days.some(isFree));
  const claim = async (form: HTMLFormElement) => {
    const body = { ...plan, ...withoutEmpty(parkingTyped(form)), all_or_none };
    done(await post<ClaimedSeries>("/claims/series", body));
  };
  return (
    <ActionForm
      act={claim}
      submit="series.claim"
      disabled={plan.weekdays.length === 0 || isRefused === true}
      cancel
      after={days && <Days days={days} claims={claims} />}
    >
      <p class="quiet">{t("series.lead")}</p>
      <WeeklyFields value={plan} change={change} ends />
      <ParkingFields vehicle={usualVehicle()} />
      <Check name="all_or_none" checked={all_or_none} change={allOrNone}>
        {t("series.allOrNone")}
      </Check>
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      {isAsked && whenRead(reading, (days) => <Summary days={days} allOrNone={all_or_none} />)}
    </ActionForm>
  );
}

const isFree = ({ spot_number }: SeriesDay): boolean => spot_number !== null;

interface SummaryProperties {
  readonly days: readonly SeriesDay[];
  readonly allOrNone: boolean;
}

function Summary({ days, allOrNone }: SummaryProperties) {
  const free = days.filter(isFree).length;
  const others = allOrNone ? "series.notAll" : "series.notFree";
  if (days.length === 0) return <p role="status">{t("series.noDay")}</p>;
  return (
    <p role="status">
      {t("series.free", { count: free })}
      {free < days.length && plain(` ${t(others, { count: days.length - free })}`)}
    </p>
  );
}

interface DaysProperties {
  readonly days: readonly SeriesDay[];
  /** What the person has claimed before. */
  readonly claims?: readonly OwnClaim[] | undefined;
}

/** Each day with its spot, or with the reason why there is none. */
function Days({ days, claims = [] }: DaysProperties) {
  return (
    <ul class="preview" aria-label={t("series.days")}>
      {days.map((day) => {
        const own = claims.find((claim) => overlaps(claim, spanOfRow(day)));
        return (
          <li key={day.start_time} class={isFree(day) ? "" : "skipped"}>
            <span>{formatSpan(day.start_time, day.end_time)}</span>
            {isFree(day) ? (
              <strong>{plain(day.spot_number ?? "")}</strong>
            ) : (
              <span class="badge attention">
                {day.reason === null ? t("series.none") : plain(day.reason)}
              </span>
            )}
            {own && isFree(day) && (
              <span class="badge attention">{t("series.own", { spot: own.spot.spot_number })}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The answer: what is claimed, and the way back. */
function Made({ series: { series_id, days } }: { readonly series: ClaimedSeries }) {
  const close = useClose();
  const undo = async () => {
    await cancelSeries(series_id);
    close();
    toast(t("series.undone"));
  };
  return (
    <div class="stack answer arriving">
      <p class="near" role="status">
        {t("series.done", { count: days.filter(isFree).length })}
      </p>
      <Days days={days} />
      <Actions>
        <Link href={addresses.claims} class="button main-action" text="screen.claims" />
        <ActionButton act={undo} text="app.undo" />
      </Actions>
    </div>
  );
}
