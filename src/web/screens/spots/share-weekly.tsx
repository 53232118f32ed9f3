import { t } from "../../messages/translate.ts";
import { Field } from "../../parts/form.tsx";
import { formatted } from "../../time/format.ts";
import { addDays, dateOf, isDate, isTime, startOfDay, timeZone } from "../../time/zone.ts";
import { spansOf, type WeeklyPlan, weekdayOf } from "./plan.ts";

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];
const WORKDAYS = [0, 1, 2, 3, 4];
const FOUR_WEEKS = 27;

/** Office hours of four weeks, beginning tomorrow. */
export function weeklyAtFirst(now: number): WeeklyPlan {
  const firstDay = addDays(dateOf(now, timeZone()), 1);
  const lastDay = addDays(firstDay, FOUR_WEEKS);
  return { firstDay, lastDay, weekdays: WORKDAYS, from: "08:00", until: "18:00" };
}

/** Empty while it is incomplete. */
export const spansOfWeekly = (plan: WeeklyPlan, zone: string) =>
  isDate(plan.firstDay) && isDate(plan.lastDay) && isTime(plan.from) && isTime(plan.until)
    ? spansOf(plan, zone)
    : [];

interface WeeklyFieldsProperties {
  readonly value: WeeklyPlan;
  readonly change: (value: WeeklyPlan) => void;
}

export function WeeklyFields({ value, change }: WeeklyFieldsProperties) {
  const field = (name: "firstDay" | "lastDay" | "from" | "until", type: "date" | "time") => (
    <Field
      name={name}
      label={t(`share.${name}`)}
      control={(it) => (
        <input
          {...it}
          type={type}
          required
          value={value[name]}
          onInput={(event) => change({ ...value, [name]: event.currentTarget.value })}
        />
      )}
    />
  );
  const toggle = (weekday: number) => () => {
    const { weekdays } = value;
    const others = weekdays.filter((one) => one !== weekday);
    change({ ...value, weekdays: others.length < weekdays.length ? others : [...others, weekday] });
  };
  return (
    <div class="form">
      <fieldset>
        <legend>{t("share.weekdays")}</legend>
        <div class="weekdays">
          {WEEKDAYS.map((weekday) => (
            <label key={weekday}>
              <input
                type="checkbox"
                checked={value.weekdays.includes(weekday)}
                onChange={toggle(weekday)}
              />
              {formatted("weekday", someDayOn(weekday))}
            </label>
          ))}
        </div>
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

/** Only for its name. */
function someDayOn(weekday: number): number {
  const date = "2026-01-05";
  return startOfDay(addDays(date, weekday - weekdayOf(date)), timeZone());
}
