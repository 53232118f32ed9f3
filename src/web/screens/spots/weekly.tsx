import { useContext, useState } from "preact/hooks";
import { post, postWithoutKey, put, remove } from "../../api/client.ts";
import { useReading } from "../../api/reading.ts";
import type { Pattern, PatternDay } from "../../api/resources.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { TextField } from "../../parts/fields.tsx";
import { ActionAround, ActionButton, ActionForm, useClose } from "../../parts/form.tsx";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { useNow, usePaused } from "../../time/clock.ts";
import { formatSpan, weekdayName } from "../../time/format.ts";
import { DATES, isDate, isTime, timeZone } from "../../time/zone.ts";
import { planOf, WEEKDAYS, type WeeklyPlan, weeklyAtFirst } from "./plan.ts";

interface WeeklyFormProperties {
  readonly spotId: string;
  /** The pattern that the form changes or ends. Without one, it makes one. */
  readonly pattern?: Pattern;
}

/** The weekly hours of a spot, with a preview. Neighbours keep their claims. */
export function WeeklyForm({ spotId, pattern }: WeeklyFormProperties) {
  const close = useClose();
  const now = useNow();
  const [value, change] = useState(() => (pattern ? planOf(pattern) : weeklyAtFirst(now)));
  const path = `/patterns/${pattern?.id}`;
  const done = (text: Text) => {
    close();
    toast(text);
  };
  const save = async () => {
    if (pattern) await put(path, value);
    else await post("/patterns", { spot_id: spotId, ...value });
    done(t(pattern ? "claims.changed" : "share.doneWeekly"));
  };
  const end = async () => {
    type Ended = { readonly claimed_availability_ids: readonly string[] };
    const { claimed_availability_ids: stay } = await remove<Ended>(path);
    done(stay.length === 0 ? t("pattern.ended") : t("pattern.endedBut", { count: stay.length }));
  };
  return (
    <ActionForm
      act={save}
      submit={pattern ? "app.save" : "share.shareWeekly"}
      disabled={value.weekdays.length === 0}
      cancel
      after={pattern && <ActionButton act={end} class="plain" text="pattern.end" />}
    >
      {pattern && <p>{t("pattern.text")}</p>}
      <WeeklyFields value={value} change={change} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      <WeeklyPreview spotId={spotId} patternId={pattern?.id} plan={value} />
    </ActionForm>
  );
}

export const isComplete = (plan: WeeklyPlan): boolean =>
  isDate(plan.first_day) &&
  (plan.last_day === null || isDate(plan.last_day)) &&
  plan.weekdays.length > 0 &&
  isTime(plan.starts_at) &&
  isTime(plan.ends_at);

/** The fields, by their names in the API. */
const fields = {
  starts_at: { label: "time.from", type: "time", required: true },
  ends_at: { label: "time.until", type: "time", required: true },
  first_day: { label: "board.firstDay", type: "date", required: true, ...DATES },
  last_day: { label: "share.lastDay", hint: "share.untilFurtherNotice", type: "date", ...DATES },
} as const;

interface WeeklyFieldsProperties {
  readonly value: WeeklyPlan;
  readonly change: (value: WeeklyPlan) => void;
  /** Whether it must have a last day. */
  readonly ends?: boolean;
}

export function WeeklyFields({ value, change, ends = false }: WeeklyFieldsProperties) {
  const field = (name: keyof typeof fields) => (
    <TextField
      {...fields[name]}
      {...(name === "last_day" && ends && { hint: undefined, required: true })}
      name={name}
      value={value[name]}
      change={(typed) => change({ ...value, [name]: typed || (name === "last_day" ? null : "") })}
    />
  );
  return (
    <div class="stack">
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
        {value.weekdays.length === 0 && <p class="quiet small">{t("share.noWeekday")}</p>}
      </fieldset>
      <div class="fields">
        {field("starts_at")}
        {field("ends_at")}
      </div>
      <div class="fields">
        {field("first_day")}
        {field("last_day")}
      </div>
    </div>
  );
}

interface WeeklyPreviewProperties {
  readonly spotId: string;
  readonly patternId?: string | undefined;
  readonly plan: WeeklyPlan;
}

/** Shows what the API says about the next weeks. */
function WeeklyPreview({ plan, ...pattern }: WeeklyPreviewProperties) {
  const asked = usePaused(plan);
  const isBusy = useContext(ActionAround)?.busy;
  // There is no preview while the pattern is being ended.
  if (pattern.patternId && isBusy) return null;
  return isComplete(asked) ? <Days {...pattern} plan={asked} /> : null;
}

interface PreviewAnswer {
  readonly days: readonly PatternDay[];
}

function Days({ spotId, patternId, plan }: WeeklyPreviewProperties) {
  const body = {
    spot_id: spotId,
    ...(patternId !== undefined && { pattern_id: patternId }),
    ...plan,
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
          {plan.last_day === null && <span>{plain(` ${t("share.more")}`)}</span>}
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
