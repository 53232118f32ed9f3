import { useEffect, useState } from "preact/hooks";
import { post, postWithoutKey } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { useReading } from "../../api/reading.ts";
import type { PatternDay } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Choice } from "../../parts/choice.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/fields.tsx";
import { ActionForm } from "../../parts/form.tsx";
import { SpanFields } from "../../parts/span-fields.tsx";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { spanOf, typedSpan } from "../../parts/typed-span.ts";
import { useNow } from "../../time/clock.ts";
import { formatSpan, formatted } from "../../time/format.ts";
import {
  addDays,
  DATES,
  isDate,
  isTime,
  type Span,
  startOfDay,
  timeZone,
} from "../../time/zone.ts";
import { type OwnSpot, shareWindow } from "./own-spots.ts";
import {
  bodyOf,
  onceAtFirst,
  WEEKDAYS,
  type WeeklyPlan,
  weeklyAtFirst,
  withConflict,
} from "./plan.ts";

interface ShareProperties {
  readonly own: OwnSpot;
  /** The proposed span, if it is not tomorrow. */
  readonly proposed?: Span | undefined;
  readonly close: () => void;
}

export function ShareDialog({ own, proposed, close }: ShareProperties) {
  const [isWeekly, repeat] = useState(false);
  const Form = isWeekly ? ShareWeekly : ShareOnce;
  return (
    <Dialog title={t("share.title", { spot: own.spot.spot_number })} close={close}>
      <Choice
        label="share.how"
        value={isWeekly}
        options={[
          [false, t("share.once")],
          [true, t("share.weekly")],
        ]}
        choose={repeat}
      />
      <Form own={own} proposed={proposed} close={close} />
    </Dialog>
  );
}

function ShareOnce({ own: { spot, windows }, proposed, close }: ShareProperties) {
  const now = useNow();
  const [value, change] = useState(() => (proposed ? typedSpan(proposed) : onceAtFirst(now)));
  const span = spanOf(value);
  const { conflict } = span ? withConflict(span, windows, now) : {};
  const share = async () => {
    if (span === undefined) return;
    await shareWindow(spot.id, span);
    close();
    toast(t("share.done"));
  };
  return (
    <ActionForm act={share} submit="share.share" disabled={conflict !== undefined} cancel={close}>
      <SpanFields value={value} change={change} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      {conflict && <p class="notice">{t(`share.${conflict}`)}</p>}
    </ActionForm>
  );
}

function ShareWeekly({ own: { spot }, close }: ShareProperties) {
  const now = useNow();
  const [value, change] = useState(() => weeklyAtFirst(now));
  const share = async () => {
    await post("/patterns", { spot_id: spot.id, ...bodyOf(value) });
    changed("patterns", "availabilities");
    close();
    toast(t("share.doneWeekly"));
  };
  return (
    <ActionForm
      act={share}
      submit="share.shareWeekly"
      disabled={value.weekdays.length === 0}
      cancel={close}
    >
      <WeeklyFields value={value} change={change} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      <WeeklyPreview spotId={spot.id} plan={value} />
    </ActionForm>
  );
}

export const isComplete = ({ firstDay, lastDay, weekdays, from, until }: WeeklyPlan): boolean =>
  isDate(firstDay) &&
  (lastDay === "" || isDate(lastDay)) &&
  weekdays.length > 0 &&
  isTime(from) &&
  isTime(until);

interface WeeklyFieldsProperties {
  readonly value: WeeklyPlan;
  readonly change: (value: WeeklyPlan) => void;
  /** Whether it has a last day. */
  readonly ends?: boolean;
}

export function WeeklyFields({ value, change, ends = false }: WeeklyFieldsProperties) {
  const field = (name: "firstDay" | "lastDay" | "from" | "until", type: "date" | "time") => (
    <TextField
      name={name}
      label={`share.${name}`}
      hint={name === "lastDay" && !ends ? "share.untilFurtherNotice" : undefined}
      type={type}
      required={name !== "lastDay" || ends}
      {...(type === "date" && DATES)}
      value={value[name]}
      change={(typed) => change({ ...value, [name]: typed })}
    />
  );
  return (
    <div class="form">
      <fieldset>
        <legend>{t("share.weekdays")}</legend>
        <div class="weekdays">
          {WEEKDAYS.map((weekday, index) => (
            <label key={weekday}>
              <input
                type="checkbox"
                checked={value.weekdays.includes(weekday)}
                onChange={(event) => {
                  const isChosen = event.currentTarget.checked;
                  const weekdays = WEEKDAYS.filter((one) =>
                    one === weekday ? isChosen : value.weekdays.includes(one),
                  );
                  change({ ...value, weekdays });
                }}
              />
              {weekdayName(index)}
            </label>
          ))}
        </div>
        {value.weekdays.length === 0 && <p class="notice">{t("share.noWeekday")}</p>}
      </fieldset>
      <div class="fields">
        {field("from", "time")}
        {field("until", "time")}
      </div>
      <div class="fields">
        {field("firstDay", "date")}
        {field("lastDay", "date")}
      </div>
    </div>
  );
}

/** 0 is Monday. */
export const weekdayName = (index: number) =>
  formatted("weekday", startOfDay(addDays("2026-01-05", index), timeZone()));

/** The pause after the last typing before the page asks for a preview. */
const PAUSE = 400;

interface WeeklyPreviewProperties {
  readonly spotId: string;
  readonly patternId?: string;
  readonly plan: WeeklyPlan;
}

/** The plan for which the page asks for a preview, once the person has paused. */
export function usePaused(plan: WeeklyPlan): WeeklyPlan {
  const [asked, ask] = useState(plan);
  useEffect(() => {
    const timer = setTimeout(() => ask(plan), PAUSE);
    return () => clearTimeout(timer);
  }, [plan]);
  return asked;
}

/** Shows what the API says about the next weeks. */
export function WeeklyPreview({ plan, ...pattern }: WeeklyPreviewProperties) {
  const asked = usePaused(plan);
  return isComplete(asked) ? <Days {...pattern} plan={asked} /> : null;
}

interface PreviewAnswer {
  readonly days: readonly PatternDay[];
}

function Days({ spotId, patternId, plan }: WeeklyPreviewProperties) {
  const body = {
    spot_id: spotId,
    ...(patternId !== undefined && { pattern_id: patternId }),
    ...bodyOf(plan),
  };
  const reading = useReading({
    key: `preview ${JSON.stringify(body)}`,
    topics: ["availabilities", "patterns", "exceptions"],
    read: () => postWithoutKey<PreviewAnswer>("/patterns/preview", body),
  });
  return whenRead(reading, ({ days }) => {
    const skipped = days.filter((day) => !isPublished(day));
    return (
      <>
        <p role="status">
          {t("share.weeks", { count: days.length - skipped.length })}
          {plan.lastDay === "" && <span>{plain(` ${t("share.more")}`)}</span>}
        </p>
        {skipped.length > 0 && (
          <ul class="preview" aria-label={t("share.skipped")}>
            {skipped.map((day) => (
              <li key={day.start_time} class="skipped">
                <span>{formatSpan(day.start_time, day.end_time)}</span>
                <span class="badge attention">{whyNot(day)}</span>
              </li>
            ))}
          </ul>
        )}
      </>
    );
  });
}

const isPublished = ({ outcome }: PatternDay): boolean => outcome === "published";

const whyNot = ({ outcome, reason }: PatternDay) =>
  outcome === "overlaps" || outcome === "kept" ? t(`share.${outcome}`) : plain(reason ?? "");
